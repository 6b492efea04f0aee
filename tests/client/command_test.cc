// Subcommands from their arguments to stdout and exit code.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "client/cli/commands.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"
#include "tests/client/npy_bytes.h"

namespace tessera::cli {
namespace {

struct Ran {
  ExitCode code;
  std::string out, err;
};

Ran RunCommand(ExitCode (*command)(absl::Span<const std::string>),
               std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const ExitCode code = command(arguments);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

FakeServer::Answer RowNumbersAndOutcome(v1::RowOutcome outcome) {
  return [=](int, const v1::SampleTokensRequest& request, v1::SampleTokensResponse* response) {
    const grpc::Status status = AnswerRowNumbers(request, response);
    response->set_outcomes(0, outcome);
    return status;
  };
}

std::string TwoRows() { return WriteTemp("two.npy", NpyBytes("<f4", 2, 2, std::string(16, '\0'))); }

TEST(SampleCommand, PrintsJsonAndExitsWithZero) {
  FakeServer server(RowNumbersAndOutcome(v1::ROW_OUTCOME_OK));
  const Ran ran = RunCommand(RunSample, {"--server", server.address(), "--logits", TwoRows(),
                                         "--seed=42", "--no-support-size", "--json"});
  EXPECT_EQ(ran.code, kExitOk) << ran.err;
  EXPECT_TRUE(absl::StartsWith(
      ran.out, R"({"numerics_version":1,"rows":[{"row":0,"outcome":"OK","seed":"42","tokens":[0],)"
               R"("logprobs":{}},{"row":1,"outcome":"OK","seed":"43","tokens":[1],)"))
      << ran.out;
}

TEST(SampleCommand, AFailedRowIsExitCodeOne) {
  FakeServer server(RowNumbersAndOutcome(v1::ROW_OUTCOME_EMPTY_SUPPORT));
  const Ran ran = RunCommand(RunSample, {"--server", server.address(), "--logits", TwoRows()});
  EXPECT_EQ(ran.code, kExitRowsFailed);
  EXPECT_TRUE(absl::StrContains(ran.out, "EMPTY_SUPPORT")) << ran.out;
}

TEST(SampleCommand, AWrongFlagIsExitCodeTwoAndNothingOnStdout) {
  const Ran ran = RunCommand(RunSample, {"--logitz=x"});
  EXPECT_EQ(ran.code, kExitUsage);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(absl::StrContains(ran.err, "did you mean --logits?")) << ran.err;
  EXPECT_EQ(RunCommand(RunSample, {"--logits=/nonexistent"}).code, kExitUsage);
}

TEST(SampleCommand, AServerErrorIsExitCodeThreeWithItsMessage) {
  FakeServer server([](int, const auto&, auto*) {
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "vocab_size is 3; at most 2");
  });
  const Ran ran = RunCommand(RunSample, {"--server", server.address(), "--logits", TwoRows()});
  EXPECT_EQ(ran.code, kExitServerError);
  EXPECT_TRUE(absl::StrContains(ran.err, "INVALID_ARGUMENT: ")) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, "vocab_size is 3; at most 2")) << ran.err;
}

TEST(InfoCommand, PrintsTheCapabilities) {
  FakeServer server(RowNumbersAndOutcome(v1::ROW_OUTCOME_OK));
  const Ran ran = RunCommand(RunInfo, {"--server", server.address()});
  EXPECT_EQ(ran.code, kExitOk) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "server version        fake")) << ran.out;
}

TEST(LoadCommand, ReportsAndKeepsBounds) {
  FakeServer server(RowNumbersAndOutcome(v1::ROW_OUTCOME_OK));
  const Ran ran = RunCommand(RunLoad, {"--server", server.address(), "--rows=2", "--vocab=8",
                                       "--requests=3", "--concurrency=1", "--json"});
  EXPECT_EQ(ran.code, kExitOk) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, R"("answered":3,"failed":0)")) << ran.out;
  EXPECT_EQ(ran.err, "") << "no progress line where nobody watches";
  EXPECT_EQ(RunCommand(RunLoad, {"--rows=65536", "--vocab=16777216"}).code, kExitUsage);
}

TEST(Commands, HelpTeachesAndListsExitCodes) {
  for (auto* command : {RunSample, RunExplain, RunInfo, RunLoad}) {
    const Ran ran = RunCommand(command, {"--help"});
    EXPECT_EQ(ran.code, kExitOk);
    EXPECT_TRUE(absl::StrContains(ran.out, "  tessera ")) << "an example";
    EXPECT_TRUE(absl::StrContains(ran.out, "--server")) << ran.out;
    EXPECT_TRUE(absl::StrContains(ran.out, "Exit codes:")) << ran.out;
    for (absl::string_view line : absl::StrSplit(ran.out, '\n')) EXPECT_LE(line.size(), 100u);
  }
}

}  // namespace
}  // namespace tessera::cli
