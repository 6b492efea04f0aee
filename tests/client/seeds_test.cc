// Seeds for rows that draw without one.
#include "client/seeds.h"

#include <set>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Seeds, FillsOnlyRowsThatDrawAndLackOne) {
  v1::SampleTokensRequest request;
  request.add_rows();
  request.add_rows()->set_seed(0);  // a seed of 0 is a seed
  request.add_rows()->set_samples(0);
  request.add_rows()->set_samples(3);
  EXPECT_TRUE(LacksSeeds(request));
  ASSERT_TRUE(FillSeeds(&request).ok());
  EXPECT_FALSE(LacksSeeds(request));
  EXPECT_TRUE(request.rows(0).has_seed());
  EXPECT_EQ(request.rows(1).seed(), 0u);
  EXPECT_FALSE(request.rows(2).has_seed()) << "a row that only scores needs none";
  EXPECT_TRUE(request.rows(3).has_seed());
}

TEST(Seeds, FillsOnlySequencesThatLackOne) {
  v1::VerifyDraftsRequest request;
  EXPECT_FALSE(LacksSeeds(request));
  request.add_sequences();
  request.add_sequences()->mutable_target()->set_seed(0);
  EXPECT_TRUE(LacksSeeds(request));
  ASSERT_TRUE(FillSeeds(&request).ok());
  EXPECT_FALSE(LacksSeeds(request));
  EXPECT_EQ(request.sequences(1).target().seed(), 0u);
  v1::VerifyDraftsRequest another;
  another.add_sequences();
  ASSERT_TRUE(FillSeeds(&another).ok());
  EXPECT_NE(another.sequences(0).target().seed(), request.sequences(0).target().seed());
}

// More rows than one request to the operating system serves; 64-bit collisions are out of question.
TEST(Seeds, AreAllDifferentAndUseAll64Bits) {
  v1::SampleTokensRequest request;
  for (int i = 0; i < 1000; ++i) request.add_rows();
  ASSERT_TRUE(FillSeeds(&request).ok());
  std::set<uint64_t> seeds;
  uint64_t seen = 0;
  for (const v1::SampleRow& row : request.rows()) {
    seeds.insert(row.seed());
    seen |= row.seed();
  }
  EXPECT_EQ(seeds.size(), 1000u);
  EXPECT_EQ(seen, ~uint64_t{0});
}

}  // namespace
}  // namespace tessera
