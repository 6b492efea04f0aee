#include "kernels/presets/parameter.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

// "in (0, 1]", "at least 0", "above 0", "finite"; with the extra value in front.
std::string Words(const Range& range) {
  std::string words = range.extra.has_value() ? absl::StrCat(*range.extra, " or ") : "";
  if (range.low == -kLargest) {
    absl::StrAppend(&words,
                    range.high == kLargest ? "finite" : absl::StrCat("at most ", range.high));
  } else if (range.high == kLargest) {
    absl::StrAppend(&words, range.low_open ? "above " : "at least ", range.low);
  } else {
    absl::StrAppend(&words, "in ", range.low_open ? "(" : "[", range.low, ", ", range.high,
                    range.high_open ? ")" : "]");
  }
  return words;
}

PresetParameter Numeric(std::string name, PresetParameter::Type type, double initial,
                        const Range& range, std::string meaning) {
  return {.name = std::move(name),
          .type = type,
          .initial = initial,
          .accepted = Words(range),
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
  return Numeric(std::move(name), PresetParameter::Type::kNumber, initial, range,
                 std::move(meaning));
}

PresetParameter Integer(std::string name, double initial, const Range& range, std::string meaning) {
  Range whole = range;
  if (whole.high == kLargest) whole.high = std::numeric_limits<int32_t>::max();
  PresetParameter parameter =
      Numeric(std::move(name), PresetParameter::Type::kInteger, initial, whole, std::move(meaning));
  parameter.accepted = absl::StrCat("an integer ", parameter.accepted);
  return parameter;
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
