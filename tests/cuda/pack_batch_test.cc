// A batch that was packed and copied elsewhere is the same batch, and its results come back whole.
#include "kernels/cuda/pack_batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "tests/cuda/echo_row.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

// What a device would hold: the block's copy at the address it was packed for.
class Copied {
 public:
  explicit Copied(const BatchPacker& packer, absl::Span<const PlacedRow> placed = {})
      : bytes_(packer.bytes()),
        host_(new std::byte[bytes_]),
        device_(static_cast<std::byte*>(std::aligned_alloc(256, (bytes_ + 255) / 256 * 256))) {
    packer.Write(placed, device_, host_.get());
    std::memcpy(device_, host_.get(), bytes_);
    std::memset(host_.get(), 0xEE, bytes_);
  }
  ~Copied() { std::free(device_); }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;

  const RowInput* inputs() const { return reinterpret_cast<const RowInput*>(device_); }
  RowResult* results(const BatchPacker& packer) const {
    return reinterpret_cast<RowResult*>(device_ + packer.results_offset());
  }
  void BringBack(const BatchPacker& packer) {
    std::memcpy(host_.get() + packer.results_offset(), device_ + packer.results_offset(),
                packer.results_bytes());
    packer.Unpack(host_.get());
  }
  template <class T>
  void ExpectInside(absl::Span<T> list) const {
    if (list.empty()) return;
    const auto* start = reinterpret_cast<const std::byte*>(list.data());
    EXPECT_GE(start, device_);
    EXPECT_LE(start + list.size() * sizeof(T), device_ + bytes_);
    EXPECT_EQ((start - device_) % 16, 0);
  }

 private:
  size_t bytes_;
  std::unique_ptr<std::byte[]> host_;
  std::byte* device_;
};

std::vector<RowSpec> RandomRows(Random& random, int64_t width, int64_t rows) {
  std::vector<RowSpec> specs;
  for (int64_t i = 0; i < rows; ++i) {
    specs.push_back(RandomRow(random, random.Pick(kAllShapes), width, width, DType::kFloat32));
    specs.back().stream = static_cast<uint32_t>(random.Word());
  }
  return specs;
}

constexpr size_t kPlenty = size_t{1} << 40;

constexpr int kRandomBatches = 400;

TEST(PackBatch, ARoundTripKeepsEveryField) {
  Random random(11);
  for (int round = 0; round < kRandomBatches; ++round) {
    const int64_t width = 1 + random.Below(300);
    const SpecBatch specs(RandomRows(random, width, 1 + random.Below(12)), DType::kFloat32, width);
    const Batch& batch = specs.batch();
    BatchResult results;
    results.Reset(batch);
    BatchPacker packer;
    ASSERT_TRUE(packer.Measure(batch.rows, results.rows(), kPlenty).ok());
    Copied copied(packer);
    for (size_t i = 0; i < batch.rows.size(); ++i) {
      const RowInput& input = copied.inputs()[i];
      ASSERT_EQ(input.logits_row, batch.rows[i].logits_row);
      copied.ExpectInside(absl::MakeConstSpan(input.plan, 1));
      copied.ExpectInside(input.grammar);
      copied.ExpectInside(input.allowed);
      copied.ExpectInside(input.banned);
      copied.ExpectInside(input.bias);
      copied.ExpectInside(input.counts);
      for (const auto& additions : input.additions) copied.ExpectInside(additions);
      copied.ExpectInside(input.green);
      copied.ExpectInside(input.score_ids);
      copied.ExpectInside(copied.results(packer)[i].tokens);
      for (const LogprobReport& report : copied.results(packer)[i].reports) {
        copied.ExpectInside(report.sampled);
        copied.ExpectInside(report.scored);
        copied.ExpectInside(report.top);
      }
      EchoRow(LogitsFor(batch, input), input, &copied.results(packer)[i]);
    }
    copied.BringBack(packer);
    const auto expected = EchoedBits(batch);
    for (size_t i = 0; i < batch.rows.size(); ++i) {
      ASSERT_EQ(BitsOf(results.rows()[i]), expected[i]) << "batch " << round << ", row " << i;
    }
  }
  std::printf("%d random batches\n", kRandomBatches);
}

TEST(PackBatch, WhatARowDoesNotWriteReadsAsOnTheHost) {
  RowSpec row;
  row.logits.assign(5, 1.0f);
  row.samples = 3;
  row.logprob_modes = row.entropy_modes = kAllModes;
  row.top_logprobs = 2;
  row.score_ids = {4, 2};
  const SpecBatch specs({row, row}, DType::kFloat32, 5);
  BatchResult untouched;
  untouched.Reset(specs.batch());
  BatchResult results;
  results.Reset(specs.batch());
  BatchPacker packer;
  ASSERT_TRUE(packer.Measure(specs.batch().rows, results.rows(), kPlenty).ok());
  Copied(packer).BringBack(packer);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(BitsOf(results.rows()[i]), BitsOf(untouched.rows()[i]));
  }
}

