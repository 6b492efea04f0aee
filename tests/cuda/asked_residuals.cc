#include "tests/cuda/asked_residuals.h"

#include "absl/types/span.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

std::vector<RowSpec> DraftRows(Random& random, int rows, int64_t width) {
  std::vector<RowSpec> drafts(static_cast<size_t>(rows));
  for (RowSpec& row : drafts) {
    row.logits = RandomLogits(random, Shape::kNormal, width, DType::kBfloat16);
    row.chain.stages = {Temperature{random.Between(0.5, 1.5)}};
    row.banned = {static_cast<TokenId>(random.Below(width))};
  }
  return drafts;
}

// Every other one is guided.
std::vector<RowSpec> TargetRows(Random& random, int rows, int64_t width) {
  std::vector<RowSpec> targets = NormalRows(random.Word(), rows, width);
  for (size_t i = 0; i < targets.size(); i += 2) {
    RowSpec& row = targets[i];
    row.guidance = RandomLogits(random, Shape::kNormal, width, DType::kFloat32);
    row.chain.stages.insert(row.chain.stages.begin(), Guidance{1.5});
  }
  return targets;
}

}  // namespace

AskedResiduals::AskedResiduals(uint64_t seed, int rows, int count, int64_t width)
    : random_(seed),
      targets_(TargetRows(random_, rows, width), DType::kFloat32, width,
               {random_.Below(9), random_.Below(9)}),
      drafts_(DraftRows(random_, rows, width), DType::kBfloat16, width,
              {random_.Below(9), random_.Below(9)}) {
  for (uint64_t id = 0; id < 300; ++id) list_.push_back({static_cast<TokenId>(id), id * id});
  for (TokenId id = 0; id < 256; ++id) excluded_.push_back(id * 3);
  for (int i = 0; i < count; ++i) residuals_.push_back(Any(rows));
  batch_.target = targets_.batch().logits;
  batch_.guidance = targets_.batch().guidance;
  batch_.draft = drafts_.batch().logits;
  batch_.vocab_size = width;
  batch_.residuals = residuals_;
}

DrawnLaw AskedResiduals::AnyLaw() {
  DrawnLaw law;
  for (uint64_t* word : {&law.lo, &law.hi, &law.total, &law.missing}) *word = random_.Word();
  law.y_max = static_cast<float>(random_.Normal());
  law.c = static_cast<float>(random_.Unit());
  return law;
}

ResidualInput AskedResiduals::Any(int rows) {
  const auto row_of = [&](const SpecBatch& side) {
    return &side.batch().rows[static_cast<size_t>(random_.Below(rows))];
  };
  ResidualInput input;
  input.target.row = row_of(targets_);
  input.target.law = AnyLaw();
  const int64_t kind = random_.Below(3);
  if (kind == 0) {
    input.draft.row = row_of(drafts_);
    input.draft.law = AnyLaw();
  }
  if (kind == 1) {
    input.sparse = absl::MakeConstSpan(list_).first(static_cast<size_t>(random_.Below(301)));
  }
  input.a = random_.Word() >> 1;
  input.b = random_.Word() >> 1;
  input.excluded = absl::MakeConstSpan(excluded_).first(static_cast<size_t>(random_.Below(257)));
  input.draw = random_.OneIn(2);
  input.word = {random_.Word(), random_.Word()};
  return input;
}

}  // namespace tessera::testing
