// Barriers of a warp, a block and a cluster, fences, and addresses across a cluster.
#include "tests/simt/async_copy.h"
#include "tests/simt/collectives.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

using emulator::Vote;

void BlockStep(Thread& t, const Instruction& i) {
  emulator::BlockBarrier(Vote::kNone, 0, t.site(i));
}
// slot: result, predicate.
template <Vote kVote>
void BlockVoteStep(Thread& t, const Instruction& i) {
  const int result = emulator::BlockBarrier(kVote, t.Predicate(i.slot[1]) ? 1 : 0, t.site(i));
  t.Set<uint32_t>(i.slot[0], kVote == Vote::kCount ? static_cast<uint32_t>(result)
                             : result != 0         ? 1
                                                   : 0);
}
void WarpStep(Thread& t, const Instruction& i) {
  emulator::WarpCollective(emulator::Op::kSync, t.Get<uint32_t>(i.slot[0]), 0, 0, t.site(i));
}
void ClusterArriveStep(Thread& t, const Instruction& i) { emulator::ClusterArrive(t.site(i)); }
void ClusterWaitStep(Thread& t, const Instruction& i) { emulator::ClusterWait(t.site(i)); }
void FenceStep(Thread&, const Instruction&) { emulator::Fence(); }
void FenceBarrierInitStep(Thread&, const Instruction&) { emulator::FenceBarrierInit(); }

void MapGenericStep(Thread& t, const Instruction& i) {
  const uint32_t rank = t.Get<uint32_t>(i.slot[2]);
  const uint64_t address = t.GenericOfShared(
      t.MapShared(static_cast<uint32_t>(t.SharedOfGeneric(t.Get<uint64_t>(i.slot[1]), i)), rank, i),
      i);
  t.Set<uint64_t>(i.slot[0], address);
}
void MapSharedStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0],
                  t.MapShared(t.Get<uint32_t>(i.slot[1]), t.Get<uint32_t>(i.slot[2]), i));
}

void DecodeCluster(InstructionText& text, FunctionBuilder& builder) {
  const std::string what = text.TakeOneOf({"arrive", "wait"});
  text.TakeOneOf({"release", "acquire", "relaxed"});
  text.Take("aligned");
  if (what.empty()) text.Refuse("no such cluster barrier");
  builder.Emit(text, what == "arrive" ? &ClusterArriveStep : &ClusterWaitStep, {});
}

// Barrier 0 with all threads of the block is __syncthreads; the others are not emulated.
void RequireBarrierZero(InstructionText& text, size_t operand) {
  if (text.operand(operand) != "0") text.Refuse("only barrier 0 of the whole block is emulated");
}

void DecodeBarrierVote(InstructionText& text, FunctionBuilder& builder) {
  const std::string vote = text.TakeOneOf({"popc", "and", "or"});
  text.Take("aligned");
  text.TakeType();
  text.RequireOperands(3, 3);
  RequireBarrierZero(text, 1);
  const Step step = vote == "popc"  ? &BlockVoteStep<Vote::kCount>
                    : vote == "and" ? &BlockVoteStep<Vote::kAnd>
                                    : &BlockVoteStep<Vote::kOr>;
  const uint32_t predicate = builder.Operand(text, 2, Type::kPred);
  builder.Emit(text, step, {builder.Destination(text, 0), predicate});
}

void DecodeBarrier(InstructionText& text, FunctionBuilder& builder) {
  if (text.Take("cluster")) return DecodeCluster(text, builder);
  if (text.Take("warp")) {
    text.Take("sync");
    builder.Emit(text, &WarpStep, {builder.Operand(text, 0, Type::kB32)});
    return;
  }
  text.Take("cta");
  if (text.Take("red")) return DecodeBarrierVote(text, builder);
  if (!text.Take("sync")) text.Refuse("no such barrier");
  text.Take("aligned");
  text.RequireOperands(1, 1);
  RequireBarrierZero(text, 0);
  builder.Emit(text, &BlockStep, {});
}

void DecodeFence(InstructionText& text, FunctionBuilder& builder) {
  const bool init = text.Take("mbarrier_init");
  const bool proxy = text.Take("proxy");
  if (proxy && !text.Take("async")) text.Refuse("only the proxy .async is emulated");
  text.TakeOneOf({"sc", "acq_rel", "release", "acquire"});
  text.TakeOneOf({"cta", "cluster", "gpu", "sys", "gl"});
  text.TakeOneOf({"global", "shared::cta", "shared::cluster"});
  text.RequireOperands(0, 0);
  builder.Emit(text, init || proxy ? &FenceBarrierInitStep : &FenceStep, {});
}

void DecodeMap(InstructionText& text, FunctionBuilder& builder) {
  const bool shared = text.Take("shared::cluster");
  const Type type = text.TakeType();
  text.RequireOperands(3, 3);
  if (SizeOf(type) != (shared ? 4 : 8)) text.Refuse("mapa of this width");
  uint32_t address = builder.Operand(text, 1, type);
  const uint32_t rank = builder.Operand(text, 2, Type::kU32);
  builder.Emit(text, shared ? &MapSharedStep : &MapGenericStep,
               {builder.Destination(text, 0), address, rank});
}

constexpr OpcodeEntry kOpcodes[] = {{"bar", &DecodeBarrier},
                                    {"barrier", &DecodeBarrier},
                                    {"fence", &DecodeFence},
                                    {"membar", &DecodeFence},
                                    {"mapa", &DecodeMap}};

}  // namespace

Decoder FindBarrierDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
