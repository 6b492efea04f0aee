// Floating-point instructions, comparisons and choices, against values derived by hand.
#include <gtest/gtest.h>

#include <limits>

#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

constexpr uint64_t kNan = 0x7FC01234;  // a quiet NaN with a payload
constexpr uint64_t kOneNan = 0x7FFFFFFF;
constexpr uint64_t kInf = 0x7F800000;
constexpr uint64_t kNan64 = 0x7FF8000000001234;

TEST(FloatCases, ArithmeticRoundsOnceToNearestEven) {
  ExpectCases({
      {"add.rn.f32 $0, $1, $2;", "f:ff", {F(1.0f), F(0x1p-24f)}, F(1.0f)},
      {"add.rn.f32 $0, $1, $2;", "f:ff", {F(0x1.000002p0f), F(0x1p-24f)}, F(0x1.000004p0f)},
      {"add.rn.f32 $0, $1, $2;", "f:ff", {kNan, F(1.0f)}, kOneNan},
      {"sub.rn.f32 $0, $1, $2;", "f:ff", {kInf, kInf}, kOneNan},
      {"mul.rn.f32 $0, $1, $2;", "f:ff", {F(0x1p-75f), F(0x1p-74f)}, F(0x1p-149f)},  // subnormal
      {"mul.rn.f32 $0, $1, $2;", "f:ff", {F(0x1.000002p0f), F(0x1.000002p0f)}, F(0x1.000004p0f)},
      // The square above is 1 + 2^-22 + 2^-46; fused, its last term survives.
      {"fma.rn.f32 $0, $1, $2, $3;",
       "f:fff",
       {F(0x1.000002p0f), F(0x1.000002p0f), F(-0x1.000004p0f)},
       F(0x1p-46f)},
      {"div.rn.f32 $0, $1, $2;", "f:ff", {F(1.0f), F(3.0f)}, 0x3EAAAAAB},
      {"div.rn.f32 $0, $1, $2;", "f:ff", {F(-1.0f), F(0.0f)}, 0xFF800000},
      {"sqrt.rn.f32 $0, $1;", "f:f", {F(2.0f)}, 0x3FB504F3},
      {"rcp.rn.f32 $0, $1;", "f:f", {F(3.0f)}, 0x3EAAAAAB},
      {"add.rn.f64 $0, $1, $2;", "e:ee", {D(1.0), D(0x1p-53)}, D(1.0)},
      {"mul.rn.f64 $0, $1, $2;", "e:ee", {D(0x1p-600), D(0x1p-474)}, D(0x1p-1074)},
      {"fma.rn.f64 $0, $1, $2, $3;",
       "e:eee",
       {D(1 + 0x1p-52), D(1 - 0x1p-52), D(-1.0)},
       D(-0x1p-104)},
      {"div.rn.f64 $0, $1, $2;", "e:ee", {D(1.0), D(3.0)}, D(1.0 / 3.0)},
      {"sqrt.rn.f64 $0, $1;", "e:e", {D(2.0)}, 0x3FF6A09E667F3BCD},
  });
}

TEST(FloatCases, SignsAndExtremes) {
  ExpectCases({
      {"neg.f32 $0, $1;", "f:f", {0}, 0x80000000},
      {"neg.f64 $0, $1;", "e:e", {D(2.5)}, D(-2.5)},
      {"abs.f32 $0, $1;", "f:f", {0x80000000}, 0},
      {"abs.f64 $0, $1;", "e:e", {D(-2.5)}, D(2.5)},
      {"copysign.f32 $0, $1, $2;", "f:ff", {F(-1.0f), F(5.0f)}, F(-5.0f)},
      {"min.f32 $0, $1, $2;", "f:ff", {kNan, F(3.0f)}, F(3.0f)},
      {"max.f32 $0, $1, $2;", "f:ff", {F(3.0f), kNan}, F(3.0f)},
      {"max.f32 $0, $1, $2;", "f:ff", {kNan, kNan}, kOneNan},
      {"max.NaN.f32 $0, $1, $2;", "f:ff", {F(3.0f), kNan}, kOneNan},
      // 1 and -1 against -2 and -0; 1 and NaN against +inf and 1; -inf and -0 against -1 and +0.
      {"max.NaN.bf16x2 $0, $1, $2;", "r:rr", {0xBF803F80, 0x8000C000}, 0x80003F80},
      {"max.NaN.f16x2 $0, $1, $2;", "r:rr", {0x7E003C00, 0x3C007C00}, 0x7FFF7C00},
      {"max.NaN.f16x2 $0, $1, $2;", "r:rr", {0xFC008000, 0xBC000000}, 0xBC000000},
      {"max.NaN.bf16x2 $0, $1, $2;", "r:rr", {0x7F817F80, 0xFF800000}, 0x7FFF7F80},
      {"min.f32 $0, $1, $2;", "f:ff", {F(0.0f), 0x80000000}, 0x80000000},
      {"max.f32 $0, $1, $2;", "f:ff", {0x80000000, F(0.0f)}, 0},
      {"min.f64 $0, $1, $2;", "e:ee", {D(-1.0), D(1.0)}, D(-1.0)},
      {"max.f64 $0, $1, $2;", "e:ee", {kNan64, D(1.0)}, D(1.0)},
  });
}

