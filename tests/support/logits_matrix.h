// Rows of logits in any dtype, at any alignment that a client may send.
#ifndef TESSERA_TESTS_SUPPORT_LOGITS_MATRIX_H_
#define TESSERA_TESTS_SUPPORT_LOGITS_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/types.h"

namespace tessera::testing {

inline constexpr DType kAllDTypes[] = {DType::kFloat32, DType::kFloat16, DType::kBfloat16};

std::string DTypeName(DType dtype);

// The value that `dtype` holds nearest to `value` (infinity beyond its range), as a float.
float Rounded(float value, DType dtype);

// How a matrix lies in memory; both in elements.
struct Placement {
  int64_t row_gap = 0;  // between the end of a row and the start of the next
  int64_t lead_in = 0;  // before the first row, from a 64-byte boundary
};

class LogitsMatrix {
 public:
  // Every row has the same length and every value is exact in `dtype` (Rounded leaves it alone).
  LogitsMatrix(const std::vector<std::vector<float>>& rows, DType dtype, Placement placement = {});

  LogitsView view() const;

 private:
  void Store(int64_t element, float value);

  DType dtype_;
  int64_t rows_;
  int64_t columns_;
  int64_t stride_;  // elements
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  std::byte* start_;  // of the first row
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_LOGITS_MATRIX_H_
