// Probes over real sockets.
#include "service/admin_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/service/http_get.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Health kReady = {.alive = true, .ready = true};

TEST(AdminServer, AnswersProbes) {
  std::atomic<bool> ready{true};
  std::atomic<bool> alive{true};
  auto server =
      AdminServer::Start("127.0.0.1:0", [&] { return Health{.alive = alive, .ready = ready}; });
  ASSERT_TRUE(server.ok()) << server.status();
  const int port = (*server)->port();
  ASSERT_GT(port, 0);
  EXPECT_THAT(HttpGet(port, "/livez"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(HttpGet(port, "/readyz"), EndsWith("\r\n\r\nready\n"));
  ready = false;
  EXPECT_THAT(HttpGet(port, "/readyz"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(HttpGet(port, "/livez?verbose"), StartsWith("HTTP/1.1 200 "));
  alive = false;
  EXPECT_THAT(HttpGet(port, "/livez"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(HttpGet(port, "/metrics"), StartsWith("HTTP/1.1 404 "));
}

// A client that says nothing used to be able to hold a one-connection-at-a-time server.
TEST(AdminServer, SilentClientsDelayNobody) {
  auto server = AdminServer::Start("127.0.0.1:0", [] { return kReady; });
  ASSERT_TRUE(server.ok()) << server.status();
  std::vector<FileDescriptor> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(ConnectTo((*server)->port()));
  SendAll(silent[0], "GET /livez HTT");
  EXPECT_THAT(HttpGet((*server)->port(), "/readyz"), StartsWith("HTTP/1.1 200 "));
  SendAll(silent[0], "P/1.1\r\n\r\n");  // a header in two pieces
  EXPECT_THAT(ReceiveAll(silent[0]), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(ReceiveAll(silent[1]), "") << "silence ends in a closed connection";
}

TEST(AdminServer, StartErrorsNameTheAddress) {
  auto first = AdminServer::Start("127.0.0.1:0", [] { return kReady; });
  ASSERT_TRUE(first.ok());
  const std::string taken = absl::StrCat("127.0.0.1:", (*first)->port());
  const absl::Status status = AdminServer::Start(taken, [] { return kReady; }).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot listen on " + taken));
}

TEST(AdminResponse, SpeaksHttpOnly) {
  EXPECT_EQ(AdminResponse("GET /livez HTTP/1.1\r\n", kReady), "") << "incomplete";
  EXPECT_THAT(AdminResponse("POST /livez HTTP/1.1\r\n\r\n", kReady), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(AdminResponse("hello\r\n\r\n", kReady), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(AdminResponse("\r\n\r\n", kReady), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(AdminResponse("HEAD /livez HTTP/1.0\r\n\r\n", kReady), EndsWith("\r\n\r\n"));
}

}  // namespace
}  // namespace tessera
