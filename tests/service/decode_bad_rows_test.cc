// What refuses one row and leaves its neighbours alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "service/decode_request.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

struct BadRow {
  const char* name;
  std::function<void(v1::SampleTokensRequest*, v1::SampleRow*)> bend;  // row 1 of SmallRequest
  const char* message;                                                 // how it begins
};

// Makes the row use chain 1 (all stages) and gives it what a row that draws needs.
void Draw(v1::SampleRow* row) {
  row->set_chain(1);
  row->set_seed(7);
  row->set_position(0);
}

v1::SamplerStage* OnlyStage(v1::SampleTokensRequest* request, v1::SampleRow* row) {
  row->set_chain(2);
  row->set_position(0);
  return request->add_chains()->add_stages();
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const BadRow kBadRows[] = {
    {"ChainOutOfRange", [](auto*, auto* row) { row->set_chain(2); },
     "rows[1].chain is 2; it must be below 2, the number of chains"},
    {"LogitsRowOutOfRange", [](auto*, auto* row) { row->set_logits_row(3); },
     "rows[1].logits_row is 3; it must be below 3, the rows of logits"},
    {"LogitsRowHuge", [](auto*, auto* row) { row->set_logits_row(4294967295u); },
     "rows[1].logits_row is 4294967295;"},
    {"TooManySamples", [](auto*, auto* row) { row->set_samples(129); },
     "rows[1].samples is 129; it must be at most 128"},
    {"NoPosition",
     [](auto*, auto* row) {
       Draw(row);
       row->clear_position();
     },
     "rows[1].position is absent;"},
    {"BiasWithoutStage", [](auto*, auto* row) { row->add_bias()->set_id(1); },
     "rows[1].bias holds 1 entries, but chains[0] has no logit_bias stage"},
    {"BiasNaN",
     [](auto*, auto* row) {
       Draw(row);
       row->add_bias()->set_value(std::nanf(""));
     },
     "rows[1].bias[0].value is nan; it must be finite or -inf"},
    {"BiasInfinite",
     [](auto*, auto* row) {
       Draw(row);
       row->add_bias()->set_value(kInfinity);
     },
     "rows[1].bias[0].value is inf; it must be finite or -inf"},
    {"BiasIdOutOfRange",
     [](auto*, auto* row) {
       Draw(row);
       row->add_bias()->set_id(4);
     },
     "rows[1].bias[0].id is 4; it must be in [0, 4)"},
    {"BiasTwice",
     [](auto*, auto* row) {
       Draw(row);
       row->add_bias()->set_id(2);
       row->add_bias()->set_id(3);
       row->add_bias()->set_id(2);
     },
     "rows[1].bias[2].id is 2, as is bias[0].id; ids must be distinct"},
    {"BiasTooLong",
     [](auto*, auto* row) {
       Draw(row);
       for (int i = 0; i < 5; ++i) row->add_bias();
     },
     "rows[1].bias holds 5 entries; it may hold at most 4"},
    {"BannedNegative", [](auto*, auto* row) { row->add_banned_ids(-1); },
     "rows[1].banned_ids[0] is -1; it must be in [0, 4)"},
    {"BannedTooLong",
     [](auto*, auto* row) {
       for (int i = 0; i < 5; ++i) row->add_banned_ids(0);
     },
     "rows[1].banned_ids holds 5 ids; it may hold at most 4"},
    {"AllowedOutOfRange", [](auto*, auto* row) { row->mutable_allowed()->add_ids(4); },
     "rows[1].allowed.ids[0] is 4; it must be in [0, 4)"},
    {"StopOutOfRange", [](auto*, auto* row) { row->add_stop_ids(99); },
     "rows[1].stop_ids[0] is 99; it must be in [0, 4)"},
    {"MinTokensAlone", [](auto*, auto* row) { row->set_min_tokens(5); },
     "rows[1].min_tokens is 5, but stop_ids is empty;"},
    {"OutputLengthAlone", [](auto*, auto* row) { row->set_output_length(5); },
     "rows[1].output_length is given without min_tokens"},
    {"HistoryWithoutPenalty", [](auto*, auto* row) { row->mutable_history()->add_output_ids(1); },
     "rows[1].history is given, but chains[0] has no penalty, nor another stage that reads it, "
     "and min_tokens does not need it"},
    {"HistoryWithGivenLength",  // then min_tokens does not read it
     [](auto*, auto* row) {
       row->mutable_history()->add_output_ids(1);
       row->set_min_tokens(2);
       row->set_output_length(1);
       row->add_stop_ids(0);
     },
     "rows[1].history is given, but chains[0] has no penalty"},
    {"HistoryPromptOutOfRange",
     [](auto*, auto* row) {
       Draw(row);
       row->mutable_history()->add_prompt_ids(-1);
       row->mutable_history()->add_prompt_ids(-2);
     },
     "rows[1].history.prompt_ids[1] is -2; it must be in [0, 4) or -1, which is padding"},
    {"HistoryOutputOutOfRange",
     [](auto*, auto* row) {
       Draw(row);
       row->mutable_history()->add_output_ids(4);
     },
     "rows[1].history.output_ids[0] is 4;"},
    {"HistoryCountOutOfRange",
     [](auto*, auto* row) {
       Draw(row);
       row->mutable_history()->add_counts()->set_id(4);
     },
     "rows[1].history.counts[0].id is 4;"},
    {"HistoryCountTwice",
     [](auto*, auto* row) {
       Draw(row);
       row->mutable_history()->add_counts()->set_id(2);
       row->mutable_history()->add_counts()->set_id(2);
     },
     "rows[1].history.counts[1].id is 2, which stands there before; ids must be distinct"},
    {"HistoryCountHuge",
     [](auto*, auto* row) {
       Draw(row);
       row->mutable_history()->add_counts()->set_prompt_count(2147483648u);
     },
     "rows[1].history.counts[0] counts 2147483648 and 0; each must be at most 2147483647"},
    {"HistoryBothWays",
     [](auto*, auto* row) {
       Draw(row);
       row->mutable_history()->add_counts();
       row->mutable_history()->add_output_ids(1);
     },
     "rows[1].history holds ids and counts;"},
    {"HistoryTooLong",
     [](auto*, auto* row) {
       Draw(row);
       for (int i = 0; i < 7; ++i) row->mutable_history()->add_output_ids(1);
     },
     "rows[1].history holds 7 entries; it may hold at most 6"},
    {"GrammarRowWithoutGrammar", [](auto*, auto* row) { row->set_grammar_row(0); },
     "rows[1].grammar_row is 0, but the request has no grammar"},
    {"GrammarRowOutOfRange",
     [](auto* request, auto* row) {
       *request->mutable_grammar() = WordTensor({{1}, {2}});
       row->set_grammar_row(2);
     },
     "rows[1].grammar_row is 2; it must be below 2, the rows of grammar"},
    {"ModeUnspecified",
     [](auto*, auto* row) { row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_UNSPECIFIED); },
     "rows[1].logprobs.modes[0] is 0; it must be RAW, RAW_MASKED, TEMPERED or PROCESSED"},
    {"ModeUnknown",
     [](auto*, auto* row) { row->mutable_logprobs()->add_modes(static_cast<v1::LogprobMode>(9)); },
     "rows[1].logprobs.modes[0] is 9;"},
    {"ModeTwice",
     [](auto*, auto* row) {
       row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
       row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
     },
     "rows[1].logprobs.modes[1] is LOGPROB_MODE_RAW, which stands there before;"},
    {"EntropyWithoutMode",
     [](auto*, auto* row) { row->mutable_logprobs()->add_entropy_modes(v1::LOGPROB_MODE_RAW); },
     "rows[1].logprobs.entropy_modes names a mode that logprobs.modes does not;"},
    {"TopWithoutMode", [](auto*, auto* row) { row->mutable_logprobs()->set_top_n(3); },
     "rows[1].logprobs.top_n is 3, but logprobs.modes is empty;"},
    {"TopTooMany",
     [](auto*, auto* row) {
       row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
       row->mutable_logprobs()->set_top_n(129);
     },
     "rows[1].logprobs.top_n is 129; it must be at most 128"},
    {"ScoresWithoutMode", [](auto*, auto* row) { row->add_score_ids(1); },
     "rows[1].score_ids holds 1 ids, but logprobs.modes is empty;"},
    {"ScoreOutOfRange",
     [](auto*, auto* row) {
       row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
       row->add_score_ids(4);
     },
     "rows[1].score_ids[0] is 4; it must be in [0, 4)"},
    {"ScoresTooMany",
     [](auto*, auto* row) {
       row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
       for (int i = 0; i < 1025; ++i) row->add_score_ids(0);
     },
     "rows[1].score_ids holds 1025 ids; it may hold at most 1024"},
    // Chains. The row names one that is wrong.
    {"TopPTooLarge", [](auto* r, auto* row) { OnlyStage(r, row)->mutable_top_p()->set_p(1.5); },
     "chains[2].stages[0].top_p.p is 1.5; it must be in [0, 1]"},
    {"TopPAbsent", [](auto* r, auto* row) { OnlyStage(r, row)->mutable_top_p(); },
     "chains[2].stages[0].top_p.p is absent; it is required"},
    {"MinPNaN", [](auto* r, auto* row) { OnlyStage(r, row)->mutable_min_p()->set_m(NAN); },
     "chains[2].stages[0].min_p.m is nan; it must be in [0, 1]"},
    {"TopKNegative", [](auto* r, auto* row) { OnlyStage(r, row)->mutable_top_k()->set_k(-1); },
     "chains[2].stages[0].top_k.k is -1; it must be at least 0"},
    {"TemperatureNegative",
     [](auto* r, auto* row) { OnlyStage(r, row)->mutable_temperature()->set_t(-1); },
     "chains[2].stages[0].temperature.t is -1; it must be 0 (greedy) or in [2^-100, 2^100]"},
    {"TemperatureAbsent", [](auto* r, auto* row) { OnlyStage(r, row)->mutable_temperature(); },
     "chains[2].stages[0].temperature.t is absent; it is required"},
    {"RepetitionZero",
     [](auto* r, auto* row) { OnlyStage(r, row)->mutable_repetition_penalty()->set_penalty(0); },
     "chains[2].stages[0].repetition_penalty.penalty is 0; it must be finite and above 0"},
    {"FrequencyInfinite",
     [](auto* r, auto* row) {
       OnlyStage(r, row)->mutable_frequency_penalty()->set_penalty(INFINITY);
     },
     "chains[2].stages[0].frequency_penalty.penalty is inf; it must be finite"},
    {"PresenceAbsent", [](auto* r, auto* row) { OnlyStage(r, row)->mutable_presence_penalty(); },
     "chains[2].stages[0].presence_penalty.penalty is absent; it is required"},
    {"ScopeUnknown",
     [](auto* r, auto* row) {
       v1::PresencePenalty* penalty = OnlyStage(r, row)->mutable_presence_penalty();
       penalty->set_penalty(1);
       penalty->set_scope(static_cast<v1::PenaltyScope>(8));
     },
     "chains[2].stages[0].presence_penalty.scope is 8; it must be PENALTY_SCOPE_PROMPT_AND_OUTPUT, "
     "PENALTY_SCOPE_OUTPUT or PENALTY_SCOPE_PROMPT"},
    {"NoStage", [](auto* r, auto* row) { OnlyStage(r, row); },
     "chains[2].stages[0] names no stage that this server knows;"},
    {"StageOfANewerClient",
     [](auto* r, auto* row) { OnlyStage(r, row)->ParseFromString("\xfa\x01\x00"); },
     "chains[2].stages[0] names no stage that this server knows;"},
    {"EditAfterTruncation",
     [](auto* r, auto* row) {
       OnlyStage(r, row)->mutable_top_k()->set_k(2);
       r->mutable_chains(2)->add_stages()->mutable_logit_bias();
     },
     "chains[2].stages[1].logit_bias"},
    {"TooManyStages",
     [](auto* r, auto* row) {
       OnlyStage(r, row)->mutable_greedy();
       while (r->chains(2).stages_size() < 33) r->mutable_chains(2)->add_stages()->mutable_greedy();
     },
     "chains[2].stages holds 33 entries; it may hold at most 32"},
};

Limits SmallLimits() {
  Limits limits;
  limits.max_row_ids = 4;
  limits.max_history = 6;
  return limits;
}

class BadRows : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadRows, FailAlone) {
  v1::SampleTokensRequest request = SmallRequest();
  GetParam().bend(&request, request.mutable_rows(1));
  const absl::StatusOr<Job> job = DecodeRequest(request, SmallLimits());
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_THAT(job->row_indices, ElementsAre(0, 2));
  ASSERT_EQ(job->refused.size(), 1u);
  EXPECT_EQ(job->refused[0].row, 1u);
  EXPECT_THAT(job->refused[0].message, StartsWith(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(Each, BadRows, ::testing::ValuesIn(kBadRows),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera
