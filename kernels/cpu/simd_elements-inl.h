// How each dtype is read: as binary32 vectors for arithmetic, and as native integers whose order is
// that of the floats for comparing without conversion.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_ELEMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_ELEMENTS_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_ELEMENTS_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_ELEMENTS_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/math/dtype.h"
#include "kernels/math/key.h"
#include "kernels/row/row_view.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;
using Int32Tag = hn::ScalableTag<int32_t>;
using Int32Vec = hn::Vec<Int32Tag>;
inline constexpr uint32_t kFloatLanes = static_cast<uint32_t>(hn::MaxLanes(FloatTag()));

// Lane maxima stand in 32 columns: column i of a chunk is the maximum over its ids i mod 32.
inline constexpr uint32_t kColumns = 32;

// kInf is the native bit pattern of +inf. A native order key is the signed bits, with those of
// negative numbers flipped below the sign: -0 is -1 and -inf is -kInf - 1.
struct Float32Elements {
  using Bits = uint32_t;
  using Native = int32_t;
  static constexpr Native kInf = 0x7F800000;

  static float ToFloat(Bits bits) { return FloatOf(bits); }

  static FloatVec Load(const Bits* p) {
    return hn::BitCast(FloatTag(), hn::LoadU(hn::RebindToUnsigned<FloatTag>(), p));
  }
};

struct Bfloat16Elements {
  using Bits = uint16_t;
  using Native = int16_t;
  static constexpr Native kInf = 0x7F80;

  static float ToFloat(Bits bits) { return FromBfloat16(bits); }

  static FloatVec Load(const Bits* p) {
    const hn::Rebind<uint16_t, FloatTag> narrow;
    const hn::RebindToUnsigned<FloatTag> wide;
    return hn::BitCast(FloatTag(), hn::ShiftLeft<16>(hn::PromoteTo(wide, hn::LoadU(narrow, p))));
  }
};

struct Float16Elements {
  using Bits = uint16_t;
  using Native = int16_t;
  static constexpr Native kInf = 0x7C00;

  static float ToFloat(Bits bits) { return FromFloat16(bits); }

  static FloatVec Load(const Bits* p) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    const hn::Rebind<hwy::float16_t, FloatTag> narrow;
    return hn::PromoteTo(FloatTag(), hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(p)));
#else
    // Elsewhere the library's conversion is not exact for infinities.
    HWY_ALIGN float converted[kFloatLanes];
    for (uint32_t i = 0; i < kFloatLanes; ++i) converted[i] = FromFloat16(p[i]);
    return hn::Load(FloatTag(), converted);
#endif
  }
};

template <class Elements>
struct NativeKeys {
  using Native = typename Elements::Native;
  using Tag = hn::ScalableTag<Native>;
  using Vec = hn::Vec<Tag>;
  static constexpr uint32_t kLanes = static_cast<uint32_t>(hn::MaxLanes(Tag()));
  static constexpr uint32_t kVectors = kColumns / kLanes;  // that make up the 32 columns
  static constexpr Native kNegInf = static_cast<Native>(-Elements::kInf - 1);

  // The native order keys of kLanes elements.
  static Vec Load(const typename Elements::Bits* p) {
    const Tag tag;
    const Vec bits = hn::LoadU(tag, reinterpret_cast<const Native*>(p));
    const Vec below_sign =
        hn::Set(tag, static_cast<Native>(~(Native{1} << (sizeof(Native) * 8 - 1))));
    const Vec sign = hn::ShiftRight<sizeof(Native) * 8 - 1>(bits);
    return hn::Xor(bits, hn::And(sign, below_sign));
  }

  // The OrderKey of a native one.
  static int32_t ToOrderKey(Native native) {
    using Bits = typename Elements::Bits;
    const auto below_sign = static_cast<Bits>(~(Bits{1} << (sizeof(Bits) * 8 - 1)));
    const Bits bits = native < 0 ? static_cast<Bits>(static_cast<Bits>(native) ^ below_sign)
                                 : static_cast<Bits>(native);
    return OrderKey(Elements::ToFloat(bits));
  }

  // A native key near that of y, for guesses.
  static int32_t Near(float y) {
    const auto bits = static_cast<int32_t>(BitsOf(y));
    const int32_t raw = bits < 0 ? bits ^ 0x7FFFFFFF : bits;
    int32_t near = raw;
    if constexpr (sizeof(Native) == 2) {
      near = raw >> 16;
      if constexpr (Elements::kInf != 0x7F80) {
        const auto half = static_cast<Native>(ToFloat16(y));
        near = half < 0 ? half ^ 0x7FFF : half;
      }
    }
    return near < kNegInf ? kNegInf : near > Elements::kInf ? Elements::kInf : near;
  }

  // The smallest native key of a finite or infinite float whose OrderKey is at least `key`;
  // kInf + 1 when there is none.
  static int32_t AtLeast(int32_t key) {
    int64_t low = kNegInf;
    int64_t high = int64_t{Elements::kInf} + 1;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (ToOrderKey(static_cast<Native>(middle)) >= key) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return static_cast<int32_t>(low);
  }
};

// Ids per chunk, fewer in the last.
HWY_INLINE uint32_t ChunkSize(const RowView& row, uint32_t chunk) {
  const uint32_t left = row.columns - chunk * kChunkIds;
  return left < kChunkIds ? left : kChunkIds;
}

template <class Elements>
HWY_INLINE const typename Elements::Bits* ChunkBits(const RowView& row, uint32_t chunk) {
  return static_cast<const typename Elements::Bits*>(row.data) + size_t{chunk} * kChunkIds;
}

// The bit pattern of -inf: what a partial vector is filled up with. It is never a candidate.
template <class Elements>
constexpr typename Elements::Bits NegInfBits() {
  using Bits = typename Elements::Bits;
  return static_cast<Bits>(Elements::kInf | (Bits{1} << (sizeof(Bits) * 8 - 1)));
}

// Copies the last `n` < kWidth elements of a chunk to `out`, filled up with -inf.
template <class Elements, uint32_t kWidth>
HWY_INLINE void LoadPartial(const typename Elements::Bits* p, uint32_t n,
                            typename Elements::Bits* out) {
  for (uint32_t i = 0; i < kWidth; ++i) out[i] = i < n ? p[i] : NegInfBits<Elements>();
}

// Calls visit with the element type of `dtype`.
template <class Visit>
HWY_INLINE auto WithElements(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::kFloat16:
      return visit(Float16Elements());
    case DType::kBfloat16:
      return visit(Bfloat16Elements());
    case DType::kFloat32:
      break;
  }
  return visit(Float32Elements());
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_ELEMENTS_INL_H_
