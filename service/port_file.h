// Tells scripts which ports were taken.
#ifndef TESSERA_SERVICE_PORT_FILE_H_
#define TESSERA_SERVICE_PORT_FILE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tessera {

// Writes the gRPC ports, one a line, then "admin PORT" where admin_port is not 0. The file appears
// whole: whoever sees it can read it. Unavailable: it cannot be written.
absl::Status WritePortFile(const std::string& path, const std::vector<int>& ports, int admin_port);

}  // namespace tessera

#endif  // TESSERA_SERVICE_PORT_FILE_H_
