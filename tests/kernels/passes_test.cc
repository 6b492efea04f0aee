// Every row pass of every executor against sums and searches over the sorted row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/pass_answers.h"
#include "tests/support/backends.h"
#include "tests/support/edited_row.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

using oracle::Uint128;

constexpr float kInf = std::numeric_limits<float>::infinity();

TokenKey KeyOf(float y, TokenId id) { return MakeTokenKey(OrderKey(y), id); }

Uint128 Wide(U128 value) { return static_cast<Uint128>(value.hi) << 64 | value.lo; }

// One side of a question: a row, and the part of its order that is the support.
struct Side {
  std::vector<float> y;
  std::vector<TokenId> order;  // all candidates
  size_t first = 0, last = 0;  // places of the support's ends, inclusive
  ScaledLaw law;

  Side(Random& random, Shape shape, int64_t width, DType dtype)
      : y(RandomLogits(random, shape, width, dtype)),
        order(*oracle::ReceivedOrder(y, RowInput{}, false)) {
    const auto size = static_cast<int64_t>(order.size());
    first = random.OneIn(2) ? 0 : static_cast<size_t>(random.Below(size));
    last = random.OneIn(2) ? order.size() - 1
                           : first + random.Below(size - static_cast<int64_t>(first));
    const float c = oracle::InverseTemperature(std::exp2(random.Between(-4, 4)));
    law.weigher = MakeWeigher(y[order[first]], c);
    law.support = {KeyOf(y[order[last]], order[last]), KeyOf(y[order[first]], order[first])};
    if (first == 0) law.support.hi = ~TokenKey{0};
    if (last == order.size() - 1) law.support.lo = AllCandidates().lo;
    law.scale = random.Word() >> (1 + random.Below(40));
  }

  // By id; 0 outside the support.
  std::vector<uint64_t> Weights() const {
    std::vector<uint64_t> weights(y.size());
    for (size_t i = first; i <= last; ++i) {
      weights[order[i]] = oracle::Weight(y[order[i]] - law.weigher.y_max, law.weigher.c);
    }
    return weights;
  }

  // The support's keys in id order.
  std::vector<TokenKey> Keys() const {
    std::vector<TokenId> ids(order.begin() + first, order.begin() + last + 1);
    std::sort(ids.begin(), ids.end());
    std::vector<TokenKey> keys;
    for (TokenId id : ids) keys.push_back(KeyOf(y[id], id));
    return keys;
  }
};

void CheckWeigh(const PassQuestion& question, const Side& side, const PassAnswers& answers) {
  const std::vector<uint64_t> weights = side.Weights();
  WeighTotals totals;
  std::vector<uint64_t> chunk_sums((weights.size() + kChunkIds - 1) / kChunkIds);
  for (size_t id = 0; id < weights.size(); ++id) {
    totals.total += weights[id];
    if (OrderKey(side.y[id]) <= question.above) continue;
    totals.above += weights[id];
    chunk_sums[id / kChunkIds] += weights[id];
  }
  EXPECT_EQ(answers.totals.total, totals.total);
  EXPECT_EQ(answers.totals.above, totals.above);
  EXPECT_EQ(answers.chunk_sums, chunk_sums);
  EXPECT_EQ(answers.weights, weights);
}

void CheckLists(const PassQuestion& question, const Side& side, const PassAnswers& answers) {
  const std::vector<TokenKey> keys = side.Keys();
  EXPECT_EQ(answers.collect_return, keys.size());
  EXPECT_EQ(answers.collected, keys);
  EXPECT_EQ(answers.count, keys.size());
  const std::vector<uint64_t> weights = side.Weights();
  std::vector<uint64_t> key_weights;
  uint64_t mass_above = 0;
  uint64_t count_above = 0;
  for (TokenKey key : keys) {
    key_weights.push_back(weights[IdOf(key)]);
    if (key <= question.pivot) continue;
    mass_above += key_weights.back();
    ++count_above;
  }
  EXPECT_EQ(answers.key_weights, key_weights);
  EXPECT_EQ(answers.mass_above, mass_above);
  EXPECT_EQ(answers.count_above, count_above);
  if (keys.size() > question.k) {
    EXPECT_GT(answers.collect_short_return, question.k);
  } else {
    EXPECT_EQ(answers.collect_short_return, keys.size());
  }
  const size_t held = std::min<size_t>(keys.size(), question.k);
  EXPECT_TRUE(std::equal(keys.begin(), keys.begin() + held, answers.collected_short.begin()));
}

