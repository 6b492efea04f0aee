// Draws at the edges between tokens, where a random word is not expected to fall in the lifetime of
// a test: the word that gives r = the inclusive weight of an id must give the next one.
#include "kernels/row/draw.h"

#include <gtest/gtest.h>

#include <limits>

#include "kernels/cpu/row_memory.h"
#include "kernels/row/serial_row.h"
#include "kernels/scalar/scalar_passes.h"
#include "tests/support/edited_row.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_law.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

// The smallest word with floor(word * total / 2^64) = r, for r < total <= 2^63.
uint64_t WordFor(uint64_t r, uint64_t total) {
  return static_cast<uint64_t>(((static_cast<oracle::Uint128>(r) << 64) + total - 1) / total);
}

void ExpectExactEdges(const std::vector<float>& logits, bool listed) {
  const oracle::ExactLaw expected =
      oracle::PlainLaw(logits, *oracle::ReceivedOrder(logits, RowInput{}, false));
  RowMemory memory;
  const auto columns = static_cast<uint32_t>(logits.size());
  RowScratch& scratch = memory.ForColumns(columns);
  const Plan plan{};
  RowInput input;
  input.plan = &plan;
  RowResult result;
  SerialRow<ScalarPasses> row({logits.data(), DType::kFloat32, columns}, input, scratch, &result);
  row.Open(View::kEdited);
  Law law(row);
  if (listed) law.ListFrom(law.support.lo);
  ASSERT_EQ(law.listed, listed);
  const float c = oracle::InverseTemperature(1);
  WeighLaw(law, c);
  const auto draw = [&](uint64_t word) {
    WeighLaw(law, c);  // a draw uses up the weights of a list
    TokenId drawn = -1;
    Draw(
        law, c, 1, [&](uint32_t) { return word; }, [&](uint32_t, TokenId id) { drawn = id; });
    return drawn;
  };
  ASSERT_EQ(law.weight, expected.total);
  std::vector<uint64_t> by_id(logits.size());
  for (size_t i = 0; i < expected.order.size(); ++i) by_id[expected.order[i]] = expected.weights[i];
  uint64_t inclusive = 0;
  for (size_t id = 0; id < by_id.size(); ++id) {
    inclusive += by_id[id];
    if (by_id[id] == 0) continue;
    const uint64_t last = WordFor(inclusive - 1, expected.total);
    EXPECT_EQ(draw(last), static_cast<TokenId>(id));
    if (inclusive == expected.total) break;
    const uint64_t next = WordFor(inclusive, expected.total);
    EXPECT_EQ(draw(next), oracle::Draw(expected, next)) << "after id " << id;
    EXPECT_NE(draw(next), static_cast<TokenId>(id));
  }
  EXPECT_EQ(draw(0), oracle::Draw(expected, 0));
  EXPECT_EQ(draw(~uint64_t{0}), oracle::Draw(expected, ~uint64_t{0}));
}

TEST(Draw, IsExactAtEveryEdge) {
  Random random(17);
  for (Shape shape : kAllShapes) {
    for (int64_t width : {1, 2, 7, 100}) {
      const std::vector<float> logits = RandomLogits(random, shape, width, DType::kFloat32);
      ExpectExactEdges(logits, true);
      ExpectExactEdges(logits, false);
    }
  }
}

TEST(Draw, IsExactAtTheEdgesOfChunks) {
  Random random(18);
  std::vector<float> logits(2100, -std::numeric_limits<float>::infinity());
  for (int id : {0, 5, 1022, 1023, 1024, 1025, 2047, 2048, 2099}) {
    logits[id] = static_cast<float>(random.Normal());
  }
  ExpectExactEdges(logits, true);
  ExpectExactEdges(logits, false);
}

}  // namespace
}  // namespace tessera::testing
