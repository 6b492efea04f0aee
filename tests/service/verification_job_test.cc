// What refuses a verification, or one of its sequences, and what its rows become.
#include "service/verification_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "google/protobuf/text_format.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kNodes = 3;

// Two sequences of three drafts over four ids. Chains: all, a penalty, a rewriting one, one
// refused.
v1::VerifyDraftsRequest TwoSequences(const std::string& first) {
  v1::VerifyDraftsRequest request;
  request.set_vocab_size(4);
  request.add_chains();
  request.add_chains()->add_stages()->mutable_frequency_penalty()->set_penalty(0.5);
  v1::Xtc* xtc = request.add_chains()->add_stages()->mutable_xtc();
  xtc->set_probability(0.5);
  xtc->set_threshold(0.1);
  request.add_chains()->add_stages()->mutable_top_p()->set_p(2);
  const std::string rest = "method: VERIFICATION_METHOD_TREE draft_ids: [1, 2, 3] one_hot {} ";
  for (const std::string& text : {first, rest + "target { position: 5 seed: 9 }"}) {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, request.add_sequences()))
        << text;
  }
  *request.add_target_logits() =
      FloatTensor(std::vector<std::vector<float>>(2 * (kNodes + 1), {0, 1, 2, 3}));
  *request.add_draft_logits() = FloatTensor({{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 0, 0, 0}});
  return request;
}

// A chain of three drafts with `more`.
std::string Chain(const std::string& more, const std::string& target = "position: 5 seed: 9",
                  const std::string& method = "TOKEN") {
  return "method: VERIFICATION_METHOD_" + method + " draft_ids: [1, 2, 3] " + more + " target { " +
         target + " }";
}

const char kLogits[] = "draft_logits { chain: 0 }";

absl::StatusOr<VerificationJob> Decode(v1::VerifyDraftsRequest* request) {
  // Whether or not a sequence needs them, draft logits must have one that reads them.
  bool reads = false;
  for (const auto& sequence : request->sequences()) reads = reads || sequence.has_draft_logits();
  if (!reads) request->clear_draft_logits();
  return DecodeVerification(request, Limits());
}

TEST(VerificationJob, SequencesAtFaultFailAlone) {
  const struct {
    std::string sequence;
    const char* message;
  } kCases[] = {
      {Chain("one_hot {} parents: [-1, 0]"),
       "sequences[0].parents holds 2 entries; it must hold 3"},
      {Chain("one_hot {} parents: [-1, 1, 0]", "position: 5", "TREE"),
       "sequences[0].parents[1] is 1; it must be -1 or an earlier node"},
      {Chain("one_hot {} parents: [-1, 0, 0]"), "sequences[0].parents[2] is 0, but method "},
      {Chain(""), "sequences[0].draft_law is absent"},
      {Chain(kLogits, "seed: 9"), "sequences[0].target.position is absent"},
      {Chain(kLogits, "position: 5 samples: 1"), "sequences[0].target.samples is set"},
      {Chain(kLogits, "position: 5 chain: 2"), "chains[2].stages[0] (xtc) "},
      {Chain(kLogits, "position: 5 chain: 3"), "chains[3].stages[0].top_p.p is 2"},
      {Chain(kLogits, "position: 5 chain: 4"),
       "sequences[0].target.chain is 4; it must be below 4"},
      {Chain(kLogits, "position: 5 chain: 1 history { output_ids: 4 }"),
       "sequences[0].target.history.output_ids[0] is 4; it must be in [0, 4)"},
      {Chain("draft_logits { chain: 2 }"), "chains[2].stages[0] (xtc) "},
      {Chain("draft_logits { chain: 4 }"), "sequences[0].draft_logits.chain is 4"},
      {Chain("draft_logits { chain: 0 first_row: 1 }"), "sequences[0].draft_logits: "},
      {Chain("sparse { offsets: [0, 1, 2] ids: [1, 2] weights: [1, 1] }"),
       "sequences[0].sparse.offsets holds 3 entries; it must hold 4"},
      {Chain("sparse { offsets: [0, 1, 2, 4] ids: [1, 2, 3, 3] weights: [1, 1, 1, 1] }"),
       "sequences[0].sparse.ids names id 3 twice"},
      {Chain("sparse { offsets: [0, 1, 2, 3] ids: [1, 2, 3] probabilities: [1, 1, nan] }"),
       "sequences[0].sparse.probabilities[2] is nan; it must be in [0, 1]"},
      {Chain("sparse { offsets: [0, 1, 2, 3] ids: [1, 2, 3] weights: [1, 1, 0] }"),
       "sequences[0].sparse entries 2 to 2 of one position are all 0"},
  };
  for (const auto& one : kCases) {
    v1::VerifyDraftsRequest request = TwoSequences(one.sequence);
    const absl::StatusOr<VerificationJob> job = Decode(&request);
    ASSERT_TRUE(job.ok()) << one.sequence << job.status();
    ASSERT_EQ(job->refused.size(), 1u) << one.sequence;
    EXPECT_EQ(job->refused[0].row, 0u);
    EXPECT_THAT(job->refused[0].message, ::testing::StartsWith(one.message));
    EXPECT_THAT(job->indices, ElementsAre(1)) << one.sequence;
  }
}

