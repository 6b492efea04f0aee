// Where execution goes on: branches, calls, ends.
#include "tests/simt/collectives.h"
#include "tests/simt/ptx/ptx_decode.h"
#include "tests/simt/ptx/ptx_steps.h"

namespace simt::ptx {
namespace {

void JumpStep(Thread& t, const Instruction& i) { t.Jump(i, i.immediate); }
void TableStep(Thread& t, const Instruction& i) {
  const auto& targets = t.function().jump_tables[static_cast<size_t>(i.immediate)];
  const uint32_t index = t.Get<uint32_t>(i.slot[0]);
  if (index >= targets.size()) t.Fail("index outside of the jump table", i);
  t.JumpToIndex(targets[index]);
}
void CallStep(Thread& t, const Instruction& i) { t.Call(i); }
void ReturnStep(Thread& t, const Instruction&) { t.Return(); }
void ExitStep(Thread& t, const Instruction&) { t.Exit(); }
void TrapStep(Thread& t, const Instruction& i) { t.Fail("trap", i); }
void YieldStep(Thread&, const Instruction&) { emulator::SpinPoint(); }
void NoStep(Thread&, const Instruction&) {}

void DecodeBranch(InstructionText& text, FunctionBuilder& builder) {
  text.Take("uni");
  text.RequireOperands(1, 1);
  builder.Emit(text, &JumpStep, {});
  builder.JumpTo(text.operand(0), text.line());
}

void DecodeTableBranch(InstructionText& text, FunctionBuilder& builder) {
  text.Take("uni");
  if (!text.Take("idx")) text.Refuse("no such branch");
  text.RequireOperands(2, 2);
  const size_t table = builder.JumpTable(text.operand(1), text.line());
  builder.Emit(text, &TableStep, {builder.Operand(text, 0, Type::kU32)}).immediate =
      static_cast<int64_t>(table);
}

// "(a, b)": where these variables lie in the caller's local memory.
std::vector<Transfer> Transfers(std::string_view list, const InstructionText& text,
                                FunctionBuilder& builder) {
  std::vector<Transfer> transfers;
  for (const std::string& name : SplitOperands(list.substr(1, list.size() - 2))) {
    const Variable* variable = builder.FindVariable(name);
    if (variable == nullptr || variable->space != Space::kLocal) {
      text.Refuse("no .param variable " + name);
    }
    transfers.push_back({variable->offset, 0, variable->bytes});
  }
  return transfers;
}

// call (results), name, (arguments); results and arguments may be missing.
void DecodeCall(InstructionText& text, FunctionBuilder& builder) {
  text.Take("uni");
  CallSite call;
  call.line = text.line();
  call.text = text.text();
  size_t next = 0;
  if (text.operand(0).starts_with("(")) {
    call.results = Transfers(text.operand(0), text, builder);
    next = 1;
  }
  call.callee_name = text.operand(next);
  if (call.callee_name.starts_with("%")) text.Refuse("calls through pointers are not emulated");
  text.RequireOperands(next + 1, next + 2);
  if (text.operand_count() > next + 1) {
    call.arguments = Transfers(text.operand(next + 1), text, builder);
  }
  builder.Emit(text, &CallStep, {}).immediate =
      static_cast<int64_t>(builder.function().calls.size());
  builder.function().calls.push_back(call);
}

template <Step kStep>
void DecodePlain(InstructionText& text, FunctionBuilder& builder) {
  text.Take("uni");
  text.RequireOperands(0, 0);
  builder.Emit(text, kStep, {});
}

void DecodeSleep(InstructionText& text, FunctionBuilder& builder) {
  text.TakeType();
  text.RequireOperands(1, 1);
  builder.Emit(text, &YieldStep, {});
}

// Launches here begin when the one before has ended, so there is nothing to wait for.
void DecodeGridDependency(InstructionText& text, FunctionBuilder& builder) {
  text.TakeOneOf({"wait", "launch_dependents"});
  builder.Emit(text, &NoStep, {});
}

constexpr OpcodeEntry kOpcodes[] = {{"bra", &DecodeBranch},
                                    {"brx", &DecodeTableBranch},
                                    {"call", &DecodeCall},
                                    {"ret", &DecodePlain<&ReturnStep>},
                                    {"exit", &DecodePlain<&ExitStep>},
                                    {"trap", &DecodePlain<&TrapStep>},
                                    {"nanosleep", &DecodeSleep},
                                    {"griddepcontrol", &DecodeGridDependency}};

}  // namespace

Decoder FindControlDecoder(std::string_view opcode) { return FindIn(kOpcodes, opcode); }

}  // namespace simt::ptx
