// From an instruction's text to the step that executes it, by families of opcodes.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_DECODE_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_DECODE_H_

#include <string_view>

#include "tests/simt/ptx/ptx_builder.h"
#include "tests/simt/ptx/ptx_statement.h"

namespace simt::ptx {

// Takes the modifiers it understands and emits instructions, or refuses.
using Decoder = void (*)(InstructionText& text, FunctionBuilder& builder);

// Null for an opcode of another family.
Decoder FindIntegerDecoder(std::string_view opcode);
Decoder FindMultiplyDecoder(std::string_view opcode);
Decoder FindBitDecoder(std::string_view opcode);
Decoder FindBitFieldDecoder(std::string_view opcode);
Decoder FindFloatDecoder(std::string_view opcode);
Decoder FindCompareDecoder(std::string_view opcode);
Decoder FindSelectDecoder(std::string_view opcode);
Decoder FindConvertDecoder(std::string_view opcode);
Decoder FindMoveDecoder(std::string_view opcode);
Decoder FindMemoryDecoder(std::string_view opcode);
Decoder FindAtomicDecoder(std::string_view opcode);
Decoder FindWarpDecoder(std::string_view opcode);
Decoder FindBarrierDecoder(std::string_view opcode);
Decoder FindAsyncDecoder(std::string_view opcode);
Decoder FindControlDecoder(std::string_view opcode);

// Decodes one instruction into `builder`; throws where it has no exact meaning on a CPU.
void Decode(const Statement& statement, FunctionBuilder& builder);

// A family's table of opcodes.
struct OpcodeEntry {
  std::string_view opcode;
  Decoder decoder;
};
template <size_t kCount>
Decoder FindIn(const OpcodeEntry (&entries)[kCount], std::string_view opcode) {
  for (const OpcodeEntry& entry : entries) {
    if (entry.opcode == opcode) return entry.decoder;
  }
  return nullptr;
}

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_DECODE_H_
