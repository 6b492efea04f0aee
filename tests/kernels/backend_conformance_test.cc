// The suite that every executor must pass: each row equals the oracle, and all executors give the
// same bits whatever the target, threads, batch, row position, placement or input dtype.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <thread>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<std::vector<uint32_t>> BitsOfRun(Backend& backend, const Batch& batch) {
  BatchResult results;
  const absl::Status status = backend.Run(batch, &results);
  EXPECT_TRUE(status.ok()) << status;
  std::vector<std::vector<uint32_t>> bits;
  for (const RowResult& row : results.rows()) bits.push_back(BitsOf(row));
  return bits;
}

// Every executor against the oracle, and bit for bit against the first executor.
void ExpectConformance(const std::vector<RowSpec>& rows, DType dtype, int64_t vocab_size,
                       Placement placement = {}) {
  const SpecBatch specs(rows, dtype, vocab_size, placement);
  std::deque<ExpectedRow> expected;
  for (const RowSpec& row : rows) expected.emplace_back(row, vocab_size);
  std::vector<std::vector<uint32_t>> first;
  for (const BackendSpec& spec : NextBackends()) {
    BatchResult results;
    const absl::Status status = SharedBackend(spec).Run(specs.batch(), &results);
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(results.rows().size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string complaint = expected[i].Compare(results.rows()[i]);
      const std::vector<uint32_t> bits = BitsOf(results.rows()[i]);
      if (first.size() <= i) first.push_back(bits);
      ASSERT_TRUE(complaint.empty() && bits == first[i])
          << Describe(spec) << ", " << DTypeName(dtype) << ", row " << i << " of " << rows.size()
          << ", vocab_size " << vocab_size << ":\n"
          << (complaint.empty() ? "bits differ from the scalar executor's" : complaint)
          << Describe(rows[i]);
    }
  }
}

const std::vector<std::vector<Stage>>& UsualChains() {
  static const auto& chains = *new std::vector<std::vector<Stage>>{{},
                                                                   {TopK{50}, TopP{0.9}},
                                                                   {TopP{0.9}},
                                                                   {Temperature{0.7}, MinP{0.05}},
                                                                   {Temperature{1.5}, TopP{0.999}},
                                                                   {Greedy{}}};
  return chains;
}

// A chain for each way to narrow or to rewrite a row, as engines combine them.
const std::vector<std::vector<Stage>>& RareChains() {
  static const auto& chains = *new std::vector<std::vector<Stage>>{
      {TopNSigma{1}, TopK{40, Ties::kWhole}, TypicalP{0.9}, TopP{0.95}, Xtc{0.5, 0.05}},
      {TopP{.p = 0.9, .boundary = Boundary::kExceed}, TopP{.p = 0.5, .ties = Ties::kWhole}},
      {TopP{.p = 0.9, .boundary = Boundary::kWithin}, EpsilonCutoff{1e-4}, EtaCutoff{1e-4}},
      {TopA{0.2}, DynamicTemperature{0.5, 1.5, 1}, MinP{0.02}},
      {TopK{100}, TailFree{0.95}, Smoothing{0.3, 1.5}, TypicalP{0.5, Boundary::kExceed}},
      {DrawRule{DrawOrder::kSorted}, Temperature{0.8}, TopP{.p = 0.7, .partial = true}},
      {DrawRule{DrawOrder::kSorted}, Xtc{1, 0.01}, Greedy{}},
      {Temperature{0.9}, MirostatV1{3, 0.1}},
      {Temperature{1.1}, MirostatV2{4, 0.1}},
      {MinP{0.01}, AdaptiveP{0.3, 0.9}}};
  return chains;
}

