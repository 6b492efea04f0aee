// Text inside HTML.
#ifndef TESSERA_CLIENT_CLI_HTML_TEXT_H_
#define TESSERA_CLIENT_CLI_HTML_TEXT_H_

#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace tessera::cli {

// Fit for an element and for a quoted attribute, whatever `text` holds.
inline std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_HTML_TEXT_H_
