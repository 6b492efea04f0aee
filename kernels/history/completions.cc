#include "kernels/history/completions.h"

#include <algorithm>
#include <cmath>

#include "kernels/history/suffix_matches.h"

namespace tessera {
namespace {

// Whether the history ends in all but the last id of the sequence.
bool WaitsForLast(const TokenSequence& ids, absl::Span<const TokenId> history) {
  const size_t before = ids.size() - 1;
  if (before > history.size()) return false;
  const absl::Span<const TokenId> end = history.last(before);
  return std::equal(end.begin(), end.end(), ids.begin());
}

// A ban stays one, whatever is added.
float Sum(float a, float b) {
  if (a == -HUGE_VALF || b == -HUGE_VALF) return -HUGE_VALF;
  return a + b;
}

}  // namespace

void BanNgrams(uint32_t n, absl::Span<const TokenId> history, std::vector<TokenId>* banned) {
  const std::vector<uint32_t> matches = SuffixMatches(history);
  // Before the first id stands nothing, which is all that n = 1 asks for.
  for (size_t j = n == 1 ? 0 : 1; j < history.size(); ++j) {
    if (matches[j] >= n - 1) banned->push_back(history[j]);
  }
}

void BanWords(const std::vector<TokenSequence>& words, absl::Span<const TokenId> history,
              std::vector<TokenId>* banned) {
  for (const TokenSequence& word : words) {
    if (WaitsForLast(word, history)) banned->push_back(word.back());
  }
}

std::vector<Bias> SequenceBiases(const SequenceBias& stage, absl::Span<const TokenId> history) {
  std::vector<Bias> found;
  for (const BiasedSequence& sequence : stage.sequences) {
    if (!WaitsForLast(sequence.ids, history)) continue;
    found.push_back({sequence.ids.back(), static_cast<float>(sequence.bias)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Bias& a, const Bias& b) { return a.id < b.id; });
  std::vector<Bias> sums;
  for (const Bias& bias : found) {
    if (!sums.empty() && sums.back().id == bias.id) {
      sums.back().value = Sum(sums.back().value, bias.value);
    } else {
      sums.push_back(bias);
    }
  }
  return sums;
}

}  // namespace tessera
