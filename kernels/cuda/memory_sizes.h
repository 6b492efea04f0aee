// How much memory the kernels need beside the logits, for host code that cannot look into device
// types; kernels.cu checks it.
#ifndef TESSERA_KERNELS_CUDA_MEMORY_SIZES_H_
#define TESSERA_KERNELS_CUDA_MEMORY_SIZES_H_

#include <cstddef>
#include <cstdint>

#include "kernels/row/row_view.h"

namespace tessera {

// Shared memory of a block: in front of the row's elements.
inline constexpr size_t kRowMemoryBytes = size_t{34} << 10;

// Global memory of a row in flight: in front of its edited logits.
inline constexpr size_t kFindingsBytes = size_t{7} << 10;

inline constexpr size_t kWorkspaceAlignment = 256;

// Shared memory of a block of the residual kernel.
inline constexpr size_t kResidualMemoryBytes = size_t{25} << 10;

// Of one row in flight: what the fallback finds, and the row as edited.
constexpr size_t WorkspacePerRow(uint32_t columns) {
  const size_t chunks = (columns + kChunkIds - 1) / kChunkIds;
  return kFindingsBytes + chunks * kChunkIds * sizeof(float);
}

// Of one residual in flight: both rows as edited, and a 128-bit sum for each chunk.
constexpr size_t WorkspacePerResidual(uint32_t columns) {
  const size_t chunks = (columns + kChunkIds - 1) / kChunkIds;
  const size_t bytes = 2 * chunks * kChunkIds * sizeof(float) + chunks * 16;
  return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
}

// Elements of the chunks that a block of a cluster of `blocks` holds of a row.
constexpr size_t PartColumns(uint32_t columns, uint32_t blocks) {
  const size_t chunks = (columns + kChunkIds - 1) / kChunkIds;
  return (chunks + blocks - 1) / blocks * kChunkIds;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_MEMORY_SIZES_H_