// The usual chains and rarer ones with everything reported, then random rows.
std::vector<RowSpec> RowsOf(Random& random, Shape shape, int64_t columns, int64_t vocab_size,
                            DType dtype, int random_rows) {
  std::vector<RowSpec> rows;
  const auto add = [&](const std::vector<Stage>& stages, uint32_t samples) {
    RowSpec row;
    row.logits = RandomLogits(random, shape, columns, dtype);
    row.chain.stages = stages;
    row.seed = random.Word();
    row.position = static_cast<uint32_t>(random.Below(1000));
    row.samples = samples;
    row.logprob_modes = kAllModes;
    row.entropy_modes = kAllModes;
    row.top_logprobs = 8;
    row.score_ids = {0, static_cast<TokenId>(vocab_size - 1)};
    rows.push_back(std::move(row));
  };
  for (const std::vector<Stage>& stages : UsualChains()) add(stages, 3);
  for (const std::vector<Stage>& stages : RareChains()) {
    // One of them, or all where rows are short.
    if (columns <= 130 || random.OneIn(static_cast<int64_t>(RareChains().size()))) add(stages, 1);
  }
  for (int i = 0; i < random_rows; ++i) {
    rows.push_back(RandomRow(random, shape, columns, vocab_size, dtype));
  }
  return rows;
}

class ForcedExecutor : public ::testing::TestWithParam<BackendSpec> {};

