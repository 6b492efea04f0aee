// Writes an explanation as a page.
#include "client/cli/explain_html.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/cli/explain_picture.h"
#include "client/cli/explain_style.h"
#include "client/cli/html_text.h"

namespace tessera::cli {
namespace {

constexpr char kHead[] =
    R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Tessera: what a chain does to a row</title>
<style>)";

// The pattern of what is cut, and what the marks mean.
constexpr char kLegend[] =
    R"html(<svg style="position:absolute;width:0;height:0" aria-hidden="true"><defs>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern></defs></svg>
<ul class="legend">
<li><svg viewBox="0 0 26 14" aria-hidden="true"><rect class="kept" width="26" height="14"
rx="2"/></svg>kept: probability after the stage</li>
<li><svg viewBox="0 0 26 14" aria-hidden="true"><rect class="ghost" x="1" y="1" width="24"
height="12" rx="2"/></svg>probability before the stage</li>
<li><svg viewBox="0 0 26 14" aria-hidden="true"><rect class="cut" x="1" y="1" width="24" height="12"
rx="2"/></svg>cut by the stage</li>
<li><svg viewBox="0 0 26 14" aria-hidden="true"><line class="threshold" x1="13" y1="0" x2="13"
y2="14"/></svg>what the rule asked for</li>
<li>* watched</li>
</ul>
)html";

std::string Caption(const v1::LawExplanation& law) {
  return absl::StrFormat(
      "<figcaption>%d %s left &#183; mass %s &#183; entropy %.4f nats &#183; last token %d, logit "
      "%g, probability %s</figcaption>",
      law.support_size(), law.support_size() == 1 ? "token" : "tokens",
      ShownProbability(law.mass()), law.entropy(), law.lowest().id(), law.lowest().logit(),
      ShownProbability(law.lowest().probability_after()));
}

void AddFact(absl::string_view name, const std::string& text, std::string* out) {
  if (text.empty()) return;
  absl::StrAppend(out, "<dt>", name, "</dt><dd>", Escaped(text), "</dd>\n");
}

std::string PresetFacts(const v1::PresetExplanation& preset) {
  std::string out = "<dl>\n";
  AddFact("follows", preset.follows(), &out);
  AddFact("fidelity", preset.fidelity(), &out);
  AddFact("order", preset.order(), &out);
  AddFact("ties at the k-th", preset.tie_rule(), &out);
  AddFact("boundary of the nucleus", preset.boundary_rule(), &out);
  AddFact("base of the nucleus", preset.nucleus_base(), &out);
  AddFact("penalties", preset.penalty_scope(), &out);
  AddFact("greedy when", preset.greedy_when(), &out);
  AddFact("values that are off", preset.disabled_values(), &out);
  AddFact("logprobs", preset.logprob_mode(), &out);
  AddFact("ranks", preset.rank_rule(), &out);
  AddFact("draw", preset.draw(), &out);
  for (const std::string& note : preset.notes()) AddFact("note", note, &out);
  return absl::StrCat(out, "</dl>\n");
}

std::string StageCard(size_t number, const StageView& stage) {
  const v1::StageExplanation& words = stage.words;
  std::string out = absl::StrCat("<article class=\"card\">\n<h3>", number, ". ",
                                 Escaped(words.description()), "</h3>\n");
  if (words.no_op()) return absl::StrCat(out, "</article>\n");
  if (!words.reason().empty()) absl::StrAppend(&out, "<p>", Escaped(words.reason()), ".</p>\n");
  for (const std::string* rule : {&words.boundary_rule(), &words.tie_rule()}) {
    if (!rule->empty()) absl::StrAppend(&out, "<p class=\"quiet\">", Escaped(*rule), "</p>\n");
  }
  const bool pictured = words.has_law() && !stage.lines.empty();
  if (pictured && words.effect() != v1::STAGE_EFFECT_DRAW) {
    absl::StrAppend(&out, "<figure>\n");
    if (words.effect() == v1::STAGE_EFFECT_CUT) {
      absl::StrAppend(&out, StripPicture(stage.lines, words), "\n");
    }
    absl::StrAppend(&out,
                    BarPicture(stage.lines, &words,
                               absl::StrCat("Probabilities before and after stage ", number, ", ",
                                            words.description(), ". ", words.reason())),
                    "\n", Caption(words.law()), "\n</figure>\n");
  }
  return absl::StrCat(out, "</article>\n");
}

