// "0,3,5-8" and "7:2.5,9:-inf".
#include "client/cli/number_list.h"

#include <limits>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

TEST(ParseNumbers, KeepsTheOrderAndOpensRanges) {
  const auto numbers = ParseNumbers("7,0,3-5,3", 10, 100);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_EQ(*numbers, (std::vector<int64_t>{7, 0, 3, 4, 5, 3}));
}

TEST(ParseNumbers, RefusalsNameTheItem) {
  EXPECT_EQ(ParseNumbers("1,x", 10, 100).status().message(),
            "item 2 is 'x'; it must be an integer in [0, 10] or a range such as 5-8");
  for (const char* bad : {"", "1,", "11", "-1", "5-3", "3-", "1--2", "1-2-3"}) {
    EXPECT_FALSE(ParseNumbers(bad, 10, 100).ok()) << bad;
  }
}

// A range is counted before it is opened: this one would be 2^62 numbers.
TEST(ParseNumbers, HugeRangesAreRefusedBeforeTheyAreOpened) {
  const auto numbers = ParseNumbers("0-4611686018427387904", int64_t{1} << 62, 512);
  EXPECT_EQ(numbers.status().message(), "holds more than 512 numbers; that is the limit");
}

TEST(ParsePairs, ReadsValues) {
  const auto pairs = ParsePairs("7:2.5,9:-inf", 10);
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  ASSERT_EQ(pairs->size(), 2u);
  EXPECT_EQ((*pairs)[0], (std::pair<int64_t, float>(7, 2.5f)));
  EXPECT_EQ((*pairs)[1].second, -std::numeric_limits<float>::infinity());
  for (const char* bad : {"", "7", "7:", "7:nan", "x:1", "11:1"}) {
    EXPECT_FALSE(ParsePairs(bad, 10).ok()) << bad;
  }
}

}  // namespace
}  // namespace tessera::cli
