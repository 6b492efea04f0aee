// What a terminal can show: bars, and colors where somebody looks at it.
#ifndef TESSERA_CLIENT_CLI_TERMINAL_H_
#define TESSERA_CLIENT_CLI_TERMINAL_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tessera::cli {

struct Terminal {
  bool utf8 = false;
  bool color = false;

  // By the environment: UTF-8 as LC_ALL, LC_CTYPE or LANG say; colors where stdout is a terminal
  // that has them and NO_COLOR is not set.
  static Terminal Detect();

  // A bar of at most `cells` columns; a share above 0 always shows. `faint` for what is gone.
  std::string Bar(double share, int cells, bool faint) const;

  std::string Kept(absl::string_view text) const { return Colored(text, "32"); }
  std::string Cut(absl::string_view text) const { return Colored(text, "31"); }
  std::string Strong(absl::string_view text) const { return Colored(text, "1"); }
  std::string Faint(absl::string_view text) const { return Colored(text, "2"); }

  const char* Arrow() const { return utf8 ? "\u2192" : "->"; }
  const char* Rule() const { return utf8 ? "\u2500" : "-"; }
  const char* Dots() const { return utf8 ? "\u22ee" : ":"; }
  const char* Differs() const { return utf8 ? "\u2260" : "!="; }

 private:
  std::string Colored(absl::string_view text, absl::string_view code) const;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_TERMINAL_H_
