// The counter of global loads and stores.
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt::emulator::GlobalTraffic;
using simt_test::Report;
using simt_test::Shape;

__global__ void EveryOtherTwice(const unsigned* in, unsigned* out) {
  unsigned value = simt::LoadGlobal(&in[threadIdx.x]);
  if (threadIdx.x % 2 == 0) value += simt::LoadGlobal(&in[threadIdx.x]);
  simt::StoreGlobal(&out[threadIdx.x], value);
}

TEST(Traffic, CountsEachElement) {
  const std::vector<unsigned> in(64, 3);
  std::vector<unsigned> out(64);
  GlobalTraffic reads(in.data(), 64 * 4, 4);
  GlobalTraffic writes(out.data(), 64 * 4, 4);
  ASSERT_EQ(Report(Shape(1, 64), EveryOtherTwice, in.data(), out.data()), "");
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(reads.loads()[i], i % 2 == 0 ? 2u : 1u);
    EXPECT_EQ(writes.stores()[i], 1u);
    EXPECT_EQ(out[i], i % 2 == 0 ? 6u : 3u);
  }
  EXPECT_EQ(reads.bytes_loaded(), 96u * 4);
  EXPECT_EQ(reads.bytes_stored(), 0u);
  EXPECT_EQ(writes.bytes_stored(), 256u);
  reads.Reset();
  EXPECT_EQ(reads.loads()[0] + reads.bytes_loaded(), 0u);
}

struct Shared {
  uint4 word[8];
  simt::Barrier barrier;
};

// Three ways of reading 16-byte words.
__global__ void ThreeWays(const uint4* in, unsigned* out) {
  Shared& shared = *simt::DynamicShared<Shared>();
  simt::BarrierInit(&shared.barrier, 1);
  simt::FenceBarrierInit();
  simt::BarrierExpect(&shared.barrier, 64);
  simt::BulkCopy(shared.word, in, 64, &shared.barrier);
  simt::CopyAsync16(&shared.word[4], &in[4]);
  simt::CopyAsyncCommit();
  simt::CopyAsyncWait<0>();
  simt::BarrierWait(&shared.barrier, 0);
  *out = shared.word[3].x + shared.word[4].x + simt::LoadGlobal(&in[5]).x;
}

TEST(Traffic, CountsCopiesToo) {
  std::vector<uint4> in(8);
  for (unsigned i = 0; i < 8; ++i) {
    in[i] = make_uint4(i, 0, 0, 0);
  }
  unsigned out = 0;
  simt::emulator::Counters() = {};
  GlobalTraffic halves(in.data(), 8 * 16, 2);
  ASSERT_EQ(Report(Shape(1, 1, sizeof(Shared)), ThreeWays, in.data(), &out), "");
  EXPECT_EQ(out, 12u);
  ASSERT_EQ(halves.loads().size(), 64u);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(halves.loads()[i], i < 48 ? 1u : 0u);
  }
  EXPECT_EQ(halves.bytes_loaded(), 96u);
  EXPECT_EQ(simt::emulator::Counters().global_load_bytes, 96u);
  EXPECT_EQ(simt::emulator::Counters().bulk_copies, 1u);
  EXPECT_EQ(simt::emulator::Counters().async_copies, 1u);
}

TEST(Traffic, ARangeMayBeginInsideAnAccess) {
  alignas(16) unsigned in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  GlobalTraffic middle(&in[2], 12, 4);
  EXPECT_THROW(GlobalTraffic(&in[4], 8, 4), simt::Error);
  simt::emulator::CountLoad(&in[0], 16);
  EXPECT_EQ(middle.loads(), (std::vector<uint32_t>{1, 1, 0}));
  EXPECT_EQ(middle.bytes_loaded(), 8u);
}

}  // namespace
