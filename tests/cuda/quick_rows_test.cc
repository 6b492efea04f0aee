// Every operation of the kernels once, in seconds: for sanitizers, and for checks that a changed
// kernel is noticed (scripts/mutate-kernels).
//
// TESSERA_CUDA_QUICK_SEEDS: schedules a shape (default 4). TESSERA_CUDA_QUICK_BLOCKS: shapes of
// more blocks a row are left out (default 4).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/cuda/direct_launch.h"
#include "tests/simt/options.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

int FromEnvironment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

// Chains on one kind of row, everything reported.
RowSpec Row(Random& random, Shape shape, int64_t width, std::vector<Stage> stages) {
  RowSpec row;
  row.logits = RandomLogits(random, shape, width, DType::kBfloat16);
  row.chain.stages = std::move(stages);
  row.seed = random.Word();
  row.samples = 5;
  row.logprob_modes = kAllModes;
  row.entropy_modes = kAllModes;
  row.top_logprobs = 9;
  row.score_ids = {0, static_cast<TokenId>(width / 2), static_cast<TokenId>(width - 1)};
  return row;
}

// Cuts in sight of a list.
std::vector<RowSpec> ListedRows(int64_t width) {
  Random random(1);
  std::vector<RowSpec> rows = {
      Row(random, Shape::kNormal, width, {}),
      Row(random, Shape::kNormal, width, {TopK{50}, TopP{0.9}}),
      Row(random, Shape::kNormal, width, {TopK{900}, TopP{0.95}, TopK{300}, MinP{1e-3}}),
      Row(random, Shape::kFewValues, width, {Temperature{0.7}, TopP{0.8, true}}),
      Row(random, Shape::kPeaked, width, {Greedy{}}),
      Row(random, Shape::kNormal, width,
          {LogitBias{}, FrequencyPenalty{0.5}, Temperature{2}, PresencePenalty{1}, TopP{0.9}}),
      Row(random, Shape::kNormal, width, {MinP{0.05}}),
      Row(random, Shape::kNormal, width, {}),
      Row(random, Shape::kNormal, width, {TopP{0.5}}),
  };
  rows[5].bias = {{7, 3}, {8, -kInf}, {static_cast<TokenId>(width - 1), 9}};
  rows[5].counts = {{7, 1, 2}, {900, 0, 3}};
  rows[5].banned = {10, 11, 10};
  rows[5].grammar.assign(static_cast<size_t>(width / 32), 0xF7FFFFFFu);
  rows[6].has_allowed = true;
  rows[6].allowed = {5, 6, 7, 1500, 5};
  // Allowed, banned and edited at once, by threads of different warps.
  rows[6].chain.stages = {LogitBias{}, PresencePenalty{1}, MinP{0.05}};
  for (TokenId id = 0; id < 400; ++id) {
    rows[6].allowed.push_back(id);
    if (id % 3 == 0) rows[6].banned.push_back(399 - id);
    rows[6].bias.push_back({399 - id, 0.5f});
    rows[6].counts.push_back({(id * 7 + 100) % 400, 1, 1});
  }
  rows[7].logits[1200] = std::nanf("");
  rows[8].logits.assign(rows[8].logits.size(), -kInf);
  return rows;
}

// Stages that rewrite the row or measure its spread, and draws in the order.
std::vector<RowSpec> RewrittenRows(int64_t width) {
  Random random(3);
  std::vector<RowSpec> rows = {
      Row(random, Shape::kNormal, width, {TypicalP{0.6}}),
      Row(random, Shape::kNormal, width, {TopNSigma{1.5}, Xtc{1, 0.001}, TopP{0.9}}),
      Row(random, Shape::kNormal, width, {DynamicTemperature{0.5, 1.5, 1}, Smoothing{0.3, 2}}),
      Row(random, Shape::kFlat, width, {TopK{4, Ties::kWhole}, DrawRule{DrawOrder::kSorted}}),
      Row(random, Shape::kNormal, width, {TopP{.p = 0.8, .partial = true}}),
      Row(random, Shape::kNormal, width, {TopK{40}, TailFree{0.9}, EtaCutoff{0.01}}),
      Row(random, Shape::kNormal, width, {MinP{0.01}, AdaptiveP{0.3, 0.9}}),
      Row(random, Shape::kNormal, width, {MirostatV1{3, 0.1}}),
  };
  rows[6].samples = rows[7].samples = 1;  // of rows with a state
  return rows;
}

// Cuts, ranks and draws that no list of 2,048 keys shows.
std::vector<RowSpec> LongRows(int64_t width) {
  Random random(2);
  return {Row(random, Shape::kFlat, width, {TopP{0.7}}),
          Row(random, Shape::kAllTie, width, {TopP{0.75}, TopK{4500}}),
          Row(random, Shape::kFewValues, width, {TopK{4800}, TopK{9000}, TopP{0.9}})};
}

void ExpectScalarBits(const std::vector<RowSpec>& rows, Placement placement) {
  const auto width = static_cast<int64_t>(rows[0].logits.size());
  const SpecBatch specs(rows, DType::kBfloat16, width, placement);
  BatchResult wanted;
  ASSERT_TRUE(SharedBackend({"scalar"}).Run(specs.batch(), &wanted).ok());
  const int most = FromEnvironment("TESSERA_CUDA_QUICK_BLOCKS", 4);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(ExpectedRow(rows[i], width).Compare(wanted.rows()[i]), "") << Describe(rows[i]);
  }
  for (int seed = 0; seed < FromEnvironment("TESSERA_CUDA_QUICK_SEEDS", 4); ++seed) {
    for (const EmulatedShape& shape : EmulatedShapes()) {
      const bool largest = shape.blocks_per_row == most && most > 2;
      if (shape.blocks_per_row > most || (largest && seed > 0)) continue;
      simt::emulator::Options().seed = static_cast<uint64_t>(seed);
      // Blocks beside each other, in any order: the last of a row depends on what the others wrote.
      simt::emulator::Options().resident_clusters = 3;
      DirectLaunch launch(shape);
      BatchResult got;
      const absl::Status status = launch.WithRowGroups(2).Run(specs.batch(), &got);
      ASSERT_TRUE(status.ok()) << launch.name() << ", seed " << seed << ": " << status;
      for (size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(BitsOf(got.rows()[i]), BitsOf(wanted.rows()[i]))
            << launch.name() << ", seed " << seed << ", row " << i << ": " << Describe(rows[i]);
      }
    }
  }
}

TEST(QuickRows, InSightOfAListEqualTheScalarExecutor) {
  ExpectScalarBits(ListedRows(2055), {1, 0});
}

TEST(QuickRows, ByBulkCopiesEqualTheScalarExecutor) {
  std::vector<RowSpec> rows = ListedRows(5001);
  rows.resize(3);
  ExpectScalarBits(rows, {7, 0});
}

TEST(QuickRows, RewrittenEqualTheScalarExecutor) { ExpectScalarBits(RewrittenRows(2055), {}); }

TEST(QuickRows, BeyondListsEqualTheScalarExecutor) { ExpectScalarBits(LongRows(5600), {}); }

}  // namespace
}  // namespace tessera::testing
