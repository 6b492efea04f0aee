// The server under limits and at its end: calls refused, in flight, and too late.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/service/requests.h"
#include "tests/service/server_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

// Work for the plain loops that takes long enough to be in flight when the server stops.
v1::SampleTokensRequest LongRequest() {
  v1::SampleTokensRequest request = SmallRequest();
  request.set_vocab_size(10'000);
  *request.mutable_logits(0) = FloatTensor({std::vector<float>(10'000)});
  request.clear_rows();
  while (request.rows_size() < 2000) request.add_rows()->set_logits_row(0);
  return request;
}

// While draining, calls are served until the delay is over and refused, by name, after it.
TEST_F(ServerTest, DrainsInOrder) {
  options_.admin_listen = "127.0.0.1:0";
  options_.drain_delay = absl::Seconds(2);
  Start();
  ASSERT_TRUE(Sample(SmallRequest()).ok());
  std::thread drain([this] { server_->Drain(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(Sample(SmallRequest()).ok()) << "load balancers still send";
  drain.join();
  EXPECT_EQ(Sample(SmallRequest()).error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(ServerTest, ACallInFlightIsAnsweredBeforeTheServerStops) {
  options_.limits.max_unary_bytes = 1 << 20;
  options_.shutdown_grace = absl::Seconds(60);
  Start();
  grpc::Status status;
  std::thread caller([&] { status = Sample(LongRequest()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server_->Drain();
  caller.join();
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response_.tokens_size(), 2000);
}

// One call in flight is the limit: the second is refused at once and succeeds once there is room.
TEST_F(ServerTest, CallsBeyondTheLimitAreRefusedAndMayRetry) {
  options_.limits.max_unary_bytes = 1 << 20;
  options_.admission.max_calls = 1;
  Start();
  ASSERT_TRUE(Sample(SmallRequest()).ok());  // connected
  std::thread caller([this] {
    grpc::Status status;
    do {  // it may itself meet the small calls below
      grpc::ClientContext call;
      v1::SampleTokensResponse response;
      status = stub_->SampleTokens(&call, LongRequest(), &response);
    } while (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_TRUE(status.ok()) << status.error_message();
  });
  bool refused = false;
  grpc::Status status;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!refused && std::chrono::steady_clock::now() < patience) {
    status = Sample(SmallRequest());
    refused = !status.ok();
  }
  caller.join();
  ASSERT_TRUE(refused);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("(--max-inflight-calls); retry"));
  EXPECT_TRUE(Sample(SmallRequest()).ok());
}

TEST_F(ServerTest, ADeadlineThatPassedIsHonoured) {
  Start();
  grpc::ClientContext call;
  call.set_deadline(std::chrono::system_clock::now() - std::chrono::seconds(1));
  EXPECT_EQ(stub_->SampleTokens(&call, SmallRequest(), &response_).error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
}

}  // namespace
}  // namespace tessera
