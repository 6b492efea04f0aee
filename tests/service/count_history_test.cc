// Which histories of a verification become counts, and that a call then holds longer ones.
#include "service/count_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "google/protobuf/text_format.h"
#include "service/verification_job.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

// Two drafts over four ids with this target and draft law. Chains: nothing, a penalty, one that
// reads the history in order.
v1::VerifyDraftsRequest OneSequence(const std::string& target,
                                    const std::string& law = "one_hot {}") {
  v1::VerifyDraftsRequest request;
  request.set_vocab_size(4);
  request.add_chains();
  request.add_chains()->add_stages()->mutable_frequency_penalty()->set_penalty(0.5);
  request.add_chains()->add_stages()->mutable_no_repeat_ngram()->set_n(2);
  const std::string text = "method: VERIFICATION_METHOD_TOKEN draft_ids: [1, 2] " + law +
                           " target { seed: 9 position: 5 " + target + " }";
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, request.add_sequences())) << text;
  *request.add_target_logits() = FloatTensor(std::vector<std::vector<float>>(3, {0, 1, 2, 3}));
  if (request.sequences(0).has_draft_logits()) {
    *request.add_draft_logits() = FloatTensor({{0, 1, 2, 3}, {3, 2, 1, 0}});
  }
  return request;
}

std::string Counted(v1::VerifyDraftsRequest request, const Limits& limits = Limits()) {
  std::vector<DecodedChain> chains;
  for (const v1::SamplerChain& chain : request.chains()) chains.push_back(DecodeChain(chain));
  CountHistories(chains, limits, &request);
  std::string text;
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.PrintToString(request.sequences(0).target().history(), &text);
  return text;
}

TEST(CountHistories, PutsOneCountForEachId) {
  EXPECT_EQ(Counted(OneSequence("chain: 1 history { prompt_ids: [3, 0, -1, 3] "
                                "output_ids: [0, 2, 0, -1] }")),
            "counts { id: 3 prompt_count: 2 } counts { prompt_count: 1 output_count: 2 } "
            "counts { id: 2 output_count: 1 } ");
  EXPECT_EQ(Counted(OneSequence("min_tokens: 3 stop_ids: 0 history { output_ids: [1, 1] }")),
            "counts { id: 1 output_count: 2 } ");
  const std::string counts = "counts { id: 1 output_count: 2 } counts { prompt_count: 1 } ";
  EXPECT_EQ(Counted(OneSequence("chain: 1 history { " + counts + "}")), counts);
}

TEST(CountHistories, LeavesWhatIsReadInOrderOrRefused) {
  const std::string ids = "prompt_ids: 1 output_ids: 1 output_ids: 2 ";
  const std::string history = "history { " + ids + "}";
  EXPECT_EQ(Counted(OneSequence("chain: 2 " + history)), ids);
  EXPECT_EQ(Counted(OneSequence("chain: 1 " + history, "draft_logits { chain: 2 }")), ids);
  EXPECT_NE(Counted(OneSequence("chain: 1 " + history, "draft_logits { chain: 0 }")), ids);
  EXPECT_EQ(Counted(OneSequence("chain: 3 " + history)), ids);
  EXPECT_EQ(Counted(OneSequence("chain: 1 " + history, "draft_logits { chain: 3 }")), ids);
  for (const std::string refused :
       {"prompt_ids: 4 ", "output_ids: -2 ", "output_ids: 1 counts { id: 1 } ",
        "counts { id: 1 } counts { id: 1 } ", "output_ids: -1 "}) {
    EXPECT_EQ(Counted(OneSequence("chain: 1 history { " + refused + "}")), refused);
  }
  Limits short_histories;
  short_histories.max_history = 2;
  EXPECT_EQ(Counted(OneSequence("chain: 1 " + history), short_histories), ids);
  v1::VerifyDraftsRequest wide = OneSequence("chain: 1 " + history);
  wide.set_vocab_size(UINT32_MAX);
  EXPECT_EQ(Counted(wide), ids);
}

// A thousand ids of a history, three positions: six ids a position, or 1,002.
TEST(CountHistories, LongHistoriesFitWhereTheirOrderIsNotRead) {
  Limits limits;
  limits.max_sequence_ids = 200;
  std::string history = "history {";
  for (int i = 0; i < 1000; ++i) history += " output_ids: " + std::to_string(i % 4);
  history += " }";
  for (const std::string law : {"one_hot {}", "draft_logits { chain: 1 }"}) {
    v1::VerifyDraftsRequest request = OneSequence("chain: 1 " + history, law);
    const absl::StatusOr<VerificationJob> job = DecodeVerification(&request, limits);
    ASSERT_TRUE(job.ok()) << job.status();
    ASSERT_EQ(job->sequences.size(), 1u) << job->refused[0].message;
    for (size_t position = 0; position < 3; ++position) {
      uint64_t output = 0;
      for (const IdCount& count : job->sequences[0].target[position].counts) {
        output += count.output_count;
      }
      EXPECT_EQ(output, 1000 + position);
    }
  }
  v1::VerifyDraftsRequest ordered = OneSequence("chain: 2 " + history);
  const absl::Status refused = DecodeVerification(&ordered, limits).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("hold 3006 ids, counted once a position"));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("at most 200. Split the batch"));
}

}  // namespace
}  // namespace tessera
