// Histories that stages read in order, and guidance rows: what of a request reaches the row, and
// what is refused.
#include "service/decode_past.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "service/decode_request.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kBadWords[] =
    "stages { bad_words { words { ids: [1, 2] } scope: PENALTY_SCOPE_PROMPT_AND_OUTPUT } }";

// A job for the one row, which must not be refused. Keeps its request.
class DecodePastOf {
 public:
  DecodePastOf(const std::string& chain, const std::string& row)
      : request_(OneRowRequest(chain, "seed: 1 position: 0 " + row)) {
    absl::StatusOr<Job> job = DecodeRequest(request_, Limits());
    EXPECT_TRUE(job.ok()) << job.status();
    EXPECT_TRUE(job->refused.empty()) << job->refused[0].message;
    job_ = *std::move(job);
  }

  const RowInput& row() const { return job_.rows.at(0); }

 private:
  v1::SampleTokensRequest request_;
  Job job_;
};

std::vector<std::pair<TokenId, float>> Pairs(absl::Span<const Bias> list) {
  std::vector<std::pair<TokenId, float>> pairs;
  for (const Bias& bias : list) pairs.push_back({bias.id, bias.value});
  return pairs;
}

TEST(DecodePast, PromptComesBeforeOutputAndPaddingIsSkipped) {
  EXPECT_THAT(
      DecodePastOf(kBadWords, "history { prompt_ids: [2, 1, -1] output_ids: [-1] }").row().banned,
      ElementsAre(2));
  EXPECT_THAT(DecodePastOf(kBadWords, "history { prompt_ids: [1] output_ids: [2] }").row().banned,
              IsEmpty());
  EXPECT_THAT(
      DecodePastOf(kBadWords, "history { prompt_ids: [2] output_ids: [-1, 1] }").row().banned,
      ElementsAre(2));
}

TEST(DecodePast, AnAbsentHistoryIsEmpty) {
  EXPECT_THAT(DecodePastOf(kBadWords, "").row().banned, IsEmpty());
  EXPECT_THAT(DecodePastOf("stages { bad_words { words { ids: 3 } } }", "").row().banned,
              ElementsAre(3))
      << "a word of one id needs none";
}

TEST(DecodePast, BansJoinTheRowsOwnAndThoseOfMinTokens) {
  EXPECT_THAT(
      DecodePastOf(kBadWords, "history { output_ids: 1 } banned_ids: 0 stop_ids: 3 min_tokens: 2")
          .row()
          .banned,
      UnorderedElementsAre(0, 2, 3));
}

TEST(DecodePast, AdditionsAreNumberedAsInTheChain) {
  const DecodePastOf past(
      "stages { sequence_bias { sequences { ids: [1, 2] bias: -2.5 } } }"
      "stages { dry { multiplier: 2 base: 1 allowed_length: 1 } }"
      "stages { watermark { gamma: 0.5 delta: 1 key: 5 } }",
      "history { output_ids: [1, 3, 1] }");
  ASSERT_EQ(past.row().plan->additions, 2);
  EXPECT_THAT(Pairs(past.row().additions[0]), ElementsAre(std::pair(2, -2.5f)));
  EXPECT_THAT(Pairs(past.row().additions[1]), ElementsAre(std::pair(3, -2.0f)));
  EXPECT_THAT(past.row().green, testing::SizeIs(1));
}

TEST(DecodePast, PenaltiesCountTheSameHistory) {
  const DecodePastOf past(
      "stages { frequency_penalty { penalty: 1 } } stages { no_repeat_ngram { n: 2 } }",
      "history { prompt_ids: [2, 3] output_ids: [2] }");
  EXPECT_THAT(past.row().banned, ElementsAre(3));
  ASSERT_EQ(past.row().counts.size(), 2u);
}

// Why the row is refused.
std::string RefusalOf(const v1::SampleTokensRequest& request) {
  const absl::StatusOr<Job> job = DecodeRequest(request, Limits());
  EXPECT_TRUE(job.ok()) << job.status();
  return job->refused.empty() ? "" : job->refused[0].message;
}

std::string RefusalOf(const std::string& chain, const std::string& row) {
  return RefusalOf(OneRowRequest(chain, "seed: 1 position: 0 " + row));
}

TEST(DecodePast, CountsHaveNoOrder) {
  EXPECT_THAT(RefusalOf(kBadWords, "history { counts { id: 1 output_count: 1 } }"),
              HasSubstr("rows[0].history holds counts, but chains[0] has a stage that looks for "
                        "sequences"));
  // Off, it looks for none.
  EXPECT_EQ(RefusalOf("stages { no_repeat_ngram { n: 0 } }",
                      "history { counts { id: 1 output_count: 1 } }"),
            "");
}

