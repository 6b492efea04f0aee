#include "kernels/presets/parameter.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

constexpr double kLeastInteger = std::numeric_limits<int32_t>::min();
constexpr double kLargestInteger = std::numeric_limits<int32_t>::max();

// Powers of two that are long in decimal are shown as such.
std::string Shown(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const bool power_of_two = bits << 12 == 0 && exponent > -1023 && exponent < 1024;
  if (power_of_two && std::abs(exponent + 1) > 16) return absl::StrCat("2^", exponent);
  return absl::StrCat(value);
}

// "in (0, 1]", "at least 0", "above 0", "at most 1", "finite".
std::string Words(const Range& range) {
  if (range.low == -kLargest) {
    return range.high == kLargest ? "finite" : absl::StrCat("at most ", Shown(range.high));
  }
  if (range.high == kLargest) {
    return absl::StrCat(range.low_open ? "above " : "at least ", Shown(range.low));
  }
  return absl::StrCat("in ", range.low_open ? "(" : "[", Shown(range.low), ", ", Shown(range.high),
                      range.high_open ? ")" : "]");
}

std::string IntegerWords(const Range& range) {
  if (range.high != kLargest) return absl::StrCat("an integer ", Words(range));
  if (range.low <= kLeastInteger) return "an integer";
  return absl::StrCat("an integer of at least ", range.low);
}

PresetParameter Numeric(std::string name, PresetParameter::Type type, double initial,
                        const Range& range, std::string words, std::string meaning) {
  if (range.extra.has_value()) words = absl::StrCat(*range.extra, " or ", words);
  return {.name = std::move(name),
          .type = type,
          .initial = initial,
          .accepted = std::move(words),
          .meaning = std::move(meaning),
          .low = range.low,
          .high = range.high,
          .low_open = range.low_open,
          .high_open = range.high_open,
          .extra = range.extra,
          .alias = ""};
}

PresetParameter Worded(std::string name, PresetParameter::Type type, PresetValue initial,
                       std::string accepted, std::string meaning) {
  PresetParameter parameter;
  parameter.name = std::move(name);
  parameter.type = type;
  parameter.initial = std::move(initial);
  parameter.accepted = std::move(accepted);
  parameter.meaning = std::move(meaning);
  return parameter;
}

}  // namespace

PresetParameter Number(std::string name, double initial, const Range& range, std::string meaning) {
  return Numeric(std::move(name), PresetParameter::Type::kNumber, initial, range, Words(range),
                 std::move(meaning));
}

PresetParameter Integer(std::string name, double initial, const Range& range, std::string meaning) {
  Range within = range;
  within.low = std::max(range.low, kLeastInteger);
  within.high = std::min(range.high, kLargestInteger);
  return Numeric(std::move(name), PresetParameter::Type::kInteger, initial, within,
                 IntegerWords(range), std::move(meaning));
}

PresetParameter Switch(std::string name, bool initial, std::string meaning) {
  return Worded(std::move(name), PresetParameter::Type::kSwitch, initial ? 1.0 : 0.0,
                "0, 1, \"true\" or \"false\"", std::move(meaning));
}

PresetParameter Text(std::string name, std::string initial, std::string accepted,
                     std::string meaning) {
  return Worded(std::move(name), PresetParameter::Type::kText, std::move(initial),
                std::move(accepted), std::move(meaning));
}

PresetParameter Fixed(std::string name, PresetValue initial, std::string why) {
  const std::string accepted = std::holds_alternative<double>(initial)
                                   ? absl::StrCat(std::get<double>(initial))
                                   : absl::StrCat("\"", std::get<std::string>(initial), "\"");
  return Worded(std::move(name), PresetParameter::Type::kFixed, std::move(initial), accepted,
                std::move(why));
}

PresetParameter OfRow(std::string name, std::string where) {
  return Worded(std::move(name), PresetParameter::Type::kRow, 0.0, "left out", std::move(where));
}

PresetParameter Also(std::string alias, PresetParameter parameter) {
  parameter.alias = std::move(alias);
  return parameter;
}

}  // namespace tessera
