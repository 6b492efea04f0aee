// Floating-point arithmetic, as IEEE 754 has it and nothing else: rounded to nearest even.
#include "tests/simt/ptx/ptx_float.h"

#include <cmath>
#include <type_traits>

#include "tests/simt/max_nan.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

// A device has one NaN result of 32 bits.
template <typename T>
T OneNan(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return value != value ? std::bit_cast<float>(0x7FFFFFFFu) : value;
  }
  return value;
}

struct Add {
  template <typename T>
  static T Of(T a, T b) {
    return OneNan<T>(a + b);
  }
};
struct Sub {
  template <typename T>
  static T Of(T a, T b) {
    return OneNan<T>(a - b);
  }
};
struct Mul {
  template <typename T>
  static T Of(T a, T b) {
    return OneNan<T>(a * b);
  }
};
struct Div {
  template <typename T>
  static T Of(T a, T b) {
    return OneNan<T>(a / b);
  }
};
struct Fma {
  template <typename T>
  static T Of(T a, T b, T c) {
    return OneNan<T>(std::fma(a, b, c));
  }
};
struct Sqrt {
  template <typename T>
  static T Of(T a) {
    return OneNan<T>(std::sqrt(a));
  }
};
struct Reciprocal {
  template <typename T>
  static T Of(T a) {
    return OneNan<T>(T{1} / a);
  }
};

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <typename T>
constexpr BitsOf<T> kSign = BitsOf<T>{1} << (8 * sizeof(T) - 1);

struct Negate {
  template <typename T>
  static T Of(T a) {
    return std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) ^ kSign<T>);
  }
};
struct Magnitude {
  template <typename T>
  static T Of(T a) {
    return std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) & ~kSign<T>);
  }
};
struct CopySign {  // the sign of a, the magnitude of b
  template <typename T>
  static T Of(T a, T b) {
    return std::bit_cast<T>((std::bit_cast<BitsOf<T>>(a) & kSign<T>) |
                            (std::bit_cast<BitsOf<T>>(b) & ~kSign<T>));
  }
};

// -0 is below +0; a NaN loses against a number, or wins with .NaN.
template <bool kMax, bool kNanWins>
struct Extreme {
  template <typename T>
  static T Of(T a, T b) {
    const bool a_nan = a != a, b_nan = b != b;
    if (a_nan || b_nan) {
      if (kNanWins || (a_nan && b_nan)) return OneNan<T>(a_nan ? a : b);
      return a_nan ? b : a;
    }
    if (a == b) return std::signbit(a) == kMax ? b : a;
    return (a < b) == kMax ? b : a;
  }
};

// Of two 16-bit floats whose infinity has these bits.
template <uint32_t kInfinity>
struct PackedMax {
  template <typename T>
  static T Of(T a, T b) {
    return emulator::MaxNanPair(a, b, kInfinity);
  }
};

void RequireNearest(InstructionText& text) {
  if (!text.Take("rn")) {
    text.Refuse("needs .rn: the device compiler may contract it or round it otherwise");
  }
}

void DecodeFma(InstructionText& text, FunctionBuilder& builder) {
  RequireNearest(text);
  const Type type = text.TakeType();
  EmitSimple(text, builder, StepForFloat<Ternary<Fma>>(type), type, 3);
}

void DecodeRoot(InstructionText& text, FunctionBuilder& builder) {
  RequireNearest(text);
  const Type type = text.TakeType();
  const Step step = text.opcode() == "sqrt" ? StepForFloat<Unary<Sqrt>>(type)
                                            : StepForFloat<Unary<Reciprocal>>(type);
  EmitSimple(text, builder, step, type, 1);
}

void DecodeCopySign(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  EmitSimple(text, builder, StepForFloat<Binary<CopySign>>(type), type, 2);
}

constexpr OpcodeEntry kOpcodes[] = {{"fma", &DecodeFma},
                                    {"sqrt", &DecodeRoot},
                                    {"rcp", &DecodeRoot},
                                    {"copysign", &DecodeCopySign}};

}  // namespace

void EmitFloatArithmetic(InstructionText& text, FunctionBuilder& builder, Type type) {
  RequireNearest(text);
  const std::string& opcode = text.opcode();
  if (opcode == "mad") {
    EmitSimple(text, builder, StepForFloat<Ternary<Fma>>(type), type, 3);
    return;
  }
  const Step step = opcode == "add"   ? StepForFloat<Binary<Add>>(type)
                    : opcode == "sub" ? StepForFloat<Binary<Sub>>(type)
                    : opcode == "mul" ? StepForFloat<Binary<Mul>>(type)
                    : opcode == "div" ? StepForFloat<Binary<Div>>(type)
                                      : nullptr;
  EmitSimple(text, builder, step, type, 2);
}

void EmitFloatSign(InstructionText& text, FunctionBuilder& builder, Type type) {
  const Step step = text.opcode() == "neg" ? StepForFloat<Unary<Negate>>(type)
                                           : StepForFloat<Unary<Magnitude>>(type);
  EmitSimple(text, builder, step, type, 1);
}

void EmitFloatExtreme(InstructionText& text, FunctionBuilder& builder, Type type) {
  const bool nan_wins = text.Take("NaN");
  const Step step = text.opcode() == "max"
                        ? (nan_wins ? StepForFloat<Binary<Extreme<true, true>>>(type)
                                    : StepForFloat<Binary<Extreme<true, false>>>(type))
                        : (nan_wins ? StepForFloat<Binary<Extreme<false, true>>>(type)
                                    : StepForFloat<Binary<Extreme<false, false>>>(type));
  EmitSimple(text, builder, step, type, 2);
}

void EmitPackedMax(InstructionText& text, FunctionBuilder& builder, bool half) {
  if (text.opcode() != "max" || !text.Take("NaN")) {
    text.Refuse("of pairs there is max.NaN only");
  }
  const Step step =
      half ? &BinaryStep<PackedMax<0x7C00>, uint32_t> : &BinaryStep<PackedMax<0x7F80>, uint32_t>;
  EmitSimple(text, builder, step, Type::kB32, 2);
}

Decoder FindFloatDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
