// What history stages make of random pasts, against their definitions worked out the long way
// (tests/support/past_edits.h); and that the time they take is linear.
#include "kernels/history_edits.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>

#include "tests/support/past_edits.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr int kHistories = 40000;
constexpr int64_t kIds = 6;  // few, so that much repeats

using Ids = std::vector<TokenId>;

Ids RandomIds(Random& random, int64_t shortest, int64_t longest, int64_t ids) {
  Ids drawn(static_cast<size_t>(shortest + random.Below(longest - shortest + 1)));
  for (TokenId& id : drawn) id = static_cast<TokenId>(random.Below(ids));
  return drawn;
}

std::vector<TokenSequence> RandomSequences(Random& random, int64_t most, int64_t ids) {
  std::vector<TokenSequence> sequences(static_cast<size_t>(random.Below(most + 1)));
  for (TokenSequence& sequence : sequences) sequence = RandomIds(random, 1, 4, ids);
  return sequences;
}

HistoryScope RandomScope(Random& random) {
  return random.Below(2) == 0 ? HistoryScope::kOutput : HistoryScope::kPromptAndOutput;
}

Stage RandomStage(Random& random, int64_t ids) {
  switch (random.Below(8)) {
    case 0:
      return NoRepeatNgram{static_cast<uint32_t>(1 + random.Below(5)), RandomScope(random)};
    case 1:
      return BadWords{RandomSequences(random, 4, ids), RandomScope(random)};
    case 2: {
      SequenceBias bias;
      for (TokenSequence& sequence : RandomSequences(random, 6, ids)) {
        const double value = random.Below(8) == 0 ? -HUGE_VAL : 0.1 * (1 + random.Below(40));
        bias.sequences.push_back({std::move(sequence), value});
      }
      return bias;
    }
    case 3:
      return Watermark{.gamma = 0.5,
                       .delta = 1.25,
                       .key = random.Word(),
                       .context_width = static_cast<uint32_t>(random.Below(4))};
    default:
      constexpr double kBases[] = {1, 1.0000001, 1.5, 1.75, 2, 1e6, 3e38};
      return Dry{.multiplier = 0.1 * (1 + random.Below(20)),
                 .base = kBases[random.Below(7)],
                 .allowed_length = static_cast<uint32_t>(random.Below(5)),
                 .last_n = static_cast<int32_t>(random.Below(40)) - 1,
                 .breakers = RandomSequences(random, 3, ids)};
  }
}

// The logits that the edits make of `y`, as any executor applies them.
std::vector<float> Applied(const HistoryEdits& edits, const Stage& stage, std::vector<float> y) {
  for (const Bias& bias : edits.additions[0]) y[bias.id] += bias.value;
  if (const auto* watermark = std::get_if<Watermark>(&stage)) {
    for (size_t id = 0; id < y.size() && !edits.green.empty(); ++id) {
      const bool green = (edits.green[id / 32] >> (id % 32) & 1) != 0;
      if (green) y[id] += static_cast<float>(watermark->delta);
    }
  }
  for (TokenId id : edits.banned) y[id] = -HUGE_VALF;
  return y;
}

TEST(HistoryEdits, AreWhatTheDefinitionsSay) {
  Random random(20);
  size_t edited = 0;
  for (int i = 0; i < kHistories; ++i) {
    const int64_t ids = 1 + random.Below(kIds);
    const Ids prompt = RandomIds(random, 0, 30, ids);
    const Ids output = RandomIds(random, 0, 30, ids);
    const Chain chain{{RandomStage(random, ids)}};
    const HistoryEdits edits = HistoryStages(chain, ids).EditsOf({prompt, output});
    const std::vector<float> plain(static_cast<size_t>(ids), 0.5f);
    const std::vector<float> got = Applied(edits, chain.stages[0], plain);
    std::vector<float> expected = plain;
    std::vector<bool> banned(plain.size(), false);
    const oracle::Past past{prompt, output, {}};
    const oracle::PastEdit edit{past, expected, banned};
    std::visit(
        [&](const auto& stage) {
          if constexpr (std::is_invocable_v<oracle::PastEdit, decltype(stage)>) edit(stage);
        },
        chain.stages[0]);
    for (size_t id = 0; id < plain.size(); ++id) {
      if (banned[id]) expected[id] = -HUGE_VALF;
      ASSERT_EQ(std::bit_cast<uint32_t>(got[id]), std::bit_cast<uint32_t>(expected[id]))
          << "history " << i << ", stage " << chain.stages[0].index() << ", id " << id << ": "
          << got[id] << ", not " << expected[id];
    }
    edited += got != plain ? 1 : 0;
  }
  EXPECT_GT(edited, size_t{kHistories / 3});
  std::printf("%d random histories, %zu of them edited\n", kHistories, edited);
}

// A million equal ids, and sequences that nearly match everywhere. Comparing every place with the
// end id by id would take 10^12 steps.
TEST(HistoryEdits, TakeTimeThatIsLinearInTheHistory) {
  const Ids past(size_t{1} << 20, 1);
  TokenSequence nearly(kMaxBreakerIds, 1);
  nearly.back() = 2;
  const Chain chain{
      {Dry{.multiplier = 1, .base = 1.0000001, .breakers = {nearly}}, NoRepeatNgram{1 << 19}}};
  const HistoryEdits edits = HistoryStages(chain, 3).EditsOf({past, {}});
  ASSERT_EQ(edits.additions[0].size(), 1u);
  EXPECT_EQ(edits.additions[0][0].id, 1);
  EXPECT_LT(edits.additions[0][0].value, -1.1f);  // 1.0000001^(2^20) is 1.11
  EXPECT_EQ(edits.banned, Ids{1});
}

TEST(HistoryEdits, LeaveOutStagesThatAreOff) {
  const Chain off{
      {Dry{}, NoRepeatNgram{}, BadWords{}, SequenceBias{}, Watermark{.delta = 0}, TopK{1}}};
  EXPECT_TRUE(HistoryStages(off, 3).empty());
  const Chain chain{{Dry{}, SequenceBias{{{{1}, 2}}}, Dry{.multiplier = 1, .last_n = 0},
                     SequenceBias{{{{2}, 3}}}}};
  const HistoryStages stages(chain, 3);
  EXPECT_FALSE(stages.empty());
  const HistoryEdits edits = stages.EditsOf({});
  ASSERT_EQ(edits.additions[0].size(), 1u);
  EXPECT_EQ(edits.additions[0][0].id, 1);
  ASSERT_EQ(edits.additions[1].size(), 1u);
  EXPECT_EQ(edits.additions[1][0].id, 2);
  const absl::StatusOr<Plan> plan = CompileChain(chain);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->additions, 2);
  EXPECT_EQ(plan->edits[0].list, 0);
  EXPECT_EQ(plan->edits[1].list, 1);
}

}  // namespace
}  // namespace tessera::testing
