// Random rows with a past and a guidance row, through every edit in any order, on every executor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <variant>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr int kBatches = 60;
constexpr int kRows = 4;
constexpr int64_t kPastIds = 40;  // in which histories repeat themselves

std::vector<TokenId> RandomPast(Random& random, int64_t vocab_size) {
  std::vector<TokenId> past(static_cast<size_t>(random.Below(80)));
  for (TokenId& id : past) {
    id = static_cast<TokenId>(random.Below(std::min(vocab_size, kPastIds)));
  }
  return past;
}

TokenSequence RandomSequence(Random& random, int64_t vocab_size) {
  TokenSequence ids;
  for (int64_t n = random.Below(2); n >= 0; --n) {
    ids.push_back(static_cast<TokenId>(random.Below(std::min(vocab_size, kPastIds))));
  }
  return ids;
}

std::vector<Stage> RandomEdits(Random& random, int64_t vocab_size) {
  std::vector<Stage> stages = {
      Dry{.multiplier = 0.5, .allowed_length = 1, .breakers = {RandomSequence(random, vocab_size)}},
      NoRepeatNgram{static_cast<uint32_t>(1 + random.Below(3))},
      BadWords{{RandomSequence(random, vocab_size), RandomSequence(random, vocab_size)}},
      SequenceBias{
          {{RandomSequence(random, vocab_size), -1.5}, {RandomSequence(random, vocab_size), 0.75}}},
      Watermark{.gamma = 0.3, .delta = 1.75, .key = random.Word()},
      Guidance{1.5 + 0.1 * static_cast<double>(random.Below(20))},
      RepetitionPenalty{1.3},
      Temperature{0.7},
      LogitBias{}};
  for (size_t i = stages.size() - 1; i > 0; --i) {
    std::swap(stages[i], stages[static_cast<size_t>(random.Below(static_cast<int64_t>(i) + 1))]);
  }
  stages.resize(static_cast<size_t>(1 + random.Below(static_cast<int64_t>(stages.size()))));
  return stages;
}

RowSpec PastRow(Random& random, int64_t vocab_size, int64_t width, DType dtype) {
  RowSpec row = RandomRow(random, random.Pick(kAllShapes), width, vocab_size, dtype);
  row.chain.stages = RandomEdits(random, vocab_size);
  row.has_state = false;
  row.words.clear();
  const auto biased = [](const Stage& stage) { return std::holds_alternative<LogitBias>(stage); };
  if (std::none_of(row.chain.stages.begin(), row.chain.stages.end(), biased)) row.bias.clear();
  row.prompt = RandomPast(random, vocab_size);
  row.output = RandomPast(random, vocab_size);
  row.guidance = RandomRow(random, random.Pick(kAllShapes), width, vocab_size, dtype).logits;
  if (random.Below(2) == 0) row.chain.stages.push_back(TopP{0.9});
  return row;
}

TEST(PastRows, AreTheSameOnEveryExecutorAndAsDefined) {
  Random random(77);
  for (int batch = 0; batch < kBatches; ++batch) {
    const DType dtype = random.Pick(kAllDTypes);
    const int64_t vocab_size = 1 + random.Below(random.Below(4) == 0 ? 2600 : 200);
    const int64_t width = vocab_size + random.Below(5);
    std::vector<RowSpec> rows;
    for (int i = 0; i < kRows; ++i) rows.push_back(PastRow(random, vocab_size, width, dtype));
    const SpecBatch specs(rows, dtype, vocab_size, {random.Below(3), random.Below(3)});
    std::vector<std::vector<uint32_t>> first(rows.size());
    for (const BackendSpec& spec : NextBackends()) {
      BatchResult results;
      const absl::Status status = SharedBackend(spec).Run(specs.batch(), &results);
      ASSERT_TRUE(status.ok()) << status;
      for (size_t i = 0; i < rows.size(); ++i) {
        const std::string where = Describe(spec) + ", batch " + std::to_string(batch) + ", row " +
                                  std::to_string(i) + ": " + Describe(rows[i]);
        if (first[i].empty()) {
          first[i] = BitsOf(results.rows()[i]);
          ASSERT_EQ(ExpectedRow(rows[i], vocab_size).Compare(results.rows()[i]), "") << where;
        }
        ASSERT_EQ(BitsOf(results.rows()[i]), first[i]) << where;
      }
    }
  }
  std::printf("%d rows\n", kBatches * kRows);
}

}  // namespace
}  // namespace tessera::testing
