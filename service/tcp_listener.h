// Opens a listening TCP socket.
#ifndef TESSERA_SERVICE_TCP_LISTENER_H_
#define TESSERA_SERVICE_TCP_LISTENER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "service/file_descriptor.h"

namespace tessera {

struct TcpListener {
  FileDescriptor socket;  // non-blocking
  int port = 0;
};

// `address` is host:port, "[...]" around an IPv6 host; port 0 takes a free one. InvalidArgument:
// the host does not resolve. Unavailable: it cannot be bound, for instance because it is taken.
absl::StatusOr<TcpListener> ListenTcp(absl::string_view address);

}  // namespace tessera

#endif  // TESSERA_SERVICE_TCP_LISTENER_H_