void CheckOrder(const PassQuestion& question, const Side& side, const PassAnswers& answers) {
  EXPECT_FALSE(answers.max.invalid);
  EXPECT_EQ(answers.max.key, OrderKey(side.y[side.order[0]]));
  const auto at_floor = std::count_if(side.order.begin(), side.order.end(), [&](TokenId id) {
    return OrderKey(side.y[id]) >= answers.count_floor;
  });
  EXPECT_GE(static_cast<size_t>(at_floor), std::min<size_t>(question.k, side.order.size()));
  std::vector<TokenKey> ranked;
  for (size_t i = side.first; i <= side.last && ranked.size() < size_t{2} * question.k; ++i) {
    ranked.push_back(KeyOf(side.y[side.order[i]], side.order[i]));
  }
  EXPECT_EQ(answers.ranked, ranked);
  for (size_t id = 0; id < side.y.size(); ++id) {
    ASSERT_EQ(OrderKey(answers.logits[id]), OrderKey(side.y[id])) << id;
  }
}

void CheckResolve(const PassQuestion& question, const Side& side, const PassAnswers& answers) {
  const std::vector<uint64_t> weights = side.Weights();
  std::vector<TokenId> resolved;
  for (size_t begin = 0; begin < weights.size(); begin += kChunkIds) {
    const size_t end = std::min<size_t>(weights.size(), begin + kChunkIds);
    uint64_t sum = 0;
    for (size_t id = begin; id < end; ++id) sum += weights[id];
    if (sum == 0) continue;
    for (uint64_t roll : question.rolls) {
      uint64_t inclusive = 0;
      size_t id = begin;
      while ((inclusive += weights[id]) <= roll % sum) ++id;
      resolved.push_back(static_cast<TokenId>(id));
    }
  }
  EXPECT_EQ(answers.resolved, resolved);
}

void CheckStatistics(const Side& side, const PassAnswers& answers) {
  const std::vector<uint64_t> weights = side.Weights();
  EntropySums entropy;
  const int scale =
      std::ilogb(answers.moments.scale.first) + std::ilogb(answers.moments.scale.second);
  uint64_t count = 0, sum = 0, largest = 0;
  Uint128 squares = 0;
  for (size_t i = side.first; i <= side.last; ++i) {
    const TokenId id = side.order[i];
    const float d = side.y[id] - side.law.weigher.y_max;
    entropy.weight += weights[id];
    entropy.energy += static_cast<uint64_t>(
        static_cast<Uint128>(weights[id]) * oracle::Distance(d, side.law.weigher.c) >> 20);
    const double finite = std::min<double>(-d, std::numeric_limits<float>::max());
    const auto spread = static_cast<uint64_t>(std::nearbyint(std::ldexp(finite, scale)));
    ++count;
    sum += spread;
    squares += static_cast<Uint128>(spread) * spread;
    largest = std::max(largest, spread);
  }
  EXPECT_EQ(answers.entropy.weight, entropy.weight);
  EXPECT_EQ(answers.entropy.energy, entropy.energy);
  EXPECT_EQ(answers.moments.moments.count, count);
  EXPECT_EQ(answers.moments.moments.sum, sum);
  EXPECT_TRUE(Wide(answers.moments.moments.sum_of_squares) == squares);
  // The scale is as fine as 2^26 allows.
  EXPECT_LE(largest, uint64_t{1} << 26);
  EXPECT_TRUE(largest == 0 || largest >= uint64_t{1} << 25) << largest;
}

void CheckResidual(const PassQuestion& question, const Side& target, const Side& draft,
                   const PassAnswers& answers) {
  const std::vector<uint64_t> p = target.Weights();
  const std::vector<uint64_t> q = draft.Weights();
  Uint128 total = 0;
  std::vector<TokenId> resolved;
  for (size_t begin = 0; begin < p.size(); begin += kChunkIds) {
    const size_t end = std::min<size_t>(p.size(), begin + kChunkIds);
    std::vector<Uint128> inclusive;
    Uint128 sum = 0;
    for (size_t id = begin; id < end; ++id) {
      const Uint128 plus = static_cast<Uint128>(target.law.scale) * p[id];
      const Uint128 minus = static_cast<Uint128>(draft.law.scale) * q[id];
      const bool excluded = std::count(question.excluded.begin(), question.excluded.end(),
                                       static_cast<TokenId>(id)) != 0;
      if (plus > minus && !excluded) sum += plus - minus;
      inclusive.push_back(sum);
    }
    EXPECT_TRUE(Wide(answers.residual_chunks[begin / kChunkIds]) == sum) << begin;
    total += sum;
    if (sum == 0) continue;
    const U128 got = answers.residual_chunks[begin / kChunkIds];
    for (const Uint128 r : {sum - 1, Wide({got.hi / 2, got.lo / 2})}) {
      const auto found = std::upper_bound(inclusive.begin(), inclusive.end(), r);
      resolved.push_back(static_cast<TokenId>(begin + (found - inclusive.begin())));
    }
  }
  EXPECT_TRUE(Wide(answers.residual) == total);
  EXPECT_EQ(answers.residual_resolved, resolved);
}