TEST(FloatCases, ComparisonsAndNan) {
  ExpectCases({
      {"setp.lt.f32 $0, $1, $2;", "p:ff", {F(1.0f), F(2.0f)}, 1},
      {"setp.lt.f32 $0, $1, $2;", "p:ff", {kNan, F(2.0f)}, 0},
      {"setp.ltu.f32 $0, $1, $2;", "p:ff", {kNan, F(2.0f)}, 1},
      {"setp.eq.f32 $0, $1, $2;", "p:ff", {0, 0x80000000}, 1},
      {"setp.ne.f32 $0, $1, $2;", "p:ff", {kNan, kNan}, 0},
      {"setp.neu.f32 $0, $1, $2;", "p:ff", {kNan, kNan}, 1},
      {"setp.equ.f64 $0, $1, $2;", "p:ee", {kNan64, D(0.0)}, 1},
      {"setp.geu.f64 $0, $1, $2;", "p:ee", {D(1.0), D(2.0)}, 0},
      {"setp.leu.f64 $0, $1, $2;", "p:ee", {D(2.0), D(2.0)}, 1},
      {"setp.gtu.f32 $0, $1, $2;", "p:ff", {F(2.0f), F(2.0f)}, 0},
      {"setp.num.f32 $0, $1, $2;", "p:ff", {F(1.0f), kNan}, 0},
      {"setp.nan.f64 $0, $1, $2;", "p:ee", {D(1.0), kNan64}, 1},
      {"testp.finite.f32 $0, $1;", "p:f", {kInf}, 0},
      {"testp.infinite.f32 $0, $1;", "p:f", {kInf}, 1},
      {"testp.number.f32 $0, $1;", "p:f", {kInf}, 1},
      {"testp.number.f32 $0, $1;", "p:f", {kNan}, 0},
      {"testp.notanumber.f64 $0, $1;", "p:e", {kNan64}, 1},
      {"testp.normal.f32 $0, $1;", "p:f", {1}, 0},
      {"testp.subnormal.f32 $0, $1;", "p:f", {1}, 1},
      {"testp.normal.f64 $0, $1;", "p:e", {D(1.0)}, 1},
  });
}

TEST(FloatCases, IntegerComparisons) {
  ExpectCases({
      {"setp.lt.s32 $0, $1, $2;", "p:rr", {0xFFFFFFFF, 0}, 1},
      {"setp.lt.u32 $0, $1, $2;", "p:rr", {0xFFFFFFFF, 0}, 0},
      {"setp.lo.u32 $0, $1, $2;", "p:rr", {0, 0xFFFFFFFF}, 1},
      {"setp.hs.u32 $0, $1, $2;", "p:rr", {7, 7}, 1},
      {"setp.hi.u32 $0, $1, $2;", "p:rr", {7, 7}, 0},
      {"setp.ls.u64 $0, $1, $2;", "p:dd", {7, 7}, 1},
      {"setp.gt.s64 $0, $1, $2;", "p:dd", {0, uint64_t{1} << 63}, 1},
      {"setp.eq.b16 $0, $1, 0;", "p:h", {0}, 1},
      {"setp.ge.s16 $0, $1, $2;", "p:hh", {0x8000, 0}, 0},
      // Both results: the relation and its opposite, each combined with a third predicate.
      {"setp.lt.s32 %p20|$0, $1, $2;", "p:rr", {1, 2}, 0},
      {"setp.lt.and.s32 $0, $1, $2, $3;", "p:rrp", {1, 2, 0}, 0},
      {"setp.lt.or.s32 $0, $1, $2, !$3;", "p:rrp", {3, 2, 0}, 1},
      {"setp.lt.xor.s32 %p20|$0, $1, $2, $3;", "p:rrp", {1, 2, 1}, 1},
  });
}

TEST(FloatCases, Choices) {
  ExpectCases({
      {"selp.b32 $0, $1, $2, $3;", "r:rrp", {5, 6, 1}, 5},
      {"selp.f64 $0, $1, $2, $3;", "e:eep", {D(5), D(6), 0}, D(6)},
      {"slct.u32.s32 $0, $1, $2, $3;", "r:rrr", {5, 6, 0}, 5},
      {"slct.u32.s32 $0, $1, $2, $3;", "r:rrr", {5, 6, 0x80000000}, 6},
      {"slct.u64.f32 $0, $1, $2, $3;", "d:ddf", {5, 6, F(-0.0f)}, 5},
      {"slct.f32.f32 $0, $1, $2, $3;", "f:fff", {F(5), F(6), kNan}, F(6)},
      {"set.lt.u32.s32 $0, $1, $2;", "r:rr", {0xFFFFFFFF, 0}, 0xFFFFFFFF},
      {"set.gt.u32.f32 $0, $1, $2;", "r:ff", {F(1), kNan}, 0},
      {"set.le.f32.u32 $0, $1, $2;", "f:rr", {3, 3}, F(1.0f)},
      {"mov.u32 $0, 7; @$1 mov.u32 $0, 9;", "r:p", {0}, 7},
      {"mov.u32 $0, 7; @!$1 mov.u32 $0, 9;", "r:p", {0}, 9},
  });
}

}  // namespace
}  // namespace simt::ptx
