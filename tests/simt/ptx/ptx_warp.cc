// What the lanes of a warp do together: shfl, vote, match, redux, elect, activemask.
#include <bit>

#include "tests/simt/collectives.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

using emulator::Op;

// The lane that a shuffle reads, and whether it lies in the segment; else the own lane is read.
struct Source {
  uint32_t lane;
  bool inside;
};

// `b` is the distance, mask or lane; `c` the clamp in its low five bits, the segment mask above.
enum class Shuffle { kUp, kDown, kButterfly, kIndex };
Source SourceOf(Shuffle mode, uint32_t lane, uint32_t b, uint32_t c) {
  const uint32_t segment = c >> 8 & 31, clamp = c & 31;
  const uint32_t last = (lane & segment) | (clamp & ~segment);
  b &= 31;
  switch (mode) {
    case Shuffle::kUp:
      return {lane - b, static_cast<int32_t>(lane - b) >= static_cast<int32_t>(last)};
    case Shuffle::kDown:
      return {lane + b, lane + b <= last};
    case Shuffle::kButterfly:
      return {lane ^ b, (lane ^ b) <= last};
    case Shuffle::kIndex: {
      const uint32_t from = (lane & segment) | (b & ~segment);
      return {from, from <= last};
    }
  }
  return {lane, false};
}

// slot: result, predicate, value, b, c, lanes.
template <Shuffle kMode>
void ShuffleStep(Thread& t, const Instruction& i) {
  const Source source =
      SourceOf(kMode, t.lane(), t.Get<uint32_t>(i.slot[3]), t.Get<uint32_t>(i.slot[4]));
  const uint32_t from = source.inside ? source.lane : t.lane();
  const uint64_t value =
      emulator::WarpCollective(Op::kShuffle, t.Get<uint32_t>(i.slot[5]), t.Get<uint32_t>(i.slot[2]),
                               static_cast<int>(from), t.site(i));
  t.Set<uint32_t>(i.slot[0], static_cast<uint32_t>(value));
  t.Set<uint32_t>(i.slot[1], source.inside ? 1 : 0);
}

// slot: result, value, lanes.
template <Op kOp, typename T>
void CollectiveStep(Thread& t, const Instruction& i) {
  const uint64_t value = emulator::ToBits(t.Get<T>(i.slot[1]));
  t.Set<uint32_t>(i.slot[0], static_cast<uint32_t>(emulator::WarpCollective(
                                 kOp, t.Get<uint32_t>(i.slot[2]), value, 0, t.site(i))));
}
// A vote on a predicate; kUniform: whether all say the same.
template <Op kOp, bool kUniform>
void VoteStep(Thread& t, const Instruction& i) {
  const uint32_t lanes = t.Get<uint32_t>(i.slot[2]);
  const auto result = static_cast<uint32_t>(
      emulator::WarpCollective(kOp, lanes, t.Predicate(i.slot[1]) ? 1 : 0, 0, t.site(i)));
  t.Set<uint32_t>(i.slot[0], kUniform ? result == 0 || result == lanes : result);
}
// slot: result, value, lanes, predicate.
template <typename T>
void MatchAllStep(Thread& t, const Instruction& i) {
  CollectiveStep<Op::kMatchAll, T>(t, i);
  t.Set<uint32_t>(i.slot[3], t.Predicate(i.slot[0]) ? 1 : 0);
}
// slot: leader, predicate, lanes. Any lane may lead; here it is the lowest.
void ElectStep(Thread& t, const Instruction& i) {
  const uint32_t lanes = t.Get<uint32_t>(i.slot[2]);
  emulator::WarpCollective(Op::kBallot, lanes, 1, 0, t.site(i));
  const auto leader = static_cast<uint32_t>(std::countr_zero(lanes));
  t.Set<uint32_t>(i.slot[0], leader);
  t.Set<uint32_t>(i.slot[1], leader == t.lane() ? 1 : 0);
}
void ActiveMaskStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], emulator::ActiveMask());
}

// "d|p": both registers; p is one nobody reads where it is not named.
struct Pair {
  uint32_t value;
  uint32_t predicate;
};
Pair DestinationPair(InstructionText& text, FunctionBuilder& builder) {
  const std::string& both = text.operand(0);
  const size_t bar = both.find('|');
  if (bar == std::string::npos) return {builder.RegisterNamed(both, text), builder.NewSlot()};
  return {builder.RegisterNamed(Trimmed(std::string_view(both).substr(0, bar)), text),
          builder.RegisterNamed(Trimmed(std::string_view(both).substr(bar + 1)), text)};
}

void RequireSync(InstructionText& text) {
  if (!text.Take("sync")) text.Refuse("needs .sync");
}

