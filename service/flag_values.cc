#include "service/flag_values.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tessera {
namespace {

constexpr struct {
  const char* suffix;
  int64_t bytes;
} kUnits[] = {{"GiB", int64_t{1} << 30}, {"MiB", int64_t{1} << 20}, {"KiB", int64_t{1} << 10}};

absl::Status Refuse(absl::string_view text, absl::string_view accepted) {
  return absl::InvalidArgumentError(absl::StrCat(" is '", text, "'; it must be ", accepted));
}

}  // namespace

absl::Status ParseNumber(absl::string_view text, int64_t low, int64_t high, int64_t* value) {
  if (absl::SimpleAtoi(text, value) && *value >= low && *value <= high) return absl::OkStatus();
  return Refuse(text, absl::StrCat("a whole number in [", low, ", ", high, "]"));
}

absl::Status ParseBytes(absl::string_view text, int64_t low, int64_t high, int64_t* value) {
  absl::string_view digits = text;
  int64_t unit = 1;
  for (const auto& candidate : kUnits) {
    if (absl::ConsumeSuffix(&digits, candidate.suffix)) {
      unit = candidate.bytes;
      break;
    }
  }
  int64_t count = 0;
  if (absl::SimpleAtoi(digits, &count) && !__builtin_mul_overflow(count, unit, value) &&
      *value >= low && *value <= high) {
    return absl::OkStatus();
  }
  return Refuse(text, absl::StrCat("bytes in [", ShowBytes(low), ", ", ShowBytes(high),
                                   "], written as 67108864 or 64MiB"));
}

std::string ShowBytes(int64_t bytes) {
  for (const auto& unit : kUnits) {
    if (bytes >= unit.bytes && bytes % unit.bytes == 0) {
      return absl::StrCat(bytes / unit.bytes, unit.suffix);
    }
  }
  return absl::StrCat(bytes);
}

absl::Status ParsePeriod(absl::string_view text, absl::Duration* value) {
  if (absl::ParseDuration(text, value) && *value >= absl::ZeroDuration() &&
      *value < absl::InfiniteDuration()) {
    return absl::OkStatus();
  }
  return Refuse(text, "a duration such as 0, 500ms, 5s or 1m");
}

absl::Status CheckAddress(absl::string_view text, bool allow_unix) {
  absl::string_view rest = text;
  if (allow_unix && absl::ConsumePrefix(&rest, "unix:") && !rest.empty()) return absl::OkStatus();
  const size_t colon = text.rfind(':');
  int64_t port = 0;
  if (!absl::StartsWith(text, "unix:") && colon != absl::string_view::npos && colon > 0 &&
      absl::SimpleAtoi(text.substr(colon + 1), &port) && port >= 0 && port <= 65535) {
    const absl::string_view host = text.substr(0, colon);
    const bool bracketed = absl::StartsWith(host, "[") && absl::EndsWith(host, "]");
    if (bracketed || !absl::StrContains(host, ":")) return absl::OkStatus();
  }
  return Refuse(text, allow_unix ? "host:port (port in [0, 65535], 0 for any free one; [::1]:port "
                                   "for IPv6) or unix:path"
                                 : "host:port (port in [0, 65535], 0 for any free one)");
}

}  // namespace tessera
