// Which state space an instruction names.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_ADDRESS_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_ADDRESS_H_

#include "tests/simt/ptx/ptx_builder.h"
#include "tests/simt/ptx/ptx_statement.h"
#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

// kGeneric where none is named.
Space TakeSpace(InstructionText& text);

// The space of an address: the named one, or that of the variable in it.
Space SpaceOf(Space named, const MemoryOperand& memory);

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_ADDRESS_H_
