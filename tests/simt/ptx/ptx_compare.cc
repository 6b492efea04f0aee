// Comparisons: setp and set.

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

// kOr...: also true where an operand is NaN.
enum class Relation {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kEqOrNan,
  kNeOrNan,
  kLtOrNan,
  kLeOrNan,
  kGtOrNan,
  kGeOrNan,
  kNum,
  kNan
};

template <Relation kRelation, typename T>
bool Holds(T a, T b) {
  const bool nan = a != a || b != b;
  switch (kRelation) {
    case Relation::kEq:
      return a == b;
    case Relation::kNe:
      return !nan && a != b;
    case Relation::kLt:
      return a < b;
    case Relation::kLe:
      return a <= b;
    case Relation::kGt:
      return a > b;
    case Relation::kGe:
      return a >= b;
    case Relation::kEqOrNan:
      return nan || a == b;
    case Relation::kNeOrNan:
      return a != b;
    case Relation::kLtOrNan:
      return nan || a < b;
    case Relation::kLeOrNan:
      return nan || a <= b;
    case Relation::kGtOrNan:
      return nan || a > b;
    case Relation::kGeOrNan:
      return nan || a >= b;
    case Relation::kNum:
      return !nan;
    case Relation::kNan:
      return nan;
  }
}

template <Relation kRelation, typename T>
void CompareStep(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], Holds<kRelation, T>(t.Get<T>(i.slot[1]), t.Get<T>(i.slot[2])) ? 1 : 0);
}
template <Relation kRelation>
struct Compare {
  template <typename T>
  static constexpr Step kStep = &CompareStep<kRelation, T>;
};

template <Relation kRelation>
Step OfAnyType(Type type) {
  return IsFloat(type) ? StepForFloat<Compare<kRelation>>(type)
                       : StepForInteger<Compare<kRelation>>(type);
}
template <Relation kRelation>
Step OfUnsigned(Type type) {
  return IsSigned(type) ? nullptr : StepForInteger<Compare<kRelation>>(type);
}
template <Relation kRelation>
Step OfFloat(Type type) {
  return StepForFloat<Compare<kRelation>>(type);
}

struct NamedRelation {
  std::string_view name;
  Step (*step)(Type);
};
constexpr NamedRelation kRelations[] = {
    {"eq", &OfAnyType<Relation::kEq>},     {"ne", &OfAnyType<Relation::kNe>},
    {"lt", &OfAnyType<Relation::kLt>},     {"le", &OfAnyType<Relation::kLe>},
    {"gt", &OfAnyType<Relation::kGt>},     {"ge", &OfAnyType<Relation::kGe>},
    {"lo", &OfUnsigned<Relation::kLt>},    {"ls", &OfUnsigned<Relation::kLe>},
    {"hi", &OfUnsigned<Relation::kGt>},    {"hs", &OfUnsigned<Relation::kGe>},
    {"equ", &OfFloat<Relation::kEqOrNan>}, {"neu", &OfFloat<Relation::kNeOrNan>},
    {"ltu", &OfFloat<Relation::kLtOrNan>}, {"leu", &OfFloat<Relation::kLeOrNan>},
    {"gtu", &OfFloat<Relation::kGtOrNan>}, {"geu", &OfFloat<Relation::kGeOrNan>},
    {"num", &OfFloat<Relation::kNum>},     {"nan", &OfFloat<Relation::kNan>}};

Step TakeRelation(InstructionText& text, Type type) {
  for (const NamedRelation& relation : kRelations) {
    if (!text.Take(relation.name)) continue;
    if (const Step step = relation.step(type)) return step;
    break;
  }
  text.Refuse("no such comparison of this type");
}

// result = (relation BOOL c), other = (!relation BOOL c).
void CombineStep(Thread& t, const Instruction& i) {
  const bool relation = t.Predicate(i.slot[2]), c = t.Predicate(i.slot[3]);
  const auto combined = [&](bool value) {
    return i.immediate == 0 ? value && c : i.immediate == 1 ? value || c : value != c;
  };
  t.Set<uint32_t>(i.slot[0], combined(relation) ? 1 : 0);
  t.Set<uint32_t>(i.slot[1], combined(!relation) ? 1 : 0);
}

// setp.R.T p|q, a, b and setp.R.BOOL.T p|q, a, b, c: a comparison, then what is made of it.
void DecodeSetPredicate(InstructionText& text, FunctionBuilder& builder) {
  const std::string combine = text.TakeOneOf({"and", "or", "xor"});
  const Type type = text.TakeType();
  const Step step = TakeRelation(text, type);
  text.RequireOperands(combine.empty() ? 3 : 4, combine.empty() ? 3 : 4);
  const uint32_t a = builder.Operand(text, 1, type), b = builder.Operand(text, 2, type);
  std::string_view name = text.operand(0), other_name = "_";
  if (const size_t bar = name.find('|'); bar != std::string_view::npos) {
    other_name = Trimmed(name.substr(bar + 1));
    name = Trimmed(name.substr(0, bar));
  }
  const uint32_t result = builder.RegisterNamed(name, text);
  if (combine.empty() && other_name == "_") {
    builder.Emit(text, step, {result, a, b});
    return;
  }
  const uint32_t c = combine.empty() ? builder.Constant(1) : builder.Operand(text, 3, Type::kPred);
  const uint32_t other = builder.RegisterNamed(other_name, text);
  const uint32_t relation = builder.NewSlot();
  builder.Emit(text, step, {relation, a, b});
  builder.Emit(text, &CombineStep, {result, other, relation, c}).immediate = combine == "or"    ? 1
                                                                             : combine == "xor" ? 2
                                                                                                : 0;
}

// set gives all ones (1.0f as f32) or zero; the value is in `immediate`.
void WidenStep(Thread& t, const Instruction& i) {
  t.Set<uint64_t>(i.slot[0], t.Predicate(i.slot[1]) ? static_cast<uint64_t>(i.immediate) : 0);
}
void DecodeSet(InstructionText& text, FunctionBuilder& builder) {
  const Type result = text.TakeType(), type = text.TakeType();
  const Step step = TakeRelation(text, type);
  text.RequireOperands(3, 3);
  if (SizeOf(result) != 4) text.Refuse("a result of this type");
  const uint32_t relation = builder.NewSlot();
  const uint32_t a = builder.Operand(text, 1, type), b = builder.Operand(text, 2, type);
  builder.Emit(text, step, {relation, a, b});
  builder.Emit(text, &WidenStep, {builder.Destination(text, 0), relation}).immediate =
      result == Type::kF32 ? 0x3F800000 : 0xFFFFFFFF;
}

constexpr OpcodeEntry kOpcodes[] = {{"setp", &DecodeSetPredicate}, {"set", &DecodeSet}};

}  // namespace

Decoder FindCompareDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
