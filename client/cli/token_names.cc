// Reads the names of tokens and makes them printable.
#include "client/cli/token_names.h"

#include <fstream>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace tessera::cli {
namespace {

constexpr size_t kMaxName = 256;  // bytes of one that are kept

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the UTF-8 character at `at`; 0 where there is none.
size_t CharacterAt(const std::string& text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xC2 && first < 0xE0 ? 2
                        : first >= 0xE0 && first < 0xF0 ? 3
                        : first >= 0xF0 && first < 0xF5 ? 4
                                                        : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[at + i])) return 0;
  }
  return length;
}

// Control characters, among them those of two bytes, would move the cursor.
bool IsControl(const std::string& text, size_t at, size_t length) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (length == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

std::string Printable(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = CharacterAt(text, at);
    if (length == 0 || IsControl(text, at, length)) {
      const size_t bytes = length == 0 ? 1 : length;
      out += absl::CHexEscape(text.substr(at, bytes));
      at += bytes;
      continue;
    }
    out.append(text, at, length);
    at += length;
  }
  return out;
}

}  // namespace

absl::StatusOr<TokenNames> TokenNames::Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": it cannot be opened"));
  TokenNames names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    names.names_.push_back(line.substr(0, kMaxName));
  }
  if (names.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is empty; it must hold one name a line"));
  }
  return names;
}

std::string TokenNames::Of(int32_t id) const {
  if (id < 0 || static_cast<size_t>(id) >= names_.size()) return "";
  return Printable(names_[id]);
}

std::string Fitted(const std::string& text, size_t width) {
  std::string out;
  size_t characters = 0;
  for (const char c : text) {
    if (!IsContinuation(c) && ++characters > width) break;
    out.push_back(c);
  }
  if (characters < width) out.append(width - characters, ' ');
  return out;
}

}  // namespace tessera::cli
