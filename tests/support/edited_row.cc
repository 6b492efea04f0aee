#include "tests/support/edited_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

namespace tessera::oracle {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

uint64_t CountInScope(const IdCount& seen, PenaltyScope scope) {
  switch (scope) {
    case PenaltyScope::kPromptAndOutput:
      return uint64_t{seen.prompt_count} + seen.output_count;
    case PenaltyScope::kOutput:
      return seen.output_count;
    case PenaltyScope::kPrompt:
      return seen.prompt_count;
  }
  return 0;
}

bool GrammarAllows(absl::Span<const uint32_t> grammar, size_t id) {
  return id / 32 < grammar.size() && ((grammar[id / 32] >> (id % 32)) & 1) != 0;
}

// Which ids no mask bans.
std::vector<bool> Unbanned(size_t vocab_size, const RowInput& row) {
  std::vector<bool> stays(vocab_size, !row.has_allowed);
  if (row.has_allowed) {
    for (TokenId id : row.allowed) stays[id] = true;
  }
  for (TokenId id : row.banned) stays[id] = false;
  for (const Bias& bias : row.bias) {
    if (bias.value == -kInf) stays[bias.id] = false;
  }
  if (!row.grammar.empty()) {
    for (size_t id = 0; id < vocab_size; ++id) {
      if (!GrammarAllows(row.grammar, id)) stays[id] = false;
    }
  }
  return stays;
}

// Each stage's effect on all logits. Every operation is one binary32 rounding: the intermediate
// results are named floats, and tessera_options forbids contraction.
struct ApplyEdit : PastEdit {
  const RowInput& row;

  using PastEdit::operator();
  void operator()(const LogitBias&) const {
    for (const Bias& bias : row.bias) y[bias.id] = y[bias.id] + bias.value;
  }
  void operator()(const RepetitionPenalty& stage) const {
    const float r = static_cast<float>(stage.penalty);
    for (const IdCount& seen : row.counts) {
      if (CountInScope(seen, stage.scope) == 0) continue;
      const float before = y[seen.id];
      y[seen.id] = before > 0 ? before / r : before * r;
    }
  }
  void operator()(const FrequencyPenalty& stage) const {
    const float f = static_cast<float>(stage.penalty);
    for (const IdCount& seen : row.counts) {
      const uint64_t count = CountInScope(seen, stage.scope);
      // An id at -inf is no candidate; no edit brings it back, not even one that overflows.
      if (count == 0 || y[seen.id] == -kInf) continue;
      const float product = f * static_cast<float>(count);
      y[seen.id] = y[seen.id] - product;
    }
  }
  void operator()(const PresencePenalty& stage) const {
    const float s = static_cast<float>(stage.penalty);
    for (const IdCount& seen : row.counts) {
      if (CountInScope(seen, stage.scope) != 0) y[seen.id] = y[seen.id] - s;
    }
  }
  void operator()(const Temperature& stage) const {  // only where IsScaledEarly
    const float scale = static_cast<float>(1 / stage.t);
    for (float& value : y) value = value * scale;
  }
  template <class Cut>
  void operator()(const Cut&) const {}
};

// The values at which the definitions say that a stage changes nothing.
struct Neutral {
  bool operator()(const RepetitionPenalty& s) const { return float(s.penalty) == 1.0f; }
  bool operator()(const FrequencyPenalty& s) const { return float(s.penalty) == 0.0f; }
  bool operator()(const PresencePenalty& s) const { return float(s.penalty) == 0.0f; }
  bool operator()(const Dry& s) const { return float(s.multiplier) == 0.0f || s.last_n == 0; }
  bool operator()(const NoRepeatNgram& s) const { return s.n == 0; }
  bool operator()(const BadWords& s) const { return s.words.empty(); }
  bool operator()(const SequenceBias& s) const { return s.sequences.empty(); }
  bool operator()(const Watermark& s) const { return float(s.delta) == 0.0f; }
  bool operator()(const Guidance& s) const { return float(s.scale) == 1.0f; }
  bool operator()(const Temperature& s) const { return s.t == 1; }
  bool operator()(const TopK& s) const { return s.k == 0; }
  bool operator()(const TopP& s) const { return s.p == 1; }
  bool operator()(const MinP& s) const { return s.m == 0; }
  bool operator()(const TopA& s) const { return s.a == 0; }
  bool operator()(const EpsilonCutoff& s) const { return s.epsilon == 0; }
  bool operator()(const EtaCutoff& s) const { return s.epsilon == 0; }
  bool operator()(const TypicalP& s) const { return s.p == 1; }
  bool operator()(const TopNSigma& s) const { return s.n == 0; }
  bool operator()(const TailFree& s) const { return s.z == 1; }
  bool operator()(const Xtc& s) const { return s.probability == 0 || s.threshold > 0.5; }
  bool operator()(const DynamicTemperature& s) const { return s.low == 1 && s.high == 1; }
  bool operator()(const Smoothing& s) const { return float(s.factor) == 0.0f; }
  bool operator()(const LogitBias&) const { return false; }
  bool operator()(const Greedy&) const { return false; }
  bool operator()(const MirostatV1&) const { return false; }
  bool operator()(const MirostatV2&) const { return false; }
  bool operator()(const AdaptiveP&) const { return false; }
  bool operator()(const DrawRule& s) const {
    return s.order == DrawOrder::kId && s.generator == Generator::kPhilox;
  }
};

bool OnlyBans(const Stage& stage) {
  return std::holds_alternative<NoRepeatNgram>(stage) || std::holds_alternative<BadWords>(stage);
}

void SortByLogitThenId(absl::Span<const float> y, std::vector<TokenId>* ids) {
  std::sort(ids->begin(), ids->end(),
            [&](TokenId a, TokenId b) { return y[a] != y[b] ? y[a] > y[b] : a < b; });
}

}  // namespace

