// Bulk copies and their barriers: phases, byte counts, pipelines, and what must be reported.
#include <algorithm>
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt_test::Report;
using simt_test::Shape;
class BulkCopies : public simt_test::Schedules {};
SIMT_SCHEDULES(BulkCopies);

std::vector<uint4> Numbers(unsigned count) {
  std::vector<uint4> numbers(count);
  for (unsigned i = 0; i < count; ++i) {
    numbers[i] = make_uint4(i, i + 1, i + 2, i + 3);
  }
  return numbers;
}

constexpr unsigned kTile = 64;  // words of 16 bytes

struct Shared {
  uint4 stage[2][kTile];
  simt::Barrier full[2];
  simt::Barrier empty[2];
};

// Thread 0 fills two stages in turn, ahead of the readers: `full` ends when the bytes are there,
// `empty` when all have read.
__global__ void Ring(const uint4* in, unsigned tiles, unsigned* out) {
  Shared& shared = *simt::DynamicShared<Shared>();
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < 2; ++i) {
      simt::BarrierInit(&shared.full[i], 1);
      simt::BarrierInit(&shared.empty[i], blockDim.x);
    }
    simt::FenceBarrierInit();
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const unsigned slot = tile % 2;
    const unsigned parity = tile / 2 % 2;
    if (threadIdx.x == 0) {
      simt::BarrierWait(&shared.empty[slot], parity ^ 1);  // the first round waits for nobody
      simt::BarrierExpect(&shared.full[slot], kTile * 16);
      const uint4* from = in + uint64_t{tile} * kTile;
      simt::BulkCopy(shared.stage[slot], from, kTile * 8, &shared.full[slot]);
      simt::BulkCopy(shared.stage[slot] + kTile / 2, from + kTile / 2, kTile * 8,
                     &shared.full[slot]);
    }
    simt::BarrierWait(&shared.full[slot], parity);
    for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) {
      sum += (tile + 1) * shared.stage[slot][kTile - 1 - i].y;
    }
    simt::BarrierArrive(&shared.empty[slot]);
  }
  atomicAdd(out, sum);
}

TEST_P(BulkCopies, ARingOfStagesDeliversEveryTile) {
  for (const bool late : {false, true}) {
    simt::emulator::Options().late_copies = late;
    constexpr unsigned kTiles = 7;
    const std::vector<uint4> in = Numbers(kTiles * kTile);
    unsigned expected = 0;
    for (unsigned i = 0; i < in.size(); ++i) {
      expected += (i / kTile + 1) * in[i].y;
    }
    unsigned out = 0;
    ASSERT_EQ(Report(Shape(1, 32, sizeof(Shared)), Ring, in.data(), kTiles, &out), "");
    EXPECT_EQ(out, expected);
  }
}

// Every thread issues its own copy and counts its own bytes, the copy before the count.
__global__ void ManyProducers(const uint4* in, uint4* out) {
  Shared& shared = *simt::DynamicShared<Shared>();
  simt::Barrier* full = &shared.full[0];
  if (threadIdx.x == 0) {
    simt::BarrierInit(full, blockDim.x);
    simt::FenceBarrierInit();
  }
  __syncthreads();
  simt::BulkCopy(&shared.stage[0][2 * threadIdx.x], &in[2 * threadIdx.x], 32, full);
  simt::BarrierExpect(full, 32);
  simt::BarrierWait(full, 0);
  out[threadIdx.x] = shared.stage[0][kTile - 1 - threadIdx.x];
}

TEST_P(BulkCopies, CopiesMayEndBeforeTheyAreExpected) {
  const std::vector<uint4> in = Numbers(kTile);
  std::vector<uint4> out(32);
  ASSERT_EQ(Report(Shape(3, 32, sizeof(Shared)), ManyProducers, in.data(), out.data()), "");
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i].x, kTile - 1 - i);
  }
}

enum class Misuse {
  kNone,
  kMisalignedShared,
  kMisalignedGlobal,
  kOddSize,
  kNoSize,
  kPastTheEnd,
  kNotInitialised,
  kInitialisedTwice,
  kNoArrivals,
  kOutsideShared,
  kOverwritten,
  kTooManyArrivals
};

__global__ void Misuses(Misuse misuse, const uint4* in) {
  Shared& shared = *simt::DynamicShared<Shared>();
  simt::Barrier* full = &shared.full[0];
  alignas(16) simt::Barrier local;
  simt::BarrierInit(misuse == Misuse::kOutsideShared ? &local : full,
                    misuse == Misuse::kNoArrivals ? 0 : 1);
  if (misuse == Misuse::kInitialisedTwice) simt::BarrierInit(full, 1);
  simt::FenceBarrierInit();
  if (misuse == Misuse::kOverwritten) full->state = 3;
  const unsigned bytes = misuse == Misuse::kOddSize ? 24 : misuse == Misuse::kNoSize ? 0 : 32;
  simt::BarrierExpect(full, bytes);
  if (misuse == Misuse::kTooManyArrivals) simt::BarrierArrive(full);
  char* to = reinterpret_cast<char*>(shared.stage[0]);
  if (misuse == Misuse::kPastTheEnd) to = reinterpret_cast<char*>(&shared + 1) - 16;
  simt::BulkCopy(to + (misuse == Misuse::kMisalignedShared ? 8 : 0),
                 reinterpret_cast<const char*>(in) + (misuse == Misuse::kMisalignedGlobal ? 4 : 0),
                 bytes, misuse == Misuse::kNotInitialised ? &shared.full[1] : full);
  simt::BarrierWait(full, 0);
}

TEST_P(BulkCopies, MisuseIsReported) {
  const std::vector<uint4> in = Numbers(4);
  const auto report = [&](Misuse misuse) {
    return Report(Shape(1, 1, sizeof(Shared)), Misuses, misuse, in.data());
  };
  const auto expect = [&](Misuse misuse, const char* text) {
    const std::string said = report(misuse);
    EXPECT_NE(said.find(text), std::string::npos) << said;
    EXPECT_NE(said.find("bulk_copy_test.cc:"), std::string::npos) << said;
  };
  EXPECT_EQ(report(Misuse::kNone), "");
  expect(Misuse::kMisalignedShared, "not aligned to 16 bytes");
  expect(Misuse::kMisalignedGlobal, "not aligned to 16 bytes");
  expect(Misuse::kOddSize, "not a positive multiple of 16");
  expect(Misuse::kNoSize, "not a positive multiple of 16");
  expect(Misuse::kPastTheEnd, "this block's shared memory");
  expect(Misuse::kNotInitialised, "not initialised: BulkCopy");
  expect(Misuse::kInitialisedTwice, "initialised twice");
  expect(Misuse::kNoArrivals, "arrivals are 0; they must be in [1, 1048575]");
  expect(Misuse::kOutsideShared, "must lie in the block's shared memory");
  expect(Misuse::kOverwritten, "was written over");
  expect(Misuse::kTooManyArrivals, "more arrivals than the barrier's 1");
}

}  // namespace
