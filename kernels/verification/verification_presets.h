// How engines verify drafts, by name: the method that has the law which an engine's own rule has,
// or means to have.
#ifndef TESSERA_KERNELS_VERIFICATION_VERIFICATION_PRESETS_H_
#define TESSERA_KERNELS_VERIFICATION_VERIFICATION_PRESETS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "kernels/verification/verify_drafts.h"

namespace tessera {

// Sentences are for people. Presets keep the law: uniform numbers are ours, compared strictly, so
// that a draft of probability 0 is never accepted; `departs` says where the engine does otherwise.
struct VerificationPreset {
  absl::string_view name;
  absl::string_view follows;  // the implementation
  VerificationMethod method;
  double typical_epsilon;
  double typical_alpha;
  absl::string_view rule;        // the engine's own comparison
  absl::string_view impossible;  // what a draft of q = 0 meets there
  absl::string_view departs;
};

absl::Span<const VerificationPreset> VerificationPresets();

// Null: no preset of that name.
const VerificationPreset* FindVerificationPreset(absl::string_view name);

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_VERIFICATION_PRESETS_H_
