// Prints a server's capabilities.
#ifndef TESSERA_CLIENT_CLI_INFO_REPORT_H_
#define TESSERA_CLIENT_CLI_INFO_REPORT_H_

#include <string>

#include "tessera/v1/capabilities.pb.h"

namespace tessera::cli {

std::string InfoText(const v1::GetCapabilitiesResponse& capabilities);

// Keys as in the proto, values as in the text. The keys are stable; new ones may be added.
std::string InfoJson(const v1::GetCapabilitiesResponse& capabilities);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_INFO_REPORT_H_
