// The state of a chain's stage or generator: in with the row, out with the response, refused where
// the chain has no use for it or a draw could not be repeated from it.
#include "service/decode_state.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/random_words.h"
#include "service/decode_request.h"
#include "service/encode.h"
#include "service/seeds.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

constexpr char kMirostat[] = "stages { mirostat_v2 { tau: 5 eta: 0.1 } }";
constexpr char kAdaptive[] = "stages { adaptive_p { target: 0.5 decay: 0.9 } }";
constexpr char kXorshift[] = "stages { draw_rule { generator: GENERATOR_XORSHIFT64 } }";
constexpr char kMt19937[] = "stages { draw_rule { generator: GENERATOR_MT19937 } }";
constexpr char kPlain[] = "stages { top_k { k: 2 } }";
constexpr char kDraw[] = "seed: 7 position: 3 ";

const struct {
  const char* name;
  const char* chain;
  const char* row;
  const char* message;
} kBad[] = {
    {"MirostatWithoutItsStage", kPlain, "state { mirostat { mu: 5 } }",
     "rows[0].state.mirostat is given, but chains[0] has no mirostat_v1 or mirostat_v2"},
    {"AdaptiveForMirostat", kMirostat, "state { adaptive_p { weighted_sum: 1 total_weight: 2 } }",
     "rows[0].state.adaptive_p is given, but chains[0] has no adaptive_p"},
    {"XorshiftWithoutItsGenerator", kMt19937, "state { xorshift64: 5 }",
     "rows[0].state.xorshift64 is given, but chains[0] has no draw_rule with the generator "
     "XORSHIFT64"},
    {"MuAbsent", kMirostat, "state { mirostat { } }",
     "rows[0].state.mirostat.mu is absent; it is required"},
    {"MuNaN", kMirostat, "state { mirostat { mu: nan } }",
     "rows[0].state.mirostat.mu is nan; it must be in [-2^40, 2^40]"},
    {"MuInfinite", kMirostat, "state { mirostat { mu: -inf } }",
     "rows[0].state.mirostat.mu is -inf; it must be in"},
    {"MuHuge", kMirostat, "state { mirostat { mu: 1e13 } }",
     "rows[0].state.mirostat.mu is 1e+13; it must be in"},
    {"SumAbsent", kAdaptive, "state { adaptive_p { total_weight: 2 } }",
     "rows[0].state.adaptive_p.weighted_sum is absent; it is required"},
    {"SumNegative", kAdaptive, "state { adaptive_p { weighted_sum: -1 total_weight: 2 } }",
     "rows[0].state.adaptive_p.weighted_sum is -1; it must be in [0, 1024]"},
    {"SumNaN", kAdaptive, "state { adaptive_p { weighted_sum: nan total_weight: 2 } }",
     "rows[0].state.adaptive_p.weighted_sum is nan; it must be in [0, 1024]"},
    {"WeightAbsent", kAdaptive, "state { adaptive_p { weighted_sum: 1 } }",
     "rows[0].state.adaptive_p.total_weight is absent; it is required"},
    {"WeightZero", kAdaptive, "state { adaptive_p { weighted_sum: 0 total_weight: 0 } }",
     "rows[0].state.adaptive_p.total_weight is 0; it must be in [1, 1024]"},
    {"WeightInfinite", kAdaptive, "state { adaptive_p { weighted_sum: 0 total_weight: inf } }",
     "rows[0].state.adaptive_p.total_weight is inf; it must be in [1, 1024]"},
    {"XorshiftZero", kXorshift, "state { xorshift64: 0 }",
     "rows[0].state.xorshift64 is 0, which the generator never leaves; it must be above 0"},
    {"SamplesOfMirostat", kMirostat, "samples: 2",
     "rows[0].samples is 2; it must be at most 1 where chains[0] has a stage with a state"},
    {"SamplesOfAdaptive", kAdaptive, "samples: 128",
     "rows[0].samples is 128; it must be at most 1 where chains[0] has a stage with a state"},
    {"SamplesOfXorshift", kXorshift, "samples: 2",
     "rows[0].samples is 2; it must be at most 1 where chains[0] names a generator other than "
     "PHILOX"},
    {"SamplesOfMt19937", kMt19937, "samples: 2", "rows[0].samples is 2; it must be at most 1"},
    {"StreamOfMt19937", kMt19937, "stream: 1",
     "rows[0].stream is 1; it must be 0 where chains[0] names a generator other than PHILOX"},
    {"PositionOfMt19937", kMt19937, "position: 131072",
     "rows[0].position is 131072; it must be at most 131071 where the generator is MT19937"},
    {"SeedOfXorshift", kXorshift, "seed: 0", "rows[0].seed is 0, which XORSHIFT64 never leaves"},
};

TEST(DecodeState, RefusesWhatItCannotUse) {
  for (const auto& bad : kBad) {
    // The later number wins in protobuf's wire format, so parse the two parts one after the other.
    v1::SampleTokensRequest request = OneRowRequest(bad.chain, kDraw);
    request.mutable_rows(0)->MergeFrom(OneRowRequest("", bad.row).rows(0));
    const absl::StatusOr<Job> job = DecodeRequest(request, Limits());
    ASSERT_TRUE(job.ok()) << job.status();
    ASSERT_EQ(job->refused.size(), 1u) << bad.name;
    EXPECT_EQ(job->refused[0].message.substr(0, std::string(bad.message).size()), bad.message);
  }
}

// A job for the one row.
Job Decoded(const v1::SampleTokensRequest& request) {
  absl::StatusOr<Job> job = DecodeRequest(request, Limits());
  EXPECT_TRUE(job.ok()) << job.status();
  EXPECT_TRUE(job->refused.empty()) << job->refused[0].message;
  return *std::move(job);
}

