// Parses lists of numbers as a person types them.
#include "client/cli/number_list.h"

#include <cmath>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tessera::cli {
namespace {

absl::Status BadItem(size_t index, absl::string_view item, absl::string_view accepted) {
  return absl::InvalidArgumentError(
      absl::StrCat("item ", index + 1, " is '", item, "'; it must be ", accepted));
}

bool InRange(absl::string_view text, int64_t max, int64_t* value) {
  return absl::SimpleAtoi(text, value) && *value >= 0 && *value <= max;
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> ParseNumbers(absl::string_view text, int64_t max,
                                                  int64_t max_count) {
  const std::vector<absl::string_view> items = absl::StrSplit(text, ',');
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> ends =
        absl::StrSplit(items[i], absl::MaxSplits('-', 1));
    const bool is_range = absl::StrContains(items[i], '-');
    int64_t first;
    int64_t last;
    if (!InRange(ends.first, max, &first) ||
        !InRange(is_range ? ends.second : ends.first, max, &last) || last < first) {
      return BadItem(i, items[i],
                     absl::StrCat("an integer in [0, ", max, "] or a range such as 5-8"));
    }
    if (last - first >= max_count - static_cast<int64_t>(numbers.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("holds more than ", max_count, " numbers; that is the limit"));
    }
    for (int64_t value = first; value <= last; ++value) numbers.push_back(value);
  }
  return numbers;
}

absl::StatusOr<std::vector<std::pair<int64_t, float>>> ParsePairs(absl::string_view text,
                                                                  int64_t max) {
  const std::vector<absl::string_view> items = absl::StrSplit(text, ',');
  std::vector<std::pair<int64_t, float>> pairs;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(items[i], absl::MaxSplits(':', 1));
    int64_t id;
    float value;
    if (!InRange(parts.first, max, &id) || !absl::SimpleAtof(parts.second, &value) ||
        std::isnan(value)) {
      return BadItem(
          i, items[i],
          absl::StrCat("id:value with the id in [0, ", max, "], such as 7:2.5 or 9:-inf"));
    }
    pairs.emplace_back(id, value);
  }
  return pairs;
}

absl::StatusOr<std::vector<float>> ParseFloats(absl::string_view text, int64_t max_count) {
  const std::vector<absl::string_view> items = absl::StrSplit(text, ',');
  if (static_cast<int64_t>(items.size()) > max_count) {
    return absl::InvalidArgumentError(
        absl::StrCat("holds more than ", max_count, " numbers; that is the limit"));
  }
  std::vector<float> values;
  for (size_t i = 0; i < items.size(); ++i) {
    float value;
    if (!absl::SimpleAtof(items[i], &value)) return BadItem(i, items[i], "a number");
    values.push_back(value);
  }
  return values;
}

}  // namespace tessera::cli