TEST(VerificationJob, CallsThatCannotBeReadFail) {
  Limits few_ids;
  few_ids.max_sequence_ids = 100;
  Limits few_rows;
  few_rows.max_rows = 7;
  v1::VerifyDraftsRequest request = TwoSequences(Chain(kLogits));
  request.mutable_target_logits(0)->set_rows(7);
  EXPECT_THAT(std::string(DecodeVerification(&request, Limits()).status().message()),
              HasSubstr("target_logits[0].rows is 7; it must be 8"));
  request = TwoSequences(Chain(kLogits));
  EXPECT_EQ(DecodeVerification(&request, few_rows).status().code(),
            absl::StatusCode::kResourceExhausted);
  request = TwoSequences(Chain(kLogits));
  for (int i = 0; i < 30; ++i) {
    request.mutable_sequences(0)->mutable_target()->add_banned_ids(0);
  }
  const absl::Status many = DecodeVerification(&request, few_ids).status();
  EXPECT_EQ(many.code(), absl::StatusCode::kResourceExhausted);
  request = TwoSequences(Chain(kLogits));
  request.clear_target_logits();
  EXPECT_THAT(std::string(DecodeVerification(&request, Limits()).status().message()),
              HasSubstr("target_logits"));
  request = TwoSequences(Chain("one_hot {}"));
  EXPECT_THAT(std::string(DecodeVerification(&request, Limits()).status().message()),
              HasSubstr("no sequence has draft_logits"));
}

