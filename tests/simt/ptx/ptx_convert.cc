// cvt: between integers, between floats, and from one to the other, in every rounding.
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

enum class Rounding { kNearest, kZero, kDown, kUp };

// All values of the types here are exact in 64 bits of significand.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

template <Rounding kRounding>
Exact ToIntegral(Exact x) {
  return kRounding == Rounding::kNearest ? std::nearbyint(x)
         : kRounding == Rounding::kZero  ? std::trunc(x)
         : kRounding == Rounding::kDown  ? std::floor(x)
                                         : std::ceil(x);
}

template <Rounding kRounding, typename To>
To ToFloat(Exact x) {
  To nearest = static_cast<To>(x);
  if (nearest != nearest)
    return std::is_same_v<To, float> ? std::bit_cast<float>(0x7FFFFFFFu) : nearest;
  const bool too_high = nearest > x, too_low = nearest < x;
  if constexpr (kRounding != Rounding::kNearest) {
    const bool wants_down = kRounding == Rounding::kDown || (kRounding == Rounding::kZero && x > 0);
    const bool wants_up = kRounding == Rounding::kUp || (kRounding == Rounding::kZero && x < 0);
    if (too_high && wants_down) {
      nearest = std::nextafter(nearest, -std::numeric_limits<To>::infinity());
    }
    if (too_low && wants_up) nearest = std::nextafter(nearest, std::numeric_limits<To>::infinity());
  }
  return nearest;
}

// Out of range gives the nearest end; NaN gives 0.
template <typename To>
To ToInteger(Exact integral) {
  if (integral != integral) return 0;
  if (integral <= static_cast<Exact>(std::numeric_limits<To>::min())) {
    return std::numeric_limits<To>::min();
  }
  if (integral >= static_cast<Exact>(std::numeric_limits<To>::max())) {
    return std::numeric_limits<To>::max();
  }
  return static_cast<To>(integral);
}

template <typename To, typename From, Rounding kRounding, bool kIntegral>
void ConvertStep(Thread& t, const Instruction& i) {
  const From from = t.Get<From>(i.slot[1]);
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    t.Set<To>(i.slot[0], static_cast<To>(from));
  } else if constexpr (std::is_integral_v<To>) {
    t.Set<To>(i.slot[0], ToInteger<To>(ToIntegral<kRounding>(from)));
  } else if constexpr (kIntegral && !std::is_integral_v<From>) {
    t.Set<To>(i.slot[0], ToFloat<Rounding::kNearest, To>(ToIntegral<kRounding>(from)));
  } else {
    t.Set<To>(i.slot[0], ToFloat<kRounding, To>(from));
  }
}

template <typename To, typename From, bool kIntegral>
Step StepRounded(Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest:
      return &ConvertStep<To, From, Rounding::kNearest, kIntegral>;
    case Rounding::kZero:
      return &ConvertStep<To, From, Rounding::kZero, kIntegral>;
    case Rounding::kDown:
      return &ConvertStep<To, From, Rounding::kDown, kIntegral>;
    case Rounding::kUp:
      return &ConvertStep<To, From, Rounding::kUp, kIntegral>;
  }
  return nullptr;
}

template <typename To>
Step StepFrom(Type from, Rounding rounding, bool integral) {
  switch (from) {
    case Type::kU8:
      return StepRounded<To, uint8_t, false>(rounding);
    case Type::kU16:
      return StepRounded<To, uint16_t, false>(rounding);
    case Type::kU32:
      return StepRounded<To, uint32_t, false>(rounding);
    case Type::kU64:
      return StepRounded<To, uint64_t, false>(rounding);
    case Type::kS8:
      return StepRounded<To, int8_t, false>(rounding);
    case Type::kS16:
      return StepRounded<To, int16_t, false>(rounding);
    case Type::kS32:
      return StepRounded<To, int32_t, false>(rounding);
    case Type::kS64:
      return StepRounded<To, int64_t, false>(rounding);
    case Type::kF32:
      return integral ? StepRounded<To, float, true>(rounding)
                      : StepRounded<To, float, false>(rounding);
    case Type::kF64:
      return integral ? StepRounded<To, double, true>(rounding)
                      : StepRounded<To, double, false>(rounding);
    default:
      return nullptr;
  }
}

Step StepFor(Type to, Type from, Rounding rounding, bool integral) {
  switch (to) {
    case Type::kU8:
      return StepFrom<uint8_t>(from, rounding, integral);
    case Type::kU16:
      return StepFrom<uint16_t>(from, rounding, integral);
    case Type::kU32:
      return StepFrom<uint32_t>(from, rounding, integral);
    case Type::kU64:
      return StepFrom<uint64_t>(from, rounding, integral);
    case Type::kS8:
      return StepFrom<int8_t>(from, rounding, integral);
    case Type::kS16:
      return StepFrom<int16_t>(from, rounding, integral);
    case Type::kS32:
      return StepFrom<int32_t>(from, rounding, integral);
    case Type::kS64:
      return StepFrom<int64_t>(from, rounding, integral);
    case Type::kF32:
      return StepFrom<float>(from, rounding, integral);
    case Type::kF64:
      return StepFrom<double>(from, rounding, integral);
    default:
      return nullptr;
  }
}

void DecodeConvert(InstructionText& text, FunctionBuilder& builder) {
  const std::string integral = text.TakeOneOf({"rni", "rzi", "rmi", "rpi"});
  const std::string rounded = text.TakeOneOf({"rn", "rz", "rm", "rp"});
  const Type to = text.TakeType(), from = text.TakeType();
  const bool exact = !IsFloat(to) || (to == Type::kF64 && (IsFloat(from) || SizeOf(from) < 8)) ||
                     (to == Type::kF32 && (from == Type::kF32 || SizeOf(from) < 4));
  if (rounded.empty() && integral.empty() && (!exact || (IsFloat(from) && !IsFloat(to)))) {
    text.Refuse("needs a rounding");
  }
  const char direction = !integral.empty() ? integral[1] : rounded.empty() ? 'n' : rounded[1];
  const Rounding rounding = direction == 'z'   ? Rounding::kZero
                            : direction == 'm' ? Rounding::kDown
                            : direction == 'p' ? Rounding::kUp
                                               : Rounding::kNearest;
  EmitSimple(text, builder, StepFor(to, from, rounding, !integral.empty()), from, 1);
}

constexpr OpcodeEntry kOpcodes[] = {{"cvt", &DecodeConvert}};

}  // namespace

Decoder FindConvertDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
