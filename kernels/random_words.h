// Random words of generators other than Philox (kernels/stages/draw_rule.h), worked out on the
// host: one word a draw, whatever executor draws.
#ifndef TESSERA_KERNELS_RANDOM_WORDS_H_
#define TESSERA_KERNELS_RANDOM_WORDS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "kernels/stages/draw_rule.h"

namespace tessera {

// std::mt19937 is walked from its seed to the draw, 2 * position outputs.
inline constexpr uint32_t kMaxMt19937Position = (uint32_t{1} << 17) - 1;

// Words of consecutive draws, the first at `position`.
//
//   kMt19937     by seed and position; position + words.size() is at most kMaxMt19937Position + 1
//   kXorshift64  by `state`, which is not 0: the first word is the state after a step, and the last
//                word is the state to go on from
//
// REQUIRES: one of these two; Philox is the executors' own.
void FillRandomWords(Generator generator, uint64_t seed, uint32_t position, uint64_t state,
                     absl::Span<uint64_t> words);

}  // namespace tessera

#endif  // TESSERA_KERNELS_RANDOM_WORDS_H_
