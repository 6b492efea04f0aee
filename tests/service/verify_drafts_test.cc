// Verifications from request to response with the real backends, without a transport.
#include "service/verify_drafts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Three sequences of two one-hot drafts over four ids, greedy targets whose argmaxes are 3, 2, 1.
v1::VerifyDraftsRequest GreedyRequest() {
  v1::VerifyDraftsRequest request;
  request.set_vocab_size(4);
  request.add_chains()->add_stages()->mutable_greedy();
  request.add_chains();
  const int drafts[3][2] = {{3, 2}, {3, 0}, {1, 2}};
  std::vector<std::vector<float>> rows;
  for (const auto& ids : drafts) {
    v1::DraftSequence* sequence = request.add_sequences();
    sequence->set_method(v1::VERIFICATION_METHOD_TOKEN);
    sequence->mutable_one_hot();
    for (const int id : ids) sequence->add_draft_ids(id);
    rows.insert(rows.end(), {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 3, 2, 1}});
  }
  *request.add_target_logits() = FloatTensor(rows);
  return request;
}

// The same of every backend.
v1::VerifyDraftsResponse Verify(const v1::VerifyDraftsRequest& request) {
  absl::StatusOr<std::unique_ptr<Backend>> cpu = MakeCpuBackend({.threads = 2, .target = ""});
  EXPECT_TRUE(cpu.ok()) << cpu.status();
  const std::unique_ptr<Backend> scalar = MakeScalarBackend();
  v1::VerifyDraftsRequest first = request;
  v1::VerifyDraftsRequest second = request;
  absl::StatusOr<v1::VerifyDraftsResponse> ours = VerifyDrafts(&first, **cpu, Limits(), nullptr);
  absl::StatusOr<v1::VerifyDraftsResponse> plain =
      VerifyDrafts(&second, *scalar, Limits(), nullptr);
  EXPECT_TRUE(ours.ok()) << ours.status();
  EXPECT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(ours->execution().backend(), (*cpu)->name());
  EXPECT_EQ(ours->execution().source_used(), v1::TENSOR_SOURCE_INLINE);
  ours->clear_execution();
  plain->clear_execution();
  EXPECT_EQ(ours->SerializeAsString(), plain->SerializeAsString());
  return *std::move(ours);
}

