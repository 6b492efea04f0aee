#include "service/decode_tensor.h"

#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

absl::Status Refuse(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(field, what));
}

absl::Status CheckShape(absl::string_view field, const v1::Tensor& tensor) {
  if (ElementSize(tensor.element_type()) == 0) {
    return Refuse(field, absl::StrCat(".element_type is ", static_cast<int>(tensor.element_type()),
                                      "; it must be an ElementType that this server knows"));
  }
  if (tensor.rows() < 0) {
    return Refuse(field, absl::StrCat(".rows is ", tensor.rows(), "; it must be at least 0"));
  }
  if (tensor.columns() < (tensor.rows() > 0 ? 1 : 0)) {
    return Refuse(field, absl::StrCat(".columns is ", tensor.columns(), "; it must be at least 1"));
  }
  return absl::OkStatus();
}

// The stride in bytes, whether given or packed.
absl::StatusOr<int64_t> Stride(absl::string_view field, const v1::Tensor& tensor) {
  const int64_t element = ElementSize(tensor.element_type());
  int64_t packed = 0;
  if (__builtin_mul_overflow(tensor.columns(), element, &packed)) {
    return Refuse(field, absl::StrCat(".columns is ", tensor.columns(),
                                      "; a row of so many elements exceeds 2^63 bytes"));
  }
  const int64_t stride = tensor.row_stride_bytes();
  if (stride == 0) return packed;
  if (stride < packed || stride % element != 0) {
    return Refuse(field, absl::StrCat(".row_stride_bytes is ", stride,
                                      "; it must be 0 (packed) or a multiple of ", element,
                                      " that is at least ", packed));
  }
  return stride;
}

// The tensor's extent: from its first byte to the end of its last element, and to that of its last
// row's padding.
struct Extent {
  int64_t needed;
  int64_t padded;
};

absl::StatusOr<Extent> ExtentOf(absl::string_view field, const v1::Tensor& tensor, int64_t stride) {
  Extent extent{0, 0};
  if (__builtin_mul_overflow(tensor.rows(), stride, &extent.padded)) {
    return Refuse(field, absl::StrCat(".rows is ", tensor.rows(), " with a stride of ", stride,
                                      " bytes; so large a tensor exceeds 2^63 bytes"));
  }
  if (tensor.rows() > 0) {
    extent.needed = extent.padded - stride + tensor.columns() * ElementSize(tensor.element_type());
  }
  return extent;
}

}  // namespace

int64_t ElementSize(v1::ElementType type) {
  switch (static_cast<int>(type)) {  // open enum: a newer client may send another number
    case v1::ELEMENT_TYPE_FLOAT32:
    case v1::ELEMENT_TYPE_INT32:
    case v1::ELEMENT_TYPE_UINT32:
      return 4;
    case v1::ELEMENT_TYPE_FLOAT16:
    case v1::ELEMENT_TYPE_BFLOAT16:
      return 2;
  }
  return 0;
}

// Allocators align a string's heap bytes far beyond an element, but nothing promises it.
const std::byte* AlignedBytes(absl::string_view bytes, int64_t element_size,
                              std::vector<uint32_t>* copy) {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % element_size == 0) {
    return reinterpret_cast<const std::byte*>(bytes.data());
  }
  copy->resize((bytes.size() + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  std::memcpy(copy->data(), bytes.data(), bytes.size());
  return reinterpret_cast<const std::byte*>(copy->data());
}

absl::StatusOr<TensorView> DecodeTensor(absl::string_view field, const v1::Tensor& tensor,
                                        std::vector<uint32_t>* copy) {
  if (absl::Status shape = CheckShape(field, tensor); !shape.ok()) return shape;
  if (tensor.has_shared_memory() || tensor.has_cuda_memory()) {
    return absl::UnimplementedError(absl::StrCat(
        field, tensor.has_cuda_memory() ? ".cuda_memory" : ".shared_memory",
        " is not implemented by this server; send inline_bytes (GetCapabilities lists sources)"));
  }
  absl::StatusOr<int64_t> stride = Stride(field, tensor);
  if (!stride.ok()) return stride.status();
  absl::StatusOr<Extent> extent = ExtentOf(field, tensor, *stride);
  if (!extent.ok()) return extent.status();

  const std::string& bytes = tensor.inline_bytes();
  const int64_t size = static_cast<int64_t>(bytes.size());
  if (size != extent->needed && size != extent->padded) {
    return Refuse(field, absl::StrCat(".inline_bytes holds ", size, " bytes; ", tensor.rows(),
                                      " rows of ", tensor.columns(), " elements with a stride of ",
                                      *stride, " bytes need ", extent->needed));
  }
  return TensorView{.data = AlignedBytes(bytes, ElementSize(tensor.element_type()), copy),
                    .rows = tensor.rows(),
                    .columns = tensor.columns(),
                    .row_stride_bytes = *stride};
}

}  // namespace tessera
