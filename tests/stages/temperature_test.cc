// Temperature: how weight is measured; 0 is greedy; followed by an edit it is itself one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kLaw = {0.1, 0.4, 0.2, 0.3};

// p_i^(1/T), normalised.
std::vector<double> Tempered(const std::vector<double>& law, double t) {
  std::vector<double> result;
  double sum = 0;
  for (double p : law) sum += std::pow(p, 1 / t);
  for (double p : law) result.push_back(std::pow(p, 1 / t) / sum);
  return result;
}

void ExpectLaw(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 2e-6) << i;
}

TEST(Temperature, RaisesProbabilitiesToItsInverse) {
  for (double t : {0.25, 0.7, 1.0, 1.5, 8.0}) {
    SCOPED_TRACE(t);
    const ShownRow row = Show(LogitsOf(kLaw), {Temperature{t}});
    ExpectLaw(row.law, Tempered(kLaw, t));
    ExpectLaw(row.tempered, Tempered(kLaw, t));
  }
}

TEST(Temperature, SeveralMultiply) {
  ExpectLaw(Show(LogitsOf(kLaw), {Temperature{0.5}, Temperature{3}}).law, Tempered(kLaw, 1.5));
}

TEST(Temperature, AfterATruncationReweighsWhatIsLeft) {
  const ShownRow row = Show(LogitsOf(kLaw), {TopK{2}, Temperature{2}});
  const double a = std::sqrt(0.4), b = std::sqrt(0.3);
  ExpectLaw(row.law, {0, a / (a + b), 0, b / (a + b)});
}

TEST(Temperature, ZeroTakesTheFirstOfTheOrder) {
  EXPECT_THAT(Show({1, 5, 3, 5}, {Temperature{0}}).kept, ElementsAre(1));
  EXPECT_THAT(Show({1, 5, 3, 5}, {TopK{3}, TopP{0.9}, Greedy{}}).kept, ElementsAre(1));
  EXPECT_EQ(Show({1, 5, 3, 5}, {Greedy{}}).law, (std::vector<double>{0, 1, 0, 0}));
}

TEST(Temperature, FollowedByAnEditDividesTheLogits) {
  RowSpec row;
  row.logits = {1, 2, 3, 4};
  row.chain.stages = {Temperature{0.5}, LogitBias{}};
  row.bias = {{0, 6.0f}};
  const double sum = std::exp(8) + std::exp(4) + std::exp(6) + std::exp(8);
  ExpectLaw(Show(row).law,
            {std::exp(8) / sum, std::exp(4) / sum, std::exp(6) / sum, std::exp(8) / sum});
}

// At the ends of its range every probability is finite and no token but the maxima survives, or
// all are equal.
TEST(Temperature, ReachesBothEndsOfItsRange) {
  ExpectLaw(Show({1, 2, 2, -3}, {Temperature{kMinTemperature}}).law, {0, 0.5, 0.5, 0});
  ExpectLaw(Show({1e20f, 0, -1e20f, 3}, {Temperature{kMaxTemperature}}).law,
            {0.25, 0.25, 0.25, 0.25});
}

}  // namespace
}  // namespace tessera::testing
