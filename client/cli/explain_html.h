// An explanation as one page of HTML: complete in itself, with a picture for each stage.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_HTML_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_HTML_H_

#include <string>

#include "absl/types/span.h"
#include "client/cli/explain_pair.h"
#include "client/cli/explain_view.h"

namespace tessera::cli {

// One view, or two and how they differ. The page loads nothing and runs no script.
std::string ExplanationPage(absl::Span<const ExplanationView> views, const ExplainedPair* pair);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_HTML_H_
