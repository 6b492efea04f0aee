// What may not be completed, or is biased when it would be: n-grams, words, sequences.
#ifndef TESSERA_KERNELS_HISTORY_COMPLETIONS_H_
#define TESSERA_KERNELS_HISTORY_COMPLETIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "kernels/row_input.h"
#include "kernels/stages/sequence_bias.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

// Adds the ids that would complete an n-gram of the history. REQUIRES: n > 0.
void BanNgrams(uint32_t n, absl::Span<const TokenId> history, std::vector<TokenId>* banned);

// Adds the last ids of words that the history has all the others of.
void BanWords(const std::vector<TokenSequence>& words, absl::Span<const TokenId> history,
              std::vector<TokenId>* banned);

// What the sequences add to which id, ids ascending.
std::vector<Bias> SequenceBiases(const SequenceBias& stage, absl::Span<const TokenId> history);

}  // namespace tessera

#endif  // TESSERA_KERNELS_HISTORY_COMPLETIONS_H_
