// Residuals on every executor: sums and draws equal the oracle's, over random rows with chains and
// edits of their own on both sides.
//
// TESSERA_RESIDUALS sets how many random residuals are judged (default 100,000);
// TESSERA_RESIDUAL_SEED where they start.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/backends.h"
#include "tests/support/random_residuals.h"

namespace tessera::testing {
namespace {

constexpr int kPerCase = 12;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

struct Tally {
  int64_t residuals = 0;
  int64_t dense = 0;
  int64_t listed = 0;
  int64_t drawn = 0;
  int64_t nothing = 0;  // totals of 0
  int64_t runs = 0;     // residuals times executors
};

void Count(const RandomResiduals& residuals, Tally* tally) {
  tally->residuals += static_cast<int64_t>(residuals.size());
  for (size_t i = 0; i < residuals.size(); ++i) {
    tally->dense += residuals.residuals()[i].draft.has_value() ? 1 : 0;
    tally->listed += residuals.residuals()[i].sparse.empty() ? 0 : 1;
    tally->drawn += residuals.expected()[i].token >= 0 ? 1 : 0;
    tally->nothing += residuals.expected()[i].total == U128{} ? 1 : 0;
  }
}

// Short rows go through every executor, long ones through the scalar one, one other and those that
// the program added.
void JudgeCase(uint64_t seed, int64_t vocab_size, Tally* tally) {
  Random random(seed);
  const RandomResiduals residuals(random, vocab_size, kPerCase);
  Count(residuals, tally);
  const std::vector<BackendSpec> backends = NextBackends(3);
  const size_t chosen = random.Below(static_cast<int64_t>(backends.size()));
  for (size_t b = 0; b < backends.size(); ++b) {
    if (vocab_size > 300 && b != 0 && b != chosen && !IsAdded(backends[b])) continue;
    if (backends[b].threads > 1 && b != chosen && !random.OneIn(4)) continue;
    tally->runs += kPerCase;
    ASSERT_EQ(residuals.Judge(SharedBackend(backends[b])), "")
        << Describe(backends[b]) << ", seed " << seed << ", vocab_size " << vocab_size;
  }
}

void Print(const Tally& tally) {
  std::printf(
      "%lld residuals judged (%lld with a draft row, %lld with a list, %lld of them "
      "nothing, %lld drawn from) in %lld runs\n",
      static_cast<long long>(tally.residuals), static_cast<long long>(tally.dense),
      static_cast<long long>(tally.listed), static_cast<long long>(tally.nothing),
      static_cast<long long>(tally.drawn), static_cast<long long>(tally.runs));
}

int64_t RandomWidth(Random& random) {
  const int64_t kind = random.Below(1000);
  if (kind < 1) return 1 + random.Below(40000);
  if (kind < 20) return 1 + random.Below(4000);
  if (kind < 300) return 1 + random.Below(300);
  return 1 + random.Below(20);
}

TEST(Residuals, OfRandomRowsEqualTheOracle) {
  const int64_t wanted = FromEnvironment("TESSERA_RESIDUALS", 100000);
  auto seed = static_cast<uint64_t>(FromEnvironment("TESSERA_RESIDUAL_SEED", 1));
  Tally tally;
  while (tally.residuals < wanted && !HasFatalFailure()) {
    Random random(~seed);
    JudgeCase(seed++, RandomWidth(random), &tally);
  }
  Print(tally);
  EXPECT_GT(tally.drawn, tally.residuals / 4);
  EXPECT_GT(tally.nothing, tally.residuals / 100);
  EXPECT_GT(tally.listed, tally.residuals / 10);
}

TEST(Residuals, OfEveryWidthNearAChunk) {
  Tally tally;
  for (int64_t width : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 4097}) {
    JudgeCase(7000 + static_cast<uint64_t>(width), width, &tally);
    if (HasFatalFailure()) return;
  }
  Print(tally);
}

TEST(Residuals, OfAWideVocabulary) {
  Tally tally;
  for (int64_t width : {50257, 131072}) {
    JudgeCase(8000 + static_cast<uint64_t>(width), width, &tally);
    if (HasFatalFailure()) return;
  }
  Print(tally);
}

}  // namespace
}  // namespace tessera::testing
