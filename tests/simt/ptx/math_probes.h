// Every function of kernels/math as a map from four random words to four result words, so that one
// source can be run by the host compiler and as nvcc's PTX and the words compared.
#ifndef TESSERA_TESTS_SIMT_PTX_MATH_PROBES_H_
#define TESSERA_TESTS_SIMT_PTX_MATH_PROBES_H_

#include <cstdint>

#include "kernels/math/dtype.h"
#include "kernels/math/host_device.h"
#include "kernels/math/key.h"
#include "kernels/math/log.h"
#include "kernels/math/logprob.h"
#include "kernels/math/philox.h"
#include "kernels/math/residual.h"
#include "kernels/math/statistics.h"
#include "kernels/math/weight.h"
#include "kernels/math/wide.h"

namespace tessera::probe {

struct Words {
  uint64_t w[4];
};

// NaNs are one value here: their payload is not part of the contract.
TESSERA_HD inline uint64_t Bits(float x) { return x == x ? BitsOf(x) : 0x7FC00000u; }
TESSERA_HD inline uint64_t Bits(double x) { return x == x ? BitsOf(x) : 0x7FF8000000000000u; }

TESSERA_HD inline float AnyFloat(uint64_t word) { return FloatOf(static_cast<uint32_t>(word)); }

// In [0, 1], each value a multiple of 2^-53.
TESSERA_HD inline double Fraction(uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

// A finite float in [-64, 64), as logits are; every fifth one -inf.
TESSERA_HD inline float LogitLike(uint64_t word) {
  if (word % 5 == 0) return -__builtin_huge_valf();
  return static_cast<float>(static_cast<int32_t>(word)) * 0x1p-25f;
}

// A temperature in [2^-4, 2^4).
TESSERA_HD inline double TemperatureLike(uint64_t word) {
  return DoubleOf((1019 + word % 8) << 52 | word >> 12);
}

TESSERA_HD inline Weigher WeigherLike(uint64_t word) {
  return MakeWeigher(static_cast<float>(static_cast<int32_t>(word >> 32) >> 8) * 0x1p-17f,
                     InverseTemperature(TemperatureLike(word)));
}

// y_max, or below it by up to 128.
TESSERA_HD inline float BelowMax(const Weigher& weigher, uint64_t word) {
  const float y = LogitLike(word);
  return y < weigher.y_max ? y : weigher.y_max;
}

struct DtypeProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const uint16_t half = static_cast<uint16_t>(x.w[0]);
    const float any = AnyFloat(x.w[1]);
    return {{Bits(FromBfloat16(half)) << 32 | Bits(FromFloat16(half)),
             any == any ? uint64_t{ToBfloat16(any)} << 16 | ToFloat16(any) : 1,
             uint64_t{ToFloat16(LogitLike(x.w[2]))}, RoundToUint32(AnyFloat(x.w[3] & 0x4F7FFFFF))}};
  }
};

struct KeyProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const int32_t key = OrderKey(AnyFloat(x.w[0]));
    const TokenKey token = MakeTokenKey(key, static_cast<int32_t>(x.w[1] & 0x7FFFFFFF));
    return {{static_cast<uint32_t>(key), Bits(FromOrderKey(key)), token,
             uint64_t{static_cast<uint32_t>(IdOf(token))} << 32 |
                 static_cast<uint32_t>(OrderKeyOf(token))}};
  }
};

struct LogProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const double any = DoubleOf(x.w[0]);
    const double power = static_cast<double>(static_cast<int64_t>(x.w[1])) * 0x1p-53;  // +-1024
    return {{Bits(Log(any)), Bits(Log2(Fraction(x.w[2]) + 0.5)), Bits(Exp(power)),
             Bits(Pow(AnyFloat(x.w[3]), AnyFloat(x.w[3] >> 32)))}};
  }
};

