#include "client/preset_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tessera {
namespace {

constexpr absl::string_view kPrefix = "preset:";

}  // namespace

bool IsPresetText(absl::string_view text) {
  return absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), kPrefix);
}

absl::StatusOr<v1::EnginePreset> ParsePreset(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  absl::ConsumePrefix(&text, kPrefix);
  const std::vector<absl::string_view> items = absl::StrSplit(text, ',');
  v1::EnginePreset preset;
  preset.set_name(std::string(absl::StripAsciiWhitespace(items[0])));
  if (preset.name().empty()) {
    return absl::InvalidArgumentError(
        "the preset has no name; it must be preset:NAME[,PARAMETER=VALUE]...");
  }
  for (size_t i = 1; i < items.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(items[i], absl::MaxSplits('=', 1));
    const std::string name(absl::StripAsciiWhitespace(pair.first));
    const absl::string_view value = absl::StripAsciiWhitespace(pair.second);
    const bool repeated = preset.parameters().contains(name);
    if (name.empty() || value.empty() || repeated) {
      return absl::InvalidArgumentError(absl::StrCat("parameter ", i, " of preset ", preset.name(),
                                                     " is '", absl::StripAsciiWhitespace(items[i]),
                                                     "'; it must be PARAMETER=VALUE",
                                                     repeated ? ", each parameter once" : ""));
    }
    v1::PresetValue& out = (*preset.mutable_parameters())[name];
    double number = 0;
    if (absl::SimpleAtod(value, &number)) {
      out.set_number(number);
    } else {
      out.set_text(std::string(value));
    }
  }
  return preset;
}

}  // namespace tessera
