// Choices by a predicate or a sign, and the class of a float: selp, slct, testp.
#include <cmath>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

void SelectStep(Thread& t, const Instruction& i) {
  t.Set<uint64_t>(i.slot[0], t.Get<uint64_t>(i.slot[t.Predicate(i.slot[3]) ? 1 : 2]));
}

void DecodeSelect(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType();
  text.RequireOperands(4, 4);
  const uint32_t a = builder.Operand(text, 1, type), b = builder.Operand(text, 2, type);
  const uint32_t c = builder.Operand(text, 3, Type::kPred);
  builder.Emit(text, &SelectStep, {builder.Destination(text, 0), a, b, c});
}

// slct: a where c >= 0, else b; a NaN is not.
template <typename C>
void SelectBySignStep(Thread& t, const Instruction& i) {
  t.Set<uint64_t>(i.slot[0], t.Get<uint64_t>(i.slot[t.Get<C>(i.slot[3]) >= 0 ? 1 : 2]));
}
void DecodeSelectBySign(InstructionText& text, FunctionBuilder& builder) {
  const Type type = text.TakeType(), by = text.TakeType();
  text.RequireOperands(4, 4);
  if (by != Type::kS32 && by != Type::kF32) text.Refuse("slct looks at .s32 or .f32");
  const uint32_t a = builder.Operand(text, 1, type), b = builder.Operand(text, 2, type);
  const uint32_t c = builder.Operand(text, 3, by);
  builder.Emit(text, by == Type::kS32 ? &SelectBySignStep<int32_t> : &SelectBySignStep<float>,
               {builder.Destination(text, 0), a, b, c});
}

template <typename T>
void ClassStep(Thread& t, const Instruction& i) {
  const int kind = std::fpclassify(t.Get<T>(i.slot[1]));
  t.Set<uint32_t>(i.slot[0], (i.immediate >> kind & 1) != 0 ? 1 : 0);
}
struct Class {
  template <typename T>
  static constexpr Step kStep = &ClassStep<T>;
};
void DecodeTest(InstructionText& text, FunctionBuilder& builder) {
  const std::string kind =
      text.TakeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (kind.empty()) text.Refuse("no such test");
  const Type type = text.TakeType();
  const int finite = 1 << FP_ZERO | 1 << FP_SUBNORMAL | 1 << FP_NORMAL;
  EmitSimple(text, builder, StepForFloat<Class>(type), type, 1).immediate =
      kind == "finite"       ? finite
      : kind == "infinite"   ? 1 << FP_INFINITE
      : kind == "number"     ? finite | 1 << FP_INFINITE
      : kind == "notanumber" ? 1 << FP_NAN
      : kind == "normal"     ? 1 << FP_NORMAL
                             : 1 << FP_SUBNORMAL;
}

constexpr OpcodeEntry kOpcodes[] = {
    {"selp", &DecodeSelect}, {"slct", &DecodeSelectBySign}, {"testp", &DecodeTest}};

}  // namespace

Decoder FindSelectDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
