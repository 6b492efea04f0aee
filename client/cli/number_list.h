// Lists of numbers as a person types them: "0,3,5-8", "7:2.5,9:-inf".
#ifndef TESSERA_CLIENT_CLI_NUMBER_LIST_H_
#define TESSERA_CLIENT_CLI_NUMBER_LIST_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tessera::cli {

// Comma-separated integers and closed ranges `first-last`, in the order written; each in
// [0, max] and at most `max_count` in all. InvalidArgument names the item and its place.
absl::StatusOr<std::vector<int64_t>> ParseNumbers(absl::string_view text, int64_t max,
                                                  int64_t max_count);

// Comma-separated `id:value`; ids in [0, max], values any float but NaN, -inf included.
absl::StatusOr<std::vector<std::pair<int64_t, float>>> ParsePairs(absl::string_view text,
                                                                  int64_t max);

// Comma-separated numbers, inf, -inf and nan included; 1 to `max_count` of them.
absl::StatusOr<std::vector<float>> ParseFloats(absl::string_view text, int64_t max_count);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_NUMBER_LIST_H_
