#include "kernels/verification/verify_drafts.h"

#include <map>
#include <memory>
#include <utility>

#include "kernels/math/philox.h"
#include "kernels/verification/coins.h"
#include "kernels/verification/decision.h"
#include "kernels/verification/draft_rows.h"
#include "kernels/verification/methods.h"

namespace tessera {
namespace {

Decision Begin(const DraftedSequence& sequence, const DraftTree& tree, Coins& coins) {
  switch (sequence.method) {
    case VerificationMethod::kToken:
      return VerifyToken(tree, coins);
    case VerificationMethod::kBlock:
      return VerifyBlock(tree, coins);
    case VerificationMethod::kTree:
      return VerifyTree(tree, coins);
    case VerificationMethod::kTraversal:
      return VerifyTraversal(tree, coins);
    case VerificationMethod::kTargetOnly:
      return VerifyTargetOnly(tree, coins);
    case VerificationMethod::kTypical:
      break;
  }
  return VerifyTypical(tree, sequence.typical_epsilon, sequence.typical_alpha);
}

// A residual that a token was drawn from.
struct DrawnResidual {
  ResidualAsk ask;
  U128 total;
};

// A sequence that is being decided.
struct OpenSequence {
  size_t index;
  std::unique_ptr<PhiloxCoins> coins;
  Decision decision;
  std::map<uint32_t, DrawnResidual> draws;  // the latest of each position
};

class Verification {
 public:
  Verification(const VerificationBatch& batch, Backend& backend,
               std::vector<SequenceResult>* results)
      : batch_(batch), backend_(backend), results_(*results), rows_(batch.sequences) {}

