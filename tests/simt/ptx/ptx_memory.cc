// Loads and stores: one element or a vector of up to eight, of any space.
#include <type_traits>

#include "tests/simt/collectives.h"
#include "tests/simt/global_traffic.h"
#include "tests/simt/ptx/ptx_address.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

// How an access may be seen by other threads.
enum class Order { kWeak, kStrong };  // kStrong: volatile, relaxed, acquire, release

// What follows an acquire or comes before a release.
void FenceStep(Thread&, const Instruction&) { emulator::Fence(); }

// Whether to count it as traffic of global memory.
template <Space kSpace>
bool IsCounted(const Thread& t, uint64_t address) {
  return kSpace == Space::kGlobal || (kSpace == Space::kGeneric && !t.IsShared(address));
}

template <typename T, Space kSpace, Order kOrder>
void LoadStep(Thread& t, const Instruction& i) {
  const unsigned count = i.count - 1u;
  const uint64_t address = t.Get<uint64_t>(i.slot[0]) + static_cast<uint64_t>(i.immediate);
  const size_t bytes = sizeof(T) * count;
  const auto* from = reinterpret_cast<const T*>(
      t.Address(kSpace, address, bytes, kSpace == Space::kParam ? sizeof(T) : bytes, i));
  if (IsCounted<kSpace>(t, address)) emulator::CountLoad(from, bytes);
  if constexpr (kOrder == Order::kStrong) emulator::SpinPoint();  // a loop of them waits for others
  for (unsigned k = 0; k < count; ++k) {
    if constexpr (kOrder == Order::kStrong) {
      t.Set<T>(i.slot[k + 1], __atomic_load_n(from + k, __ATOMIC_RELAXED));
    } else {
      t.Set<T>(i.slot[k + 1], from[k]);
    }
  }
}

template <typename T, Space kSpace, Order kOrder>
void StoreStep(Thread& t, const Instruction& i) {
  const unsigned count = i.count - 1u;
  const uint64_t address = t.Get<uint64_t>(i.slot[0]) + static_cast<uint64_t>(i.immediate);
  const size_t bytes = sizeof(T) * count;
  auto* to = reinterpret_cast<T*>(
      t.Address(kSpace, address, bytes, kSpace == Space::kParam ? sizeof(T) : bytes, i));
  if (IsCounted<kSpace>(t, address)) emulator::CountStore(to, bytes);
  for (unsigned k = 0; k < count; ++k) {
    if constexpr (kOrder == Order::kStrong) {
      __atomic_store_n(to + k, t.Get<T>(i.slot[k + 1]), __ATOMIC_RELAXED);
    } else {
      to[k] = t.Get<T>(i.slot[k + 1]);
    }
  }
}

template <bool kLoad, typename T, Space kSpace>
Step Ordered(bool strong) {
  if (kLoad) {
    return strong ? &LoadStep<T, kSpace, Order::kStrong> : &LoadStep<T, kSpace, Order::kWeak>;
  }
  return strong ? &StoreStep<T, kSpace, Order::kStrong> : &StoreStep<T, kSpace, Order::kWeak>;
}

template <bool kLoad, typename T>
Step InSpace(Space space, bool strong) {
  switch (space) {
    case Space::kShared:
      return Ordered<kLoad, T, Space::kShared>(strong);
    case Space::kSharedCluster:
      return Ordered<kLoad, T, Space::kSharedCluster>(strong);
    case Space::kGlobal:
      return Ordered<kLoad, T, Space::kGlobal>(strong);
    case Space::kParam:
      return Ordered<kLoad, T, Space::kParam>(strong);
    case Space::kLocal:
    case Space::kConst:
      return Ordered<kLoad, T, Space::kLocal>(strong);
    case Space::kGeneric:
      break;
  }
  return Ordered<kLoad, T, Space::kGeneric>(strong);
}

