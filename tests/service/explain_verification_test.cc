// Explanations of verifications beside plain sums in double precision.
#include "service/explain_verification.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "kernels/chain.h"
#include "kernels/plan.h"

namespace tessera {
namespace {

constexpr size_t kVocab = 7;
constexpr size_t kDrafts = 2;
constexpr double kNear = 2e-6;  // weights come from logits to some 24 bits

std::vector<double> Softmax(const float* logits) {
  std::vector<double> law(logits, logits + kVocab);
  double sum = 0;
  for (double& value : law) sum += value = std::exp(value);
  for (double& value : law) value /= sum;
  return law;
}

// One sequence of two drafts whose laws are all known.
struct Step {
  explicit Step(uint64_t seed) : target(kDrafts + 1), draft(kDrafts) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<float> normal(0, 1.5f);
    for (float& value : target_logits) value = normal(generator);
    for (size_t i = 0; i < draft_logits.size(); ++i) {
      draft_logits[i] = target_logits[i] + normal(generator);
    }
    ids = {static_cast<TokenId>(generator() % kVocab), static_cast<TokenId>(generator() % kVocab)};
    plan = *CompileChain({});
    for (size_t i = 0; i <= kDrafts; ++i) Point(i, &target[i]);
    for (size_t i = 0; i < kDrafts; ++i) Point(i, &draft[i]);
    sequence.ids = ids;
    sequence.target = target;
    sequence.seed = seed;
    batch.target = View(target_logits);
    batch.vocab_size = kVocab;
  }

  void Point(size_t row, RowInput* input) const {
    input->plan = &plan;
    input->logits_row = static_cast<int64_t>(row);
  }
  static LogitsView View(const std::vector<float>& values) {
    return {reinterpret_cast<const std::byte*>(values.data()), DType::kFloat32,
            static_cast<int64_t>(values.size() / kVocab), kVocab, kVocab * sizeof(float)};
  }
  std::vector<double> P(size_t position) const {
    return Softmax(target_logits.data() + position * kVocab);
  }

  // The drafts' laws as lists, in 2^-40ths.
  void ListDrafts() {
    for (size_t i = 0; i < kDrafts; ++i) {
      const std::vector<double> q = Softmax(draft_logits.data() + i * kVocab);
      for (size_t v = 0; v < kVocab; ++v) {
        lists[i].push_back({static_cast<TokenId>(v), static_cast<uint64_t>(std::ldexp(q[v], 40))});
      }
      sparse.emplace_back(lists[i]);
    }
  }

  // REQUIRES: position < kDrafts.
  std::vector<double> Q(size_t position) const {
    if (sequence.law != DraftLaw::kOneHot) return Softmax(draft_logits.data() + position * kVocab);
    std::vector<double> law(kVocab, 0);
    law[static_cast<size_t>(ids[position])] = 1;
    return law;
  }

  void Verify(VerificationMethod method, DraftLaw law) {
    sequence.method = method;
    sequence.law = law;
    if (law == DraftLaw::kLogits) {
      sequence.draft = draft;
      batch.draft = View(draft_logits);
    } else if (law == DraftLaw::kSparse) {
      ListDrafts();
      sequence.sparse = sparse;
    }
    batch.sequences = absl::MakeConstSpan(&sequence, 1);
    const auto backend = MakeScalarBackend();
    ASSERT_TRUE(VerifyDrafts(batch, *backend, &results).ok());
    ASSERT_EQ(results[0].outcome, Outcome::kOk);
    ASSERT_TRUE(ExplainVerification(batch, results, *backend, &explanations).ok());
    ASSERT_EQ(explanations.size(), 1u);
  }

