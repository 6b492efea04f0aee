// Reads a module: its variables, its functions, and what ties them together.
#include "tests/simt/ptx/ptx_module.h"

#include <cstring>
#include <string>

#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_header.h"

namespace simt::ptx {
namespace {

size_t RoundedUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// From a call's variables to the parameters of what is called.
void LinkTransfers(const CallSite& call, const std::vector<Parameter>& parameters,
                   std::vector<Transfer>* transfers) {
  if (transfers->size() != parameters.size()) {
    Refuse(call.line, "wrong number of arguments or results", call.text);
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if ((*transfers)[i].bytes != parameters[i].bytes) {
      Refuse(call.line, "argument or result of another size", call.text);
    }
    (*transfers)[i].param_offset = parameters[i].offset;
  }
}

}  // namespace

std::shared_ptr<const ModuleCode> ModuleReader::Read() {
  for (Statement statement = reader_.Next(); statement.kind != Statement::Kind::kEnd;
       statement = reader_.Next()) {
    if (statement.kind != Statement::Kind::kDirective) {
      Refuse(statement.line, "outside of a function", statement.text);
    }
    ReadDirective(statement);
  }
  Link();
  return code_;
}

void ModuleReader::ReadDirective(const Statement& statement) {
  const std::string& text = statement.text;
  for (const std::string_view ignored :
       {".version", ".target", ".address_size", ".file", ".pragma"}) {
    if (text.starts_with(ignored)) return;
  }
  const std::string_view head = std::string_view(text).substr(0, text.find('='));
  if (head.find(".entry") != std::string_view::npos ||
      head.find(".func") != std::string_view::npos) {
    ReadFunction(statement);
  } else {
    ReadVariable(statement);
  }
}

void ModuleReader::ReadVariable(const Statement& statement) {
  const Declaration declaration = ParseDeclaration(statement.text, statement.line);
  switch (declaration.space) {
    case Space::kShared:
      PlaceShared(declaration);
      return;
    case Space::kGlobal:
    case Space::kConst:
      PlaceGlobal(declaration, statement.line);
      return;
    default:
      Refuse(statement.line, "variable of a space that is not understood", statement.text);
  }
}

// All static variables of the module get a place, also in kernels that use none of them.
void ModuleReader::PlaceShared(const Declaration& declaration) {
  Variable variable;
  variable.space = Space::kShared;
  variable.bytes = declaration.bytes;
  if (declaration.is_extern) {
    variable.dynamic = true;
  } else {
    variable.offset = RoundedUp(code_->static_shared, declaration.alignment);
    code_->static_shared = variable.offset + declaration.bytes;
  }
  variables_[declaration.name] = variable;
}

void ModuleReader::PlaceGlobal(const Declaration& declaration, int line) {
  if (declaration.is_extern) Refuse(line, "variable of another module", declaration.name);
  const size_t bytes = std::max<size_t>(declaration.bytes, 1);
  auto* memory = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{256}));
  code_->memory.emplace_back(memory);
  std::memset(memory, 0, bytes);
  if (!declaration.initial.empty()) {
    std::memcpy(memory, declaration.initial.data(), declaration.initial.size());
  }
  for (const AddressWord& word : declaration.addresses) {
    addresses_.push_back({memory + word.offset, word, line});
  }
  Variable& variable = variables_[declaration.name];
  variable.space = declaration.space;
  variable.memory = memory;
  variable.bytes = declaration.bytes;
}

void ModuleReader::ReadFunction(const Statement& header_statement) {
  const int line = header_statement.line;
  const FunctionHeader header = ParseHeader(header_statement.text);
  const bool is_prototype = !reader_.AtOpenBrace();
  if (is_prototype) return;  // what it says is repeated where the body is
  reader_.Next();
  auto function = std::make_unique<Function>();
  function->name = header.name;
  function->is_kernel = header.is_kernel;
  FunctionBuilder builder(function.get(), &variables_);
  for (const std::string& text : header.parameters) {
    builder.DeclareParameter(ParseDeclaration(text, line), false);
  }
  for (const std::string& text : header.results) {
    builder.DeclareParameter(ParseDeclaration(text, line), true);
  }
  ReadBody(function.get(), builder);
  for (const size_t slot : builder.dynamic_slots())
    dynamic_slots_.push_back({function.get(), slot});
  code_->functions.push_back(std::move(function));
}

void ModuleReader::ReadBody(Function* function, FunctionBuilder& builder) {
  int depth = 1;
  while (depth > 0) {
    const Statement statement = reader_.Next();
    switch (statement.kind) {
      case Statement::Kind::kEnd:
        Refuse(statement.line, "the text ends in a function", function->name);
      case Statement::Kind::kOpen:
        ++depth;
        builder.OpenScope();
        break;
      case Statement::Kind::kClose:
        if (--depth > 0) {
          builder.CloseScope(statement.line);
        } else {
          builder.Finish(statement.line);
        }
        break;
      case Statement::Kind::kLabel:
        builder.Label(statement.text, statement.line);
        break;
      case Statement::Kind::kDirective:
        builder.Directive(statement);
        break;
      case Statement::Kind::kInstruction:
        Decode(statement, builder);
        break;
    }
  }
}

void ModuleReader::Link() {
  code_->static_shared = RoundedUp(code_->static_shared, 128);
  for (const DynamicSlot& dynamic : dynamic_slots_) {
    dynamic.function->slots[dynamic.slot] += code_->static_shared;
  }
  for (const PendingAddress& pending : addresses_) {
    const auto found = variables_.find(pending.word.symbol);
    if (found == variables_.end() || found->second.memory == nullptr) {
      Refuse(pending.line, "no such variable", pending.word.symbol);
    }
    const std::byte* address = found->second.memory + pending.word.displacement;
    std::memcpy(pending.place, &address, sizeof address);
  }
  for (const auto& function : code_->functions) {
    function->static_shared = code_->static_shared;
    for (CallSite& call : function->calls) {
      for (const auto& callee : code_->functions) {
        if (callee->name == call.callee_name && !callee->is_kernel) call.callee = callee.get();
      }
      if (call.callee == nullptr) Refuse(call.line, "no function of that name", call.text);
      LinkTransfers(call, call.callee->parameters, &call.arguments);
      LinkTransfers(call, call.callee->results, &call.results);
    }
  }
}

}  // namespace simt::ptx
