// Epsilon cutoff: probability at least epsilon, and the likeliest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kLaw = {0.15, 0.5, 0.05, 0.3};

TEST(EpsilonCutoff, KeepsWhatIsAtLeastAsLikely) {
  EXPECT_THAT(Kept(kLaw, {EpsilonCutoff{0.4}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {EpsilonCutoff{0.2}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {EpsilonCutoff{0.1}}), ElementsAre(0, 1, 3));
  EXPECT_THAT(Kept(kLaw, {EpsilonCutoff{0.04}}), ElementsAre(0, 1, 2, 3));
}

TEST(EpsilonCutoff, KeepsTheLikeliestWhateverEpsilon) {
  EXPECT_THAT(Kept(kLaw, {EpsilonCutoff{0.9}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {EpsilonCutoff{std::nextafter(1.0, 0)}}), ElementsAre(1));
  // All that are as likely as the likeliest are.
  EXPECT_THAT(Show({2, 2, 1}, {EpsilonCutoff{0.9}}).kept, ElementsAre(0, 1));
}

// Each probability is exactly 1/4.
TEST(EpsilonCutoff, KeepsAProbabilityThatEqualsEpsilon) {
  EXPECT_EQ(Show({0, 0, 0, 0}, {EpsilonCutoff{0.25}}).kept.size(), 4u);
}

TEST(EpsilonCutoff, ReadsTheLawThatIsLeft) {
  // Of 8/15 4/15 2/15 1/15, top-k 2 leaves 2/3 and 1/3.
  const std::vector<double> law = {8 / 15.0, 4 / 15.0, 2 / 15.0, 1 / 15.0};
  EXPECT_THAT(Kept(law, {EpsilonCutoff{0.3}}), ElementsAre(0));
  EXPECT_THAT(Kept(law, {TopK{2}, EpsilonCutoff{0.3}}), ElementsAre(0, 1));
}

TEST(EpsilonCutoff, AgreesWithTheEngines) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4, -kInf};
  EXPECT_THAT(Show(logits, {EpsilonCutoff{0.03}}).kept, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Show(logits, {EpsilonCutoff{0.1}}).kept, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace tessera::testing
