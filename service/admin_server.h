// Plain HTTP for probes, on its own thread and port: /livez says that the process lives, /readyz
// whether it wants calls. Overload of the service cannot delay it.
//
// A process is alive as long as it need not be restarted: while it drains, too, but not once its
// device is lost.
#ifndef TESSERA_SERVICE_ADMIN_SERVER_H_
#define TESSERA_SERVICE_ADMIN_SERVER_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "service/file_descriptor.h"

namespace tessera {

struct Health {
  bool alive = true;
  bool ready = false;
};

class AdminServer {
 public:
  // Listens on host:port. `health` is called on the server's thread. InvalidArgument: the host does
  // not resolve. Unavailable: the port is taken.
  static absl::StatusOr<std::unique_ptr<AdminServer>> Start(absl::string_view address,
                                                            std::function<Health()> health);
  ~AdminServer();

  int port() const { return port_; }

 private:
  AdminServer(FileDescriptor listener, FileDescriptor stop, int port,
              std::function<Health()> health);
  void Serve();

  FileDescriptor listener_;
  FileDescriptor stop_;  // an eventfd: readable once the thread shall end
  int port_;
  std::function<Health()> health_;
  std::thread thread_;
};

// The whole answer to what a client has sent so far; empty while the request's header is
// incomplete.
std::string AdminResponse(absl::string_view received, const Health& health);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ADMIN_SERVER_H_
