// What a row of a request becomes, field by field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "service/decode_request.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Makes the row use chain 1 (all stages) and gives it what a row that draws needs.
void Draw(v1::SampleRow* row) {
  row->set_chain(1);
  row->set_seed(7);
  row->set_position(0);
}

// A job for the one row that `fill` wrote; `request` must outlive it.
Job DecodeOne(v1::SampleTokensRequest* request, const std::function<void(v1::SampleRow*)>& fill) {
  request->mutable_rows()->Clear();
  fill(request->add_rows());
  absl::StatusOr<Job> job = DecodeRequest(*request, Limits());
  EXPECT_TRUE(job.ok()) << job.status();
  EXPECT_TRUE(job->refused.empty()) << job->refused[0].message;
  return *std::move(job);
}

TEST(DecodeRow, CarriesEveryFieldOver) {
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_grammar() = WordTensor({{1}, {10}});
  const Job job = DecodeOne(&request, [](v1::SampleRow* row) {
    Draw(row);
    row->set_logits_row(2);
    row->set_seed(0xFFFFFFFFFFFFFFFF);
    row->set_position(11);
    row->set_stream(12);
    row->set_samples(13);
    row->set_grammar_row(1);
    row->mutable_allowed();
    row->add_banned_ids(3);
    v1::TokenBias* bias = row->add_bias();
    bias->set_id(2);
    bias->set_value(-kInfinity);
    row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
    row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_PROCESSED);
    row->mutable_logprobs()->add_entropy_modes(v1::LOGPROB_MODE_PROCESSED);
    row->mutable_logprobs()->set_top_n(128);
    row->add_score_ids(1);
    row->add_score_ids(0);
    row->set_return_support_size(true);
  });
  const RowInput& row = job.rows.at(0);
  EXPECT_EQ(row.logits_row, 2);
  EXPECT_EQ(row.seed, 0xFFFFFFFFFFFFFFFF);
  EXPECT_EQ(row.position, 11u);
  EXPECT_EQ(row.stream, 12u);
  EXPECT_EQ(row.samples, 13u);
  EXPECT_THAT(row.grammar, ElementsAre(10u));
  EXPECT_TRUE(row.has_allowed);
  EXPECT_TRUE(row.allowed.empty());
  EXPECT_THAT(row.banned, ElementsAre(3));
  ASSERT_EQ(row.bias.size(), 1u);
  EXPECT_EQ(row.bias[0].id, 2);
  EXPECT_EQ(row.bias[0].value, -kInfinity);
  EXPECT_EQ(row.logprob_modes, 0b1001);
  EXPECT_EQ(row.entropy_modes, 0b1000);
  EXPECT_EQ(row.top_logprobs, 128u);
  EXPECT_THAT(row.score_ids, ElementsAre(1, 0));
  EXPECT_TRUE(row.want_support_size);
  EXPECT_TRUE(job.unseeded.empty());
}

TEST(DecodeRow, CountsHistoryWithoutItsPadding) {
  v1::SampleTokensRequest request = SmallRequest();
  const Job job = DecodeOne(&request, [](v1::SampleRow* row) {
    Draw(row);
    for (int id : {2, -1, 2, 1}) row->mutable_history()->add_prompt_ids(id);
    for (int id : {1, 3, -1}) row->mutable_history()->add_output_ids(id);
  });
  std::vector<std::tuple<int, int, int>> counts;
  for (const IdCount& c : job.rows.at(0).counts) {
    counts.push_back({c.id, c.prompt_count, c.output_count});
  }
  EXPECT_THAT(counts,
              UnorderedElementsAre(std::tuple(2, 2, 0), std::tuple(1, 1, 1), std::tuple(3, 0, 1)));
}

// A bias that the plan dropped as a no-op is still one the chain has a stage for.
TEST(DecodeRow, AcceptsHistoryForAPenaltyThatIsOff) {
  v1::SampleTokensRequest request = SmallRequest();
  request.add_chains()->add_stages()->mutable_repetition_penalty()->set_penalty(1);
  DecodeOne(&request, [](v1::SampleRow* row) {
    Draw(row);
    row->set_chain(2);
    row->mutable_history()->add_output_ids(1);
  });
}

TEST(DecodeRow, HoldsStopIdsBackUntilTheOutputIsLongEnough) {
  struct Case {
    const char* story;
    std::function<void(v1::SampleRow*)> past;
    bool held;
  };
  const Case cases[] = {
      {"nothing drawn yet", [](auto*) {}, true},
      {"one output id, prompt and padding do not count",
       [](auto* row) {
         row->mutable_history()->add_prompt_ids(1);
         row->mutable_history()->add_output_ids(1);
         row->mutable_history()->add_output_ids(-1);
       },
       true},
      {"two output ids",
       [](auto* row) {
         row->mutable_history()->add_output_ids(1);
         row->mutable_history()->add_output_ids(1);
       },
       false},
      {"counts say two",
       [](auto* row) { row->mutable_history()->add_counts()->set_output_count(2); }, false},
      {"told: one", [](auto* row) { row->set_output_length(1); }, true},
      {"told: two", [](auto* row) { row->set_output_length(2); }, false},
  };
  for (const Case& c : cases) {
    v1::SampleTokensRequest request = SmallRequest();
    const Job job = DecodeOne(&request, [&c](v1::SampleRow* row) {
      row->set_min_tokens(2);
      row->add_stop_ids(3);
      row->add_banned_ids(0);
      c.past(row);
    });
    if (c.held) {
      EXPECT_THAT(job.rows.at(0).banned, UnorderedElementsAre(0, 3)) << c.story;
    } else {
      EXPECT_THAT(job.rows.at(0).banned, ElementsAre(0)) << c.story;
    }
  }
}

TEST(DecodeRow, OnlyRowsThatDrawNeedSeedAndPosition) {
  v1::SampleTokensRequest request = SmallRequest();
  EXPECT_TRUE(DecodeOne(&request, [](v1::SampleRow*) {}).unseeded.empty()) << "greedy";
  EXPECT_TRUE(DecodeOne(&request,
                        [](v1::SampleRow* row) {
                          row->set_chain(1);
                          row->set_samples(0);
                        })
                  .unseeded.empty())
      << "scores only";
  EXPECT_THAT(DecodeOne(&request,
                        [](v1::SampleRow* row) {
                          row->set_chain(1);
                          row->set_position(0);
                        })
                  .unseeded,
              ElementsAre(0u));
}

}  // namespace
}  // namespace tessera
