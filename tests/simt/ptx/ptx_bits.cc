// Logic, shifts and counts of bits.
#include <algorithm>
#include <bit>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

struct And {
  template <typename T>
  static T Of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <typename T>
  static T Of(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static T Of(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <typename T>
  static T Of(T a) {
    return static_cast<T>(~a);
  }
};
struct IsZero {  // cnot
  template <typename T>
  static T Of(T a) {
    return a == 0 ? 1 : 0;
  }
};

// Predicates are 0 or 1 in slots of 64 bits, but a register that holds garbage is true as well.
template <typename F>
void PredicateStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0],
                  F::template Of<uint32_t>(t.Predicate(i.slot[1]), t.Predicate(i.slot[2])));
}
void NotPredicateStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], t.Predicate(i.slot[1]) ? 0 : 1);
}

// The amount is 32 bits of any size; from the width on everything is shifted out.
template <typename T>
void ShiftLeftStep(Thread& t, const Instruction& i) {
  const uint32_t amount = t.Get<uint32_t>(i.slot[2]);
  const uint64_t value = t.Get<T>(i.slot[1]);
  t.Set<T>(i.slot[0], amount >= 8 * sizeof(T) ? T{0} : static_cast<T>(value << amount));
}
template <typename T>
void ShiftRightStep(Thread& t, const Instruction& i) {
  const uint32_t amount = t.Get<uint32_t>(i.slot[2]), width = 8 * sizeof(T);
  const T value = t.Get<T>(i.slot[1]);
  if (amount >= width) {
    t.Set<T>(i.slot[0], value < 0 ? static_cast<T>(-1) : T{0});
  } else {
    t.Set<T>(i.slot[0], static_cast<T>(value >> amount));
  }
}
struct ShiftLeft {
  template <typename T>
  static constexpr Step kStep = &ShiftLeftStep<T>;
};
struct ShiftRight {
  template <typename T>
  static constexpr Step kStep = &ShiftRightStep<T>;
};

// shf: 32 bits out of b:a, by an amount that is clamped to 32 or taken modulo 32.
template <bool kLeft, bool kClamp>
void FunnelStep(Thread& t, const Instruction& i) {
  const uint64_t both = uint64_t{t.Get<uint32_t>(i.slot[2])} << 32 | t.Get<uint32_t>(i.slot[1]);
  const uint32_t given = t.Get<uint32_t>(i.slot[3]);
  const uint32_t amount = kClamp ? std::min(given, 32u) : given & 31;
  t.Set<uint32_t>(i.slot[0], static_cast<uint32_t>(kLeft ? both >> (32 - amount) : both >> amount));
}

// Counts give 32 bits whatever they count in.
template <typename T>
void PopulationStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], static_cast<uint32_t>(std::popcount(t.Get<T>(i.slot[1]))));
}
template <typename T>
void LeadingZerosStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], static_cast<uint32_t>(std::countl_zero(t.Get<T>(i.slot[1]))));
}
struct Population {
  template <typename T>
  static constexpr Step kStep = &PopulationStep<T>;
};
struct LeadingZeros {
  template <typename T>
  static constexpr Step kStep = &LeadingZerosStep<T>;
};
struct Reverse {
  template <typename T>
  static T Of(T value) {
    T result = 0;
    for (size_t bit = 0; bit < 8 * sizeof(T); ++bit) {
      result = static_cast<T>(result << 1 | (value >> bit & 1));
    }
    return result;
  }
};

template <typename F>
void EmitLogic(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  const Step step = type == Type::kPred ? &PredicateStep<F> : StepForBits<Binary<F>>(type);
  EmitSimple(text, builder, step, type, 2);
}
void DecodeNot(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  const Step step = type == Type::kPred ? &NotPredicateStep : StepForBits<Unary<Not>>(type);
  EmitSimple(text, builder, step, type, 1);
}
void DecodeCnot(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  EmitSimple(text, builder, StepForBits<Unary<IsZero>>(type), type, 1);
}
void DecodeShift(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  const Step step =
      text.opcode() == "shl" ? StepForBits<ShiftLeft>(type) : StepForInteger<ShiftRight>(type);
  EmitSimple(text, builder, step, type, 2);
}
void DecodeFunnel(InstructionText& text, FunctionBuilder& builder) {
  const bool left = text.TakeOneOf({"l", "r"}) == "l";
  const bool clamp = text.TakeOneOf({"clamp", "wrap"}) == "clamp";
  const Type type = text.TakeType();
  if (type != Type::kB32) text.Refuse("shf is of .b32");
  const Step step = left ? (clamp ? &FunnelStep<true, true> : &FunnelStep<true, false>)
                         : (clamp ? &FunnelStep<false, true> : &FunnelStep<false, false>);
  EmitSimple(text, builder, step, type, 3);
}
template <typename S>
void EmitCount(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  EmitSimple(text, builder, SizeOf(type) < 4 ? nullptr : StepForBits<S>(type), type, 1);
}

constexpr OpcodeEntry kOpcodes[] = {{"and", &EmitLogic<And>},
                                    {"or", &EmitLogic<Or>},
                                    {"xor", &EmitLogic<Xor>},
                                    {"not", &DecodeNot},
                                    {"cnot", &DecodeCnot},
                                    {"shl", &DecodeShift},
                                    {"shr", &DecodeShift},
                                    {"shf", &DecodeFunnel},
                                    {"popc", &EmitCount<Population>},
                                    {"clz", &EmitCount<LeadingZeros>},
                                    {"brev", &EmitCount<Unary<Reverse>>}};

}  // namespace

Decoder FindBitDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