// A chain, which may go on in another line after each comma.
std::string Breakable(absl::string_view chain) {
  return absl::StrReplaceAll(Escaped(chain), {{",", ",<wbr>"}});
}

std::string Column(const ExplanationView& view) {
  const std::string label = view.label.empty() ? "" : absl::StrCat(view.label, ": ");
  std::string out =
      absl::StrCat("<section>\n<h2>", label, "<code>",
                   view.chain.empty() ? "(empty chain)" : Breakable(view.chain), "</code></h2>\n");
  if (view.response.has_preset()) absl::StrAppend(&out, PresetFacts(view.response.preset()));
  if (view.has_law()) {
    absl::StrAppend(&out,
                    "<article class=\"card\">\n<h3>Before the first stage: the softmax of the "
                    "logits, under the row's masks</h3>\n<figure>\n",
                    BarPicture(view.start, nullptr, "Probabilities before the first stage"), "\n",
                    Caption(view.response.start()), "\n</figure>\n</article>\n");
  }
  for (size_t i = 0; i < view.stages.size(); ++i) {
    absl::StrAppend(&out, StageCard(i + 1, view.stages[i]));
  }
  if (!view.response.error().empty()) {
    absl::StrAppend(&out, "<p><strong>No law: </strong>", Escaped(view.response.error()), "</p>\n");
  }
  return absl::StrCat(out, "</section>\n");
}

std::string PairSection(const ExplainedPair& pair) {
  std::string out = "<section class=\"card\">\n<h2>A beside B, after the last stage</h2>\n";
  if (!pair.lines.empty()) {
    absl::StrAppend(&out, "<figure>\n", PairPicture(pair.lines, pair.verdict), "\n</figure>\n");
  }
  if (!pair.differences.empty()) {
    absl::StrAppend(&out,
                    "<table>\n<thead><tr><th scope=\"col\">rule</th><th scope=\"col\" "
                    "class=\"of-a\">A</th><th scope=\"col\" class=\"of-b\">B</th></tr></thead>\n");
    for (const RuleDifference& difference : pair.differences) {
      absl::StrAppend(&out, "<tr><th scope=\"row\">", Escaped(difference.rule), "</th><td>",
                      Escaped(difference.a), "</td><td>", Escaped(difference.b), "</td></tr>\n");
    }
    absl::StrAppend(&out, "</table>\n");
  }
  return absl::StrCat(out, "</section>\n");
}

}  // namespace

std::string ExplanationPage(absl::Span<const ExplanationView> views, const ExplainedPair* pair) {
  std::string out =
      absl::StrCat(kHead, kExplainStyle, "</style>\n</head>\n<body>\n<header>\n<h1>What ",
                   views.size() > 1 ? "two chains do" : "a chain does", " to a row</h1>\n");
  if (pair != nullptr && !pair->verdict.empty()) {
    absl::StrAppend(&out, "<p class=\"verdict\">", Escaped(pair->verdict), ".</p>\n");
  }
  absl::StrAppend(&out, kLegend, "</header>\n<main>\n");
  if (pair != nullptr) absl::StrAppend(&out, PairSection(*pair));
  absl::StrAppend(&out, "<div class=\"columns\">\n");
  for (const ExplanationView& view : views) absl::StrAppend(&out, Column(view));
  return absl::StrCat(out, "</div>\n</main>\n</body>\n</html>\n");
}

}  // namespace tessera::cli
