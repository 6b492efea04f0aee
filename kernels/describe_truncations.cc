// The words of the stages that remove tokens.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "kernels/stage_words.h"

namespace tessera {
namespace {

constexpr char kAtWeight[] = "equal logits are equally likely: they stay or go together";
constexpr char kNeverEmpty[] = "at least that likely; the likeliest token always stays";

std::string TieWords(Ties ties, absl::string_view last) {
  if (ties == Ties::kSplit) return "ties split by lower id";
  return absl::StrCat("all tied with the ", last, " are kept");
}

// A cut at a weight.
StageWords Threshold(std::string rule, const char* boundary = kNeverEmpty) {
  return {.rule = std::move(rule), .ties = kAtWeight, .boundary = boundary};
}

std::string PrefixWords(Boundary boundary, absl::string_view p) {
  switch (boundary) {
    case Boundary::kReach:
      return absl::StrCat("the smallest prefix whose probability reaches ", p);
    case Boundary::kExceed:
      return absl::StrCat("the smallest prefix whose probability exceeds ", p);
    case Boundary::kWithin:
      return absl::StrCat("the largest prefix whose probability stays within ", p,
                          ", and at least one token");
  }
  return "";
}

std::string BoundaryWords(Boundary boundary) {
  switch (boundary) {
    case Boundary::kReach:
      return "the token that carries the sum to p is kept: it may meet p exactly";
    case Boundary::kExceed:
      return "the token that carries the sum beyond p is kept: meeting p exactly is not enough";
    case Boundary::kWithin:
      return "the token that would carry the sum beyond p is cut";
  }
  return "";
}

}  // namespace

StageWords Words(const Greedy&) {
  return {.rule = "greedy: keeps the largest logit alone",
          .ties = TieWords(Ties::kSplit, ""),
          .boundary = "exactly one token"};
}

StageWords Words(const TopK& s) {
  const bool split = s.ties == Ties::kSplit;
  return {.rule = absl::StrCat("top-k ", s.k, ": the ", s.k, " largest logits",
                               split ? "; " : " and ", TieWords(s.ties, "last of them")),
          .ties = TieWords(s.ties, "k-th"),
          .boundary = split ? "exactly k tokens" : "k tokens, or more where the k-th has ties"};
}

StageWords Words(const TopP& s) {
  StageWords words;
  const std::string p =
      absl::StrCat(Shown(s.p), s.joint ? " of the mass before any truncation (joint)" : "");
  words.rule = absl::StrCat("top-p ", Shown(s.p), ": ", PrefixWords(s.boundary, p), "; ",
                            TieWords(s.ties, "last of them"));
  words.boundary = BoundaryWords(s.boundary);
  absl::StrAppend(&words.boundary,
                  s.joint ? "; p is a share of the mass before any truncation (joint)"
                          : "; p is a share of what the stages before left (sequential)");
  if (s.partial) {
    absl::StrAppend(&words.rule, "; the last one keeps only the mass that is still needed");
  }
  words.ties = TieWords(s.ties, "last token of the prefix");
  return words;
}

StageWords Words(const MinP& s) {
  return Threshold(absl::StrCat("min-p ", Shown(s.m), ": tokens at least ", Shown(s.m),
                                " times as likely as the likeliest"),
                   "at least m times the largest probability");
}

StageWords Words(const TopA& s) {
  return Threshold(absl::StrCat("top-a ", Shown(s.a), ": tokens whose probability is at least ",
                                Shown(s.a), " times the square of the largest"));
}

StageWords Words(const EpsilonCutoff& s) {
  return Threshold(absl::StrCat("epsilon cutoff ", Shown(s.epsilon),
                                ": tokens whose probability is at least ", Shown(s.epsilon)));
}

StageWords Words(const EtaCutoff& s) {
  return Threshold(absl::StrCat(
      "eta cutoff ", Shown(s.epsilon), ": tokens whose probability is at least the smaller of ",
      Shown(s.epsilon), " and sqrt(", Shown(s.epsilon), ") * e^-entropy"));
}

StageWords Words(const TypicalP& s) {
  const bool reach = s.boundary == Boundary::kReach;
  return {.rule = absl::StrCat(
              "typical-p ", Shown(s.p), ": the tokens whose surprisal is nearest to the ",
              "entropy, until their probability ", reach ? "reaches " : "exceeds ", Shown(s.p)),
          .ties = "tokens equally near stay or go together",
          .boundary = reach ? "the deviation that carries the sum to p is kept"
                            : "the deviation that carries the sum beyond p is kept"};
}

StageWords Words(const TopNSigma& s) {
  return {.rule = absl::StrCat("top-n-sigma ", Shown(s.n), ": logits at most ", Shown(s.n),
                               s.n == 1 ? " standard deviation below the largest"
                                        : " standard deviations below the largest"),
          .ties = "equal logits stay or go together",
          .boundary = "a logit exactly at the bound is kept"};
}

StageWords Words(const TailFree& s) {
  return {
      .rule = absl::StrCat("tail-free ", Shown(s.z), ": down the sorted tokens until their second ",
                           "differences have reached ", Shown(s.z), " of their sum"),
      .ties = TieWords(Ties::kSplit, ""),
      .boundary = "one token beyond those whose sum is at most z is kept"};
}

StageWords Words(const Xtc& s) {
  return {
      .rule = absl::StrCat("xtc ", Shown(s.threshold), ": with probability ", Shown(s.probability),
                           " removes all but the least likely of the tokens whose ",
                           "probability is at least ", Shown(s.threshold)),
      .ties = TieWords(Ties::kSplit, ""),
      .boundary = "only if two or more reach the threshold"};
}

StageWords Words(const MirostatV1& s) {
  return {.rule = absl::StrCat("mirostat v1, tau ", Shown(s.tau), " bits, eta ", Shown(s.eta),
                               ": as many tokens as the row's mu asks for"),
          .ties = TieWords(Ties::kSplit, ""),
          .boundary = "a count from mu and the slope of the likeliest probabilities"};
}

StageWords Words(const MirostatV2& s) {
  return Threshold(absl::StrCat("mirostat v2, tau ", Shown(s.tau), " bits, eta ", Shown(s.eta),
                                ": tokens whose surprisal is at most the row's mu"),
                   "probability at least 2^-mu; the likeliest token always stays");
}

}  // namespace tessera
