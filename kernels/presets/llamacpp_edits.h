// llama.cpp's penalties and DRY, which read one history: that of the row.
#ifndef TESSERA_KERNELS_PRESETS_LLAMACPP_EDITS_H_
#define TESSERA_KERNELS_PRESETS_LLAMACPP_EDITS_H_

#include "absl/status/status.h"
#include "kernels/presets/preset.h"
#include "kernels/presets/values.h"

namespace tessera {

class LlamaEdits {
 public:
  // Both must outlive this.
  LlamaEdits(const PresetValues& values, ExpandedPreset* expanded)
      : values_(values), expanded_(*expanded) {}

  // `cut`: something before has cut the row, after which an edit that acts is refused.
  absl::Status AddPenalties(bool cut);
  absl::Status AddDry(bool cut);

 private:
  absl::Status RefuseAfterCut(absl::string_view what) const;
  absl::Status CheckWindows() const;

  const PresetValues& values_;
  ExpandedPreset& expanded_;
  int32_t penalty_window_ = 0;  // of active penalties
  int32_t dry_window_ = 0;      // of an active DRY
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_LLAMACPP_EDITS_H_
