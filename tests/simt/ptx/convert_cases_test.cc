// cvt, one case at a time, against values derived by hand.
#include <gtest/gtest.h>

#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

constexpr uint64_t kNan = 0x7FC00000;
constexpr uint64_t kNan64 = 0x7FF8000000000000;

TEST(ConvertCases, IntegersExtendAndTruncate) {
  ExpectCases({
      {"cvt.u64.u32 $0, $1;", "d:r", {0xFFFFFFFF}, 0xFFFFFFFF},
      {"cvt.s64.s32 $0, $1;", "d:r", {0xFFFFFFFE}, ~uint64_t{1}},
      {"cvt.u32.u64 $0, $1;", "r:d", {0x123456789ABCDEF0}, 0x9ABCDEF0},
      {"cvt.u32.u16 $0, $1;", "r:h", {0xFFFF}, 0xFFFF},
      {"cvt.s32.s16 $0, $1;", "r:h", {0xFFFF}, 0xFFFFFFFF},
      {"cvt.s32.s8 $0, $1;", "r:r", {0x1234FF80}, 0xFFFFFF80},
      {"cvt.u32.u8 $0, $1;", "r:r", {0x1234FF80}, 0x80},
      {"cvt.u16.u32 $0, $1;", "h:r", {0x12345678}, 0x5678},
      {"cvt.u64.u16 $0, $1;", "d:h", {0x8000}, 0x8000},
  });
}

TEST(ConvertCases, FloatsToIntegersSaturate) {
  ExpectCases({
      {"cvt.rzi.s32.f32 $0, $1;", "r:f", {F(-2.75f)}, 0xFFFFFFFE},
      {"cvt.rni.s32.f32 $0, $1;", "r:f", {F(2.5f)}, 2},
      {"cvt.rni.s32.f32 $0, $1;", "r:f", {F(3.5f)}, 4},
      {"cvt.rmi.s32.f32 $0, $1;", "r:f", {F(-2.25f)}, 0xFFFFFFFD},
      {"cvt.rpi.s32.f32 $0, $1;", "r:f", {F(2.25f)}, 3},
      {"cvt.rzi.s32.f32 $0, $1;", "r:f", {F(3e9f)}, 0x7FFFFFFF},
      {"cvt.rzi.s32.f32 $0, $1;", "r:f", {F(-3e9f)}, 0x80000000},
      {"cvt.rzi.s32.f32 $0, $1;", "r:f", {kNan}, 0},
      {"cvt.rzi.u32.f32 $0, $1;", "r:f", {F(-1.5f)}, 0},
      {"cvt.rzi.u32.f32 $0, $1;", "r:f", {F(4294967040.0f)}, 0xFFFFFF00},
      {"cvt.rzi.u32.f32 $0, $1;", "r:f", {F(4294967296.0f)}, 0xFFFFFFFF},
      {"cvt.rzi.u64.f32 $0, $1;", "d:f", {F(0x1p63f)}, uint64_t{1} << 63},
      {"cvt.rzi.u64.f32 $0, $1;", "d:f", {F(0x1p64f)}, ~uint64_t{0}},
      {"cvt.rzi.s64.f64 $0, $1;", "d:e", {D(-0x1p70)}, uint64_t{1} << 63},
      {"cvt.rzi.s32.f64 $0, $1;", "r:e", {D(2147483647.5)}, 0x7FFFFFFF},
      {"cvt.rni.u64.f64 $0, $1;", "d:e", {D(0.5)}, 0},
      {"cvt.rzi.u16.f32 $0, $1;", "h:f", {F(70000.0f)}, 0xFFFF},
  });
}

// 2^24 + 1 lies halfway between two floats; 2^24 + 3 as well, with the even one above.
TEST(ConvertCases, IntegersToFloatsRound) {
  ExpectCases({
      {"cvt.rn.f32.u32 $0, $1;", "f:r", {16777217}, F(16777216.0f)},
      {"cvt.rn.f32.u32 $0, $1;", "f:r", {16777219}, F(16777220.0f)},
      {"cvt.rz.f32.u32 $0, $1;", "f:r", {16777219}, F(16777218.0f)},
      {"cvt.rp.f32.u32 $0, $1;", "f:r", {16777217}, F(16777218.0f)},
      {"cvt.rm.f32.s32 $0, $1;", "f:r", {uint32_t(-16777217)}, F(-16777218.0f)},
      {"cvt.rz.f32.s32 $0, $1;", "f:r", {uint32_t(-16777217)}, F(-16777216.0f)},
      {"cvt.rn.f32.u64 $0, $1;", "f:d", {~uint64_t{0}}, F(0x1p64f)},
      {"cvt.rz.f32.u64 $0, $1;", "f:d", {~uint64_t{0}}, F(0x1.fffffep63f)},
      {"cvt.rn.f64.u64 $0, $1;", "e:d", {(uint64_t{1} << 53) + 1}, D(0x1p53)},
      {"cvt.rn.f64.s64 $0, $1;", "e:d", {uint64_t{1} << 63}, D(-0x1p63)},
      {"cvt.rn.f64.s32 $0, $1;", "e:r", {0xFFFFFFFF}, D(-1.0)},
      {"cvt.rn.f64.u32 $0, $1;", "e:r", {0xFFFFFFFF}, D(4294967295.0)},
      {"cvt.rn.f32.u16 $0, $1;", "f:h", {0xFFFF}, F(65535.0f)},
      {"cvt.rn.f32.s8 $0, $1;", "f:r", {0xFF}, F(-1.0f)},
  });
}

TEST(ConvertCases, FloatsToFloats) {
  ExpectCases({
      {"cvt.f64.f32 $0, $1;", "e:f", {F(0.1f)}, D(0.1f)},
      {"cvt.rn.f32.f64 $0, $1;", "f:e", {D(1 + 0x1p-24)}, F(1.0f)},
      {"cvt.rp.f32.f64 $0, $1;", "f:e", {D(1 + 0x1p-30)}, F(0x1.000002p0f)},
      {"cvt.rz.f32.f64 $0, $1;", "f:e", {D(1e300)}, F(0x1.fffffep127f)},
      {"cvt.rn.f32.f64 $0, $1;", "f:e", {D(1e300)}, 0x7F800000},
      {"cvt.rm.f32.f64 $0, $1;", "f:e", {D(-1e-300)}, F(-0x1p-149f)},
      {"cvt.rn.f32.f64 $0, $1;", "f:e", {D(0x1p-150)}, 0},
      {"cvt.rn.f32.f64 $0, $1;", "f:e", {kNan64}, 0x7FFFFFFF},
      {"cvt.rni.f32.f32 $0, $1;", "f:f", {F(2.5f)}, F(2.0f)},
      {"cvt.rzi.f32.f32 $0, $1;", "f:f", {F(-0.5f)}, 0x80000000},
      {"cvt.rpi.f64.f64 $0, $1;", "e:e", {D(2.1)}, D(3.0)},
      {"cvt.rmi.f64.f64 $0, $1;", "e:e", {D(-2.1)}, D(-3.0)},
  });
}

}  // namespace
}  // namespace simt::ptx
