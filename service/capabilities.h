// What this server can do, as GetCapabilities reports it.
#ifndef TESSERA_SERVICE_CAPABILITIES_H_
#define TESSERA_SERVICE_CAPABILITIES_H_

#include "service/backend_choice.h"
#include "service/limits.h"
#include "tessera/v1/capabilities.pb.h"

namespace tessera {

v1::GetCapabilitiesResponse DescribeCapabilities(const BackendChoice& choice, const Limits& limits);

// The program's version, "0.1.0".
const char* ServerVersion();

}  // namespace tessera

#endif  // TESSERA_SERVICE_CAPABILITIES_H_
