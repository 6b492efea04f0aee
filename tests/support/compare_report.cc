#include "tests/support/compare_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/exact_arithmetic.h"
#include "tests/support/real_law.h"

namespace tessera::testing {

namespace {

using oracle::ExactLaw;

constexpr const char* kModeNames[] = {"RAW", "RAW_MASKED", "TEMPERED", "PROCESSED"};

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

void CompareReport(const RowSpec& row, int mode, const ModeLaw* law,
                   absl::Span<const TokenId> tokens, const LogprobReport& report, Complaints* bad) {
  const std::string name = kModeNames[mode];
  if ((row.logprob_modes >> mode & 1) != 0) {
    CompareScores(*law, name + ".sampled", tokens, report.sampled, bad);
    CompareScores(*law, name + ".scored", row.score_ids, report.scored, bad);
    CompareTop(*law, name + ".top", row.top_logprobs, report.top, bad);
  } else {
    bad->Same(name + " scores", report.sampled.size() + report.scored.size(), 0u);
    bad->Same(name + " top", report.top.size(), 0u);
  }
  if ((row.entropy_modes >> mode & 1) == 0) {
    bad->Same(name + ".entropy", report.entropy, 0.0f);
  } else if (law->invalid) {
    bad->IsNan(name + ".entropy", report.entropy);
  } else {
    CompareEntropy(law->exact, name + ".entropy", report.entropy, bad);
  }
}

}  // namespace tessera::testing
