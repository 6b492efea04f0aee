// From the server's explanation to lines, sentences and pages.
#include "client/cli/explain_view.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "client/cli/explain_html.h"
#include "client/cli/explain_pair.h"
#include "client/cli/explain_text.h"
#include "client/cli/terminal.h"
#include "client/cli/token_names.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

constexpr char kHostile[] = "<script>alert(\"1\")</script>";

void AddLaw(std::vector<float> probabilities, uint32_t support, v1::LawExplanation* law) {
  law->set_support_size(support);
  law->set_mass(1);
  law->mutable_lowest()->set_id(static_cast<int32_t>(support) - 1);
  for (size_t i = 0; i < probabilities.size(); ++i) {
    law->add_logits(2 - static_cast<float>(i));
    law->add_probabilities(probabilities[i]);
  }
}

// Tokens 0, 1, 2 of probability 0.5, 0.3, 0.2 and one stage that keeps `kept` of them.
v1::ExplainChainResponse Cut(uint32_t kept) {
  v1::ExplainChainResponse response;
  response.set_outcome(v1::ROW_OUTCOME_OK);
  for (int32_t id : {0, 1, 2}) response.add_followed_ids(id);
  AddLaw({0.5f, 0.3f, 0.2f}, 3, response.mutable_start());
  v1::StageExplanation* stage = response.add_stages();
  stage->set_name("top_p");
  stage->set_description("top-p 0.6");
  stage->set_boundary_rule(kept == 2 ? "reach" : "within");
  stage->set_effect(v1::STAGE_EFFECT_CUT);
  stage->set_target_share(0.6);
  std::vector<float> left = {kept == 2 ? 0.625f : 1, kept == 2 ? 0.375f : 0, 0};
  AddLaw(left, kept, stage->mutable_law());
  v1::CutExplanation* cut = stage->add_cuts();
  cut->set_removed(3 - kept);
  cut->mutable_last_kept()->set_id(static_cast<int32_t>(kept) - 1);
  cut->mutable_first_cut()->set_id(static_cast<int32_t>(kept));
  return response;
}

TokenNames Names(const std::string& text) {
  const std::string path = ::testing::TempDir() + "/names.txt";
  std::ofstream(path) << text;
  const absl::StatusOr<TokenNames> names = TokenNames::Read(path);
  EXPECT_TRUE(names.ok()) << names.status();
  return names.ok() ? *names : TokenNames();
}

ExplanationView View(const v1::ExplainChainResponse& response, const std::string& label = "") {
  ExplanationView view = ViewOf(response, "top_p=0.6", {2}, TokenNames());
  view.label = label;
  return view;
}

TEST(ExplainView, TheBoundaryStandsBetweenItsTokens) {
  const ExplanationView view = View(Cut(2));
  ASSERT_EQ(view.stages.size(), 1u);
  const std::vector<TokenLine>& lines = view.stages[0].lines;
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[1].kept && !lines[1].boundary_before);
  EXPECT_TRUE(!lines[2].kept && lines[2].boundary_before && lines[2].watched);
  EXPECT_FLOAT_EQ(static_cast<float>(lines[0].before), 0.5f);
  EXPECT_FLOAT_EQ(static_cast<float>(lines[0].after), 0.625f);
}

TEST(ExplainView, TokensBesideABoundaryAreShownThoughTheyAreNoLeaders) {
  v1::ExplainChainResponse response = Cut(2);
  v1::CutExplanation* cut = response.mutable_stages(0)->mutable_cuts(0);
  cut->mutable_last_kept()->set_id(70);
  cut->mutable_last_kept()->set_logit(-5);
  cut->mutable_last_kept()->set_probability_after(0.01f);
  cut->mutable_first_cut()->set_id(71);
  cut->mutable_first_cut()->set_logit(-6);
  const ExplanationView view = View(response);
  const std::vector<TokenLine>& lines = view.stages[0].lines;
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_TRUE(lines[3].id == 70 && lines[3].gap_before && !lines[3].boundary_before);
  EXPECT_TRUE(lines[4].id == 71 && !lines[4].gap_before && lines[4].boundary_before);
}

TEST(ExplainView, TextHasBarsAndAPlainFormWithoutUtf8OrColors) {
  const std::string plain = ExplanationText(View(Cut(2)), Terminal{});
  EXPECT_TRUE(absl::StrContains(plain, "0.5000 ->   0.6250  " + std::string(40, '#') + "\n"))
      << plain;
  EXPECT_TRUE(absl::StrContains(plain, "0.2000 ->      cut  " + std::string(13, '.') + "\n"))
      << plain;
  EXPECT_TRUE(absl::StrContains(plain, "---- cut\n")) << plain;
  for (const char c : plain) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << plain;
  const std::string rich = ExplanationText(View(Cut(2)), Terminal{.utf8 = true, .color = true});
  EXPECT_TRUE(absl::StrContains(rich, "\u2588\u2588\u2588") && absl::StrContains(rich, "\033[32m"));
}

