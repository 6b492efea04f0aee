// Moves: registers, packed halves, addresses between state spaces.
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

template <typename T>
void MoveStep(Thread& t, const Instruction& i) {
  t.Set<T>(i.slot[0], t.Get<T>(i.slot[1]));
}
struct Move {
  template <typename T>
  static constexpr Step kStep = &MoveStep<T>;
};
void MoveShiftedStep(Thread& t, const Instruction& i) {  // an address and its displacement
  t.Set<uint64_t>(i.slot[0], t.Get<uint64_t>(i.slot[1]) + static_cast<uint64_t>(i.immediate));
}

uint64_t LowBits(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}
// `immediate` is the width of a part in bits; the first part is lowest.
void PackStep(Thread& t, const Instruction& i) {
  const unsigned width = static_cast<unsigned>(i.immediate);
  uint64_t value = 0;
  for (unsigned part = 1; part < i.count; ++part) {
    value |= LowBits(t.Get<uint64_t>(i.slot[part]), width) << (width * (part - 1));
  }
  t.Set<uint64_t>(i.slot[0], value);
}
void UnpackStep(Thread& t, const Instruction& i) {
  const unsigned width = static_cast<unsigned>(i.immediate);
  const uint64_t value = t.Get<uint64_t>(i.slot[0]);
  for (unsigned part = 1; part < i.count; ++part) {
    t.Set<uint64_t>(i.slot[part], LowBits(value >> (width * (part - 1)), width));
  }
}

void EmitParts(InstructionText& text, FunctionBuilder& builder, Type type, bool pack) {
  const std::vector<uint32_t> parts = builder.OperandList(text, pack ? 1 : 0, type);
  const size_t bits = 8 * SizeOf(type);
  if ((parts.size() != 2 && parts.size() != 4) || bits / parts.size() < 8) {
    text.Refuse("parts of this number or width");
  }
  const uint32_t whole = pack ? builder.Destination(text, 0) : builder.Operand(text, 1, type);
  Instruction& instruction = builder.Emit(text, pack ? &PackStep : &UnpackStep, {whole});
  for (const uint32_t part : parts) instruction.slot[instruction.count++] = part;
  instruction.immediate = static_cast<int64_t>(bits / parts.size());
}

void DecodeMove(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  text.RequireOperands(2, 2);
  if (text.operand(1).starts_with("{")) return EmitParts(text, builder, type, true);
  if (text.operand(0).starts_with("{")) return EmitParts(text, builder, type, false);
  const std::string& source = text.operand(1);
  const size_t plus = source.find('+');
  if (plus != std::string::npos && builder.FindVariable(Trimmed(source.substr(0, plus)))) {
    const uint32_t base = builder.OperandNamed(Trimmed(source.substr(0, plus)), type, text);
    builder.Emit(text, &MoveShiftedStep, {builder.Destination(text, 0), base}).immediate =
        static_cast<int64_t>(ParseLiteral(source.substr(plus + 1), Type::kS64, text.line()));
    return;
  }
  const Step step = type == Type::kPred ? &MoveStep<uint64_t> : StepForBits<Move>(type);
  EmitSimple(text, builder, step, type, 1);
}

void GenericOfSharedStep(Thread& t, const Instruction& i) {
  t.Set<uint64_t>(i.slot[0], t.GenericOfShared(t.Get<uint64_t>(i.slot[1]), i));
}
void SharedOfGenericStep(Thread& t, const Instruction& i) {
  t.Set<uint64_t>(i.slot[0], t.SharedOfGeneric(t.Get<uint64_t>(i.slot[1]), i));
}

// Only shared memory has addresses of its own here; those of all other spaces are generic ones.
void DecodeAddressSpace(InstructionText& text, FunctionBuilder& builder) {
  const bool to = text.Take("to");
  const std::string space = text.TakeOneOf({"global", "const", "local", "param", "param::entry",
                                            "shared", "shared::cta", "shared::cluster"});
  const Type type = text.TakeType();
  if (space.empty() || SizeOf(type) != 8) text.Refuse("cvta of this space or width");
  const bool shared = space.starts_with("shared");
  const Step step = !shared ? &MoveStep<uint64_t>
                    : to    ? &SharedOfGenericStep
                            : &GenericOfSharedStep;
  EmitSimple(text, builder, step, type, 1);
}

void IsSharedStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], t.IsShared(t.Get<uint64_t>(i.slot[1])) ? 1 : 0);
}
void DecodeIsSpace(InstructionText& text, FunctionBuilder& builder) {
  const std::string space = text.TakeOneOf({"shared", "shared::cta"});
  if (space.empty()) text.Refuse("only the space .shared can be asked for");
  EmitSimple(text, builder, &IsSharedStep, Type::kU64, 1);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"mov", &DecodeMove}, {"cvta", &DecodeAddressSpace}, {"isspacep", &DecodeIsSpace}};

}  // namespace

Decoder FindMoveDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