  absl::Status Run() {
    results_.assign(batch_.sequences.size(), {});
    if (absl::Status status = RunRows(); !status.ok()) return status;
    for (size_t i = 0; i < batch_.sequences.size(); ++i) Open(i);
    while (!open_.empty()) {
      if (absl::Status status = Answer(); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  // The laws of all rows, and the tokens of positions without children.
  absl::Status RunRows() {
    Batch batch;
    batch.vocab_size = batch_.vocab_size;
    batch.still_wanted = batch_.still_wanted;
    batch.logits = batch_.target;
    batch.guidance = batch_.guidance;
    batch.rows = rows_.target();
    if (batch.rows.empty()) return absl::OkStatus();
    if (absl::Status status = backend_.Run(batch, &target_); !status.ok()) return status;
    batch.logits = batch_.draft;
    batch.guidance = {};
    batch.rows = rows_.draft();
    if (batch.rows.empty()) return absl::OkStatus();
    return backend_.Run(batch, &draft_);
  }

  // Begins to decide a sequence; one that asks nothing is done at once.
  void Open(size_t index) {
    const DraftedSequence& sequence = batch_.sequences[index];
    if (!rows_.Weigh(index, target_, draft_, &results_[index])) return;
    auto coins = std::make_unique<PhiloxCoins>(sequence.seed, sequence.position, sequence.stream);
    Decision decision = Begin(sequence, rows_.tree(index), *coins);
    Describe(index);
    if (decision.done()) return Close(index, decision.verdict());
    open_.push_back({index, std::move(coins), std::move(decision), {}});
  }

  void Describe(size_t index) {
    SequenceResult& result = results_[index];
    const DraftTree& tree = rows_.tree(index);
    for (const DraftNode& node : tree.nodes) {
      const DraftPosition& parent = tree.positions[node.parent];
      result.target_probabilities.push_back(static_cast<double>(node.target_weight) /
                                            static_cast<double>(parent.target_total));
      result.draft_probabilities.push_back(static_cast<double>(node.draft_weight) /
                                           static_cast<double>(parent.draft_total));
    }
  }

  void Close(size_t index, Verdict verdict) {
    SequenceResult& result = results_[index];
    if (verdict.token < 0) {
      const RowResult& row = target_.rows()[rows_.of(index).first_target + verdict.position];
      verdict.token = row.tokens.front();
      result.last_draw = {};
      result.last_draw.position = verdict.position;
      result.last_total = {0, row.law.total};
    }
    for (const uint32_t node : verdict.accepted) {
      result.tokens.push_back(batch_.sequences[index].ids[node]);
    }
    result.tokens.push_back(verdict.token);
    result.verdict = std::move(verdict);
  }

  // One round: what all open sequences ask, in one call.
  absl::Status Answer() {
    asked_.clear();
    for (const OpenSequence& open : open_) {
      for (const ResidualAsk& ask : open.decision.asks()) asked_.push_back(InputOf(open, ask));
    }
    answers_.assign(asked_.size(), {});
    ResidualBatch batch;
    batch.target = batch_.target;
    batch.draft = batch_.draft;
    batch.guidance = batch_.guidance;
    batch.vocab_size = batch_.vocab_size;
    batch.residuals = asked_;
    batch.still_wanted = batch_.still_wanted;
    absl::Status status = backend_.RunResiduals(batch, absl::MakeSpan(answers_));
    if (!status.ok()) return status;
    Resume();
    return absl::OkStatus();
  }

  void Resume() {
    absl::Span<const ResidualResult> answers = answers_;
    std::vector<OpenSequence> still_open;
    for (OpenSequence& open : open_) {
      const absl::Span<const ResidualAsk> asks = open.decision.asks();
      for (size_t i = 0; i < asks.size(); ++i) {
        if (asks[i].draw) open.draws[asks[i].position] = {asks[i], answers[i].total};
      }
      const size_t asked = asks.size();
      open.decision.Resume(answers.first(asked));
      answers.remove_prefix(asked);
      if (open.decision.done()) {
        const Verdict& verdict = open.decision.verdict();
        if (const auto drawn = open.draws.find(verdict.position); drawn != open.draws.end()) {
          results_[open.index].last_draw = drawn->second.ask;
          results_[open.index].last_total = drawn->second.total;
        }
        Close(open.index, verdict);
      } else {
        still_open.push_back(std::move(open));
      }
    }
    open_ = std::move(still_open);
  }

  ResidualInput InputOf(const OpenSequence& open, const ResidualAsk& ask) const {
    const DraftedSequence& sequence = batch_.sequences[open.index];
    const SequenceRows& rows = rows_.of(open.index);
    ResidualInput input;
    const size_t target = rows.first_target + ask.position;
    input.target = {&rows_.target()[target], target_.rows()[target].law};
    if (ask.b != 0) {
      const uint32_t place = rows.draft_of_position[ask.position];
      if (sequence.law == DraftLaw::kLogits) {
        const size_t draft = rows.first_draft + place;
        input.draft = {&rows_.draft()[draft], draft_.rows()[draft].law};
      } else if (sequence.law == DraftLaw::kSparse) {
        input.sparse = sequence.sparse[place];
      }
    }
    input.a = ask.a;
    input.b = ask.b;
    input.excluded = ask.excluded;
    input.draw = ask.draw;
    if (ask.draw) {
      input.word = RandomWord128(sequence.seed, sequence.position, sequence.stream,
                                 Purpose::kResidual, ask.position);
    }
    return input;
  }

  const VerificationBatch& batch_;
  Backend& backend_;
  std::vector<SequenceResult>& results_;
  DraftRows rows_;
  BatchResult target_;
  BatchResult draft_;
  std::vector<OpenSequence> open_;
  std::vector<ResidualInput> asked_;
  std::vector<ResidualResult> answers_;
};

}  // namespace

bool IsLossless(VerificationMethod method) { return method != VerificationMethod::kTypical; }

absl::Status VerifyDrafts(const VerificationBatch& batch, Backend& backend,
                          std::vector<SequenceResult>* results) {
  return Verification(batch, backend, results).Run();
}

}  // namespace tessera
