// `tessera load`: measures a server under load.
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/chain_text.h"
#include "client/cli/commands.h"
#include "client/cli/connection_flags.h"
#include "client/cli/failure.h"
#include "client/cli/load_report.h"
#include "client/cli/load_run.h"
#include "client/cli/names.h"

namespace tessera::cli {
namespace {

constexpr char kIntroduction[] =
    R"(Measures a server in a closed loop: each of --concurrency workers sends its next request when its
last one is answered, so the server is never asked for more than it gives.

  tessera load --rows 64 --vocab 128256 --dtype bf16 --chain temperature=0.7,top_k=50,top_p=0.9
  tessera load --rows 1 --concurrency 16 --duration 30s --json
  tessera load --rows 256 --requests 100 --logprobs 5

Every request is the same, so every answer must be the same bytes; those that are not are counted
as `differing`. Each worker has its own connection and one warm-up request that is not counted.
Failed calls are not retried, so that latencies are those of single attempts.
)";

constexpr char kOutput[] = R"(
Output: `latency` is what the client saw, `compute` what the server says it spent in its backend;
the difference is transport and waiting. Percentiles are exact to 1/64.
Exit code 3 also where a request failed or an answer differed.
)";

constexpr int64_t kMaxBytes = 1LL << 30;  // of logits in one request

struct LoadFlags {
  LoadSpec spec;
  std::string type = "bf16";
  bool json = false;

  void Declare(Flags* flags) {
    flags->Section("Request");
    flags->Integer("rows", 1, 65536, &spec.rows, "rows of a request");
    flags->Integer("vocab", 1, 1 << 24, &spec.vocab_size, "logits of a row, iid N(0, 3^2)");
    flags->Choice("dtype", {"fp32", "fp16", "bf16"}, &type, "element type");
    flags->Parsed("chain", "CHAIN", "as in tessera sample (default none)",
                  [this](absl::string_view text) { return Store(ParseChain(text), &spec.chain); });
    flags->Integer("samples", 0, 1 << 20, &spec.samples, "draws per row");
    flags->Integer("logprobs", 0, 1 << 20, &spec.top_logprobs,
                   "processed logprobs of the N likeliest tokens; 0 asks for none");
    flags->Section("Load");
    flags->Integer("concurrency", 1, 1024, &spec.concurrency, "workers");
    flags->Seconds("duration", 86400, &spec.seconds, "no request starts later");
    flags->Integer("requests", 0, std::numeric_limits<int64_t>::max(), &spec.max_requests,
                   "nor any beyond so many; 0 for no such bound");
    flags->Section("Report");
    flags->Switch("json", &json, "one line of JSON for machines");
  }

  absl::Status Check() {
    spec.type = TypeFromName(type);
    const int64_t bytes = spec.rows * spec.vocab_size * ElementSize(spec.type);
    if (bytes <= kMaxBytes) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("--rows x --vocab are ", bytes,
                                                   " bytes of logits; at most ", kMaxBytes,
                                                   " fit in a request"));
  }
};

// The progress line, where a person watches; each call overwrites the last.
std::function<void(const LoadProgress&)> ProgressOnTerminal() {
  if (isatty(STDERR_FILENO) == 0) return nullptr;
  return [](const LoadProgress& progress) {
    std::fprintf(stderr, "\r\033[K%s", ProgressLine(progress).c_str());
  };
}

ExitCode Load(const LoadFlags& wanted, const ConnectionFlags& connection) {
  const auto progress = ProgressOnTerminal();
  ClientOptions options = connection.Options();
  options.retry.max_attempts = 1;
  absl::StatusOr<LoadResult> result =
      RunClosedLoop(wanted.spec, connection.server, options, progress);
  if (progress) std::fputs("\r\033[K", stderr);
  if (!result.ok()) return Fail(kExitServerError, result.status());
  const std::string report =
      wanted.json ? LoadJson(wanted.spec, *result) : LoadText(wanted.spec, *result);
  std::fputs(report.c_str(), stdout);
  if (result->failed > 0 || result->differing > 0) return kExitServerError;
  return result->rows_failed > 0 ? kExitRowsFailed : kExitOk;
}

}  // namespace

ExitCode RunLoad(absl::Span<const std::string> arguments) {
  LoadFlags wanted;
  ConnectionFlags connection;
  Flags flags;
  wanted.Declare(&flags);
  connection.Declare(&flags);
  absl::Status status = flags.Parse(arguments);
  if (flags.help_wanted()) {
    std::fputs(absl::StrCat(kIntroduction, flags.Help(), kOutput, "\n", kExitCodesHelp).c_str(),
               stdout);
    return kExitOk;
  }
  status.Update(wanted.Check());
  if (!status.ok()) return FailUsage("load", status);
  return Load(wanted, connection);
}

}  // namespace tessera::cli
