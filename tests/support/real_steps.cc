#include "tests/support/real_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>

#include "tests/support/real_cuts.h"
#include "tests/support/real_law.h"

namespace tessera::oracle {
namespace {

constexpr long double kLargest = std::numeric_limits<float>::max();

// Between which values a rewritten logit must lie.
struct Range {
  long double low;
  long double high;

  static Range Around(long double value, long double tolerance) {
    return {value - tolerance, value + tolerance};
  }
};

// What a rewriting stage makes of a token; nothing for the other stages.
struct NewLogit {
  const Step& before;
  const RowInput& row;
  long double entropy;  // of what was left, for dynamic temperature
  long double total;    // sum of exp((y - y_max) / T), for adaptive-p

  long double Below(TokenId id) const {
    const long double d = before.y[id] - static_cast<long double>(before.y[before.kept.front()]);
    return std::max(d, -kLargest);
  }
  std::optional<Range> operator()(const DynamicTemperature& stage, TokenId id) const {
    const auto n = static_cast<long double>(before.kept.size());
    const auto temperature = [&](long double h) {
      const long double flatness = n < 2 ? 0 : std::clamp(h / std::log(n), 0.0L, 1.0L);
      const long double t =
          stage.low + (static_cast<long double>(stage.high) - stage.low) *
                          std::pow(flatness, static_cast<long double>(stage.exponent));
      return std::max(t, 0x1p-20L);
    };
    const long double d = Below(id);
    const long double cold = d / temperature(std::max(entropy - kEntropyTolerance, 0.0L));
    const long double warm = d / temperature(entropy + kEntropyTolerance);
    return Range{cold * (1 + 0x1p-22L) - 0x1p-148L, warm * (1 - 0x1p-22L) + 0x1p-148L};
  }
  std::optional<Range> operator()(const Smoothing& stage, TokenId id) const {
    const long double d = Below(id);
    const long double curve = stage.curve;
    const long double change = stage.factor * d * d * ((curve - 1) / 2 * d - (3 - curve) / 2);
    const long double y = before.y[before.kept.front()] + change;
    const long double underflow = (stage.factor + 1) * 0x1p-147L;  // of the square, and others
    Range range =
        Range::Around(y, 0x1p-20L * std::fabs(change) + 0x1p-22L * std::fabs(y) + underflow);
    if (d * d > kLargest) range.low = -kLargest;  // the square is beyond binary32
    return range;
  }
  std::optional<Range> operator()(const AdaptiveP& stage, TokenId id) const {
    const long double p = std::exp(Below(id) / before.temperature) / total;
    const long double x = std::fabs(p - AdaptiveAim(row, stage.target)) / 0.3L;
    const long double slope = 10 / 0.3L;  // at most, of what follows in p
    return Range::Around(5 - 10 * x * x / (1 + x),
                         slope * (2 * kBoundaryTolerance * p + kQuantum) + 0x1p-20L);
  }
  template <class S>
  std::optional<Range> operator()(const S&, TokenId) const {
    return std::nullopt;
  }
};

class Transition {
 public:
  Transition(const EditedRow& edited, const RowInput& row, const Step& before, const Step& after)
      : edited_(edited), row_(row), before_(before), after_(after) {}

  std::string Judge(const Stage& stage) {
    if (before_.greedy) {
      Check(after_.kept == before_.kept && after_.greedy, "one token is no longer one");
      return out_.str();
    }
    const auto* temperature = std::get_if<Temperature>(&stage);
    if (std::holds_alternative<Greedy>(stage) || (temperature != nullptr && temperature->t == 0)) {
      Check(after_.kept == std::vector<TokenId>{before_.kept.front()}, "greedy took another token");
      return out_.str();
    }
    JudgeTemperature(stage);
    if (const auto bounds = BoundsOf(stage, before_, edited_, row_)) {
      JudgeCut(*bounds);
    } else {
      JudgeLogits(stage);
    }
    if (const auto* top_p = std::get_if<TopP>(&stage)) JudgePartial(*top_p);
    return out_.str();
  }

 private:
  void Check(bool holds, const char* what) {
    if (!holds) out_ << what << "; ";
  }

  void JudgeTemperature(const Stage& stage) {
    double expected = before_.temperature;
    if (const auto* temperature = std::get_if<Temperature>(&stage)) expected *= temperature->t;
    if (std::holds_alternative<AdaptiveP>(stage)) expected = 1;
    Check(after_.temperature == expected, "the temperature is another");
  }

