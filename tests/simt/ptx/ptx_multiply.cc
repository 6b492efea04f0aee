// Integer products: low, high and wide, with a sum, with carry.
#include <type_traits>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_float.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

template <typename T>
using Doubled = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

struct Low {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
};
struct High {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>((static_cast<Doubled<T>>(a) * static_cast<Doubled<T>>(b)) >>
                          (8 * sizeof(T)));
  }
};
template <typename F>
struct PlusThird {
  template <typename T>
  static T Of(T a, T b, T c) {
    return static_cast<T>(static_cast<uint64_t>(F::template Of<T>(a, b)) +
                          static_cast<uint64_t>(c));
  }
};

template <typename T, bool kAdd>
void WideStep(Thread& t, const Instruction& i) {
  using W = Doubled<T>;
  using U = std::make_unsigned_t<W>;
  const U product =
      static_cast<U>(static_cast<W>(t.Get<T>(i.slot[1])) * static_cast<W>(t.Get<T>(i.slot[2])));
  t.Set<W>(i.slot[0],
           static_cast<W>(kAdd ? static_cast<U>(product + t.Get<U>(i.slot[3])) : product));
}

template <bool kAdd>
Step WideStepFor(Type type) {
  switch (type) {
    case Type::kU16:
      return &WideStep<uint16_t, kAdd>;
    case Type::kS16:
      return &WideStep<int16_t, kAdd>;
    case Type::kU32:
      return &WideStep<uint32_t, kAdd>;
    case Type::kS32:
      return &WideStep<int32_t, kAdd>;
    default:
      return nullptr;
  }
}

// mad.{lo,hi}.cc and madc: the product's half plus c plus the carry.
template <typename T, typename F, bool kIn, bool kOut>
void CarryStep(Thread& t, const Instruction& i) {
  using U = std::make_unsigned_t<T>;
  const U half = static_cast<U>(F::template Of<T>(t.Get<T>(i.slot[1]), t.Get<T>(i.slot[2])));
  U sum, result;
  bool out = __builtin_add_overflow(half, t.Get<U>(i.slot[3]), &sum);
  out |= __builtin_add_overflow(sum, static_cast<U>(kIn && t.carry), &result);
  t.Set<T>(i.slot[0], static_cast<T>(result));
  if (kOut) t.carry = out;
}
template <typename F, bool kIn, bool kOut>
struct WithCarry {
  template <typename T>
  static constexpr Step kStep = &CarryStep<T, F, kIn, kOut>;
};

template <typename F>
Step CarryStepFor(Type type, bool in, bool out) {
  if (SizeOf(type) < 4) return nullptr;
  if (!in) return StepForInteger<WithCarry<F, false, true>>(type);
  return out ? StepForInteger<WithCarry<F, true, true>>(type)
             : StepForInteger<WithCarry<F, true, false>>(type);
}

void DecodeMultiply(InstructionText& text, FunctionBuilder& builder) {
  const bool carry_in = text.opcode() == "madc";
  const bool add = carry_in || text.opcode() == "mad";
  const std::string part = text.TakeOneOf({"lo", "hi", "wide"});
  const bool carry_out = text.Take("cc");
  const Type type = text.TakeType();
  if (IsFloat(type) && !carry_in) return EmitFloatArithmetic(text, builder, type);
  const size_t sources = add ? 3 : 2;
  Step step = nullptr;
  if (carry_in || carry_out) {
    step = part == "lo"   ? CarryStepFor<Low>(type, carry_in, carry_out)
           : part == "hi" ? CarryStepFor<High>(type, carry_in, carry_out)
                          : nullptr;
  } else if (part == "lo") {
    step = add ? StepForBits<Ternary<PlusThird<Low>>>(type) : StepForBits<Binary<Low>>(type);
  } else if (part == "hi") {
    step =
        add ? StepForInteger<Ternary<PlusThird<High>>>(type) : StepForInteger<Binary<High>>(type);
  } else if (part == "wide") {
    step = add ? WideStepFor<true>(type) : WideStepFor<false>(type);
  }
  EmitSimple(text, builder, step, type, sources);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"mul", &DecodeMultiply}, {"mad", &DecodeMultiply}, {"madc", &DecodeMultiply}};

}  // namespace

Decoder FindMultiplyDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
