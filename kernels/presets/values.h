// The parameters of one use of a preset, checked against the preset's list.
#ifndef TESSERA_KERNELS_PRESETS_VALUES_H_
#define TESSERA_KERNELS_PRESETS_VALUES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "kernels/presets/preset.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

class PresetValues {
 public:
  // Names are known and given once, types are right, numbers in their ranges.
  static absl::StatusOr<PresetValues> Read(const PresetDescription& description,
                                           const PresetParameters& parameters);

  // Names below are in the preset's list; the type is that of the list.
  bool Given(absl::string_view name) const;
  double Number(absl::string_view name) const;
  int32_t Integer(absl::string_view name) const;
  bool Switch(absl::string_view name) const;
  std::string Text(absl::string_view name) const;

  // "llamacpp.temperature is -1; `why`", with "(the engine's default)" where it was not given.
  absl::Status Refuse(absl::string_view name, absl::string_view why) const;

 private:
  struct Entry {
    const PresetParameter* parameter;
    PresetValue value;
    bool given = false;
  };

  explicit PresetValues(const PresetDescription& description);
  absl::Status Set(absl::string_view name, const PresetValue& value);
  const Entry& At(absl::string_view name) const;

  const PresetDescription* description_;
  std::vector<Entry> entries_;  // parallel to the preset's list
};

// In quotes, and only the beginning of a long text: a message repeats no list.
std::string Quoted(absl::string_view text);

// Sequences of token ids as a text: ids separated by commas, sequences by semicolons, "12,7;305".
// "" and "none" are no sequence.
absl::StatusOr<std::vector<TokenSequence>> ReadSequences(absl::string_view text);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_VALUES_H_
