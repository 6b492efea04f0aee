// Sums, maxima and prefix sums of a block and its warps against loops.
#include "kernels/cuda/block.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace tessera::cuda {
namespace {

constexpr int kSchedules = 40;

struct Answers {
  uint64_t sum, sums2[2], sums3[3], sums4[4], below, total, warp_sum, warp_weights, warp_below;
  uint32_t sum32, below32, total32, warp_sum32, warp_below32;
  int32_t max, warp_max;
};

// Every function, at once behind each other on one memory; some twice, so that either half is used
// by each.
void CallAll(const uint64_t* values, Answers* answers) {
  BlockScratch scratch(*simt::DynamicShared<BlockMemory>());
  const uint64_t v = values[threadIdx.x];
  const auto v32 = static_cast<uint32_t>(v);
  for (int turn = 0; turn < 3; ++turn) {
    Answers& own = answers[turn * kThreads + threadIdx.x];
    own.sum = BlockSum(v, scratch);
    const auto sums2 = BlockSums(Values<2>{{v, v * 3}}, scratch);
    const auto sums3 = BlockSums(Values<3>{{v * 5, v, v * 3}}, scratch);
    const auto sums4 = BlockSums(Values<4>{{v, v * 7, v * 3, ~v}}, scratch);
    std::copy_n(sums2.v, 2, own.sums2);
    std::copy_n(sums3.v, 3, own.sums3);
    std::copy_n(sums4.v, 4, own.sums4);
    own.max = BlockMax(static_cast<int32_t>(v32), scratch);
    own.below = BlockExclusiveSum(v, scratch, &own.total);
    own.sum32 = BlockSum(v32, scratch);
    own.below32 = BlockExclusiveSum(v32, scratch, &own.total32);
    own.warp_sum = WarpSum(v);
    own.warp_weights = WarpSumOfWeights(v >> 10);
    own.warp_below = WarpExclusiveSum(v);
    own.warp_sum32 = WarpSum(v32);
    own.warp_below32 = WarpExclusiveSum(v32);
    own.warp_max = WarpMax(static_cast<int32_t>(v32));
  }
}

// Values of every size, so that sums carry through all limbs and wrap.
std::vector<uint64_t> RandomValues(std::mt19937_64& random) {
  std::vector<uint64_t> values(kThreads);
  const auto most = random() % 64;
  for (uint64_t& value : values) value = random() % 8 == 0 ? ~uint64_t{0} : random() >> most;
  return values;
}

uint64_t Sum(const uint64_t* values, size_t n) {
  return std::accumulate(values, values + n, uint64_t{0});
}

int32_t Max(const uint64_t* values, size_t n) {
  int32_t max = INT32_MIN;
  for (size_t i = 0; i < n; ++i) {
    max = std::max(max, static_cast<int32_t>(static_cast<uint32_t>(values[i])));
  }
  return max;
}

void ExpectBlock(const std::vector<uint64_t>& values, size_t thread, const Answers& got) {
  const uint64_t sum = Sum(values.data(), kThreads);
  const uint64_t below = Sum(values.data(), thread);
  EXPECT_EQ(got.sum, sum);
  EXPECT_EQ(got.sums2[0], sum);
  EXPECT_EQ(got.sums2[1], sum * 3);
  EXPECT_EQ(got.sums3[0], sum * 5);
  EXPECT_EQ(got.sums3[1], sum);
  EXPECT_EQ(got.sums3[2], sum * 3);
  EXPECT_EQ(got.sums4[0], sum);
  EXPECT_EQ(got.sums4[1], sum * 7);
  EXPECT_EQ(got.sums4[2], sum * 3);
  EXPECT_EQ(got.sums4[3], uint64_t{0} - kThreads - sum);
  EXPECT_EQ(got.below, below);
  EXPECT_EQ(got.total, sum);
  EXPECT_EQ(got.sum32, static_cast<uint32_t>(sum));
  EXPECT_EQ(got.below32, static_cast<uint32_t>(below));
  EXPECT_EQ(got.total32, static_cast<uint32_t>(sum));
  EXPECT_EQ(got.max, Max(values.data(), kThreads));
}

void ExpectWarp(const std::vector<uint64_t>& values, size_t thread, const Answers& got) {
  const uint64_t* const warp = values.data() + thread / 32 * 32;
  uint64_t weights = 0;
  for (int lane = 0; lane < 32; ++lane) weights += warp[lane] >> 10;
  EXPECT_EQ(got.warp_weights, weights);
  EXPECT_EQ(got.warp_sum, Sum(warp, 32));
  EXPECT_EQ(got.warp_sum32, static_cast<uint32_t>(Sum(warp, 32)));
  EXPECT_EQ(got.warp_below, Sum(warp, thread % 32));
  EXPECT_EQ(got.warp_below32, static_cast<uint32_t>(Sum(warp, thread % 32)));
  EXPECT_EQ(got.warp_max, Max(warp, 32));
}

TEST(BlockTest, EqualsLoopsUnderManySchedules) {
  RecordProperty("schedules", kSchedules);
  for (int seed = 0; seed < kSchedules; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    const std::vector<uint64_t> values = RandomValues(random);
    std::vector<Answers> answers(3 * kThreads);
    simt::emulator::Options().seed = static_cast<uint64_t>(seed);
    const simt::LaunchConfig config{.block = kThreads, .shared_bytes = sizeof(BlockMemory)};
    ASSERT_EQ(simt::Launch(config, CallAll, values.data(), answers.data()), cudaSuccess);
    for (size_t i = 0; i < answers.size(); ++i) {
      ExpectBlock(values, i % kThreads, answers[i]);
      ExpectWarp(values, i % kThreads, answers[i]);
      ASSERT_FALSE(HasFailure()) << "thread " << i % kThreads << ", turn " << i / kThreads;
    }
  }
}

TEST(BlockTest, EachCallCostsOneBarrier) {
  const std::vector<uint64_t> values(kThreads, 1);
  std::vector<Answers> answers(3 * kThreads);
  simt::emulator::Counters() = {};
  const simt::LaunchConfig config{.block = kThreads, .shared_bytes = sizeof(BlockMemory)};
  ASSERT_EQ(simt::Launch(config, CallAll, values.data(), answers.data()), cudaSuccess);
  EXPECT_EQ(simt::emulator::Counters().block_barriers, 3u * 8);
}

}  // namespace
}  // namespace tessera::cuda
