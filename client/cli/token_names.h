// What tokens are called: the text of each id, from a file.
#ifndef TESSERA_CLIENT_CLI_TOKEN_NAMES_H_
#define TESSERA_CLIENT_CLI_TOKEN_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tessera::cli {

class TokenNames {
 public:
  TokenNames() = default;  // ids have no names

  // One name a line, that of id 0 first. NotFound or InvalidArgument names the path.
  static absl::StatusOr<TokenNames> Read(const std::string& path);

  bool empty() const { return names_.empty(); }

  // Printable on one line: control characters and bytes that are no UTF-8 are escaped. Empty where
  // the id has no name.
  std::string Of(int32_t id) const;

 private:
  std::vector<std::string> names_;
};

// `text` cut to `width` characters or padded to it, counted as UTF-8.
std::string Fitted(const std::string& text, size_t width);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_TOKEN_NAMES_H_
