// Dynamic temperature: between low and high by the entropy of what is left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();
const std::vector<float> kLogits = {3, 2, 2, 1, 0, -1, -4, -kInf};

void ExpectTemperature(const ShownRow& row, const std::vector<float>& logits, double t) {
  double sum = 0;
  for (float y : logits) sum += std::exp(y / t);
  for (size_t id = 0; id < logits.size(); ++id) {
    EXPECT_NEAR(row.law[id], std::exp(logits[id] / t) / sum, 2e-6) << id;
  }
}

// Entropy 1.299531 nats of seven tokens.
TEST(DynamicTemperature, AgreesWithTheEngines) {
  ExpectTemperature(Show(kLogits, {DynamicTemperature{0.5, 1.5, 1}}), kLogits, 1.167827);
  ExpectTemperature(Show(kLogits, {DynamicTemperature{0, 1.8, 2}}), kLogits, 0.802787);
}

TEST(DynamicTemperature, OfAFlatLawIsHighAndOfOneTokenLow) {
  const std::vector<float> equal(4, 2.0f);
  ExpectTemperature(Show(equal, {DynamicTemperature{0.5, 3, 1}}), equal, 3);
  EXPECT_THAT(Show({1, -kInf}, {DynamicTemperature{0.5, 3, 1}}).kept, ElementsAre(0));
}

TEST(DynamicTemperature, BetweenEqualBoundsIsATemperature) {
  ExpectTemperature(Show(kLogits, {DynamicTemperature{0.7, 0.7, 1}}), kLogits, 0.7);
  EXPECT_EQ(Show(kLogits, {DynamicTemperature{1, 1, 1}}).law, Show(kLogits, {}).law);
}

TEST(DynamicTemperature, CutsNothing) {
  EXPECT_EQ(Show(kLogits, {DynamicTemperature{0, 0, 1}}).kept.size(), 7u);
  EXPECT_THAT(Show(kLogits, {DynamicTemperature{0, 0, 1}, MinP{1e-9}}).kept, ElementsAre(0));
}

// The entropy is that of the tokens left, at the temperature before it; both temperatures multiply.
TEST(DynamicTemperature, ReadsTheLawThatIsLeft) {
  const double h = std::log(2.0);  // of two equal tokens
  ASSERT_NEAR(h, 0.6931, 1e-4);
  const std::vector<float> logits = {1, 1, 0};
  const ShownRow row = Show(logits, {TopK{2}, DynamicTemperature{0.25, 2, 1}});
  EXPECT_THAT(row.kept, ElementsAre(0, 1));
  // At T = 2 the logits 2 and 0 are 0.7311 and 0.2689, H = 0.5822, H / ln 2 = 0.8400.
  const std::vector<float> two = {2, 0};
  ExpectTemperature(Show(two, {Temperature{2}, DynamicTemperature{0, 1, 1}}), two, 2 * 0.839942);
}

}  // namespace
}  // namespace tessera::testing
