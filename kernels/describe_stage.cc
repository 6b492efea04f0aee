#include "kernels/describe_stage.h"

#include <charconv>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "kernels/stage_names.h"
#include "kernels/stage_words.h"

namespace tessera {
namespace {

StageWords RewriteWords(std::string rule) {
  return {.rule = std::move(rule), .effect = StageEffect::kRewrite};
}

}  // namespace

std::string Shown(double value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

StageWords Words(const Temperature& s) {
  if (s.t == 0) {
    StageWords words = Words(Greedy{});
    words.rule = "temperature 0 is greedy: keeps the largest logit alone";
    return words;
  }
  return {.rule = absl::StrCat("temperature ", Shown(s.t), ": divides logits by ", Shown(s.t),
                               ", which makes ", s.t > 1 ? "the law flatter" : "the law sharper"),
          .effect = StageEffect::kMeasure};
}

StageWords Words(const DynamicTemperature& s) {
  return RewriteWords(absl::StrCat("dynamic temperature: between ", Shown(s.low), " and ",
                                   Shown(s.high), " by how flat the law is, with exponent ",
                                   Shown(s.exponent)));
}

StageWords Words(const Smoothing& s) {
  return RewriteWords(absl::StrCat("quadratic smoothing ", Shown(s.factor), ", curve ",
                                   Shown(s.curve),
                                   ": moves logits by the square of their distance to "
                                   "the largest"));
}

StageWords Words(const AdaptiveP& s) {
  return RewriteWords(absl::StrCat("adaptive-p, target ", Shown(s.target), ", decay ",
                                   Shown(s.decay),
                                   ": makes tokens likely whose probability is near the target"));
}

StageWords Words(const DrawRule& s) {
  const char* words[] = {"the row's Philox words", "mt19937 of the row's seed",
                         "xorshift64 of the row's state"};
  return {.rule = absl::StrCat("draw rule: through the tokens ",
                               s.order == DrawOrder::kId ? "by id" : "from the likeliest down",
                               ", with ", words[static_cast<int>(s.generator)]),
          .effect = StageEffect::kDraw};
}

StageWords DescribeStage(const Stage& stage) {
  StageWords words = std::visit([](const auto& known) { return Words(known); }, stage);
  words.name = NameOf(stage);
  words.off = std::visit([](const auto& known) { return IsOff(known); }, stage);
  if (words.off) words.rule = absl::StrCat(words.rule.substr(0, words.rule.find(':')), ": off");
  return words;
}

}  // namespace tessera
