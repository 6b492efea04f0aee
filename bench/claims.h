// Prints what a benchmark claims, one line each, in the form that scripts/bench counts.
#ifndef TESSERA_BENCH_CLAIMS_H_
#define TESSERA_BENCH_CLAIMS_H_

#include <cstdio>
#include <string>

namespace tessera::bench {

// A ratio that must not exceed `limit`.
inline void ClaimAtMost(const std::string& name, double value, double limit) {
  std::printf("claim: %s = %.2f (limit %.2f) %s\n", name.c_str(), value, limit,
              value <= limit ? "ok" : "short");
}

// A ratio that must reach `limit`.
inline void ClaimAtLeast(const std::string& name, double value, double limit) {
  std::printf("claim: %s = %.0f (limit %.0f) %s\n", name.c_str(), value, limit,
              value >= limit ? "ok" : "short");
}

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_CLAIMS_H_
