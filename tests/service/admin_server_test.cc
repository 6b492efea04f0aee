// Probes over real sockets.
#include "service/admin_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

FileDescriptor Connect(int port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  return socket;
}

void Send(const FileDescriptor& socket, absl::string_view text) {
  EXPECT_EQ(send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(text.size()));
}

std::string ReceiveAll(const FileDescriptor& socket) {
  std::string all;
  char buffer[512];
  ssize_t got = 0;
  while ((got = recv(socket.get(), buffer, sizeof(buffer), 0)) > 0) all.append(buffer, got);
  return all;
}

std::string Get(int port, absl::string_view path) {
  const FileDescriptor socket = Connect(port);
  Send(socket, absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: test\r\n\r\n"));
  return ReceiveAll(socket);
}

TEST(AdminServer, AnswersProbes) {
  std::atomic<bool> ready{true};
  auto server = AdminServer::Start("127.0.0.1:0", [&ready] { return ready.load(); });
  ASSERT_TRUE(server.ok()) << server.status();
  const int port = (*server)->port();
  ASSERT_GT(port, 0);
  EXPECT_THAT(Get(port, "/livez"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(Get(port, "/readyz"), EndsWith("\r\n\r\nready\n"));
  ready = false;
  EXPECT_THAT(Get(port, "/readyz"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Get(port, "/livez?verbose"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Get(port, "/metrics"), StartsWith("HTTP/1.1 404 "));
}

// A client that says nothing used to be able to hold a one-connection-at-a-time server.
TEST(AdminServer, SilentClientsDelayNobody) {
  auto server = AdminServer::Start("127.0.0.1:0", [] { return true; });
  ASSERT_TRUE(server.ok()) << server.status();
  std::vector<FileDescriptor> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(Connect((*server)->port()));
  Send(silent[0], "GET /livez HTT");
  EXPECT_THAT(Get((*server)->port(), "/readyz"), StartsWith("HTTP/1.1 200 "));
  Send(silent[0], "P/1.1\r\n\r\n");  // a header in two pieces
  EXPECT_THAT(ReceiveAll(silent[0]), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(ReceiveAll(silent[1]), "") << "silence ends in a closed connection";
}

TEST(AdminServer, StartErrorsNameTheAddress) {
  auto first = AdminServer::Start("127.0.0.1:0", [] { return true; });
  ASSERT_TRUE(first.ok());
  const std::string taken = absl::StrCat("127.0.0.1:", (*first)->port());
  const absl::Status status = AdminServer::Start(taken, [] { return true; }).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot listen on " + taken));
}

TEST(AdminResponse, SpeaksHttpOnly) {
  EXPECT_EQ(AdminResponse("GET /livez HTTP/1.1\r\n", true), "") << "incomplete";
  EXPECT_THAT(AdminResponse("POST /livez HTTP/1.1\r\n\r\n", true), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(AdminResponse("hello\r\n\r\n", true), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(AdminResponse("\r\n\r\n", true), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(AdminResponse("HEAD /livez HTTP/1.0\r\n\r\n", true), EndsWith("\r\n\r\n"));
}

}  // namespace
}  // namespace tessera
