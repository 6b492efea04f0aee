// Fields of bits: extract, insert, find, masks, permuted bytes and three-input logic.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

// bfe: `length` bits from `position` on; both count in their low eight bits. Beyond the value's
// end come zeros, or copies of the sign where T is signed.
template <typename T>
void ExtractStep(Thread& t, const Instruction& i) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t kWidth = 8 * sizeof(T);
  const U value = t.Get<U>(i.slot[1]);
  const uint32_t position = t.Get<uint32_t>(i.slot[2]) & 255;
  const uint32_t length = t.Get<uint32_t>(i.slot[3]) & 255;
  U result = position < kWidth ? value >> position : 0;
  const U mask = length >= kWidth ? static_cast<U>(~U{0}) : (U{1} << length) - 1;
  result &= mask;
  if (std::is_signed_v<T> && length > 0) {
    const uint32_t sign = std::min(position + length - 1, kWidth - 1);
    const uint32_t kept = position < kWidth ? std::min(length, kWidth - position) : 0;
    if ((value >> sign & 1) != 0 && kept < kWidth) result |= static_cast<U>(~U{0} << kept);
  }
  t.Set<T>(i.slot[0], static_cast<T>(result));
}
struct Extract {
  template <typename T>
  static constexpr Step kStep = &ExtractStep<T>;
};

// bfi: the low `length` bits of a, put into b at `position`.
template <typename T>
void InsertStep(Thread& t, const Instruction& i) {
  constexpr uint32_t kWidth = 8 * sizeof(T);
  const T a = t.Get<T>(i.slot[1]), b = t.Get<T>(i.slot[2]);
  const uint32_t position = t.Get<uint32_t>(i.slot[3]) & 255;
  const uint32_t length = t.Get<uint32_t>(i.slot[4]) & 255;
  T mask = 0;
  if (position < kWidth && length > 0) {
    mask = (length >= kWidth ? static_cast<T>(~T{0}) : (T{1} << length) - 1) << position;
  }
  const T moved = position < kWidth ? a << position : 0;
  t.Set<T>(i.slot[0], (b & ~mask) | (moved & mask));
}
struct Insert {
  template <typename T>
  static constexpr Step kStep = &InsertStep<T>;
};

// bfind: the position of the highest bit that differs from the sign; kShift: as the amount that
// shifts it to the top.
template <typename T, bool kShift>
void FindStep(Thread& t, const Instruction& i) {
  using U = std::make_unsigned_t<T>;
  const T given = t.Get<T>(i.slot[1]);
  const U value = static_cast<U>(given < 0 ? ~given : given);
  const uint32_t leading = static_cast<uint32_t>(std::countl_zero(value));
  const uint32_t top = 8 * sizeof(T) - 1;
  t.Set<uint32_t>(i.slot[0], value == 0 ? ~0u : kShift ? leading : top - leading);
}
template <bool kShift>
struct Find {
  template <typename T>
  static constexpr Step kStep = &FindStep<T, kShift>;
};

// bmsk: `length` ones from `position` on.
template <bool kWrap>
void MaskStep(Thread& t, const Instruction& i) {
  uint32_t position = t.Get<uint32_t>(i.slot[1]), length = t.Get<uint32_t>(i.slot[2]);
  if (kWrap) {
    position &= 31;
    length &= 31;
  }
  const uint64_t ones = length >= 32 ? 0xFFFFFFFFu : (uint64_t{1} << length) - 1;
  t.Set<uint32_t>(i.slot[0], position >= 32 ? 0 : static_cast<uint32_t>(ones << position));
}

void LogicStep(Thread& t, const Instruction& i) {  // lop3
  const uint32_t a = t.Get<uint32_t>(i.slot[1]), b = t.Get<uint32_t>(i.slot[2]);
  const uint32_t c = t.Get<uint32_t>(i.slot[3]), table = t.Get<uint32_t>(i.slot[4]);
  uint32_t result = 0;
  for (uint32_t row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  }
  t.Set<uint32_t>(i.slot[0], result);
}

