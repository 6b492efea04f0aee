#include "kernels/verification/draft_rows.h"

#include <algorithm>

#include "kernels/math/philox.h"

namespace tessera {
namespace {

constexpr uint8_t kProcessedMode = 1 << static_cast<int>(LogprobMode::kProcessed);

// A row of which only the law and the weights of `ids` are wanted.
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

void Fail(const RowResult& row, bool draft, uint32_t position, SequenceResult* result) {
  result->outcome = row.outcome;
  result->failed_draft = draft;
  result->failed_position = position;
  result->invalid_id = row.invalid_id;
  result->invalid_logit = row.invalid_logit;
}

uint64_t WeightIn(absl::Span<const WeightedId> law, TokenId id) {
  const auto* found =
      std::lower_bound(law.begin(), law.end(), id,
                       [](const WeightedId& entry, TokenId wanted) { return entry.id < wanted; });
  return found != law.end() && found->id == id ? found->weight : 0;
}

}  // namespace

DraftRows::DraftRows(absl::Span<const DraftedSequence> sequences)
    : sequences_(sequences), trees_(sequences.size()) {
  for (size_t i = 0; i < sequences.size(); ++i) {
    Shape(sequences[i], &trees_[i]);
    AddRows(sequences[i], trees_[i]);
  }
}

void DraftRows::Shape(const DraftedSequence& sequence, DraftTree* tree) {
  const size_t nodes = sequence.ids.size();
  tree->nodes.resize(nodes);
  tree->positions.resize(nodes + 1);
  tree->without_replacement = sequence.without_replacement;
  for (size_t node = 0; node < nodes; ++node) {
    const auto parent = sequence.parents.empty()
                            ? static_cast<uint32_t>(node)
                            : static_cast<uint32_t>(sequence.parents[node] + 1);
    tree->nodes[node].token = sequence.ids[node];
    tree->nodes[node].parent = parent;
    tree->positions[parent].children.push_back(static_cast<uint32_t>(node));
  }
}

void DraftRows::AddRows(const DraftedSequence& sequence, const DraftTree& tree) {
  SequenceRows rows;
  rows.first_target = static_cast<uint32_t>(target_.size());
  rows.first_draft = static_cast<uint32_t>(draft_.size());
  rows.draft_of_position.resize(tree.positions.size());
  ids_.push_back(std::make_unique<TokenId[]>(tree.nodes.size()));
  words_.push_back(std::make_unique<uint64_t[]>(tree.positions.size()));
  TokenId* ids = ids_.back().get();
  uint32_t expanded = 0;
  for (uint32_t position = 0; position < tree.positions.size(); ++position) {
    const std::vector<uint32_t>& children = tree.positions[position].children;
    std::transform(children.begin(), children.end(), ids,
                   [&](uint32_t node) { return tree.nodes[node].token; });
    const absl::Span<const TokenId> asked(ids, children.size());
    ids += children.size();
    RowInput row = LawRow(sequence.target[position], asked);
    if (sequence.method == VerificationMethod::kTypical) {
      row.logprob_modes = row.entropy_modes = kProcessedMode;
    }
    if (children.empty()) {
      words_.back()[position] =
          RandomWord(sequence.seed, sequence.position, sequence.stream, Purpose::kDraw, position);
      row.samples = 1;
      row.words = {&words_.back()[position], 1};
    } else {
      if (sequence.law == DraftLaw::kLogits) {
        draft_.push_back(LawRow(sequence.draft[expanded], asked));
      }
      rows.draft_of_position[position] = expanded++;
    }
    target_.push_back(row);
  }
  rows_.push_back(std::move(rows));
}

bool DraftRows::Weigh(size_t sequence, const BatchResult& target, const BatchResult& draft,
                      SequenceResult* result) {
  const DraftedSequence& asked = sequences_[sequence];
  const SequenceRows& rows = rows_[sequence];
  DraftTree* const tree = &trees_[sequence];
  return TakeTarget(asked, rows, target.rows(), tree, result) &&
         TakeDraft(asked, rows, draft.rows(), tree, result);
}

bool DraftRows::TakeTarget(const DraftedSequence& sequence, const SequenceRows& rows,
                           absl::Span<const RowResult> target, DraftTree* tree,
                           SequenceResult* result) {
  for (uint32_t position = 0; position < tree->positions.size(); ++position) {
    const RowResult& row = target[rows.first_target + position];
    if (row.outcome != Outcome::kOk) {
      Fail(row, false, position, result);
      return false;
    }
    DraftPosition& known = tree->positions[position];
    known.target_total = row.law.total;
    known.one_hot = sequence.law == DraftLaw::kOneHot;
    known.entropy =
        static_cast<double>(row.reports[static_cast<int>(LogprobMode::kProcessed)].entropy);
    for (size_t i = 0; i < known.children.size(); ++i) {
      tree->nodes[known.children[i]].target_weight = row.law_weights[i];
    }
  }
  return true;
}

bool DraftRows::TakeDraft(const DraftedSequence& sequence, const SequenceRows& rows,
                          absl::Span<const RowResult> draft, DraftTree* tree,
                          SequenceResult* result) {
  for (uint32_t position = 0; position < tree->positions.size(); ++position) {
    DraftPosition& known = tree->positions[position];
    if (known.children.empty()) continue;
    const uint32_t place = rows.draft_of_position[position];
    if (sequence.law == DraftLaw::kLogits) {
      const RowResult& row = draft[rows.first_draft + place];
      if (row.outcome != Outcome::kOk) {
        Fail(row, true, position, result);
        return false;
      }
      known.draft_total = row.law.total;
      for (size_t i = 0; i < known.children.size(); ++i) {
        tree->nodes[known.children[i]].draft_weight = row.law_weights[i];
      }
      continue;
    }
    known.draft_total = sequence.law == DraftLaw::kOneHot ? 1 : 0;
    if (sequence.law == DraftLaw::kSparse) {
      for (const WeightedId& entry : sequence.sparse[place]) known.draft_total += entry.weight;
    }
    for (const uint32_t node : known.children) {
      DraftNode& child = tree->nodes[node];
      child.draft_weight =
          sequence.law == DraftLaw::kOneHot ? 1 : WeightIn(sequence.sparse[place], child.token);
    }
  }
  return true;
}

}  // namespace tessera