TEST(ExplainPair, SaysWhoKeepsWhatAndWhichRulesDiffer) {
  const ExplainedPair pair = Compare(View(Cut(1), "A"), View(Cut(2), "B"));
  EXPECT_EQ(pair.verdict, "A keeps 1 token, B keeps 2; B alone keeps token 1");
  ASSERT_EQ(pair.differences.size(), 1u);
  EXPECT_EQ(pair.differences[0].rule, "top_p, boundary");
  EXPECT_EQ(pair.differences[0].a, "within");
  EXPECT_EQ(pair.differences[0].b, "reach");
  const std::string text = PairText(pair, Terminal{});
  EXPECT_TRUE(absl::StrContains(text, "!= B alone")) << text;
  EXPECT_EQ(Compare(View(Cut(2)), View(Cut(2))).verdict,
            "A and B both keep 2 tokens, with the same probabilities");
}

// The last stage no longer lists what an earlier one cut.
TEST(ExplainPair, ATokenCutBeforeTheLastStageIsStillTold) {
  v1::ExplainChainResponse longer = Cut(1);
  v1::StageExplanation* stage = longer.add_stages();
  stage->set_name("temperature");
  AddLaw({1, 0, 0}, 1, stage->mutable_law());
  EXPECT_EQ(View(longer).stages[1].lines.size(), 2u) << "the kept one and the watched one";
  const ExplainedPair pair = Compare(View(longer, "A"), View(Cut(2), "B"));
  EXPECT_EQ(pair.verdict, "A keeps 1 token, B keeps 2; B alone keeps token 1");
  EXPECT_EQ(pair.lines.size(), 3u);
}

TEST(ExplainPair, AStageThatOnlyOneChainHasIsNamed) {
  v1::ExplainChainResponse more = Cut(2);
  more.add_stages()->set_name("xtc");
  const ExplainedPair pair = Compare(View(Cut(2)), View(more));
  ASSERT_EQ(pair.differences.size(), 2u);
  EXPECT_EQ(pair.differences[0].rule, "order of stages");
  EXPECT_EQ(pair.differences[0].b, "top_p, xtc");
  EXPECT_EQ(pair.differences[1].a, "none, or off");
  more.mutable_stages(1)->set_no_op(true);
  EXPECT_TRUE(Compare(View(Cut(2)), View(more)).differences.empty());
}

TEST(ExplainHtml, ThePageIsCompleteInItselfAndEscapesWhatItShows) {
  v1::ExplainChainResponse response = Cut(2);
  response.mutable_stages(0)->set_reason(kHostile);
  response.mutable_preset()->add_notes(kHostile);
  std::vector<ExplanationView> views = {
      ViewOf(response, kHostile, {}, Names(std::string(kHostile) + "\nb\nc\n")), View(Cut(1), "B")};
  views[0].label = "A";
  const ExplainedPair pair = Compare(views[0], views[1]);
  const std::string page = ExplanationPage(views, &pair);
  EXPECT_FALSE(absl::StrContains(page, "<script"));
  EXPECT_TRUE(absl::StrContains(page, "&lt;script&gt;"));
  for (const char* loads : {"http:", "https:", "src=", "href=", "@import"}) {
    EXPECT_FALSE(absl::StrContains(page, loads)) << loads;
  }
  EXPECT_TRUE(absl::StrContains(page, "A alone"));
  EXPECT_TRUE(absl::StrContains(page, "class=\"boundary\""));
  EXPECT_TRUE(absl::StrContains(page, "p = 0.6000"));
  EXPECT_TRUE(absl::StrContains(page, "prefers-color-scheme:dark"));
}

TEST(TokenNames, AreMadePrintable) {
  const TokenNames names = Names("the\n\x1b[31m\n\xff\xc3\xa9\r\n\xc2\x9b\n");
  EXPECT_EQ(names.Of(0), "the");
  EXPECT_EQ(names.Of(1), "\\x1b[31m");
  EXPECT_EQ(names.Of(2), "\\xff\xc3\xa9");
  EXPECT_EQ(names.Of(3), "\\xc2\\x9b");
  EXPECT_EQ(names.Of(4), "");
  EXPECT_EQ(names.Of(-1), "");
  EXPECT_FALSE(TokenNames::Read("/nonexistent").ok());
  EXPECT_EQ(Fitted("\xc3\xa9"
                   "ab",
                   2),
            "\xc3\xa9"
            "a");
  EXPECT_EQ(Fitted("\xc3\xa9", 3), "\xc3\xa9  ");
}

}  // namespace
}  // namespace tessera::cli
