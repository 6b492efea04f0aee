// Copies into shared memory that end later, and the mbarriers that say when.
#include <cstring>

#include "tests/simt/async_copy.h"
#include "tests/simt/ptx/ptx_address.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

void CopyBytes(void* to, const void* from, size_t bytes) { std::memcpy(to, from, bytes); }

// The address in a slot, plus `immediate`.
std::byte* Place(Thread& t, uint32_t slot, Space space, size_t bytes, size_t alignment,
                 const Instruction& i) {
  return t.Address(space, t.Get<uint64_t>(slot) + static_cast<uint64_t>(i.immediate), bytes,
                   alignment, i);
}

// An address with a displacement becomes a slot of its own: several of them meet in one
// instruction here.
void SumStep(Thread& t, const Instruction& i) {
  t.Set<uint64_t>(i.slot[0], t.Get<uint64_t>(i.slot[1]) + static_cast<uint64_t>(i.immediate));
}
uint32_t AddressSlot(InstructionText& text, FunctionBuilder& builder, size_t operand) {
  const MemoryOperand memory = builder.Memory(text, operand);
  if (memory.displacement == 0) return memory.base;
  const uint32_t sum = builder.NewSlot();
  builder.Emit(text, &SumStep, {sum, memory.base}).immediate = memory.displacement;
  return sum;
}

// slot: to, from, size.
void CopyStep(Thread& t, const Instruction& i) {
  const uint64_t bytes = t.Get<uint64_t>(i.slot[2]);
  emulator::AsyncCopy(Place(t, i.slot[0], Space::kShared, bytes, bytes, i),
                      Place(t, i.slot[1], Space::kGlobal, bytes, bytes, i), bytes, &CopyBytes,
                      t.site(i));
}
void CommitStep(Thread&, const Instruction&) { emulator::AsyncCopyCommit(); }
void WaitGroupStep(Thread& t, const Instruction& i) {
  emulator::AsyncCopyWait(t.Get<uint32_t>(i.slot[0]));
}
void WaitAllStep(Thread&, const Instruction&) {
  emulator::AsyncCopyCommit();
  emulator::AsyncCopyWait(0);
}

Barrier* BarrierAt(Thread& t, uint32_t slot, const Instruction& i) {
  return reinterpret_cast<Barrier*>(
      t.Address(i.space, t.Get<uint64_t>(slot), sizeof(Barrier), alignof(Barrier), i));
}
// Lets the race detector see the use.
Barrier* UsedBarrierAt(Thread& t, uint32_t slot, const Instruction& i) {
  Barrier* barrier = BarrierAt(t, slot, i);
  __atomic_load_n(&barrier->state, __ATOMIC_RELAXED);
  return barrier;
}

// slot: to, from, size, barrier.
void BulkCopyStep(Thread& t, const Instruction& i) {
  const uint32_t bytes = t.Get<uint32_t>(i.slot[2]);
  if (bytes % 16 != 0) t.Fail("bulk copy of " + std::to_string(bytes) + " bytes", i);
  emulator::BulkCopy(Place(t, i.slot[0], Space::kSharedCluster, bytes, 16, i),
                     Place(t, i.slot[1], Space::kGlobal, bytes, 16, i), bytes,
                     BarrierAt(t, i.slot[3], i), &CopyBytes, t.site(i));
}
// slot: barrier, arrivals.
void InitStep(Thread& t, const Instruction& i) {
  Barrier* barrier = BarrierAt(t, i.slot[0], i);
  const uint32_t arrivals = t.Get<uint32_t>(i.slot[1]);
  barrier->state = arrivals;  // a plain store: a race with any use that no barrier separates
  emulator::BarrierInit(barrier, arrivals, t.site(i));
}
void ArriveStep(Thread& t, const Instruction& i) {
  Barrier* barrier = UsedBarrierAt(t, i.slot[0], i);
  for (uint32_t k = 0; k < t.Get<uint32_t>(i.slot[1]); ++k) {
    emulator::BarrierArrive(barrier, 0, t.site(i));
  }
}
void ArriveExpectStep(Thread& t, const Instruction& i) {
  emulator::BarrierArrive(UsedBarrierAt(t, i.slot[0], i), t.Get<uint32_t>(i.slot[1]), t.site(i));
}
void ExpectStep(Thread& t, const Instruction& i) {
  emulator::BarrierExpectOnly(UsedBarrierAt(t, i.slot[0], i), t.Get<uint32_t>(i.slot[1]),
                              t.site(i));
}
// slot: result, barrier, parity.
void TestStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], emulator::BarrierTest(UsedBarrierAt(t, i.slot[1], i),
                                                   t.Get<uint32_t>(i.slot[2]), t.site(i))
                                 ? 1
                                 : 0);
}

