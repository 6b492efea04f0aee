// From the flags of `tessera sample` to the request.
#include "client/cli/sample_flags.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/client/npy_bytes.h"

namespace tessera::cli {
namespace {

absl::StatusOr<FileSample> Build(std::vector<std::string> arguments) {
  SampleFlags wanted;
  Flags flags;
  wanted.Declare(&flags);
  absl::Status status = flags.Parse(arguments);
  status.Update(wanted.Check());
  if (!status.ok()) return status;
  return BuildFileSample(wanted);
}

std::string ThreeRows() {
  return WriteTemp("three.npy", NpyBytes("<f4", 3, 2, "000011112222333344445555"));
}

TEST(SampleFlags, DefaultsSendEveryRowOnce) {
  const auto sample = Build({"--logits", ThreeRows()});
  ASSERT_TRUE(sample.ok()) << sample.status();
  const v1::SampleTokensRequest& request = sample->request;
  EXPECT_EQ(request.vocab_size(), 2u);
  EXPECT_EQ(request.rows_size(), 3);
  EXPECT_EQ(request.chains_size(), 1);
  EXPECT_EQ(request.logits(0).inline_bytes(), "000011112222333344445555");
  EXPECT_EQ(sample->file_rows, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_FALSE(request.rows(0).has_seed());
  EXPECT_FALSE(request.rows(0).has_logprobs());
  EXPECT_EQ(request.rows(0).samples(), 1u);
  EXPECT_TRUE(request.rows(0).has_position());
}

// The seed goes with the row of the file, so that a row draws the same token in any subset.
TEST(SampleFlags, ASubsetKeepsItsSeedsAndSendsOnlyItsBytes) {
  const auto sample = Build({"--logits", ThreeRows(), "--rows", "2,0", "--seed", "40"});
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->request.logits(0).inline_bytes(), "4444555500001111");
  EXPECT_EQ(sample->request.rows(0).seed(), 42u);
  EXPECT_EQ(sample->request.rows(1).seed(), 40u);
}

TEST(SampleFlags, EverythingARowCanCarry) {
  const auto sample = Build({"--logits",
                             ThreeRows(),
                             "--rows=1",
                             "--vocab-size=1",
                             "--samples=4",
                             "--position=9",
                             "--stream=3",
                             "--banned=1-3",
                             "--allowed=0",
                             "--bias=1:2.5,0:-inf",
                             "--prompt=5,6",
                             "--output=7",
                             "--stop=8",
                             "--min-tokens=2",
                             "--output-length=1",
                             "--logprobs=5",
                             "--score=0,1",
                             "--entropy",
                             "--no-support-size",
                             "--logprob-modes=processed,raw",
                             "--rank-rule=ties_against",
                             "--state=mirostat=4.5",
                             "--chain=logit_bias,temperature=0.7"});
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->request.chains(0).stages_size(), 2);
  EXPECT_EQ(sample->request.vocab_size(), 1u);
  const v1::SampleRow& row = sample->request.rows(0);
  EXPECT_EQ(row.samples(), 4u);
  EXPECT_EQ(row.position(), 9u);
  EXPECT_EQ(row.stream(), 3u);
  EXPECT_EQ(row.banned_ids_size(), 3);
  EXPECT_EQ(row.allowed().ids_size(), 1);
  EXPECT_EQ(row.bias(0).id(), 1);
  EXPECT_EQ(row.bias(0).value(), 2.5f);
  EXPECT_EQ(row.history().prompt_ids_size(), 2);
  EXPECT_EQ(row.history().output_ids(0), 7);
  EXPECT_EQ(row.stop_ids(0), 8);
  EXPECT_EQ(row.min_tokens(), 2u);
  EXPECT_EQ(row.output_length(), 1u);
  EXPECT_EQ(row.logprobs().top_n(), 5u);
  EXPECT_EQ(row.logprobs().rank_rule(), v1::RANK_RULE_TIES_AGAINST);
  EXPECT_EQ(row.state().mirostat().mu(), 4.5);
  EXPECT_FALSE(sample->request.has_guidance_logits());
  ASSERT_EQ(row.logprobs().modes_size(), 2);
  EXPECT_EQ(row.logprobs().modes(0), v1::LOGPROB_MODE_PROCESSED);
  EXPECT_EQ(row.logprobs().entropy_modes_size(), 2);
  EXPECT_EQ(row.score_ids_size(), 2);
  EXPECT_FALSE(row.return_support_size());
}

TEST(SampleFlags, GuidanceLogitsGoRowForRow) {
  const std::string guidance =
      WriteTemp("guidance.npy", NpyBytes("<f4", 3, 2, "aaaabbbbccccddddeeeeffff"));
  const auto sample = Build({"--logits", ThreeRows(), "--rows=2,0", "--guidance-logits", guidance});
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->request.logits(0).inline_bytes(), "4444555500001111");
  EXPECT_EQ(sample->request.guidance_logits().inline_bytes(), "eeeeffffaaaabbbb");
  EXPECT_EQ(sample->request.guidance_logits().columns(), 2);
}

TEST(SampleFlags, ScoringAloneAsksForRawLogprobsAndNoSeed) {
  const auto sample = Build({"--logits", ThreeRows(), "--samples=0", "--score=1", "--seed=1"});
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->request.rows(0).logprobs().modes(0), v1::LOGPROB_MODE_RAW);
  EXPECT_FALSE(sample->request.rows(0).has_seed());
}

TEST(SampleFlags, MistakesAreNamed) {
  const std::string path = ThreeRows();
  EXPECT_EQ(Build({}).status().message(), "--logits FILE is needed");
  EXPECT_EQ(Build({"--logits", path, "--shape=3,2"}).status().message(),
            "--shape says the file is raw, so --dtype is needed too");
  EXPECT_EQ(Build({"--logits", path, "--rows=3"}).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Build({"--logits", path, "--shape=3"}).status().message(),
            "--shape is '3'; it must be ROWS,COLUMNS, both at least 1");
  EXPECT_EQ(Build({"--logits", path, "--dtype=f32"}).status().message(),
            "--dtype is 'f32'; it must be one of fp32, fp16, bf16");
  EXPECT_TRUE(absl::StrContains(Build({"--logits", path, "--chain=top_q=1"}).status().message(),
                                "--chain chain stage 1"));
  EXPECT_EQ(Build({"--logits", path, "--rank-rule=fair"}).status().message(),
            "--rank-rule is 'fair'; it must be strict or ties_against");
  EXPECT_TRUE(absl::StrContains(
      Build({"--logits", path, "--logprob-modes=cooked"}).status().message(), "raw_masked"));
}

}  // namespace
}  // namespace tessera::cli
