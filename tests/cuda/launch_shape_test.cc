// The shapes of launches: what must hold for any device and any batch, and that forcing works.
#include <gtest/gtest.h>

#include "kernels/cuda/launch.h"
#include "kernels/types.h"

namespace tessera::testing {
namespace {

constexpr DeviceTraits kH200{9, 0, 132, 227 << 10, 228 << 10, true, 16};
constexpr DeviceTraits kA100{8, 0, 108, 163 << 10, 164 << 10, false, 1};

void ExpectSane(const DeviceTraits& traits, const BatchShape& batch, const LaunchShape& shape) {
  const bool cluster = shape.kind == LaunchShape::Kind::kCluster;
  EXPECT_GE(shape.blocks_per_row, 1u);
  if (cluster) {
    EXPECT_TRUE(traits.clusters);
    EXPECT_LE(shape.blocks_per_row, static_cast<uint32_t>(traits.max_cluster));
    EXPECT_EQ(shape.blocks_per_row & (shape.blocks_per_row - 1), 0u);
  }
  EXPECT_GE(shape.row_groups, 1u);
  EXPECT_LE(shape.row_groups, batch.rows);
  EXPECT_LE(shape.shared_bytes, static_cast<size_t>(traits.shared_per_block_optin));
  EXPECT_EQ(shape.workspace_bytes % shape.row_groups, 0u);
  EXPECT_EQ(shape.workspace_bytes / shape.row_groups % 256, 0u);
  EXPECT_LT(shape.workspace_bytes, size_t{16} << 30);
}

TEST(LaunchShapes, AreSaneForEveryBatch) {
  int shapes = 0;
  for (const DeviceTraits& traits : {kH200, kA100}) {
    for (uint32_t rows : {1u, 2u, 8u, 64u, 131u, 256u, 5000u}) {
      for (uint32_t columns : {1u, 1023u, 1024u, 1025u, 32000u, 128256u, 151936u, 262208u,
                               static_cast<uint32_t>(kMaxVocabulary)}) {
        for (DType dtype : {DType::kFloat32, DType::kBfloat16}) {
          for (bool edited : {false, true}) {
            const BatchShape batch{rows, columns, dtype, edited};
            ExpectSane(traits, batch, ChooseShape(traits, batch, ForcedKernel::kAuto, 0));
            ExpectSane(traits, batch, ChooseShape(traits, batch, ForcedKernel::kFallback, 0));
            ExpectSane(traits, batch, ChooseShape(traits, batch, ForcedKernel::kFallback, 7));
            shapes += 3;
            if (!traits.clusters) continue;
            for (uint32_t blocks : {0u, 1u, 4u, 16u}) {
              const LaunchShape shape = ChooseShape(traits, batch, ForcedKernel::kCluster, blocks);
              ExpectSane(traits, batch, shape);
              EXPECT_EQ(shape.kind, LaunchShape::Kind::kCluster);
              EXPECT_TRUE(blocks == 0 || shape.blocks_per_row == blocks);
              ++shapes;
            }
          }
        }
      }
    }
  }
  std::printf("%d shapes\n", shapes);
}

TEST(LaunchShapes, UseClustersWhereThereAreSome) {
  const BatchShape batch{8, 128256, DType::kBfloat16, false};
  EXPECT_EQ(ChooseShape(kH200, batch, ForcedKernel::kAuto, 0).kind, LaunchShape::Kind::kCluster);
  EXPECT_EQ(ChooseShape(kH200, batch, ForcedKernel::kFallback, 0).kind,
            LaunchShape::Kind::kFallback);
  EXPECT_EQ(ChooseShape(kA100, batch, ForcedKernel::kAuto, 0).kind, LaunchShape::Kind::kFallback);
}

// Blocks that fill a multiprocessor alone would load and compute in turn.
TEST(LaunchShapes, KeepTwoRowsOnAMultiprocessorWhereThereAreMoreRowsThanClusters) {
  for (uint32_t rows : {1u, 8u, 64u, 256u}) {
    const BatchShape batch{rows, 128256, DType::kBfloat16, false};
    const LaunchShape shape = ChooseShape(kH200, batch, ForcedKernel::kAuto, 0);
    EXPECT_EQ(shape.blocks_per_row, rows <= 8 ? 16u : 4u) << rows << " rows";
    EXPECT_EQ(shape.row_groups, rows <= 64 ? rows : 66u) << rows << " rows";
  }
}

}  // namespace
}  // namespace tessera::testing
