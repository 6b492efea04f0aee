// Two explanations of one row beside each other: what they keep, and in which rules they differ.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_PAIR_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_PAIR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/explain_view.h"

namespace tessera::cli {

// One token at the end of both chains.
struct PairLine {
  int32_t id = 0;
  std::string name;
  bool watched = false;
  double a = 0;  // probabilities; 0 where cut
  double b = 0;
  bool in_a = false;
  bool in_b = false;

  bool differs() const { return in_a != in_b; }
};

// A rule in which they differ.
struct RuleDifference {
  std::string rule;  // "order of stages", "top_p, boundary", ...
  std::string a;
  std::string b;
};

struct ExplainedPair {
  std::string verdict;          // one sentence; empty without logits
  std::vector<PairLine> lines;  // likeliest first
  std::vector<RuleDifference> differences;
};

ExplainedPair Compare(const ExplanationView& a, const ExplanationView& b);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_PAIR_H_
