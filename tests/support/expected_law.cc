#include "tests/support/expected_law.h"

#include <algorithm>
#include <bit>
#include <map>
#include <sstream>

#include "tests/support/exact_arithmetic.h"

namespace tessera::testing {
namespace {

using Weights = std::map<TokenId, uint64_t>;

Weights WeightsById(const oracle::ExactLaw& law) {
  Weights weights;
  for (size_t i = 0; i < law.order.size(); ++i) weights[law.order[i]] = law.weights[i];
  return weights;
}

// What the last token of a partial law lacks of its logit's weight.
uint64_t MissingOf(const oracle::ExactLaw& law) {
  if (!law.partial) return 0;
  const float distance = law.y[law.order.back()] - law.y[law.order.front()];
  return oracle::Weight(distance, oracle::InverseTemperature(law.temperature)) - law.weights.back();
}

void JudgeScored(const RowSpec& row, const Weights& weights, const RowResult& result,
                 std::ostream& out) {
  if (result.law_weights.size() != row.score_ids.size()) {
    out << "law_weights.size is " << result.law_weights.size() << ", expected "
        << row.score_ids.size() << '\n';
    return;
  }
  for (size_t i = 0; i < row.score_ids.size(); ++i) {
    const auto found = weights.find(row.score_ids[i]);
    const uint64_t expected = found == weights.end() ? 0 : found->second;
    if (result.law_weights[i] == expected) continue;
    out << "law_weights[" << i << "] (id " << row.score_ids[i] << ") is " << result.law_weights[i]
        << ", expected " << expected << '\n';
  }
}

void JudgeListed(const RowSpec& row, const Weights& weights, const RowResult& result,
                 std::ostream& out) {
  const size_t size = weights.size() <= row.max_law_ids ? weights.size() : 0;
  if (result.law_ids.size() != size) {
    out << "law_ids.size is " << result.law_ids.size() << ", expected " << size << '\n';
    return;
  }
  auto expected = weights.begin();
  for (const WeightedId& entry : result.law_ids) {
    if (entry.id != expected->first || entry.weight != expected->second) {
      out << "law_ids[" << (&entry - result.law_ids.data()) << "] is {" << entry.id << ", "
          << entry.weight << "}, expected {" << expected->first << ", " << expected->second
          << "}\n";
      return;
    }
    ++expected;
  }
}

void AddWord(uint64_t word, std::vector<uint32_t>* bits) {
  bits->push_back(static_cast<uint32_t>(word));
  bits->push_back(static_cast<uint32_t>(word >> 32));
}

}  // namespace

std::string JudgeLaw(const RowSpec& row, const oracle::ExactLaw& law, const RowResult& result) {
  std::ostringstream out;
  if (!row.want_law) {
    if (!result.law_weights.empty() || !result.law_ids.empty() || result.law.total != 0) {
      out << "a law that was not asked for\n";
    }
    return out.str();
  }
  const Weights weights = WeightsById(law);
  const auto same = [&](const char* what, uint64_t got, uint64_t expected) {
    if (got != expected) out << what << " is " << got << ", expected " << expected << '\n';
  };
  same("support_size", result.support_size, weights.size());
  same("law.total", result.law.total, law.total);
  same("law.missing", result.law.missing, MissingOf(law));
  if (result.law.y_max != law.y[law.order.front()]) {
    out << "law.y_max is " << result.law.y_max << ", expected " << law.y[law.order.front()] << '\n';
  }
  JudgeScored(row, weights, result, out);
  JudgeListed(row, weights, result, out);
  return out.str();
}

void AddLawBits(const RowResult& result, std::vector<uint32_t>* bits) {
  // The ends of the interval may lie anywhere beyond the support's keys; residuals judge them.
  for (uint64_t word : {result.law.total, result.law.missing}) AddWord(word, bits);
  bits->push_back(std::bit_cast<uint32_t>(result.law.y_max));
  bits->push_back(std::bit_cast<uint32_t>(result.law.c));
  AddWord(result.law_weights.size(), bits);
  for (uint64_t weight : result.law_weights) AddWord(weight, bits);
  AddWord(result.law_ids.size(), bits);
  for (const WeightedId& entry : result.law_ids) {
    bits->push_back(static_cast<uint32_t>(entry.id));
    AddWord(entry.weight, bits);
  }
}

}  // namespace tessera::testing
