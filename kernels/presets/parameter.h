// Short ways to write down the parameters of a preset.
#ifndef TESSERA_KERNELS_PRESETS_PARAMETER_H_
#define TESSERA_KERNELS_PRESETS_PARAMETER_H_

#include <limits>
#include <optional>
#include <string>

#include "kernels/presets/preset.h"

namespace tessera {

struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::max();  // the largest: no upper end
  bool low_open = false;
  bool high_open = false;
  std::optional<double> extra = std::nullopt;
};

constexpr Range In(double low, double high) { return {.low = low, .high = high}; }
constexpr Range Above(double low, double high = std::numeric_limits<double>::max()) {
  return {.low = low, .high = high, .low_open = true};
}
constexpr Range AtLeast(double low) { return {.low = low}; }
constexpr Range Below(double low, double high) {
  return {.low = low, .high = high, .high_open = true};
}
constexpr Range Finite() { return {.low = -std::numeric_limits<double>::max()}; }
constexpr Range AtMost(double high) {
  return {.low = -std::numeric_limits<double>::max(), .high = high};
}
constexpr Range Or(double extra, Range range) {
  range.extra = extra;
  return range;
}

PresetParameter Number(std::string name, double initial, const Range& range, std::string meaning);
PresetParameter Integer(std::string name, double initial, const Range& range, std::string meaning);
PresetParameter Switch(std::string name, bool initial, std::string meaning);
PresetParameter Text(std::string name, std::string initial, std::string accepted,
                     std::string meaning);
// Only the default is offered; `why` completes the refusal of any other value.
PresetParameter Fixed(std::string name, PresetValue initial, std::string why);
// What the engine takes per sequence is the row's; `where` names the field of SampleRow.
PresetParameter OfRow(std::string name, std::string where);
// The same parameter under a second name.
PresetParameter Also(std::string alias, PresetParameter parameter);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_PARAMETER_H_
