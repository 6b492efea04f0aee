// Arranges an explanation for people.
#include "client/cli/explain_view.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"

namespace tessera::cli {
namespace {

struct Watch {
  const std::vector<int64_t>& ids;
  const TokenNames& names;

  TokenLine Line(int32_t id) const {
    TokenLine line;
    line.id = id;
    line.name = names.Of(id);
    line.watched = std::find(ids.begin(), ids.end(), id) != ids.end();
    return line;
  }
};

bool InOrder(const TokenLine& a, const TokenLine& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

std::vector<TokenLine> LinesOf(const google::protobuf::RepeatedField<int32_t>& ids,
                               const v1::LawExplanation& before, const v1::LawExplanation& after,
                               const Watch& watch) {
  std::vector<TokenLine> lines;
  for (int i = 0; i < ids.size(); ++i) {
    TokenLine line = watch.Line(ids[i]);
    line.logit = after.logits(i);
    line.before = before.probabilities(i);
    line.after = after.probabilities(i);
    line.kept = line.after > 0;
    const bool gone = line.before <= 0 && !line.kept;  // an earlier stage cut it, or a mask
    if (!gone || line.watched) lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(), InOrder);
  return lines;
}

TokenLine LineOf(const v1::TokenExplanation& token, const Watch& watch) {
  TokenLine line = watch.Line(token.id());
  line.logit = token.logit();
  line.before = token.probability_before();
  line.after = token.probability_after();
  line.kept = line.after > 0;
  return line;
}

// Shows a token beside a boundary among the lines, if it is not there yet.
void Insert(const v1::TokenExplanation& token, const Watch& watch, std::vector<TokenLine>* lines) {
  for (const TokenLine& line : *lines) {
    if (line.id == token.id()) return;
  }
  TokenLine added = LineOf(token, watch);
  added.gap_before = true;
  lines->insert(std::upper_bound(lines->begin(), lines->end(), added, InOrder), std::move(added));
}

void MarkBoundary(const v1::CutExplanation& cut, const Watch& watch,
                  std::vector<TokenLine>* lines) {
  Insert(cut.last_kept(), watch, lines);
  Insert(cut.first_cut(), watch, lines);
  const int32_t below = cut.from_top() ? cut.last_kept().id() : cut.first_cut().id();
  const int32_t above = cut.from_top() ? cut.first_cut().id() : cut.last_kept().id();
  bool beside = false;  // the line before is the other token of the boundary
  for (TokenLine& line : *lines) {
    if (line.id == below) {
      line.boundary_before = true;
      if (beside) line.gap_before = false;
    }
    beside = line.id == above;
  }
}

}  // namespace

const v1::LawExplanation& ExplanationView::last_law() const {
  const v1::LawExplanation* last = &response.start();
  for (const v1::StageExplanation& stage : response.stages()) {
    if (stage.has_law()) last = &stage.law();
  }
  return *last;
}

ExplanationView ViewOf(v1::ExplainChainResponse response, const std::string& chain,
                       const std::vector<int64_t>& watched, const TokenNames& names) {
  ExplanationView view;
  view.chain = chain;
  view.response = std::move(response);
  const Watch watch{watched, names};
  const auto& ids = view.response.followed_ids();
  const v1::LawExplanation* before = &view.response.start();
  if (view.has_law()) view.start = LinesOf(ids, *before, *before, watch);
  for (const v1::StageExplanation& words : view.response.stages()) {
    StageView stage{.words = words, .lines = {}};
    if (words.has_law()) {
      stage.lines = LinesOf(ids, *before, words.law(), watch);
      for (const v1::CutExplanation& cut : words.cuts()) MarkBoundary(cut, watch, &stage.lines);
      before = &words.law();
    }
    view.stages.push_back(std::move(stage));
  }
  return view;
}

std::string ShownProbability(double value) {
  return value >= 0.001 || value == 0 ? absl::StrFormat("%.4f", value)
                                      : absl::StrFormat("%.2g", value);
}

}  // namespace tessera::cli
