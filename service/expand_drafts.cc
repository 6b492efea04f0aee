#include "service/expand_drafts.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "service/count_history.h"
#include "service/draft_sequence.h"
#include "service/position_rows.h"
#include "service/verifiable_chain.h"

namespace tessera {
namespace {

absl::Status CheckSize(const v1::VerifyDraftsRequest& request, const Limits& limits) {
  int64_t positions = 0;
  int64_t ids = 0;
  for (const v1::DraftSequence& sequence : request.sequences()) {
    positions += sequence.draft_ids_size() + 1;
    ids += IdsPerPosition(sequence) * (sequence.draft_ids_size() + 1);
  }
  if (positions > limits.max_rows) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the sequences have ", positions, " positions; one call may have at most ",
                     limits.max_rows, ". Split the batch: results do not change"));
  }
  if (ids > limits.max_sequence_ids) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the sequences' histories, biases and masks hold ", ids,
                     " ids, counted once a position (of a history whose order no stage reads, its "
                     "distinct ids); one call may hold at most ",
                     limits.max_sequence_ids, ". Split the batch: results do not change"));
  }
  const int64_t rows = request.target_logits_size() == 1 ? request.target_logits(0).rows() : 0;
  if (request.target_logits_size() != 1 || rows == positions) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("target_logits[0].rows is ", rows, "; it must be ", positions,
                   ", the positions of all sequences: one root and one for each of draft_ids"));
}

// The chain of that number, if there is one and it can be verified.
absl::Status CheckChain(absl::Span<const DecodedChain> chains, uint32_t chain) {
  if (chain >= chains.size() || !chains[chain].plan.ok()) return absl::OkStatus();  // told later
  const absl::Status status = CheckVerifiable(chains[chain]);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(absl::StrCat("chains[", chain, "].", status.message()));
}

absl::Status CheckDraftChain(absl::Span<const DecodedChain> chains, uint32_t chain) {
  if (chain >= chains.size()) {
    return absl::InvalidArgumentError(absl::StrCat("draft_logits.chain is ", chain,
                                                   "; it must be below ", chains.size(),
                                                   ", the number of chains"));
  }
  if (chains[chain].has_guidance_stage) {
    return absl::InvalidArgumentError(
        absl::StrCat("draft_logits.chain is ", chain,
                     ", which has a guidance stage; guidance is the target's alone"));
  }
  return CheckChain(chains, chain);
}

class Expansion {
 public:
  Expansion(absl::Span<const DecodedChain> chains, const v1::VerifyDraftsRequest& request,
            ExpandedDrafts* out)
      : chains_(chains), request_(request), out_(*out) {}

  void Add(const v1::DraftSequence& sequence) {
    ExpandedSequence shape;
    const uint32_t first_logits = next_logits_;
    next_logits_ += static_cast<uint32_t>(sequence.draft_ids_size()) + 1;
    const absl::Status status = Check(sequence, &shape);
    if (status.ok()) {
      AddRows(sequence, first_logits, &shape);
    } else {
      shape.refusal = std::string(status.message());
    }
    out_.sequences.push_back(std::move(shape));
  }

 private:
  absl::Status Check(const v1::DraftSequence& sequence, ExpandedSequence* shape) const {
    absl::Status status = ReadTree(sequence, request_.vocab_size(), shape);
    if (status.ok()) status = ReadMethod(sequence, shape);
    if (status.ok()) status = CheckFields(sequence, *shape);
    if (status.ok()) status = CheckChain(chains_, sequence.target().chain());
    if (status.ok() && sequence.has_draft_logits()) {
      status = CheckDraftChain(chains_, sequence.draft_logits().chain());
    }
    return status;
  }

  void AddRows(const v1::DraftSequence& sequence, uint32_t first_logits, ExpandedSequence* shape) {
    const uint32_t named = sequence.target().chain();
    const DecodedChain* const chain = named < chains_.size() ? &chains_[named] : nullptr;
    shape->first_target = out_.target.rows_size();
    for (uint32_t position = 0; position <= shape->ids.size(); ++position) {
      *out_.target.add_rows() =
          TargetRow(sequence, *shape, chain, position, first_logits + position);
    }
    shape->first_draft = out_.draft.rows_size();
    if (!sequence.has_draft_logits()) return;
    uint32_t row = sequence.draft_logits().first_row();
    for (const uint32_t position : shape->expanded) {
      *out_.draft.add_rows() =
          DraftRow(sequence, *shape, chains_[sequence.draft_logits().chain()], position, row++);
    }
  }

  const absl::Span<const DecodedChain> chains_;
  const v1::VerifyDraftsRequest& request_;
  ExpandedDrafts& out_;
  uint32_t next_logits_ = 0;
};

}  // namespace

absl::StatusOr<ExpandedDrafts> ExpandDrafts(absl::Span<const DecodedChain> chains,
                                            const Limits& limits,
                                            v1::VerifyDraftsRequest* request) {
  CountHistories(chains, limits, request);
  if (absl::Status status = CheckSize(*request, limits); !status.ok()) return status;
  ExpandedDrafts drafts;
  Expansion expansion(chains, *request, &drafts);
  for (const v1::DraftSequence& sequence : request->sequences()) expansion.Add(sequence);
  for (v1::SampleTokensRequest* rows : {&drafts.target, &drafts.draft}) {
    rows->set_vocab_size(request->vocab_size());
  }
  if (!drafts.draft.rows().empty()) {
    drafts.draft.mutable_logits()->Swap(request->mutable_draft_logits());
    if (request->has_grammar()) *drafts.draft.mutable_grammar() = request->grammar();
  }
  drafts.target.mutable_logits()->Swap(request->mutable_target_logits());
  if (request->has_grammar()) drafts.target.mutable_grammar()->Swap(request->mutable_grammar());
  if (request->has_guidance_logits()) {
    drafts.target.mutable_guidance_logits()->Swap(request->mutable_guidance_logits());
  }
  return drafts;
}

}  // namespace tessera
