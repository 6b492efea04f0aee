// From the flags of `tessera explain --verify` to the request.
#include "client/cli/verify_flags.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

struct Parsed {
  absl::Status status;
  v1::VerifyDraftsRequest request;
};

Parsed Parse(const std::vector<std::string>& arguments) {
  ExplainFlags row;
  VerifyFlags verify;
  Flags flags;
  row.Declare(&flags);
  verify.Declare(&flags);
  absl::Status status = flags.Parse(arguments);
  status.Update(verify.Check(row));
  if (!status.ok()) return {status, {}};
  absl::StatusOr<v1::VerifyDraftsRequest> request = BuildVerifyRequest(verify, row);
  if (!request.ok()) return {request.status(), {}};
  return {absl::OkStatus(), *request};
}

std::string Written(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(VerifyFlags, AChainOfDraftsWithLogits) {
  const Parsed parsed = Parse({"--verify",      "block",
                               "--drafts",      "2,0",
                               "--target",      "1,2,3;4,5,6;7,8,9",
                               "--draft",       "0,1,2;2,1,0",
                               "--chain",       "top_k=2",
                               "--draft-chain", "temperature=0.5",
                               "--seed",        "9",
                               "--position",    "4",
                               "--stream",      "3",
                               "--banned",      "1"});
  ASSERT_TRUE(parsed.status.ok()) << parsed.status;
  const v1::VerifyDraftsRequest& request = parsed.request;
  EXPECT_TRUE(request.explain());
  EXPECT_EQ(request.vocab_size(), 3u);
  ASSERT_EQ(request.chains_size(), 2);
  EXPECT_TRUE(request.chains(0).stages(0).has_top_k());
  EXPECT_TRUE(request.chains(1).stages(0).has_temperature());
  ASSERT_EQ(request.sequences_size(), 1);
  const v1::DraftSequence& sequence = request.sequences(0);
  EXPECT_EQ(sequence.method(), v1::VERIFICATION_METHOD_BLOCK);
  EXPECT_EQ(sequence.draft_ids(0), 2);
  EXPECT_EQ(sequence.draft_logits().chain(), 1u);
  EXPECT_EQ(sequence.target().seed(), 9u);
  EXPECT_EQ(sequence.target().position(), 4u);
  EXPECT_EQ(sequence.target().stream(), 3u);
  EXPECT_EQ(sequence.target().banned_ids(0), 1);
  EXPECT_EQ(request.target_logits(0).rows(), 3);
  EXPECT_EQ(request.target_logits(0).inline_bytes().size(), 36u);
  EXPECT_EQ(request.draft_logits(0).rows(), 2);
}

TEST(VerifyFlags, OneHotDraftsAndATree) {
  const Parsed parsed = Parse({"--verify", "tree", "--drafts", "1,0", "--target", "1,2;1,2;1,2",
                               "--parents", "-1,-1", "--without-replacement"});
  ASSERT_TRUE(parsed.status.ok()) << parsed.status;
  const v1::DraftSequence& sequence = parsed.request.sequences(0);
  EXPECT_TRUE(sequence.has_one_hot());
  EXPECT_TRUE(sequence.without_replacement());
  ASSERT_EQ(sequence.parents_size(), 2);
  EXPECT_EQ(sequence.parents(1), -1);
  EXPECT_EQ(parsed.request.draft_logits_size(), 0);
}

TEST(VerifyFlags, SiblingsShareARowOfTheDraft) {
  const std::vector<std::string> tree = {"--verify",  "tree",     "--drafts",
                                         "1,0,1",     "--target", "1,2;1,2;1,2;1,2",
                                         "--parents", "-1,-1,0",  "--draft"};
  std::vector<std::string> right = tree;
  right.push_back("1,2;2,1");
  EXPECT_TRUE(Parse(right).status.ok()) << Parse(right).status;
  std::vector<std::string> wrong = tree;
  wrong.push_back("1,2;2,1;1,1");
  EXPECT_TRUE(absl::StrContains(Parse(wrong).status.message(), "it must have 2")) << "one a node";
}

TEST(VerifyFlags, AWholeRequestFromAFile) {
  const std::string text =
      Written("request.txtpb", "vocab_size: 5 sequences { method: VERIFICATION_METHOD_TOKEN }");
  const Parsed parsed = Parse({"--request", text});
  ASSERT_TRUE(parsed.status.ok()) << parsed.status;
  EXPECT_EQ(parsed.request.vocab_size(), 5u);
  EXPECT_TRUE(parsed.request.explain());
  const Parsed json = Parse({"--request", Written("request.json", " {\"vocab_size\": 6}")});
  ASSERT_TRUE(json.status.ok()) << json.status;
  EXPECT_EQ(json.request.vocab_size(), 6u);
  const Parsed wrong = Parse({"--request", Written("wrong.txtpb", "vocabulary: 5")});
  EXPECT_TRUE(absl::StrContains(wrong.status.message(), "line 1: ")) << wrong.status;
  EXPECT_TRUE(absl::StrContains(wrong.status.message(), "vocabulary")) << wrong.status;
}

TEST(VerifyFlags, MistakesNameTheFlagAndWhatIsAccepted) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } mistakes[] = {
      {{"--verify", "blocks"}, "token, block, tree, traversal, typical"},
      {{"--drafts", "1"}, "--drafts needs --verify METHOD"},
      {{"--verify", "token", "--drafts", "1"}, "--target or --logits"},
      {{"--verify", "token", "--drafts", "1", "--target", "1,2"}, "--target has 1 rows"},
      {{"--verify", "token", "--drafts", "1", "--target", "1,2;1"}, "a row of 1 logits after"},
      {{"--verify", "token", "--drafts", "1", "--target", "1,2;1,2", "--draft", "1,2;1,2"},
       "--draft has 2 rows"},
      {{"--verify", "token", "--values", "1,2"}, "use --target or --logits"},
      {{"--verify", "tree", "--drafts", "1", "--target", "1,2;1,2", "--parents", "0.5"},
       "--parents has 0.5"},
  };
  for (const auto& mistake : mistakes) {
    const absl::Status status = Parse(mistake.arguments).status;
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << mistake.message;
    EXPECT_TRUE(absl::StrContains(status.message(), mistake.message)) << status;
  }
}

}  // namespace
}  // namespace tessera::cli