TEST(PackBatch, WhatRowsShareIsPackedOnce) {
  RowSpec row;
  row.logits.assign(3200, 0.0f);
  row.grammar.assign(100, ~uint32_t{0});
  const SpecBatch specs({row}, DType::kFloat32, 3200);
  const RowInput one = specs.batch().rows[0];
  std::vector<RowInput> rows(50, one);
  Batch batch = specs.batch();
  batch.rows = rows;
  BatchResult results;
  results.Reset(batch);
  BatchPacker packer;
  ASSERT_TRUE(packer.Measure(rows, results.rows(), kPlenty).ok());
  EXPECT_LE(packer.results_offset(),
            50 * sizeof(RowInput) + sizeof(Plan) + 100 * sizeof(uint32_t) + 48);  // gaps
  const Copied copied(packer);
  EXPECT_EQ(copied.inputs()[0].grammar.data(), copied.inputs()[49].grammar.data());
  EXPECT_EQ(copied.inputs()[0].plan, copied.inputs()[49].plan);
  EXPECT_LT(packer.bytes(), 50 * PackedBytes(one, results.rows()[0]));
}

// The same start is not the same list.
TEST(PackBatch, ListsThatShareTheirStartKeepTheirLengths) {
  RowSpec row;
  row.logits.assign(8, 0.0f);
  const SpecBatch specs({row}, DType::kFloat32, 8);
  const std::vector<TokenId> ids = {7, 6, 5, 4, 3};
  std::vector<RowInput> rows(3, specs.batch().rows[0]);
  rows[0].banned = absl::MakeConstSpan(ids).first(2);
  rows[1].banned = ids;
  rows[2].allowed = ids;
  Batch batch = specs.batch();
  batch.rows = rows;
  BatchResult results;
  results.Reset(batch);
  BatchPacker packer;
  ASSERT_TRUE(packer.Measure(rows, results.rows(), kPlenty).ok());
  const Copied copied(packer);
  EXPECT_EQ(copied.inputs()[0].banned, absl::MakeConstSpan(ids).first(2));
  EXPECT_EQ(copied.inputs()[1].banned, absl::MakeConstSpan(ids));
  EXPECT_EQ(copied.inputs()[2].allowed, absl::MakeConstSpan(ids));
  EXPECT_TRUE(copied.inputs()[2].banned.empty());
}

TEST(PackBatch, LogitsRowsCanBeReplaced) {
  RowSpec row;
  row.logits.assign(8, 0.0f);
  const SpecBatch specs({row, row}, DType::kFloat32, 8);
  BatchResult results;
  results.Reset(specs.batch());
  BatchPacker packer;
  ASSERT_TRUE(packer.Measure(specs.batch().rows, results.rows(), kPlenty).ok());
  const PlacedRow replaced[] = {{17, -1}, {4, 5}};
  const Copied copied(packer, replaced);
  EXPECT_EQ(copied.inputs()[0].logits_row, 17);
  EXPECT_EQ(copied.inputs()[1].logits_row, 4);
  EXPECT_EQ(copied.inputs()[0].guidance_row, -1);
  EXPECT_EQ(copied.inputs()[1].guidance_row, 5);
}

TEST(PackBatch, ABlockBeyondTheDeviceIsRefusedByItsBytes) {
  RowSpec row;
  row.logits.assign(8, 0.0f);
  const SpecBatch specs({row}, DType::kFloat32, 8);
  BatchResult results;
  results.Reset(specs.batch());
  BatchPacker packer;
  ASSERT_TRUE(packer.Measure(specs.batch().rows, results.rows(), kPlenty).ok());
  const size_t bytes = packer.bytes();
  EXPECT_TRUE(packer.Measure(specs.batch().rows, results.rows(), bytes).ok());
  const absl::Status refused = packer.Measure(specs.batch().rows, results.rows(), bytes - 1);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(refused.message().find(std::to_string(bytes) + " bytes"), absl::string_view::npos)
      << refused;
}

// Lengths that nobody could have allocated: nothing is read, the sum does not wrap around.
TEST(PackBatch, HostileLengthsDoNotOverflow) {
  RowSpec row;
  row.logits.assign(8, 0.0f);
  const SpecBatch specs({row}, DType::kFloat32, 8);
  std::vector<RowInput> rows(4, specs.batch().rows[0]);
  const TokenId id = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].allowed = absl::Span<const TokenId>(&id, SIZE_MAX / 8 - i);
    rows[i].banned = absl::Span<const TokenId>(&id, SIZE_MAX / 4 - i);
  }
  BatchResult results;
  results.Reset(specs.batch());
  BatchPacker packer;
  EXPECT_EQ(packer.Measure(rows, results.rows(), kPlenty).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(After(SIZE_MAX - 3, 2), SIZE_MAX);
  EXPECT_EQ(After(16, SIZE_MAX), SIZE_MAX);
  EXPECT_EQ(After(3, 2), 16u);
}

}  // namespace
}  // namespace tessera::testing
