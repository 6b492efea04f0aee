// Steps made from a function of values: F has `template <typename T> static T Of(T...)`.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_STEPS_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_STEPS_H_

#include <cstdint>

#include "tests/simt/ptx/ptx_builder.h"
#include "tests/simt/ptx/ptx_thread.h"
#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

template <typename F, typename T>
void UnaryStep(Thread& t, const Instruction& i) {
  t.Set<T>(i.slot[0], F::template Of<T>(t.Get<T>(i.slot[1])));
}
template <typename F, typename T>
void BinaryStep(Thread& t, const Instruction& i) {
  t.Set<T>(i.slot[0], F::template Of<T>(t.Get<T>(i.slot[1]), t.Get<T>(i.slot[2])));
}
template <typename F, typename T>
void TernaryStep(Thread& t, const Instruction& i) {
  t.Set<T>(i.slot[0],
           F::template Of<T>(t.Get<T>(i.slot[1]), t.Get<T>(i.slot[2]), t.Get<T>(i.slot[3])));
}

template <typename F>
struct Unary {
  template <typename T>
  static constexpr Step kStep = &UnaryStep<F, T>;
};
template <typename F>
struct Binary {
  template <typename T>
  static constexpr Step kStep = &BinaryStep<F, T>;
};
template <typename F>
struct Ternary {
  template <typename T>
  static constexpr Step kStep = &TernaryStep<F, T>;
};

// The step for a type; null where the family has none. Untyped bits are unsigned.
template <typename S>
Step StepForInteger(Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return S::template kStep<uint16_t>;
    case Type::kB32:
    case Type::kU32:
      return S::template kStep<uint32_t>;
    case Type::kB64:
    case Type::kU64:
      return S::template kStep<uint64_t>;
    case Type::kS16:
      return S::template kStep<int16_t>;
    case Type::kS32:
      return S::template kStep<int32_t>;
    case Type::kS64:
      return S::template kStep<int64_t>;
    default:
      return nullptr;
  }
}
// Where the sign does not matter.
template <typename S>
Step StepForBits(Type type) {
  switch (SizeOf(type)) {
    case 2:
      return S::template kStep<uint16_t>;
    case 4:
      return type == Type::kPred ? nullptr : S::template kStep<uint32_t>;
    case 8:
      return S::template kStep<uint64_t>;
    default:
      return nullptr;
  }
}
template <typename S>
Step StepForFloat(Type type) {
  if (type == Type::kF32) return S::template kStep<float>;
  if (type == Type::kF64) return S::template kStep<double>;
  return nullptr;
}

// Emits "op d, a, b, ..." with all sources of one type; refuses where there is no step.
inline Instruction& EmitSimple(const InstructionText& text, FunctionBuilder& builder, Step step,
                               Type type, size_t sources) {
  if (step == nullptr) text.Refuse("no such instruction of this type");
  text.RequireOperands(sources + 1, sources + 1);
  uint32_t slots[5] = {};
  for (size_t i = 1; i <= sources; ++i) slots[i] = builder.Operand(text, i, type);
  slots[0] = builder.Destination(text, 0);
  Instruction& instruction = builder.Emit(text, step, {});
  for (size_t i = 0; i <= sources; ++i) instruction.slot[i] = slots[i];
  instruction.count = static_cast<uint8_t>(sources + 1);
  return instruction;
}

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_STEPS_H_
