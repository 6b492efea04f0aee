#include "service/decode_preset.h"

#include <cstddef>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace {

// No name that a preset knows is as long; every row that names the chain would repeat it.
constexpr size_t kMaxNameBytes = 64;
// Of a list of ids or samplers; a preset's message repeats only its beginning.
constexpr size_t kMaxTextBytes = 4096;

absl::Status CheckLength(absl::string_view what, size_t bytes, size_t most = kMaxNameBytes) {
  if (bytes <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("preset: ", what, " is ", bytes, " bytes long; it must be at most ", most));
}

absl::StatusOr<PresetValue> DecodeValue(absl::string_view name, const v1::PresetValue& value) {
  switch (value.value_case()) {
    case v1::PresetValue::kNumber:
      return PresetValue(value.number());
    case v1::PresetValue::kText:
      if (absl::Status status = CheckLength(absl::StrCat("parameters['", name, "'].text"),
                                            value.text().size(), kMaxTextBytes);
          !status.ok()) {
        return status;
      }
      return PresetValue(value.text());
    case v1::PresetValue::VALUE_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("preset: parameters['", name, "'] is empty; it must hold a number or a text"));
}

}  // namespace

absl::StatusOr<ExpandedPreset> DecodePreset(const v1::EnginePreset& preset) {
  if (absl::Status status = CheckLength("name", preset.name().size()); !status.ok()) return status;
  // Sorted, so that of several faults the same one is named every time.
  std::map<absl::string_view, const v1::PresetValue*> sorted;
  for (const auto& [name, value] : preset.parameters()) sorted.emplace(name, &value);
  PresetParameters parameters;
  for (const auto& [name, value] : sorted) {
    if (absl::Status status = CheckLength("the name of a parameter", name.size()); !status.ok()) {
      return status;
    }
    absl::StatusOr<PresetValue> decoded = DecodeValue(name, *value);
    if (!decoded.ok()) return decoded.status();
    parameters.emplace(name, *std::move(decoded));
  }
  absl::StatusOr<ExpandedPreset> expanded = ExpandPreset(preset.name(), parameters);
  if (expanded.ok()) return expanded;
  return absl::Status(expanded.status().code(),
                      absl::StrCat("preset: ", expanded.status().message()));
}

}  // namespace tessera
