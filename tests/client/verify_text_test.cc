// From the server's explanation of a verification to what a terminal shows.
#include "client/cli/verify_text.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

struct Step {
  v1::VerifyDraftsRequest request;
  v1::VerifyDraftsResponse response;
};

void AddTest(uint32_t node, double p, double q, double accept, uint64_t word, bool passed,
             v1::VerificationExplanation* out) {
  v1::DraftTest* test = out->add_tests();
  test->set_node(node);
  test->set_id(static_cast<int32_t>(node) + 3);
  test->set_target_probability(p);
  test->set_draft_probability(q);
  test->set_acceptance_probability(accept);
  test->set_word(word);
  test->set_passed(passed);
}

// Two drafts, 3 and 4: the first accepted, the second rejected, 7 drawn.
Step OneRejected() {
  Step step;
  v1::DraftSequence* sequence = step.request.add_sequences();
  sequence->set_method(v1::VERIFICATION_METHOD_TOKEN);
  sequence->add_draft_ids(3);
  sequence->add_draft_ids(4);
  sequence->mutable_draft_logits();
  sequence->mutable_target()->set_position(12);
  v1::VerifyDraftsResponse& response = step.response;
  response.add_outcomes(v1::ROW_OUTCOME_OK);
  for (int32_t token : {3, 7}) response.add_tokens(token);
  for (uint32_t offset : {0, 2}) response.add_token_offsets(offset);
  response.add_accepted_nodes(0);
  for (uint32_t offset : {0, 1}) response.add_accepted_offsets(offset);
  response.add_seeds_used(42);
  response.add_lossless(true);
  v1::VerificationExplanation* one = response.add_explanations();
  AddTest(0, 0.5, 0.25, 1, 1ull << 63, true, one);
  AddTest(1, 0.25, 0.5, 0.5, 3ull << 62, false, one);
  v1::FinalDraw* draw = one->mutable_final_draw();
  draw->set_position(1);
  draw->set_target_scale(1);
  draw->set_draft_scale(1);
  draw->set_mass(0.25);
  v1::ResidualLeader* leader = draw->add_leaders();
  leader->set_id(7);
  leader->set_target_probability(0.5);
  leader->set_draft_probability(0.25);
  leader->set_probability(1);
  return step;
}

std::string Shown(const Step& step, const Terminal& terminal = {}) {
  return VerificationText(step.request, step.response, TokenNames(), terminal);
}

TEST(VerifyText, TellsEachTestAndTheLastDraw) {
  const std::string text = Shown(OneRejected());
  for (const char* line :
       {"verification  token, 2 drafts drawn from logits, seed 42, position 12\n",
        "node 0:  token 3\n", "   target p     0.5000  ####################\n",
        "   draft  q     0.2500  ##########\n", "   ratio p/q    2.0000\n",
        "   coin    u    0.5000  ", "^ accepted\n", "   ratio p/q    0.5000\n", "^ rejected\n",
        "last token after node 0:  from max(p - q, 0), mass 0.2500\n",
        "         7    0.5000    0.2500    1.0000  ########################################\n",
        "emitted: token 3, token 7; 1 of 2 drafts accepted\n"}) {
    EXPECT_TRUE(absl::StrContains(text, line)) << line << "is not in\n" << text;
  }
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << text;
  for (absl::string_view line : absl::StrSplit(text, '\n')) EXPECT_LE(line.size(), 100u) << line;
}

TEST(VerifyText, TheCoinStandsUnderTheBarThatItMustNotPass) {
  const std::string text = Shown(OneRejected());
  const auto column = [&](const std::string& start, size_t from, char of) {
    const size_t line = text.find(start, from);
    return text.substr(line, text.find('\n', line) - line).rfind(of);
  };
  const size_t second = text.find("node 1:");
  EXPECT_GT(column("   coin", second, '^'), column("   accept", second, '#')) << text;
  EXPECT_LT(column("   coin", 0, '^'), column("   accept", 0, '#')) << text;
}

TEST(VerifyText, ABlockResidualIsScaledAndABonusTokenHasNone) {
  Step step = OneRejected();
  v1::FinalDraw* draw = step.response.mutable_explanations(0)->mutable_final_draw();
  draw->set_target_scale(0.75);
  EXPECT_TRUE(absl::StrContains(Shown(step), "from max(0.75 p - q, 0)"));
  draw->set_draft_scale(0);
  draw->set_position(0);
  draw->add_excluded_ids(4);
  EXPECT_TRUE(absl::StrContains(Shown(step), "last token at the root:  from p without 4"))
      << Shown(step);
}

TEST(VerifyText, AFailedSequenceSaysWhy) {
  Step step = OneRejected();
  step.response.set_outcomes(0, v1::ROW_OUTCOME_INVALID_LOGITS);
  v1::RowError* error = step.response.add_errors();
  error->set_message("the logit of id 3 is NaN");
  const std::string text = Shown(step);
  EXPECT_TRUE(absl::StrContains(text, "INVALID_LOGITS: the logit of id 3 is NaN")) << text;
  EXPECT_FALSE(absl::StrContains(text, "emitted")) << text;
}

TEST(VerifyText, ALossyMethodSaysSoAndTossesNoCoin) {
  Step step = OneRejected();
  step.request.mutable_sequences(0)->set_method(v1::VERIFICATION_METHOD_TYPICAL);
  step.response.set_lossless(0, false);
  const std::string text = Shown(step);
  EXPECT_TRUE(absl::StrContains(text, "this method changes the law of the tokens")) << text;
  EXPECT_TRUE(absl::StrContains(text, "   no coin: accepted")) << text;
  EXPECT_FALSE(absl::StrContains(text, "coin    u")) << text;
}

}  // namespace
}  // namespace tessera::cli
