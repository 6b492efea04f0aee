#include "service/last_positions.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tessera {
namespace {

constexpr uint32_t kRead = 64;  // likeliest tokens of the target that are looked at
constexpr int kProcessed = static_cast<int>(LogprobMode::kProcessed);

uint32_t ParentOf(const DraftedSequence& sequence, size_t node) {
  return sequence.parents.empty() ? static_cast<uint32_t>(node)
                                  : static_cast<uint32_t>(sequence.parents[node] + 1);
}

// The place of a position among the expanded ones, or -1 where it has no children.
int64_t ExpandedPlace(const DraftedSequence& sequence, uint32_t position) {
  std::set<uint32_t> before;
  bool expanded = false;
  for (size_t node = 0; node < sequence.ids.size(); ++node) {
    const uint32_t parent = ParentOf(sequence, node);
    if (parent < position) before.insert(parent);
    expanded = expanded || parent == position;
  }
  return expanded ? static_cast<int64_t>(before.size()) : -1;
}

// A row of which only the law is read.
RowInput LawRow(const RowInput& row, absl::Span<const TokenId> ids) {
  RowInput law = row;
  law.samples = 0;
  law.words = {};
  law.logprob_modes = 0;
  law.entropy_modes = 0;
  law.top_logprobs = 0;
  law.score_ids = ids;
  law.want_support_size = false;
  law.want_law = true;
  law.max_law_ids = 0;
  return law;
}

class Reader {
 public:
  Reader(const VerificationBatch& batch, absl::Span<const SequenceResult> results, Backend& backend)
      : batch_(batch), results_(results), backend_(backend) {}

  absl::StatusOr<std::vector<LastPosition>> Read() {
    for (size_t s = 0; s < results_.size(); ++s) {
      if (results_[s].outcome == Outcome::kOk) last_.push_back({s, {}, {}, {}});
    }
    if (last_.empty()) return last_;
    absl::Status status = ReadLikeliest();
    if (status.ok()) status = ReadTarget();
    if (status.ok()) status = ReadDraft();
    if (!status.ok()) return status;
    return std::move(last_);
  }

 private:
  const RowInput& TargetRow(const LastPosition& last) const {
    return batch_.sequences[last.sequence].target[results_[last.sequence].verdict.position];
  }

  absl::Status Run(bool draft, absl::Span<const RowInput> rows, BatchResult* results) {
    Batch batch{draft ? batch_.draft : batch_.target, batch_.vocab_size, rows};
    if (!draft) batch.guidance = batch_.guidance;
    batch.still_wanted = batch_.still_wanted;
    return backend_.Run(batch, results);
  }

  absl::Status ReadLikeliest() {
    std::vector<RowInput> rows;
    for (const LastPosition& last : last_) {
      rows.push_back(LawRow(TargetRow(last), {}));
      rows.back().logprob_modes = 1 << kProcessed;
      rows.back().top_logprobs = kRead;
    }
    BatchResult read;
    if (absl::Status status = Run(false, rows, &read); !status.ok()) return status;
    for (size_t i = 0; i < last_.size(); ++i) {
      for (const RankedToken& token : read.rows()[i].reports[kProcessed].top) {
        last_[i].ids.push_back(token.id);
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadTarget() {
    std::vector<RowInput> rows;
    for (const LastPosition& last : last_) rows.push_back(LawRow(TargetRow(last), last.ids));
    BatchResult read;
    if (absl::Status status = Run(false, rows, &read); !status.ok()) return status;
    for (size_t i = 0; i < last_.size(); ++i) {
      const RowResult& row = read.rows()[i];
      last_[i].target_weights.assign(row.law_weights.begin(), row.law_weights.end());
      last_[i].target_total = row.law.total;
    }
    return absl::OkStatus();
  }

  absl::Status ReadDraft() {
    std::vector<RowInput> rows;
    for (LastPosition& last : last_) {
      last.draft_weights.assign(last.ids.size(), 0);
      const DraftedSequence& sequence = batch_.sequences[last.sequence];
      const uint32_t position = results_[last.sequence].verdict.position;
      const int64_t place = ExpandedPlace(sequence, position);
      if (place < 0) continue;
      const auto expanded = static_cast<size_t>(place);
      if (sequence.law == DraftLaw::kLogits) {
        last.draft_row = static_cast<int64_t>(rows.size());
        rows.push_back(LawRow(sequence.draft[expanded], last.ids));
      } else if (sequence.law == DraftLaw::kSparse) {
        TakeSparse(sequence.sparse[expanded], &last);
      } else {
        TakeOneHot(sequence, position, &last);
      }
    }
    if (rows.empty()) return absl::OkStatus();
    BatchResult read;
    if (absl::Status status = Run(true, rows, &read); !status.ok()) return status;
    for (LastPosition& last : last_) {
      if (last.draft_row < 0) continue;
      const RowResult& row = read.rows()[static_cast<size_t>(last.draft_row)];
      last.draft_weights.assign(row.law_weights.begin(), row.law_weights.end());
      last.draft_total = row.law.total;
    }
    return absl::OkStatus();
  }

  static void TakeSparse(absl::Span<const WeightedId> law, LastPosition* last) {
    for (const WeightedId& entry : law) {
      last->draft_total += entry.weight;
      const auto at = std::find(last->ids.begin(), last->ids.end(), entry.id);
      if (at != last->ids.end()) {
        last->draft_weights[static_cast<size_t>(at - last->ids.begin())] = entry.weight;
      }
    }
  }

  static void TakeOneHot(const DraftedSequence& sequence, uint32_t position, LastPosition* last) {
    last->draft_total = 1;
    for (size_t node = 0; node < sequence.ids.size(); ++node) {
      if (ParentOf(sequence, node) != position) continue;
      const auto at = std::find(last->ids.begin(), last->ids.end(), sequence.ids[node]);
      if (at != last->ids.end()) {
        last->draft_weights[static_cast<size_t>(at - last->ids.begin())] = 1;
      }
    }
  }

  const VerificationBatch& batch_;
  absl::Span<const SequenceResult> results_;
  Backend& backend_;
  std::vector<LastPosition> last_;
};

}  // namespace

absl::StatusOr<std::vector<LastPosition>> ReadLastPositions(
    const VerificationBatch& batch, absl::Span<const SequenceResult> results, Backend& backend) {
  return Reader(batch, results, backend).Read();
}

}  // namespace tessera
