#include "tests/support/exact_residual.h"

#include "tests/support/exact_chain.h"

namespace tessera::oracle {

std::optional<ExactLaw> LawOfRow(const testing::RowSpec& row, int64_t vocab_size) {
  const RowInput input = row.Input(nullptr, 0);
  const auto columns = static_cast<size_t>(vocab_size);
  absl::Span<const float> guidance = row.guidance;
  if (!guidance.empty()) guidance = guidance.first(columns);
  const EditedRow edited = Edited(absl::MakeConstSpan(row.logits).first(columns), input, row.chain,
                                  {row.prompt, row.output, guidance});
  if (edited.outcome != Outcome::kOk) return std::nullopt;
  return ProcessedLaw(ExactSteps(edited, row.chain, input));
}

std::vector<uint64_t> WeightsById(const ExactLaw& law, int64_t vocab_size) {
  std::vector<uint64_t> weights(vocab_size, 0);
  for (size_t i = 0; i < law.order.size(); ++i) weights[law.order[i]] = law.weights[i];
  return weights;
}

ExactResidual ResidualOf(uint64_t a, absl::Span<const uint64_t> p, uint64_t b,
                         absl::Span<const uint64_t> q, absl::Span<const TokenId> excluded) {
  ExactResidual residual;
  for (size_t id = 0; id < p.size(); ++id) {
    const Uint128 target = static_cast<Uint128>(a) * p[id];
    const Uint128 draft = static_cast<Uint128>(b) * q[id];
    residual.by_id.push_back(target > draft ? target - draft : 0);
  }
  for (TokenId id : excluded) residual.by_id[id] = 0;
  for (Uint128 weight : residual.by_id) residual.total += weight;
  return residual;
}

// In digits of 32 bits, as on paper.
Uint128 MulHigh128(Uint128 a, Uint128 b) {
  constexpr int kDigits = 4;
  uint32_t product[2 * kDigits] = {};
  for (int i = 0; i < kDigits; ++i) {
    uint64_t carry = 0;
    for (int j = 0; j < kDigits; ++j) {
      const uint64_t digit = static_cast<uint64_t>(static_cast<uint32_t>(a >> (32 * i))) *
                                 static_cast<uint32_t>(b >> (32 * j)) +
                             product[i + j] + carry;
      product[i + j] = static_cast<uint32_t>(digit);
      carry = digit >> 32;
    }
    product[i + kDigits] = static_cast<uint32_t>(carry);
  }
  Uint128 high = 0;
  for (int i = 2 * kDigits - 1; i >= kDigits; --i) high = high << 32 | product[i];
  return high;
}

TokenId ExactResidual::Draw(Uint128 word) const {
  const Uint128 r = MulHigh128(word, total);
  Uint128 inclusive = 0;
  for (size_t id = 0; id < by_id.size(); ++id) {
    inclusive += by_id[id];
    if (inclusive > r) return static_cast<TokenId>(id);
  }
  return -1;  // not reached: r < total
}

}  // namespace tessera::oracle
