// What ExplainChain says of random chains adds up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/service/explain_requests.h"

namespace tessera {
namespace {

// 400 random chains of cuts on rows with many ties: the numbers of each stage against sums over the
// softmax in binary64, and the boundary against the order.
TEST(ExplainChain, RandomCutsAddUp) {
  std::mt19937 random(20);
  // The last may not follow a stage that removes the likeliest token.
  const std::vector<std::string> cuts = {
      "top_k=7",   "top_k=4:whole",       "top_p=0.8",     "top_p=0.6:within",
      "min_p=0.2", "top_p=0.5:whole",     "typical_p=0.7", "top_n_sigma=1.5",
      "xtc=1:0.1", "epsilon_cutoff=0.03", "top_a=0.2",     "top_k=9,top_p=0.7:joint"};
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<float> logits(5 + random() % 40);
    for (float& logit : logits) logit = static_cast<float>(random() % 12) / 2;
    std::string chain = cuts[random() % cuts.size()];
    for (uint32_t more = random() % 3; more > 0; --more) {
      chain += "," + cuts[random() % (cuts.size() - 1)];
    }
    v1::ExplainChainRequest request = Request(logits, chain);
    request.set_leaders(64);
    const v1::ExplainChainResponse response = Explain(request);
    ASSERT_EQ(response.followed_ids_size(), static_cast<int>(logits.size())) << chain;
    const v1::LawExplanation* before = &response.start();
    for (const v1::StageExplanation& stage : response.stages()) {
      const v1::LawExplanation& law = stage.law();
      double mass = 0, share = 0, entropy = 0;
      uint32_t left = 0, removed = 0;
      for (int i = 0; i < law.probabilities_size(); ++i) {
        if (law.probabilities(i) == 0) continue;
        ++left;
        mass += response.start().probabilities(i);
        share += before->probabilities(i);
        entropy -= law.probabilities(i) * std::log(law.probabilities(i));
      }
      EXPECT_EQ(law.support_size(), left) << chain;
      EXPECT_NEAR(law.mass(), mass, 2e-6) << chain;
      EXPECT_NEAR(stage.kept_share(), share, 2e-6) << chain;
      EXPECT_NEAR(law.entropy(), entropy, 1e-5) << chain;
      for (const v1::CutExplanation& cut : stage.cuts()) {
        removed += cut.removed();
        const v1::TokenExplanation& kept = cut.last_kept();
        const v1::TokenExplanation& gone = cut.first_cut();
        EXPECT_GT(kept.probability_after(), 0) << chain;
        EXPECT_EQ(gone.probability_after(), 0) << chain;
        EXPECT_GT(gone.probability_before(), 0) << chain;
        const bool first =
            kept.logit() > gone.logit() || (kept.logit() == gone.logit() && kept.id() < gone.id());
        EXPECT_NE(first, cut.from_top()) << chain;
        EXPECT_EQ(cut.tied(), kept.logit() == gone.logit()) << chain;
      }
      EXPECT_EQ(before->support_size() - law.support_size(), removed) << chain;
      before = &law;
    }
  }
}

}  // namespace
}  // namespace tessera
