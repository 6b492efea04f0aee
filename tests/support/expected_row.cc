#include "tests/support/expected_row.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_chain.h"
#include "tests/support/exact_law.h"
#include "tests/support/expected_law.h"
#include "tests/support/real_law.h"
#include "tests/support/real_steps.h"

namespace tessera::testing {
namespace {

using oracle::EditedRow;
using oracle::ExactLaw;

constexpr const char* kModeNames[] = {"RAW", "RAW_MASKED", "TEMPERED", "PROCESSED"};

// One mode's law with what the report says of each id in it.
struct ModeLaw {
  ExactLaw exact;
  std::vector<int32_t> place;  // by id; -1 outside the support
  std::vector<uint32_t> rank;  // by place
  bool invalid = false;        // a raw mode of a row with a received NaN or +inf

  void Index() {
    place.assign(exact.y.size(), -1);
    for (size_t i = 0; i < exact.order.size(); ++i) {
      place[exact.order[i]] = static_cast<int32_t>(i);
      const bool tie = i != 0 && exact.y[exact.order[i]] == exact.y[exact.order[i - 1]];
      rank.push_back(tie ? rank.back() : static_cast<uint32_t>(i + 1));
    }
  }

  // Counts ties against every token: all of a tie have the place of its last.
  void WorstRanks() {
    for (size_t i = rank.size(); i-- > 0;) {
      const bool last =
          i + 1 == rank.size() || exact.y[exact.order[i]] != exact.y[exact.order[i + 1]];
      rank[i] = last ? static_cast<uint32_t>(i + 1) : rank[i + 1];
    }
  }
};

// A unit in the last place of the binary32 result, for a value that executors compute in double.
bool SameRounded(float value, long double expected) {
  constexpr long double kLowest = std::numeric_limits<float>::lowest();
  expected = std::max(expected, kLowest);  // -inf is for ids outside the support alone
  return std::fabs(value - expected) <= 0x1p-23L * std::fabs(expected) + 1e-14L;
}

// Where the two oracles differ by more than docs/numerics.md 3 allows; empty if nowhere.
std::string OraclesDiffer(const ExactLaw& law, bool entropy) {
  std::ostringstream out;
  if (law.partial) return "";  // its weight was judged where it was reduced
  const std::vector<long double> real = oracle::RealLogprobs(law.y, law.order, law.temperature);
  for (size_t i = 0; i < law.order.size(); ++i) {
    const long double difference = std::fabs(real[i] - oracle::Logprob(law, i));
    if (!(difference <= oracle::kLogprobTolerance)) {
      out << "oracles: id " << law.order[i] << " has logprob " << oracle::Logprob(law, i)
          << " in integers, " << real[i] << " in long double\n";
      break;
    }
  }
  if (entropy) {
    const long double integers = oracle::Entropy(law);
    const long double floats = oracle::RealEntropy(real);
    if (!(std::fabs(integers - floats) <= oracle::kEntropyTolerance)) {
      out << "oracles: entropy " << integers << " in integers, " << floats << " in long double\n";
    }
  }
  return out.str();
}

}  // namespace

struct ExpectedRow::Laws {
  EditedRow edited;
  oracle::ChainSteps steps;
  std::array<std::optional<ModeLaw>, kLogprobModes> modes;
  std::vector<TokenId> tokens;
  oracle::State state = {0, 0};
  std::string oracles_differ;

  const ModeLaw& processed() const { return *modes[static_cast<int>(LogprobMode::kProcessed)]; }

  void AddMode(const RowSpec& row, LogprobMode mode, absl::Span<const float> logits,
               const RowInput& input) {
    ModeLaw& law = modes[static_cast<int>(mode)].emplace();
    switch (mode) {
      case LogprobMode::kRaw:
      case LogprobMode::kRawMasked: {
        auto order = oracle::ReceivedOrder(logits, input, mode == LogprobMode::kRawMasked);
        law.invalid = !order.has_value();
        if (law.invalid) return;
        law.exact = oracle::PlainLaw({logits.begin(), logits.end()}, *std::move(order));
        break;
      }
      case LogprobMode::kTempered:
        law.exact = oracle::TemperedLaw(edited, steps);
        break;
      case LogprobMode::kProcessed:
        law.exact = oracle::ProcessedLaw(steps);
        break;
    }
    oracles_differ += OraclesDiffer(law.exact, (row.entropy_modes & Bit(mode)) != 0);
    law.Index();
    if (row.ties_against) law.WorstRanks();
  }

