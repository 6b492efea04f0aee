// FunctionBuilder: scopes, labels and what a function declares.
#include "tests/simt/ptx/ptx_builder.h"
#include "tests/simt/ptx/ptx_thread.h"

namespace simt::ptx {
namespace {

void StepReturn(Thread& t, const Instruction&) { t.Return(); }

}  // namespace

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

// A new frame then copies the constants in one piece and leaves the registers alone.
void FunctionBuilder::PutConstantsLast() {
  std::vector<bool> is_constant(function_->slots.size(), false);
  for (const auto& [value, slot] : constants_) is_constant[slot] = true;
  for (const size_t slot : dynamic_slots_) is_constant[slot] = true;
  std::vector<uint32_t> place(function_->slots.size());
  std::vector<uint64_t> slots(function_->slots.size(), 0);
  uint32_t next = 0;
  for (const bool constants : {false, true}) {
    if (constants) function_->first_constant = next;
    for (size_t slot = 0; slot < place.size(); ++slot) {
      if (is_constant[slot] != constants) continue;
      slots[next] = function_->slots[slot];
      place[slot] = next++;
    }
  }
  function_->slots = std::move(slots);
  for (Instruction& instruction : function_->code) {
    for (unsigned k = 0; k < instruction.count; ++k) {
      instruction.slot[k] = place[instruction.slot[k]];
    }
    if (instruction.guard != kNoSlot) instruction.guard = place[instruction.guard];
  }
  for (Preload& preload : function_->preloads) preload.slot = place[preload.slot];
  for (size_t& slot : dynamic_slots_) slot = place[slot];
}

void FunctionBuilder::Finish(int line) {
  if (scope_ != 0) Refuse(line, "brace is missing", function_->name);
  function_->code.emplace_back().step = &StepReturn;
  function_->code.back().line = line;
  PutConstantsLast();
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

}  // namespace simt::ptx
