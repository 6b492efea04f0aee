// Flags and the configuration file: what is accepted, what wins, and what a mistake is told.
#include "service/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "service/flags.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Options Parse(const std::vector<const char*>& arguments) {
  absl::StatusOr<Options> options = ParseOptions(arguments);
  EXPECT_TRUE(options.ok()) << options.status();
  return options.value_or(Options());
}

std::string Refusal(const std::vector<const char*>& arguments) {
  const absl::Status status = ParseOptions(arguments).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(Options, DefaultsAreForALocalTry) {
  const Options options = Parse({});
  EXPECT_THAT(options.listen, ElementsAre("127.0.0.1:50051"));
  EXPECT_EQ(options.admin_listen, "");
  EXPECT_EQ(options.backend, BackendKind::kAuto);
  EXPECT_EQ(options.limits.max_unary_bytes, 64 << 20);
}

TEST(Options, BothSpellingsOfAValue) {
  const Options options = Parse(
      {"--max-rows=12", "--max-unary-bytes", "1MiB", "--backend", "scalar", "--threads=3",
       "--drain-delay=1500ms", "--cpu-target=AVX2", "--port-file", "p", "--admin-listen", "[::1]:0",
       "--max-connection-age", "0", "--cuda-device=1", "--cuda-kernel", "cluster"});
  EXPECT_EQ(options.limits.max_rows, 12);
  EXPECT_EQ(options.limits.max_unary_bytes, 1 << 20);
  EXPECT_EQ(options.backend, BackendKind::kScalar);
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.drain_delay, absl::Milliseconds(1500));
  EXPECT_EQ(options.cpu_target, "AVX2");
  EXPECT_EQ(options.cuda_device, 1);
  EXPECT_EQ(options.cuda_kernel, "cluster");
  EXPECT_EQ(options.port_file, "p");
  EXPECT_EQ(options.admin_listen, "[::1]:0");
  EXPECT_EQ(options.max_connection_age, absl::InfiniteDuration());
}

TEST(Options, ListenersAccumulateAndReplaceTheDefault) {
  EXPECT_THAT(Parse({"--listen", "a:1,unix:/b", "--listen=[::]:0"}).listen,
              ElementsAre("a:1", "unix:/b", "[::]:0"));
}

TEST(Options, MistakesAreNamed) {
  const struct {
    std::vector<const char*> arguments;
    const char* words;
  } cases[] = {
      {{"--frobnicate=1"}, "--frobnicate is unknown; tesserad --help lists"},
      {{"50051"}, "'50051' is not a flag"},
      {{"--threads"}, "--threads has no value"},
      {{"--threads", "-1"}, "--threads is '-1'; it must be a whole number in [0, 1024]"},
      {{"--max-rows=0"}, "--max-rows is '0'; it must be a whole number in [1, 1048576]"},
      {{"--max-rows=9999999999999999999"}, "--max-rows is '9999999999999999999'"},
      {{"--max-unary-bytes=2GiB"}, "--max-unary-bytes is '2GiB'; it must be bytes in [1KiB, 1GiB]"},
      {{"--max-unary-bytes=9223372036854775807GiB"}, "--max-unary-bytes is"},
      {{"--max-unary-bytes=12 parsecs"}, "--max-unary-bytes is '12 parsecs'"},
      {{"--max-inflight-bytes=1MiB"},
       "--max-inflight-bytes is 1048576; it must be at least --max-unary-bytes"},
      {{"--backend=gpu"}, "--backend is 'gpu'; it must be auto, cpu, cuda or scalar"},
      {{"--cuda-device=-1"}, "--cuda-device is '-1'; it must be a whole number in [0, 255]"},
      {{"--cuda-device=gpu"}, "--cuda-device is 'gpu'; it must be a whole number in [0, 255]"},
      {{"--cuda-kernel=fast"}, "--cuda-kernel is 'fast'; it must be auto, cluster or fallback"},
      {{"--listen=localhost"}, "--listen is 'localhost'; it must be host:port"},
      {{"--listen=localhost:65536"}, "--listen is 'localhost:65536'"},
      {{"--listen=::1:80"}, "--listen is '::1:80'"},
      {{"--listen=unix:"}, "--listen is 'unix:'"},
      {{"--listen=a:1,"}, "--listen is ''"},
      {{"--admin-listen=unix:/x"}, "--admin-listen is 'unix:/x'; it must be host:port"},
      {{"--drain-delay=-1s"}, "--drain-delay is '-1s'; it must be a duration"},
      {{"--shutdown-grace=inf"}, "--shutdown-grace is 'inf'; it must be a duration"},
      {{"--config=/nonexistent/t.conf"}, "--config is '/nonexistent/t.conf', which cannot be read"},
  };
  for (const auto& c : cases) EXPECT_THAT(Refusal(c.arguments), HasSubstr(c.words));
}

TEST(Options, ConfigIsReadFirstAndFlagsWin) {
  const std::string path = ::testing::TempDir() + "/options_test.conf";
  std::ofstream(path) << "# a comment\n\n  max-rows = 5 \nmax-chains=6\nlisten = a:1\n";
  const Options options = Parse({"--max-rows", "7", "--listen=b:2", "--config", path.c_str()});
  std::remove(path.c_str());
  EXPECT_EQ(options.limits.max_rows, 7);
  EXPECT_EQ(options.limits.max_chains, 6);
  EXPECT_THAT(options.listen, ElementsAre("b:2"));
}

TEST(Options, ConfigMistakesNameFileAndLine) {
  const struct {
    const char* text;
    const char* words;
  } cases[] = {
      {"max-rows = 5\nmax-rows = x", "t.conf:2: max-rows is 'x'; it must be a whole number"},
      {"\nmax-rows", "t.conf:2: 'max-rows' is not a setting; write name = value"},
      {"speed = 11", "t.conf:1: speed is unknown"},
      {"config = other", "t.conf:1: config is unknown"},
  };
  for (const auto& c : cases) {
    Options options;
    const absl::Status status = ApplyConfig(c.text, "t.conf", &options);
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.words));
  }
}

// Every default that --help shows must parse back to itself.
TEST(Options, HelpShowsEveryFlagWithItsDefault) {
  const std::string help = HelpText();
  for (const Flag& flag : Flags()) {
    EXPECT_THAT(help, HasSubstr(std::string("--") + flag.name + " "));
    const std::string shown = flag.show(Options());
    if (shown.empty()) continue;
    EXPECT_THAT(help, HasSubstr("[" + shown + "]"));
    Options options;
    options.listen.clear();
    EXPECT_TRUE(flag.set(shown, &options).ok()) << flag.name;
    EXPECT_EQ(flag.show(options), shown);
  }
}

}  // namespace
}  // namespace tessera
