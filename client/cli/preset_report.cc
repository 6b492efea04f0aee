// Prints the presets that a server can expand.
#include "client/cli/preset_report.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/names.h"
#include "client/cli/text_table.h"

namespace tessera::cli {
namespace {

std::string ValueText(const v1::PresetValue& value) {
  return value.has_text() ? value.text() : absl::StrCat(value.number());
}

std::string NameText(const v1::PresetParameterReport& parameter) {
  if (parameter.alias().empty()) return parameter.name();
  return absl::StrCat(parameter.name(), " (", parameter.alias(), ")");
}

void WriteParameter(const v1::PresetParameterReport& parameter, JsonWriter* json) {
  json->BeginObject().Key("name").String(parameter.name());
  json->Key("default_value").String(ValueText(parameter.default_value()));
  json->Key("accepted").String(parameter.accepted());
  json->Key("meaning").String(parameter.meaning());
  json->Key("can_be_set").Bool(parameter.can_be_set());
  if (!parameter.alias().empty()) json->Key("alias").String(parameter.alias());
  json->EndObject();
}

}  // namespace

absl::StatusOr<std::string> PresetText(const v1::GetCapabilitiesResponse& capabilities,
                                       absl::string_view name) {
  for (const v1::PresetReport& preset : capabilities.presets()) {
    if (preset.name() != name) continue;
    TextTable table({"parameter", "default", "accepted", "meaning"});
    for (const v1::PresetParameterReport& parameter : preset.parameters()) {
      table.Add({NameText(parameter), ValueText(parameter.default_value()),
                 parameter.can_be_set() ? parameter.accepted() : "cannot be set",
                 parameter.meaning()});
    }
    return absl::StrCat(preset.name(), ": ", preset.follows(), "\n",
                        preset.same_tokens() ? "The same tokens for the engine's own seeds.\n"
                                             : "The same kept tokens and probabilities.\n",
                        "\n", table.Text());
  }
  std::vector<std::string> names;
  for (const v1::PresetReport& preset : capabilities.presets()) names.push_back(preset.name());
  return absl::InvalidArgumentError(
      absl::StrCat("--preset is '", name, "'; it must be one of ", absl::StrJoin(names, ", ")));
}

void WritePresets(const v1::GetCapabilitiesResponse& capabilities, JsonWriter* json) {
  json->Key("presets").BeginArray();
  for (const v1::PresetReport& preset : capabilities.presets()) {
    json->BeginObject().Key("name").String(preset.name());
    json->Key("follows").String(preset.follows());
    json->Key("same_tokens").Bool(preset.same_tokens());
    json->Key("logprob_mode").String(ModeName(preset.logprob_mode()));
    json->Key("parameters").BeginArray();
    for (const v1::PresetParameterReport& parameter : preset.parameters()) {
      WriteParameter(parameter, json);
    }
    json->EndArray().EndObject();
  }
  json->EndArray();
}

}  // namespace tessera::cli
