// What a residual reads on a CPU: each received chunk of target and draft once, the drawn chunk
// once more, and none of the draft where the target has no weight. An edited row is read once, for
// its copy. The passes here offer nothing but the reading of a chunk.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "kernels/cpu/batch_rows.h"
#include "kernels/cpu/row_memory.h"
#include "kernels/plan.h"
#include "kernels/scalar/scalar_passes.h"
#include "tests/support/floor_law.h"
#include "tests/support/logits_matrix.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr uint32_t kColumns = 5000;
constexpr uint32_t kChunks = (kColumns + kChunkIds - 1) / kChunkIds;

// How often each chunk of a row was read, by where the row stands.
using Reads = std::map<const void*, std::vector<int>>;
Reads reads;

class CountingPasses {
 public:
  CountingPasses(const RowView& row, const PassScratch& scratch) : passes_(row, scratch) {}

  const RowView& row() const { return passes_.row(); }
  uint32_t ChunkLogits(uint32_t chunk, float* out) {
    Count(chunk);
    return passes_.ChunkLogits(chunk, out);
  }
  uint32_t ChunkWeights(const Weigher& weigher, const Interval& support, uint32_t chunk,
                        uint64_t* out) {
    Count(chunk);
    return passes_.ChunkWeights(weigher, support, chunk, out);
  }

 private:
  void Count(uint32_t chunk) {
    std::vector<int>& counts = reads[row().data];
    counts.resize(kChunks);
    ++counts[chunk];
  }

  ScalarPasses passes_;
};

class ResidualReads : public ::testing::Test {
 protected:
  ResidualReads() : plan_(*CompileChain({})) {
    Random random(5);
    std::vector<std::vector<float>> rows;
    for (int i = 0; i < 2; ++i) {
      rows.push_back(RandomLogits(random, Shape::kNormal, kColumns, DType::kBfloat16));
    }
    logits_ = std::make_unique<LogitsMatrix>(rows, DType::kBfloat16);
    target_.plan = draft_.plan = &plan_;
    draft_.logits_row = 1;
    input_.target = {&target_, FloorLaw(-1000, kColumns)};
    input_.draft = {&draft_, FloorLaw(-1000, kColumns)};
    input_.a = input_.b = 1;
    input_.word = {uint64_t{1} << 63, 0};
  }

  ResidualResult Run() {
    reads.clear();
    ResidualBatch batch;
    batch.target = batch.draft = logits_->view();
    batch.vocab_size = kColumns;
    batch.residuals = {&input_, 1};
    const ResidualScratch scratch{&target_memory_.ForColumns(kColumns),
                                  &draft_memory_.ForColumns(kColumns)};
    ResidualResult result;
    RunResidual<CountingPasses>(batch, 0, scratch, &result);
    return result;
  }
  std::vector<int> ReadsOf(int64_t row) const {
    const auto found = reads.find(logits_->view().Row(row));
    return found == reads.end() ? std::vector<int>(kChunks) : found->second;
  }
  static std::vector<int> Once() { return std::vector<int>(kChunks, 1); }

  const Plan plan_;
  std::unique_ptr<LogitsMatrix> logits_;
  RowInput target_;
  RowInput draft_;
  ResidualInput input_;
  RowMemory target_memory_;
  RowMemory draft_memory_;
};

TEST_F(ResidualReads, ASumReadsEachChunkOnce) {
  EXPECT_FALSE(Run().total == U128{});
  EXPECT_EQ(ReadsOf(0), Once());
  EXPECT_EQ(ReadsOf(1), Once());
  EXPECT_EQ(reads.size(), 2u);
}

TEST_F(ResidualReads, ADrawReadsItsChunkOnceMore) {
  input_.draw = true;
  const ResidualResult result = Run();
  ASSERT_GE(result.token, 0);
  std::vector<int> expected = Once();
  ++expected[static_cast<uint32_t>(result.token) / kChunkIds];
  EXPECT_EQ(ReadsOf(0), expected);
  EXPECT_EQ(ReadsOf(1), expected);
}

TEST_F(ResidualReads, TheDraftIsReadWhereTheTargetHasWeight) {
  input_.target.law = FloorLaw(1000, kColumns);
  EXPECT_TRUE(Run().total == U128{});
  EXPECT_EQ(ReadsOf(0), Once());
  EXPECT_EQ(ReadsOf(1), std::vector<int>(kChunks, 0));
}

TEST_F(ResidualReads, WithoutADraftRowTheTargetAloneIsRead) {
  input_.draft = {};
  const std::vector<WeightedId> sparse = {{17, 5}, {4000, 9}};
  input_.sparse = sparse;
  input_.draw = true;
  const ResidualResult result = Run();
  ASSERT_GE(result.token, 0);
  EXPECT_EQ(reads.size(), 1u);
  std::vector<int> expected = Once();
  ++expected[static_cast<uint32_t>(result.token) / kChunkIds];
  EXPECT_EQ(ReadsOf(0), expected);
}

// The copy is what sum and draw read.
TEST_F(ResidualReads, AnEditedRowIsReadOnceForItsCopy) {
  const std::vector<TokenId> banned = {3, 4999};
  target_.banned = draft_.banned = banned;
  input_.draw = true;
  ASSERT_GE(Run().token, 0);
  EXPECT_EQ(ReadsOf(0), Once());
  EXPECT_EQ(ReadsOf(1), Once());
  EXPECT_EQ(reads.size(), 4u) << "two rows and their copies";
}

}  // namespace
}  // namespace tessera::testing
