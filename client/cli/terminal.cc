// Draws with characters.
#include "client/cli/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tessera::cli {
namespace {

absl::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool SaysUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = absl::AsciiStrToLower(Environment(name));
    if (!value.empty())
      return absl::StrContains(value, "utf-8") || absl::StrContains(value, "utf8");
  }
  return false;
}

}  // namespace

Terminal Terminal::Detect() {
  const absl::string_view kind = Environment("TERM");
  return {.utf8 = SaysUtf8(),
          .color = isatty(STDOUT_FILENO) != 0 && Environment("NO_COLOR").empty() && !kind.empty() &&
                   kind != "dumb"};
}

std::string Terminal::Bar(double share, int cells, bool faint) const {
  const double length = std::clamp(share, 0.0, 1.0) * cells;
  std::string out;
  if (!utf8 || faint) {
    const char* cell = faint ? (utf8 ? "\u2591" : ".") : "#";
    const int full = static_cast<int>(std::lround(length));
    for (int i = 0; i < std::max(full, share > 0 ? 1 : 0); ++i) out += cell;
    return out;
  }
  const int eighths = std::max(static_cast<int>(std::lround(length * 8)), share > 0 ? 1 : 0);
  for (int i = 0; i < eighths / 8; ++i) out += "\u2588";
  const char* parts[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
  return out + parts[eighths % 8];
}

std::string Terminal::Colored(absl::string_view text, absl::string_view code) const {
  return color ? absl::StrCat("\033[", code, "m", text, "\033[0m") : std::string(text);
}

}  // namespace tessera::cli