TEST(DecodeState, CarriesStatesOver) {
  const auto mirostat =
      OneRowRequest(kMirostat, "seed: 7 position: 3 state { mirostat { mu: -0.5 } }");
  const Job of_mirostat = Decoded(mirostat);
  EXPECT_TRUE(of_mirostat.rows[0].has_state);
  EXPECT_EQ(of_mirostat.rows[0].state[0], -0.5);
  const auto adaptive = OneRowRequest(
      kAdaptive, "position: 3 state { adaptive_p { weighted_sum: 0 total_weight: 1024 } }");
  const Job of_adaptive = Decoded(adaptive);
  EXPECT_TRUE(of_adaptive.rows[0].has_state);
  EXPECT_EQ(of_adaptive.rows[0].state[0], 0);
  EXPECT_EQ(of_adaptive.rows[0].state[1], 1024);
  const auto none = OneRowRequest(kMirostat, "seed: 7 position: 3 state { }");
  EXPECT_FALSE(Decoded(none).rows[0].has_state);
}

// Rows that only score may carry what a draw could not.
TEST(DecodeState, RowsThatDoNotDrawMayCarryAnything) {
  const auto scores = OneRowRequest(kXorshift, "samples: 0 seed: 0 stream: 5");
  Job job = Decoded(scores);
  EXPECT_TRUE(FillWords(&job, nullptr).ok());
  EXPECT_TRUE(job.rows[0].words.empty());
}

uint64_t WordOf(const v1::SampleTokensRequest& request) {
  Job job = Decoded(request);
  EXPECT_TRUE(FillSeeds(&job).ok());
  EXPECT_TRUE(FillWords(&job, nullptr).ok());
  EXPECT_EQ(job.rows[0].words.size(), 1u);
  return job.rows[0].words.empty() ? 0 : job.rows[0].words[0];
}

TEST(FillWords, GivesEachGeneratorItsWord) {
  uint64_t word = 0;
  FillRandomWords(Generator::kMt19937, 7, 3, 0, absl::MakeSpan(&word, 1));
  EXPECT_EQ(WordOf(OneRowRequest(kMt19937, kDraw)), word);
  FillRandomWords(Generator::kXorshift64, 0, 0, 7, absl::MakeSpan(&word, 1));
  EXPECT_EQ(WordOf(OneRowRequest(kXorshift, kDraw)), word) << "begins with the seed";
  const std::string resumed = absl::StrCat("position: 4 state { xorshift64: ", word, " }");
  FillRandomWords(Generator::kXorshift64, 0, 0, word, absl::MakeSpan(&word, 1));
  EXPECT_EQ(WordOf(OneRowRequest(kXorshift, resumed)), word) << "goes on from the state";
  EXPECT_NE(WordOf(OneRowRequest(kXorshift, "position: 0")), 0u) << "a seed of the system's";
}

TEST(FillWords, StopsForACallerWhoIsGone) {
  const auto request = OneRowRequest(kMt19937, kDraw);
  Job job = Decoded(request);
  EXPECT_EQ(FillWords(&job, [] { return absl::CancelledError("gone"); }).code(),
            absl::StatusCode::kCancelled);
}

TEST(FillWords, LeavesPhiloxToTheBackend) {
  const auto plain = OneRowRequest(kPlain, kDraw);
  Job job = Decoded(plain);
  EXPECT_TRUE(FillWords(&job, nullptr).ok());
  EXPECT_TRUE(job.rows[0].words.empty());
}

// What the response says of a row whose backend left `state`.
std::string StateOut(const std::string& chain, const std::string& row,
                     Outcome outcome = Outcome::kOk) {
  const auto request = OneRowRequest(chain, row);
  Job job = Decoded(request);
  EXPECT_TRUE(FillWords(&job, nullptr).ok());
  TokenId token = 2;
  RowResult result;
  result.outcome = outcome;
  result.state[0] = 1.5;
  result.state[1] = 2.5;
  result.tokens = absl::MakeSpan(&token, job.rows[0].samples);
  const auto response = EncodeResponse(request, job, absl::MakeConstSpan(&result, 1));
  EXPECT_LE(response.states_size(), 1);
  return response.states_size() == 0 ? "" : response.states(0).ShortDebugString();
}

TEST(EncodeStates, ReturnsTheStateOfRowsThatDrew) {
  EXPECT_EQ(StateOut(kMirostat, kDraw), "state { mirostat { mu: 1.5 } }");
  EXPECT_EQ(StateOut(kAdaptive, kDraw),
            "state { adaptive_p { weighted_sum: 1.5 total_weight: 2.5 } }");
  EXPECT_EQ(StateOut(kXorshift, "seed: 1 position: 0"), "state { xorshift64: 1082269761 }");
  EXPECT_EQ(StateOut(absl::StrCat(kXorshift, kMirostat), "seed: 1 position: 0"),
            "state { mirostat { mu: 1.5 } xorshift64: 1082269761 }");
}

TEST(EncodeStates, IsSilentAboutOtherRows) {
  EXPECT_EQ(StateOut(kPlain, kDraw), "");
  EXPECT_EQ(StateOut(kMt19937, kDraw), "");
  EXPECT_EQ(StateOut(kMirostat, "samples: 0"), "");
  EXPECT_EQ(StateOut(kMirostat, kDraw, Outcome::kEmptySupport), "");
  EXPECT_EQ(StateOut(kXorshift, kDraw, Outcome::kInvalidLogits), "");
  EXPECT_EQ(StateOut(absl::StrCat(kXorshift, "stages { greedy { } }"), ""), "");
}

}  // namespace
}  // namespace tessera
