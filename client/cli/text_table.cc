// A table for people.
#include "client/cli/text_table.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tessera::cli {
namespace {

bool LooksLikeNumber(const std::string& cell) {
  if (cell.empty() || cell == "-inf" || cell == "nan") return true;
  const char last = cell.back();
  return absl::ascii_isdigit(static_cast<unsigned char>(last)) &&
         cell.find_first_not_of("0123456789.-+e") == std::string::npos;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> head) { lines_.push_back(std::move(head)); }

void TextTable::Add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

std::string TextTable::Text() const {
  std::vector<size_t> widths(lines_[0].size(), 0);
  std::vector<bool> right(lines_[0].size(), true);
  for (size_t l = 0; l < lines_.size(); ++l) {
    for (size_t c = 0; c < lines_[l].size(); ++c) {
      widths[c] = std::max(widths[c], lines_[l][c].size());
      if (l > 0 && !LooksLikeNumber(lines_[l][c])) right[c] = false;
    }
  }
  std::string out;
  for (const std::vector<std::string>& line : lines_) {
    std::string text;
    for (size_t c = 0; c < line.size(); ++c) {
      const std::string pad(widths[c] - line[c].size(), ' ');
      absl::StrAppend(&text, c == 0 ? "" : "  ", right[c] ? pad : "", line[c], right[c] ? "" : pad);
    }
    absl::StripTrailingAsciiWhitespace(&text);
    absl::StrAppend(&out, text, "\n");
  }
  return out;
}

}  // namespace tessera::cli
