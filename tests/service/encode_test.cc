// Results become struct of arrays whose offsets depend on the request alone: a failed row never
// shifts its neighbours.
#include "service/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tessera {
namespace {

using ::testing::ElementsAre;

// Four rows of 2, 1, 3 and 1 samples: OK, refused at decoding, INVALID_LOGITS, OK.
class Encode : public ::testing::Test {
 protected:
  void SetUp() override {
    for (uint32_t samples : {2u, 1u, 3u, 1u}) request_.add_rows()->set_samples(samples);
    for (uint32_t row : {0u, 2u, 3u}) {
      RowInput input;
      input.plan = &plan_;
      input.samples = request_.rows(static_cast<int>(row)).samples();
      input.seed = 100 + row;
      job_.rows.push_back(input);
      job_.row_indices.push_back(row);
    }
    job_.refused.push_back({1, "rows[1].position is absent"});
    results_.resize(3);
    results_[0].tokens = absl::MakeSpan(tokens_, 2);
    results_[1].outcome = Outcome::kInvalidLogits;
    results_[2].tokens = absl::MakeSpan(tokens_ + 2, 1);
  }

  v1::SampleTokensRequest request_;
  Plan plan_;
  Job job_;
  std::vector<RowResult> results_;
  TokenId tokens_[3] = {7, 8, 9};
};

TEST_F(Encode, KeepsEveryRowInItsPlace) {
  const v1::SampleTokensResponse response = EncodeResponse(request_, job_, results_);
  EXPECT_THAT(response.outcomes(),
              ElementsAre(v1::ROW_OUTCOME_OK, v1::ROW_OUTCOME_INVALID_PARAMETERS,
                          v1::ROW_OUTCOME_INVALID_LOGITS, v1::ROW_OUTCOME_OK));
  EXPECT_THAT(response.token_offsets(), ElementsAre(0, 2, 3, 6, 7));
  EXPECT_THAT(response.tokens(), ElementsAre(7, 8, -1, -1, -1, -1, 9));
  EXPECT_THAT(response.seeds_used(), ElementsAre(100, 0, 102, 103));
  ASSERT_EQ(response.errors_size(), 2);
  EXPECT_EQ(response.errors(0).row(), 1u);
  EXPECT_EQ(response.errors(0).message(), "rows[1].position is absent");
  EXPECT_EQ(response.errors(1).row(), 2u);
  EXPECT_EQ(response.numerics_version(), kNumericsVersion);
  EXPECT_TRUE(response.support_sizes().empty());
  EXPECT_TRUE(response.logprobs().empty());
}

TEST_F(Encode, ARowThatAskedForTooManySamplesHoldsOnePlace) {
  request_.mutable_rows(1)->set_samples(4'000'000'000u);
  const v1::SampleTokensResponse response = EncodeResponse(request_, job_, results_);
  EXPECT_THAT(response.token_offsets(), ElementsAre(0, 2, 3, 6, 7));
}

TEST_F(Encode, ReportsSupportSizesForThoseWhoAsked) {
  request_.mutable_rows(0)->set_return_support_size(true);
  job_.rows[0].want_support_size = true;
  results_[0].support_size = 40;
  results_[2].support_size = 50;  // did not ask
  const v1::SampleTokensResponse response = EncodeResponse(request_, job_, results_);
  EXPECT_THAT(response.support_sizes(), ElementsAre(40, 0, 0, 0));
}

TEST_F(Encode, FlagsRowsWhoseRawLogitsAreInvalid) {
  results_[2].raw_invalid = true;
  results_[1].raw_invalid = true;  // not OK: its outcome says all
  EXPECT_THAT(EncodeResponse(request_, job_, results_).raw_invalid_rows(), ElementsAre(3));
}

TEST_F(Encode, ListsLogprobsOfRowsThatAskedAndAreOk) {
  constexpr int kProcessed = static_cast<int>(LogprobMode::kProcessed);
  constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  for (RowInput& row : job_.rows) row.logprob_modes = 1 << kProcessed;
  job_.rows[2].entropy_modes = 1 << kProcessed;
  TokenScore scores[] = {{-0.5f, 1}, {-1.5f, 2}, {-0.25f, 1}, {kMinusInfinity, 0}};
  RankedToken ranked[] = {{7, -0.5f}, {8, -1.5f}};
  results_[0].reports[kProcessed].sampled = absl::MakeSpan(scores, 2);
  results_[0].reports[kProcessed].top = absl::MakeSpan(ranked);
  results_[2].reports[kProcessed].sampled = absl::MakeSpan(scores + 2, 1);
  results_[2].reports[kProcessed].scored = absl::MakeSpan(scores + 3, 1);
  results_[2].reports[kProcessed].entropy = 0.75f;

  const v1::SampleTokensResponse response = EncodeResponse(request_, job_, results_);
  ASSERT_EQ(response.logprobs_size(), 1);
  const v1::ModeLogprobs& mode = response.logprobs(0);
  EXPECT_EQ(mode.mode(), v1::LOGPROB_MODE_PROCESSED);
  EXPECT_THAT(mode.rows(), ElementsAre(0, 3));
  EXPECT_THAT(mode.sampled_offsets(), ElementsAre(0, 2, 3));
  EXPECT_THAT(mode.sampled_logprobs(), ElementsAre(-0.5f, -1.5f, -0.25f));
  EXPECT_THAT(mode.sampled_ranks(), ElementsAre(1, 2, 1));
  EXPECT_THAT(mode.scored_offsets(), ElementsAre(0, 0, 1));
  EXPECT_THAT(mode.scored_logprobs(), ElementsAre(kMinusInfinity));
  EXPECT_THAT(mode.scored_ranks(), ElementsAre(0));
  EXPECT_THAT(mode.top_offsets(), ElementsAre(0, 2, 2));
  EXPECT_THAT(mode.top_ids(), ElementsAre(7, 8));
  EXPECT_THAT(mode.top_logprobs(), ElementsAre(-0.5f, -1.5f));
  ASSERT_EQ(mode.entropies_size(), 2);
  EXPECT_TRUE(std::isnan(mode.entropies(0)));
  EXPECT_EQ(mode.entropies(1), 0.75f);
}

TEST_F(Encode, OrdersModesAndLeavesOutWhatNobodyAskedFor) {
  job_.rows[0].logprob_modes = 1 << static_cast<int>(LogprobMode::kTempered);
  job_.rows[2].logprob_modes = 1 << static_cast<int>(LogprobMode::kRaw);
  const v1::SampleTokensResponse response = EncodeResponse(request_, job_, results_);
  ASSERT_EQ(response.logprobs_size(), 2);
  EXPECT_EQ(response.logprobs(0).mode(), v1::LOGPROB_MODE_RAW);
  EXPECT_EQ(response.logprobs(1).mode(), v1::LOGPROB_MODE_TEMPERED);
  EXPECT_TRUE(response.logprobs(0).entropies().empty());
}

}  // namespace
}  // namespace tessera
