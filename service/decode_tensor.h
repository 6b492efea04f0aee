// Checks a tensor's shape against its bytes and points into them.
#ifndef TESSERA_SERVICE_DECODE_TENSOR_H_
#define TESSERA_SERVICE_DECODE_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/v1/tensor.pb.h"

namespace tessera {

// A checked matrix. For every row in [0, rows), `columns` elements are readable from
// data + row * row_stride_bytes, which is aligned to the element size.
struct TensorView {
  const std::byte* data = nullptr;
  int64_t rows = 0;
  int64_t columns = 0;           // >= 1 where rows > 0
  int64_t row_stride_bytes = 0;  // a multiple of the element size
};

// Bytes per element; 0 for a type that this server does not know.
int64_t ElementSize(v1::ElementType type);

// `bytes` in place where they are aligned to `element_size` (2 or 4), else in `copy`.
const std::byte* AlignedBytes(absl::string_view bytes, int64_t element_size,
                              std::vector<uint32_t>* copy);

// Checks everything but the element type's fitness for the use, in 64-bit checked arithmetic.
// `field` names the tensor in messages. Points into `tensor`, or, where its bytes are not aligned
// to the element size, into `copy`, which receives them.
//
// InvalidArgument: shape, stride or bytes disagree. Unimplemented: shared or CUDA memory.
absl::StatusOr<TensorView> DecodeTensor(absl::string_view field, const v1::Tensor& tensor,
                                        std::vector<uint32_t>* copy);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_TENSOR_H_
