// Pictures of an explanation, as SVG to stand inside a page. Colors and fonts are the page's.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_PICTURE_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_PICTURE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/cli/explain_pair.h"
#include "client/cli/explain_view.h"

namespace tessera::cli {

// Bars of the tokens; `stage` is null before the first one. `title` is read to those who do not see
// the picture.
std::string BarPicture(const std::vector<TokenLine>& lines, const v1::StageExplanation* stage,
                       absl::string_view title);

// The mass that a stage found as one strip, token after token, what it kept and, where its rule
// asks for a share, where that ends.
std::string StripPicture(const std::vector<TokenLine>& lines, const v1::StageExplanation& stage);

// Two bars for each token.
std::string PairPicture(const std::vector<PairLine>& lines, absl::string_view title);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_PICTURE_H_
