// Draws one token from four logits with the installed library, without a server.
#include <cstddef>
#include <cstdio>

#include "kernels/backend.h"

int main() {
  const float logits[] = {0.5f, 3.0f, -1.0f, 2.0f};
  auto plan = tessera::CompileChain({.stages = {tessera::Temperature{0.7}, tessera::TopK{1}}});
  auto backend = tessera::MakeCpuBackend({.threads = 1});
  if (!plan.ok() || !backend.ok()) return 1;

  tessera::RowInput row;
  row.plan = &*plan;
  row.seed = 42;
  tessera::Batch batch;
  batch.logits = {.data = reinterpret_cast<const std::byte*>(logits),
                  .dtype = tessera::DType::kFloat32,
                  .rows = 1,
                  .columns = 4,
                  .row_stride_bytes = sizeof(logits)};
  batch.vocab_size = 4;
  batch.rows = absl::MakeConstSpan(&row, 1);
  tessera::BatchResult result;
  if (!(*backend)->Run(batch, &result).ok()) return 1;
  const auto& drawn = result.rows()[0];
  if (drawn.outcome != tessera::Outcome::kOk || drawn.tokens.size() != 1) return 1;
  std::printf("token %d\n", drawn.tokens[0]);
  return drawn.tokens[0] == 1 ? 0 : 1;  // top-k 1 keeps the largest logit only
}
