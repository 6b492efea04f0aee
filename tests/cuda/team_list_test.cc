// The list of a team against sorting and loops, on the emulator.
#include "kernels/cuda/team_list.cuh"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/cuda/list_calls.h"
#include "tests/cuda/list_script.h"
#include "tests/cuda/random_lists.h"

namespace tessera::cuda {
namespace {

constexpr uint32_t kSizes[] = {0,   1,   2,   31,  32,  33,   63,   64,  65,
                               255, 256, 257, 511, 513, 1500, 2047, 2048};
constexpr uint64_t kSeeds = 2;  // of each kind and size; each runs under a schedule of its own

// Everything that a list can be asked, then the same of what is left of it.
void AskAll(ListScriptMaker& maker) {
  maker.Weigh();
  maker.FindCuts();
  maker.FindCounts();
  maker.CountAbove();
  for (const uint32_t n : {0u, 1u, 20u, 128u}) maker.Top(n);
  for (const uint32_t first : {0u, kThreads, 7 * kThreads}) maker.Rank(first);
  maker.AddToSums(maker.random()() % 2 == 0 ? 1 : maker.AnyKey());
  maker.Draw(1 + static_cast<uint32_t>(maker.random()() % kMostWritten));
}

std::vector<uint64_t> Run(const std::vector<TokenKey>& keys, const ListScriptMaker& maker,
                          bool leader, std::vector<uint64_t>* answers,
                          std::vector<Written>* written) {
  const auto count = static_cast<uint32_t>(maker.calls().size());
  std::vector<uint64_t> sums = maker.initial_sums();
  answers->assign(size_t{count} * kThreads, kUnwritten);
  written->assign(size_t{count} * kMostWritten, Written{});
  const ListScript script{.keys = keys.data(),
                          .size = static_cast<uint32_t>(keys.size()),
                          .leader = leader,
                          .calls = maker.calls().data(),
                          .count = count,
                          .words = maker.words().data(),
                          .answers = answers->data(),
                          .written = written->data(),
                          .chunk_sums = sums.data()};
  const simt::LaunchConfig config{.block = kThreads, .shared_bytes = sizeof(ScriptMemory)};
  EXPECT_EQ(simt::Launch(config, RunScript, &script), cudaSuccess);
  return sums;
}

void ExpectWritten(const std::vector<uint64_t>& expected, const Written* written) {
  for (uint32_t i = 0; i < kMostWritten; ++i) {
    if (i < expected.size()) {
      ASSERT_EQ(written[i].value, expected[i]) << "item " << i;
      ASSERT_EQ(written[i].thread, i % kThreads) << "item " << i;
    }
    ASSERT_EQ(written[i].times, i < expected.size() ? 1u : 0u) << "item " << i;
  }
}

// Runs the script in a leader and in another block, whose answers are the same.
void ExpectAll(const std::vector<TokenKey>& keys, const ListScriptMaker& maker) {
  for (const bool leader : {true, false}) {
    std::vector<uint64_t> answers;
    std::vector<Written> written;
    const std::vector<uint64_t> sums = Run(keys, maker, leader, &answers, &written);
    EXPECT_EQ(sums, leader ? maker.sums() : maker.initial_sums());
    for (size_t c = 0; c < maker.calls().size(); ++c) {
      SCOPED_TRACE(testing::Message()
                   << "call " << c << ", operation " << static_cast<int>(maker.calls()[c].op)
                   << ", a " << maker.calls()[c].a << (leader ? ", leader" : ""));
      const ListScriptMaker::Expected& expected = maker.expected()[c];
      for (uint32_t thread = 0; thread < kThreads; ++thread) {
        ASSERT_EQ(answers[c * kThreads + thread], expected.answer) << "thread " << thread;
      }
      ExpectWritten(leader || expected.everywhere ? expected.written : std::vector<uint64_t>(),
                    written.data() + c * kMostWritten);
    }
  }
}

class TeamListTest : public testing::TestWithParam<int> {};

TEST_P(TeamListTest, EqualsSortingAndLoops) {
  const auto kind = static_cast<ListKind>(GetParam());
  int calls = 0;
  for (const uint32_t size : kSizes) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", seed " << seed);
      std::mt19937_64 random(seed * 1000 + size);
      const std::vector<TokenKey> keys = RandomList(kind, size, random);
      ListScriptMaker maker(keys, random());
      AskAll(maker);
      const TokenKey a = maker.AnyKey();
      const TokenKey b = maker.AnyKey();
      maker.Keep(a < b ? a : b, seed % 2 == 0 ? ~TokenKey{0} : a < b ? b : a);
      AskAll(maker);
      maker.Keep(0, ~TokenKey{0});
      maker.Top(kThreads);
      maker.CountAbove();
      maker.Only(maker.AnyKey());
      maker.CountAbove();
      AskAll(maker);
      simt::emulator::Options().seed = seed + size;
      ExpectAll(keys, maker);
      calls += static_cast<int>(maker.calls().size());
      if (HasFailure()) return;
    }
  }
  RecordProperty("calls", calls);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TeamListTest, testing::Range(0, kListKinds));

// The barriers that one search of a full list costs.
uint64_t BarriersOf(ListKind kind, uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<TokenKey> keys = RandomList(kind, kListCapacity, random);
  ListScriptMaker maker(keys, seed);
  maker.FindCounts();
  std::vector<uint64_t> answers;
  std::vector<Written> written;
  simt::emulator::Counters() = {};
  Run(keys, maker, true, &answers, &written);
  return simt::emulator::Counters().block_barriers / maker.calls().size();
}

TEST(TeamListSearchTest, EndsSoonOnAnyList) {
  for (int kind = 0; kind < kListKinds; ++kind) {
    uint64_t most = 0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
      most = std::max(most, BarriersOf(static_cast<ListKind>(kind), seed));
    }
    RecordProperty("barriers_of_kind_" + std::to_string(kind), static_cast<int>(most));
    EXPECT_LE(most, static_cast<ListKind>(kind) == ListKind::kBadSamples ? 24u : 14u) << kind;
  }
}

}  // namespace
}  // namespace tessera::cuda
