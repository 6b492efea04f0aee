// Where a row is, and where a block may put its part of it.
#ifndef TESSERA_KERNELS_CUDA_ROW_PLACE_CUH_
#define TESSERA_KERNELS_CUDA_ROW_PLACE_CUH_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/elements.cuh"
#include "kernels/row/edits.h"
#include "kernels/row_input.h"
#include "kernels/row_result.h"

namespace tessera::cuda {

struct RowPlace {
  uint32_t row;  // of the batch
  const RowInput* input;
  RowResult* result;
  const std::byte* received;  // global memory
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

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_ROW_PLACE_CUH_
