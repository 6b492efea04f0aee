#include "tests/support/random_residuals.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "absl/types/span.h"

namespace tessera::testing {
namespace {

using oracle::ExactLaw;
using oracle::Uint128;

constexpr uint64_t kLargestScale = (uint64_t{1} << 63) - 1;
constexpr int kTargets = 3;
constexpr int kDrafts = 3;

TokenId AnyId(Random& random, int64_t vocab_size, const ExactLaw& law) {
  if (random.OneIn(2)) return static_cast<TokenId>(random.Below(vocab_size));
  const auto likely = std::min<int64_t>(20, static_cast<int64_t>(law.order.size()));
  return law.order[random.Below(likely)];
}

std::vector<WeightedId> RandomList(Random& random, int64_t vocab_size, const ExactLaw& target) {
  std::set<TokenId> ids;
  for (int64_t n = random.Pick({1, 4, 70, 300}); n > 0; --n) {
    ids.insert(AnyId(random, vocab_size, target));
  }
  std::vector<WeightedId> list;
  for (TokenId id : ids) {
    const uint64_t weight = random.OneIn(6)
                                ? random.Pick({uint64_t{0}, uint64_t{1}, uint64_t{1} << 44})
                                : random.Word() >> (20 + random.Below(20));
    list.push_back({id, weight});
  }
  return list;
}

uint64_t AnyScale(Random& random) {
  return random.OneIn(4) ? random.Pick({uint64_t{1}, uint64_t{2}, kLargestScale})
                         : std::max<uint64_t>(1, random.Word() >> (1 + random.Below(62)));
}

// p - q as it is, in whole numbers; or anything.
void SetScales(Random& random, uint64_t p_total, uint64_t q_total, ResidualSpec* residual) {
  const int64_t kind = random.Below(4);
  residual->a = AnyScale(random);
  residual->b = random.OneIn(6) ? 0 : kind == 0 ? residual->a : AnyScale(random);
  if (kind < 2 || q_total == 0) return;
  residual->a = std::min(q_total, kLargestScale);
  residual->b = std::min(p_total, kLargestScale);
}

uint64_t TotalOf(const std::vector<WeightedId>& list) {
  uint64_t total = 0;
  for (const WeightedId& entry : list) total += entry.weight;
  return total;
}

ResidualSpec RandomResidual(Random& random, int64_t vocab_size, const LawfulRows& targets,
                            const LawfulRows& drafts) {
  ResidualSpec residual;
  residual.target = random.Below(kTargets);
  const ExactLaw& target = targets.laws[residual.target];
  uint64_t q_total = 0;
  switch (random.Below(5)) {
    case 0:
      break;
    case 1:
      residual.sparse = RandomList(random, vocab_size, target);
      q_total = TotalOf(residual.sparse);
      break;
    default:
      residual.draft = random.Below(kDrafts);
      q_total = drafts.laws[*residual.draft].total;
  }
  SetScales(random, target.total, q_total, &residual);
  for (int64_t n = random.Pick({0, 0, 0, 1, 3, 40, 256}); n > 0; --n) {
    residual.excluded.push_back(AnyId(random, vocab_size, target));
  }
  residual.draw = !random.OneIn(6);
  residual.word = static_cast<Uint128>(random.Word()) << 64 | random.Word();
  if (random.OneIn(5)) residual.word = random.OneIn(2) ? 0 : ~Uint128{0};
  return residual;
}

U128 Words(Uint128 value) {
  return {static_cast<uint64_t>(value >> 64), static_cast<uint64_t>(value)};
}

std::string Hex(U128 value) {
  std::ostringstream out;
  out << std::hex << value.hi << ':' << value.lo;
  return out.str();
}

}  // namespace

std::string Describe(const ResidualSpec& residual) {
  std::ostringstream out;
  out << "target " << residual.target << ", ";
  if (residual.draft.has_value()) {
    out << "draft " << *residual.draft;
  } else {
    out << residual.sparse.size() << " listed";
  }
  out << ", A " << residual.a << ", B " << residual.b << ", " << residual.excluded.size()
      << " excluded, word " << Hex(Words(residual.word));
  return out.str();
}

RandomResiduals::RandomResiduals(Random& random, int64_t vocab_size, int count)
    : vocab_size_(vocab_size),
      targets_(RandomTargets(random, vocab_size, kTargets)),
      drafts_(RandomDrafts(random, vocab_size, kDrafts, targets_)),
      target_batch_(targets_.rows, targets_.dtype, vocab_size, {random.Below(9), random.Below(9)}),
      draft_batch_(drafts_.rows, drafts_.dtype, vocab_size, {random.Below(9), random.Below(9)}) {
  for (int i = 0; i < count; ++i) {
    residuals_.push_back(RandomResidual(random, vocab_size, targets_, drafts_));
    AddExpected(residuals_.back());
  }
}

void RandomResiduals::AddExpected(const ResidualSpec& residual) {
  const std::vector<uint64_t> p = oracle::WeightsById(targets_.laws[residual.target], vocab_size_);
  std::vector<uint64_t> q(vocab_size_, 0);
  if (residual.draft.has_value()) {
    q = oracle::WeightsById(drafts_.laws[*residual.draft], vocab_size_);
  }
  for (const WeightedId& entry : residual.sparse) q[entry.id] = entry.weight;
  const oracle::ExactResidual exact =
      oracle::ResidualOf(residual.a, p, residual.b, q, residual.excluded);
  const bool drawn = residual.draw && exact.total > 0;
  expected_.push_back({Words(exact.total), drawn ? exact.Draw(residual.word) : -1});
}

std::vector<ResidualInput> RandomResiduals::Inputs(const BatchResult& targets,
                                                   const BatchResult& drafts) const {
  std::vector<ResidualInput> inputs;
  for (const ResidualSpec& residual : residuals_) {
    ResidualInput& input = inputs.emplace_back();
    input.target = {&target_batch_.batch().rows[residual.target],
                    targets.rows()[residual.target].law};
    if (residual.draft.has_value()) {
      input.draft = {&draft_batch_.batch().rows[*residual.draft],
                     drafts.rows()[*residual.draft].law};
    }
    input.sparse = residual.sparse;
    input.a = residual.a;
    input.b = residual.b;
    input.excluded = residual.excluded;
    input.draw = residual.draw;
    input.word = Words(residual.word);
  }
  return inputs;
}

std::string RandomResiduals::Judge(Backend& backend) const {
  BatchResult targets;
  BatchResult drafts;
  absl::Status status = backend.Run(target_batch_.batch(), &targets);
  status.Update(backend.Run(draft_batch_.batch(), &drafts));
  if (!status.ok()) return status.ToString();
  const std::vector<ResidualInput> inputs = Inputs(targets, drafts);
  ResidualBatch batch;
  batch.target = target_batch_.batch().logits;
  batch.guidance = target_batch_.batch().guidance;
  batch.draft = draft_batch_.batch().logits;
  batch.vocab_size = vocab_size_;
  batch.residuals = inputs;
  std::vector<ResidualResult> results(inputs.size());
  status = backend.RunResiduals(batch, absl::MakeSpan(results));
  if (!status.ok()) return status.ToString();
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].total == expected_[i].total && results[i].token == expected_[i].token) continue;
    std::ostringstream out;
    const ResidualSpec& residual = residuals_[i];
    out << "total " << Hex(results[i].total) << " token " << results[i].token << ", expected "
        << Hex(expected_[i].total) << " token " << expected_[i].token << ": " << Describe(residual)
        << "\ntarget: " << Describe(targets_.rows[residual.target]);
    if (residual.draft.has_value()) out << "\ndraft: " << Describe(drafts_.rows[*residual.draft]);
    return out.str();
  }
  return "";
}

}  // namespace tessera::testing