  // A cut keeps logits and order.
  void JudgeCut(const Bounds& bounds) {
    std::vector<bool> stays(before_.y.size());
    for (TokenId id : after_.kept) stays[id] = true;
    std::vector<TokenId> in_order;
    for (size_t i = 0; i < before_.kept.size(); ++i) {
      const TokenId id = before_.kept[i];
      if (stays[id]) in_order.push_back(id);
      if (bounds.must[i] && !stays[id]) out_ << "id " << id << " was cut, place " << i << "; ";
      if (!bounds.may[i] && stays[id]) out_ << "id " << id << " was kept, place " << i << "; ";
    }
    Check(in_order == after_.kept, "the order is another");
    Check(!after_.kept.empty(), "nothing is left");
    if (bounds.mass > 0) JudgeMass(bounds.mass, stays);
    for (TokenId id : after_.kept) Check(after_.y[id] == before_.y[id], "a cut changed a logit");
  }

  void JudgeMass(long double least, const std::vector<bool>& stays) {
    const auto ratios = Ratios(before_.y, before_.kept, before_.temperature);
    long double mass = 0;
    for (size_t i = 0; i < ratios.size(); ++i) mass += stays[before_.kept[i]] ? ratios[i] : 0;
    Check(mass >= least * Sum(ratios), "too little is kept");
  }

  // A rewriting stage keeps all that is left, in the order of the new logits; others change
  // nothing.
  void JudgeLogits(const Stage& stage) {
    NewLogit rewritten{before_, row_, 0, 0};
    if (std::holds_alternative<DynamicTemperature>(stage)) {
      rewritten.entropy = RealEntropy(RealLogprobs(before_.y, before_.kept, before_.temperature));
    } else if (std::holds_alternative<AdaptiveP>(stage)) {
      rewritten.total = Sum(Ratios(before_.y, before_.kept, before_.temperature));
    }
    auto ids = before_.kept, ids_after = after_.kept;
    std::sort(ids.begin(), ids.end());
    std::sort(ids_after.begin(), ids_after.end());
    Check(ids == ids_after, "a stage that cuts nothing has cut");
    for (TokenId id : before_.kept) {
      const auto range = std::visit([&](const auto& s) { return rewritten(s, id); }, stage);
      if (!range.has_value()) {
        Check(after_.y[id] == before_.y[id], "a logit changed");
      } else if (!(after_.y[id] >= std::max(range->low, -kLargest) &&
                   after_.y[id] <= std::max(range->high, -kLargest))) {
        out_ << "id " << id << " has logit " << after_.y[id] << ", expected " << range->low
             << " to " << range->high << "; ";
      }
    }
    for (size_t i = 1; i < after_.kept.size(); ++i) {
      const TokenId a = after_.kept[i - 1], b = after_.kept[i];
      Check(after_.y[a] > after_.y[b] || (after_.y[a] == after_.y[b] && a < b), "out of order");
    }
  }

  void JudgePartial(const TopP& stage) {
    if (!stage.partial || after_.partial == 0) {
      Check(after_.partial == 0, "a weight was reduced");
      return;
    }
    const RealPartial real = PartialOf(stage, before_, edited_, after_.kept.size());
    const long double weight = static_cast<long double>(after_.partial) * kQuantum;
    Check(std::fabs(weight - real.weight) <= real.tolerance, "the last weight is another");
  }

  const EditedRow& edited_;
  const RowInput& row_;
  const Step& before_;
  const Step& after_;
  std::ostringstream out_;
};

}  // namespace

std::string JudgeSteps(const EditedRow& edited, const Chain& chain, const RowInput& row,
                       const ChainSteps& steps) {
  std::string wrong;
  if (steps.steps.size() != chain.stages.size() + 1) return "oracles: not a step a stage\n";
  if (steps.steps[0].kept != edited.order) wrong += "oracles: the first step is another row\n";
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    const Stage& stage = chain.stages[i];
    if (IsNeutral(stage) || IsEdit(stage) || IsScaledEarly(chain, i)) continue;
    Transition transition(edited, row, steps.steps[i], steps.steps[i + 1]);
    const std::string here = transition.Judge(stage);
    if (!here.empty()) wrong += "oracles: stage " + std::to_string(i) + ": " + here + "\n";
  }
  return wrong;
}

}  // namespace tessera::oracle
