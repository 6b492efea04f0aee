// What the kernels read from and write to global memory, counted: how often each logit is read, and
// what is written beside the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "kernels/cuda/memory_sizes.h"
#include "tests/cuda/direct_launch.h"
#include "tests/simt/global_traffic.h"
#include "tests/simt/options.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

using simt::emulator::GlobalTraffic;

// Widths with and without a tail of less than 16 bytes, and one of less than a chunk.
constexpr int64_t kWidths[] = {512, 9000, 20003};

RowSpec PlainRow(Random& random, int64_t width, DType dtype) {
  RowSpec row;
  row.logits = RandomLogits(random, Shape::kNormal, width, dtype);
  row.samples = 4;
  row.logprob_modes = Bit(LogprobMode::kProcessed);
  row.entropy_modes = Bit(LogprobMode::kProcessed);
  row.top_logprobs = 20;
  row.score_ids = {0, static_cast<TokenId>(width - 1)};
  return row;
}

// Every kind of edit and mask that names ids.
RowSpec EditedRow(Random& random, int64_t width, DType dtype) {
  RowSpec row = PlainRow(random, width, dtype);
  row.chain.stages = {LogitBias{}, RepetitionPenalty{1.2}, FrequencyPenalty{0.5},
                      PresencePenalty{0.25}};
  row.bias = {{3, 1.5f}, {static_cast<TokenId>(width - 1), -2}};
  row.counts = {{3, 1, 2}, {70, 0, 1}, {static_cast<TokenId>(width / 2), 4, 0}};
  row.banned = {5, 5, static_cast<TokenId>(width / 3)};
  row.grammar.assign(static_cast<size_t>((width + 31) / 32), 0xFFFFFFF7u);
  return row;
}

std::vector<std::vector<Stage>> Chains() {
  return {{},
          {TopK{50}, TopP{0.9}},
          {TopP{0.9}},
          {Temperature{0.7}, MinP{0.05}},
          {Temperature{3}, TopP{0.99}},
          {Greedy{}}};
}

// How often a launch touches the logits of one row, and how many bytes it stores.
struct Traffic {
  uint32_t least = 0;  // loads of any logit
  uint32_t most = 0;
  double mean = 0;
  uint64_t stored = 0;   // bytes, through StoreGlobal, anywhere
  size_t workspace = 0;  // bytes of the workspace that changed
  bool logits_kept = true;
};

// Bytes of the workspace that a batch writes: those that differ from what they held before,
// whatever that was.
size_t WorkspaceWritten(DirectLaunch& launch, const Batch& batch) {
  BatchResult results;
  EXPECT_TRUE(launch.WithFill(std::byte{0x5A}).Run(batch, &results).ok());
  const std::vector<std::byte> first = launch.workspace();
  EXPECT_TRUE(launch.WithFill(std::byte{0xC3}).Run(batch, &results).ok());
  const std::vector<std::byte>& second = launch.workspace();
  size_t written = 0;
  const auto offset = [](const std::vector<std::byte>& memory) {
    return kWorkspaceAlignment - reinterpret_cast<uintptr_t>(memory.data()) % kWorkspaceAlignment;
  };
  for (size_t i = 0; i < launch.launched().workspace_bytes; ++i) {
    // `first` is a copy: its alignment is that of the memory it was copied from.
    const bool kept = first[i + offset(second)] == std::byte{0x5A} &&
                      second[i + offset(second)] == std::byte{0xC3};
    written += kept ? 0 : 1;
  }
  return written;
}

Traffic TrafficOf(const EmulatedShape& shape, const RowSpec& row, DType dtype) {
  const auto width = static_cast<int64_t>(row.logits.size());
  const SpecBatch specs({row}, dtype, width);
  const Batch& batch = specs.batch();
  DirectLaunch launch(shape);
  Traffic traffic;
  {
    const auto element = static_cast<size_t>(SizeOf(dtype));
    const GlobalTraffic counted(batch.logits.Row(0), static_cast<size_t>(width) * element, element);
    simt::emulator::Counters() = {};
    BatchResult results;
    const absl::Status status = launch.Run(batch, &results);
    EXPECT_TRUE(status.ok()) << status;
    if (!status.ok()) return traffic;
    EXPECT_EQ(ExpectedRow(row, width).Compare(results.rows()[0]), "") << Describe(row);
    const auto& loads = counted.loads();
    traffic.least = *std::min_element(loads.begin(), loads.end());
    traffic.most = *std::max_element(loads.begin(), loads.end());
    for (const uint32_t n : loads) traffic.mean += n;
    traffic.mean /= static_cast<double>(loads.size());
    traffic.stored = simt::emulator::Counters().global_store_bytes;
    traffic.logits_kept = counted.bytes_stored() == 0;
  }
  traffic.workspace = WorkspaceWritten(launch, batch);
  return traffic;
}

class ClusterTraffic : public ::testing::TestWithParam<int> {};

