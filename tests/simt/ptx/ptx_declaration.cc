#include "tests/simt/ptx/ptx_declaration.h"

#include <cctype>
#include <charconv>
#include <cstring>

#include "tests/simt/ptx/ptx_statement.h"

namespace simt::ptx {
namespace {

bool IsHexFloat(std::string_view text, char kind, size_t digits) {
  return text.size() == 2 + digits && text[0] == '0' &&
         std::tolower(static_cast<unsigned char>(text[1])) == kind;
}

// Digits of any of C's bases, with an optional U.
bool ParseUnsigned(std::string_view text, uint64_t* value) {
  int base = 10;
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *value, base);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

void ParseNames(std::string_view text, int line, Declaration* out) {
  while (!Trimmed(text).empty()) {
    text = Trimmed(text);
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    if (word == ".align") {
      text = Trimmed(text);
      const size_t space = std::min(text.find_first_of(" \t"), text.size());
      out->alignment = ParseLiteral(text.substr(0, space), Type::kU64, line);
      text.remove_prefix(space);
    } else if (word[0] == '.') {
      const std::string_view name = word.substr(1);
      if (name == "extern") out->is_extern = true;
      if (name == "shared") out->space = Space::kShared;
      if (name == "global") out->space = Space::kGlobal;
      if (name == "const") out->space = Space::kConst;
      if (name == "local") out->space = Space::kLocal;
      if (name == "param") out->space = Space::kParam;
      if (TypeNamed(name) != Type::kNone) out->type = TypeNamed(name);
    } else {
      out->name += word;
    }
  }
}

// The brackets behind a name; "[]" gives 0.
size_t ElementCount(std::string_view brackets, size_t initial_count, int line) {
  size_t count = 1;
  while (!brackets.empty()) {
    const size_t close = brackets.find(']');
    if (brackets[0] != '[' || close == std::string_view::npos) Refuse(line, "array", "?");
    const std::string_view inside = Trimmed(brackets.substr(1, close - 1));
    count *= inside.empty() ? initial_count : ParseLiteral(inside, Type::kU64, line);
    brackets = Trimmed(brackets.substr(close + 1));
  }
  return count;
}

void ParseInitial(const std::vector<std::string>& values, int line, Declaration* out) {
  const size_t width = SizeOf(out->type);
  out->initial.assign(out->bytes, 0);
  for (size_t i = 0; i < values.size(); ++i) {
    std::string_view value = values[i];
    if (i * width + width > out->bytes) Refuse(line, "too many initial values", out->name);
    const bool symbol = !value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) == 0 &&
                        value[0] != '-';
    if (!symbol) {
      const uint64_t bits = ParseLiteral(value, out->type, line);
      std::memcpy(&out->initial[i * width], &bits, width);
      continue;
    }
    if (width != 8) Refuse(line, "an address in less than 64 bits", std::string(value));
    const size_t plus = std::min(value.find('+'), value.size());
    std::string_view name = Trimmed(value.substr(0, plus));
    // Addresses of the module's variables are generic ones here anyway.
    if (name.starts_with("generic(")) name = Trimmed(name.substr(8, name.find(')') - 8));
    AddressWord word{i * width, std::string(name), 0};
    if (plus < value.size()) {
      word.displacement =
          static_cast<int64_t>(ParseLiteral(Trimmed(value.substr(plus + 1)), Type::kS64, line));
    }
    out->addresses.push_back(word);
  }
}

}  // namespace

uint64_t ParseLiteral(std::string_view text, Type type, int line) {
  text = Trimmed(text);
  uint64_t value = 0;
  const bool single = IsHexFloat(text, 'f', 8);
  if (single || IsHexFloat(text, 'd', 16)) {
    const auto result = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    const bool fits = !IsFloat(type) || (type == Type::kF32) == single;
    if (fits && result.ec == std::errc() && result.ptr == text.data() + text.size()) return value;
    Refuse(line, "literal of another type", std::string(text));
  }
  const bool negative = text.starts_with("-");
  if (negative) text = Trimmed(text.substr(1));
  if (IsFloat(type) || !ParseUnsigned(text, &value)) {
    Refuse(line, "not a literal or a name that is known", std::string(text));
  }
  return negative ? 0 - value : value;
}

Declaration ParseDeclaration(std::string_view text, int line) {
  Declaration out;
  out.alignment = 0;
  std::vector<std::string> values;
  bool initialized = false;
  std::string_view head = text;
  if (const size_t equal = text.find('='); equal != std::string_view::npos) {
    initialized = true;
    head = text.substr(0, equal);
    std::string_view list = Trimmed(text.substr(equal + 1));
    if (list.starts_with("{")) list = list.substr(1, list.rfind('}') - 1);
    values = SplitOperands(list);
  }
  ParseNames(head, line, &out);
  const size_t bracket = std::min(out.name.find('['), out.name.size());
  const std::string brackets = out.name.substr(bracket);
  out.name.resize(bracket);
  if (out.name.empty() || out.type == Type::kNone) {
    Refuse(line, "declaration is not understood", std::string(text));
  }
  out.bytes = SizeOf(out.type) * ElementCount(brackets, values.size(), line);
  if (out.alignment == 0) out.alignment = SizeOf(out.type);
  if (initialized) ParseInitial(values, line, &out);
  return out;
}

}  // namespace simt::ptx
