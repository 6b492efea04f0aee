// Random residuals over random rows: targets and drafts of different dtypes with their own chains,
// listed drafts and none. Judges what an executor makes of them.
#ifndef TESSERA_TESTS_SUPPORT_RANDOM_RESIDUALS_H_
#define TESSERA_TESTS_SUPPORT_RANDOM_RESIDUALS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "tests/support/exact_residual.h"
#include "tests/support/lawful_rows.h"
#include "tests/support/random.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

// One residual as a test writes it.
struct ResidualSpec {
  size_t target = 0;
  std::optional<size_t> draft;
  std::vector<WeightedId> sparse;
  uint64_t a = 1;
  uint64_t b = 0;
  std::vector<TokenId> excluded;
  bool draw = true;
  oracle::Uint128 word = 0;
};

std::string Describe(const ResidualSpec& residual);

class RandomResiduals {
 public:
  RandomResiduals(Random& random, int64_t vocab_size, int count);

  // Empty when `backend` says of every residual what the oracle says.
  std::string Judge(Backend& backend) const;

  size_t size() const { return residuals_.size(); }
  const std::vector<ResidualSpec>& residuals() const { return residuals_; }
  const std::vector<ResidualResult>& expected() const { return expected_; }

 private:
  void AddExpected(const ResidualSpec& residual);
  std::vector<ResidualInput> Inputs(const BatchResult& targets, const BatchResult& drafts) const;

  const int64_t vocab_size_;
  const LawfulRows targets_;
  const LawfulRows drafts_;
  const SpecBatch target_batch_;
  const SpecBatch draft_batch_;
  std::vector<ResidualSpec> residuals_;
  std::vector<ResidualResult> expected_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_RANDOM_RESIDUALS_H_
