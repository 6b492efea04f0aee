// From request to response with the real backends, without a transport.
#include "service/sample_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>

#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Runs `request` on every backend, demands the same bytes of all, and returns them.
v1::SampleTokensResponse Sample(const v1::SampleTokensRequest& request) {
  absl::StatusOr<std::unique_ptr<Backend>> cpu = MakeCpuBackend({.threads = 2, .target = ""});
  EXPECT_TRUE(cpu.ok()) << cpu.status();
  const std::unique_ptr<Backend> scalar = MakeScalarBackend();
  absl::StatusOr<v1::SampleTokensResponse> ours = SampleTokens(request, **cpu, Limits());
  absl::StatusOr<v1::SampleTokensResponse> plain = SampleTokens(request, *scalar, Limits());
  EXPECT_TRUE(ours.ok()) << ours.status();
  EXPECT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(ours->execution().backend(), (*cpu)->name());
  EXPECT_EQ(ours->execution().source_used(), v1::TENSOR_SOURCE_INLINE);
  plain->clear_execution();
  ours->clear_execution();
  EXPECT_EQ(ours->SerializeAsString(), plain->SerializeAsString());
  return *std::move(ours);
}

TEST(SampleTokens, GreedyRowsTakeTheLargestLogit) {
  const v1::SampleTokensResponse response = Sample(SmallRequest());
  EXPECT_THAT(response.tokens(), ElementsAre(3, 0, 1));
  EXPECT_THAT(response.seeds_used(), ElementsAre(0, 0, 0));
}

TEST(SampleTokens, OneBadRowOfEachKindLeavesTheOthers) {
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_logits(0) =
      FloatTensor({{0, 1, 2, 3}, {0, NAN, 0, 0}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}});
  request.add_rows()->set_logits_row(0);
  request.add_rows()->set_chain(99);
  const v1::SampleTokensResponse response = Sample(request);
  EXPECT_THAT(response.outcomes(), ElementsAre(v1::ROW_OUTCOME_OK, v1::ROW_OUTCOME_INVALID_LOGITS,
                                               v1::ROW_OUTCOME_EMPTY_SUPPORT, v1::ROW_OUTCOME_OK,
                                               v1::ROW_OUTCOME_INVALID_PARAMETERS));
  EXPECT_THAT(response.tokens(), ElementsAre(3, -1, -1, 3, -1));
  ASSERT_EQ(response.errors_size(), 3);
  EXPECT_EQ(response.errors(0).message(),
            "the logit of id 1 is NaN after edits; it must be finite or -inf, or the id banned");
}

TEST(SampleTokens, AResponseBeyondItsLimitIsRefusedBeforeItIsComputed) {
  v1::SampleTokensRequest request = SmallRequest();
  Limits limits;
  limits.max_response_bytes = 3 * 8;
  EXPECT_TRUE(SampleTokens(request, *MakeScalarBackend(), limits).ok());
  request.mutable_rows(0)->set_samples(2);
  const auto refused = SampleTokens(request, *MakeScalarBackend(), limits);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("a response of about 32 bytes; it may be at most 24"));
}

// A cancelled call of many rows used to be computed to its end.
TEST(SampleTokens, ACallCancelledWhileItRunsStopsBetweenRows) {
  const v1::SampleTokensRequest request = SmallRequest();
  for (const std::string name : {"scalar", "cpu"}) {
    auto backend = name == "cpu" ? *MakeCpuBackend({1, ""}) : MakeScalarBackend();
    int asked = 0;  // before the batch, before each row, and at last for the reason
    const auto stopped = SampleTokens(request, *backend, Limits(), [&asked] {
      return ++asked < 3 ? absl::OkStatus() : absl::CancelledError("gone");
    });
    EXPECT_EQ(stopped.status().code(), absl::StatusCode::kCancelled) << name;
    EXPECT_EQ(asked, 4) << name;
  }
}

TEST(SampleTokens, MasksReachTheBackend) {
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_grammar() = WordTensor({{0b0110}});
  request.mutable_rows(0)->set_grammar_row(0);
  request.mutable_rows(1)->add_banned_ids(0);
  request.mutable_rows(2)->mutable_allowed();
  const v1::SampleTokensResponse response = Sample(request);
  EXPECT_THAT(response.tokens(), ElementsAre(2, 1, -1));
  EXPECT_EQ(response.outcomes(2), v1::ROW_OUTCOME_EMPTY_SUPPORT);
}

