// Turns the names of one function's PTX into slots, and collects its decoded instructions.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_BUILDER_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_BUILDER_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simt/ptx/ptx_declaration.h"
#include "tests/simt/ptx/ptx_instruction.h"
#include "tests/simt/ptx/ptx_statement.h"
#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

// A variable of the module or of a function.
struct Variable {
  Space space = Space::kGeneric;
  size_t offset = 0;            // in shared or local memory or in the parameters
  std::byte* memory = nullptr;  // of .global and .const
  size_t bytes = 0;
  bool dynamic = false;  // shared memory behind all static variables
};
using Variables = std::map<std::string, Variable, std::less<>>;

// "[%rd1+16]": a base that is a slot, and a displacement.
struct MemoryOperand {
  uint32_t base;
  int64_t displacement;
  const Variable* variable;  // null if the base is a register
};

class FunctionBuilder {
 public:
  FunctionBuilder(Function* function, const Variables* module_variables);

  // Braces in a function nest names.
  void OpenScope();
  void CloseScope(int line);
  void Label(const std::string& name, int line);
  void Directive(const Statement& statement);  // .reg, .local, .param, .branchtargets, ...
  void DeclareParameter(const Declaration& declaration, bool is_result);
  // After the last statement: resolves labels, appends a return.
  void Finish(int line);

  // The slot of a register, a literal, a special register or a variable's address. `!%p` gives a
  // slot that an instruction put before the current one fills.
  uint32_t Operand(const InstructionText& text, size_t i, Type type);
  uint32_t OperandNamed(std::string_view name, Type type, const InstructionText& text);
  uint32_t Destination(const InstructionText& text, size_t i);
  uint32_t RegisterNamed(std::string_view name, const InstructionText& text);
  // "{a, b}", or one operand.
  std::vector<uint32_t> OperandList(const InstructionText& text, size_t i, Type type);
  MemoryOperand Memory(const InstructionText& text, size_t i);
  const Variable* FindVariable(std::string_view name) const;
  uint32_t Constant(uint64_t value);
  uint32_t NewSlot();

  Instruction& Emit(const InstructionText& text, Step step, std::initializer_list<uint32_t> slots);
  // The last instruction emitted jumps to a label.
  void JumpTo(const std::string& label, int line);
  // A jump table by the name of its .branchtargets: its index.
  size_t JumpTable(const std::string& label, int line);
  Function& function() { return *function_; }
  const std::vector<size_t>& dynamic_slots() const { return dynamic_slots_; }

 private:
  struct Scope {
    int parent = -1;
    std::map<std::string, uint32_t, std::less<>> registers;
    std::map<std::string, uint32_t, std::less<>> ranges;  // %r<9>: "%r" to 9
    std::map<std::string, int64_t, std::less<>> labels;
    Variables variables;
  };
  struct PendingJump {
    size_t instruction;
    int scope;
    std::string label;
    int line;
  };
  struct PendingTable {
    std::string name;
    int scope;
    std::vector<std::string> labels;
    int line;
  };

  void DeclareRegisters(const Statement& statement);
  void DeclareVariable(const Statement& statement);
  uint32_t FindRegister(std::string_view name);
  uint32_t AddressOf(const Variable& variable);
  void PutConstantsLast();
  int64_t FindLabel(const std::string& label, int scope, int line) const;

  Function* function_;
  const Variables* module_variables_;
  std::vector<Scope> scopes_;
  int scope_ = 0;
  std::map<uint64_t, uint32_t> constants_;
  std::map<std::string, uint32_t, std::less<>> specials_;
  std::map<const Variable*, uint32_t> addresses_;
  std::vector<PendingJump> jumps_;
  std::vector<PendingTable> tables_;
  std::vector<size_t> dynamic_slots_;  // whose values the size of static shared memory is added to
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_BUILDER_H_