TEST(VerificationJob, EachPositionSeesTheDraftsBeforeIt) {
  v1::VerifyDraftsRequest request =
      TwoSequences(Chain("draft_logits { chain: 1 } parents: [-1, 0, 0]",
                         "position: 5 seed: 9 chain: 1 history { output_ids: [1, 3] }", "TREE"));
  const absl::StatusOr<VerificationJob> job = Decode(&request);
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_EQ(job->sequences.size(), 2u) << job->refused[0].message;
  const DraftedSequence& sequence = job->sequences[0];
  const auto counted = [](const RowInput& row) {
    std::vector<uint32_t> counts(4);
    for (const IdCount& count : row.counts) counts[count.id] = count.output_count;
    return counts;
  };
  ASSERT_EQ(sequence.target.size(), 4u);
  EXPECT_THAT(counted(sequence.target[0]), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(counted(sequence.target[1]), ElementsAre(0, 2, 0, 1));
  EXPECT_THAT(counted(sequence.target[2]), ElementsAre(0, 2, 1, 1));
  EXPECT_THAT(counted(sequence.target[3]), ElementsAre(0, 2, 0, 2));
  ASSERT_EQ(sequence.draft.size(), 2u) << "of the root and of node 0";
  EXPECT_THAT(counted(sequence.draft[0]), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(counted(sequence.draft[1]), ElementsAre(0, 2, 0, 1));
  EXPECT_EQ(sequence.draft[1].logits_row, 1);
  EXPECT_EQ(job->sequences[1].target[3].logits_row, 7);
  EXPECT_EQ(sequence.seed, 9u);
  EXPECT_EQ(sequence.position, 5u);
}

TEST(VerificationJob, CountsAndMinimumLengthsGrowToo) {
  v1::VerifyDraftsRequest request =
      TwoSequences(Chain("one_hot {}",
                         "position: 5 seed: 9 chain: 1 min_tokens: 4 stop_ids: 0 "
                         "history { counts { id: 1 output_count: 2 } }"));
  const absl::StatusOr<VerificationJob> job = Decode(&request);
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_EQ(job->sequences.size(), 2u) << job->refused[0].message;
  const absl::Span<const RowInput> rows = job->sequences[0].target;
  EXPECT_THAT(rows[1].banned, ElementsAre(0));
  EXPECT_TRUE(rows[2].banned.empty()) << "two tokens and two drafts are four";
  ASSERT_EQ(rows[3].counts.size(), 3u);
  EXPECT_EQ(rows[3].counts[0].output_count, 3u);
}

TEST(VerificationJob, TheLongestOutputDoesNotBecomeAShortOne) {
  v1::VerifyDraftsRequest request = TwoSequences(Chain(
      "one_hot {}", "position: 5 seed: 9 min_tokens: 4 stop_ids: 0 output_length: 4294967295"));
  const absl::StatusOr<VerificationJob> job = Decode(&request);
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_EQ(job->sequences.size(), 2u) << job->refused[0].message;
  for (const RowInput& row : job->sequences[0].target) EXPECT_TRUE(row.banned.empty());
}

TEST(VerificationJob, AnIdOutsideTheVocabularyEndsTheList) {
  for (const int32_t end : {-1, 4, INT32_MIN, INT32_MAX}) {
    v1::VerifyDraftsRequest request = TwoSequences(Chain(kLogits));
    request.mutable_sequences(0)->set_draft_ids(1, end);
    const absl::StatusOr<VerificationJob> job = Decode(&request);
    ASSERT_TRUE(job.ok()) << job.status();
    ASSERT_EQ(job->sequences.size(), 2u) << job->refused[0].message;
    EXPECT_THAT(job->sequences[0].ids, ElementsAre(1));
    EXPECT_EQ(job->sequences[0].target.size(), 2u);
    EXPECT_EQ(job->sequences[1].target[0].logits_row, 4) << "its rows are still there";
  }
}

TEST(VerificationJob, SparseLawsAreSortedAndRounded) {
  v1::VerifyDraftsRequest request =
      TwoSequences(Chain("sparse { offsets: [0, 3, 4, 5] ids: [3, 0, 1, 2, 2] "
                         "probabilities: [0.25, 0.5, 1e-30, 1, 5.684341886080802e-14] }"));
  const absl::StatusOr<VerificationJob> job = Decode(&request);
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_EQ(job->sequences.size(), 2u) << job->refused[0].message;
  const auto laws = job->sequences[0].sparse;
  ASSERT_EQ(laws.size(), 3u);
  ASSERT_EQ(laws[0].size(), 2u) << "what weighs nothing is left out";
  EXPECT_EQ(laws[0][0].id, 0);
  EXPECT_EQ(laws[0][0].weight, uint64_t{1} << 43);
  EXPECT_EQ(laws[0][1].id, 3);
  EXPECT_EQ(laws[1][0].weight, uint64_t{1} << 44);
  EXPECT_EQ(laws[2][0].weight, 1u);
}

}  // namespace
}  // namespace tessera
