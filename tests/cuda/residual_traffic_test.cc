// What the residual kernels read: each logit of both rows once, the drawn chunk's once more, and
// none of the draft's where the target has no weight.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/memory_sizes.h"
#include "kernels/plan.h"
#include "kernels/residual_input.h"
#include "tests/simt/global_traffic.h"
#include "tests/simt/options.h"
#include "tests/support/floor_law.h"
#include "tests/support/logits_matrix.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

using simt::emulator::GlobalTraffic;

constexpr int64_t kColumns = 9000;
constexpr uint32_t kBlocks = 3;

// One residual of two rows in host memory, which stands for the device's.
class OneResidual {
 public:
  OneResidual(float least, bool draw) : plan_(*CompileChain({})), draw_(draw) {
    Random random(3);
    const auto logits = [&] {
      return RandomLogits(random, Shape::kNormal, kColumns, DType::kBfloat16);
    };
    rows_ = std::make_unique<LogitsMatrix>(std::vector<std::vector<float>>{logits(), logits()},
                                           DType::kBfloat16);
    target_.plan = draft_.plan = &plan_;
    draft_.logits_row = 1;
    least_ = least;
  }

  const std::byte* Row(int64_t row) const { return rows_->view().Row(row); }

  ResidualResult Launch() {
    ResidualInput input;
    input.target = {&target_, FloorLaw(least_, kColumns)};
    input.draft = {&draft_, FloorLaw(-1000, kColumns)};
    input.a = input.b = 1;
    input.draw = draw_;
    input.word = {uint64_t{1} << 63, 0};
    ResidualResult result;
    const size_t bytes = WorkspacePerResidual(kColumns);
    std::vector<std::byte> memory(bytes + kWorkspaceAlignment);
    uint32_t ticket = 0;
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    DeviceResiduals batch;
    batch.target = {rows_->view().data, DType::kBfloat16, rows_->view().row_stride_bytes};
    batch.draft = batch.target;
    batch.columns = kColumns;
    batch.residuals = 1;
    batch.inputs = &input;
    batch.results = &result;
    batch.workspace = {memory.data() + (kWorkspaceAlignment - address % kWorkspaceAlignment),
                       static_cast<int64_t>(bytes), 1, &ticket};
    const LaunchShape shape{LaunchShape::Kind::kFallback, kBlocks, 1, kResidualMemoryBytes, bytes};
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(LaunchResiduals(batch, shape, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(ticket, 0u);
    return result;
  }

 private:
  const Plan plan_;
  const bool draw_;
  float least_ = 0;
  std::unique_ptr<LogitsMatrix> rows_;
  RowInput target_;
  RowInput draft_;
};

// Loads of each logit of a row.
std::vector<uint32_t> LoadsOf(OneResidual& residual, int64_t row, ResidualResult* result) {
  const GlobalTraffic counted(residual.Row(row), kColumns * 2, 2);
  *result = residual.Launch();
  EXPECT_EQ(counted.bytes_stored(), 0u);
  return counted.loads();
}

TEST(ResidualTraffic, ASumReadsEachLogitOnce) {
  OneResidual residual(-1000, false);
  ResidualResult result;
  for (const int64_t row : {0, 1}) {
    const std::vector<uint32_t> loads = LoadsOf(residual, row, &result);
    EXPECT_EQ(*std::min_element(loads.begin(), loads.end()), 1u);
    EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), 1u);
  }
  EXPECT_FALSE(result.total == U128{});
}

TEST(ResidualTraffic, ADrawReadsItsChunkOnceMore) {
  OneResidual residual(-1000, true);
  ResidualResult result;
  for (const int64_t row : {0, 1}) {
    const std::vector<uint32_t> loads = LoadsOf(residual, row, &result);
    ASSERT_GE(result.token, 0);
    for (int64_t id = 0; id < kColumns; ++id) {
      ASSERT_EQ(loads[id], id / 1024 == result.token / 1024 ? 2u : 1u) << id;
    }
  }
}

TEST(ResidualTraffic, TheDraftIsReadWhereTheTargetHasWeight) {
  OneResidual residual(1000, false);
  ResidualResult result;
  const std::vector<uint32_t> loads = LoadsOf(residual, 1, &result);
  EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), 0u);
  EXPECT_TRUE(result.total == U128{});
}

}  // namespace
}  // namespace tessera::testing
