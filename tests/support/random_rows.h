// Random rows and chains for tests that compare executors with the oracle. A seed decides all.
#ifndef TESSERA_TESTS_SUPPORT_RANDOM_ROWS_H_
#define TESSERA_TESTS_SUPPORT_RANDOM_ROWS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/random_chain.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

enum class Shape {
  kNormal,     // iid N(0, 3)
  kFlat,       // N(0, 0.01)
  kPeaked,     // one or two far above the rest
  kAllTie,     // one value
  kFewValues,  // small integers: many ties
  kMostlyInf,  // nine of ten are -inf
  kZeros,      // -0 and +0, some 1
  kSubnormal,  // below 2^-126 and zeros
  kHuge,       // up to the largest finite value, both signs
};
inline constexpr Shape kAllShapes[] = {Shape::kNormal, Shape::kFlat,      Shape::kPeaked,
                                       Shape::kAllTie, Shape::kFewValues, Shape::kMostlyInf,
                                       Shape::kZeros,  Shape::kSubnormal, Shape::kHuge};

std::string ShapeName(Shape shape);
inline void PrintTo(Shape shape, std::ostream* out) { *out << ShapeName(shape); }

// `columns` logits that `dtype` holds exactly; at least one is finite.
std::vector<float> RandomLogits(Random& random, Shape shape, int64_t columns, DType dtype);

// All of a row: logits, chain, masks, what the edits read, what to report.
RowSpec RandomRow(Random& random, Shape shape, int64_t columns, int64_t vocab_size, DType dtype);

// Rows of kNormal in binary32, whose chains and reports differ.
std::vector<RowSpec> NormalRows(uint64_t seed, int rows, int64_t width);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_RANDOM_ROWS_H_