// A signed load is extended to the register's width, another one with zeros; to store, only the
// width matters. Floats move as their bits.
template <bool kLoad>
Step StepFor(Type type, Space space, bool strong) {
  const bool with_sign = kLoad && IsSigned(type);
  switch (SizeOf(type)) {
    case 1:
      return with_sign ? InSpace<kLoad, int8_t>(space, strong)
                       : InSpace<kLoad, uint8_t>(space, strong);
    case 2:
      return with_sign ? InSpace<kLoad, int16_t>(space, strong)
                       : InSpace<kLoad, uint16_t>(space, strong);
    case 4:
      return with_sign ? InSpace<kLoad, int32_t>(space, strong)
                       : InSpace<kLoad, uint32_t>(space, strong);
    default:
      return InSpace<kLoad, uint64_t>(space, strong);
  }
}

// What only says where a value is cached.
void TakeCacheHints(InstructionText& text) {
  text.TakeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  text.Take("nc");
  text.TakeAll("L1::");
  text.TakeAll("L2::");
  text.Take("unified");
}

template <bool kLoad>
void DecodeAccess(InstructionText& text, FunctionBuilder& builder) {
  const bool fenced = text.TakeOneOf({"acquire", "release"}) != "";
  const bool strong = !text.TakeOneOf({"volatile", "relaxed"}).empty() || fenced;
  text.Take("weak");
  text.TakeOneOf({"cta", "cluster", "gpu", "sys"});
  const Space named = TakeSpace(text);
  TakeCacheHints(text);
  const std::string vector = text.TakeOneOf({"v2", "v4", "v8"});
  const Type type = text.TakeType();
  text.RequireOperands(2, 3);  // the third is a cache policy
  const MemoryOperand memory = builder.Memory(text, kLoad ? 1 : 0);
  const Space space = SpaceOf(named, memory);
  const std::vector<uint32_t> values = builder.OperandList(text, kLoad ? 0 : 1, type);
  const size_t expected = vector.empty() ? 1 : static_cast<size_t>(vector[1] - '0');
  if (values.size() != expected || expected * SizeOf(type) > 32) {
    text.Refuse("vector of another length");
  }
  if (!kLoad && fenced) builder.Emit(text, &FenceStep, {});
  Instruction& instruction = builder.Emit(text, StepFor<kLoad>(type, space, strong), {memory.base});
  for (const uint32_t slot : values) instruction.slot[instruction.count++] = slot;
  instruction.immediate = memory.displacement;
  if (kLoad && fenced) builder.Emit(text, &FenceStep, {});
}

// Has no effect that a program could see.
void NoStep(Thread&, const Instruction&) {}
void DecodePrefetch(InstructionText& text, FunctionBuilder& builder) {
  TakeSpace(text);
  text.TakeOneOf({"L1", "L2"});
  text.TakeAll("L2::");
  builder.Emit(text, &NoStep, {});
}

constexpr OpcodeEntry kOpcodes[] = {{"ld", &DecodeAccess<true>},
                                    {"ldu", &DecodeAccess<true>},
                                    {"st", &DecodeAccess<false>},
                                    {"prefetch", &DecodePrefetch},
                                    {"prefetchu", &DecodePrefetch}};

}  // namespace

Space TakeSpace(InstructionText& text) {
  const std::string name =
      text.TakeOneOf({"global", "const", "local", "param", "param::entry", "param::func", "shared",
                      "shared::cta", "shared::cluster"});
  if (name == "global") return Space::kGlobal;
  if (name == "const") return Space::kConst;
  if (name == "local") return Space::kLocal;
  if (name.starts_with("param")) return Space::kParam;
  if (name == "shared::cluster") return Space::kSharedCluster;
  return name.empty() ? Space::kGeneric : Space::kShared;
}

Space SpaceOf(Space named, const MemoryOperand& memory) {
  return named == Space::kGeneric && memory.variable != nullptr ? memory.variable->space : named;
}

Decoder FindMemoryDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
