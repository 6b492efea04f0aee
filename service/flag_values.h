// How the values of flags are written. Each parser returns InvalidArgument with a message that
// completes "--flag": " is abc; it must be a whole number in [1, 64]".
#ifndef TESSERA_SERVICE_FLAG_VALUES_H_
#define TESSERA_SERVICE_FLAG_VALUES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tessera {

absl::Status ParseNumber(absl::string_view text, int64_t low, int64_t high, int64_t* value);

// Bytes, alone or with KiB, MiB or GiB: 67108864, 64MiB.
absl::Status ParseBytes(absl::string_view text, int64_t low, int64_t high, int64_t* value);
std::string ShowBytes(int64_t bytes);

// 0, 500ms, 5s, 1m; never negative or infinite.
absl::Status ParsePeriod(absl::string_view text, absl::Duration* value);

// host:port with a port in [0, 65535] (0: any free one), "[...]" around an IPv6 host; or, where
// `allow_unix`, unix:path.
absl::Status CheckAddress(absl::string_view text, bool allow_unix);

}  // namespace tessera

#endif  // TESSERA_SERVICE_FLAG_VALUES_H_
