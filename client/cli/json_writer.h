// Writes JSON on one line, keys in the order they are given, so that the output is stable.
#ifndef TESSERA_CLIENT_CLI_JSON_WRITER_H_
#define TESSERA_CLIENT_CLI_JSON_WRITER_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera::cli {

// The caller pairs Begin and End. Floats are written with the fewest digits that read back to the
// same bits; NaN and the infinities, which JSON lacks, as the strings "NaN", "Infinity" and
// "-Infinity" (as protobuf's JSON does).
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  JsonWriter& Key(absl::string_view key);
  JsonWriter& String(absl::string_view text);
  JsonWriter& Bool(bool value) { return Raw(value ? "true" : "false"); }
  JsonWriter& Float(float value);
  JsonWriter& Double(double value);
  template <std::integral T>
  JsonWriter& Integer(T value) {
    return Raw(absl::StrCat(value));
  }
  // All 64 bits: a string, because many readers keep only 53 bits of a number.
  JsonWriter& Unsigned64(uint64_t value) { return String(absl::StrCat(value)); }

  std::string Take() { return std::move(out_); }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  JsonWriter& Raw(absl::string_view text);
  void Separate();

  std::string out_;
  bool first_ = true;  // nothing stands yet between the last bracket or key and here
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_JSON_WRITER_H_