TEST(VerifyDrafts, AGreedyTargetKeepsItsArgmaxes) {
  const v1::VerifyDraftsResponse response = Verify(GreedyRequest());
  EXPECT_THAT(response.tokens(), ElementsAre(3, 2, 1, 3, 2, 3));
  EXPECT_THAT(response.token_offsets(), ElementsAre(0, 3, 5, 6));
  EXPECT_THAT(response.accepted_nodes(), ElementsAre(0, 1, 0));
  EXPECT_THAT(response.accepted_offsets(), ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(response.acceptance_probabilities(), ElementsAre(1, 1, 1, 0, 0));
  EXPECT_THAT(response.acceptance_offsets(), ElementsAre(0, 2, 4, 5));
  EXPECT_THAT(response.lossless(), ElementsAre(true, true, true));
  EXPECT_THAT(response.impossible_draft_counts(), ElementsAre(0, 0, 0));
  EXPECT_THAT(response.seeds_used(), ElementsAre(0, 0, 0)) << "nothing random was needed";
  EXPECT_EQ(response.numerics_version(), kNumericsVersion);
}

TEST(VerifyDrafts, OneBadSequenceOfEachKindLeavesTheOthers) {
  v1::VerifyDraftsRequest request = GreedyRequest();
  *request.mutable_target_logits(0) = FloatTensor({{0, 1, 2, 3},
                                                   {0, 1, NAN, 2},
                                                   {0, 3, 2, 1},
                                                   {0, 1, 2, 3},
                                                   {0, 1, 3, 2},
                                                   {0, 3, 2, 1},
                                                   {0, 1, 2, 3},
                                                   {0, 1, 3, 2},
                                                   {0, 3, 2, 1}});
  request.mutable_sequences(2)->clear_method();
  const v1::VerifyDraftsResponse response = Verify(request);
  EXPECT_THAT(response.outcomes(), ElementsAre(v1::ROW_OUTCOME_INVALID_LOGITS, v1::ROW_OUTCOME_OK,
                                               v1::ROW_OUTCOME_INVALID_PARAMETERS));
  EXPECT_THAT(response.tokens(), ElementsAre(3, 2));
  EXPECT_THAT(response.token_offsets(), ElementsAre(0, 0, 2, 2));
  ASSERT_EQ(response.errors_size(), 2);
  EXPECT_THAT(response.errors(0).message(), HasSubstr("position 1"));
  EXPECT_THAT(response.errors(0).message(), HasSubstr("id 2 is NaN"));
  EXPECT_EQ(response.errors(1).row(), 2u);
  EXPECT_THAT(response.errors(1).message(), HasSubstr("sequences[2].method is 0"));
}

TEST(VerifyDrafts, LogprobsNameTheSequenceOfEachToken) {
  v1::VerifyDraftsRequest request = GreedyRequest();
  for (const int i : {0, 2}) {
    request.mutable_sequences(i)->mutable_target()->mutable_logprobs()->add_modes(
        v1::LOGPROB_MODE_RAW);
  }
  const v1::VerifyDraftsResponse response = Verify(request);
  ASSERT_EQ(response.logprobs_size(), 1);
  const v1::ModeLogprobs& raw = response.logprobs(0);
  EXPECT_THAT(raw.rows(), ElementsAre(0, 0, 0, 2));
  EXPECT_THAT(raw.sampled_offsets(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(raw.sampled_ranks(), ElementsAre(1, 1, 1, 1));
  const float expected =
      static_cast<float>(3 - std::log(1 + std::exp(1.0) + std::exp(2.0) + std::exp(3.0)));
  for (const float logprob : raw.sampled_logprobs()) EXPECT_FLOAT_EQ(logprob, expected);
  EXPECT_THAT(raw.scored_offsets(), ElementsAre(0, 0, 0, 0, 0));
}

TEST(VerifyDrafts, ASequenceWithoutASeedGetsOneThatRepeatsItsTokens) {
  v1::VerifyDraftsRequest request = GreedyRequest();
  for (v1::DraftSequence& sequence : *request.mutable_sequences()) {
    sequence.mutable_target()->set_chain(1);
    sequence.mutable_target()->set_position(5);
  }
  const std::unique_ptr<Backend> backend = MakeScalarBackend();
  v1::VerifyDraftsRequest sent = request;
  const absl::StatusOr<v1::VerifyDraftsResponse> first =
      VerifyDrafts(&sent, *backend, Limits(), nullptr);
  ASSERT_TRUE(first.ok()) << first.status();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(first->seeds_used(i), 0u) << "equal with a chance of 2^-62";
    request.mutable_sequences(i)->mutable_target()->set_seed(first->seeds_used(i));
  }
  const v1::VerifyDraftsResponse again = Verify(request);
  EXPECT_THAT(again.tokens(), ::testing::ElementsAreArray(first->tokens()));
  EXPECT_THAT(again.accepted_nodes(), ::testing::ElementsAreArray(first->accepted_nodes()));
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

TEST(VerifyDrafts, AFailedMachineIsInternalUnlessItIsWorthARetry) {
  for (const auto& [said, answered] :
       {std::pair(absl::StatusCode::kUnknown, absl::StatusCode::kInternal),
        std::pair(absl::StatusCode::kUnavailable, absl::StatusCode::kUnavailable)}) {
    FailingBackend backend;
    backend.status = absl::Status(said, "out of order");
    v1::VerifyDraftsRequest request = GreedyRequest();
    const absl::Status status = VerifyDrafts(&request, backend, Limits(), nullptr).status();
    EXPECT_EQ(status.code(), answered);
    EXPECT_EQ(status.message(), "backend failing: out of order");
  }
}

TEST(VerifyDrafts, NothingIsComputedForACallerWhoIsGone) {
  FailingBackend backend;
  v1::VerifyDraftsRequest request = GreedyRequest();
  const absl::Status status = VerifyDrafts(&request, backend, Limits(), [] {
                                return absl::CancelledError("gone");
                              }).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(backend.runs, 0);
}

TEST(VerifyDrafts, ACallCancelledWhileItRunsSaysSo) {
  const std::unique_ptr<Backend> backend = MakeScalarBackend();
  v1::VerifyDraftsRequest request = GreedyRequest();
  int asked = 0;
  const auto stopped = VerifyDrafts(&request, *backend, Limits(), [&asked] {
    return ++asked < 3 ? absl::OkStatus() : absl::CancelledError("gone");
  });
  EXPECT_EQ(stopped.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(stopped.status().message(), "gone");
}

}  // namespace
}  // namespace tessera
