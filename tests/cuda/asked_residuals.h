// Random residuals for tests of the host side: what they ask for is not to make sense, only to
// arrive.
#ifndef TESSERA_TESTS_CUDA_ASKED_RESIDUALS_H_
#define TESSERA_TESTS_CUDA_ASKED_RESIDUALS_H_

#include <cstdint>
#include <vector>

#include "kernels/backend.h"
#include "tests/support/random.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

// Of a binary32 target, some rows guided, and a bfloat16 draft, in any order of rows; several share
// a row, a list or nothing.
class AskedResiduals {
 public:
  AskedResiduals(uint64_t seed, int rows, int count, int64_t width);

  AskedResiduals(const AskedResiduals&) = delete;
  AskedResiduals& operator=(const AskedResiduals&) = delete;

  const ResidualBatch& batch() const { return batch_; }

 private:
  DrawnLaw AnyLaw();
  ResidualInput Any(int rows);

  Random random_;
  const SpecBatch targets_;
  const SpecBatch drafts_;
  std::vector<WeightedId> list_;
  std::vector<TokenId> excluded_;
  std::vector<ResidualInput> residuals_;
  ResidualBatch batch_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_ASKED_RESIDUALS_H_
