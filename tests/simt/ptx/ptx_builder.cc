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

void StepReturn(Thread& t, const Instruction&) { t.Return(); }

}  // namespace

FunctionBuilder::FunctionBuilder(Function* function, const Variables* module_variables)
    : function_(function), module_variables_(module_variables), scopes_(1) {}

void FunctionBuilder::OpenScope() {
  scopes_.emplace_back().parent = scope_;
  scope_ = static_cast<int>(scopes_.size()) - 1;
}

void FunctionBuilder::CloseScope(int line) {
  if (scope_ == 0) Refuse(line, "brace", "}");
  scope_ = scopes_[scope_].parent;
}

void FunctionBuilder::Label(const std::string& name, int line) {
  const auto at = static_cast<int64_t>(function_->code.size());
  if (!scopes_[scope_].labels.emplace(name, at).second) Refuse(line, "second label", name);
}

int64_t FunctionBuilder::FindLabel(const std::string& label, int scope, int line) const {
  for (; scope >= 0; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(label);
    if (found != scopes_[scope].labels.end()) return found->second;
  }
  Refuse(line, "no such label", label);
}

void FunctionBuilder::JumpTo(const std::string& label, int line) {
  jumps_.push_back({function_->code.size() - 1, scope_, label, line});
}

size_t FunctionBuilder::JumpTable(const std::string& label, int line) {
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].name == label) return i;
  }
  Refuse(line, "no .branchtargets before it", label);
}

void FunctionBuilder::Finish(int line) {
  if (scope_ != 0) Refuse(line, "brace is missing", function_->name);
  function_->code.emplace_back().step = &StepReturn;
  function_->code.back().line = line;
  for (const PendingJump& jump : jumps_) {
    function_->code[jump.instruction].immediate =
        FindLabel(jump.label, jump.scope, jump.line) - static_cast<int64_t>(jump.instruction);
  }
  for (const PendingTable& table : tables_) {
    std::vector<int64_t>& targets = function_->jump_tables.emplace_back();
    for (const std::string& label : table.labels) {
      targets.push_back(FindLabel(label, table.scope, table.line));
    }
  }
}

void FunctionBuilder::Directive(const Statement& statement) {
  const std::string name = statement.text.substr(0, statement.text.find_first_of(" \t"));
  if (name == ".reg") {
    DeclareRegisters(statement);
  } else if (name == ".local" || name == ".param" || name == ".shared") {
    DeclareVariable(statement);
  } else if (name == ".branchtargets") {
    // Its name is the label before it.
    for (const auto& [label, at] : scopes_[scope_].labels) {
      if (at != static_cast<int64_t>(function_->code.size())) continue;
      tables_.push_back(
          {label, scope_, SplitOperands(statement.text.substr(name.size())), statement.line});
    }
  } else if (name != ".loc" && name != ".pragma" && name != ".file") {
    Refuse(statement.line, "directive is not understood", statement.text);
  }
}

void FunctionBuilder::DeclareRegisters(const Statement& statement) {
  std::string_view rest = Trimmed(std::string_view(statement.text).substr(4));
  const size_t space = std::min(rest.find_first_of(" \t"), rest.size());
  if (TypeNamed(rest.substr(rest.empty() ? 0 : 1, space - 1)) == Type::kNone) {
    Refuse(statement.line, "registers of a type that is not understood", statement.text);
  }
  Scope& scope = scopes_[scope_];
  for (const std::string& name : SplitOperands(rest.substr(space))) {
    const size_t angle = name.find('<');
    if (angle == std::string::npos) {
      scope.registers[name] = NewSlot();
    } else {
      const size_t digits = name.find('>') - angle - 1;
      scope.ranges[name.substr(0, angle)] = static_cast<uint32_t>(
          ParseLiteral(name.substr(angle + 1, digits), Type::kU32, statement.line));
    }
  }
}

void FunctionBuilder::DeclareVariable(const Statement& statement) {
  const Declaration declared = ParseDeclaration(statement.text, statement.line);
  if (declared.space == Space::kShared) {
    Refuse(statement.line, "shared memory declared in a function", statement.text);
  }
  // The .param variables of a call are the caller's until the call copies them.
  size_t& used = function_->local_bytes;
  used = (used + declared.alignment - 1) / declared.alignment * declared.alignment;
  Variable& variable = scopes_[scope_].variables[declared.name];
  variable.space = Space::kLocal;
  variable.offset = used;
  variable.bytes = declared.bytes;
  used += declared.bytes;
}

void FunctionBuilder::DeclareParameter(const Declaration& declaration, bool is_result) {
  size_t& used = function_->param_bytes;
  used = (used + declaration.alignment - 1) / declaration.alignment * declaration.alignment;
  Variable& variable = scopes_[0].variables[declaration.name];
  variable.space = Space::kParam;
  variable.offset = used;
  variable.bytes = declaration.bytes;
  (is_result ? function_->results : function_->parameters)
      .push_back({declaration.name, used, declaration.bytes});
  used += declaration.bytes;
}

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
