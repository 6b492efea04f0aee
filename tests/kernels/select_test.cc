// FindCut took time quadratic in the list for rows made so that each round's pivots, which stand at
// known places, removed only themselves.
#include "kernels/row/select.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "kernels/scalar/scalar_passes.h"

namespace tessera {
namespace {

// Plain loops that count how often the list was summed.
class CountingPasses : public ScalarPasses {
 public:
  CountingPasses() : ScalarPasses(RowView(), PassScratch()) {}

  uint64_t MassAbove(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey pivot) {
    ++sums;
    return ScalarPasses::MassAbove(keys, weights, n, pivot);
  }

  int sums = 0;
};

// A list whose pivots of every sampled round are the largest keys left: plays FindCut's rounds and
// hands out descending keys to the places that it looks at.
std::vector<TokenKey> CraftedKeys(uint32_t n) {
  std::vector<uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0u);
  std::vector<TokenKey> keys(n, 0);
  TokenKey next = n;
  while (places.size() > kSelectByInsertion) {
    std::vector<uint32_t> chosen;
    for (uint32_t i = 0; i < kSelectPivots; ++i) {
      chosen.push_back(static_cast<uint32_t>(places.size() * (2 * i + 1) / (2 * kSelectPivots)));
    }
    for (const uint32_t i : chosen) keys[places[i]] = next--;
    std::vector<uint32_t> left;
    for (uint32_t i = 0; i < places.size(); ++i) {
      if (!std::binary_search(chosen.begin(), chosen.end(), i)) left.push_back(places[i]);
    }
    places = left;
  }
  for (const uint32_t place : places) keys[place] = next--;
  return keys;
}

TEST(FindCut, CraftedPivotsTakeFewRounds) {
  const uint32_t n = 20000;
  std::vector<TokenKey> keys = CraftedKeys(n);
  std::vector<TokenKey> work(n);
  CountingPasses passes;
  const uint32_t count = n - 40;  // the cut stands among the lowest keys
  const TokenKey cut = FindCut(passes, {keys.data(), nullptr, n}, count, {work.data(), nullptr, 0});
  std::vector<TokenKey> sorted = keys;
  std::sort(sorted.rbegin(), sorted.rend());
  EXPECT_EQ(cut, sorted[count - 1]);
  EXPECT_LE(passes.sums, 4 * (kSampledRounds + 16));
}

}  // namespace
}  // namespace tessera