struct LogprobProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const uint64_t total = kMaxWeight + (x.w[2] >> 2);
    return {{Bits(Logprob(LogitLike(x.w[0]), 64.0f, TemperatureLike(x.w[1]), total)),
             Bits(InverseTemperature(TemperatureLike(x.w[3]))), Bits(Sqrt(Fraction(x.w[0]))),
             Bits(Pow(Fraction(x.w[1]), Fraction(x.w[2]) * 4.0))}};
  }
};

struct PhiloxProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const uint32_t position = static_cast<uint32_t>(x.w[1]), stream = x.w[1] >> 32;
    const Purpose purpose = static_cast<Purpose>(x.w[2] & 3);
    const U128 wide = RandomWord128(x.w[0], position, stream, purpose, x.w[2] >> 32);
    return {{wide.hi, wide.lo, RandomWord(x.w[3], position, stream, purpose, 7), 0}};
  }
};

struct WeightProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const Weigher weigher = WeigherLike(x.w[0]);
    const float y = BelowMax(weigher, x.w[1]);
    const uint64_t threshold = (x.w[2] & (kMaxWeight - 1)) >> (x.w[2] >> 58);
    return {{WeightOf(weigher, y), static_cast<uint32_t>(LowestKeyWithWeight(weigher, threshold)),
             Bits(WeightPolynomial(static_cast<float>(Fraction(x.w[3])))), Bits(weigher.d_min)}};
  }
};

struct StatisticsProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const Weigher weigher = WeigherLike(x.w[0]);
    const float y = BelowMax(weigher, x.w[1]);
    const uint32_t distance = DistanceOf(weigher, y);
    const uint64_t total = kMaxWeight + (x.w[2] >> 3), entropy = x.w[3] >> 2;
    return {{distance, EntropyTerm(WeightOf(weigher, y), distance),
             Bits(EntropyNats(total, entropy)), TypicalCentre(total, entropy)}};
  }
};

struct SpreadProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const float a = AnyFloat(x.w[0] & ~uint64_t{1} << 30), b = LogitLike(x.w[1] | 1);
    const float high = a < b ? b : a, low = a < b ? a : b;
    const SpreadScale scale = MakeSpreadScale(high, low);
    const Moments moments{1 + x.w[2] % 1000, x.w[2] >> 40, {x.w[3] >> 20, x.w[3] | x.w[2]}};
    const double sigma = SpreadSigma(moments);
    return {{SpreadOf(scale, high, low), Bits(scale.first) << 32 | Bits(scale.second), Bits(sigma),
             LargestKeptSpread(Fraction(x.w[1]) * 5.0, sigma)}};
  }
};

struct WideProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const U128 product = Multiply(x.w[0], x.w[1]);
    const U128 quotient = Divide(product, x.w[2] >> (x.w[3] & 63) | 1);
    const U192 cube = Multiply(product, x.w[2]);
    return {{quotient.hi ^ cube.hi ^ MulHi64(x.w[0], x.w[3]), quotient.lo + cube.mid,
             Bits(ToDouble(product - U128{x.w[3] >> 8, x.w[2]})),
             static_cast<uint64_t>(product < U128{x.w[2], x.w[3]}) + cube.lo}};
  }
};

struct CeilProbe {
  TESSERA_HD static Words Run(const Words& x) {
    const double tiny = DoubleOf(x.w[0] % (uint64_t{1023} << 52));  // in [0, 1)
    const U128 residual = ResidualWeight(x.w[0] >> 1, x.w[1] >> 20, x.w[2] >> 1, x.w[3] >> 20);
    return {{CeilMul(tiny, x.w[1] >> 1), CeilMul(Fraction(x.w[2]), x.w[3] >> 1),
             CeilScale(Fraction(x.w[1])), residual.hi ^ residual.lo}};
  }
};

}  // namespace tessera::probe

#endif  // TESSERA_TESTS_SIMT_PTX_MATH_PROBES_H_
