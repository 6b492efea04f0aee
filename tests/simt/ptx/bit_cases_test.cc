// Instructions on bits, one at a time, against values derived by hand.
#include <gtest/gtest.h>

#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

TEST(BitCases, Logic) {
  ExpectCases({
      {"and.b32 $0, $1, $2;", "r:rr", {0xFF00FF00, 0x0FF00FF0}, 0x0F000F00},
      {"or.b64 $0, $1, $2;", "d:dd", {0xF0, 0x0F}, 0xFF},
      {"xor.b16 $0, $1, $2;", "h:hh", {0xAAAA, 0xFFFF}, 0x5555},
      {"not.b32 $0, $1;", "r:r", {0x0000FFFF}, 0xFFFF0000},
      {"cnot.b32 $0, $1;", "r:r", {0}, 1},
      {"cnot.b32 $0, $1;", "r:r", {4}, 0},
      {"and.pred $0, $1, $2;", "p:pp", {1, 0}, 0},
      {"or.pred $0, $1, $2;", "p:pp", {1, 0}, 1},
      {"xor.pred $0, $1, $2;", "p:pp", {1, 1}, 0},
      {"not.pred $0, $1;", "p:p", {0}, 1},
      {"lop3.b32 $0, $1, $2, $3, 0xE8;", "r:rrr", {0xF0, 0xCC, 0xAA}, 0xE8},          // majority
      {"lop3.b32 $0, $1, $2, $3, 0x96;", "r:rrr", {1, 3, 7}, 5},                      // parity
      {"lop3.b32 $0, $1, $2, $3, 0xCA;", "r:rrr", {0xFF00, 0x1234, 0x5678}, 0x1278},  // a ? b : c
  });
}

TEST(BitCases, ShiftsByTheWidthAndBeyond) {
  ExpectCases({
      {"shl.b32 $0, $1, $2;", "r:rr", {1, 31}, 0x80000000},
      {"shl.b32 $0, $1, $2;", "r:rr", {0xFFFFFFFF, 32}, 0},
      {"shl.b64 $0, $1, $2;", "d:dr", {1, 63}, uint64_t{1} << 63},
      {"shl.b64 $0, $1, $2;", "d:dr", {1, 0xFFFFFFFF}, 0},
      {"shl.b16 $0, $1, $2;", "h:hr", {0x00FF, 12}, 0xF000},
      {"shr.u32 $0, $1, $2;", "r:rr", {0x80000000, 31}, 1},
      {"shr.u32 $0, $1, $2;", "r:rr", {0x80000000, 40}, 0},
      {"shr.b64 $0, $1, $2;", "d:dr", {uint64_t{1} << 63, 64}, 0},
      {"shr.s32 $0, $1, $2;", "r:rr", {0x80000000, 4}, 0xF8000000},
      {"shr.s32 $0, $1, $2;", "r:rr", {0x80000000, 77}, 0xFFFFFFFF},
      {"shr.s32 $0, $1, $2;", "r:rr", {0x7FFFFFFF, 32}, 0},
      {"shr.s64 $0, $1, $2;", "d:dr", {uint64_t{1} << 63, 1000}, ~uint64_t{0}},
      {"shf.l.wrap.b32 $0, $1, $2, $3;", "r:rrr", {0x80000000, 1, 33}, 3},
      {"shf.l.clamp.b32 $0, $1, $2, $3;", "r:rrr", {0x12345678, 1, 33}, 0x12345678},
      {"shf.r.wrap.b32 $0, $1, $2, $3;", "r:rrr", {0x12345678, 0x9, 4}, 0x91234567},
      {"shf.r.clamp.b32 $0, $1, $2, $3;", "r:rrr", {0x12345678, 0x9, 50}, 9},
      {"shf.l.wrap.b32 $0, $1, $2, $3;", "r:rrr", {7, 5, 0}, 5},
  });
}

TEST(BitCases, Counts) {
  ExpectCases({
      {"popc.b32 $0, $1;", "r:r", {0xF0F0F0F0}, 16},
      {"popc.b64 $0, $1;", "r:d", {~uint64_t{0}}, 64},
      {"clz.b32 $0, $1;", "r:r", {0}, 32},
      {"clz.b32 $0, $1;", "r:r", {0x00010000}, 15},
      {"clz.b64 $0, $1;", "r:d", {1}, 63},
      {"brev.b32 $0, $1;", "r:r", {0x00000001}, 0x80000000},
      {"brev.b64 $0, $1;", "d:d", {0xF}, 0xF000000000000000},
      {"bfind.u32 $0, $1;", "r:r", {0x00010000}, 16},
      {"bfind.u32 $0, $1;", "r:r", {0}, 0xFFFFFFFF},
      {"bfind.s32 $0, $1;", "r:r", {0xFFFFFFFF}, 0xFFFFFFFF},
      {"bfind.s32 $0, $1;", "r:r", {0xFFFFFF7F}, 7},  // -129: bit 7 is the highest zero
      {"bfind.shiftamt.u32 $0, $1;", "r:r", {0x00010000}, 15},
      {"bfind.u64 $0, $1;", "r:d", {uint64_t{1} << 40}, 40},
      {"bfind.shiftamt.s64 $0, $1;", "r:d", {1}, 63},
  });
}

