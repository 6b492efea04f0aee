#include "tests/simt/ptx/ptx_header.h"

#include <algorithm>

#include "tests/simt/ptx/ptx_statement.h"

namespace simt::ptx {
namespace {

// "(a, b)" from the front of *rest.
std::string_view TakeList(std::string_view* rest) {
  *rest = Trimmed(*rest);
  if (!rest->starts_with("(")) return {};
  const size_t close = rest->find(')');
  const std::string_view inside = rest->substr(1, close - 1);
  *rest = Trimmed(rest->substr(std::min(close, rest->size() - 1) + 1));
  return inside;
}

}  // namespace

FunctionHeader ParseHeader(std::string_view text) {
  FunctionHeader header;
  size_t at = text.find(".entry");
  header.is_kernel = at != std::string_view::npos;
  if (!header.is_kernel) at = text.find(".func") - 1;  // one letter shorter
  std::string_view rest = text.substr(at + 6);
  header.results = SplitOperands(TakeList(&rest));
  const size_t end = std::min(rest.find_first_of(" ("), rest.size());
  header.name = rest.substr(0, end);
  rest.remove_prefix(end);
  header.parameters = SplitOperands(TakeList(&rest));
  return header;
}

}  // namespace simt::ptx
