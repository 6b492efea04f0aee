// Variables that PTX declares: their size, alignment and initial bytes.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_DECLARATION_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_DECLARATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

// One 64-bit address of another variable, among a variable's initial bytes.
struct AddressWord {
  size_t offset = 0;
  std::string symbol;
  int64_t displacement = 0;
};

struct Declaration {
  std::string name;
  Space space = Space::kGeneric;  // kGeneric where none is named
  Type type = Type::kNone;
  size_t alignment = 1;
  size_t bytes = 0;  // 0 for name[]
  bool is_extern = false;
  std::vector<uint8_t> initial;  // empty if none; else `bytes` long
  std::vector<AddressWord> addresses;
};

// `text` is as in ".shared .align 8 .b8 name[64]" or ".param .u64 name". Throws for anything else.
Declaration ParseDeclaration(std::string_view text, int line);

// An integer or 0f/0d literal as the bits of a value of `type`; throws for anything else. Where
// the type is no float, a 0f or 0d literal gives its bits.
uint64_t ParseLiteral(std::string_view text, Type type, int line);

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_DECLARATION_H_