TEST(DecodePast, RefusesSequencesThatTheVocabularyCannotEnd) {
  EXPECT_EQ(RefusalOf("stages { top_k { k: 0 } } stages { bad_words { words { ids: 3 } "
                      "words { ids: [1, 4] } } }",
                      ""),
            "chains[0].stages[1].bad_words.words[1] ends in id 4; it must be below the "
            "vocabulary's 4");
  EXPECT_THAT(RefusalOf("stages { bad_words { words { ids: -1 } } }", ""),
              testing::StartsWith("chains[0].stages[0].bad_words.words[0]"));
  EXPECT_THAT(RefusalOf("stages { bad_words { words { } } }", ""),
              testing::StartsWith("chains[0].stages[0].bad_words.words[0]"));
  EXPECT_THAT(RefusalOf("stages { sequence_bias { sequences { ids: 1 bias: nan } } }", ""),
              testing::StartsWith("chains[0].stages[0].sequence_bias.sequences[0]"));
  EXPECT_THAT(RefusalOf(kBadWords, "history { output_ids: 4 }"),
              testing::StartsWith("rows[0].history.output_ids[0] is 4; it must be in [0, 4)"));
}

// A chain of 200 kilobytes of single ids, named by every row, would be gigabytes of bans.
TEST(DecodePast, ListsAreCountedOnceARow) {
  v1::SampleTokensRequest request = OneRowRequest("", "seed: 1 position: 0 logits_row: 0");
  v1::BadWords* bad = request.mutable_chains(0)->add_stages()->mutable_bad_words();
  for (int i = 0; i < 1000; ++i) bad->add_words()->add_ids(i % 4);
  for (int i = 1; i < 20; ++i) *request.add_rows() = request.rows(0);
  Limits limits;
  limits.max_sequence_ids = 20'000;
  const absl::StatusOr<Job> job = DecodeRequest(request, limits);
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->rows.size(), 20u);
  EXPECT_THAT(job->rows[0].banned, ElementsAre(0, 1, 2, 3)) << "each id once";
  *request.add_rows() = request.rows(0);
  const absl::Status status = DecodeRequest(request, limits).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("hold 21000 ids in lists of words and sequences, counted once a row (a "
                        "watermark counts as vocab_size / 32); one call may hold at most 20000"));
}

v1::SampleTokensRequest Guided(const std::string& chain, const std::string& row) {
  v1::SampleTokensRequest request = OneRowRequest(chain, "seed: 1 position: 0 " + row);
  *request.mutable_guidance_logits() = FloatTensor({{3, 2, 1, 0}, {1, 1, 1, 1}});
  return request;
}

constexpr char kGuidance[] = "stages { guidance { scale: 1.5 } }";

TEST(DecodeGuidance, ReachesTheRow) {
  const auto request = Guided(kGuidance, "guidance_row: 1");
  const absl::StatusOr<Job> job = DecodeRequest(request, Limits());
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_TRUE(job->refused.empty()) << job->refused[0].message;
  EXPECT_EQ(job->rows[0].guidance_row, 1);
  EXPECT_EQ(job->guidance.rows, 2);
  EXPECT_EQ(static_cast<const void*>(job->guidance.data),
            request.guidance_logits().inline_bytes().data());
  const auto implied = Guided(kGuidance, "");
  EXPECT_EQ(DecodeRequest(implied, Limits())->rows.at(0).guidance_row, 0) << "its own index";
}

TEST(DecodeGuidance, RefusesRowsThatAreNotThere) {
  EXPECT_EQ(RefusalOf(kGuidance, ""),
            "rows[0].guidance_row is 0 (by default the row's own index), but the request has no "
            "rows of guidance_logits");
  EXPECT_EQ(RefusalOf(Guided(kGuidance, "guidance_row: 2")),
            "rows[0].guidance_row is 2; it must be below 2, the rows of guidance_logits");
  EXPECT_EQ(RefusalOf(Guided("", "guidance_row: 0")),
            "rows[0].guidance_row is 0, but chains[0] has no guidance stage to read it");
  EXPECT_EQ(RefusalOf("stages { guidance { scale: 1 } }", ""), "") << "off";
}

TEST(DecodeGuidance, TheMatrixMustFitTheLogits) {
  const auto refused = [](auto bend) {
    v1::SampleTokensRequest request = Guided(kGuidance, "");
    bend(request.mutable_guidance_logits());
    return std::string(DecodeRequest(request, Limits()).status().message());
  };
  EXPECT_EQ(refused([](v1::Tensor* t) {
              *t = FloatTensor({{1, 2, 3}});
            }),
            "guidance_logits.columns is 3; it must be 4, the columns of logits");
  EXPECT_EQ(refused([](v1::Tensor* t) {
              t->set_element_type(v1::ELEMENT_TYPE_FLOAT16);
              t->mutable_inline_bytes()->resize(16);
            }),
            "guidance_logits.element_type is ELEMENT_TYPE_FLOAT16; it must be that of logits, "
            "ELEMENT_TYPE_FLOAT32");
  EXPECT_EQ(refused([](v1::Tensor* t) { t->set_element_type(v1::ELEMENT_TYPE_INT32); }),
            "guidance_logits.element_type is 4; it must be FLOAT32, FLOAT16 or BFLOAT16");
  EXPECT_THAT(refused([](v1::Tensor* t) { t->mutable_inline_bytes()->pop_back(); }),
              HasSubstr("guidance_logits.inline_bytes holds 31 bytes"));
}

}  // namespace
}  // namespace tessera
