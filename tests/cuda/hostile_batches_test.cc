// Batches at the ends of what a backend accepts, through the CUDA backend's host side: no rows and
// many, the widest row, the most samples and scores, long lists that rows share.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/cuda/cuda_backend.h"
#include "tests/simt/fake_device.h"
#include "tests/simt/options.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

const CudaOptions kClusters[] = {{0, "cluster", 1}, {0, "cluster", 2}, {0, "auto", 0}};
const CudaOptions kFallbacks[] = {{0, "fallback", 1}, {0, "fallback", 3}, {0, "fallback", 0}};

std::unique_ptr<Backend> Cuda(const CudaOptions& options) {
  static uint64_t seed = 0;
  simt::emulator::Options().seed = seed++;
  absl::StatusOr<std::unique_ptr<Backend>> backend = MakeCudaBackend(options);
  EXPECT_TRUE(backend.ok()) << backend.status();
  return backend.ok() ? *std::move(backend) : nullptr;
}

// Twice on one backend: its memory is used again.
void ExpectScalarBits(const Batch& batch) {
  BatchResult wanted;
  ASSERT_TRUE(SharedBackend({"scalar"}).Run(batch, &wanted).ok());
  size_t compared = 0;
  const auto judge = [&](const CudaOptions& options) {
    const std::unique_ptr<Backend> backend = Cuda(options);
    ASSERT_NE(backend, nullptr);
    BatchResult got;
    for (int run = 0; run < 2; ++run) {
      const absl::Status status = backend->Run(batch, &got);
      ASSERT_TRUE(status.ok()) << backend->name() << ": " << status << simt::KernelComplaint();
      ASSERT_EQ(got.rows().size(), batch.rows.size());
      for (size_t i = 0; i < batch.rows.size(); ++i, ++compared) {
        ASSERT_EQ(BitsOf(got.rows()[i]), BitsOf(wanted.rows()[i]))
            << backend->name() << ", run " << run << ", row " << i;
      }
    }
  };
  for (const CudaOptions& options : kClusters) ASSERT_NO_FATAL_FAILURE(judge(options));
  for (const CudaOptions& options : kFallbacks) ASSERT_NO_FATAL_FAILURE(judge(options));
  std::printf("%zu rows compared\n", compared);
}

TEST(HostileBatches, OfNoRowsAreDone) {
  const std::vector<float> logits(10, 0.0f);
  Batch batch;
  batch.logits = {reinterpret_cast<const std::byte*>(logits.data()), DType::kFloat32, 1, 10, 40};
  batch.vocab_size = 10;
  ExpectScalarBits(batch);
}

TEST(HostileBatches, OfManyRowsThatShareTheirListsEqualTheScalarExecutor) {
  constexpr int64_t kWidth = 70;
  Random random(1);
  std::vector<RowSpec> specs;
  for (int i = 0; i < 64; ++i) {
    specs.push_back(RandomRow(random, kAllShapes[i % 9], kWidth, kWidth, DType::kFloat16));
  }
  const SpecBatch owner(specs, DType::kFloat16, kWidth, {1, 1});
  // Every list is another row's, or a part of one.
  std::vector<RowInput> rows;
  for (size_t i = 0; i < 512; ++i) {
    RowInput row = owner.batch().rows[i * 29 % 64];
    const RowInput& other = owner.batch().rows[i * 7 % 64];
    row.logits_row = static_cast<int64_t>(i * 5 % 64);
    row.seed = i;
    row.banned = other.banned;
    row.counts = other.counts.first(other.counts.size() / (1 + i % 2));
    row.bias = other.bias;
    row.score_ids = other.score_ids;
    rows.push_back(row);
  }
  Batch batch = owner.batch();
  batch.rows = rows;
  ExpectScalarBits(batch);
}

TEST(HostileBatches, OfTheWidestRowEqualTheScalarExecutor) {
  Random random(2);
  std::vector<RowSpec> specs(3);
  for (RowSpec& row : specs) {
    row.logits = RandomLogits(random, Shape::kFlat, kMaxVocabulary, DType::kFloat32);
    row.samples = 4;
  }
  specs[0].chain.stages = {TopP{0.9}};
  specs[1].chain.stages = {LogitBias{}, TopK{100000}, TopP{0.5, true}};
  specs[1].bias = {{kMaxVocabulary - 1, 3.0f}};
  specs[1].banned = {0, kMaxVocabulary - 2};
  specs[2].logits.assign(kMaxVocabulary, 1.5f);  // weighs 2^63
  specs[2].logprob_modes = Bit(LogprobMode::kProcessed);
  specs[2].entropy_modes = Bit(LogprobMode::kProcessed);
  const SpecBatch owner(specs, DType::kFloat32, kMaxVocabulary);
  ExpectScalarBits(owner.batch());
}

TEST(HostileBatches, ThatAskForTheMostEqualTheScalarExecutor) {
  constexpr int64_t kWidth = 3000;
  Random random(3);
  std::vector<RowSpec> specs(3);
  for (RowSpec& row : specs) {
    row.logits = RandomLogits(random, Shape::kFewValues, kWidth, DType::kBfloat16);
    row.samples = kMaxSamples;
    row.logprob_modes = row.entropy_modes = kAllModes;
    row.top_logprobs = kMaxTopLogprobs;
    for (uint32_t i = 0; i < kMaxScoredIds; ++i) {
      row.score_ids.push_back(static_cast<TokenId>(random.Below(kWidth)));
    }
  }
  specs[0].chain.stages = {TopP{0.95}};
  // Lists far longer than the row.
  specs[1].has_allowed = true;
  for (int i = 0; i < 60000; ++i) {
    specs[1].allowed.push_back(static_cast<TokenId>(random.Below(kWidth / 2)));
    specs[1].banned.push_back(static_cast<TokenId>(random.Below(kWidth / 4)));
  }
  specs[2].chain.stages = {FrequencyPenalty{0.25}, RepetitionPenalty{1.5}, Temperature{3},
                           PresencePenalty{-1}, TopK{2500}};
  for (TokenId id = 0; id < kWidth; ++id) {
    specs[2].counts.push_back({id, static_cast<uint32_t>(id % 3), 0xFFFFFFFFu >> id % 32});
  }
  const SpecBatch owner(specs, DType::kBfloat16, kWidth, {3, 0});
  for (size_t i = 0; i < specs.size(); ++i) {
    BatchResult judged;
    ASSERT_TRUE(SharedBackend({"scalar"}).Run(owner.batch(), &judged).ok());
    EXPECT_EQ(ExpectedRow(specs[i], kWidth).Compare(judged.rows()[i]), "");
  }
  ExpectScalarBits(owner.batch());
}

}  // namespace
}  // namespace tessera::testing
