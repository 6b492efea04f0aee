#include "service/count_history.h"

#include <cstdint>
#include <vector>

#include "service/decode_history.h"
#include "service/id_slots.h"

namespace tessera {
namespace {

// Whether the chain is known and does not look for sequences of ids.
bool IgnoresOrder(absl::Span<const DecodedChain> chains, uint32_t chain) {
  return chain < chains.size() && !chains[chain].has_history_stage;
}

bool IgnoresOrder(absl::Span<const DecodedChain> chains, const v1::DraftSequence& sequence) {
  return IgnoresOrder(chains, sequence.target().chain()) &&
         (!sequence.has_draft_logits() || IgnoresOrder(chains, sequence.draft_logits().chain()));
}

}  // namespace

void CountHistories(absl::Span<const DecodedChain> chains, const Limits& limits,
                    v1::VerifyDraftsRequest* request) {
  const int64_t vocab_size = request->vocab_size();
  if (vocab_size > kMaxVocabulary) return;  // refused later
  IdSlots slots(vocab_size);
  std::vector<IdCount> counts;
  for (v1::DraftSequence& sequence : *request->mutable_sequences()) {
    if (!sequence.target().has_history() || !IgnoresOrder(chains, sequence)) continue;
    v1::TokenHistory* const history = sequence.mutable_target()->mutable_history();
    if (history->prompt_ids().empty() && history->output_ids().empty()) continue;  // counts already
    uint64_t output_length = 0;
    counts.clear();
    if (!DecodeHistory(*history, vocab_size, limits.max_history, &slots, &counts, &output_length)
             .ok()) {
      continue;
    }
    if (counts.empty()) continue;  // all padding: nothing, but not the same as no history
    history->Clear();
    for (const IdCount& count : counts) {
      v1::TokenCount* const counted = history->add_counts();
      counted->set_id(count.id);
      counted->set_prompt_count(count.prompt_count);
      counted->set_output_count(count.output_count);
    }
  }
}

}  // namespace tessera