PassQuestion RandomQuestion(Random& random, const Side& target, const Side& draft) {
  PassQuestion question;
  question.law = target.law;
  question.draft = draft.law;
  const auto some_id = [&] {
    return target.order[random.Below(static_cast<int64_t>(target.order.size()))];
  };
  for (int64_t n = random.Below(4); n > 0; --n) question.excluded.push_back(some_id());
  if (random.OneIn(2)) question.above = OrderKey(target.y[some_id()]);
  question.k = static_cast<uint32_t>(1 + random.Below(random.OneIn(2) ? 5 : 300));
  question.p = random.Unit();
  const TokenId pivot = some_id();
  question.pivot = KeyOf(target.y[pivot], pivot);
  question.rolls = {0, ~uint64_t{0}, random.Word(), random.Word()};
  // Inclusive weights of the first ids: a roll that equals one belongs to the next id.
  const std::vector<uint64_t> weights = target.Weights();
  uint64_t inclusive = 0;
  for (size_t id = 0; id < std::min<size_t>(weights.size(), 4); ++id) {
    question.rolls.push_back(inclusive += weights[id]);
  }
  return question;
}

void CheckAllPasses(Random& random, Shape shape, int64_t width, DType dtype) {
  const Side target(random, shape, width, dtype);
  const Side draft(random, random.Pick(kAllShapes), width, dtype);
  const Placement placement{random.Below(5), random.Below(33)};
  const LogitsMatrix matrix({target.y, draft.y}, dtype, placement);
  PassQuestion question = RandomQuestion(random, target, draft);
  const auto columns = static_cast<uint32_t>(width);
  question.row = {matrix.view().Row(0), dtype, columns};
  question.draft_row = {matrix.view().Row(1), dtype, columns};
  for (const NamedPasses& passes : AllPasses()) {
    SCOPED_TRACE(passes.name + ", " + ShapeName(shape) + ", " + DTypeName(dtype) + ", width " +
                 std::to_string(width) + ", support " + std::to_string(target.first) + " to " +
                 std::to_string(target.last));
    const PassAnswers answers = passes.answer(question);
    CheckOrder(question, target, answers);
    CheckWeigh(question, target, answers);
    CheckLists(question, target, answers);
    CheckResolve(question, target, answers);
    CheckStatistics(target, answers);
    CheckResidual(question, target, draft, answers);
  }
}

class Passes : public ::testing::TestWithParam<Shape> {};

TEST_P(Passes, EqualNaiveSums) {
  Random random(500 + static_cast<uint64_t>(GetParam()));
  for (int64_t width : {1, 2, 31, 32, 33, 63, 65, 1000, 1023, 1024, 1025, 2048, 3500, 9000}) {
    for (DType dtype : kAllDTypes) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        CheckAllPasses(random, GetParam(), width, dtype);
        if (HasFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Passes, ::testing::ValuesIn(kAllShapes),
                         [](const auto& param) { return ShapeName(param.param); });

TEST(LoadMax, SeesEveryNanAndInfinity) {
  Random random(9);
  const float bad[] = {kInf, std::nanf(""), -std::nanf("")};
  for (int64_t width : {1, 5, 31, 64, 70, 1025, 1100}) {
    for (DType dtype : kAllDTypes) {
      for (int64_t place = 0; place < width; place += 1 + random.Below(width / 20 + 1)) {
        std::vector<float> y = RandomLogits(random, random.Pick(kAllShapes), width, dtype);
        y[place] = random.Pick(bad);
        const LogitsMatrix matrix({y}, dtype, {0, random.Below(33)});
        const RowView row{matrix.view().Row(0), dtype, static_cast<uint32_t>(width)};
        for (const NamedPasses& passes : AllPasses()) {
          EXPECT_TRUE(passes.max(row).invalid)
              << passes.name << ", " << DTypeName(dtype) << ", id " << place << " of " << width;
        }
      }
    }
  }
}

TEST(LoadMax, OfNoCandidatesIsMinusInfinity) {
  for (int64_t width : {1, 33, 1025}) {
    for (DType dtype : kAllDTypes) {
      const LogitsMatrix matrix({std::vector<float>(width, -kInf)}, dtype);
      const RowView row{matrix.view().Row(0), dtype, static_cast<uint32_t>(width)};
      for (const NamedPasses& passes : AllPasses()) {
        EXPECT_EQ(passes.max(row).key, kOrderKeyNegInf) << passes.name << DTypeName(dtype);
        EXPECT_FALSE(passes.max(row).invalid) << passes.name << DTypeName(dtype);
      }
    }
  }
}

// The passes tested here are compiled apart from the library's: the same targets, at least.
TEST(LoadMax, IsTestedOnEveryTargetOfTheLibrary) {
  std::vector<std::string> names;
  for (const NamedPasses& passes : AllPasses()) {
    if (passes.name != "scalar") names.push_back(passes.name);
  }
  EXPECT_EQ(names, CpuTargets());
}

}  // namespace
}  // namespace tessera::testing
