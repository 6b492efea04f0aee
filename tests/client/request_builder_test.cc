// Requests put together, and every way to put them together wrongly.
#include "client/request_builder.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(SampleRequestBuilder, PutsTogetherWhatWasSaid) {
  const std::vector<float> logits = {0.5f, 3, -1, 2, 1, 1};
  SampleRequestBuilder builder;
  builder.Float32Logits(logits, /*rows=*/2).Chain("temperature=0.7");
  builder.AddRow(/*position=*/17).set_seed(42);
  builder.Chain("greedy");
  builder.AddRow(/*position=*/5).set_logits_row(0);
  const auto request = builder.Build();
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->vocab_size(), 3u);
  ASSERT_EQ(request->chains_size(), 2);
  EXPECT_TRUE(request->chains(1).stages(0).has_greedy());
  ASSERT_EQ(request->rows_size(), 2);
  EXPECT_EQ(request->rows(0).chain(), 0u);
  EXPECT_EQ(request->rows(0).position(), 17u);
  EXPECT_EQ(request->rows(0).seed(), 42u);
  EXPECT_EQ(request->rows(1).chain(), 1u);
  const v1::Tensor& tensor = request->logits(0);
  EXPECT_EQ(tensor.element_type(), v1::ELEMENT_TYPE_FLOAT32);
  EXPECT_EQ(tensor.rows(), 2);
  EXPECT_EQ(tensor.columns(), 3);
  ASSERT_EQ(tensor.inline_bytes().size(), 24u);
  EXPECT_EQ(std::memcmp(tensor.inline_bytes().data(), logits.data(), 24), 0);
}

TEST(SampleRequestBuilder, SixteenBitLogitsPaddingAndTheEmptyChain) {
  SampleRequestBuilder builder;
  builder.LogitsBytes(v1::ELEMENT_TYPE_BFLOAT16, std::string(16, '\0'), 1, 8).VocabSize(6);
  builder.AddRow(0);
  const auto request = builder.Build();
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->vocab_size(), 6u);
  EXPECT_EQ(request->chains_size(), 1);
  EXPECT_EQ(request->chains(0).stages_size(), 0);
}

TEST(SampleRequestBuilder, GuidanceLogitsStandBesideTheLogits) {
  SampleRequestBuilder builder;
  builder.Float32Logits({1, 2, 3, 4}, 2).Float32GuidanceLogits({5, 6}, 1).Chain("guidance=1.5");
  builder.AddRow(0).set_guidance_row(0);
  const auto request = builder.Build();
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->guidance_logits().element_type(), v1::ELEMENT_TYPE_FLOAT32);
  EXPECT_EQ(request->guidance_logits().rows(), 1);
  EXPECT_EQ(request->guidance_logits().columns(), 2);
  const float expected[] = {5, 6};
  ASSERT_EQ(request->guidance_logits().inline_bytes().size(), 8u);
  EXPECT_EQ(std::memcmp(request->guidance_logits().inline_bytes().data(), expected, 8), 0);
}

std::string ErrorOf(SampleRequestBuilder& builder) {
  builder.AddRow(0);
  return std::string(builder.Build().status().message());
}

TEST(SampleRequestBuilder, TheFirstMistakeIsReturned) {
  SampleRequestBuilder sizes;
  sizes.Float32Logits({1, 2, 3, 4, 5}, 2).Chain("nonsense");
  EXPECT_EQ(ErrorOf(sizes), "the logits are 20 bytes; [2, 2] of 4 bytes each is needed");
  SampleRequestBuilder none;
  EXPECT_EQ(ErrorOf(none), "no logits; call Float32Logits or LogitsBytes");
  SampleRequestBuilder empty;
  empty.Float32Logits({}, 1);
  EXPECT_EQ(ErrorOf(empty), "the logits are [1, 0]; both must be at least 1");
  SampleRequestBuilder twice;
  twice.Float32Logits({1}, 1).Float32Logits({1}, 1);
  EXPECT_EQ(ErrorOf(twice), "logits were given twice; a request has one matrix");
  SampleRequestBuilder guided;
  guided.Float32Logits({1}, 1).Float32GuidanceLogits({1}, 1).Float32GuidanceLogits({1}, 1);
  EXPECT_EQ(ErrorOf(guided), "guidance logits were given twice");
  SampleRequestBuilder type;
  type.LogitsBytes(v1::ELEMENT_TYPE_INT32, std::string(4, '\0'), 1, 1);
  EXPECT_EQ(ErrorOf(type),
            "the logits' element type is 4; it must be FLOAT32, FLOAT16 or BFLOAT16");
  SampleRequestBuilder overflow;  // 2^32 * 2^32 elements would be 0 in 64 bits
  overflow.LogitsBytes(v1::ELEMENT_TYPE_FLOAT16, "", int64_t{1} << 32, int64_t{1} << 32);
  EXPECT_NE(ErrorOf(overflow), "");
}

TEST(SampleRequestBuilder, NoRowsIsAMistake) {
  SampleRequestBuilder builder;
  builder.Float32Logits({1}, 1);
  EXPECT_EQ(builder.Build().status().message(), "no rows; call AddRow");
}

}  // namespace
}  // namespace tessera
