// One row of logits as the passes see it.
#ifndef TESSERA_KERNELS_ROW_ROW_VIEW_H_
#define TESSERA_KERNELS_ROW_ROW_VIEW_H_

#include <cstdint>
#include <cstring>

#include "kernels/math/dtype.h"
#include "kernels/math/host_device.h"
#include "kernels/types.h"

namespace tessera {

// Ids are handled in fixed chunks; a chunk's weight sum is the first level of the inverse CDF.
inline constexpr uint32_t kChunkIds = 1024;

struct RowView {
  const void* data = nullptr;
  DType dtype = DType::kFloat32;
  uint32_t columns = 0;            // in [1, kMaxVocabulary]
  const void* guidance = nullptr;  // the logits that guide a received row, in its dtype; or none

  TESSERA_HD uint32_t chunks() const { return (columns + kChunkIds - 1) / kChunkIds; }
};

// The logit of one id, exactly converted to binary32.
TESSERA_HD inline float LogitAt(const RowView& row, uint32_t id) {
  if (row.dtype == DType::kFloat32) {
    float y;
    std::memcpy(&y, static_cast<const char*>(row.data) + size_t{4} * id, 4);
    return y;
  }
  uint16_t bits;
  std::memcpy(&bits, static_cast<const char*>(row.data) + size_t{2} * id, 2);
  return row.dtype == DType::kBfloat16 ? FromBfloat16(bits) : FromFloat16(bits);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_ROW_VIEW_H_
