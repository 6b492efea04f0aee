#include "tests/verification/toy_models.h"

#include <algorithm>
#include <numeric>

namespace tessera::testing {
namespace {

uint64_t Sum(const Tokens& context) {
  return static_cast<uint64_t>(std::accumulate(context.begin(), context.end(), 0));
}

// Extends every sequence shorter than `length` by all tokens.
void Complete(const Tokens& tokens, const Fraction& probability, const Model& model, size_t length,
              Law* law) {
  if (tokens.size() >= length) {
    (*law)[Tokens(tokens.begin(), tokens.begin() + static_cast<int>(length))] += probability;
    return;
  }
  const Weights weights = model(tokens);
  for (TokenId token = 0; token < static_cast<TokenId>(weights.size()); ++token) {
    if (weights[token] == 0) continue;
    Tokens longer = tokens;
    longer.push_back(token);
    Complete(longer, probability * Share(weights, token), model, length, law);
  }
}

}  // namespace

Weights PublishedTarget(const Tokens& context) {
  if (context.empty()) return {5, 3, 2};
  if (context == Tokens{0}) return {1, 6, 3};
  if (context == Tokens{1}) return {2, 2, 1};
  if (context == Tokens{2}) return {0, 1, 1};
  return {1 + Sum(context), 2, 3 + context.size()};
}

Weights PublishedDraft(const Tokens& context) {
  if (context.empty()) return {2, 5, 3};
  if (context == Tokens{0}) return {3, 3, 4};
  if (context == Tokens{1}) return {3, 1, 1};
  if (context == Tokens{2}) return {2, 1, 1};
  return {2, 1 + Sum(context), 2};
}

Weights FourTokenTarget(const Tokens& context) {
  const uint64_t sum = Sum(context);
  return {1 + sum % 3, (sum + context.size()) % 3 * 2, 3, 2 + context.size()};
}

Weights FourTokenDraft(const Tokens& context) {
  const uint64_t sum = Sum(context);
  return {3, 1 + sum, (sum + 1) % 3 * 2, 1 + context.size() % 2};
}

Weights WideTarget(const Tokens& context) {
  const uint64_t sum = Sum(context) + 3 * context.size();
  return {(uint64_t{1} << 44), 11'400'714'819'323 + 1'234'567'891 * sum,
          3'037'000'499'976 / (1 + sum)};
}

Weights WideDraft(const Tokens& context) {
  const uint64_t sum = Sum(context) + 5 * context.size();
  return {7'640'891'576'956 + 987'654'321 * sum, (uint64_t{1} << 44),
          uint64_t{9'600'629'759'793} >> sum % 3};
}

Weights DustyDraft(const Tokens& context) {
  const uint64_t sum = Sum(context) + context.size();
  return {1 + sum, (uint64_t{1} << 44), 2};
}

Weights OppositeTarget(const Tokens& context) {
  const Weights draft = PublishedDraft(context);
  Weights weights;
  for (const uint64_t liked : draft) weights.push_back(liked > 2 ? liked : uint64_t{1} << 44);
  return weights;
}

Weights DustyTarget(const Tokens& context) {
  return {uint64_t{1} << 44, 1 + context.size(), uint64_t{1} << 30};
}

Model Truncated(const Model& model) {
  return [model](const Tokens& context) {
    Weights weights = model(context);
    size_t least = weights.size();
    for (size_t i = 0; i < weights.size(); ++i) {
      const bool lower = least == weights.size() || weights[i] <= weights[least];
      if (weights[i] > 0 && lower) least = i;
    }
    weights[least] = 0;
    return weights;
  };
}

uint64_t Total(const Weights& weights) {
  return std::accumulate(weights.begin(), weights.end(), uint64_t{0});
}

Fraction Share(const Weights& weights, TokenId token) {
  return {Natural(weights[token]), Natural(Total(weights))};
}

Law LawOfNext(const Model& model, int length) { return Completed({{{}, 1}}, model, length); }

Law Completed(const Law& emitted, const Model& model, int length) {
  Law law;
  for (const auto& [tokens, probability] : emitted) {
    Complete(tokens, probability, model, static_cast<size_t>(length), &law);
  }
  return law;
}

Fraction TotalVariation(const Law& a, const Law& b) {
  Law all = a;
  all.insert(b.begin(), b.end());
  Fraction sum;
  for (const auto& [tokens, unused] : all) {
    const auto in_a = a.find(tokens);
    const auto in_b = b.find(tokens);
    sum += Distance(in_a == a.end() ? Fraction(0) : in_a->second,
                    in_b == b.end() ? Fraction(0) : in_b->second);
  }
  return sum / Fraction(2);
}

Fraction MeanLength(const Law& law) {
  Fraction mean;
  for (const auto& [tokens, probability] : law) mean += Fraction(tokens.size()) * probability;
  return mean;
}

}  // namespace tessera::testing
