// Mirostat steers the surprisal of drawn tokens, in bits, towards tau (Basu et al. 2021). Its state
// mu travels in the request and comes back: mu' = mu - eta * (surprisal - tau), where the surprisal
// is that of the drawn token in the law it was drawn from. Without a state, mu = 2 tau.
//
//   v1: from the 100 likeliest tokens of N estimates Zipf's exponent,
//       s = sum t_i b_i / sum t_i^2, t_i = ln((i + 2) / (i + 1)), b_i = ln(p_i / p_(i+1)),
//       and keeps k = ((e 2^mu) / (1 - N^-e))^(1/s) tokens, e = s - 1; at least one, N the columns
//   v2: keeps tokens of surprisal at most mu: probability at least 2^-mu; at least one
#ifndef TESSERA_KERNELS_STAGES_MIROSTAT_H_
#define TESSERA_KERNELS_STAGES_MIROSTAT_H_

#include <cmath>

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct MirostatV1 {
  double tau = 5;    // in (0, 64] bits
  double eta = 0.1;  // in [0, 1024]
};

struct MirostatV2 {
  double tau = 5;    // in (0, 64] bits
  double eta = 0.1;  // in [0, 1024]
};

inline constexpr int kMirostatTokens = 100;  // that v1 looks at

inline Refusal CheckMirostat(const char* tau_name, const char* eta_name, double tau, double eta) {
  if (!(tau > 0 && tau <= 64)) return {tau_name, tau, "in (0, 64] bits"};
  if (!(eta >= 0 && eta <= 1024)) return {eta_name, eta, "in [0, 1024]"};
  return {};
}

inline Refusal Check(const MirostatV1& stage) {
  return CheckMirostat("mirostat_v1.tau", "mirostat_v1.eta", stage.tau, stage.eta);
}
inline Refusal Check(const MirostatV2& stage) {
  return CheckMirostat("mirostat_v2.tau", "mirostat_v2.eta", stage.tau, stage.eta);
}

inline bool IsOff(const MirostatV1&) { return false; }
inline bool IsOff(const MirostatV2&) { return false; }

inline Cut CutOf(const MirostatV1& stage, float c) {
  return {.kind = Cut::Kind::kMirostatV1, .c = c, .value = stage.tau, .second = stage.eta};
}
inline Cut CutOf(const MirostatV2& stage, float c) {
  return {.kind = Cut::Kind::kMirostatV2, .c = c, .value = stage.tau, .second = stage.eta};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_MIROSTAT_H_
