// Asks a probe over a socket of its own, as a kubelet does.
#ifndef TESSERA_TESTS_SERVICE_HTTP_GET_H_
#define TESSERA_TESTS_SERVICE_HTTP_GET_H_

#include <string>

#include "absl/strings/string_view.h"
#include "service/file_descriptor.h"

namespace tessera {

// Connected to 127.0.0.1:port; a failure fails the test.
FileDescriptor ConnectTo(int port);
void SendAll(const FileDescriptor& socket, absl::string_view text);

// Until the other side closes.
std::string ReceiveAll(const FileDescriptor& socket);

// The whole answer, headers included.
std::string HttpGet(int port, absl::string_view path);

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_HTTP_GET_H_
