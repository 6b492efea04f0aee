// Shows an explanation in a terminal.
#include "client/cli/explain_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tessera::cli {
namespace {

constexpr int kBar = 40;      // columns of the longest bar
constexpr int kPairBar = 16;  // where two stand side by side
constexpr int kWidth = 96;    // where prose wraps
constexpr size_t kName = 14;  // columns of a token's name

// Wraps prose at words; every line starts with `indent`.
std::string Wrapped(absl::string_view text, absl::string_view indent) {
  std::string out;
  std::string line(indent);
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (line.size() > indent.size() && line.size() + 1 + word.size() > kWidth) {
      absl::StrAppend(&out, line, "\n");
      line = std::string(indent);
    }
    absl::StrAppend(&line, line.size() > indent.size() ? " " : "", word);
  }
  return absl::StrCat(out, line, "\n");
}

class TextWriter {
 public:
  TextWriter(const ExplanationView& view, const Terminal& terminal)
      : view_(view), terminal_(terminal) {
    named_ = std::any_of(view.start.begin(), view.start.end(),
                         [](const TokenLine& line) { return !line.name.empty(); });
    for (const TokenLine& line : view.start) largest_ = std::max(largest_, line.before);
    for (const StageView& stage : view.stages) {
      for (const TokenLine& line : stage.lines) largest_ = std::max(largest_, line.after);
    }
  }

  std::string Write() {
    Head();
    if (view_.has_law()) {
      absl::StrAppend(&out_, "\n");
      Title("start:", "the softmax of the logits, under the row's masks");
      Law(view_.response.start());
      Lines(view_.start, /*moves=*/false);
    }
    for (size_t i = 0; i < view_.stages.size(); ++i) Stage(i);
    if (!view_.response.error().empty()) {
      absl::StrAppend(&out_, "\n", terminal_.Cut("no law: "), view_.response.error(), "\n");
    }
    return std::move(out_);
  }

 private:
  void Head() {
    const std::string label = view_.label.empty() ? "chain" : absl::StrCat("chain ", view_.label);
    absl::StrAppend(&out_, terminal_.Strong(label), "  ",
                    view_.chain.empty() ? "(empty)" : view_.chain, "\n");
    if (!view_.response.has_preset()) return;
    const v1::PresetExplanation& preset = view_.response.preset();
    Fact("follows", preset.follows());
    Fact("fidelity", preset.fidelity());
    Fact("order", preset.order());
    Fact("ties", preset.tie_rule());
    Fact("boundary", preset.boundary_rule());
    Fact("nucleus", preset.nucleus_base());
    Fact("penalties", preset.penalty_scope());
    Fact("greedy", preset.greedy_when());
    Fact("off", preset.disabled_values());
    Fact("logprobs", preset.logprob_mode());
    Fact("ranks", preset.rank_rule());
    Fact("draw", preset.draw());
    for (const std::string& note : preset.notes()) Fact("note", note);
  }

  void Fact(absl::string_view name, absl::string_view text) {
    if (text.empty()) return;
    std::string wrapped = Wrapped(text, "             ");
    const std::string head = absl::StrFormat("  %-11s", name);
    absl::StrAppend(&out_, head, wrapped.substr(head.size()));
  }

  void Title(absl::string_view number, absl::string_view text) {
    const std::string wrapped = Wrapped(absl::StrCat(number, "  ", text), "");
    absl::StrAppend(&out_, terminal_.Strong(wrapped.substr(0, wrapped.size() - 1)), "\n");
  }

  void Law(const v1::LawExplanation& law) {
    absl::StrAppendFormat(
        &out_, "   %d %s, mass %s, entropy %.4f nats; the last is token %d, logit %g\n",
        law.support_size(), law.support_size() == 1 ? "token" : "tokens",
        ShownProbability(law.mass()), law.entropy(), law.lowest().id(), law.lowest().logit());
  }

  void Stage(size_t i) {
    const v1::StageExplanation& words = view_.stages[i].words;
    const bool after_off = i > 0 && view_.stages[i - 1].words.no_op();
    if (!(words.no_op() && after_off)) absl::StrAppend(&out_, "\n");
    Title(absl::StrCat(i + 1, "."), words.description());
    if (words.no_op()) return;
    if (!words.boundary_rule().empty()) {
      absl::StrAppend(&out_, terminal_.Faint(Wrapped(words.boundary_rule(), "   ")));
    }
    if (!words.has_law()) return;
    absl::StrAppend(&out_, Wrapped(words.reason(), "   "));
    if (words.effect() == v1::STAGE_EFFECT_DRAW) return;
    Law(words.law());
    Lines(view_.stages[i].lines, /*moves=*/true);
  }