  std::vector<float> target_logits = std::vector<float>((kDrafts + 1) * kVocab);
  std::vector<float> draft_logits = std::vector<float>(kDrafts * kVocab);
  std::vector<TokenId> ids;
  std::vector<WeightedId> lists[kDrafts];
  std::vector<absl::Span<const WeightedId>> sparse;
  Plan plan;
  std::vector<RowInput> target, draft;
  DraftedSequence sequence;
  VerificationBatch batch;
  std::vector<SequenceResult> results;
  std::vector<v1::VerificationExplanation> explanations;
};

// The last token's law against max(scale * p - q, 0) of plain sums; the scale is BLOCK's P_tau.
void CheckFinalDraw(const Step& step, double scale) {
  const v1::FinalDraw& draw = step.explanations[0].final_draw();
  const size_t position = draw.position();
  const bool bonus = position == kDrafts;
  const std::vector<double> p = step.P(position);
  std::vector<double> left = p;
  double mass = 0;
  for (size_t v = 0; v < kVocab; ++v) {
    if (!bonus && step.sequence.law == DraftLaw::kOneHot) {
      if (static_cast<TokenId>(v) == step.ids[position]) left[v] = 0;
    } else if (!bonus) {
      left[v] = std::max(scale * p[v] - step.Q(position)[v], 0.0);
    }
    mass += left[v];
  }
  EXPECT_NEAR(draw.mass(), mass, kNear);
  ASSERT_EQ(draw.leaders_size(), static_cast<int>(kVocab));
  double before = 1;
  for (const v1::ResidualLeader& leader : draw.leaders()) {
    const auto v = static_cast<size_t>(leader.id());
    EXPECT_NEAR(leader.target_probability(), p[v], kNear);
    EXPECT_NEAR(leader.draft_probability(), bonus ? 0 : step.Q(position)[v], kNear);
    EXPECT_NEAR(leader.probability(), left[v] / mass, kNear / mass);
    EXPECT_LE(leader.probability(), before) << "the largest first";
    before = leader.probability();
    if (leader.id() == step.results[0].tokens.back()) {
      EXPECT_GT(leader.probability(), 0) << "what was drawn";
    }
  }
}

void CheckTests(const Step& step) {
  for (const v1::DraftTest& test : step.explanations[0].tests()) {
    const size_t node = test.node();
    const auto id = static_cast<size_t>(step.ids[node]);
    EXPECT_EQ(test.id(), step.ids[node]);
    EXPECT_NEAR(test.target_probability(), step.P(node)[id], kNear);
    EXPECT_NEAR(test.draft_probability(), step.Q(node)[id], kNear);
    const double u = std::ldexp(static_cast<double>(test.word()), -64);
    EXPECT_EQ(test.passed(), u < test.acceptance_probability());
  }
}

TEST(ExplainVerification, TokenTellsRatiosAndResiduals) {
  int bonus = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    for (const DraftLaw law : {DraftLaw::kLogits, DraftLaw::kSparse, DraftLaw::kOneHot}) {
      SCOPED_TRACE(seed);
      Step step(seed);
      ASSERT_NO_FATAL_FAILURE(step.Verify(VerificationMethod::kToken, law));
      CheckTests(step);
      for (const v1::DraftTest& test : step.explanations[0].tests()) {
        EXPECT_NEAR(test.acceptance_probability(),
                    std::min(1.0, test.target_probability() / test.draft_probability()), 1e-12);
      }
      CheckFinalDraw(step, 1);
      bonus += step.explanations[0].final_draw().position() == kDrafts ? 1 : 0;
    }
  }
  EXPECT_GT(bonus, 20);
  EXPECT_LT(bonus, 400) << "both ends are seen in 450 steps";
}

TEST(ExplainVerification, BlockTellsTheResidualOfThePositionThatItEndsAt) {
  int scaled = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Step step(seed);
    ASSERT_NO_FATAL_FAILURE(step.Verify(VerificationMethod::kBlock, DraftLaw::kLogits));
    CheckTests(step);
    double running = 1;
    for (size_t i = 0; i < step.explanations[0].final_draw().position(); ++i) {
      const auto id = static_cast<size_t>(step.ids[i]);
      running = std::min(1.0, running * step.P(i)[id] / step.Q(i)[id]);
    }
    CheckFinalDraw(step, running);
    const v1::FinalDraw& draw = step.explanations[0].final_draw();
    if (draw.position() == kDrafts) continue;
    EXPECT_NEAR(draw.target_scale(), running, kNear);
    scaled += running < 1 ? 1 : 0;
  }
  EXPECT_GT(scaled, 10);
}

TEST(ExplainVerification, AFailedSequenceHasNone) {
  Step step(1);
  step.target_logits[kVocab] = NAN;
  step.sequence.method = VerificationMethod::kToken;
  step.batch.sequences = absl::MakeConstSpan(&step.sequence, 1);
  const auto backend = MakeScalarBackend();
  ASSERT_TRUE(VerifyDrafts(step.batch, *backend, &step.results).ok());
  ASSERT_EQ(step.results[0].outcome, Outcome::kInvalidLogits);
  ASSERT_TRUE(ExplainVerification(step.batch, step.results, *backend, &step.explanations).ok());
  ASSERT_EQ(step.explanations.size(), 1u);
  EXPECT_FALSE(step.explanations[0].has_final_draw());
}

}  // namespace
}  // namespace tessera