void DecodeShuffle(InstructionText& text, FunctionBuilder& builder) {
  RequireSync(text);
  const std::string mode = text.TakeOneOf({"up", "down", "bfly", "idx"});
  if (mode.empty() || text.TakeType() != Type::kB32) text.Refuse("no such shuffle");
  text.RequireOperands(5, 5);
  const Pair to = DestinationPair(text, builder);
  uint32_t source[4];
  for (size_t k = 0; k < 4; ++k) source[k] = builder.Operand(text, k + 1, Type::kB32);
  const Step step = mode == "up"     ? &ShuffleStep<Shuffle::kUp>
                    : mode == "down" ? &ShuffleStep<Shuffle::kDown>
                    : mode == "bfly" ? &ShuffleStep<Shuffle::kButterfly>
                                     : &ShuffleStep<Shuffle::kIndex>;
  builder.Emit(text, step, {to.value, to.predicate, source[0], source[1], source[2], source[3]});
}

void DecodeVote(InstructionText& text, FunctionBuilder& builder) {
  RequireSync(text);
  const std::string mode = text.TakeOneOf({"all", "any", "uni", "ballot"});
  text.TakeType();
  const Step step = mode == "all"      ? &VoteStep<Op::kAll, false>
                    : mode == "any"    ? &VoteStep<Op::kAny, false>
                    : mode == "uni"    ? &VoteStep<Op::kBallot, true>
                    : mode == "ballot" ? &VoteStep<Op::kBallot, false>
                                       : nullptr;
  EmitSimple(text, builder, step, Type::kB32, 2);
}

void DecodeMatch(InstructionText& text, FunctionBuilder& builder) {
  const std::string mode = text.TakeOneOf({"any", "all"});
  RequireSync(text);
  const Type type = text.TakeType();
  text.RequireOperands(3, 3);
  if (mode.empty() || SizeOf(type) < 4) text.Refuse("no such match");
  const bool wide = SizeOf(type) == 8;
  const Pair to = DestinationPair(text, builder);
  const uint32_t value = builder.Operand(text, 1, type);
  const uint32_t lanes = builder.Operand(text, 2, Type::kB32);
  if (mode == "all") {
    builder.Emit(text, wide ? &MatchAllStep<uint64_t> : &MatchAllStep<uint32_t>,
                 {to.value, value, lanes, to.predicate});
  } else {
    builder.Emit(
        text,
        wide ? &CollectiveStep<Op::kMatchAny, uint64_t> : &CollectiveStep<Op::kMatchAny, uint32_t>,
        {to.value, value, lanes});
  }
}

void DecodeReduce(InstructionText& text, FunctionBuilder& builder) {
  RequireSync(text);
  const std::string mode = text.TakeOneOf({"add", "min", "max", "and", "or", "xor"});
  const Type type = text.TakeType();
  if (IsFloat(type) || SizeOf(type) != 4) text.Refuse("redux of this type");
  const bool with_sign = IsSigned(type);
  const Step step = mode == "add"   ? &CollectiveStep<Op::kAdd, uint32_t>
                    : mode == "and" ? &CollectiveStep<Op::kAnd, uint32_t>
                    : mode == "or"  ? &CollectiveStep<Op::kOr, uint32_t>
                    : mode == "xor" ? &CollectiveStep<Op::kXor, uint32_t>
                    : mode == "min" ? (with_sign ? &CollectiveStep<Op::kSignedMin, uint32_t>
                                                 : &CollectiveStep<Op::kUnsignedMin, uint32_t>)
                    : mode == "max" ? (with_sign ? &CollectiveStep<Op::kSignedMax, uint32_t>
                                                 : &CollectiveStep<Op::kUnsignedMax, uint32_t>)
                                    : nullptr;
  EmitSimple(text, builder, step, type, 2);
}

void DecodeElect(InstructionText& text, FunctionBuilder& builder) {
  RequireSync(text);
  text.RequireOperands(2, 2);
  const Pair to = DestinationPair(text, builder);
  builder.Emit(text, &ElectStep, {to.value, to.predicate, builder.Operand(text, 1, Type::kB32)});
}

void DecodeActiveMask(InstructionText& text, FunctionBuilder& builder) {
  text.TakeType();
  EmitSimple(text, builder, &ActiveMaskStep, Type::kB32, 0);
}

constexpr OpcodeEntry kOpcodes[] = {{"shfl", &DecodeShuffle}, {"vote", &DecodeVote},
                                    {"match", &DecodeMatch},  {"redux", &DecodeReduce},
                                    {"elect", &DecodeElect},  {"activemask", &DecodeActiveMask}};

}  // namespace

Decoder FindWarpDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
