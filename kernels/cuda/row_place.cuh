// Where a row is, and where a block may put its part of it.
#ifndef TESSERA_KERNELS_CUDA_ROW_PLACE_CUH_
#define TESSERA_KERNELS_CUDA_ROW_PLACE_CUH_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/device_batch.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/cuda/memory_sizes.h"
#include "kernels/row/edits.h"
#include "kernels/row_input.h"
#include "kernels/row_result.h"

namespace tessera::cuda {

struct RowPlace {
  const RowInput* input;
  RowResult* result;
  const std::byte* received;  // global memory
  const std::byte* guidance;  // likewise, in the same dtype; null: none
  uint32_t columns;
  DType dtype;
  bool copied;           // masks or edits change the row before it is sampled
  bool arrives_by_bulk;  // into the slice
  std::byte* slice;      // this block's shared memory for its part; null: too wide
  float* edited;         // global memory for the edited row; needed if copied and no slice
};

// The edited view where it stands in global memory.
__device__ __forceinline__ Elements EditedInGlobal(const RowPlace& place) {
  if (!place.copied) return GlobalElements(place.received, place.dtype, place.columns);
  return GlobalElements(reinterpret_cast<const std::byte*>(place.edited), DType::kFloat32,
                        place.columns);
}

// Where row `row` of the batch is. `slice` has room for slice_bytes; if the block's part does not
// fit, the row stays in global memory.
__device__ __forceinline__ RowPlace PlaceOf(const DeviceBatch& batch, uint32_t row, uint32_t slot,
                                            std::byte* slice, uint32_t slice_bytes) {
  const RowInput& input = batch.inputs[row];
  RowPlace place;
  place.input = &input;
  place.result = &batch.results[row];
  place.received = batch.logits + input.logits_row * batch.row_stride_bytes;
  place.guidance = input.plan->uses_guidance
                       ? batch.guidance + input.guidance_row * batch.guidance_stride_bytes
                       : nullptr;
  place.columns = batch.columns;
  place.dtype = batch.dtype;
  place.copied = NeedsCopy(input);
  const size_t element = place.copied ? sizeof(float) : static_cast<size_t>(SizeOf(batch.dtype));
  const size_t part_bytes = PartColumns(batch.columns, simt::ClusterBlocks()) * element;
  place.slice = part_bytes <= slice_bytes ? slice : nullptr;
  place.arrives_by_bulk = place.slice != nullptr && !place.copied &&
                          reinterpret_cast<uintptr_t>(place.received) % 16 == 0;
  std::byte* const slot_memory = batch.workspace.data + slot * batch.workspace.bytes_per_slot;
  place.edited = reinterpret_cast<float*>(slot_memory + kFindingsBytes);
  return place;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_ROW_PLACE_CUH_