  void DrawTokens(const RowSpec& row, const RowInput& input) {
    const ExactLaw& law = processed().exact;
    for (uint32_t i = 0; i < row.samples; ++i) {
      const uint64_t word = row.words.empty()
                                ? oracle::DrawWord(row.seed, row.position, row.stream, i)
                                : row.words[i];
      tokens.push_back(steps.sorted_draw ? oracle::DrawSorted(law, word) : oracle::Draw(law, word));
    }
    if (row.samples == 0) return;
    state = oracle::StateAfter(steps, row.chain, input, law, tokens[0]);
  }
};

ExpectedRow::ExpectedRow(const RowSpec& row, int64_t vocab_size)
    : row_(row), laws_(std::make_unique<Laws>()) {
  const absl::Span<const float> logits = absl::MakeConstSpan(row.logits).first(vocab_size);
  const RowInput input = row.Input(nullptr, 0);
  absl::Span<const float> guidance = row.guidance;
  if (!guidance.empty()) guidance = guidance.first(vocab_size);
  laws_->edited = oracle::Edited(logits, input, row.chain, {row.prompt, row.output, guidance});
  if (laws_->edited.outcome != Outcome::kOk) return;
  laws_->steps = oracle::ExactSteps(laws_->edited, row.chain, input);
  laws_->oracles_differ = oracle::JudgeSteps(laws_->edited, row.chain, input, laws_->steps);
  const uint8_t wanted = row.logprob_modes | row.entropy_modes | Bit(LogprobMode::kProcessed);
  for (int mode = 0; mode < kLogprobModes; ++mode) {
    const auto name = static_cast<LogprobMode>(mode);
    if ((wanted & Bit(name)) != 0) laws_->AddMode(row, name, logits, input);
  }
  laws_->DrawTokens(row, input);
}

ExpectedRow::~ExpectedRow() = default;

Outcome ExpectedRow::outcome() const { return laws_->edited.outcome; }

namespace {

class Complaints {
 public:
  template <class A, class B>
  void Same(const std::string& what, const A& got, const B& expected) {
    if (!(got == expected)) Add(what, got, expected);
  }
  void SameLogprob(const std::string& what, float got, long double expected) {
    if (!SameRounded(got, expected)) Add(what, got, expected);
  }
  void Near(const std::string& what, double got, long double expected, double tolerance) {
    if (!(std::fabs(got - expected) <= tolerance)) Add(what, got, expected);
  }
  void IsNan(const std::string& what, float got) {
    if (!std::isnan(got)) Add(what, got, "NaN");
  }
  std::string text() const { return out_.str(); }

