#include "tests/support/result_bits.h"

#include <bit>

#include "absl/types/span.h"
#include "tests/support/expected_law.h"

namespace tessera::testing {

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
