#include "tests/support/logits_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace tessera::testing {
namespace {

constexpr std::align_val_t kAlignment{64};

struct Format {
  int fraction_bits;
  int smallest_exponent;  // of a normal number
  int largest_exponent;
};

constexpr Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return {23, -126, 127};
    case DType::kFloat16:
      return {10, -14, 15};
    case DType::kBfloat16:
      return {7, -126, 127};
  }
  return {};
}

// The 16 bits of a value that the format holds exactly.
uint16_t Bits16(float value, Format format) {
  const int bias = format.largest_exponent;
  const int infinity = (2 * bias + 1) << format.fraction_bits;
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<uint16_t>(infinity | 1 << (format.fraction_bits - 1));
  if (std::isinf(value)) return static_cast<uint16_t>(sign | infinity);
  const double magnitude = std::fabs(static_cast<double>(value));
  const int exponent = value == 0 ? format.smallest_exponent
                                  : std::max(format.smallest_exponent, std::ilogb(magnitude));
  // In units of the last place: below 2^fraction_bits for subnormal numbers only.
  const int units = static_cast<int>(std::ldexp(magnitude, format.fraction_bits - exponent));
  const int biased = exponent + bias - 1;  // the implicit leading bit of `units` adds the one
  return static_cast<uint16_t>(sign | ((biased << format.fraction_bits) + units));
}

}  // namespace

std::string DTypeName(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "fp32";
    case DType::kFloat16:
      return "fp16";
    case DType::kBfloat16:
      return "bf16";
  }
  return "";
}

float Rounded(float value, DType dtype) {
  if (value == 0 || !std::isfinite(value)) return value;
  const Format format = FormatOf(dtype);
  const int exponent = std::max(format.smallest_exponent, std::ilogb(value));
  const int last_place = exponent - format.fraction_bits;
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(value), -last_place)), last_place);
  if (std::fabs(rounded) >= std::ldexp(1.0, format.largest_exponent + 1)) {
    return std::copysign(std::numeric_limits<float>::infinity(), value);
  }
  return static_cast<float>(rounded);
}

LogitsMatrix::LogitsMatrix(const std::vector<std::vector<float>>& rows, DType dtype,
                           Placement placement)
    : dtype_(dtype),
      rows_(static_cast<int64_t>(rows.size())),
      columns_(rows.empty() ? 0 : static_cast<int64_t>(rows[0].size())),
      stride_(columns_ + placement.row_gap) {
  // Exactly as many bytes as the view promises, so that a sanitizer sees any read beyond them.
  const int64_t elements = placement.lead_in + (rows_ - 1) * stride_ + columns_;
  memory_.reset(static_cast<std::byte*>(::operator new[](elements* SizeOf(dtype_), kAlignment)));
  start_ = memory_.get() + placement.lead_in * SizeOf(dtype_);
  for (int64_t row = 0; row < rows_; ++row) {
    for (int64_t column = 0; column < columns_; ++column) {
      Store(row * stride_ + column, rows[row][column]);
    }
  }
}

void LogitsMatrix::Free::operator()(std::byte* memory) const {
  ::operator delete[](memory, kAlignment);
}

void LogitsMatrix::Store(int64_t element, float value) {
  std::byte* const place = start_ + element * SizeOf(dtype_);
  if (dtype_ == DType::kFloat32) {
    std::memcpy(place, &value, sizeof value);
    return;
  }
  const uint16_t bits = Bits16(value, FormatOf(dtype_));
  std::memcpy(place, &bits, sizeof bits);
}

LogitsView LogitsMatrix::view() const {
  return {start_, dtype_, rows_, columns_, stride_ * SizeOf(dtype_)};
}

}  // namespace tessera::testing