TEST_P(ClusterTraffic, ReadsEachLogitOnceAndWritesResultsOnly) {
  Random random(1);
  const EmulatedShape shape{"cluster", GetParam(), 1};
  int turn = 0;
  for (const int64_t width : kWidths) {
    for (const DType dtype : kAllDTypes) {
      for (const std::vector<Stage>& stages : Chains()) {
        if (turn++ % GetParam() != 0) continue;  // large clusters take long
        RowSpec row = PlainRow(random, width, dtype);
        row.chain.stages = stages;
        const Traffic traffic = TrafficOf(shape, row, dtype);
        EXPECT_EQ(traffic.least, 1u) << Describe(row);
        EXPECT_EQ(traffic.most, 1u) << Describe(row);
        EXPECT_EQ(traffic.stored, 0u);
        EXPECT_EQ(traffic.workspace, 0u);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(ClusterTraffic, ReadsEachLogitOnceWhereEditsApply) {
  Random random(2);
  const EmulatedShape shape{"cluster", GetParam(), 1};
  int turn = 0;
  for (const int64_t width : kWidths) {
    for (const DType dtype : kAllDTypes) {
      if (turn++ % GetParam() != 0) continue;
      RowSpec row = EditedRow(random, width, dtype);
      row.chain.stages.emplace_back(TopP{0.9});
      const Traffic traffic = TrafficOf(shape, row, dtype);
      EXPECT_EQ(traffic.least, 1u) << Describe(row);
      EXPECT_EQ(traffic.most, 1u) << Describe(row);
      EXPECT_EQ(traffic.stored, 0u);
      EXPECT_EQ(traffic.workspace, 0u);
      if (HasFailure()) return;
    }
  }
}

// 20,003 edited ids take 80 KB: a cluster of one holds them beside its memory, as it does 40,000 of
// sixteen bits.
INSTANTIATE_TEST_SUITE_P(Blocks, ClusterTraffic, ::testing::Values(1, 2, 4, 8, 16));

// What a row without reports costs on the fallback: the maxima, the look at all weights or counts,
// two passes for a list (its keys' places, then the keys), one for each step of a search that no
// list shows; draws read a chunk each. A pass may leave out chunks.
struct FallbackCost {
  std::vector<Stage> stages;
  uint32_t least;  // loads of any logit
  uint32_t most;
};

std::vector<FallbackCost> FallbackCosts() {
  return {{{}, 2, 6},
          {{TopK{50}, TopP{0.9}}, 2, 4},
          {{TopP{0.9}}, 2, 4},
          {{Temperature{0.7}, MinP{0.05}}, 1, 3},
          {{Temperature{3}, TopP{0.99}}, 2, 6},
          {{Greedy{}}, 1, 3}};
}

RowSpec WithoutReports(RowSpec row) {
  row.logprob_modes = 0;
  row.entropy_modes = 0;
  row.want_support_size = false;
  return row;
}

class FallbackTraffic : public ::testing::TestWithParam<int> {};

TEST_P(FallbackTraffic, ReadsLogitsAsOftenAsStatedAndWritesFindings) {
  Random random(3);
  const EmulatedShape shape{"fallback", GetParam(), 1};
  for (const DType dtype : kAllDTypes) {
    for (const FallbackCost& cost : FallbackCosts()) {
      RowSpec row = WithoutReports(PlainRow(random, 20003, dtype));
      row.chain.stages = cost.stages;
      const Traffic traffic = TrafficOf(shape, row, dtype);
      EXPECT_GE(traffic.least, cost.least) << Describe(row.chain);
      EXPECT_LE(traffic.most, cost.most) << Describe(row.chain);
      if (cost.stages.empty()) {  // four draws, a chunk each
        EXPECT_LE(traffic.mean, 2 + 4 * 1024.0 / 20003);
      }
      EXPECT_EQ(traffic.stored, 0u);
      EXPECT_GT(traffic.workspace, 0u);
      EXPECT_LE(traffic.workspace, kFindingsBytes);
    }
  }
}

// The received row once; the edited copy, of whole chunks, and each id that an edit changes again.
TEST_P(FallbackTraffic, WritesTheEditedCopyOnce) {
  Random random(4);
  const EmulatedShape shape{"fallback", GetParam(), 1};
  for (const DType dtype : kAllDTypes) {
    const RowSpec row = WithoutReports(EditedRow(random, 20003, dtype));
    const Traffic traffic = TrafficOf(shape, row, dtype);
    EXPECT_EQ(traffic.least, 1u);
    EXPECT_EQ(traffic.most, 1u);
    constexpr size_t kCopy = 20 * 1024 * sizeof(float);
    EXPECT_GE(traffic.stored, kCopy);
    EXPECT_LE(traffic.stored, kCopy + 12 * sizeof(float));
    EXPECT_LE(traffic.workspace, kCopy + kFindingsBytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Blocks, FallbackTraffic, ::testing::Values(1, 3, 16));

}  // namespace
}  // namespace tessera::testing
