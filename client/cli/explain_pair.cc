// Compares two explanations of one row.
#include "client/cli/explain_pair.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tessera::cli {
namespace {

constexpr size_t kMaxNamed = 8;  // tokens in the verdict

// Probabilities at the end, by token.
std::map<int32_t, double> LastOf(const ExplanationView& view) {
  std::map<int32_t, double> last;
  const v1::LawExplanation& law = view.last_law();
  for (int i = 0; i < view.response.followed_ids_size(); ++i) {
    last[view.response.followed_ids(i)] = law.probabilities(i);
  }
  return last;
}

// The tokens that both follow and no mask bans.
std::vector<PairLine> LinesOf(const ExplanationView& a, const ExplanationView& b) {
  const std::map<int32_t, double> last_a = LastOf(a);
  const std::map<int32_t, double> last_b = LastOf(b);
  std::vector<PairLine> lines;
  for (const TokenLine& token : a.start) {
    const auto in_a = last_a.find(token.id);
    const auto in_b = last_b.find(token.id);
    if (in_a == last_a.end() || in_b == last_b.end()) continue;
    lines.push_back({.id = token.id,
                     .name = token.name,
                     .watched = token.watched,
                     .a = in_a->second,
                     .b = in_b->second,
                     .in_a = in_a->second > 0,
                     .in_b = in_b->second > 0});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const PairLine& x, const PairLine& y) {
    return std::max(x.a, x.b) > std::max(y.a, y.b);
  });
  return lines;
}

std::string Tokens(uint32_t count) {
  return absl::StrCat(count, count == 1 ? " token" : " tokens");
}

// "; B alone keeps token 4", with a few of them named.
std::string Alone(absl::string_view label, const std::vector<PairLine>& lines, bool in_a) {
  std::vector<std::string> named;
  for (const PairLine& line : lines) {
    if (line.differs() && line.in_a == in_a) named.push_back(absl::StrCat(line.id));
  }
  if (named.empty()) return "";
  const size_t more = named.size() > kMaxNamed ? named.size() - kMaxNamed : 0;
  named.resize(named.size() - more);
  return absl::StrCat("; ", label, " alone keeps ", named.size() == 1 ? "token " : "tokens ",
                      absl::StrJoin(named, ", "), more > 0 ? " and others" : "");
}

std::string VerdictOf(const ExplanationView& a, const ExplanationView& b,
                      const std::vector<PairLine>& lines) {
  const uint32_t in_a = a.last_law().support_size();
  const uint32_t in_b = b.last_law().support_size();
  const std::string alone = Alone("A", lines, true) + Alone("B", lines, false);
  if (in_a == in_b && alone.empty()) {
    const bool same = std::all_of(lines.begin(), lines.end(), [](const PairLine& line) {
      return std::abs(line.a - line.b) < 1e-6;
    });
    return absl::StrCat("A and B both keep ", Tokens(in_a),
                        same ? ", with the same probabilities" : ", with other probabilities");
  }
  return absl::StrCat("A keeps ", Tokens(in_a), ", B keeps ", in_b, alone);
}

// The stages that do something.
std::vector<const v1::StageExplanation*> ActiveStages(const ExplanationView& view) {
  std::vector<const v1::StageExplanation*> stages;
  for (const StageView& stage : view.stages) {
    if (!stage.words.no_op()) stages.push_back(&stage.words);
  }
  return stages;
}

std::string OrderOf(const std::vector<const v1::StageExplanation*>& stages) {
  if (stages.empty()) return "no stages";
  return absl::StrJoin(stages, ", ", [](std::string* out, const v1::StageExplanation* stage) {
    absl::StrAppend(out, stage->name());
  });
}

void AddDifference(std::string rule, const std::string& a, const std::string& b,
                   std::vector<RuleDifference>* out) {
  if (a != b) out->push_back({std::move(rule), a, b});
}

void ComparePresets(const v1::PresetExplanation& a, const v1::PresetExplanation& b,
                    std::vector<RuleDifference>* out) {
  AddDifference("greedy when", a.greedy_when(), b.greedy_when(), out);
  AddDifference("ties at the k-th", a.tie_rule(), b.tie_rule(), out);
  AddDifference("boundary of the nucleus", a.boundary_rule(), b.boundary_rule(), out);
  AddDifference("base of the nucleus", a.nucleus_base(), b.nucleus_base(), out);
  AddDifference("penalties", a.penalty_scope(), b.penalty_scope(), out);
  AddDifference("values that are off", a.disabled_values(), b.disabled_values(), out);
  AddDifference("logprobs", a.logprob_mode(), b.logprob_mode(), out);
  AddDifference("ranks", a.rank_rule(), b.rank_rule(), out);
  AddDifference("draw", a.draw(), b.draw(), out);
}

// The n-th stage of a name against the n-th of the other chain.
void CompareStages(const std::vector<const v1::StageExplanation*>& a,
                   const std::vector<const v1::StageExplanation*>& b,
                   std::vector<RuleDifference>* out) {
  constexpr char kNone[] = "none, or off";
  std::multimap<std::string, const v1::StageExplanation*> others;
  for (const v1::StageExplanation* stage : b) others.emplace(stage->name(), stage);
  for (const v1::StageExplanation* stage : a) {
    const auto other = others.lower_bound(stage->name());
    if (other == others.end() || other->first != stage->name()) {
      AddDifference(stage->name(), stage->description(), kNone, out);
      continue;
    }
    AddDifference(stage->name(), stage->description(), other->second->description(), out);
    AddDifference(absl::StrCat(stage->name(), ", boundary"), stage->boundary_rule(),
                  other->second->boundary_rule(), out);
    others.erase(other);
  }
  for (const auto& [name, stage] : others) AddDifference(name, kNone, stage->description(), out);
}

}  // namespace

ExplainedPair Compare(const ExplanationView& a, const ExplanationView& b) {
  ExplainedPair pair;
  const auto stages_a = ActiveStages(a);
  const auto stages_b = ActiveStages(b);
  AddDifference("order of stages", OrderOf(stages_a), OrderOf(stages_b), &pair.differences);
  CompareStages(stages_a, stages_b, &pair.differences);
  if (a.response.has_preset() && b.response.has_preset()) {
    ComparePresets(a.response.preset(), b.response.preset(), &pair.differences);
  }
  if (!a.has_law() || !b.has_law()) return pair;
  pair.lines = LinesOf(a, b);
  pair.verdict = VerdictOf(a, b, pair.lines);
  return pair;
}

}  // namespace tessera::cli
