#include "tests/verification/random_sequences.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/support/exact_residual.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

using oracle::ExactLaw;

constexpr int kMostDrafts = 6;

std::vector<Stage> AnyStages(Random& random) {
  switch (random.Below(8)) {
    case 0:
      return {};
    case 1:
      return {Greedy{}};
    case 2:
      return {TopK{static_cast<int32_t>(1 + random.Below(5))}};
    case 3:
      return {Temperature{random.Between(0.3, 3)}, MinP{random.Between(0, 0.5)}};
    case 4:
      return {TopK{40}, Temperature{random.Between(0.5, 2)}, TopP{random.Between(0.3, 1)}};
    default:
      return {Temperature{random.Between(0.5, 2)}, TopP{random.Between(0.3, 1)}};
  }
}

// As another row, with noise, as a small model's are; or anything.
std::vector<float> LogitsLike(Random& random, const std::vector<float>& other, DType dtype) {
  const auto columns = static_cast<int64_t>(other.size());
  if (random.OneIn(4)) return RandomLogits(random, random.Pick(kAllShapes), columns, dtype);
  const double noise = random.Pick({0.0, 0.3, 1.0});
  std::vector<float> logits(other.size());
  std::transform(other.begin(), other.end(), logits.begin(), [&](float y) {
    return Rounded(y + static_cast<float>(noise * random.Normal()), dtype);
  });
  return logits;
}

// What is left of the row, or nothing where no id is: such rows are another test's.
std::optional<ExactLaw> Finished(Random& random, int64_t vocab_size, RowSpec* row) {
  row->samples = 0;
  row->want_law = true;
  row->chain.stages = AnyStages(random);
  if (random.OneIn(4)) row->banned = {static_cast<TokenId>(random.Below(vocab_size))};
  if (random.OneIn(4)) row->bias = {{static_cast<TokenId>(random.Below(vocab_size)), 1.5f}};
  return oracle::LawOfRow(*row, vocab_size);
}

TokenId AnyDraft(Random& random, int64_t vocab_size, const ExactLaw& law) {
  if (random.OneIn(8)) return static_cast<TokenId>(random.Below(vocab_size));
  return oracle::Draw(law, random.Word());
}

// The law, or what is left of it in small numbers, so that some ids are missing.
std::vector<WeightedId> ListOf(Random& random, const ExactLaw& law) {
  const bool exact = random.OneIn(2);
  std::vector<WeightedId> list;
  for (size_t i = 0; i < law.order.size(); ++i) {
    const uint64_t weight = exact || i == 0 ? law.weights[i] : law.weights[i] >> 38;
    if (weight > 0) list.push_back({law.order[i], weight});
  }
  std::sort(list.begin(), list.end(),
            [](const WeightedId& a, const WeightedId& b) { return a.id < b.id; });
  return list;
}

}  // namespace

bool TakesTrees(VerificationMethod method) {
  return method != VerificationMethod::kToken && method != VerificationMethod::kBlock;
}

RandomSequences::RandomSequences(Random& random, int64_t vocab_size, int count,
                                 absl::Span<const VerificationMethod> methods)
    : vocab_size_(vocab_size),
      target_dtype_(random.Pick(kAllDTypes)),
      draft_dtype_(random.Pick(kAllDTypes)) {
  for (int i = 0; i < count; ++i) {
    Add(random, methods[random.Below(static_cast<int64_t>(methods.size()))]);
  }
  if (draft_rows_.empty()) AddDraft(random, 0);  // a matrix has rows
  target_.emplace(target_rows_, target_dtype_, vocab_size_);
  draft_.emplace(draft_rows_, draft_dtype_, vocab_size_);
  Point();
}

void RandomSequences::AddTarget(Random& random) {
  for (;;) {
    RowSpec row;
    const Shape shape = random.OneIn(3) ? random.Pick(kAllShapes) : Shape::kNormal;
    row.logits = RandomLogits(random, shape, vocab_size_, target_dtype_);
    std::optional<ExactLaw> law = Finished(random, vocab_size_, &row);
    if (!law.has_value()) continue;
    if (random.OneIn(8)) {
      row.chain.stages.insert(row.chain.stages.begin(), Guidance{random.Between(-1, 3)});
      row.guidance = RandomLogits(random, Shape::kNormal, vocab_size_, target_dtype_);
      law = oracle::LawOfRow(row, vocab_size_);
      if (!law.has_value()) continue;
    }
    target_rows_.push_back(std::move(row));
    target_laws_.push_back(*std::move(law));
    return;
  }
}

