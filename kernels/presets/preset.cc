#include "kernels/presets/preset.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/presets/engines.h"
#include "kernels/presets/values.h"

namespace tessera {
namespace {

std::vector<Preset> Collect() {
  std::vector<Preset> all;
  for (auto* of_engine : {VllmPresets, HfTransformersPresets, LlamaCppPresets, SglangPresets,
                          TrtLlmPresets, TrtLlmCppPresets, TgiPresets, MlcPresets, ExLlamaV2Presets,
                          ExLlamaV3Presets, PlainPresets, NativePresets, TrtMcPresets}) {
    for (Preset& preset : of_engine()) all.push_back(std::move(preset));
  }
  return all;
}

// Made at the first use and never destroyed: expanded presets point into it.
const std::vector<Preset>& AllPresets() {
  static const auto& presets = *new std::vector<Preset>(Collect());
  return presets;
}

absl::StatusOr<const Preset*> Find(absl::string_view name) {
  for (const Preset& preset : AllPresets()) {
    if (preset.description.name == name) return &preset;
  }
  return absl::InvalidArgumentError(absl::StrCat("preset is \"", name, "\"; it must be one of ",
                                                 absl::StrJoin(PresetNames(), ", ")));
}

}  // namespace

const std::vector<std::string>& PresetNames() {
  static const auto& names = *[] {
    auto* list = new std::vector<std::string>;
    for (const Preset& preset : AllPresets()) list->push_back(preset.description.name);
    return list;
  }();
  return names;
}

absl::StatusOr<const PresetDescription*> DescribePreset(absl::string_view name) {
  absl::StatusOr<const Preset*> preset = Find(name);
  if (!preset.ok()) return preset.status();
  return &(*preset)->description;
}

absl::StatusOr<ExpandedPreset> ExpandPreset(absl::string_view name,
                                            const PresetParameters& parameters) {
  absl::StatusOr<const Preset*> preset = Find(name);
  if (!preset.ok()) return preset.status();
  const PresetDescription& description = (*preset)->description;
  absl::StatusOr<PresetValues> values = PresetValues::Read(description, parameters);
  if (!values.ok()) return values.status();
  ExpandedPreset expanded;
  expanded.description = &description;
  expanded.fidelity = description.fidelity;
  if (absl::Status status = (*preset)->expand(*values, &expanded); !status.ok()) return status;
  return expanded;
}

}  // namespace tessera
