#include "service/explain_reason.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/describe_stage.h"

namespace tessera {
namespace {

// A probability with four digits.
std::string P(double value) {
  return value >= 0.001 || value == 0 ? absl::StrFormat("%.4f", value)
                                      : absl::StrFormat("%.3g", value);
}

double TopOf(const PrefixLaw& law) { return std::exp(law.top[0].logprob); }

// What the reasons read.
struct Facts {
  const PrefixLaw& found;
  const PrefixLaw& left;
  const v1::CutExplanation* end = nullptr;  // at the unlikely end
  const v1::CutExplanation* top = nullptr;  // at the likely end

  std::string First() const {
    return left.support_size == 1 ? "the first token alone has "
                                  : absl::StrCat("the first ", left.support_size, " tokens have ");
  }
  std::string KeptAll() const { return absl::StrCat("keeps all ", left.support_size, " tokens"); }
  std::string LastAndNext() const {
    return absl::StrCat("token ", end->last_kept().id(), " has ",
                        P(end->last_kept().probability_before()), " and stays, token ",
                        end->first_cut().id(), " has ", P(end->first_cut().probability_before()),
                        " and goes");
  }
};

std::string TieNote(const v1::CutExplanation& cut) {
  if (!cut.tied()) return "";
  return absl::StrCat("; tokens ", cut.last_kept().id(), " and ", cut.first_cut().id(),
                      " have equal logits: the lower id stays");
}

std::string Why(const TopK& stage, const Facts& facts) {
  if (facts.end == nullptr) return absl::StrCat(facts.KeptAll(), ": there are no more than k");
  std::string text = absl::StrFormat(
      "token %d (logit %g) is number %d of the order, token %d (%g) %s",
      facts.end->last_kept().id(), facts.end->last_kept().logit(), facts.left.support_size,
      facts.end->first_cut().id(), facts.end->first_cut().logit(), "comes next");
  if (facts.left.support_size > static_cast<uint32_t>(stage.k)) {
    absl::StrAppend(&text, "; ", facts.left.support_size - stage.k,
                    " more than k are tied with it");
  }
  return text;
}

std::string Why(const TopP& stage, const Facts& facts) {
  const std::string p = P(stage.p);
  if (facts.end == nullptr) return absl::StrCat(facts.KeptAll(), ": fewer do not suffice for ", p);
  const double scale = stage.joint ? facts.found.mass : 1;
  const double sum = facts.left.kept_share * scale;
  const double last = facts.end->last_kept().probability_before() * scale;
  const double next = facts.end->first_cut().probability_before() * scale;
  if (stage.boundary == Boundary::kWithin) {
    if (sum > stage.p) {
      return absl::StrCat(facts.First(), P(sum),
                          facts.left.support_size == 1 ? ": one token always stays"
                                                       : ": equal logits stay together");
    }
    return absl::StrCat(facts.First(), P(sum), ", within ", p, "; with token ",
                        facts.end->first_cut().id(), " it would be ", P(sum + next));
  }
  if (stage.partial) {
    return absl::StrCat(facts.First(), "at least ", p, "; token ", facts.end->last_kept().id(),
                        " keeps only ", P(facts.end->last_kept().probability_after() * sum),
                        " of its ", P(last));
  }
  const bool reach = stage.boundary == Boundary::kReach;
  const bool close = P(sum) == p || P(sum - last) == p;  // four digits would not tell them apart
  const auto shown = [&](double value) {
    return close ? absl::StrFormat("%.6f", value) : P(value);
  };
  std::string text =
      absl::StrCat(facts.First(), shown(sum), reach ? ", which reaches " : ", which exceeds ", p);
  if (stage.ties == Ties::kWhole && sum - last >= stage.p) {
    absl::StrAppend(&text, "; what is tied with the token that carries the sum there stays too");
  } else if (facts.left.support_size > 1) {
    absl::StrAppend(&text, "; without token ", facts.end->last_kept().id(), " it would be ",
                    shown(sum - last), reach ? ", short of it" : ", not beyond it");
  }
  return text;
}

std::string Threshold(const Facts& facts, double least, absl::string_view rule) {
  if (facts.end == nullptr) {
    return absl::StrCat(facts.KeptAll(), ": each has at least ", P(least), " (", rule, ")");
  }
  return absl::StrCat("a token needs ", P(least), " (", rule, "): ", facts.LastAndNext());
}

std::string Why(const MinP& stage, const Facts& facts) {
  return Threshold(facts, stage.m * TopOf(facts.found),
                   absl::StrFormat("%g of the likeliest's %s", stage.m, P(TopOf(facts.found))));
}

std::string Why(const EpsilonCutoff& stage, const Facts& facts) {
  return Threshold(facts, stage.epsilon, "epsilon");
}

std::string Why(const EtaCutoff& stage, const Facts& facts) {
  return Threshold(facts, LeastProbability(stage, facts.found),
                   absl::StrFormat("the entropy is %.4f", facts.found.entropy));
}

std::string Why(const TopA& stage, const Facts& facts) {
  return Threshold(
      facts, LeastProbability(stage, facts.found),
      absl::StrFormat("%g of the square of the likeliest's %s", stage.a, P(TopOf(facts.found))));
}

std::string Why(const Xtc& stage, const Facts& facts) {
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
      P(facts.top->last_kept().probability_before()));
}

std::string Why(const TypicalP& stage, const Facts& facts) {
  std::string text = absl::StrFormat(
      "the entropy is %.4f nats, which is the surprisal of a token with %s; the %d nearest have %s "
      "together, for %s",
      facts.found.entropy, P(std::exp(-facts.found.entropy)), facts.left.support_size,
      P(facts.left.kept_share), P(stage.p));
  if (facts.top != nullptr) {
    absl::StrAppend(&text, "; ", facts.top->removed(), " likelier ones are too little surprising");
  }
  return text;
}

// What says no more than where the cut is.
std::string WhyCut(const Facts& facts) {
  return facts.end == nullptr ? facts.KeptAll() : facts.LastAndNext();
}
std::string Why(const TopNSigma&, const Facts& facts) { return WhyCut(facts); }
std::string Why(const TailFree&, const Facts& facts) { return WhyCut(facts); }
std::string Why(const MirostatV1&, const Facts& facts) { return WhyCut(facts); }
std::string Why(const MirostatV2&, const Facts& facts) { return WhyCut(facts); }

std::string Why(const Greedy&, const Facts& facts) {
  if (facts.end == nullptr) return "one token was left";
  return absl::StrFormat("token %d has the largest logit, %g", facts.end->last_kept().id(),
                         facts.end->last_kept().logit());
}

std::string WhyShape(const Facts& facts) {
  const TokenId before = facts.found.top[0].id;
  const TokenId now = facts.left.top[0].id;
  const std::string entropy = absl::StrFormat("the entropy goes from %.4f to %.4f",
                                              facts.found.entropy, facts.left.entropy);
  if (before != now) {
    return absl::StrCat("token ", now, " is now the likeliest, with ", P(TopOf(facts.left)),
                        ", and no longer token ", before, "; ", entropy);
  }
  return absl::StrCat("the likeliest token goes from ", P(TopOf(facts.found)), " to ",
                      P(TopOf(facts.left)), "; ", entropy);
}
std::string Why(const Temperature& stage, const Facts& facts) {
  return stage.t == 0 ? Why(Greedy(), facts) : WhyShape(facts);
}
std::string Why(const DynamicTemperature&, const Facts& facts) { return WhyShape(facts); }
std::string Why(const Smoothing&, const Facts& facts) { return WhyShape(facts); }
std::string Why(const AdaptiveP&, const Facts& facts) { return WhyShape(facts); }
std::string Why(const DrawRule&, const Facts&) { return "the law stays as it is"; }

// Every other stage is an edit.
template <class Edit>
std::string Why(const Edit&, const Facts& facts) {
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
  Facts facts{found, left};
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
