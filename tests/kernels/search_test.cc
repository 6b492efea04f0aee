// Cuts that no list shows (kernels/row/search.h and its callers): every guess of a bracket on short
// rows with lists of a few keys, then random rows through executors with lists of 128.
//
// TESSERA_SEARCH_ROWS sets how many random rows are judged (default 20,000); TESSERA_SEARCH_SEED
// where they start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>

#include "kernels/cpu/row_memory.h"
#include "kernels/row/draw.h"
#include "kernels/row/narrow.h"
#include "kernels/row/serial_row.h"
#include "kernels/scalar/scalar_passes.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/hard_rows.h"

namespace tessera::testing {
namespace {

// Guesses what the test says.
class ToldPasses : public ScalarPasses {
 public:
  using ScalarPasses::ScalarPasses;

  int32_t CountFloor(uint32_t) { return count_floor; }
  uint32_t RoughCount(int32_t) { return rough_count; }
  OrderBracket GuessMassBracket(const Weigher&, double) { return bracket; }

  static inline int32_t count_floor = kOrderKeyNegInf;
  static inline uint32_t rough_count = 0;
  static inline OrderBracket bracket = {kOrderKeyNegInf, kOrderKeyPosInf};
};

// Guesses inside a bracket by chance: anywhere in it, beside it, or the bracket itself.
class ToldRow : public SerialRow<ToldPasses> {
 public:
  using SerialRow::SerialRow;

  static OrderBracket GuessWithin(const Interval&, const OrderBracket& bracket, const Measure&,
                                  uint64_t) {
    if (chance() % 4 == 0) return bracket;
    const auto key = [&] {
      const uint64_t width = static_cast<uint64_t>(int64_t{bracket.hi} - bracket.lo) + 3;
      return static_cast<int32_t>(bracket.lo - 1 + static_cast<int64_t>(chance() % width));
    };
    return {key(), key()};
  }

  static inline std::mt19937_64 chance{1};
};

// One short row, its keys in the order, and a list of `capacity`.
class ShortRow {
 public:
  ShortRow(std::vector<float> logits, uint32_t capacity) : logits_(std::move(logits)) {
    plan_ = *CompileChain({});
    input_.plan = &plan_;
    scratch_ = memory_.ForColumns(columns());
    scratch_.list_capacity = capacity;
    for (uint32_t id = 0; id < columns(); ++id) {
      const TokenKey key = MakeTokenKey(OrderKey(logits_[id]), static_cast<TokenId>(id));
      if (AllCandidates().Has(key)) keys_.push_back(key);
    }
    std::sort(keys_.rbegin(), keys_.rend());
  }

  ToldRow Open() {
    ToldRow row({logits_.data(), DType::kFloat32, columns()}, input_, scratch_, &result_);
    row.Open(View::kEdited);
    return row;
  }

  uint32_t columns() const { return static_cast<uint32_t>(logits_.size()); }
  const std::vector<TokenKey>& keys() const { return keys_; }
  int32_t max_key() const { return OrderKeyOf(keys_.front()); }

  // Every order key, its neighbours and the ends, once each, ascending.
  std::vector<int32_t> Bounds() const {
    std::vector<int32_t> bounds = {kOrderKeyNegInf, kOrderKeyMaxFinite};
    for (const TokenKey key : keys_) {
      for (int32_t step : {-1, 0, 1}) bounds.push_back(OrderKeyOf(key) + step);
    }
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    return bounds;
  }

