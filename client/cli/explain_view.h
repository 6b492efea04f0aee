// An explanation arranged for people: each stage with its tokens in order and its boundary between
// them. explain_text.h and explain_html.h show it.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_VIEW_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/token_names.h"
#include "tessera/v1/explain.pb.h"

namespace tessera::cli {

// One token at one stage.
struct TokenLine {
  int32_t id = 0;
  std::string name;   // empty where it has none
  float logit = 0;    // after the edits so far
  double before = 0;  // probability in the law that the stage found
  double after = 0;   // in the law that it left; 0 where it is cut
  bool kept = false;
  bool watched = false;
  bool gap_before = false;       // tokens that are not shown stand between the line before and this
  bool boundary_before = false;  // the stage cut between the line before and this
};

struct StageView {
  v1::StageExplanation words;    // the server's
  std::vector<TokenLine> lines;  // in the order of logits: what it found, and watched tokens
};

struct ExplanationView {
  std::string label;  // "A", "B"; empty where there is one
  std::string chain;  // as it was typed
  v1::ExplainChainResponse response;
  std::vector<TokenLine> start;  // before the first stage
  std::vector<StageView> stages;

  bool has_law() const { return response.has_start(); }
  const v1::LawExplanation& last_law() const;  // REQUIRES: has_law
};

ExplanationView ViewOf(v1::ExplainChainResponse response, const std::string& chain,
                       const std::vector<int64_t>& watched, const TokenNames& names);

// "0.5966"; three digits of what is below 0.001.
std::string ShownProbability(double value);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_VIEW_H_
