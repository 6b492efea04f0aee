// Random rows through random chains, every executor against the oracle.
//
// TESSERA_DIFFERENTIAL_ROWS sets how many rows are judged (default 100,000, most of them with fewer
// than 100 ids); TESSERA_DIFFERENTIAL_SEED where they start.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <deque>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

int64_t RandomWidth(Random& random) {
  const int64_t kind = random.Below(1000);
  if (kind < 1) return 1 + random.Below(40000);
  if (kind < 10) return 1 + random.Below(4000);
  if (kind < 60) return 1000 + random.Below(60);
  if (kind < 250) return 1 + random.Below(300);
  return 1 + random.Below(70);
}

struct Tally {
  int64_t rows = 0;
  int64_t drawn = 0;  // outcome kOk
  int64_t runs = 0;   // rows times executors
};

// One batch of rows of one width. Small ones go through every executor, large ones through the
// scalar executor, one other and those that the program added.
void JudgeBatch(uint64_t seed, int rows, Tally* tally) {
  Random random(seed);
  const DType dtype = random.Pick(kAllDTypes);
  const int64_t vocab_size = RandomWidth(random);
  const int64_t columns = vocab_size + (random.OneIn(3) ? random.Below(10) : 0);
  if (vocab_size > 2000) rows = 2;
  std::vector<RowSpec> specs;
  for (int i = 0; i < rows; ++i) {
    specs.push_back(RandomRow(random, random.Pick(kAllShapes), columns, vocab_size, dtype));
  }
  const SpecBatch batch(specs, dtype, vocab_size, {random.Below(9), random.Below(9)});
  std::deque<ExpectedRow> expected;
  for (const RowSpec& spec : specs) {
    expected.emplace_back(spec, vocab_size);
    tally->rows += 1;
    tally->drawn += expected.back().outcome() == Outcome::kOk ? 1 : 0;
  }
  const std::vector<BackendSpec> backends = NextBackends(3);
  const size_t chosen = random.Below(static_cast<int64_t>(backends.size()));
  for (size_t b = 0; b < backends.size(); ++b) {
    if (vocab_size > 300 && b != 0 && b != chosen && !IsAdded(backends[b])) continue;
    if (backends[b].threads > 1 && b != chosen) continue;
    BatchResult results;
    ASSERT_TRUE(SharedBackend(backends[b]).Run(batch.batch(), &results).ok());
    for (int i = 0; i < rows; ++i) {
      tally->runs += 1;
      const std::string complaint = expected[i].Compare(results.rows()[i]);
      ASSERT_EQ(complaint, "") << Describe(backends[b]) << ", batch seed " << seed << ", row " << i
                               << ", " << DTypeName(dtype) << ", vocab_size " << vocab_size << ": "
                               << Describe(specs[i]);
    }
  }
}

TEST(Differential, RandomChainsEqualTheOracle) {
  constexpr int kRowsPerBatch = 20;
  const int64_t wanted = FromEnvironment("TESSERA_DIFFERENTIAL_ROWS", 100000);
  auto seed = static_cast<uint64_t>(FromEnvironment("TESSERA_DIFFERENTIAL_SEED", 1));
  Tally tally;
  while (tally.rows < wanted && !HasFatalFailure()) JudgeBatch(seed++, kRowsPerBatch, &tally);
  std::printf("%lld rows judged, %lld of them drawn from, in %lld runs of %zu executors\n",
              static_cast<long long>(tally.rows), static_cast<long long>(tally.drawn),
              static_cast<long long>(tally.runs), AllBackends(3).size());
  EXPECT_GT(tally.drawn, tally.rows / 2) << "too few of the random rows are valid";
}

}  // namespace
}  // namespace tessera::testing
