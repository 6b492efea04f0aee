// Flags that hold a list of token ids.
#ifndef TESSERA_CLIENT_CLI_ID_FLAG_H_
#define TESSERA_CLIENT_CLI_ID_FLAG_H_

#include <cstdint>
#include <limits>

#include "absl/strings/string_view.h"
#include "client/cli/flags.h"
#include "client/cli/number_list.h"

namespace tessera::cli {

inline constexpr int64_t kMaxId = std::numeric_limits<int32_t>::max();
inline constexpr int64_t kMaxIds = 1 << 20;  // in one flag; the server has limits of its own

// `Out` is a vector of ids or an optional one.
template <typename Out>
void DeclareIds(Flags* flags, absl::string_view name, Out* out, absl::string_view help) {
  flags->Parsed(name, "IDS", help, [out](absl::string_view text) {
    return Store(ParseNumbers(text, kMaxId, kMaxIds), out);
  });
}

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_ID_FLAG_H_
