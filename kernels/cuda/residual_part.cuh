// Both sides of a residual, max(A * P_v - B * Q_v, 0), as a block reads them: weights of eight ids
// at a time, the draft's only where the target has some.
#ifndef TESSERA_KERNELS_CUDA_RESIDUAL_PART_CUH_
#define TESSERA_KERNELS_CUDA_RESIDUAL_PART_CUH_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/device_residuals.h"
#include "kernels/cuda/edit_part.cuh"
#include "kernels/cuda/memory_sizes.h"
#include "kernels/cuda/row_part.cuh"
#include "kernels/math/residual.h"
#include "kernels/residual_input.h"
#include "kernels/row/edits.h"

namespace tessera::cuda {

// In global memory, of one residual in flight.
struct ResidualSlot {
  float* target;  // the edited rows, where masks or edits apply; whole chunks
  float* draft;
  U128* chunk_sums;  // [chunks]
};

__device__ __forceinline__ ResidualSlot SlotOf(const DeviceResiduals& batch, uint32_t slot) {
  std::byte* const memory = batch.workspace.data + slot * batch.workspace.bytes_per_slot;
  const size_t padded = PartColumns(batch.columns, 1);
  auto* const rows = reinterpret_cast<float*>(memory);
  return {rows, rows + padded, reinterpret_cast<U128*>(rows + 2 * padded)};
}

__device__ __forceinline__ Elements ReceivedOf(const DeviceResiduals& batch,
                                               const DeviceMatrix& matrix, const RowInput& row) {
  return GlobalElements(matrix.data + row.logits_row * matrix.row_stride_bytes, matrix.dtype,
                        batch.columns);
}

// Writes this block's part of a row's edited logits, if it has any.
__device__ __forceinline__ void EditSide(const DeviceResiduals& batch, const DeviceMatrix& matrix,
                                         const RowInput& row, const ChunkRange& part,
                                         float* edited) {
  if (!NeedsCopy(row)) return;
  const uint32_t first = part.first * kChunkIds;
  const uint32_t padded = part.end * kChunkIds;
  const uint32_t end = padded < batch.columns ? padded : batch.columns;
  const std::byte* const guidance =
      row.plan->uses_guidance ? matrix.data + row.guidance_row * matrix.row_stride_bytes : nullptr;
  WriteEditedPart(row, ReceivedOf(batch, matrix, row), guidance, part,
                  EditedPart{edited + first, first, end, false});
}

// One side, if there is one.
struct ResidualSide {
  Elements elements;
  Weigher weigher;
  Support support;

  __device__ __forceinline__ uint64_t Weight(uint32_t id, float y) const {
    return support.Has(id, y) ? WeightOf(weigher, y) : 0;
  }
};

__device__ __forceinline__ ResidualSide SideOf(const DeviceResiduals& batch,
                                               const DeviceMatrix& matrix, const LawOfRow& side,
                                               const float* edited) {
  const Elements elements = NeedsCopy(*side.row)
                                ? GlobalElements(reinterpret_cast<const std::byte*>(edited),
                                                 DType::kFloat32, batch.columns)
                                : ReceivedOf(batch, matrix, *side.row);
  return {elements, MakeWeigher(side.law.y_max, side.law.c),
          Support(Interval{side.law.lo, side.law.hi})};
}

// The weight of an id in a list of ascending ids; 0 where it is not listed.
__device__ __forceinline__ uint64_t ListedWeight(absl::Span<const WeightedId> list, uint32_t id) {
  const WeightedId* const entries = list.data();
  auto size = static_cast<uint32_t>(list.size());
  uint32_t first = 0;
  TESSERA_NO_UNROLL
  while (size > 0) {
    const uint32_t half = size / 2;
    if (static_cast<uint32_t>(entries[first + half].id) < id) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  const bool found = first < list.size() && static_cast<uint32_t>(entries[first].id) == id;
  return found ? entries[first].weight : 0;
}

__device__ __forceinline__ bool IsExcluded(absl::Span<const TokenId> excluded, uint32_t id) {
  bool found = false;
  TESSERA_NO_UNROLL
  for (uint32_t i = 0; i < excluded.size(); ++i) {
    found |= static_cast<uint32_t>(excluded.data()[i]) == id;
  }
  return found;
}

// The residuals of the eight ids from `id` on.
__device__ __forceinline__ void ResidualsOfVector(const ResidualInput& input,
                                                  const ResidualSide& target,
                                                  const ResidualSide& draft, uint32_t id,
                                                  U128 (&residuals)[kVectorIds]) {
  float y[kVectorIds];
  target.elements.LoadVector(id, y);
  uint64_t p[kVectorIds];
  uint64_t any = 0;
  TESSERA_UNROLL
  for (uint32_t i = 0; i < kVectorIds; ++i) any |= p[i] = target.Weight(id + i, y[i]);
  TESSERA_UNROLL
  for (uint32_t i = 0; i < kVectorIds; ++i) residuals[i] = U128{};
  if (any == 0) return;
  const bool dense = input.draft.row != nullptr;
  if (dense) draft.elements.LoadVector(id, y);
  TESSERA_UNROLL
  for (uint32_t i = 0; i < kVectorIds; ++i) {
    if (p[i] == 0 || IsExcluded(input.excluded, id + i)) continue;
    const uint64_t q = dense ? draft.Weight(id + i, y[i]) : ListedWeight(input.sparse, id + i);
    residuals[i] = ResidualWeight(input.a, p[i], input.b, q);
  }
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_RESIDUAL_PART_CUH_