TEST_P(ForcedExecutor, IsTheOneThatRuns) {
  const auto backend = MakeBackend(GetParam());
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_EQ((*backend)->name(), WantedName(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, ForcedExecutor, ::testing::ValuesIn(AllBackends()),
                         [](const auto& param) { return BackendTestName(param.param); });

TEST(Executors, IncludeAPortableOneBesideTheBest) {
  EXPECT_GE(CpuTargets().size(), 2u);
  EXPECT_GE(AvailableCpus(), 1);
}

TEST(Executors, RefuseATargetThatIsNotThere) {
  const auto backend = MakeCpuBackend({.threads = 1, .target = "Z80"});
  EXPECT_EQ(backend.status().code(), absl::StatusCode::kInvalidArgument);
  for (const std::string& target : CpuTargets()) {
    EXPECT_NE(backend.status().message().find(target), absl::string_view::npos) << backend.status();
  }
}

class Conformance : public ::testing::TestWithParam<Shape> {};

TEST_P(Conformance, SmallAndOddWidths) {
  Random random(1000 + static_cast<uint64_t>(GetParam()));
  for (int64_t width : {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 1023, 1024, 1025, 2049, 4097}) {
    for (DType dtype : kAllDTypes) {
      ExpectConformance(RowsOf(random, GetParam(), width, width, dtype, 6), dtype, width);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Conformance, PaddingAndMisalignedRows) {
  Random random(2000 + static_cast<uint64_t>(GetParam()));
  for (int64_t vocab_size : {1, 5, 63, 64, 1000, 1025}) {
    for (DType dtype : kAllDTypes) {
      const Placement placement{random.Below(40), random.Below(32)};
      const int64_t columns = vocab_size + random.Below(70);
      ExpectConformance(RowsOf(random, GetParam(), columns, vocab_size, dtype, 6), dtype,
                        vocab_size, placement);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Conformance, AMediumVocabulary) {
  constexpr int64_t kWidth = 50257;
  Random random(3000 + static_cast<uint64_t>(GetParam()));
  const DType dtype = kAllDTypes[static_cast<int>(GetParam()) % 3];
  ExpectConformance(RowsOf(random, GetParam(), kWidth, kWidth, dtype, 2), dtype, kWidth, {3, 5});
}

TEST_P(Conformance, AWideVocabulary) {
  constexpr int64_t kWidth = 262208;
  Random random(4000 + static_cast<uint64_t>(GetParam()));
  const DType dtype = kAllDTypes[(static_cast<int>(GetParam()) + 1) % 3];
  std::vector<RowSpec> rows = RowsOf(random, GetParam(), kWidth, kWidth, dtype, 0);
  rows.resize(4);
  rows[3].chain.stages = RareChains()[random.Below(static_cast<int64_t>(RareChains().size()))];
  rows[3].samples = 1;
  for (size_t i = 1; i < rows.size(); ++i) {  // the cost of more is the oracle's
    rows[i].logprob_modes = rows[i].entropy_modes = Bit(LogprobMode::kProcessed);
  }
  ExpectConformance(rows, dtype, kWidth);
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, ::testing::ValuesIn(kAllShapes),
                         [](const auto& param) { return ShapeName(param.param); });

// The sum of weights is exactly 2^63: the most that a row can weigh.
TEST(Executors, AddTheWidestRowOfTies) {
  std::vector<RowSpec> rows(3);
  for (RowSpec& row : rows) {
    row.logits.assign(kMaxVocabulary, -1.25f);
    row.seed = 7;
    row.samples = 4;
    row.logprob_modes = Bit(LogprobMode::kProcessed);
    row.entropy_modes = Bit(LogprobMode::kProcessed);
  }
  rows[1].chain.stages = {TopP{0.5}};
  rows[2].chain.stages = {TopK{300000}, TopP{0.25, true}};
  ExpectConformance(rows, DType::kBfloat16, kMaxVocabulary);
}

// Values that all three dtypes hold: 8 significant bits, exponents of fp16's normal range.
std::vector<float> SharedLogits(Random& random, Shape shape, int64_t columns) {
  std::vector<float> logits = RandomLogits(random, shape, columns, DType::kFloat16);
  for (float& y : logits) {
    y = std::fabs(y) < 0x1p-14f ? 0.0f : Rounded(Rounded(y, DType::kBfloat16), DType::kFloat16);
  }
  return logits;
}

TEST(Executors, GiveTheSameBitsForTheSameValuesInEveryDtype) {
  Random random(51);
  for (Shape shape : kAllShapes) {
    for (int64_t width : {7, 64, 1000, 5000}) {
      std::vector<RowSpec> rows = RowsOf(random, shape, width, width, DType::kFloat16, 4);
      for (RowSpec& row : rows) row.logits = SharedLogits(random, shape, width);
      const SpecBatch fp32(rows, DType::kFloat32, width);
      const SpecBatch fp16(rows, DType::kFloat16, width);
      const SpecBatch bf16(rows, DType::kBfloat16, width);
      for (const BackendSpec& spec : NextBackends()) {
        Backend& backend = SharedBackend(spec);
        const auto expected = BitsOfRun(backend, fp32.batch());
        EXPECT_EQ(BitsOfRun(backend, fp16.batch()), expected) << Describe(spec);
        EXPECT_EQ(BitsOfRun(backend, bf16.batch()), expected) << Describe(spec);
      }
    }
  }
}

std::vector<RowSpec> MixedRows(uint64_t seed, int rows, int64_t width) {
  Random random(seed);
  std::vector<RowSpec> mixed;
  for (int i = 0; i < rows; ++i) {
    mixed.push_back(RandomRow(random, random.Pick(kAllShapes), width, width, DType::kFloat32));
  }
  return mixed;
}

TEST(Executors, DoNotSeeTheBatchAroundARow) {
  constexpr int64_t kWidth = 1500;
  const std::vector<RowSpec> rows = MixedRows(61, 24, kWidth);
  std::vector<RowSpec> reversed(rows.rbegin(), rows.rend());
  const SpecBatch together(rows, DType::kFloat32, kWidth);
  const SpecBatch backwards(reversed, DType::kFloat32, kWidth, {13, 1});
  for (const BackendSpec& spec : NextBackends()) {
    Backend& backend = SharedBackend(spec);
    const auto expected = BitsOfRun(backend, together.batch());
    auto turned = BitsOfRun(backend, backwards.batch());
    std::reverse(turned.begin(), turned.end());
    EXPECT_EQ(turned, expected) << Describe(spec);
    for (size_t i = 0; i < rows.size(); ++i) {
      const SpecBatch alone({rows[i]}, DType::kFloat32, kWidth);
      EXPECT_EQ(BitsOfRun(backend, alone.batch())[0], expected[i])
          << Describe(spec) << ", row " << i;
    }
  }
}

TEST(Executors, GiveTheSameBitsOnAnyNumberOfThreads) {
  constexpr int64_t kWidth = 3001;
  const std::vector<RowSpec> rows = MixedRows(71, 37, kWidth);
  const SpecBatch specs(rows, DType::kFloat32, kWidth);
  const auto expected = BitsOfRun(SharedBackend({"scalar", 1}), specs.batch());
  for (const std::string& target : CpuTargets()) {
    for (int threads : {1, 2, 3, 8}) {
      const auto backend = MakeBackend({target, threads});
      ASSERT_TRUE(backend.ok()) << backend.status();
      EXPECT_EQ(BitsOfRun(**backend, specs.batch()), expected) << target << " x" << threads;
    }
  }
}

TEST(Executors, KeepRowsApartWhenSomeFail) {
  std::vector<RowSpec> rows(7);
  for (size_t i = 0; i < rows.size(); ++i) {
    Random random(81);
    rows[i].logits = RandomLogits(random, Shape::kNormal, 200, DType::kFloat32);
    rows[i].chain.stages = {TopK{20}, TopP{0.9}};
    rows[i].seed = 5;
    rows[i].logprob_modes = kAllModes;
    rows[i].top_logprobs = 3;
  }
  rows[1].logits[150] = std::nanf("");
  rows[3].logits.assign(200, -kInf);
  rows[5].logits[0] = kInf;
  ExpectConformance(rows, DType::kFloat32, 200);
  const SpecBatch specs(rows, DType::kFloat32, 200);
  for (const BackendSpec& spec : NextBackends()) {
    BatchResult results;
    ASSERT_TRUE(SharedBackend(spec).Run(specs.batch(), &results).ok());
    const auto got = results.rows();
    EXPECT_EQ(got[1].outcome, Outcome::kInvalidLogits);
    EXPECT_EQ(got[3].outcome, Outcome::kEmptySupport);
    EXPECT_EQ(got[5].outcome, Outcome::kInvalidLogits);
    for (size_t i : {2, 4, 6}) EXPECT_EQ(BitsOf(got[i]), BitsOf(got[0])) << i;
  }
}

TEST(Executors, LetRowsShareLogits) {
  std::vector<RowSpec> rows = MixedRows(91, 3, 100);
  const SpecBatch specs(rows, DType::kFloat32, 100);
  std::vector<RowInput> inputs(specs.batch().rows.begin(), specs.batch().rows.end());
  const RowInput last = inputs[2];
  inputs = {last, last, inputs[0], last};
  const Batch batch{specs.batch().logits, 100, inputs};
  for (const BackendSpec& spec : NextBackends()) {
    const auto separate = BitsOfRun(SharedBackend(spec), specs.batch());
    const auto shared = BitsOfRun(SharedBackend(spec), batch);
    EXPECT_EQ(shared[0], separate[2]) << Describe(spec);
    EXPECT_EQ(shared[1], separate[2]) << Describe(spec);
    EXPECT_EQ(shared[2], separate[0]) << Describe(spec);
    EXPECT_EQ(shared[3], separate[2]) << Describe(spec);
  }
}

TEST(Executors, AcceptAnEmptyBatch) {
  const LogitsMatrix matrix({{1.0f}}, DType::kFloat32);
  const Batch batch{matrix.view(), 1, {}};
  for (const BackendSpec& spec : NextBackends()) {
    EXPECT_TRUE(BitsOfRun(SharedBackend(spec), batch).empty()) << Describe(spec);
  }
}

TEST(Executors, RunFromSeveralThreadsAtOnce) {
  constexpr int64_t kWidth = 700;
  const std::vector<RowSpec> rows = MixedRows(101, 16, kWidth);
  const SpecBatch specs(rows, DType::kFloat32, kWidth);
  for (const BackendSpec& spec : NextBackends()) {
    Backend& backend = SharedBackend(spec);
    const auto expected = BitsOfRun(backend, specs.batch());
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
      callers.emplace_back([&] {
        for (int run = 0; run < 5; ++run) {
          EXPECT_EQ(BitsOfRun(backend, specs.batch()), expected) << Describe(spec);
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
  }
}

// The words below were written down once: a change of any of them changes what clients get for the
// seeds they have, and must raise kNumericsVersion.
TEST(Executors, DrawTheSameTokensAsEver) {
  RowSpec row;
  for (int id = 0; id < 100; ++id) row.logits.push_back(static_cast<float>(id * 37 % 101) / 16);
  row.seed = 42;
  row.position = 3;
  row.samples = 8;
  row.chain.stages = {Temperature{0.8}, TopP{0.95}};
  const SpecBatch specs({row}, DType::kFloat32, 100);
  for (const BackendSpec& spec : NextBackends()) {
    BatchResult results;
    ASSERT_TRUE(SharedBackend(spec).Run(specs.batch(), &results).ok());
    const auto tokens = results.rows()[0].tokens;
    EXPECT_EQ(std::vector<TokenId>(tokens.begin(), tokens.end()),
              (std::vector<TokenId>{65, 65, 73, 95, 8, 98, 8, 21}))
        << Describe(spec);
  }
  EXPECT_EQ(kNumericsVersion, 1u);
}

}  // namespace
}  // namespace tessera::testing