TEST(SampleTokens, PaddingColumnsAreNeverDrawn) {
  v1::SampleTokensRequest request = SmallRequest();
  request.set_vocab_size(3);
  EXPECT_THAT(Sample(request).tokens(), ElementsAre(2, 0, 1));
}

TEST(SampleTokens, AnExplicitZeroOfSamplesOnlyScores) {
  v1::SampleTokensRequest request = SmallRequest();
  for (v1::SampleRow& row : *request.mutable_rows()) {
    row.set_samples(0);
    row.mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
    row.add_score_ids(3);
  }
  const v1::SampleTokensResponse response = Sample(request);
  EXPECT_TRUE(response.tokens().empty());
  ASSERT_EQ(response.logprobs_size(), 1);
  EXPECT_THAT(response.logprobs(0).scored_ranks(), ElementsAre(1, 4, 2));
}

TEST(SampleTokens, RowsWithoutASeedGetOneThatRepeatsTheirTokens) {
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_logits(0) = FloatTensor({{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  request.add_chains();
  for (v1::SampleRow& row : *request.mutable_rows()) {
    row.set_chain(2);
    row.set_position(5);
    row.set_samples(64);
  }
  const std::unique_ptr<Backend> backend = MakeScalarBackend();
  const absl::StatusOr<v1::SampleTokensResponse> first = SampleTokens(request, *backend, Limits());
  ASSERT_TRUE(first.ok()) << first.status();
  const std::set<uint64_t> seeds(first->seeds_used().begin(), first->seeds_used().end());
  EXPECT_EQ(seeds.size(), 3u) << "equal with a chance of 2^-62";
  for (int i = 0; i < 3; ++i) request.mutable_rows(i)->set_seed(first->seeds_used(i));
  v1::SampleTokensResponse again = Sample(request);
  EXPECT_THAT(again.tokens(), ::testing::ElementsAreArray(first->tokens()));
}

TEST(SampleTokens, NoRowsIsOk) {
  const v1::SampleTokensResponse response = [] {
    const std::unique_ptr<Backend> backend = MakeScalarBackend();
    return *SampleTokens(v1::SampleTokensRequest(), *backend, Limits());
  }();
  EXPECT_TRUE(response.outcomes().empty());
  EXPECT_THAT(response.token_offsets(), ElementsAre(0));
}

// A backend whose machine failed, or that must not be reached.
class FailingBackend : public Backend {
 public:
  std::string name() const override { return "failing"; }
  absl::Status Run(const Batch&, BatchResult*) override {
    ++runs;
    return status;
  }
  absl::Status RunResiduals(const ResidualBatch&, absl::Span<ResidualResult>) override {
    ++runs;
    return status;
  }
  absl::Status status = absl::UnknownError("out of order");
  int runs = 0;
};

TEST(SampleTokens, AFailedMachineIsInternalUnlessItIsWorthARetry) {
  const struct {
    absl::StatusCode said;
    absl::StatusCode answered;
  } cases[] = {
      {absl::StatusCode::kUnknown, absl::StatusCode::kInternal},
      {absl::StatusCode::kInternal, absl::StatusCode::kInternal},
      {absl::StatusCode::kInvalidArgument, absl::StatusCode::kInternal},
      {absl::StatusCode::kResourceExhausted, absl::StatusCode::kResourceExhausted},
      {absl::StatusCode::kUnavailable, absl::StatusCode::kUnavailable},
  };
  for (const auto& c : cases) {
    FailingBackend backend;
    backend.status = absl::Status(c.said, "out of order");
    const absl::Status status = SampleTokens(SmallRequest(), backend, Limits()).status();
    EXPECT_EQ(status.code(), c.answered) << backend.status;
    EXPECT_EQ(status.message(), "backend failing: out of order");
  }
}

TEST(SampleTokens, NothingIsComputedForACallerWhoIsGone) {
  FailingBackend backend;
  const absl::Status status = SampleTokens(SmallRequest(), backend, Limits(), [] {
                                return absl::CancelledError("gone");
                              }).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(backend.runs, 0);
}

}  // namespace
}  // namespace tessera
