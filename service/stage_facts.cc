#include "service/stage_facts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tessera {

std::string StageFacts::First() const {
  return left.support_size == 1 ? "the first token alone has "
                                : absl::StrCat("the first ", left.support_size, " tokens have ");
}

std::string StageFacts::KeptAll() const {
  return absl::StrCat("keeps all ", left.support_size, " tokens");
}

std::string StageFacts::LastAndNext() const {
  return absl::StrCat("token ", end->last_kept().id(), " has ",
                      ShownShare(end->last_kept().probability_before()), " and stays, token ",
                      end->first_cut().id(), " has ",
                      ShownShare(end->first_cut().probability_before()), " and goes");
}

LogitSpread StageFacts::Spread() const {
  const std::vector<float>& logits = *found.logits;
  const float largest = logits[found.top[0].id];
  const float lowest = logits[found.lowest];
  // Between the two ends all are left; of those tied with an end, some may be gone.
  uint32_t above = 0, tied = 0, between = 0;
  double sum = 0, squares = 0;  // of distances from the largest
  const auto add = [&](double distance, double times) {
    sum += times * distance;
    squares += times * distance * distance;
  };
  for (const float logit : logits) {
    above += logit > largest ? 1 : 0;
    tied += logit == largest ? 1 : 0;
    if (logit >= largest || logit <= lowest) continue;
    ++between;
    add(double{largest} - logit, 1);
  }
  const uint32_t count = found.support_size;
  if (lowest < largest) {
    const uint32_t at_largest = above + tied - found.begin;
    add(double{largest} - lowest, count - between - at_largest);
  }
  const double mean = sum / count;
  return {.largest = largest, .deviation = std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

std::string ShownShare(double value) {
  return value >= 0.001 || value == 0 ? absl::StrFormat("%.4f", value)
                                      : absl::StrFormat("%.3g", value);
}

std::string Why(const TopK& stage, const StageFacts& facts) {
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

std::string Why(const TopP& stage, const StageFacts& facts) {
  const std::string p = ShownShare(stage.p);
  if (facts.end == nullptr) return absl::StrCat(facts.KeptAll(), ": fewer do not suffice for ", p);
  const double scale = stage.joint ? facts.found.mass : 1;
  const double sum = facts.left.kept_share * scale;
  const double last = facts.end->last_kept().probability_before() * scale;
  const double next = facts.end->first_cut().probability_before() * scale;
  if (stage.boundary == Boundary::kWithin) {
    if (sum > stage.p) {
      return absl::StrCat(facts.First(), ShownShare(sum),
                          facts.left.support_size == 1 ? ": one token always stays"
                                                       : ": equal logits stay together");
    }
    return absl::StrCat(facts.First(), ShownShare(sum), ", within ", p, "; with token ",
                        facts.end->first_cut().id(), " it would be ", ShownShare(sum + next));
  }
  if (stage.partial) {
    return absl::StrCat(
        facts.First(), "at least ", p, "; token ", facts.end->last_kept().id(), " keeps only ",
        ShownShare(facts.end->last_kept().probability_after() * sum), " of its ", ShownShare(last));
  }
  const bool reach = stage.boundary == Boundary::kReach;
  const bool close =
      ShownShare(sum) == p || ShownShare(sum - last) == p;  // four digits would not tell them apart
  const auto shown = [&](double value) {
    return close ? absl::StrFormat("%.6f", value) : ShownShare(value);
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

}  // namespace tessera
