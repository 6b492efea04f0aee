// Responses regrouped by row, and servers that contradict themselves.
#include "client/sampled_rows.h"

#include <functional>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

// Row 0 draws two tokens and scores ids 8 and 9; row 1 is refused; row 2 only wants its support.
v1::SampleTokensRequest Request() {
  v1::SampleTokensRequest request;
  v1::SampleRow* row = request.add_rows();
  row->set_samples(2);
  row->add_score_ids(8);
  row->add_score_ids(9);
  row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
  row->mutable_logprobs()->add_entropy_modes(v1::LOGPROB_MODE_RAW);
  request.add_rows();
  request.add_rows()->set_return_support_size(true);
  return request;
}

v1::SampleTokensResponse Response() {
  v1::SampleTokensResponse response;
  for (auto o : {v1::ROW_OUTCOME_OK, v1::ROW_OUTCOME_INVALID_PARAMETERS, v1::ROW_OUTCOME_OK}) {
    response.add_outcomes(o);
  }
  v1::RowError* error = response.add_errors();
  error->set_row(1);
  error->set_message("stages[0].top_p.p is 1.5; it must be in [0, 1]");
  for (int token : {5, 6, -1, 7}) response.add_tokens(token);
  for (uint32_t offset : {0, 2, 3, 4}) response.add_token_offsets(offset);
  for (uint64_t seed : {11, 12, 13}) response.add_seeds_used(seed);
  for (uint32_t size : {0, 0, 40}) response.add_support_sizes(size);
  response.add_raw_invalid_rows(2);
  v1::RowState* state = response.add_states();
  state->set_row(2);
  state->mutable_state()->set_xorshift64(77);
  v1::ModeLogprobs* mode = response.add_logprobs();
  mode->set_mode(v1::LOGPROB_MODE_RAW);
  mode->add_rows(0);
  for (uint32_t offset : {0, 2}) {
    mode->add_sampled_offsets(offset);
    mode->add_scored_offsets(offset);
  }
  for (uint32_t offset : {0, 1}) mode->add_top_offsets(offset);
  for (float value : {-0.5f, -1.5f}) {
    mode->add_sampled_logprobs(value);
    mode->add_scored_logprobs(value - 2);
    mode->add_sampled_ranks(1);
    mode->add_scored_ranks(3);
  }
  mode->add_top_ids(5);
  mode->add_top_logprobs(-0.5f);
  mode->add_entropies(1.25f);
  return response;
}

TEST(ReadRows, RegroupsByRow) {
  const auto rows = ReadRows(Request(), Response());
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 3u);
  const SampledRow& first = (*rows)[0];
  EXPECT_EQ(first.tokens, (std::vector<int32_t>{5, 6}));
  EXPECT_EQ(first.seed, 11u);
  EXPECT_FALSE(first.support_size.has_value());
  ASSERT_EQ(first.modes.size(), 1u);
  EXPECT_EQ(first.modes[0].sampled[1].id, 6);
  EXPECT_EQ(first.modes[0].sampled[1].logprob, -1.5f);
  EXPECT_EQ(first.modes[0].scored[1].id, 9);
  EXPECT_EQ(first.modes[0].scored[1].logprob, -3.5f);
  EXPECT_EQ(first.modes[0].scored[1].rank, 3u);
  EXPECT_EQ(first.modes[0].top[0].id, 5);
  EXPECT_EQ(first.modes[0].entropy, 1.25f);
  EXPECT_TRUE((*rows)[1].tokens.empty()) << "-1 is no token";
  EXPECT_TRUE(absl::StrContains((*rows)[1].error, "top_p.p is 1.5"));
  EXPECT_EQ((*rows)[2].support_size, 40u);
  EXPECT_TRUE((*rows)[2].raw_invalid);
  EXPECT_FALSE(first.state.has_value());
  ASSERT_TRUE((*rows)[2].state.has_value());
  EXPECT_EQ((*rows)[2].state->xorshift64(), 77u);
}

// Each of these would be an index out of bounds if it were believed.
TEST(ReadRows, AServerThatContradictsItselfIsCaught) {
  using Change = std::function<void(v1::SampleTokensResponse*)>;
  const std::vector<Change> changes = {
      [](auto* r) { r->clear_outcomes(); },
      [](auto* r) { r->mutable_seeds_used()->RemoveLast(); },
      [](auto* r) { r->mutable_support_sizes()->RemoveLast(); },
      [](auto* r) { r->clear_token_offsets(); },
      [](auto* r) { r->set_token_offsets(1, 1000); },
      [](auto* r) { r->set_token_offsets(3, 1000); },
      [](auto* r) { r->set_token_offsets(0, 1); },
      [](auto* r) { r->mutable_tokens()->RemoveLast(); },
      [](auto* r) { r->mutable_errors(0)->set_row(3); },
      [](auto* r) { r->set_raw_invalid_rows(0, 99); },
      [](auto* r) { r->mutable_states(0)->set_row(3); },
      [](auto* r) { r->mutable_logprobs(0)->set_rows(0, 3); },
      [](auto* r) { r->mutable_logprobs(0)->set_rows(0, 1); },
      [](auto* r) { r->mutable_logprobs(0)->add_rows(2); },
      [](auto* r) { r->mutable_logprobs(0)->clear_sampled_ranks(); },
      [](auto* r) { r->mutable_logprobs(0)->clear_scored_ranks(); },
      [](auto* r) { r->mutable_logprobs(0)->add_top_logprobs(0); },
      [](auto* r) { r->mutable_logprobs(0)->set_sampled_offsets(1, 3); },
      [](auto* r) { r->mutable_logprobs(0)->set_scored_offsets(0, 2); },
      [](auto* r) { r->mutable_logprobs(0)->set_top_offsets(1, 1u << 31); },
      [](auto* r) { r->mutable_logprobs(0)->add_entropies(0); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    v1::SampleTokensResponse response = Response();
    changes[i](&response);
    const auto rows = ReadRows(Request(), response);
    EXPECT_EQ(rows.status().code(), absl::StatusCode::kInternal) << "change " << i;
  }
}

}  // namespace
}  // namespace tessera
