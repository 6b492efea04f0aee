#include "bench/gpu/table.h"

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/claims.h"

namespace tessera::bench {
namespace {

struct Goal {
  int64_t rows;
  double microseconds;
};
constexpr Goal kGoals[] = {{1, 9}, {64, 16}, {256, 40}};
constexpr int64_t kGoalColumns = 128256;

// Of a device's name: quotes and control characters have no place in it.
std::string Plain(const std::string& text) {
  std::string plain = text;
  for (char& letter : plain) {
    if (letter == '"' || letter == '\\' || letter < ' ') letter = '_';
  }
  return plain;
}

}  // namespace

double FloorMicroseconds(const Case& one, const Bandwidth& bandwidth) {
  return static_cast<double>(one.bytes()) * 1e-3 / bandwidth.read;
}

void PrintHeader() {
  std::printf("%-4s %-6s %-7s %-21s %4s %10s %10s %7s\n", "", "V", "rows", "chain", "B", "us",
              "floor us", "times");
}

void PrintRow(const Measured& measured, const Bandwidth& bandwidth) {
  const Case& one = measured.one;
  const double floor = FloorMicroseconds(one, bandwidth);
  std::printf("%-4s %-6lld %-7s %-21s %4lld %10.2f %10.2f %7.1f\n", NameOf(one.dtype),
              static_cast<long long>(one.columns), NameOf(one.shape), BenchChains()[one.chain].name,
              static_cast<long long>(one.rows), measured.microseconds, floor,
              measured.microseconds / floor);
  std::fflush(stdout);
}

void PrintClaims(absl::Span<const Measured> table) {
  for (const Goal& goal : kGoals) {
    double slowest = 0;
    for (const Measured& measured : table) {
      const Case& one = measured.one;
      if (one.rows == goal.rows && one.columns == kGoalColumns && one.shape == Shape::kReal &&
          one.dtype == DType::kBfloat16) {
        slowest = std::max(slowest, measured.microseconds);
      }
    }
    if (slowest > 0) {
      ClaimAtMost(absl::StrCat("cuda_us_B", goal.rows, "_bf16"), slowest, goal.microseconds);
    }
  }
}

std::string TableAsJson(const std::string& device, const Options& options,
                        const Bandwidth& bandwidth, absl::Span<const Measured> table) {
  std::string json = absl::StrFormat(
      "{\"device\": \"%s\", \"repeats\": %d, \"copy_gb_per_s\": %.1f, \"read_gb_per_s\": %.1f, "
      "\"nothing_us\": %.3f,\n \"table\": [",
      Plain(device), options.repeats, bandwidth.copy, bandwidth.read, bandwidth.nothing_us);
  const char* separator = "\n  ";
  for (const Measured& measured : table) {
    const Case& one = measured.one;
    absl::StrAppendFormat(&json,
                          "%s{\"dtype\": \"%s\", \"columns\": %d, \"rows\": \"%s\", \"chain\": "
                          "\"%s\", \"batch\": %d, "
                          "\"us\": %.3f, \"floor_us\": %.3f}",
                          separator, NameOf(one.dtype), one.columns, NameOf(one.shape),
                          BenchChains()[one.chain].name, one.rows, measured.microseconds,
                          FloorMicroseconds(one, bandwidth));
    separator = ",\n  ";
  }
  return absl::StrCat(json, "\n ]\n}\n");
}

}  // namespace tessera::bench