 private:
  std::vector<float> logits_;
  Plan plan_;
  RowInput input_;
  RowResult result_;
  RowMemory memory_;
  RowScratch scratch_;
  std::vector<TokenKey> keys_;
};

std::vector<std::vector<float>> ShortRows() {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  return {{1, 1, 1, 1, 1, 1, 1, 1, 1},
          {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
          {2, 1, 2, 1, 2, 1, 2, 1, 0, 0, 0, 0, 0},
          {3, -kInf, 3, 3, -kInf, 3, -2, -2, -2, -2, 1},
          {5, 4.75f, 4.75f, 4.75f, 4.75f, 4.75f, 4.75f, 4.5f, 4.5f, -kInf},
          {9, -40, -40, -40, -40, -40, -40, -41, -200, -200, -200, -200},
          {0, -0.0f, 0, -0.0f, 0x1p-149f, 0, -0x1p-149f, 0, -0.0f}};
}

TEST(NthKey, IsTheNthOfEverySupport) {
  for (const std::vector<float>& logits : ShortRows()) {
    for (uint32_t capacity : {1, 2, 4, 16}) {
      ShortRow short_row(logits, capacity);
      auto row = short_row.Open();
      const std::vector<TokenKey>& keys = short_row.keys();
      for (size_t last = 0; last < keys.size(); ++last) {
        for (size_t n = 1; n <= last + 1; ++n) {
          const Interval support{keys[last]};
          EXPECT_EQ(NthKey(row, support, MakeWeigher(FromOrderKey(short_row.max_key()), 1.0f),
                           static_cast<uint32_t>(n)),
                    keys[n - 1])
              << "capacity " << capacity << ", " << last + 1 << " keys, n " << n;
        }
      }
    }
  }
}

// How many of the first `support` keys a cut keeps, W the weight of `whole` keys.
size_t KeysUntil(const std::vector<TokenKey>& keys, size_t support, size_t whole,
                 const Weigher& weigher, const Cut& cut) {
  const auto weight = [&](size_t i) {
    return WeightOf(weigher, FromOrderKey(OrderKeyOf(keys[i])));
  };
  uint64_t total = 0;
  for (size_t i = 0; i < whole; ++i) total += weight(i);
  const uint64_t most = FloorMul(cut.value, total);
  const uint64_t least = cut.boundary == Boundary::kReach ? CeilMul(cut.value, total) : most + 1;
  size_t kept = 0;
  for (uint64_t sum = 0; kept < support;) {
    size_t end = kept + 1;
    while (cut.ties == Ties::kWhole && end < support &&
           OrderKeyOf(keys[end]) == OrderKeyOf(keys[kept])) {
      ++end;
    }
    const uint64_t more = (end - kept) * weight(kept);
    const bool full = cut.boundary == Boundary::kWithin ? sum + more > most : sum >= least;
    if (kept > 0 && full) break;
    sum += more;
    kept = end;
  }
  return kept;
}

// What a law says of itself after a cut: its support, weight, list, and where draws fall.
void ExpectLaw(Law<ToldRow>& law, const std::vector<TokenKey>& keys, size_t kept, float c,
               const std::string& what) {
  ASSERT_GE(keys[kept - 1], law.support.lo) << what;
  if (kept < keys.size()) {
    ASSERT_LT(keys[kept], law.support.lo) << what;
  }
  if (law.listed) {
    ASSERT_EQ(law.row.list_size(), kept) << what;
  }
  ToldPasses::rough_count = UINT32_MAX;  // a law that is not listed stays so
  WeighLaw(law, c);
  const Weigher weigher = MakeWeigher(law.y_max(), c);
  std::vector<TokenKey> by_id(keys.begin(), keys.begin() + static_cast<int64_t>(kept));
  std::sort(by_id.begin(), by_id.end(), [](TokenKey a, TokenKey b) { return IdOf(a) < IdOf(b); });
  uint64_t total = 0;
  for (const TokenKey key : by_id) total += WeightOf(weigher, FromOrderKey(OrderKeyOf(key)));
  ASSERT_EQ(law.weight, total) << what;
  const uint64_t words[] = {0, UINT64_MAX / 3, UINT64_MAX / 2, UINT64_MAX};
  Draw(
      law, c, 4, [&](uint32_t i) { return words[i]; },
      [&](uint32_t i, TokenId id) {
        const uint64_t r = MulHi64(words[i], total);
        uint64_t sum = 0;
        size_t at = 0;
        while ((sum += WeightOf(weigher, FromOrderKey(OrderKeyOf(by_id[at])))) <= r) ++at;
        EXPECT_EQ(id, IdOf(by_id[at])) << what << ", draw " << i;
      });
}

// Every bracket around every cut. The support is what a first cut has left.
TEST(FindMassEnd, IsRightWhateverTheGuess) {
  int64_t cases = 0;
  for (const std::vector<float>& logits : ShortRows()) {
    for (uint32_t capacity : {1, 3, 6}) {
      ShortRow short_row(logits, capacity);
      const std::vector<TokenKey>& keys = short_row.keys();
      const std::vector<int32_t> bounds = short_row.Bounds();
      for (size_t lo = 0; lo < bounds.size(); ++lo) {
        for (size_t hi = lo; hi <= bounds.size(); ++hi) {
          for (const double p : {0.0, 0.1, 0.5, 0.7, 0.999, 1 - 0x1p-53}) {
            for (const size_t support : {keys.size(), keys.size() - 2}) {
              for (const bool joint : {false, true}) {
                ToldPasses::bracket = {bounds[lo],
                                       hi < bounds.size() ? bounds[hi] : kOrderKeyPosInf};
                auto row = short_row.Open();
                Law<ToldRow> law(row);
                law.RaiseFloor(keys[support - 1]);
                const Weigher weigher = MakeWeigher(law.y_max(), kLog2EFloat);
                const size_t whole = joint ? keys.size() : support;
                uint64_t all = 0;
                for (const TokenKey key : keys) {
                  all += WeightOf(weigher, FromOrderKey(OrderKeyOf(key)));
                }
                const Cut cut{.kind = Cut::Kind::kMass,
                              .ties = ToldRow::chance() % 2 == 0 ? Ties::kSplit : Ties::kWhole,
                              .boundary = static_cast<Boundary>(ToldRow::chance() % 3),
                              .joint = joint,
                              .c = kLog2EFloat,
                              .value = p};
                CutAfterMass(law, cut, all);
                ExpectLaw(law, keys, KeysUntil(keys, support, whole, weigher, cut), kLog2EFloat,
                          "capacity " + std::to_string(capacity) + ", p " + std::to_string(p) +
                              ", support " + std::to_string(support) + ", bracket [" +
                              std::to_string(ToldPasses::bracket.lo) + ", " +
                              std::to_string(ToldPasses::bracket.hi) + "]");
                ++cases;
                if (HasFatalFailure()) return;
              }
            }
          }
        }
      }
    }
  }
  std::printf("%lld brackets judged\n", static_cast<long long>(cases));
  EXPECT_GT(cases, 10000);
}

// The support of 300 keys fits no list, and the count was looked for beyond its end.
TEST(CutAfterCount, LeavesASupportThatIsShorterThanTheCountAndLongerThanTheList) {
  RowSpec spec;
  for (int id = 0; id < 2000; ++id) spec.logits.push_back(static_cast<float>(id % 700) / 64);
  spec.chain.stages = {TopK{300}, TopK{500}};
  spec.samples = 8;
  const ExpectedRow expected(spec, 2000);
  const SpecBatch batch({spec}, DType::kFloat32, 2000);
  BatchResult results;
  ASSERT_TRUE(SharedBackend({"short lists"}).Run(batch.batch(), &results).ok());
  EXPECT_EQ(expected.Compare(results.rows()[0]), "");
  EXPECT_EQ(results.rows()[0].support_size, 300u);
}

TEST(CutAfterCount, IsRightWhateverTheFloor) {
  for (const std::vector<float>& logits : ShortRows()) {
    for (uint32_t capacity : {1, 3, 6}) {
      ShortRow short_row(logits, capacity);
      const std::vector<TokenKey>& keys = short_row.keys();
      for (const size_t support : {keys.size(), keys.size() - 2, size_t{5}, size_t{1}}) {
        for (uint32_t count = 1; count <= keys.size() + 1; ++count) {
          // At the count's key and wherever below it.
          for (size_t at = count - 1; at <= keys.size(); ++at) {
            ToldPasses::count_floor = at < keys.size() ? OrderKeyOf(keys[at]) : kOrderKeyNegInf;
            auto row = short_row.Open();
            Law<ToldRow> law(row);
            law.RaiseFloor(keys[support - 1]);
            ToldPasses::rough_count = UINT32_MAX;
            CutAfterCount(law, count, Ties::kSplit, kLog2EFloat);
            const std::string what = "capacity " + std::to_string(capacity) + ", support " +
                                     std::to_string(support) + ", count " + std::to_string(count);
            const size_t kept = std::min<size_t>(support, count);
            ExpectLaw(law, keys, kept, kLog2EFloat, what);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

const std::vector<BackendSpec>& Searching() {
  static const auto& specs =
      *new std::vector<BackendSpec>{{"scalar"}, {"short lists"}, {"wrong guesses"}};
  return specs;
}

void JudgeBatch(uint64_t seed, int rows, int64_t* judged) {
  Random random(seed);
  const DType dtype = random.Pick(kAllDTypes);
  const int64_t width = HardWidth(random);
  std::vector<RowSpec> specs;
  for (int i = 0; i < rows; ++i) specs.push_back(HardRow(random, width, dtype));
  const SpecBatch batch(specs, dtype, width);
  std::vector<std::vector<uint32_t>> bits(specs.size());
  std::deque<ExpectedRow> expected;
  for (const RowSpec& spec : specs) expected.emplace_back(spec, width);
  for (const BackendSpec& backend : Searching()) {
    BatchResult results;
    ASSERT_TRUE(SharedBackend(backend).Run(batch.batch(), &results).ok());
    for (int i = 0; i < rows; ++i) {
      const std::string complaint = expected[i].Compare(results.rows()[i]);
      if (bits[i].empty()) bits[i] = BitsOf(results.rows()[i]);
      ASSERT_TRUE(complaint.empty() && BitsOf(results.rows()[i]) == bits[i])
          << complaint << Describe(backend) << ", batch seed " << seed << ", row " << i << ", "
          << DTypeName(dtype) << ", vocab_size " << width << ": " << Describe(specs[i]);
    }
  }
  *judged += rows;
}

TEST(Search, RowsWiderThanTheListEqualTheOracle) {
  const int64_t wanted = FromEnvironment("TESSERA_SEARCH_ROWS", 20000);
  auto seed = static_cast<uint64_t>(FromEnvironment("TESSERA_SEARCH_SEED", 1));
  int64_t judged = 0;
  while (judged < wanted && !HasFatalFailure()) JudgeBatch(seed++, 8, &judged);
  std::printf("%lld rows of 129 to 4,096 ids judged, each by %zu executors\n",
              static_cast<long long>(judged), Searching().size());
}

}  // namespace
}  // namespace tessera::testing
