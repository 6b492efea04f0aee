// The presets as GetCapabilities lists them.
#ifndef TESSERA_SERVICE_DESCRIBE_PRESETS_H_
#define TESSERA_SERVICE_DESCRIBE_PRESETS_H_

#include "tessera/v1/capabilities.pb.h"

namespace tessera {

// Every preset that a chain may name, with its parameters.
void DescribePresets(v1::GetCapabilitiesResponse* response);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DESCRIBE_PRESETS_H_
