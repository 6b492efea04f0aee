// Rows made to defeat the CUDA kernels' guesses, searches and reuse of memory: bit for bit as the
// scalar executor, whose results the oracle judges.
//
// TESSERA_CUDA_HOSTILE_SEEDS: schedules a batch runs under on each shape (default 2).
// TESSERA_CUDA_HOSTILE_ROWS: random rows of the mixed batches (default 24).
// TESSERA_CUDA_HOSTILE_TRAP: only the trap of this number.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "kernels/math/host_device.h"
#include "tests/cuda/direct_launch.h"
#include "tests/simt/options.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/hard_rows.h"

namespace tessera::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr double kAlmostOne = 1 - 0x1p-53;

int FromEnvironment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

// Few blocks, so that a row stays cheap.
constexpr EmulatedShape kSmallShapes[] = {{"cluster", 1, 1},
                                          {"cluster", 2, 1},
                                          {"cluster", 4, 1},
                                          {"fallback", 1, 1},
                                          {"fallback", 3, 1}};

using Bits = std::vector<std::vector<uint32_t>>;

Bits JudgedBits(const std::vector<RowSpec>& rows, const Batch& batch) {
  BatchResult results;
  EXPECT_TRUE(SharedBackend({"scalar"}).Run(batch, &results).ok());
  Bits bits;
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(ExpectedRow(rows[i], batch.vocab_size).Compare(results.rows()[i]), "")
        << Describe(rows[i]);
    bits.push_back(BitsOf(results.rows()[i]));
  }
  return bits;
}

// On every shape under every schedule, with one or two rows in flight: their memory is used again
// and again.
int ExpectScalarBits(const std::vector<RowSpec>& rows, const Batch& batch, bool slices = true) {
  const Bits wanted = JudgedBits(rows, batch);
  const int seeds = FromEnvironment("TESSERA_CUDA_HOSTILE_SEEDS", 2);
  int compared = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    for (const EmulatedShape& shape : kSmallShapes) {
      simt::emulator::Options().seed = static_cast<uint64_t>(seed);
      DirectLaunch launch(shape);
      launch.WithRowGroups(1 + static_cast<uint32_t>(seed) % 2);
      if (!slices) launch.WithoutSlices();
      BatchResult got;
      const absl::Status status = launch.Run(batch, &got);
      EXPECT_TRUE(status.ok()) << launch.name() << ", seed " << seed << ": " << status;
      if (!status.ok()) return compared;
      for (size_t i = 0; i < rows.size(); ++i, ++compared) {
        EXPECT_EQ(BitsOf(got.rows()[i]), wanted[i])
            << launch.name() << ", seed " << seed << ", row " << i << " of " << batch.vocab_size
            << ": " << Describe(rows[i]);
        if (::testing::Test::HasFailure()) return compared;
      }
    }
  }
  return compared;
}