  void Lines(const std::vector<TokenLine>& lines, bool moves) {
    for (const TokenLine& line : lines) {
      if (line.gap_before) absl::StrAppend(&out_, "        ", terminal_.Dots(), "\n");
      if (line.boundary_before) {
        std::string rule;
        for (int i = 0; i < 64; ++i) rule += terminal_.Rule();
        absl::StrAppend(&out_, "   ", terminal_.Cut(absl::StrCat(rule, " cut")), "\n");
      }
      Line(line, moves);
    }
  }

  void Line(const TokenLine& line, bool moves) {
    std::string text = absl::StrFormat(" %s %7d  ", line.watched ? "*" : " ", line.id);
    if (named_) absl::StrAppend(&text, Fitted(line.name, kName), "  ");
    absl::StrAppendFormat(&text, "%9g  %8s", line.logit, ShownProbability(line.before));
    if (moves) {
      absl::StrAppendFormat(&text, " %s %8s", terminal_.Arrow(),
                            line.kept ? ShownProbability(line.after) : "cut");
    }
    absl::StrAppend(&out_, line.kept ? text : terminal_.Faint(text));
    const double share = line.kept ? line.after : line.before;
    const std::string bar = terminal_.Bar(share / largest_, kBar, !line.kept);
    if (share > 0) {
      absl::StrAppend(&out_, "  ", line.kept ? terminal_.Kept(bar) : terminal_.Cut(bar));
    }
    absl::StrAppend(&out_, "\n");
  }

  const ExplanationView& view_;
  const Terminal& terminal_;
  bool named_ = false;  // some token has a name
  double largest_ = 0;  // probability: it has the longest bar
  std::string out_;
};

// A probability and its bar, padded.
std::string Cell(double probability, double largest, bool kept, const Terminal& terminal) {
  const std::string bar = terminal.Bar(kept ? probability / largest : 0, kPairBar, false);
  return absl::StrFormat("%8s  %s", kept ? ShownProbability(probability) : "cut",
                         Fitted(bar, kPairBar));
}

}  // namespace

std::string ExplanationText(const ExplanationView& view, const Terminal& terminal) {
  return TextWriter(view, terminal).Write();
}

std::string PairText(const ExplainedPair& pair, const Terminal& terminal) {
  std::string out = absl::StrCat(terminal.Strong("A beside B"), "\n");
  if (!pair.verdict.empty()) absl::StrAppend(&out, Wrapped(absl::StrCat(pair.verdict, "."), "   "));
  if (!pair.lines.empty()) {
    absl::StrAppendFormat(&out, "   %7s  %8s  %*s  %8s\n", "token", "A", kPairBar, "", "B");
  }
  double largest = 0;
  for (const PairLine& line : pair.lines) largest = std::max({largest, line.a, line.b});
  for (const PairLine& line : pair.lines) {
    std::string text = absl::StrFormat(" %s %7d  %s  %s", line.watched ? "*" : " ", line.id,
                                       Cell(line.a, largest, line.in_a, terminal),
                                       Cell(line.b, largest, line.in_b, terminal));
    const std::string mark = absl::StrCat(terminal.Differs(), line.in_a ? " A alone" : " B alone");
    if (!line.differs() && line.name.empty()) absl::StripTrailingAsciiWhitespace(&text);
    absl::StrAppend(&out, line.in_a || line.in_b ? text : terminal.Faint(text),
                    line.differs() ? absl::StrCat("  ", terminal.Cut(mark)) : "",
                    line.name.empty() ? "" : absl::StrCat("  ", line.name), "\n");
  }
  for (const RuleDifference& difference : pair.differences) {
    absl::StrAppend(&out, "\n   ", terminal.Strong(difference.rule), "\n",
                    Wrapped(absl::StrCat("A: ", difference.a), "      "),
                    Wrapped(absl::StrCat("B: ", difference.b), "      "));
  }
  return out;
}

}  // namespace tessera::cli
