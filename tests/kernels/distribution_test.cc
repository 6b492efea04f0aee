// Drawn tokens against the law they should follow. Seeds are fixed, so each test passes always or
// never; each statistic is chi-square against its critical value at significance 0.001.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/backends.h"
#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

const std::vector<double> kLaw = {0.02, 0.25, 0.08, 0.3, 0.05, 0.1, 0.15, 0.05};

// Upper 0.1% points of the chi-square distribution.
constexpr double kCritical7 = 24.322;
constexpr double kCritical63 = 103.442;

struct Draw {
  uint64_t seed = 0;
  uint32_t position = 0;
  uint32_t stream = 0;
  uint32_t sample = 0;
};

// The token of every draw, by the best executor. A row of n samples serves sample n - 1.
std::vector<TokenId> Tokens(const std::vector<Draw>& draws, const Chain& chain,
                            const std::vector<float>& logits) {
  const LogitsMatrix matrix({logits}, DType::kFloat32);
  const Plan plan = CompileChain(chain).value();
  std::vector<RowInput> rows;
  rows.reserve(draws.size());
  for (const Draw& draw : draws) {
    RowInput& row = rows.emplace_back();
    row.plan = &plan;
    row.seed = draw.seed;
    row.position = draw.position;
    row.stream = draw.stream;
    row.samples = draw.sample + 1;
  }
  const Batch batch{matrix.view(), static_cast<int64_t>(logits.size()), rows};
  BatchResult results;
  EXPECT_TRUE(BestBackend().Run(batch, &results).ok());
  std::vector<TokenId> tokens;
  for (const RowResult& row : results.rows()) tokens.push_back(row.tokens.back());
  return tokens;
}

double ChiSquare(const std::vector<int>& counts, const std::vector<double>& law, int draws) {
  double sum = 0;
  for (size_t i = 0; i < law.size(); ++i) {
    const double expected = law[i] * draws;
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

// `draw(i)` for i = 0..n-1 follows kLaw, and (2i, 2i + 1) are independent: their pairs follow the
// product law.
void ExpectIndependentDraws(int n, const std::function<Draw(int)>& draw) {
  std::vector<Draw> draws;
  for (int i = 0; i < n; ++i) draws.push_back(draw(i));
  const std::vector<TokenId> tokens = Tokens(draws, {}, LogitsOf(kLaw));
  const auto size = kLaw.size();
  std::vector<int> counts(size);
  std::vector<int> pair_counts(size * size);
  std::vector<double> pair_law;
  for (double p : kLaw) {
    for (double q : kLaw) pair_law.push_back(p * q);
  }
  for (TokenId token : tokens) ++counts[token];
  for (int i = 0; i + 1 < n; i += 2) ++pair_counts[tokens[i] * size + tokens[i + 1]];
  EXPECT_LT(ChiSquare(counts, kLaw, n), kCritical7);
  EXPECT_LT(ChiSquare(pair_counts, pair_law, n / 2), kCritical63);
}

constexpr int kDraws = 40000;

// Elsewhere seeds 0, 1, 2, ... have given correlated first draws.
TEST(Distribution, AdjacentSeedsAreIndependent) {
  ExpectIndependentDraws(kDraws, [](int i) { return Draw{.seed = static_cast<uint64_t>(i)}; });
}

TEST(Distribution, SeedsThatDifferInHighBitsAreIndependent) {
  ExpectIndependentDraws(
      kDraws, [](int i) { return Draw{.seed = static_cast<uint64_t>(i) << 40 | 0xABCDEF}; });
}

TEST(Distribution, PositionsAreIndependent) {
  ExpectIndependentDraws(
      kDraws, [](int i) { return Draw{.seed = 42, .position = static_cast<uint32_t>(i)}; });
}

TEST(Distribution, StreamsAreIndependent) {
  ExpectIndependentDraws(
      kDraws, [](int i) { return Draw{.seed = 42, .stream = static_cast<uint32_t>(i)}; });
}

TEST(Distribution, SamplesOfARowAreIndependent) {
  constexpr uint32_t kSamples = 8;
  ExpectIndependentDraws(kDraws, [](int i) {
    return Draw{.seed = 7, .position = i / kSamples, .sample = i % kSamples};
  });
}

// The same position of neighbouring seeds against the next one: no diagonal structure either.
TEST(Distribution, SeedPlusPositionIsNotWhatCounts) {
  ExpectIndependentDraws(kDraws, [](int i) {
    return Draw{.seed = static_cast<uint64_t>(i / 2 + i % 2),
                .position = static_cast<uint32_t>(i / 2 + 1 - i % 2)};
  });
}

// What a chain leaves is drawn in the proportions it reports.
TEST(Distribution, TokensFollowTheReportedLaw) {
  Chain chain;
  chain.stages = {Temperature{1.3}, TopK{7}, TopP{0.97}, MinP{0.02}};
  const ShownRow shown = Show(LogitsOf(kLaw), chain.stages);
  ASSERT_EQ(shown.kept.size(), 7u);
  std::vector<Draw> draws;
  for (int i = 0; i < kDraws; ++i) draws.push_back({.seed = 1000000007ull * i, .position = 5});
  std::vector<int> counts(kLaw.size());
  for (TokenId token : Tokens(draws, chain, LogitsOf(kLaw))) ++counts[token];
  std::vector<double> kept_law;
  std::vector<int> kept_counts;
  for (TokenId id : shown.kept) {
    kept_law.push_back(shown.law[id]);
    kept_counts.push_back(counts[id]);
  }
  EXPECT_EQ(counts[0], 0);
  constexpr double kCritical6 = 22.458;
  EXPECT_LT(ChiSquare(kept_counts, kept_law, kDraws), kCritical6);
}

// A row of many chunks: the chunk and the place within it are both drawn fairly. 4,096 equal
// logits, counted in 64 groups of 64 neighbours and by place modulo 64.
TEST(Distribution, WideRowsAreDrawnEvenly) {
  constexpr int kWidth = 4096;
  constexpr int kGroups = 64;
  std::vector<Draw> draws;
  for (int i = 0; i < kDraws; ++i)
    draws.push_back({.seed = 99, .position = static_cast<uint32_t>(i)});
  std::vector<int> neighbours(kGroups);
  std::vector<int> places(kGroups);
  for (TokenId token : Tokens(draws, {}, std::vector<float>(kWidth, 0.5f))) {
    ++neighbours[token / kGroups];
    ++places[token % kGroups];
  }
  const std::vector<double> even(kGroups, 1.0 / kGroups);
  EXPECT_LT(ChiSquare(neighbours, even, kDraws), kCritical63);
  EXPECT_LT(ChiSquare(places, even, kDraws), kCritical63);
}

// The tests above can fail: draws that repeat in pairs are not independent.
TEST(Distribution, TheStatisticSeesDependence) {
  std::vector<Draw> draws;
  for (int i = 0; i < 2000; ++i) draws.push_back({.seed = static_cast<uint64_t>(i / 2)});
  const std::vector<TokenId> tokens = Tokens(draws, {}, LogitsOf(kLaw));
  std::vector<int> pair_counts(64);
  std::vector<double> pair_law;
  for (double p : kLaw) {
    for (double q : kLaw) pair_law.push_back(p * q);
  }
  for (size_t i = 0; i < tokens.size(); i += 2) ++pair_counts[tokens[i] * 8 + tokens[i + 1]];
  EXPECT_GT(ChiSquare(pair_counts, pair_law, 1000), kCritical63);
}

}  // namespace
}  // namespace tessera::testing
