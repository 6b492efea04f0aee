#include "tests/support/lawful_rows.h"

#include <optional>
#include <utility>

#include "kernels/plan.h"
#include "tests/support/exact_residual.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

bool CanBeReadAgain(const Chain& chain) {
  const absl::StatusOr<Plan> plan = CompileChain(chain);
  return plan.ok() && !plan->rewrites && !plan->partial && !plan->stateful;
}

// False where the row cannot serve.
bool Add(RowSpec row, int64_t vocab_size, LawfulRows* rows) {
  if (!CanBeReadAgain(row.chain)) return false;
  row.samples = 0;
  row.words.clear();
  row.logprob_modes = 0;
  row.entropy_modes = 0;
  row.top_logprobs = 0;
  row.want_law = true;
  std::optional<oracle::ExactLaw> law = oracle::LawOfRow(row, vocab_size);
  if (!law.has_value()) return false;
  rows->rows.push_back(std::move(row));
  rows->laws.push_back(*std::move(law));
  return true;
}

LawfulRows EmptyRows(Random& random, int64_t vocab_size) {
  LawfulRows rows;
  rows.dtype = random.Pick(kAllDTypes);
  rows.columns = vocab_size + (random.OneIn(3) ? random.Below(10) : 0);
  return rows;
}

RowSpec AnyRow(Random& random, int64_t vocab_size, const LawfulRows& rows) {
  return RandomRow(random, random.Pick(kAllShapes), rows.columns, vocab_size, rows.dtype);
}

RowSpec Changed(Random& random, RowSpec row, int64_t vocab_size, const LawfulRows& rows) {
  row.logits.resize(vocab_size);
  row.logits.resize(rows.columns, 0.0f);
  for (int64_t changes = random.Below(5); changes > 0; --changes) {
    row.logits[random.Below(vocab_size)] += static_cast<float>(random.Normal());
  }
  for (float& y : row.logits) y = Rounded(y, rows.dtype);
  return row;
}

}  // namespace

LawfulRows RandomTargets(Random& random, int64_t vocab_size, int count) {
  LawfulRows rows = EmptyRows(random, vocab_size);
  while (count > 0) {
    RowSpec row = AnyRow(random, vocab_size, rows);
    if (random.OneIn(6)) {
      row.chain.stages.insert(row.chain.stages.begin(), Guidance{random.Between(-1, 3)});
      row.guidance = RandomLogits(random, Shape::kNormal, rows.columns, rows.dtype);
    }
    if (Add(std::move(row), vocab_size, &rows)) --count;
  }
  return rows;
}

LawfulRows RandomDrafts(Random& random, int64_t vocab_size, int count, const LawfulRows& targets) {
  LawfulRows rows = EmptyRows(random, vocab_size);
  while (count > 0) {
    const RowSpec& target = targets.rows[random.Below(static_cast<int64_t>(targets.rows.size()))];
    const bool like_target = target.guidance.empty() && random.OneIn(2);
    RowSpec row =
        like_target ? Changed(random, target, vocab_size, rows) : AnyRow(random, vocab_size, rows);
    if (Add(std::move(row), vocab_size, &rows)) --count;
  }
  return rows;
}

}  // namespace tessera::testing
