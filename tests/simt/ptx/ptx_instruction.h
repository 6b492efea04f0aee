// Decoded PTX: what the interpreter runs. Operands are slots of one table of 64-bit values per
// frame, which holds the registers, then constants, addresses of variables and special registers.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_INSTRUCTION_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_INSTRUCTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

class Thread;
struct Instruction;

// Executes one instruction whose guard, if any, is true.
using Step = void (*)(Thread& thread, const Instruction& instruction);

inline constexpr uint32_t kNoSlot = ~uint32_t{0};

struct Instruction {
  Step step = nullptr;
  int64_t immediate = 0;  // displacement of an address, distance of a branch, index of a call
  uint32_t guard = kNoSlot;
  int32_t line = 0;
  bool guard_negated = false;
  Space space = Space::kGeneric;  // of atomics and asynchronous copies
  uint8_t count = 0;              // of `slot` in use
  uint32_t slot[10] = {};
};

// What a slot is set to when a frame begins.
struct Preload {
  enum class Kind : uint8_t {
    kLocal,   // value: displacement in the frame's local memory
    kParam,   // value: displacement in the frame's parameters
    kSpecial  // value: a Special
  };
  Kind kind;
  uint32_t slot;
  uint64_t value;
};

struct Parameter {
  std::string name;
  size_t offset = 0;
  size_t bytes = 0;
};

// A run of bytes from a caller's local memory to a callee's parameters, or back.
struct Transfer {
  size_t local_offset = 0;
  size_t param_offset = 0;
  size_t bytes = 0;
};

struct Function;

struct CallSite {
  std::string callee_name;
  int line = 0;
  std::string text;
  std::vector<Transfer> arguments, results;
  const Function* callee = nullptr;  // known once the module is read
};

struct Function {
  std::string name;
  bool is_kernel = false;
  std::vector<Instruction> code;  // ends with a return
  std::vector<uint64_t> slots;    // initial values, of the constants only
  size_t first_constant = 0;      // the slots before it are registers
  std::vector<Preload> preloads;
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;  // they lie behind the parameters
  size_t param_bytes = 0;          // of both
  size_t local_bytes = 0;
  size_t static_shared = 0;  // of the module; dynamic shared memory lies behind it
  std::vector<CallSite> calls;
  std::vector<std::vector<int64_t>> jump_tables;  // instruction indices
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_INSTRUCTION_H_