 private:
  template <class A, class B>
  void Add(const std::string& what, const A& got, const B& expected) {
    constexpr int kShown = 6;
    if (++count_ > kShown) return;
    out_.precision(12);
    out_ << what << " is " << got << ", expected " << expected << '\n';
  }
  int count_ = 0;
  std::ostringstream out_;
};

void CompareScores(const ModeLaw& law, const std::string& what, absl::Span<const TokenId> ids,
                   absl::Span<const TokenScore> scores, Complaints* bad) {
  bad->Same(what + ".size", scores.size(), ids.size());
  for (size_t i = 0; i < std::min(ids.size(), scores.size()); ++i) {
    const std::string here =
        what + "[" + std::to_string(i) + "] (id " + std::to_string(ids[i]) + ")";
    if (law.invalid) {
      bad->IsNan(here + ".logprob", scores[i].logprob);
      continue;
    }
    const int32_t place = law.place[ids[i]];
    bad->Same(here + ".rank", scores[i].rank, place < 0 ? 0 : law.rank[place]);
    if (place < 0) {
      bad->Same(here + ".logprob", scores[i].logprob, -std::numeric_limits<float>::infinity());
    } else {
      bad->SameLogprob(here + ".logprob", scores[i].logprob, oracle::Logprob(law.exact, place));
    }
  }
}

void CompareTop(const ModeLaw& law, const std::string& what, uint32_t wanted,
                absl::Span<const RankedToken> top, Complaints* bad) {
  if (law.invalid) {
    for (const RankedToken& token : top) bad->IsNan(what + ".logprob", token.logprob);
    return;
  }
  bad->Same(what + ".size", top.size(), std::min<size_t>(wanted, law.exact.order.size()));
  for (size_t i = 0; i < std::min<size_t>(top.size(), law.exact.order.size()); ++i) {
    const std::string here = what + "[" + std::to_string(i) + "]";
    bad->Same(here + ".id", top[i].id, law.exact.order[i]);
    bad->SameLogprob(here + ".logprob", top[i].logprob, oracle::Logprob(law.exact, i));
  }
}

void CompareEntropy(const ExactLaw& law, const std::string& what, float got, Complaints* bad) {
  if (!law.partial) return bad->SameLogprob(what, got, oracle::Entropy(law));
  long double sum = 0;
  for (uint64_t weight : law.weights) {
    const long double p = static_cast<long double>(weight) / law.total;
    if (weight > 0) sum -= p * std::log(p);
  }
  bad->Near(what, got, sum, oracle::kEntropyTolerance);
}

}  // namespace

std::string ExpectedRow::Compare(const RowResult& result) const {
  Complaints bad;
  bad.Same("outcome", int{static_cast<uint8_t>(result.outcome)},
           int{static_cast<uint8_t>(outcome())});
  if (result.outcome != outcome()) return bad.text();
  if (outcome() != Outcome::kOk) {
    for (TokenId token : result.tokens) bad.Same("token of a row that failed", token, -1);
    bad.Same("law_ids.size of a row that failed", result.law_ids.size(), 0u);
    return bad.text();
  }
  bad.Same("tokens.size", result.tokens.size(), laws_->tokens.size());
  for (size_t i = 0; i < std::min(result.tokens.size(), laws_->tokens.size()); ++i) {
    bad.Same("tokens[" + std::to_string(i) + "]", result.tokens[i], laws_->tokens[i]);
  }
  if (row_.want_support_size) {
    bad.Same("support_size", result.support_size, laws_->processed().exact.order.size());
  }
  for (int i = 0; i < 2; ++i) {
    const long double state = laws_->state[i];
    const auto tolerance = static_cast<double>(1e-9L * (1 + std::fabs(state)));
    bad.Near("state[" + std::to_string(i) + "]", result.state[i], state, tolerance);
  }
  bool raw_invalid = false;
  for (const auto& mode : laws_->modes) raw_invalid |= mode.has_value() && mode->invalid;
  bad.Same("raw_invalid", result.raw_invalid, raw_invalid);
  for (int mode = 0; mode < kLogprobModes; ++mode) {
    const LogprobReport& report = result.reports[mode];
    const std::string name = kModeNames[mode];
    if ((row_.logprob_modes >> mode & 1) != 0) {
      const ModeLaw& law = *laws_->modes[mode];
      CompareScores(law, name + ".sampled", laws_->tokens, report.sampled, &bad);
      CompareScores(law, name + ".scored", row_.score_ids, report.scored, &bad);
      CompareTop(law, name + ".top", row_.top_logprobs, report.top, &bad);
    } else {
      bad.Same(name + " scores", report.sampled.size() + report.scored.size(), 0u);
      bad.Same(name + " top", report.top.size(), 0u);
    }
    const bool invalid = laws_->modes[mode].has_value() && laws_->modes[mode]->invalid;
    if ((row_.entropy_modes >> mode & 1) == 0) {
      bad.Same(name + ".entropy", report.entropy, 0.0f);
    } else if (invalid) {
      bad.IsNan(name + ".entropy", report.entropy);
    } else {
      CompareEntropy(laws_->modes[mode]->exact, name + ".entropy", report.entropy, &bad);
    }
  }
  return laws_->oracles_differ + bad.text() + JudgeLaw(row_, laws_->processed().exact, result);
}

std::vector<uint32_t> BitsOf(const RowResult& result) {
  std::vector<uint32_t> bits = {static_cast<uint32_t>(result.outcome), result.raw_invalid,
                                result.support_size};
  const auto add_float = [&](float value) { bits.push_back(std::bit_cast<uint32_t>(value)); };
  const auto add_scores = [&](absl::Span<const TokenScore> scores) {
    bits.push_back(static_cast<uint32_t>(scores.size()));
    for (const TokenScore& score : scores) {
      add_float(score.logprob);
      bits.push_back(score.rank);
    }
  };
  for (double value : result.state) {
    const auto word = std::bit_cast<uint64_t>(value);
    bits.push_back(static_cast<uint32_t>(word));
    bits.push_back(static_cast<uint32_t>(word >> 32));
  }
  bits.push_back(static_cast<uint32_t>(result.tokens.size()));
  for (TokenId token : result.tokens) bits.push_back(static_cast<uint32_t>(token));
  for (const LogprobReport& report : result.reports) {
    add_scores(report.sampled);
    add_scores(report.scored);
    bits.push_back(static_cast<uint32_t>(report.top.size()));
    for (const RankedToken& token : report.top) {
      bits.push_back(static_cast<uint32_t>(token.id));
      add_float(token.logprob);
    }
    add_float(report.entropy);
  }
  AddLawBits(result, &bits);
  return bits;
}

}  // namespace tessera::testing
