// The closed loop against a fake server.
#include <string>

#include "absl/strings/match.h"
#include "client/cli/load_report.h"
#include "client/cli/load_run.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"

namespace tessera::cli {
namespace {

LoadSpec Small() {
  LoadSpec spec;
  spec.rows = 3;
  spec.vocab_size = 10;
  spec.concurrency = 2;
  spec.seconds = 30;
  spec.max_requests = 20;
  return spec;
}

TEST(MakeLoadRequest, IsTheSameEveryTimeAndItsRowsDiffer) {
  for (const auto type :
       {v1::ELEMENT_TYPE_FLOAT32, v1::ELEMENT_TYPE_FLOAT16, v1::ELEMENT_TYPE_BFLOAT16}) {
    LoadSpec spec = Small();
    spec.type = type;
    spec.top_logprobs = 5;
    const v1::SampleTokensRequest request = MakeLoadRequest(spec);
    EXPECT_EQ(request.SerializeAsString(), MakeLoadRequest(spec).SerializeAsString());
    const size_t row_bytes = type == v1::ELEMENT_TYPE_FLOAT32 ? 40 : 20;
    const std::string& bytes = request.logits(0).inline_bytes();
    ASSERT_EQ(bytes.size(), 3 * row_bytes);
    EXPECT_NE(bytes.substr(0, row_bytes), bytes.substr(row_bytes, row_bytes));
    EXPECT_EQ(request.rows_size(), 3);
    EXPECT_EQ(request.rows(2).seed(), 2u);
    EXPECT_EQ(request.rows(2).logprobs().top_n(), 5u);
  }
}

TEST(RunClosedLoop, StopsAtTheNumberOfRequests) {
  FakeServer server(
      [](int, const auto& request, auto* response) { return AnswerRowNumbers(request, response); });
  const auto result = RunClosedLoop(Small(), server.address(), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->latency.count(), 20u);
  EXPECT_EQ(result->failed, 0u);
  EXPECT_EQ(result->differing, 0u);
  EXPECT_EQ(server.requests().size(), 20u + 1 + 2) << "one first answer, a warm-up per worker";
  EXPECT_GT(result->seconds, 0);
  EXPECT_TRUE(absl::StrContains(LoadText(Small(), *result), "answered    20 in "));
}

TEST(RunClosedLoop, StopsInTime) {
  FakeServer server(
      [](int, const auto& request, auto* response) { return AnswerRowNumbers(request, response); });
  LoadSpec spec = Small();
  spec.max_requests = 0;
  spec.seconds = 0.7;
  int progress_calls = 0;
  const auto result = RunClosedLoop(spec, server.address(), {}, [&](const LoadProgress& progress) {
    ++progress_calls;
    EXPECT_GT(progress.seconds, 0);
  });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GE(result->seconds, 0.7);
  EXPECT_GE(progress_calls, 1);
}

// "Same request, same bytes" is what the load generator watches over.
TEST(RunClosedLoop, CountsAnswersThatDifferFailAndHoldFailedRows) {
  FakeServer server([](int attempt, const auto& request, auto* response) {
    if (attempt == 10) return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too busy");
    const grpc::Status status = AnswerRowNumbers(request, response);
    if (attempt == 11) response->set_tokens(0, 9);
    if (attempt == 12) response->set_outcomes(0, v1::ROW_OUTCOME_EMPTY_SUPPORT);
    response->mutable_execution()->set_compute_nanos(static_cast<uint64_t>(attempt));
    return status;
  });
  const auto result = RunClosedLoop(Small(), server.address(), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->latency.count(), 19u);
  EXPECT_EQ(result->failed, 1u);
  EXPECT_EQ(result->differing, 2u) << "timings are no part of an answer, tokens and outcomes are";
  EXPECT_EQ(result->rows_failed, 1u);
  ASSERT_EQ(result->errors.size(), 1u);
  EXPECT_TRUE(absl::StrContains(result->errors.begin()->first, "too busy"));
  const std::string json = LoadJson(Small(), *result);
  EXPECT_TRUE(absl::StrContains(json, R"("answered":19,"failed":1,"differing":2,"rows_failed":1)"))
      << json;
}

TEST(RunClosedLoop, AServerThatRefusesTheFirstRequestEndsTheRun) {
  FakeServer server([](int, const auto&, auto*) {
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "no");
  });
  const auto result = RunClosedLoop(Small(), server.address(), {}, nullptr);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(server.requests().size(), 1u);
}

}  // namespace
}  // namespace tessera::cli
