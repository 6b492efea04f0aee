// The client against a server that fails as told: retries, deadlines, messages.
#include "client/client.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"

namespace tessera {
namespace {

ClientOptions Quick() {
  ClientOptions options;
  options.deadline = absl::Seconds(10);
  options.retry = {.max_attempts = 3,
                   .first_backoff = absl::Milliseconds(1),
                   .max_backoff = absl::Milliseconds(5)};
  return options;
}

Client ConnectTo(const FakeServer& server, const ClientOptions& options = Quick()) {
  absl::StatusOr<Client> client = Client::Connect(server.address(), options);
  EXPECT_TRUE(client.ok()) << client.status();
  return *std::move(client);
}

v1::SampleTokensRequest TwoRows() {
  v1::SampleTokensRequest request;
  request.set_vocab_size(4);
  request.add_chains();
  request.add_rows()->set_position(7);
  request.add_rows()->set_seed(42);
  return request;
}

FakeServer::Answer UnavailableUntil(int attempt_that_works) {
  return
      [=](int attempt, const v1::SampleTokensRequest& request, v1::SampleTokensResponse* response) {
        if (attempt < attempt_that_works) {
          return grpc::Status(grpc::StatusCode::UNAVAILABLE, "starting up");
        }
        return AnswerRowNumbers(request, response);
      };
}

// Without a seed of the client's own, the server would draw one for each attempt, and the retry
// would draw other tokens.
TEST(Client, ARetryAsksForTheSameBytes) {
  FakeServer server(UnavailableUntil(3));
  const Client client = ConnectTo(server);
  const v1::SampleTokensRequest request = TwoRows();
  const auto response = client.Sample(request);
  ASSERT_TRUE(response.ok()) << response.status();
  const std::vector<std::string> attempts = server.requests();
  ASSERT_EQ(attempts.size(), 3u);
  EXPECT_EQ(attempts[0], attempts[1]);
  EXPECT_EQ(attempts[0], attempts[2]);
  v1::SampleTokensRequest sent;
  ASSERT_TRUE(sent.ParseFromString(attempts[0]));
  EXPECT_TRUE(sent.rows(0).has_seed());
  EXPECT_EQ(response->seeds_used(0), sent.rows(0).seed());
  EXPECT_EQ(sent.rows(1).seed(), 42u) << "a given seed stays";
  EXPECT_FALSE(request.rows(0).has_seed()) << "the caller's request is not written to";
}

TEST(Client, AVerificationIsRetriedWithTheSameSeeds) {
  FakeServer server(UnavailableUntil(1));
  const Client client = ConnectTo(server);
  v1::VerifyDraftsRequest request;
  request.add_sequences();
  request.add_sequences()->mutable_target()->set_seed(42);
  const auto response = client.Verify(request);
  ASSERT_TRUE(response.ok()) << response.status();
  const std::vector<std::string> attempts = server.requests();
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_EQ(attempts[0], attempts[1]);
  v1::VerifyDraftsRequest sent;
  ASSERT_TRUE(sent.ParseFromString(attempts[0]));
  EXPECT_TRUE(sent.sequences(0).target().has_seed());
  EXPECT_EQ(response->seeds_used(0), sent.sequences(0).target().seed());
  EXPECT_EQ(response->seeds_used(1), 42u) << "a given seed stays";
  EXPECT_FALSE(request.sequences(0).has_target()) << "the caller's request is not written to";
}

TEST(Client, TwoCallsWithoutSeedsDrawWithDifferentOnes) {
  FakeServer server(UnavailableUntil(1));
  const Client client = ConnectTo(server);
  const auto a = client.Sample(TwoRows());
  const auto b = client.Sample(TwoRows());
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE(a->seeds_used(0), b->seeds_used(0));
  EXPECT_EQ(a->seeds_used(1), b->seeds_used(1));
}

TEST(Client, GivesUpAfterTheLastAttemptWithTheServersMessage) {
  FakeServer server(UnavailableUntil(99));
  const auto response = ConnectTo(server).Sample(TwoRows());
  EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(response.status().message(), server.address() + ": starting up (after 3 attempts)");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(Client, DoesNotRetryWhatARetryCannotMend) {
  for (const grpc::StatusCode code :
       {grpc::StatusCode::INVALID_ARGUMENT, grpc::StatusCode::RESOURCE_EXHAUSTED,
        grpc::StatusCode::UNIMPLEMENTED, grpc::StatusCode::INTERNAL}) {
    FakeServer server([=](int, const v1::SampleTokensRequest&, v1::SampleTokensResponse*) {
      return grpc::Status(code, "vocab_size is 0; it must be at least 1");
    });
    const auto response = ConnectTo(server).Sample(TwoRows());
    EXPECT_EQ(static_cast<int>(response.status().code()), static_cast<int>(code));
    EXPECT_EQ(response.status().message(),
              server.address() + ": vocab_size is 0; it must be at least 1");
    EXPECT_EQ(server.requests().size(), 1u);
  }
}

TEST(Client, TheDeadlineOfACallCoversItsRetries) {
  FakeServer server(UnavailableUntil(99));
  ClientOptions options = Quick();
  options.retry = {.max_attempts = 1000,
                   .first_backoff = absl::Milliseconds(50),
                   .max_backoff = absl::Milliseconds(50)};
  const Client client = ConnectTo(server, options);
  const absl::Time begin = absl::Now();
  const auto response = client.Sample(TwoRows(), {.deadline = absl::Milliseconds(300)});
  EXPECT_FALSE(response.ok());
  EXPECT_LT(absl::Now() - begin, absl::Seconds(5));
  EXPECT_LT(server.requests().size(), 20u);
}

TEST(Client, ASlowServerMeetsTheDefaultDeadline) {
  FakeServer server(
      [](int, const v1::SampleTokensRequest& request, v1::SampleTokensResponse* response) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return AnswerRowNumbers(request, response);
      });
  ClientOptions options = Quick();
  options.deadline = absl::Milliseconds(100);
  const auto response = ConnectTo(server, options).Sample(TwoRows());
  EXPECT_EQ(response.status().code(), absl::StatusCode::kDeadlineExceeded);
  const auto longer = ConnectTo(server, options).Sample(TwoRows(), {absl::Seconds(30)});
  EXPECT_TRUE(longer.ok()) << longer.status();
}

TEST(Client, AnUnreachableServerIsUnavailable) {
  const auto client = Client::Connect("unix:/nonexistent/socket", Quick());
  ASSERT_TRUE(client.ok());
  const auto response = client->Sample(TwoRows());
  EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StrContains(response.status().message(), "/nonexistent/socket"));
}

TEST(Client, MessageLimitsAreThoseOfTheOptions) {
  FakeServer server(UnavailableUntil(1));
  ClientOptions options = Quick();
  v1::SampleTokensRequest request = TwoRows();
  request.add_logits()->set_inline_bytes(std::string(8 << 20, 'x'));  // above gRPC's own 4 MiB
  EXPECT_TRUE(ConnectTo(server, options).Sample(request).ok());
  options.max_request_bytes = 1 << 20;
  EXPECT_EQ(ConnectTo(server, options).Sample(request).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(Client, GetCapabilities) {
  FakeServer server(UnavailableUntil(1));
  const auto capabilities = ConnectTo(server).GetCapabilities();
  ASSERT_TRUE(capabilities.ok()) << capabilities.status();
  EXPECT_EQ(capabilities->server_version(), "fake");
}

TEST(Client, OptionsOutOfRangeAreRefused) {
  EXPECT_EQ(Client::Connect("").status().message(),
            "address is empty; it must be host:port or unix:/path");
  ClientOptions options;
  options.retry.max_attempts = 0;
  EXPECT_EQ(Client::Connect("localhost:1", options).status().message(),
            "retry.max_attempts is 0; it must be at least 1");
  options = {};
  options.deadline = absl::ZeroDuration();
  EXPECT_EQ(Client::Connect("localhost:1", options).status().message(),
            "deadline is 0; it must be above 0");
}

}  // namespace
}  // namespace tessera
