// Integer sums, differences, quotients and extremes, with and without carry.
#include <algorithm>
#include <type_traits>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_float.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

// Unsigned arithmetic in 64 bits: every wrap is defined.
template <typename T>
uint64_t Wide(T value) {
  return static_cast<uint64_t>(value);
}

struct Add {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(Wide(a) + Wide(b));
  }
};
struct Sub {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(Wide(a) - Wide(b));
  }
};
struct Neg {
  template <typename T>
  static T Of(T a) {
    return static_cast<T>(0 - Wide(a));
  }
};
struct Abs {
  template <typename T>
  static T Of(T a) {
    return a < 0 ? Neg::Of(a) : a;
  }
};
struct Min {
  template <typename T>
  static T Of(T a, T b) {
    return std::min(a, b);
  }
};
struct Max {
  template <typename T>
  static T Of(T a, T b) {
    return std::max(a, b);
  }
};
struct AbsoluteDifference {  // sad: |a - b| + c
  template <typename T>
  static T Of(T a, T b, T c) {
    return Add::Of(a < b ? Sub::Of(b, a) : Sub::Of(a, b), c);
  }
};

template <typename T, bool kRemainder>
void DivideStep(Thread& t, const Instruction& i) {
  const T a = t.Get<T>(i.slot[1]), b = t.Get<T>(i.slot[2]);
  if (b == 0) t.Fail("division by zero", i);
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) {  // the smallest value by -1 wraps
    t.Set<T>(i.slot[0], kRemainder ? 0 : Neg::Of(a));
  } else {
    t.Set<T>(i.slot[0], static_cast<T>(kRemainder ? a % b : a / b));
  }
}
template <bool kRemainder>
struct DivideBy {
  template <typename T>
  static constexpr Step kStep = &DivideStep<T, kRemainder>;
};

// Sum or difference of T with the carry taken in, given out, or both. A borrow is a carry of 1.
template <typename T, bool kSubtract, bool kIn, bool kOut>
void CarryStep(Thread& t, const Instruction& i) {
  const T a = t.Get<T>(i.slot[1]), b = t.Get<T>(i.slot[2]);
  const T in = kIn && t.carry ? 1 : 0;
  T result, rest;
  bool out;
  if constexpr (kSubtract) {
    out = __builtin_sub_overflow(a, b, &rest);
    out |= __builtin_sub_overflow(rest, in, &result);
  } else {
    out = __builtin_add_overflow(a, b, &rest);
    out |= __builtin_add_overflow(rest, in, &result);
  }
  t.Set<T>(i.slot[0], result);
  if (kOut) t.carry = out;
}

template <typename T, bool kSubtract>
Step CarryStepFor(bool in, bool out) {
  if (in) return out ? &CarryStep<T, kSubtract, true, true> : &CarryStep<T, kSubtract, true, false>;
  return &CarryStep<T, kSubtract, false, true>;
}

void EmitCarry(InstructionText& text, FunctionBuilder& builder, Type type, bool subtract, bool in,
               bool out) {
  const bool wide = SizeOf(type) == 8;
  if (IsFloat(type) || SizeOf(type) < 4) text.Refuse("carry of this type");
  const Step step = subtract ? (wide ? CarryStepFor<uint64_t, true>(in, out)
                                     : CarryStepFor<uint32_t, true>(in, out))
                             : (wide ? CarryStepFor<uint64_t, false>(in, out)
                                     : CarryStepFor<uint32_t, false>(in, out));
  EmitSimple(text, builder, step, type, 2);
}

void DecodeSum(InstructionText& text, FunctionBuilder& builder) {
  const bool subtract = text.opcode() == "sub";
  const bool carry_out = text.Take("cc");
  const Type type = text.TakeType();
  if (IsFloat(type)) return EmitFloatArithmetic(text, builder, type);
  if (carry_out) return EmitCarry(text, builder, type, subtract, false, true);
  const Step step = subtract ? StepForBits<Binary<Sub>>(type) : StepForBits<Binary<Add>>(type);
  EmitSimple(text, builder, step, type, 2);
}

void DecodeCarry(InstructionText& text, FunctionBuilder& builder) {
  const bool carry_out = text.Take("cc");
  EmitCarry(text, builder, text.TakeType(), text.opcode() == "subc", true, carry_out);
}

void DecodeDivide(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  if (IsFloat(type)) return EmitFloatArithmetic(text, builder, type);
  const Step step = text.opcode() == "rem" ? StepForInteger<DivideBy<true>>(type)
                                           : StepForInteger<DivideBy<false>>(type);
  EmitSimple(text, builder, step, type, 2);
}

void DecodeSign(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  if (IsFloat(type)) return EmitFloatSign(text, builder, type);
  const Step step =
      text.opcode() == "neg" ? StepForInteger<Unary<Neg>>(type) : StepForInteger<Unary<Abs>>(type);
  EmitSimple(text, builder, step, type, 1);
}

void DecodeExtreme(InstructionText& text, FunctionBuilder& builder) {
  const bool half = text.Take("f16x2");
  if (half || text.Take("bf16x2")) return EmitPackedMax(text, builder, half);
  const Type type = text.TakeType();
  if (IsFloat(type)) return EmitFloatExtreme(text, builder, type);
  const Step step = text.opcode() == "min" ? StepForInteger<Binary<Min>>(type)
                                           : StepForInteger<Binary<Max>>(type);
  EmitSimple(text, builder, step, type, 2);
}

void DecodeAbsoluteDifference(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  EmitSimple(text, builder, StepForInteger<Ternary<AbsoluteDifference>>(type), type, 3);
}

constexpr OpcodeEntry kOpcodes[] = {{"add", &DecodeSum},
                                    {"sub", &DecodeSum},
                                    {"addc", &DecodeCarry},
                                    {"subc", &DecodeCarry},
                                    {"div", &DecodeDivide},
                                    {"rem", &DecodeDivide},
                                    {"neg", &DecodeSign},
                                    {"abs", &DecodeSign},
                                    {"min", &DecodeExtreme},
                                    {"max", &DecodeExtreme},
                                    {"sad", &DecodeAbsoluteDifference}};

}  // namespace

Decoder FindIntegerDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
