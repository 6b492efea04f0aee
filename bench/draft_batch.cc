#include "bench/draft_batch.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "kernels/math/dtype.h"
#include "kernels/math/philox.h"

namespace tessera::bench {
namespace {

constexpr float kNoise = 0.5f;  // deviation of the perturbed logits
constexpr int kMostSeeds = 1 << 22;

// The target row of draft d: sequences have one row more.
int64_t TargetRowOf(int64_t d) { return d / kDrafts * (kDrafts + 1) + d % kDrafts; }

Rows CopyForDrafts(const Rows& target) {
  Rows copy;
  const auto bytes = static_cast<size_t>(target.view.columns * SizeOf(target.view.dtype));
  copy.bytes.resize(kDraftRows * bytes);
  copy.view = target.view;
  copy.view.data = copy.bytes.data();
  copy.view.rows = kDraftRows;
  for (int64_t d = 0; d < kDraftRows; ++d) {
    std::memcpy(copy.bytes.data() + static_cast<size_t>(d) * bytes,
                target.bytes.data() + static_cast<size_t>(TargetRowOf(d)) * bytes, bytes);
  }
  return copy;
}

}  // namespace

DraftRowsMemory MakeDraftRows(int64_t columns) {
  DraftRowsMemory rows;
  rows.target = MakeRows(Shape::kReal, DType::kBfloat16, kTargetRows, columns);
  rows.same = CopyForDrafts(rows.target);
  rows.perturbed = CopyForDrafts(rows.target);
  std::mt19937_64 generator(2);
  std::normal_distribution<float> noise(0, kNoise);
  std::vector<float> table(1 << 16);
  for (float& value : table) value = noise(generator);
  for (std::byte* at = rows.perturbed.bytes.data();
       at != rows.perturbed.bytes.data() + rows.perturbed.bytes.size(); at += 2) {
    uint16_t bits;
    std::memcpy(&bits, at, 2);
    bits = ToBfloat16(FromBfloat16(bits) + table[generator() % table.size()]);
    std::memcpy(at, &bits, 2);
  }
  return rows;
}

DraftBatch::DraftBatch(VerificationMethod method, DraftLaw law, Ending ending,
                       const DraftRowsMemory& rows, const Rows& draft, const Plan& plan,
                       Backend& backend)
    : target_(kTargetRows), draft_(kDraftRows), sequences_(kSequences) {
  for (int r = 0; r < kTargetRows; ++r) {
    target_[static_cast<size_t>(r)].plan = &plan;
    target_[static_cast<size_t>(r)].logits_row = r;
  }
  for (int d = 0; d < kDraftRows; ++d) {
    draft_[static_cast<size_t>(d)].plan = &plan;
    draft_[static_cast<size_t>(d)].logits_row = d;
  }
  DrawDrafts(draft, law == DraftLaw::kOneHot, plan, backend);
  for (const std::vector<WeightedId>& list : lists_) sparse_.emplace_back(list);
  batch_.target = rows.target.view;
  if (law == DraftLaw::kLogits) batch_.draft = draft.view;
  batch_.vocab_size = rows.target.view.columns;
  for (int s = 0; s < kSequences; ++s) {
    DraftedSequence& one = sequences_[static_cast<size_t>(s)];
    const auto first = static_cast<size_t>(s * kDrafts);
    one.method = method;
    one.law = law;
    one.ids = absl::MakeConstSpan(ids_).subspan(first, kDrafts);
    one.target =
        absl::MakeConstSpan(target_).subspan(static_cast<size_t>(s) * (kDrafts + 1), kDrafts + 1);
    if (law == DraftLaw::kLogits) one.draft = absl::MakeConstSpan(draft_).subspan(first, kDrafts);
    if (law == DraftLaw::kSparse) one.sparse = absl::MakeConstSpan(sparse_).subspan(first, kDrafts);
    const bool certain = law != DraftLaw::kOneHot && ending == Ending::kAllAccepted;
    one.seed = certain ? static_cast<uint64_t>(s) : SeedFor(s, ending);
  }
  batch_.sequences = sequences_;
}

void DraftBatch::DrawDrafts(const Rows& from, bool likeliest, const Plan& plan, Backend& backend) {
  std::vector<RowInput> inputs = draft_;
  for (int d = 0; d < kDraftRows; ++d) {
    RowInput& input = inputs[static_cast<size_t>(d)];
    input.plan = &plan;
    input.seed = static_cast<uint64_t>(d) + 1000;
    input.logprob_modes = 1 << static_cast<int>(LogprobMode::kProcessed);
    input.top_logprobs = 1;
    input.want_law = true;
    input.max_law_ids = kMaxLawIds;
  }
  BatchResult drawn;
  const Batch batch{from.view, from.view.columns, inputs};
  if (!backend.Run(batch, &drawn).ok()) std::abort();
  for (RowResult& row : drawn.rows()) {
    const LogprobReport& report = row.reports[static_cast<int>(LogprobMode::kProcessed)];
    ids_.push_back(likeliest ? report.top[0].id : row.tokens[0]);
    probabilities_.push_back(
        std::exp(double{likeliest ? report.top[0].logprob : report.sampled[0].logprob}));
    lists_.emplace_back(row.law_ids.begin(), row.law_ids.end());
    if (row.law_ids.empty()) lists_.back() = {{ids_.back(), 1}};  // too wide to be listed
  }
}

uint64_t DraftBatch::SeedFor(int sequence, Ending ending) const {
  for (int seed = 0; seed < kMostSeeds; ++seed) {
    const auto u = [&](int node) {
      return std::ldexp(
          static_cast<double>(RandomWord(static_cast<uint64_t>(seed), 0, 0, Purpose::kAccept,
                                         static_cast<uint32_t>(node))),
          -64);
    };
    if (ending == Ending::kLastRejected) {
      if (u(kDrafts - 1) > 0.9995) return static_cast<uint64_t>(seed);
      continue;
    }
    bool accepts = true;
    for (int node = 0; node < kDrafts && accepts; ++node) {
      accepts = u(node) < 0.999 * probabilities_[static_cast<size_t>(sequence * kDrafts + node)];
    }
    if (accepts) return static_cast<uint64_t>(seed);
  }
  std::fprintf(stderr, "no seed accepts the drafts of sequence %d\n", sequence);
  std::exit(1);
}

}  // namespace tessera::bench
