// The line that begins a function: what it is called, and its parameters.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_HEADER_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_HEADER_H_

#include <string>
#include <string_view>
#include <vector>

namespace simt::ptx {

struct FunctionHeader {
  bool is_kernel = false;
  std::string name;
  std::vector<std::string> results, parameters;  // declarations
};

// ".visible .func (results) name(parameters) attributes"; results and parameters may be missing.
// The attributes (.maxntid and the like) say how to compile and not what to do.
FunctionHeader ParseHeader(std::string_view text);

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_HEADER_H_