TEST(BitCases, Fields) {
  ExpectCases({
      {"bfe.u32 $0, $1, $2, $3;", "r:rrr", {0x12345678, 8, 12}, 0x456},
      {"bfe.u32 $0, $1, $2, $3;", "r:rrr", {0xFFFFFFFF, 28, 12}, 0xF},
      {"bfe.u32 $0, $1, $2, $3;", "r:rrr", {0xFFFFFFFF, 4, 0}, 0},
      {"bfe.u32 $0, $1, $2, $3;", "r:rrr", {0xFFFFFFFF, 0, 32}, 0xFFFFFFFF},
      {"bfe.s32 $0, $1, $2, $3;", "r:rrr", {0x00000800, 8, 4}, 0xFFFFFFF8},
      {"bfe.s32 $0, $1, $2, $3;", "r:rrr", {0x00000700, 8, 4}, 7},
      {"bfe.s32 $0, $1, $2, $3;", "r:rrr", {0x80000000, 28, 12}, 0xFFFFFFF8},
      {"bfe.s32 $0, $1, $2, $3;", "r:rrr", {0x80000000, 40, 4}, 0xFFFFFFFF},  // sign alone
      {"bfe.s64 $0, $1, $2, $3;", "d:drr", {uint64_t{0x80} << 32, 36, 4}, ~uint64_t{7}},
      {"bfi.b32 $0, $1, $2, $3, $4;", "r:rrrr", {0xABC, 0xFFFFFFFF, 8, 8}, 0xFFFFBCFF},
      {"bfi.b32 $0, $1, $2, $3, $4;", "r:rrrr", {0xF, 0, 30, 8}, 0xC0000000},
      {"bfi.b32 $0, $1, $2, $3, $4;", "r:rrrr", {0xF, 0x123, 32, 8}, 0x123},
      {"bfi.b64 $0, $1, $2, $3, $4;", "d:ddrr", {5, 0, 52, 11}, uint64_t{5} << 52},
      {"bmsk.clamp.b32 $0, $1, $2;", "r:rr", {4, 8}, 0xFF0},
      {"bmsk.clamp.b32 $0, $1, $2;", "r:rr", {4, 100}, 0xFFFFFFF0},
      {"bmsk.clamp.b32 $0, $1, $2;", "r:rr", {32, 4}, 0},
      {"bmsk.wrap.b32 $0, $1, $2;", "r:rr", {36, 8}, 0xFF0},
  });
}

// a = 0x33221100 has the bytes 0 to 3, b = 0x77665584 the bytes 4 to 7.
TEST(BitCases, PermutedBytes) {
  const uint64_t a = 0x33221100, b = 0x77665584;
  ExpectCases({
      {"prmt.b32 $0, $1, $2, $3;", "r:rrr", {a, b, 0x0123}, 0x00112233},
      {"prmt.b32 $0, $1, $2, $3;", "r:rrr", {a, b, 0x7654}, 0x77665584},
      {"prmt.b32 $0, $1, $2, $3;", "r:rrr", {a, b, 0xCCC0}, 0xFFFFFF00},  // sign of byte 4
      {"prmt.b32 $0, $1, $2, $3;", "r:rrr", {a, b, 0x8881}, 0x00000011},  // sign of byte 0
      {"prmt.b32.f4e $0, $1, $2, $3;", "r:rrr", {a, b, 1}, 0x84332211},
      {"prmt.b32.b4e $0, $1, $2, $3;", "r:rrr", {a, b, 1}, 0x66770011},  // bytes 6, 7, 0, 1
      {"prmt.b32.rc8 $0, $1, $2, $3;", "r:rrr", {a, b, 2}, 0x22222222},
      {"prmt.b32.ecl $0, $1, $2, $3;", "r:rrr", {a, b, 1}, 0x33221111},
      {"prmt.b32.ecr $0, $1, $2, $3;", "r:rrr", {a, b, 1}, 0x11111100},
      {"prmt.b32.rc16 $0, $1, $2, $3;", "r:rrr", {a, b, 1}, 0x33223322},
  });
}

TEST(BitCases, MovesPackAndUnpack) {
  ExpectCases({
      {"mov.b64 $0, {$1, $2};", "d:rr", {0x11111111, 0x22222222}, 0x2222222211111111},
      {"mov.b32 $0, {$1, $2};", "r:hh", {0x1111, 0x2222}, 0x22221111},
      {"mov.b64 {%r20, $0}, $1;", "r:d", {0x2222222211111111}, 0x22222222},
      {"mov.b32 {$0, %h20}, $1;", "h:r", {0x22221111}, 0x1111},
      {"mov.b64 $0, {$1, $2, $1, $2};", "d:hh", {1, 2}, 0x0002000100020001},
      {"mov.b32 $0, $1;", "f:r", {0x3F800000}, F(1.0f)},
      {"mov.u32 $0, 017;", "r:", {}, 15},
      {"mov.u32 $0, 0x1FU;", "r:", {}, 31},
      {"mov.f32 $0, 0fC0490FDB;", "f:", {}, 0xC0490FDB},
      {"mov.f64 $0, 0d3FF0000000000000;", "e:", {}, D(1.0)},
      {"mov.pred $0, $1;", "p:p", {1}, 1},
  });
}

}  // namespace
}  // namespace simt::ptx
