#include "tests/support/past_edits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tests/support/exact_arithmetic.h"

namespace tessera::oracle {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr uint32_t kWatermarkPurpose = 4;

using Ids = std::vector<TokenId>;

bool StandsAt(const Ids& sequence, const Ids& ids, size_t place) {
  if (place + sequence.size() > ids.size()) return false;
  for (size_t i = 0; i < sequence.size(); ++i) {
    if (ids[place + i] != sequence[i]) return false;
  }
  return true;
}

// Whether the past ends in all ids of the sequence but the last.
bool IsNext(const Ids& sequence, const Ids& past) {
  const Ids before(sequence.begin(), sequence.end() - 1);
  return before.size() <= past.size() && StandsAt(before, past, past.size() - before.size());
}

// Ids behind the breaker that starts last; of several there, the longest.
size_t BehindBreaker(const Dry& stage, const Ids& window) {
  for (size_t behind = 1; behind <= window.size(); ++behind) {
    const size_t start = window.size() - behind;
    size_t longest = 0;
    for (const Ids& breaker : stage.breakers) {
      if (StandsAt(breaker, window, start)) longest = std::max(longest, breaker.size());
    }
    if (longest != 0) return behind - longest;
  }
  return window.size();
}

size_t CommonSuffix(const Ids& window, size_t first) {
  size_t length = 0;
  while (length < first && window[first - 1 - length] == window[window.size() - 1 - length]) {
    ++length;
  }
  return length;
}

float DryPenalty(const Dry& stage, size_t exponent) {
  const float base = static_cast<float>(stage.base);
  if (base > 1.000001f) {
    const float ln = static_cast<float>(std::log(static_cast<long double>(base)));
    exponent = std::min(exponent, static_cast<size_t>(std::floor(88.7228391f / ln)));
  }
  double power = 1;
  for (size_t i = 0; i < exponent; ++i) power = power * static_cast<double>(base);
  return static_cast<float>(static_cast<double>(static_cast<float>(stage.multiplier)) * power);
}

}  // namespace

Ids PastEdit::Read(HistoryScope scope) const {
  Ids ids;
  if (scope == HistoryScope::kPromptAndOutput) ids.assign(past.prompt.begin(), past.prompt.end());
  ids.insert(ids.end(), past.output.begin(), past.output.end());
  return ids;
}

void PastEdit::Add(TokenId id, float value) const {
  if (value == -kInf) {
    banned[id] = true;
  } else if (y[id] != -kInf) {
    y[id] = y[id] + value;
  }
}

void PastEdit::operator()(const Dry& stage) const {
  Ids window = Read(HistoryScope::kPromptAndOutput);
  if (stage.last_n >= 0 && window.size() > static_cast<size_t>(stage.last_n)) {
    window.erase(window.begin(), window.end() - stage.last_n);
  }
  const size_t longest = BehindBreaker(stage, window);
  std::map<TokenId, size_t> repetitions;
  for (size_t j = 1; j < window.size(); ++j) {
    const size_t length = std::min(CommonSuffix(window, j), longest);
    if (length < stage.allowed_length) continue;
    repetitions[window[j]] = std::max(repetitions[window[j]], length);
  }
  for (const auto& [id, length] : repetitions) {
    const Ids alone = {id};
    const auto& breakers = stage.breakers;
    if (std::find(breakers.begin(), breakers.end(), alone) != breakers.end()) continue;
    Add(id, -DryPenalty(stage, length - stage.allowed_length));
  }
}

void PastEdit::operator()(const NoRepeatNgram& stage) const {
  const Ids ids = Read(stage.scope);
  for (size_t start = 0; start + stage.n <= ids.size(); ++start) {
    const Ids ngram(ids.begin() + start, ids.begin() + start + stage.n);
    if (IsNext(ngram, ids)) banned[ngram.back()] = true;
  }
}

void PastEdit::operator()(const BadWords& stage) const {
  const Ids ids = Read(stage.scope);
  for (const Ids& word : stage.words) {
    if (IsNext(word, ids)) banned[word.back()] = true;
  }
}

void PastEdit::operator()(const SequenceBias& stage) const {
  const Ids ids = Read(HistoryScope::kPromptAndOutput);
  std::map<TokenId, float> sums;
  for (const BiasedSequence& sequence : stage.sequences) {
    if (!IsNext(sequence.ids, ids)) continue;
    const float bias = static_cast<float>(sequence.bias);
    const auto [sum, first] = sums.try_emplace(sequence.ids.back(), bias);
    if (first) continue;
    sum->second = sum->second == -kInf || bias == -kInf ? -kInf : sum->second + bias;
  }
  for (const auto& [id, sum] : sums) Add(id, sum);
}

void PastEdit::operator()(const Watermark& stage) const {
  const Ids ids = Read(HistoryScope::kPromptAndOutput);
  if (ids.size() < stage.context_width) return;
  const auto words = [](uint64_t key, uint32_t c0, uint32_t c1, uint32_t c3) {
    return Philox({c0, c1, kWatermarkPurpose, c3},
                  {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
  };
  uint64_t h = stage.key;
  for (uint32_t i = 0; i < stage.context_width; ++i) {
    const TokenId id = ids[ids.size() - stage.context_width + i];
    const auto out = words(h, static_cast<uint32_t>(id), i, 0);
    h = out[0] | static_cast<uint64_t>(out[1]) << 32;
  }
  for (size_t id = 0; id < y.size(); ++id) {
    const auto out = words(h, static_cast<uint32_t>(id / 4), 0, 1);
    const bool green = out[id % 4] < static_cast<long double>(stage.gamma) * 0x1p32L;
    if (green) Add(static_cast<TokenId>(id), static_cast<float>(stage.delta));
  }
}

void PastEdit::operator()(const Guidance& stage) const {
  const float scale = static_cast<float>(stage.scale);
  for (size_t id = 0; id < y.size(); ++id) {
    const float u = past.guidance[id];
    if (y[id] == -kInf || std::isnan(y[id]) || y[id] == kInf) continue;
    if (std::isnan(u) || u == kInf || u == -kInf) {
      y[id] = u;
      continue;
    }
    const float difference = y[id] - u;
    y[id] = std::fma(scale, difference, u);
  }
}

}  // namespace tessera::oracle
