#include "tests/simt/ptx/ptx_decode.h"

namespace simt::ptx {
namespace {

using Finder = Decoder (*)(std::string_view opcode);

// Opcodes that floats and integers share (add, min, ...) are with the integers, whose decoder
// passes floats on.
constexpr Finder kFinders[] = {&FindIntegerDecoder,  &FindMultiplyDecoder, &FindBitDecoder,
                               &FindBitFieldDecoder, &FindFloatDecoder,    &FindCompareDecoder,
                               &FindSelectDecoder,   &FindConvertDecoder,  &FindMoveDecoder,
                               &FindMemoryDecoder,   &FindAtomicDecoder,   &FindWarpDecoder,
                               &FindBarrierDecoder,  &FindAsyncDecoder,    &FindControlDecoder};

}  // namespace

void Decode(const Statement& statement, FunctionBuilder& builder) {
  InstructionText text(statement);
  text.CheckExact();
  for (const Finder finder : kFinders) {
    const Decoder decoder = finder(text.opcode());
    if (decoder == nullptr) continue;
    decoder(text, builder);
    text.CheckAllTaken();
    return;
  }
  text.Refuse("unknown instruction");
}

}  // namespace simt::ptx