void DecodeBulkCopy(InstructionText& text, FunctionBuilder& builder) {
  const std::string to = text.TakeOneOf({"shared::cluster", "shared::cta"});
  const bool from = text.Take("global");
  const bool completes = text.Take("mbarrier::complete_tx::bytes");
  text.Take("L2::cache_hint");
  if (to.empty() || !from || !completes) text.Refuse("no such bulk copy is emulated");
  text.RequireOperands(4, 5);
  const uint32_t size = builder.Operand(text, 2, Type::kU32);
  const uint32_t to_slot = AddressSlot(text, builder, 0), from_slot = AddressSlot(text, builder, 1);
  const uint32_t barrier = AddressSlot(text, builder, 3);
  builder.Emit(text, &BulkCopyStep, {to_slot, from_slot, size, barrier}).space =
      Space::kSharedCluster;
}

void DecodeCopy(InstructionText& text, FunctionBuilder& builder) {
  if (!text.Take("async")) text.Refuse("no such copy");
  if (text.Take("bulk")) return DecodeBulkCopy(text, builder);
  if (text.Take("commit_group")) {
    builder.Emit(text, &CommitStep, {});
  } else if (text.Take("wait_all")) {
    builder.Emit(text, &WaitAllStep, {});
  } else if (text.Take("wait_group")) {
    builder.Emit(text, &WaitGroupStep, {builder.Operand(text, 0, Type::kU32)});
  } else {
    text.TakeOneOf({"ca", "cg"});
    text.TakeAll("L2::");
    if (text.TakeOneOf({"shared", "shared::cta"}).empty() || !text.Take("global")) {
      text.Refuse("no such asynchronous copy is emulated");
    }
    text.RequireOperands(3, 3);
    const std::string& size = text.operand(2);
    if (size != "4" && size != "8" && size != "16") text.Refuse("copies 4, 8 or 16 bytes");
    const uint32_t to = AddressSlot(text, builder, 0), from = AddressSlot(text, builder, 1);
    builder.Emit(text, &CopyStep, {to, from, builder.Operand(text, 2, Type::kU32)});
  }
}

void EmitArrive(InstructionText& text, FunctionBuilder& builder, Space space) {
  const bool expect = text.Take("expect_tx");
  text.RequireOperands(2, 3);
  if (text.operand(0) != "_") builder.Destination(text, 0);  // its phase: only waits by parity run
  const uint32_t barrier = AddressSlot(text, builder, 1);
  if (expect && text.operand_count() < 3) text.Refuse("too few operands");
  const uint32_t count =
      text.operand_count() > 2 ? builder.Operand(text, 2, Type::kU32) : builder.Constant(1);
  builder.Emit(text, expect ? &ArriveExpectStep : &ArriveStep, {barrier, count}).space = space;
}

void DecodeBarrierObject(InstructionText& text, FunctionBuilder& builder) {
  const std::string what =
      text.TakeOneOf({"init", "inval", "arrive", "expect_tx", "test_wait", "try_wait"});
  text.TakeOneOf({"release", "acquire", "relaxed"});
  text.TakeOneOf({"cta", "cluster"});
  // A generic address is one of shared memory here too.
  const Space space = TakeSpace(text);
  if (text.HasType()) text.TakeType();
  if (what == "arrive") return EmitArrive(text, builder, space);
  if (what == "init" || what == "expect_tx") {
    text.RequireOperands(2, 2);
    const uint32_t barrier = AddressSlot(text, builder, 0);
    builder
        .Emit(text, what == "init" ? &InitStep : &ExpectStep,
              {barrier, builder.Operand(text, 1, Type::kU32)})
        .space = space;
  } else if (what == "test_wait" || what == "try_wait") {
    if (!text.Take("parity")) text.Refuse("only waits by parity are emulated");
    text.RequireOperands(3, 4);  // the fourth is how long to wait at most
    const uint32_t barrier = AddressSlot(text, builder, 1);
    const uint32_t parity = builder.Operand(text, 2, Type::kU32);
    builder.Emit(text, &TestStep, {builder.Destination(text, 0), barrier, parity}).space = space;
  } else {
    text.Refuse("no such use of an mbarrier is emulated");
  }
}

constexpr OpcodeEntry kOpcodes[] = {{"cp", &DecodeCopy}, {"mbarrier", &DecodeBarrierObject}};

}  // namespace

Decoder FindAsyncDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
