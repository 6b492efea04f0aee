// FunctionBuilder: operands and instructions.
#include "tests/simt/ptx/ptx_builder.h"

#include <cctype>
#include <charconv>

#include "tests/simt/ptx/ptx_special.h"
#include "tests/simt/ptx/ptx_thread.h"

namespace simt::ptx {
namespace {

void StepNotPredicate(Thread& t, const Instruction& i) {
  t.Set<uint32_t>(i.slot[0], t.Predicate(i.slot[1]) ? 0 : 1);
}

}  // namespace

FunctionBuilder::FunctionBuilder(Function* function, const Variables* module_variables)
    : function_(function), module_variables_(module_variables), scopes_(1) {}

uint32_t FunctionBuilder::NewSlot() {
  function_->slots.push_back(0xA5A5A5A5A5A5A5A5u);  // garbage, as registers hold
  return static_cast<uint32_t>(function_->slots.size() - 1);
}

uint32_t FunctionBuilder::Constant(uint64_t value) {
  const auto [found, is_new] = constants_.emplace(value, 0);
  if (is_new) {
    found->second = NewSlot();
    function_->slots.back() = value;
  }
  return found->second;
}

uint32_t FunctionBuilder::FindRegister(std::string_view name) {
  const size_t stem_size = name.find_last_not_of("0123456789") + 1;
  for (int at = scope_; at >= 0; at = scopes_[at].parent) {
    Scope& scope = scopes_[at];
    if (const auto found = scope.registers.find(name); found != scope.registers.end()) {
      return found->second;
    }
    const auto range = scope.ranges.find(name.substr(0, stem_size));
    if (range == scope.ranges.end() || stem_size == name.size()) continue;
    uint32_t number = range->second;
    std::from_chars(name.data() + stem_size, name.data() + name.size(), number);
    if (number >= range->second) continue;
    return scope.registers[std::string(name)] = NewSlot();
  }
  return kNoSlot;
}

uint32_t FunctionBuilder::RegisterNamed(std::string_view name, const InstructionText& text) {
  if (name == "_") return NewSlot();  // the result is not wanted
  const uint32_t slot = FindRegister(name);
  if (slot == kNoSlot) text.Refuse("no register " + std::string(name));
  return slot;
}

const Variable* FunctionBuilder::FindVariable(std::string_view name) const {
  for (int at = scope_; at >= 0; at = scopes_[at].parent) {
    const auto found = scopes_[at].variables.find(name);
    if (found != scopes_[at].variables.end()) return &found->second;
  }
  const auto found = module_variables_->find(name);
  return found == module_variables_->end() ? nullptr : &found->second;
}

uint32_t FunctionBuilder::AddressOf(const Variable& variable) {
  if (variable.memory != nullptr) return Constant(reinterpret_cast<uint64_t>(variable.memory));
  if (variable.space == Space::kShared && !variable.dynamic) return Constant(variable.offset);
  const auto [found, is_new] = addresses_.emplace(&variable, 0);
  if (!is_new) return found->second;
  const uint32_t slot = found->second = NewSlot();
  if (variable.space == Space::kShared) {
    function_->slots[slot] = 0;
    dynamic_slots_.push_back(slot);
  } else {
    const auto kind =
        variable.space == Space::kParam ? Preload::Kind::kParam : Preload::Kind::kLocal;
    function_->preloads.push_back({kind, slot, variable.offset});
  }
  return slot;
}

uint32_t FunctionBuilder::OperandNamed(std::string_view name, Type type,
                                       const InstructionText& text) {
  if (name.starts_with("!")) {
    const uint32_t result = NewSlot();
    const uint32_t source = RegisterNamed(Trimmed(name.substr(1)), text);
    Emit(text, &StepNotPredicate, {result, source}).guard = kNoSlot;
    return result;
  }
  if (const uint32_t slot = FindRegister(name); slot != kNoSlot) return slot;
  if (const auto special = SpecialNamed(name)) {
    const auto [found, is_new] = specials_.emplace(std::string(name), 0);
    if (is_new) {
      found->second = NewSlot();
      function_->preloads.push_back(
          {Preload::Kind::kSpecial, found->second, static_cast<uint64_t>(*special)});
    }
    return found->second;
  }
  if (const Variable* variable = FindVariable(name)) return AddressOf(*variable);
  if (name.starts_with("%")) {
    text.Refuse("no register " + std::string(name) + ", or one without a meaning on a CPU");
  }
  return Constant(ParseLiteral(name, type, text.line()));
}

uint32_t FunctionBuilder::Operand(const InstructionText& text, size_t i, Type type) {
  return OperandNamed(text.operand(i), type, text);
}

uint32_t FunctionBuilder::Destination(const InstructionText& text, size_t i) {
  return RegisterNamed(text.operand(i), text);
}

std::vector<uint32_t> FunctionBuilder::OperandList(const InstructionText& text, size_t i,
                                                   Type type) {
  std::string_view list = text.operand(i);
  if (list.starts_with("{")) list = list.substr(1, list.rfind('}') - 1);
  std::vector<uint32_t> slots;
  for (const std::string& name : SplitOperands(list)) {
    slots.push_back(name == "_" ? NewSlot() : OperandNamed(name, type, text));
  }
  return slots;
}

MemoryOperand FunctionBuilder::Memory(const InstructionText& text, size_t i) {
  std::string_view inside = text.operand(i);
  if (!inside.starts_with("[") || !inside.ends_with("]")) text.Refuse("no address");
  inside = Trimmed(inside.substr(1, inside.size() - 2));
  int64_t displacement = 0;
  if (const size_t sign = inside.find_last_of("+-"); sign != std::string_view::npos && sign > 0) {
    const bool minus = inside[sign] == '-';
    displacement = static_cast<int64_t>(
        ParseLiteral(Trimmed(inside.substr(sign + 1)), Type::kS64, text.line()));
    if (minus) displacement = -displacement;
    inside = Trimmed(inside.substr(0, inside.find_last_not_of("+- ", sign) + 1));
  }
  const Variable* variable = FindVariable(inside);
  if (variable != nullptr) return {AddressOf(*variable), displacement, variable};
  return {OperandNamed(inside, Type::kU64, text), displacement, nullptr};
}

Instruction& FunctionBuilder::Emit(const InstructionText& text, Step step,
                                   std::initializer_list<uint32_t> slots) {
  Instruction& instruction = function_->code.emplace_back();
  instruction.step = step;
  instruction.line = text.line();
  for (const uint32_t slot : slots) instruction.slot[instruction.count++] = slot;
  if (!text.guard().empty()) {
    instruction.guard = RegisterNamed(text.guard(), text);
    instruction.guard_negated = text.guard_negated();
  }
  return instruction;
}

}  // namespace simt::ptx
