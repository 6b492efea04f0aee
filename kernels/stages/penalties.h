// Penalties on ids that the row's history holds. Counts come with the row, the prompt's and the
// output's apart; the scope says which of them a penalty looks at.
//
//   repetition  y > 0 ? y / r : y * r   once per id in scope (Keskar et al. 2019)
//   frequency   y - f * count           (OpenAI)
//   presence    y - s where count > 0   (OpenAI)
#ifndef TESSERA_KERNELS_STAGES_PENALTIES_H_
#define TESSERA_KERNELS_STAGES_PENALTIES_H_

#include <cmath>
#include <cstdint>

#include "kernels/stages/refusal.h"

namespace tessera {

enum class PenaltyScope : uint8_t { kPromptAndOutput, kOutput, kPrompt };

struct RepetitionPenalty {
  double penalty = 1;  // > 0 and finite; 1 is off
  PenaltyScope scope = PenaltyScope::kPromptAndOutput;
};

struct FrequencyPenalty {
  double penalty = 0;  // finite; 0 is off
  PenaltyScope scope = PenaltyScope::kOutput;
};

struct PresencePenalty {
  double penalty = 0;  // finite; 0 is off
  PenaltyScope scope = PenaltyScope::kOutput;
};

// Penalties act as binary32, so they are checked as binary32.
inline Refusal Check(const RepetitionPenalty& stage) {
  const float r = static_cast<float>(stage.penalty);
  if (r > 0 && std::isfinite(r)) return {};
  return {"repetition_penalty.penalty", stage.penalty, "finite and above 0 in binary32 (1 is off)"};
}

inline Refusal Check(const FrequencyPenalty& stage) {
  if (std::isfinite(static_cast<float>(stage.penalty))) return {};
  return {"frequency_penalty.penalty", stage.penalty, "finite in binary32 (0 is off)"};
}

inline Refusal Check(const PresencePenalty& stage) {
  if (std::isfinite(static_cast<float>(stage.penalty))) return {};
  return {"presence_penalty.penalty", stage.penalty, "finite in binary32 (0 is off)"};
}

inline bool IsOff(const RepetitionPenalty& stage) { return static_cast<float>(stage.penalty) == 1; }
inline bool IsOff(const FrequencyPenalty& stage) { return static_cast<float>(stage.penalty) == 0; }
inline bool IsOff(const PresencePenalty& stage) { return static_cast<float>(stage.penalty) == 0; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_PENALTIES_H_
