#include "service/check_ids.h"

#include "absl/strings/str_cat.h"

namespace tessera {

absl::Status CheckIds(absl::string_view field, const WireIds& ids, int64_t vocab_size,
                      int64_t limit) {
  if (ids.size() > limit) {
    return absl::InvalidArgumentError(
        absl::StrCat(field, " holds ", ids.size(), " ids; it may hold at most ", limit));
  }
  for (int i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < vocab_size) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(field, "[", i, "] is ", ids[i], "; it must be in [0, ", vocab_size, ")"));
  }
  return absl::OkStatus();
}

}  // namespace tessera
