#include "service/position_rows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "service/decode_history.h"

namespace tessera {
namespace {

// The drafts on the way from the root to a position.
std::vector<int32_t> PathTo(const ExpandedSequence& shape, uint32_t position) {
  std::vector<int32_t> path;
  for (int32_t node = static_cast<int32_t>(position) - 1; node >= 0; node = shape.parents[node]) {
    path.push_back(shape.ids[node]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

bool ReadsHistory(const DecodedChain& chain) {
  return chain.has_penalty_stage || chain.has_history_stage;
}

// At its largest a count stays there.
uint32_t Sum(uint32_t count, uint32_t more) {
  return count > UINT32_MAX - more ? UINT32_MAX : count + more;
}

// Counts the drafts of a path as output, in one pass: counts may be many, and so may positions.
void CountPath(const std::vector<int32_t>& path, v1::TokenHistory* history) {
  std::map<int32_t, uint32_t> drafted;
  for (const int32_t id : path) ++drafted[id];
  for (v1::TokenCount& count : *history->mutable_counts()) {
    const auto found = drafted.find(count.id());
    if (found == drafted.end()) continue;
    count.set_output_count(Sum(count.output_count(), found->second));
    drafted.erase(found);
  }
  for (const auto& [id, times] : drafted) {
    v1::TokenCount* count = history->add_counts();
    count->set_id(id);
    count->set_output_count(times);
  }
}

void AddPast(const std::vector<int32_t>& path, bool chain_reads, v1::SampleRow* row) {
  if (row->has_output_length()) {
    row->set_output_length(Sum(row->output_length(), static_cast<uint32_t>(path.size())));
  }
  const bool wanted = chain_reads || (row->min_tokens() > 0 && !row->has_output_length());
  if (!wanted) return;
  if (!row->history().counts().empty()) return CountPath(path, row->mutable_history());
  for (const int32_t id : path) row->mutable_history()->add_output_ids(id);
}

v1::SampleRow RowAt(const v1::DraftSequence& sequence, const ExpandedSequence& shape,
                    bool chain_reads, uint32_t position, uint32_t logits_row) {
  v1::SampleRow row = sequence.target();
  row.set_logits_row(logits_row);
  row.set_samples(0);
  if (!sequence.grammar_rows().empty()) {
    row.set_grammar_row(sequence.grammar_rows(static_cast<int>(position)));
  }
  AddPast(PathTo(shape, position), chain_reads, &row);
  return row;
}

}  // namespace

int64_t IdsPerPosition(const v1::DraftSequence& sequence) {
  const v1::SampleRow& row = sequence.target();
  return int64_t{row.history().prompt_ids_size()} + row.history().output_ids_size() +
         row.history().counts_size() + row.bias_size() + row.banned_ids_size() +
         row.allowed().ids_size() + row.stop_ids_size() + sequence.draft_ids_size();
}

v1::SampleRow TargetRow(const v1::DraftSequence& sequence, const ExpandedSequence& shape,
                        const DecodedChain* chain, uint32_t position, uint32_t logits_row) {
  const bool reads = chain != nullptr && ReadsHistory(*chain);
  v1::SampleRow row = RowAt(sequence, shape, reads, position, logits_row);
  if (position == 0) row.clear_samples();
  if (chain != nullptr && chain->has_guidance_stage) {
    row.set_guidance_row(row.has_guidance_row() ? row.guidance_row() + position : logits_row);
  }
  return row;
}

v1::SampleRow DraftRow(const v1::DraftSequence& sequence, const ExpandedSequence& shape,
                       const DecodedChain& chain, uint32_t position, uint32_t logits_row) {
  v1::SampleRow row = RowAt(sequence, shape, ReadsHistory(chain), position, logits_row);
  row.set_chain(sequence.draft_logits().chain());
  row.clear_logprobs();
  row.clear_guidance_row();
  if (!chain.has_bias_stage) row.clear_bias();
  if (!ReadsHistory(chain) && (row.min_tokens() == 0 || row.has_output_length())) {
    row.clear_history();
  }
  return row;
}

}  // namespace tessera