enum class Permutation { kIndex, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };

// Which of the eight bytes of b:a goes to byte `to`, by prmt's modes.
uint32_t SelectedByte(Permutation mode, uint32_t selector, uint32_t to) {
  const uint32_t low = selector & 3;
  switch (mode) {
    case Permutation::kIndex:
      return selector >> (4 * to) & 7;
    case Permutation::kF4e:
      return low + to;
    case Permutation::kB4e:
      return (low - to) & 7;
    case Permutation::kRc8:
      return low;
    case Permutation::kEcl:
      return std::max(low, to);
    case Permutation::kEcr:
      return std::min(low, to);
    case Permutation::kRc16:
      return 2 * (selector & 1) + (to & 1);
  }
  return 0;
}

template <Permutation kMode>
void PermuteStep(Thread& t, const Instruction& i) {
  const uint64_t bytes = uint64_t{t.Get<uint32_t>(i.slot[2])} << 32 | t.Get<uint32_t>(i.slot[1]);
  const uint32_t selector = t.Get<uint32_t>(i.slot[3]);
  uint32_t result = 0;
  for (uint32_t to = 0; to < 4; ++to) {
    uint32_t byte = static_cast<uint32_t>(bytes >> (8 * SelectedByte(kMode, selector, to))) & 0xFF;
    const bool sign_only = kMode == Permutation::kIndex && (selector >> (4 * to) & 8) != 0;
    if (sign_only) byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << (8 * to);
  }
  t.Set<uint32_t>(i.slot[0], result);
}

void DecodeExtract(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  EmitSimple(text, builder, SizeOf(type) < 4 ? nullptr : StepForInteger<Extract>(type), type, 3);
}
void DecodeInsert(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  EmitSimple(text, builder, SizeOf(type) < 4 ? nullptr : StepForBits<Insert>(type), type, 4);
}
void DecodeFind(InstructionText& text, FunctionBuilder& builder) {
  const bool shift = text.Take("shiftamt");
  const Type type = text.TakeType();
  const Step step = shift ? StepForInteger<Find<true>>(type) : StepForInteger<Find<false>>(type);
  EmitSimple(text, builder, SizeOf(type) < 4 ? nullptr : step, type, 1);
}
void DecodeMask(InstructionText& text, FunctionBuilder& builder) {
  const bool wrap = text.TakeOneOf({"clamp", "wrap"}) == "wrap";
  const Type type = text.TakeType();
  EmitSimple(text, builder, wrap ? &MaskStep<true> : &MaskStep<false>, type, 2);
}
void DecodeLogic(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  if (type != Type::kB32) text.Refuse("lop3 is of .b32");
  EmitSimple(text, builder, &LogicStep, type, 4);
}
void DecodePermute(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  const std::string mode = text.TakeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  const Step step = mode == "f4e"    ? &PermuteStep<Permutation::kF4e>
                    : mode == "b4e"  ? &PermuteStep<Permutation::kB4e>
                    : mode == "rc8"  ? &PermuteStep<Permutation::kRc8>
                    : mode == "ecl"  ? &PermuteStep<Permutation::kEcl>
                    : mode == "ecr"  ? &PermuteStep<Permutation::kEcr>
                    : mode == "rc16" ? &PermuteStep<Permutation::kRc16>
                                     : &PermuteStep<Permutation::kIndex>;
  EmitSimple(text, builder, step, type, 3);
}

constexpr OpcodeEntry kOpcodes[] = {{"bfe", &DecodeExtract}, {"bfi", &DecodeInsert},
                                    {"bfind", &DecodeFind},  {"bmsk", &DecodeMask},
                                    {"lop3", &DecodeLogic},  {"prmt", &DecodePermute}};

}  // namespace

Decoder FindBitFieldDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