// Rows that arrive by bulk copies, that are edited, that are invalid or empty, in turn.
std::vector<RowSpec> MixedRows(Random& random, int64_t width, DType dtype, int count) {
  std::vector<RowSpec> rows;
  for (int i = 0; i < count; ++i) {
    RowSpec row = i % 3 == 0 && width > 128
                      ? HardRow(random, width, dtype)
                      : RandomRow(random, random.Pick(kAllShapes), width, width, dtype);
    if (i % 5 == 0 && row.words.empty()) row.samples = 128;
    if (i % 4 == 1) {
      row.logprob_modes = row.entropy_modes = kAllModes;
      row.top_logprobs = static_cast<uint32_t>(1 + random.Below(128));
      row.score_ids = {0, static_cast<TokenId>(width - 1), static_cast<TokenId>(width / 2)};
    }
    if (i % 11 == 7) row.logits[static_cast<size_t>(random.Below(width))] = std::nanf("");
    if (i % 11 == 9) row.logits.assign(row.logits.size(), -kInf);
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(HostileRows, OfAllKindsInTurnEqualTheScalarExecutor) {
  const int count = FromEnvironment("TESSERA_CUDA_HOSTILE_ROWS", 24);
  int compared = 0;
  uint64_t seed = 9000;
  for (const int64_t width : {1500, 3071, 5000}) {
    const DType dtype = kAllDTypes[seed % 3];
    for (const Placement placement : {Placement{0, 0}, Placement{5, 3}}) {
      Random random(seed++);
      const std::vector<RowSpec> rows = MixedRows(random, width, dtype, count);
      const SpecBatch specs(rows, dtype, width, placement);
      compared += ExpectScalarBits(rows, specs.batch(), seed % 4 != 3);
      if (HasFailure()) return;
    }
  }
  std::printf("%d rows compared\n", compared);
}

// The last row ends where its memory does: a sanitizer sees any read beyond it.
TEST(HostileRows, AtTheEndOfTheirMemoryEqualTheScalarExecutor) {
  int compared = 0;
  Random random(9100);
  for (const int64_t width : {1, 7, 8, 9, 1023, 1025, 2049}) {
    for (const DType dtype : kAllDTypes) {
      const std::vector<RowSpec> rows = MixedRows(random, width, dtype, 3);
      const Placement placement{random.Below(9), random.Below(9)};
      const SpecBatch specs(rows, dtype, width, placement);
      compared += ExpectScalarBits(rows, specs.batch());
      if (HasFailure()) return;
    }
  }
  std::printf("%d rows compared\n", compared);
}

// What bisections, pivots and bins are bad at.
enum class Trap {
  kAllEqual,
  kTwoValues,
  kGeometric,  // each step a fixed number of octaves down
  kDenormal,
  kSpread,      // -kMax to kMax
  kLowest,      // all near -kMax
  kMostlyInf,   // three finite logits
  kNeighbours,  // consecutive floats
  kCrowd,       // one far above, the rest consecutive floats
  kFarCrowd,    // a few at 0; the rest weigh nothing, and a count ends among them
};
constexpr Trap kTraps[] = {Trap::kAllEqual, Trap::kTwoValues, Trap::kGeometric, Trap::kDenormal,
                           Trap::kSpread,   Trap::kLowest,    Trap::kMostlyInf, Trap::kNeighbours,
                           Trap::kCrowd,    Trap::kFarCrowd};

float Consecutive(float base, int64_t steps) {
  uint32_t bits = tessera::BitsOf(base);
  bits += static_cast<uint32_t>(steps);
  return FloatOf(bits);
}

float TrapLogit(Trap trap, int64_t i, int64_t width) {
  const int64_t mixed = i * 7919 % width;  // a permutation where 7,919 does not divide the width
  switch (trap) {
    case Trap::kAllEqual:
      return -7.25f;
    case Trap::kTwoValues:
      return i % 3 == 0 ? 1.0f : -1.0f;
    case Trap::kGeometric:
      return -0.01f * static_cast<float>(mixed);
    case Trap::kDenormal:
      return FloatOf(static_cast<uint32_t>(mixed)) * (i % 2 == 0 ? 1.0f : -1.0f);
    case Trap::kSpread:
      return kMax * (2 * static_cast<float>(mixed) / static_cast<float>(width) - 1);
    case Trap::kLowest:
      return -Consecutive(kMax, -mixed);
    case Trap::kMostlyInf:
      return i == 0 || i == width / 2 || i == width - 1 ? static_cast<float>(i % 5) : -kInf;
    case Trap::kNeighbours:
      return Consecutive(3.0f, mixed);
    case Trap::kCrowd:
      return i == width / 3 ? 30.0f : Consecutive(1.0f, mixed);
    case Trap::kFarCrowd:
      return i % 50 == 0 ? 0.0f : -1000.0f - static_cast<float>(mixed);
  }
  return 0;
}

std::vector<std::vector<Stage>> TrapChains(int64_t width) {
  const auto k = static_cast<int32_t>(width);
  return {{TopP{0}},
          {TopP{kAlmostOne}},
          {TopP{0x1p-1074}},
          {TopP{0.5}},
          {TopK{1}},
          {TopK{k}},
          {TopK{k - 1}, TopP{kAlmostOne}},
          {TopK{k / 2}, TopK{k / 3}, TopP{0.3, true}},
          {Temperature{0x1p-100}, TopP{0.9}},
          {Temperature{0x1p100}, TopP{0.9}},
          {Temperature{0x1p100}, TopP{kAlmostOne}, Temperature{0x1p-100}, TopP{0.5, true}},
          {MinP{1}},
          {MinP{0x1p-60}, TopP{0.999}},
          {TopP{0.9, true}, TopP{0.9, true}, TopK{2049}, TopP{0.7}},
          {Greedy{}}};
}

int RunTraps(int64_t width, bool report) {
  int compared = 0;
  const int only = FromEnvironment("TESSERA_CUDA_HOSTILE_TRAP", -1);
  for (const Trap trap : kTraps) {
    if (only >= 0 && static_cast<int>(trap) != only) continue;
    std::vector<RowSpec> rows;
    for (const std::vector<Stage>& stages : TrapChains(width)) {
      RowSpec row;
      row.chain.stages = stages;
      for (int64_t i = 0; i < width; ++i) row.logits.push_back(TrapLogit(trap, i, width));
      row.seed = rows.size();
      row.samples = 3;
      if (report) {
        row.logprob_modes = row.entropy_modes = kAllModes;
        row.top_logprobs = 128;
        row.score_ids = {0, static_cast<TokenId>(width - 1), 0};
      }
      rows.push_back(std::move(row));
    }
    const SpecBatch specs(rows, DType::kFloat32, width);
    compared += ExpectScalarBits(rows, specs.batch());
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "trap " << static_cast<int>(trap);
      break;
    }
  }
  return compared;
}

TEST(HostileRows, ThatDefeatSearchesEqualTheScalarExecutor) {
  const int compared = RunTraps(2900, true);
  std::printf("%d rows compared\n", compared);
}

TEST(HostileRows, ThatDefeatSearchesBeyondListsEqualTheScalarExecutor) {
  const int width = FromEnvironment("TESSERA_CUDA_HOSTILE_WIDTH", 6100);
  const int compared = RunTraps(width, false);
  std::printf("%d rows compared\n", compared);
}

}  // namespace
}  // namespace tessera::testing
