#include "kernels/history/dry_penalties.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "kernels/history/suffix_matches.h"
#include "kernels/math/log.h"

namespace tessera {
namespace {

// How many ids stand behind the breaker that starts last.
uint32_t LongestRepetition(absl::Span<const TokenId> window, const SequenceIndex& breakers) {
  for (size_t start = window.size(); !breakers.empty() && start-- > 0;) {
    const size_t length = breakers.LongestAt(window.subspan(start));
    if (length > 0) return static_cast<uint32_t>(window.size() - start - length);
  }
  return static_cast<uint32_t>(window.size());
}

uint32_t LargestExponent(float base) {
  if (!(base > 1.000001f)) return std::numeric_limits<uint32_t>::max();
  return static_cast<uint32_t>(88.7228391f / static_cast<float>(Log(static_cast<double>(base))));
}

// multiplier * base^exponent, the factors taken one by one and kept.
class Penalty {
 public:
  explicit Penalty(const Dry& stage)
      : multiplier_(static_cast<float>(stage.multiplier)),
        base_(static_cast<float>(stage.base)),
        largest_(LargestExponent(base_)) {}

  float Of(uint32_t excess) {
    const uint32_t exponent = std::min(excess, largest_);
    while (powers_.size() <= exponent) powers_.push_back(powers_.back() * double{base_});
    return static_cast<float>(double{multiplier_} * powers_[exponent]);
  }

 private:
  // Kept as floats: of two doubles side by side that go through float and back, g++ 12 at -O2
  // leaves out the rounding.
  const float multiplier_;
  const float base_;
  const uint32_t largest_;
  std::vector<double> powers_ = {1};
};

// An id and the length of a repetition that it would go on with.
using Repeat = std::pair<TokenId, uint32_t>;

std::vector<Repeat> RepeatsIn(absl::Span<const TokenId> window, uint32_t longest,
                              uint32_t shortest) {
  std::vector<Repeat> repeats;
  const std::vector<uint32_t> matches = SuffixMatches(window);
  for (size_t j = 1; j < window.size(); ++j) {
    const uint32_t length = std::min(matches[j], longest);
    if (length >= shortest) repeats.emplace_back(window[j], length);
  }
  std::sort(repeats.begin(), repeats.end());
  return repeats;
}

}  // namespace

std::vector<Bias> DryPenalties(const Dry& stage, const SequenceIndex& breakers,
                               absl::Span<const TokenId> history) {
  absl::Span<const TokenId> window = history;
  if (stage.last_n >= 0 && static_cast<size_t>(stage.last_n) < history.size()) {
    window = history.last(static_cast<size_t>(stage.last_n));
  }
  const uint32_t longest = LongestRepetition(window, breakers);
  std::vector<Bias> penalties;
  if (longest < stage.allowed_length) return penalties;
  const std::vector<Repeat> repeats = RepeatsIn(window, longest, stage.allowed_length);
  Penalty penalty(stage);
  for (size_t i = 0; i < repeats.size(); ++i) {
    const auto [id, length] = repeats[i];
    const bool is_longest = i + 1 == repeats.size() || repeats[i + 1].first != id;
    if (!is_longest || breakers.HasSingle(id)) continue;
    penalties.push_back({id, -penalty.Of(length - stage.allowed_length)});
  }
  return penalties;
}

}  // namespace tessera
