#include "service/admin_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "service/tcp_listener.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxConnections = 64;
constexpr size_t kMaxHeader = 8192;  // bytes
constexpr auto kPatience = std::chrono::seconds(2);

struct Connection {
  FileDescriptor socket;
  Clock::time_point deadline;
  std::string received;
};

std::string Reply(absl::string_view status, absl::string_view body, bool head) {
  return absl::StrCat("HTTP/1.1 ", status,
                      "\r\nContent-Type: text/plain\r\nContent-Length: ", body.size(),
                      "\r\nConnection: close\r\n\r\n", head ? "" : body);
}

// Reads what has come; true while the connection is still wanted.
bool Advance(Connection* connection, const Health& health) {
  char buffer[1024];
  const ssize_t got = recv(connection->socket.get(), buffer, sizeof(buffer), MSG_DONTWAIT);
  if (got <= 0) return false;
  connection->received.append(buffer, static_cast<size_t>(got));
  const std::string reply = AdminResponse(connection->received, health);
  if (reply.empty()) return connection->received.size() < kMaxHeader;
  // A few hundred bytes always fit a fresh socket's buffer.
  (void)send(connection->socket.get(), reply.data(), reply.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  (void)shutdown(connection->socket.get(), SHUT_WR);
  return false;
}

}  // namespace

std::string AdminResponse(absl::string_view received, const Health& health) {
  if (!absl::StrContains(received, "\r\n\r\n")) return "";
  const absl::string_view line = received.substr(0, received.find("\r\n"));
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  if (words.size() != 3 || !absl::StartsWith(words[2], "HTTP/1.")) {
    return Reply("400 Bad Request", "not HTTP/1\n", false);
  }
  const bool head = words[0] == "HEAD";
  if (!head && words[0] != "GET") {
    return Reply("405 Method Not Allowed", "GET and HEAD only\n", false);
  }
  const absl::string_view path = words[1].substr(0, words[1].find('?'));
  if (path == "/livez") {
    return health.alive ? Reply("200 OK", "alive\n", head)
                        : Reply("503 Service Unavailable", "to be restarted\n", head);
  }
  if (path == "/readyz") {
    return health.ready ? Reply("200 OK", "ready\n", head)
                        : Reply("503 Service Unavailable", "not ready\n", head);
  }
  return Reply("404 Not Found", "there are /livez and /readyz\n", head);
}

absl::StatusOr<std::unique_ptr<AdminServer>> AdminServer::Start(absl::string_view address,
                                                                std::function<Health()> health) {
  absl::StatusOr<TcpListener> listener = ListenTcp(address);
  if (!listener.ok()) return listener.status();
  FileDescriptor stop(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop.valid()) return absl::InternalError("eventfd failed");
  return std::unique_ptr<AdminServer>(new AdminServer(std::move(listener->socket), std::move(stop),
                                                      listener->port, std::move(health)));
}

AdminServer::AdminServer(FileDescriptor listener, FileDescriptor stop, int port,
                         std::function<Health()> health)
    : listener_(std::move(listener)),
      stop_(std::move(stop)),
      port_(port),
      health_(std::move(health)),
      thread_([this] { Serve(); }) {}

AdminServer::~AdminServer() {
  const uint64_t one = 1;
  (void)!write(stop_.get(), &one, sizeof(one));
  thread_.join();
}

void AdminServer::Serve() {
  std::vector<Connection> connections;
  for (;;) {
    std::vector<pollfd> polled = {{stop_.get(), POLLIN, 0}};
    // At the limit new connections wait in the kernel's queue until one ends or times out.
    polled.push_back({connections.size() < kMaxConnections ? listener_.get() : -1, POLLIN, 0});
    for (const Connection& c : connections) polled.push_back({c.socket.get(), POLLIN, 0});
    poll(polled.data(), polled.size(), connections.empty() ? -1 : 250);
    if (polled[0].revents != 0) return;

    const Clock::time_point now = Clock::now();
    std::vector<Connection> kept;
    for (size_t i = 0; i < connections.size(); ++i) {
      Connection& connection = connections[i];
      const bool wanted = polled[i + 2].revents == 0 || Advance(&connection, health_());
      if (wanted && now < connection.deadline) kept.push_back(std::move(connection));
    }
    connections = std::move(kept);
    if (polled[1].revents == 0) continue;
    FileDescriptor accepted(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted.valid()) connections.push_back({std::move(accepted), now + kPatience, ""});
  }
}

}  // namespace tessera
