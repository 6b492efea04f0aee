// An explanation as text for a terminal.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_TEXT_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_TEXT_H_

#include <string>

#include "client/cli/explain_pair.h"
#include "client/cli/explain_view.h"
#include "client/cli/terminal.h"

namespace tessera::cli {

// Stage by stage, each with bars of its tokens.
std::string ExplanationText(const ExplanationView& view, const Terminal& terminal);

// What two chains left, side by side, and the rules in which they differ.
std::string PairText(const ExplainedPair& pair, const Terminal& terminal);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_TEXT_H_
