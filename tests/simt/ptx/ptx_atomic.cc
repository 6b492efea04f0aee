// atom and red, relaxed as on the device, with fences for stronger orders.
#include <type_traits>

#include "tests/simt/collectives.h"
#include "tests/simt/ptx/ptx_address.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

struct Add {
  template <typename T>
  static T Of(T old, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return old + b;
    else
      return static_cast<T>(static_cast<uint64_t>(old) + static_cast<uint64_t>(b));
  }
};
struct Min {
  template <typename T>
  static T Of(T old, T b) {
    return b < old ? b : old;
  }
};
struct Max {
  template <typename T>
  static T Of(T old, T b) {
    return old < b ? b : old;
  }
};
struct And {
  template <typename T>
  static T Of(T old, T b) {
    return old & b;
  }
};
struct Or {
  template <typename T>
  static T Of(T old, T b) {
    return old | b;
  }
};
struct Xor {
  template <typename T>
  static T Of(T old, T b) {
    return old ^ b;
  }
};
struct Exchange {
  template <typename T>
  static T Of(T, T b) {
    return b;
  }
};
struct Increment {  // inc: wraps to 0 beyond b
  template <typename T>
  static T Of(T old, T b) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct Decrement {  // dec: wraps to b
  template <typename T>
  static T Of(T old, T b) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};

template <typename T>
T* Place(Thread& t, const Instruction& i) {
  const uint64_t address = t.Get<uint64_t>(i.slot[1]) + static_cast<uint64_t>(i.immediate);
  return reinterpret_cast<T*>(t.Address(i.space, address, sizeof(T), sizeof(T), i));
}

// slot: result, address, operand.
template <typename F, typename T>
void UpdateStep(Thread& t, const Instruction& i) {
  T* place = Place<T>(t, i);
  emulator::AtomicPoint();
  T old;
  __atomic_load(place, &old, __ATOMIC_RELAXED);
  const T operand = t.Get<T>(i.slot[2]);
  T next = F::template Of<T>(old, operand);
  while (
      !__atomic_compare_exchange(place, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    next = F::template Of<T>(old, operand);
  }
  t.Set<T>(i.slot[0], old);
}
template <typename F>
struct Update {
  template <typename T>
  static constexpr Step kStep = &UpdateStep<F, T>;
};

template <typename T>
void CompareAndSwapStep(Thread& t, const Instruction& i) {
  T* place = Place<T>(t, i);
  emulator::SpinPoint();  // a loop around it must let the other side go on
  T expected = t.Get<T>(i.slot[2]), next = t.Get<T>(i.slot[3]);
  __atomic_compare_exchange(place, &expected, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  t.Set<T>(i.slot[0], expected);
}
struct CompareAndSwap {
  template <typename T>
  static constexpr Step kStep = &CompareAndSwapStep<T>;
};

void FenceStep(Thread&, const Instruction&) { emulator::Fence(); }

Step StepFor(const std::string& operation, Type type) {
  if (type == Type::kF64) return operation == "add" ? Update<Add>::kStep<double> : nullptr;
  if (IsFloat(type) || SizeOf(type) < 4) return nullptr;
  if (operation == "add") return StepForInteger<Update<Add>>(type);
  if (operation == "min") return StepForInteger<Update<Min>>(type);
  if (operation == "max") return StepForInteger<Update<Max>>(type);
  if (operation == "and") return StepForBits<Update<And>>(type);
  if (operation == "or") return StepForBits<Update<Or>>(type);
  if (operation == "xor") return StepForBits<Update<Xor>>(type);
  if (operation == "exch") return StepForBits<Update<Exchange>>(type);
  if (operation == "inc") return StepForInteger<Update<Increment>>(type);
  if (operation == "dec") return StepForInteger<Update<Decrement>>(type);
  if (operation == "cas") return StepForBits<CompareAndSwap>(type);
  return nullptr;
}

void DecodeAtomic(InstructionText& text, FunctionBuilder& builder) {
  const bool has_result = text.opcode() == "atom";
  const std::string order = text.TakeOneOf({"relaxed", "acquire", "release", "acq_rel"});
  text.TakeOneOf({"cta", "cluster", "gpu", "sys"});
  text.TakeAll("L2::");
  const Space named = TakeSpace(text);
  const std::string operation =
      text.TakeOneOf({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  const Type type = text.TakeType();
  if (type == Type::kF32) text.Refuse("f32 atomics flush subnormals in global memory only");
  const Step step = StepFor(operation, type);
  if (step == nullptr) text.Refuse("no such atomic of this type");
  const size_t first = has_result ? 1 : 0, operands = operation == "cas" ? 2 : 1;
  text.RequireOperands(first + 1 + operands, first + 2 + operands);
  const MemoryOperand memory = builder.Memory(text, first);
  const uint32_t b = builder.Operand(text, first + 1, type);
  const uint32_t c = operands > 1 ? builder.Operand(text, first + 2, type) : b;
  const uint32_t result = has_result ? builder.Destination(text, 0) : builder.NewSlot();
  if (order == "release" || order == "acq_rel") builder.Emit(text, &FenceStep, {});
  Instruction& instruction = builder.Emit(text, step, {result, memory.base, b, c});
  instruction.immediate = memory.displacement;
  instruction.space = SpaceOf(named, memory);
  if (order == "acquire" || order == "acq_rel") builder.Emit(text, &FenceStep, {});
}

constexpr OpcodeEntry kOpcodes[] = {{"atom", &DecodeAtomic}, {"red", &DecodeAtomic}};

}  // namespace

Decoder FindAtomicDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
