// Writes JSON on one line.
#include "client/cli/json_writer.h"

#include <charconv>
#include <cmath>

#include "absl/strings/str_format.h"

namespace tessera::cli {
namespace {

template <typename T>
std::string Shortest(T value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  return std::string(digits, end);
}

void AppendQuoted(absl::string_view text, std::string* out) {
  out->push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      out->append("\\n");
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(out, "\\u%04x", static_cast<unsigned>(c));
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

}  // namespace

void JsonWriter::Separate() {
  if (!first_) out_.push_back(',');
  first_ = false;
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  out_.push_back(bracket);
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  out_.push_back(bracket);
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::Raw(absl::string_view text) {
  Separate();
  out_.append(text.data(), text.size());
  return *this;
}

JsonWriter& JsonWriter::Key(absl::string_view key) {
  Separate();
  AppendQuoted(key, &out_);
  out_.push_back(':');
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(absl::string_view text) {
  Separate();
  AppendQuoted(text, &out_);
  return *this;
}

JsonWriter& JsonWriter::Float(float value) { return Raw(Shortest(value)); }

JsonWriter& JsonWriter::Double(double value) { return Raw(Shortest(value)); }

}  // namespace tessera::cli
