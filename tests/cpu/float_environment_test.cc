// A host program that flushes subnormals or rounds upwards must not change a bit of a result.
#include "kernels/cpu/float_environment.h"

#include <cfenv>
#include <vector>

#include "gtest/gtest.h"
#include "kernels/backend.h"

#if defined(__SSE2__)
#include <pmmintrin.h>
#include <xmmintrin.h>
#endif

namespace tessera {
namespace {

// What a row reports of logits that a bias makes subnormal, and of ordinary ones.
struct Seen {
  std::vector<uint32_t> ranks;  // of ids 0, 1 and 2, whose logits are subnormal: 2, 3, 1
  std::vector<float> logprobs;  // of ids 3 to 6

  bool operator==(const Seen&) const = default;
};

Seen Sample(Backend& backend) {
  const std::vector<float> logits = {0, 0, 0, -0.1f, -0.3f, -0.7f, -1.9f};
  const std::vector<Bias> bias = {{0, 2e-40f}, {1, 1e-40f}, {2, 3e-40f}};
  const std::vector<TokenId> ids = {0, 1, 2, 3, 4, 5, 6};
  const Plan plan = *CompileChain({{LogitBias{}, Temperature{0.7}}});
  RowInput row;
  row.plan = &plan;
  row.bias = bias;
  row.logprob_modes = 1 << static_cast<int>(LogprobMode::kTempered);
  row.score_ids = ids;
  const auto columns = static_cast<int64_t>(logits.size());
  Batch batch;
  batch.logits = {reinterpret_cast<const std::byte*>(logits.data()), DType::kFloat32, 1, columns,
                  columns * 4};
  batch.vocab_size = columns;
  batch.rows = absl::MakeConstSpan(&row, 1);
  BatchResult results;
  EXPECT_TRUE(backend.Run(batch, &results).ok());
  Seen seen;
  const auto& scored = results.rows()[0].reports[static_cast<int>(LogprobMode::kTempered)].scored;
  for (size_t i = 0; i < scored.size(); ++i) {
    if (i < 3) {
      seen.ranks.push_back(scored[i].rank);
    } else {
      seen.logprobs.push_back(scored[i].logprob);
    }
  }
  return seen;
}

std::vector<std::unique_ptr<Backend>> Backends() {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(MakeScalarBackend());
  for (const std::string& target : CpuTargets()) {
    backends.push_back(*MakeCpuBackend({.threads = 1, .target = target}));
  }
  return backends;
}

TEST(FloatEnvironmentTest, RoundingModeOfTheCallerIsIgnoredAndKept) {
  for (const auto& backend : Backends()) {
    const Seen expected = Sample(*backend);
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    const Seen upward = Sample(*backend);
    const int kept = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(upward == expected) << backend->name();
    EXPECT_EQ(kept, FE_UPWARD) << backend->name();
  }
}

#if defined(__SSE2__)
TEST(FloatEnvironmentTest, FlushToZeroOfTheCallerIsIgnored) {
  for (const auto& backend : Backends()) {
    const Seen expected = Sample(*backend);
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
    const Seen flushed = Sample(*backend);
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_OFF);
    EXPECT_TRUE(flushed == expected) << backend->name();
    EXPECT_EQ(flushed.ranks, (std::vector<uint32_t>{2, 3, 1})) << backend->name();
  }
}
#endif

}  // namespace
}  // namespace tessera
