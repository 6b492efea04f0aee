// The watermark's green list for one history (kernels/stages/watermark.h says what it is).
#ifndef TESSERA_KERNELS_HISTORY_GREEN_LIST_H_
#define TESSERA_KERNELS_HISTORY_GREEN_LIST_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "kernels/stages/watermark.h"
#include "kernels/types.h"

namespace tessera {

// Bit v % 32 of word v / 32 for every id below vocab_size; empty where the history is too short.
std::vector<uint32_t> GreenList(const Watermark& stage, absl::Span<const TokenId> history,
                                int64_t vocab_size);

}  // namespace tessera

#endif  // TESSERA_KERNELS_HISTORY_GREEN_LIST_H_
