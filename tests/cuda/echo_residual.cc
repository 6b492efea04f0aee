#include "tests/cuda/echo_residual.h"

#include <bit>

namespace tessera::testing {
namespace {

uint64_t Mixed(uint64_t value, uint64_t word) {
  return (value ^ word) * 0x9E3779B97F4A7C15u + (value >> 31);
}

uint64_t MixedLaw(uint64_t value, const DrawnLaw& law) {
  for (const uint64_t word : {law.lo, law.hi, law.total, law.missing}) value = Mixed(value, word);
  return Mixed(value,
               uint64_t{std::bit_cast<uint32_t>(law.y_max)} << 32 | std::bit_cast<uint32_t>(law.c));
}

// The matrix's rows as those of a batch, for LogitsFor.
EchoedLogits OfRow(const LogitsView& logits, const LogitsView& guidance, int64_t vocab_size,
                   const RowInput& row) {
  Batch side;
  side.logits = logits;
  side.guidance = guidance;
  side.vocab_size = vocab_size;
  return LogitsFor(side, row);
}

}  // namespace

ResidualResult EchoResidual(const EchoedLogits& target, const EchoedLogits& draft,
                            const ResidualInput& input) {
  uint64_t value = MixedLaw(DigestOfRow(target, *input.target.row), input.target.law);
  if (input.draft.row != nullptr) {
    value = Mixed(value, DigestOfRow(draft, *input.draft.row));
    value = MixedLaw(value, input.draft.law);
  }
  value = Mixed(Mixed(value, input.a), input.b);
  value = Mixed(value, input.sparse.size() << 32 | input.excluded.size());
  for (const WeightedId& entry : input.sparse) {
    value = Mixed(Mixed(value, static_cast<uint64_t>(entry.id)), entry.weight);
  }
  for (const TokenId id : input.excluded) value = Mixed(value, static_cast<uint64_t>(id));
  value = Mixed(Mixed(value, input.word.hi), input.word.lo);
  value = Mixed(value, input.draw ? 1 : 0);
  return {{value, Mixed(value, 1)}, static_cast<TokenId>(value >> 33)};
}

std::vector<ResidualResult> EchoedResiduals(const ResidualBatch& batch) {
  std::vector<ResidualResult> results;
  for (const ResidualInput& input : batch.residuals) {
    const EchoedLogits target =
        OfRow(batch.target, batch.guidance, batch.vocab_size, *input.target.row);
    EchoedLogits draft{};
    if (input.draft.row != nullptr) {
      draft = OfRow(batch.draft, {}, batch.vocab_size, *input.draft.row);
    }
    results.push_back(EchoResidual(target, draft, input));
  }
  return results;
}

}  // namespace tessera::testing
