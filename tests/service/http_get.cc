#include "tests/service/http_get.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "absl/strings/str_cat.h"

namespace tessera {

FileDescriptor ConnectTo(int port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  return socket;
}

void SendAll(const FileDescriptor& socket, absl::string_view text) {
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

std::string HttpGet(int port, absl::string_view path) {
  const FileDescriptor socket = ConnectTo(port);
  SendAll(socket, absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: test\r\n\r\n"));
  return ReceiveAll(socket);
}

}  // namespace tessera