void RandomSequences::AddDraft(Random& random, size_t target) {
  for (;;) {
    RowSpec row;
    row.logits = LogitsLike(random, target_rows_[target].logits, draft_dtype_);
    std::optional<ExactLaw> law = Finished(random, vocab_size_, &row);
    if (!law.has_value()) continue;
    draft_rows_.push_back(std::move(row));
    draft_laws_.push_back(*std::move(law));
    lists_.push_back(ListOf(random, draft_laws_.back()));
    return;
  }
}

void RandomSequences::Add(Random& random, VerificationMethod method) {
  Spec spec;
  spec.sequence.method = method;
  spec.sequence.law = random.Pick({DraftLaw::kOneHot, DraftLaw::kLogits, DraftLaw::kSparse});
  spec.sequence.without_replacement = TakesTrees(method) && random.OneIn(2);
  spec.sequence.typical_epsilon = 0.3;
  spec.sequence.typical_alpha = 0.5;
  spec.sequence.seed = random.Word();
  spec.sequence.position = static_cast<uint32_t>(random.Word());
  spec.sequence.stream = static_cast<uint32_t>(random.Below(3));
  spec.first_target = target_rows_.size();
  spec.first_draft = draft_rows_.size();
  const auto nodes = static_cast<int32_t>(random.Below(kMostDrafts + 1));
  for (int32_t i = 0; i < nodes; ++i) {
    const auto any = static_cast<int32_t>(random.Below(i + 1)) - 1;
    spec.parents.push_back(TakesTrees(method) ? any : i - 1);
  }
  for (int32_t position = 0; position <= nodes; ++position) AddTarget(random);
  spec.ids.resize(nodes);
  const std::set<int32_t> expanded(spec.parents.begin(), spec.parents.end());
  spec.expanded = expanded.size();
  for (int32_t parent : expanded) {
    AddDraft(random, spec.first_target + parent + 1);
    for (int32_t i = 0; i < nodes; ++i) {
      if (spec.parents[i] != parent) continue;
      spec.ids[i] = AnyDraft(random, vocab_size_, draft_laws_.back());
    }
  }
  if (!TakesTrees(method) && random.OneIn(2)) spec.parents.clear();  // says the same
  specs_.push_back(std::move(spec));
}

// What does not move any more.
void RandomSequences::Point() {
  views_of_lists_.assign(lists_.begin(), lists_.end());
  for (const Spec& spec : specs_) {
    DraftedSequence& sequence = sequences_.emplace_back(spec.sequence);
    sequence.ids = spec.ids;
    sequence.parents = spec.parents;
    sequence.target = target_->batch().rows.subspan(spec.first_target, spec.ids.size() + 1);
    sequence.draft = draft_->batch().rows.subspan(spec.first_draft, spec.expanded);
    sequence.sparse = absl::MakeConstSpan(views_of_lists_).subspan(spec.first_draft, spec.expanded);
  }
}

VerificationBatch RandomSequences::batch() const {
  VerificationBatch batch;
  batch.target = target_->batch().logits;
  batch.guidance = target_->batch().guidance;
  batch.draft = draft_->batch().logits;
  batch.vocab_size = vocab_size_;
  batch.sequences = sequences_;
  return batch;
}

std::vector<uint64_t> RandomSequences::TargetWeights(size_t sequence, size_t position) const {
  return oracle::WeightsById(target_laws_[specs_[sequence].first_target + position], vocab_size_);
}

std::vector<uint64_t> RandomSequences::DraftWeights(size_t sequence, size_t expanded) const {
  const size_t row = specs_[sequence].first_draft + expanded;
  if (specs_[sequence].sequence.law == DraftLaw::kLogits) {
    return oracle::WeightsById(draft_laws_[row], vocab_size_);
  }
  std::vector<uint64_t> weights(vocab_size_, 0);
  for (const WeightedId& entry : lists_[row]) weights[entry.id] = entry.weight;
  return weights;
}

}  // namespace tessera::testing
