// Masks and edits: from the row as received to the row that is sampled.
//
// A row that needs neither is never copied. Otherwise one binary32 copy is written, which later
// passes read instead. Masks first: they commute, and what they ban is never looked at again, NaN
// included. Then the plan's edits in their order, each operation rounded to nearest.
#ifndef TESSERA_KERNELS_ROW_EDITS_H_
#define TESSERA_KERNELS_ROW_EDITS_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/row/row_view.h"
#include "kernels/row_input.h"

namespace tessera {

inline constexpr float kBanned = -std::numeric_limits<float>::infinity();

TESSERA_HD inline bool HasScale(const Plan& plan) {
  for (int32_t i = 0; i < plan.edit_count; ++i) {
    if (plan.edits[i].kind == Edit::Kind::kScale) return true;
  }
  return false;
}

TESSERA_HD inline bool HasAdditions(const RowInput& input) {
  for (int32_t i = 0; i < input.plan->additions; ++i) {
    if (!input.additions[i].empty()) return true;
  }
  return false;
}

// Whether the sampled row differs from the received one.
TESSERA_HD inline bool NeedsCopy(const RowInput& input) {
  const Plan& plan = *input.plan;
  return plan.rewrites || input.has_allowed || !input.grammar.empty() || !input.banned.empty() ||
         (plan.uses_bias && !input.bias.empty()) || (plan.uses_counts && !input.counts.empty()) ||
         (plan.uses_green && !input.green.empty()) || plan.uses_guidance || HasAdditions(input) ||
         HasScale(plan);
}

// Whether a bitmask has the id's bit.
TESSERA_HD inline bool HasBit(absl::Span<const uint32_t> words, uint32_t id) {
  return id / 32 < words.size() && (words.data()[id / 32] >> (id % 32) & 1) != 0;
}

// Bans what the bitmask forbids; ids beyond its last word are forbidden too.
inline void ApplyGrammar(absl::Span<const uint32_t> grammar, uint32_t columns, float* row) {
  for (uint32_t id = 0; id < columns; id += 32) {
    const uint32_t word = id / 32 < grammar.size() ? grammar[id / 32] : 0;
    if (word == ~uint32_t{0}) continue;
    const uint32_t end = columns - id < 32 ? columns - id : 32;
    for (uint32_t bit = 0; bit < end; ++bit) {
      if ((word >> bit & 1) == 0) row[id + bit] = kBanned;
    }
  }
}

// Copies the received logits, with what the grammar forbids banned.
template <class Passes>
void CopyUnderGrammar(Passes& received, absl::Span<const uint32_t> grammar, float* row) {
  for (uint32_t chunk = 0; chunk < received.row().chunks(); ++chunk) {
    received.ChunkLogits(chunk, row + size_t{chunk} * kChunkIds);
  }
  if (!grammar.empty()) ApplyGrammar(grammar, received.row().columns, row);
}

// A bias of -inf is a mask.
inline void ApplyBans(absl::Span<const Bias> list, float* row) {
  for (const Bias& bias : list) {
    if (bias.value == kBanned) row[bias.id] = kBanned;
  }
}

template <class Passes>
void ApplyMasks(Passes& received, const RowInput& input, float* row) {
  if (input.has_allowed) {
    for (uint32_t id = 0; id < received.row().columns; ++id) row[id] = kBanned;
    for (const TokenId id : input.allowed) {
      if (input.grammar.empty() || HasBit(input.grammar, id)) {
        row[id] = LogitAt(received.row(), id);
      }
    }
  } else {
    CopyUnderGrammar(received, input.grammar, row);
  }
  for (const TokenId id : input.banned) row[id] = kBanned;
  if (input.plan->uses_bias) ApplyBans(input.bias, row);
  for (int32_t i = 0; i < input.plan->additions; ++i) ApplyBans(input.additions[i], row);
}

TESSERA_HD inline uint64_t CountInScope(const IdCount& count, PenaltyScope scope) {
  switch (scope) {
    case PenaltyScope::kPromptAndOutput:
      return uint64_t{count.prompt_count} + count.output_count;
    case PenaltyScope::kOutput:
      return count.output_count;
    case PenaltyScope::kPrompt:
      return count.prompt_count;
  }
  return 0;
}

// One penalty on one logit whose id stands `count` > 0 times in the scope.
TESSERA_HD inline float Penalised(const Edit& edit, float y, uint64_t count) {
  if (edit.kind == Edit::Kind::kRepetition) return y > 0 ? y / edit.value : y * edit.value;
  if (edit.kind == Edit::Kind::kPresence) return y - edit.value;
  const float penalty = edit.value * static_cast<float>(count);
  return y - penalty;
}

// One candidate under guidance, u being the same id's logit in the guidance row. u = -inf bans; a
// NaN or +inf of either row stays what it is.
TESSERA_HD inline float Guided(float scale, float y, float u) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (!(y < kInfinity)) return y;
  if (!(u < kInfinity) || u == -kInfinity) return u;
  return Fma(scale, y - u, u);
}

inline void ApplyBias(absl::Span<const Bias> list, float* row) {
  for (const Bias& bias : list) {
    if (row[bias.id] != kBanned) row[bias.id] += bias.value;
  }
}

inline void ApplyPenalty(const Edit& edit, absl::Span<const IdCount> counts, float* row) {
  for (const IdCount& seen : counts) {
    const uint64_t count = CountInScope(seen, edit.scope);
    float& y = row[seen.id];
    if (count != 0 && y != kBanned) y = Penalised(edit, y, count);
  }
}

inline void ApplyGuidance(float scale, const RowView& received, float* row) {
  const RowView guidance{received.guidance, received.dtype, received.columns};
  for (uint32_t id = 0; id < received.columns; ++id) {
    if (row[id] != kBanned) row[id] = Guided(scale, row[id], LogitAt(guidance, id));
  }
}

inline void ApplyEdit(const Edit& edit, const RowInput& input, const RowView& received,
                      float* row) {
  switch (edit.kind) {
    case Edit::Kind::kBias:
      return ApplyBias(input.bias, row);
    case Edit::Kind::kAddition:
      return ApplyBias(input.additions[edit.list], row);
    case Edit::Kind::kRepetition:
    case Edit::Kind::kFrequency:
    case Edit::Kind::kPresence:
      return ApplyPenalty(edit, input.counts, row);
    case Edit::Kind::kScale:
      for (uint32_t id = 0; id < received.columns; ++id) row[id] *= edit.value;
      return;
    case Edit::Kind::kGreen:
      for (uint32_t id = 0; id < received.columns; ++id) {
        if (row[id] != kBanned && HasBit(input.green, id)) row[id] += edit.value;
      }
      return;
    case Edit::Kind::kGuidance:
      return ApplyGuidance(edit.value, received, row);
  }
}

// Writes the sampled row. REQUIRES: room for all of the row's chunks.
template <class Passes>
void WriteEditedRow(Passes& received, const RowInput& input, float* row) {
  ApplyMasks(received, input, row);
  for (int32_t i = 0; i < input.plan->edit_count; ++i) {
    ApplyEdit(input.plan->edits[i], input, received.row(), row);
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_EDITS_H_