bool IsNeutral(const Stage& stage) { return std::visit(Neutral{}, stage); }

bool IsEdit(const Stage& stage) {
  return std::holds_alternative<LogitBias>(stage) ||
         std::holds_alternative<RepetitionPenalty>(stage) ||
         std::holds_alternative<FrequencyPenalty>(stage) ||
         std::holds_alternative<PresencePenalty>(stage) || std::holds_alternative<Dry>(stage) ||
         std::holds_alternative<SequenceBias>(stage) || std::holds_alternative<Watermark>(stage) ||
         std::holds_alternative<Guidance>(stage) || OnlyBans(stage);
}

bool IsScaledEarly(const Chain& chain, size_t stage) {
  if (!std::holds_alternative<Temperature>(chain.stages[stage])) return false;
  for (size_t later = stage + 1; later < chain.stages.size(); ++later) {
    const Stage& next = chain.stages[later];
    if (IsEdit(next) && !OnlyBans(next) && !IsNeutral(next)) return true;
  }
  return false;
}

EditedRow Edited(absl::Span<const float> logits, const RowInput& row, const Chain& chain,
                 const Past& past) {
  EditedRow result;
  result.y.assign(logits.begin(), logits.end());
  std::vector<bool> banned(logits.size(), false);
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    const Stage& stage = chain.stages[i];
    if (IsNeutral(stage)) continue;
    if (IsEdit(stage) || IsScaledEarly(chain, i)) {
      std::visit(ApplyEdit{{past, result.y, banned}, row}, stage);
    }
  }
  const std::vector<bool> stays = Unbanned(logits.size(), row);
  for (size_t id = 0; id < logits.size(); ++id) {
    if (!stays[id] || banned[id]) continue;
    const float y = result.y[id];
    if (std::isnan(y) || y == kInf) result.outcome = Outcome::kInvalidLogits;
    if (y != -kInf) result.order.push_back(static_cast<TokenId>(id));
  }
  if (result.outcome == Outcome::kOk && result.order.empty()) {
    result.outcome = Outcome::kEmptySupport;
  }
  if (result.outcome != Outcome::kOk) {
    result.order.clear();
    return result;
  }
  SortByLogitThenId(result.y, &result.order);
  return result;
}

std::optional<std::vector<TokenId>> ReceivedOrder(absl::Span<const float> logits,
                                                  const RowInput& row, bool grammar) {
  std::vector<TokenId> order;
  for (size_t id = 0; id < logits.size(); ++id) {
    if (grammar && !row.grammar.empty() && !GrammarAllows(row.grammar, id)) continue;
    if (std::isnan(logits[id]) || logits[id] == kInf) return std::nullopt;
    if (logits[id] != -kInf) order.push_back(static_cast<TokenId>(id));
  }
  SortByLogitThenId(logits, &order);
  return order;
}

}  // namespace tessera::oracle
