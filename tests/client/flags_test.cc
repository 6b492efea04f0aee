// Flags: what is accepted, and that every refusal tells the caller what to type instead.
#include "client/cli/flags.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

class FlagsTest : public testing::Test {
 protected:
  FlagsTest() {
    flags_.Section("What is sent");
    flags_.Text("server", "ADDRESS", &server_, "where the service listens");
    flags_.Integer("samples", 0, 128, &samples_, "independent draws per row");
    flags_.OptionalUnsigned("seed", 0, ~uint64_t{0}, &seed_, "all 64 bits");
    flags_.Choice("dtype", {"fp32", "bf16"}, &dtype_, "element type");
    flags_.Switch("json", &json_, "for machines");
    flags_.Seconds("deadline", 3600, &deadline_, "of the whole call");
  }

  std::string Error(std::vector<std::string> arguments) {
    const absl::Status status = flags_.Parse(arguments);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  }

  Flags flags_;
  std::string server_ = "localhost:1";
  int64_t samples_ = 1;
  std::optional<uint64_t> seed_;
  std::string dtype_ = "fp32";
  bool json_ = false;
  double deadline_ = 30;
};

TEST_F(FlagsTest, BothSpellingsOfAValue) {
  const std::vector<std::string> arguments = {"--server",    "unix:/run/x",
                                              "--samples=4", "--seed=18446744073709551615",
                                              "--json",      "--deadline=250ms"};
  ASSERT_TRUE(flags_.Parse(arguments).ok()) << flags_.Parse(arguments);
  EXPECT_EQ(server_, "unix:/run/x");
  EXPECT_EQ(samples_, 4);
  EXPECT_EQ(seed_, ~uint64_t{0});
  EXPECT_TRUE(json_);
  EXPECT_DOUBLE_EQ(deadline_, 0.25);
}

TEST_F(FlagsTest, SwitchesTurnOff) {
  json_ = true;
  ASSERT_TRUE(flags_.Parse({"--no-json"}).ok());
  EXPECT_FALSE(json_);
}

TEST_F(FlagsTest, RefusalsNameFlagValueAndRange) {
  EXPECT_EQ(Error({"--samples", "129"}), "--samples is '129'; it must be an integer in [0, 128]");
  EXPECT_EQ(Error({"--seed=-1"}),
            "--seed is '-1'; it must be an integer in [0, 18446744073709551615]");
  EXPECT_EQ(Error({"--dtype", "fp64"}), "--dtype is 'fp64'; it must be one of fp32, bf16");
  EXPECT_EQ(Error({"--sevrer", "x"}), "there is no flag --sevrer; did you mean --server?");
  EXPECT_EQ(Error({"--no-server"}), "there is no flag --no-server; did you mean --server?");
  EXPECT_EQ(Error({"--completely-else"}), "there is no flag --completely-else; --help lists all");
  EXPECT_EQ(Error({"--samples"}), "--samples needs a value: --samples N");
  EXPECT_EQ(Error({"--samples=1", "--samples=1"}), "--samples was given twice");
  EXPECT_EQ(Error({"stray"}), "'stray' is not a flag; flags start with --");
  EXPECT_EQ(Error({"--json=maybe"}), "--json is 'maybe'; it must be true or false");
  EXPECT_TRUE(absl::StrContains(Error({"--deadline=10"}), "10s"));
}

TEST_F(FlagsTest, HelpShowsEveryFlagAndItsDefault) {
  ASSERT_TRUE(flags_.Parse({"--help", "--nonsense"}).ok());
  EXPECT_TRUE(flags_.help_wanted());
  const std::string help = flags_.Help();
  for (const char* part : {"What is sent:", "--server ADDRESS", "(default localhost:1)",
                           "--dtype fp32|bf16", "--json", "(default 30s)"}) {
    EXPECT_TRUE(absl::StrContains(help, part)) << part << " in\n" << help;
  }
}

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(EditDistance("", "abc"), 3);
  EXPECT_EQ(EditDistance("server", "sevrer"), 2);
  EXPECT_EQ(EditDistance("rows", "row"), 1);
}

}  // namespace
}  // namespace tessera::cli
