#include "service/explain_reason.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "service/stage_facts.h"

namespace tessera {
namespace {

double TopOf(const PrefixLaw& law) { return std::exp(law.top[0].logprob); }

std::string TieNote(const v1::CutExplanation& cut) {
  if (!cut.tied()) return "";
  return absl::StrCat("; tokens ", cut.last_kept().id(), " and ", cut.first_cut().id(),
                      " have equal logits: the lower id stays");
}

std::string Threshold(const StageFacts& facts, double least, absl::string_view rule) {
  if (facts.end == nullptr) {
    return absl::StrCat(facts.KeptAll(), ": each has at least ", ShownShare(least), " (", rule,
                        ")");
  }
  return absl::StrCat("a token needs ", ShownShare(least), " (", rule, "): ", facts.LastAndNext());
}

std::string Why(const MinP& stage, const StageFacts& facts) {
  return Threshold(
      facts, stage.m * TopOf(facts.found),
      absl::StrFormat("%g of the likeliest's %s", stage.m, ShownShare(TopOf(facts.found))));
}

std::string Why(const EpsilonCutoff& stage, const StageFacts& facts) {
  return Threshold(facts, stage.epsilon, "epsilon");
}

std::string Why(const EtaCutoff& stage, const StageFacts& facts) {
  return Threshold(facts, LeastProbability(stage, facts.found),
                   absl::StrFormat("the entropy is %.4f", facts.found.entropy));
}

std::string Why(const TopA& stage, const StageFacts& facts) {
  return Threshold(facts, LeastProbability(stage, facts.found),
                   absl::StrFormat("%g of the square of the likeliest's %s", stage.a,
                                   ShownShare(TopOf(facts.found))));
}

std::string Why(const Xtc& stage, const StageFacts& facts) {
  if (facts.top == nullptr) {
    return absl::StrFormat("keeps all %d tokens: the coin said no, or fewer than two have %g",
                           facts.left.support_size, stage.threshold);
  }
  const uint32_t removed = facts.top->removed();
  return absl::StrFormat(
      "the coin said yes: the likeliest %s, with at least %g each, %s removed; token %d, with %s, "
      "is "
      "the least likely that reaches it and stays",
      removed == 1 ? "token" : absl::StrCat(removed, " tokens"), stage.threshold,
      removed == 1 ? "is" : "are", facts.top->last_kept().id(),
      ShownShare(facts.top->last_kept().probability_before()));
}

std::string Why(const TypicalP& stage, const StageFacts& facts) {
  std::string text = absl::StrFormat(
      "the entropy is %.4f nats, which is the surprisal of a token with %s; the %d nearest have %s "
      "together, for %s",
      facts.found.entropy, ShownShare(std::exp(-facts.found.entropy)), facts.left.support_size,
      ShownShare(facts.left.kept_share), ShownShare(stage.p));
  if (facts.top != nullptr) {
    absl::StrAppend(&text, "; ", facts.top->removed(), " likelier ones are too little surprising");
  }
  return text;
}

// What says no more than where the cut is.
std::string WhyCut(const StageFacts& facts) {
  return facts.end == nullptr ? facts.KeptAll() : facts.LastAndNext();
}
std::string Why(const TailFree&, const StageFacts& facts) { return WhyCut(facts); }

std::string Why(const TopNSigma& stage, const StageFacts& facts) {
  if (facts.found.smoothed) return WhyCut(facts);
  const LogitSpread spread = facts.Spread();
  return absl::StrFormat(
      "the largest logit is %g and the standard deviation %.4f, so a token needs a logit of %.4f: "
      "%s",
      spread.largest, spread.deviation, spread.largest - stage.n * spread.deviation, WhyCut(facts));
}

double MuOf(double tau, const PrefixLaw& found) { return found.state.value_or(2 * tau); }

std::string WhyMu(double tau, const StageFacts& facts) {
  return absl::StrFormat("mu is %g bits%s", MuOf(tau, facts.found),
                         facts.found.state.has_value() ? "" : ", twice tau at the start");
}

std::string Why(const MirostatV1& stage, const StageFacts& facts) {
  return absl::StrCat(WhyMu(stage.tau, facts), "; ", WhyCut(facts));
}

std::string Why(const MirostatV2& stage, const StageFacts& facts) {
  const double least = LeastProbability(stage, facts.found);
  if (least > TopOf(facts.found)) {
    return absl::StrCat(WhyMu(stage.tau, facts), ", and even the likeliest token has less than ",
                        ShownShare(least), ": it stays");
  }
  return Threshold(facts, least, WhyMu(stage.tau, facts));
}

std::string Why(const Greedy&, const StageFacts& facts) {
  if (facts.end == nullptr) return "one token was left";
  return absl::StrFormat("token %d has the largest logit, %g", facts.end->last_kept().id(),
                         facts.end->last_kept().logit());
}

std::string WhyShape(const StageFacts& facts) {
  const TokenId before = facts.found.top[0].id;
  const TokenId now = facts.left.top[0].id;
  const std::string entropy = absl::StrFormat("the entropy goes from %.4f to %.4f",
                                              facts.found.entropy, facts.left.entropy);
  if (before != now) {
    return absl::StrCat("token ", now, " is now the likeliest, with ",
                        ShownShare(TopOf(facts.left)), ", and no longer token ", before, "; ",
                        entropy);
  }
  return absl::StrCat("the likeliest token goes from ", ShownShare(TopOf(facts.found)), " to ",
                      ShownShare(TopOf(facts.left)), "; ", entropy);
}
std::string Why(const Temperature& stage, const StageFacts& facts) {
  return stage.t == 0 ? Why(Greedy(), facts) : WhyShape(facts);
}
std::string Why(const DynamicTemperature&, const StageFacts& facts) { return WhyShape(facts); }
std::string Why(const Smoothing&, const StageFacts& facts) { return WhyShape(facts); }
std::string Why(const AdaptiveP&, const StageFacts& facts) { return WhyShape(facts); }
std::string Why(const DrawRule&, const StageFacts&) { return "the law stays as it is"; }

// Every other stage is an edit.
template <class Edit>
std::string Why(const Edit&, const StageFacts& facts) {
  const std::vector<float>& before = *facts.found.logits;
  const std::vector<float>& after = *facts.left.logits;
  int64_t changed = 0, banned = 0;
  for (size_t id = 0; id < before.size(); ++id) {
    if (before[id] == after[id]) continue;
    ++(after[id] == -HUGE_VALF ? banned : changed);
  }
  std::string text = absl::StrCat("changes ", changed, changed == 1 ? " logit" : " logits");
  if (banned > 0) absl::StrAppend(&text, " and bans ", banned, banned == 1 ? " token" : " tokens");
  return text;
}

}  // namespace

double LeastProbability(const Stage& stage, const PrefixLaw& found) {
  if (const auto* min_p = std::get_if<MinP>(&stage)) return min_p->m * TopOf(found);
  if (const auto* cutoff = std::get_if<EpsilonCutoff>(&stage)) return cutoff->epsilon;
  if (const auto* top_a = std::get_if<TopA>(&stage)) return top_a->a * TopOf(found) * TopOf(found);
  if (const auto* v2 = std::get_if<MirostatV2>(&stage)) return std::exp2(-MuOf(v2->tau, found));
  if (const auto* eta = std::get_if<EtaCutoff>(&stage)) {
    return std::min(eta->epsilon, std::sqrt(eta->epsilon) * std::exp(-found.entropy));
  }
  return 0;
}

double TargetShare(const Stage& stage, const PrefixLaw& found) {
  if (const auto* top_p = std::get_if<TopP>(&stage)) {
    return top_p->joint ? top_p->p / found.mass : top_p->p;
  }
  const auto* typical = std::get_if<TypicalP>(&stage);
  return typical != nullptr ? typical->p : 0;
}

std::string ReasonFor(const Stage& stage, const PrefixLaw& found, const PrefixLaw& left,
                      const v1::StageExplanation& explanation) {
  if (explanation.no_op()) return "its parameters turn it off";
  StageFacts facts{found, left};
  for (const v1::CutExplanation& cut : explanation.cuts()) {
    (cut.from_top() ? facts.top : facts.end) = &cut;
  }
  std::string reason = std::visit([&](const auto& known) { return Why(known, facts); }, stage);
  for (const v1::CutExplanation& cut : explanation.cuts()) {
    absl::StrAppend(&reason, TieNote(cut));
  }
  return reason;
}

}  // namespace tessera
