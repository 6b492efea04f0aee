// Integer instructions, one at a time, against values derived by hand.
#include <gtest/gtest.h>

#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

constexpr uint64_t kMinusOne32 = 0xFFFFFFFF;
constexpr uint64_t kMin32 = 0x80000000;
constexpr uint64_t kMinusOne64 = ~uint64_t{0};
constexpr uint64_t kMin64 = uint64_t{1} << 63;

TEST(IntegerCases, SumsWrap) {
  ExpectCases({
      {"add.u32 $0, $1, $2;", "r:rr", {0xFFFFFFFF, 2}, 1},
      {"add.s32 $0, $1, $2;", "r:rr", {0x7FFFFFFF, 1}, kMin32},
      {"add.s32 $0, $1, -7;", "r:r", {5}, 0xFFFFFFFE},
      {"add.s64 $0, $1, $2;", "d:dd", {kMinusOne64, 1}, 0},
      {"add.u16 $0, $1, $2;", "h:hh", {0xFFFF, 3}, 2},
      {"sub.s32 $0, $1, $2;", "r:rr", {3, 5}, 0xFFFFFFFE},
      {"sub.u64 $0, $1, $2;", "d:dd", {0, 1}, kMinusOne64},
      {"neg.s32 $0, $1;", "r:r", {kMin32}, kMin32},
      {"neg.s64 $0, $1;", "d:d", {5}, kMinusOne64 - 4},
      {"abs.s32 $0, $1;", "r:r", {0xFFFFFFF9}, 7},
      {"abs.s64 $0, $1;", "d:d", {kMin64}, kMin64},
      {"sad.u32 $0, $1, $2, $3;", "r:rrr", {3, 10, 100}, 107},
      {"sad.s32 $0, $1, $2, $3;", "r:rrr", {kMinusOne32, 1, 5}, 7},
  });
}

TEST(IntegerCases, ExtremesKnowTheirSign) {
  ExpectCases({
      {"min.s32 $0, $1, $2;", "r:rr", {kMinusOne32, 1}, kMinusOne32},
      {"min.u32 $0, $1, $2;", "r:rr", {kMinusOne32, 1}, 1},
      {"max.s32 $0, $1, $2;", "r:rr", {kMinusOne32, 1}, 1},
      {"max.u32 $0, $1, $2;", "r:rr", {kMinusOne32, 1}, kMinusOne32},
      {"min.s64 $0, $1, $2;", "d:dd", {kMin64, 0}, kMin64},
      {"max.u64 $0, $1, $2;", "d:dd", {kMin64, 0}, kMin64},
      {"max.s16 $0, $1, $2;", "h:hh", {0x8000, 3}, 3},
  });
}

TEST(IntegerCases, QuotientsTruncate) {
  ExpectCases({
      {"div.s32 $0, $1, $2;", "r:rr", {0xFFFFFFF9, 2}, 0xFFFFFFFD},  // -7 / 2 = -3
      {"rem.s32 $0, $1, $2;", "r:rr", {0xFFFFFFF9, 2}, kMinusOne32},
      {"div.u32 $0, $1, $2;", "r:rr", {0xFFFFFFF9, 2}, 0x7FFFFFFC},
      {"rem.u64 $0, $1, $2;", "d:dd", {kMinusOne64, 10}, 5},
      {"div.u64 $0, $1, $2;", "d:dd", {kMinusOne64, kMin64}, 1},
      {"div.s64 $0, $1, $2;", "d:dd", {kMinusOne64 - 8, 2}, kMinusOne64 - 3},  // -9 / 2 = -4
  });
}

TEST(IntegerCases, ProductsLowHighAndWide) {
  ExpectCases({
      {"mul.lo.s32 $0, $1, $2;", "r:rr", {0x10001, 0x10001}, 0x20001},
      {"mul.lo.u64 $0, $1, $2;", "d:dd", {kMinusOne64, 3}, kMinusOne64 - 2},
      {"mul.lo.s16 $0, $1, $2;", "h:hh", {0xFFFF, 0xFFFF}, 1},
      {"mul.hi.u32 $0, $1, $2;", "r:rr", {0xFFFFFFFF, 0xFFFFFFFF}, 0xFFFFFFFE},
      {"mul.hi.s32 $0, $1, $2;", "r:rr", {kMinusOne32, 2}, kMinusOne32},
      {"mul.hi.u64 $0, $1, $2;", "d:dd", {kMinusOne64, kMinusOne64}, kMinusOne64 - 1},
      {"mul.hi.s64 $0, $1, $2;", "d:dd", {kMinusOne64, kMinusOne64}, 0},
      {"mul.wide.u32 $0, $1, $2;", "d:rr", {0xFFFFFFFF, 0xFFFFFFFF}, 0xFFFFFFFE00000001},
      {"mul.wide.s32 $0, $1, $2;", "d:rr", {kMinusOne32, 3}, kMinusOne64 - 2},
      {"mul.wide.u16 $0, $1, $2;", "r:hh", {0xFFFF, 0xFFFF}, 0xFFFE0001},
      {"mul.wide.s16 $0, $1, $2;", "r:hh", {0xFFFF, 5}, 0xFFFFFFFB},
      {"mad.lo.s32 $0, $1, $2, $3;", "r:rrr", {7, 6, 0xFFFFFFFF}, 41},
      {"mad.lo.u64 $0, $1, $2, $3;", "d:ddd", {uint64_t{1} << 63, 2, 9}, 9},
      {"mad.hi.u32 $0, $1, $2, $3;", "r:rrr", {0x80000000, 4, 10}, 12},
      {"mad.wide.u32 $0, $1, $2, $3;", "d:rrd", {0xFFFFFFFF, 2, 5}, 0x200000003},
      {"mad.wide.s32 $0, $1, $2, $3;", "d:rrd", {kMinusOne32, 4, 1}, kMinusOne64 - 2},
  });
}

// The carry goes from one instruction to the next.
TEST(IntegerCases, CarriesChain) {
  ExpectCases({
      {"add.cc.u32 %r20, $1, $2; addc.u32 $0, 0, 0;", "r:rr", {0xFFFFFFFF, 1}, 1},
      {"add.cc.u32 %r20, $1, $2; addc.u32 $0, 0, 0;", "r:rr", {0xFFFFFFFE, 1}, 0},
      {"add.cc.u32 %r20, $1, 1; addc.cc.u32 %r21, $2, 0; addc.u32 $0, 5, 0;",
       "r:rr",
       {0xFFFFFFFF, 0xFFFFFFFF},
       6},
      {"sub.cc.u32 %r20, $1, $2; subc.u32 $0, 10, 0;", "r:rr", {1, 2}, 9},
      {"sub.cc.u32 %r20, $1, $2; subc.u32 $0, 10, 0;", "r:rr", {2, 2}, 10},
      {"add.cc.u64 %d20, $1, $2; addc.u64 $0, 7, 0;", "d:dd", {kMinusOne64, kMinusOne64}, 8},
      {"mad.lo.cc.u32 %r20, $1, $2, $3; madc.hi.u32 $0, $1, $2, 0;",
       "r:rrr",
       {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF},  // low half 1 + 0xFFFFFFFF carries
       0xFFFFFFFF},
  });
}

}  // namespace
}  // namespace simt::ptx
