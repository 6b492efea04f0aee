// `tessera sample`: samples or scores rows of logits from a file.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/chain_text.h"
#include "client/cli/commands.h"
#include "client/cli/connection_flags.h"
#include "client/cli/failure.h"
#include "client/cli/sample_flags.h"
#include "client/cli/sample_report.h"
#include "client/seeds.h"

namespace tessera::cli {
namespace {

constexpr char kIntroduction[] =
    R"(Samples tokens from rows of logits in a file, or scores tokens under them.

  tessera sample --logits rows.npy --chain temperature=0.7,top_k=50,top_p=0.9 --seed 42
  tessera sample --logits rows.npy --rows 0,3,5-8 --logprobs 5 --logprob-modes raw,processed
  tessera sample --logits rows.npy --samples 0 --score 17,99          (no draw: logprobs and ranks)
  tessera sample --logits rows.bin --shape 16,262144 --dtype bf16 --chain min_p=0.05 --json
  tessera sample --logits rows.npy --chain repetition_penalty=1.1,temperature=0.8 --prompt 5,9,2

The same rows, flags and seed give the same tokens and logprobs on every machine, whichever other
rows are sampled with them.
)";

constexpr char kOutput[] = R"(
Output: a line per drawn token; `kept` is the number of tokens that the chain left, `rank` is 1 for
the likeliest. With --json: {"numerics_version", "rows": [{"row", "outcome", "error", "seed",
"tokens", "support_size", "state", "logprobs": {MODE: {"sampled", "scored", "top", "entropy"}}}],
"execution"}, one line; what was not asked for or does not apply is left out.
)";

std::string Help(const Flags& flags) {
  return absl::StrCat(kIntroduction, flags.Help(),
                      "\nStages of a chain, comma-separated, in the order they apply:\n",
                      ChainTextHelp(), kOutput, "\n", kExitCodesHelp);
}

ExitCode Sample(const SampleFlags& wanted, const ConnectionFlags& connection) {
  absl::StatusOr<FileSample> sample = BuildFileSample(wanted);
  if (!sample.ok()) return Fail(kExitUsage, sample.status());
  absl::StatusOr<Client> client = connection.Connect();
  if (!client.ok()) return Fail(kExitUsage, client.status());
  if (absl::Status status = FillSeeds(&sample->request); !status.ok()) {
    return Fail(kExitServerError, status);
  }
  absl::StatusOr<v1::SampleTokensResponse> response = client->Sample(sample->request);
  if (!response.ok()) return Fail(kExitServerError, response.status());
  absl::StatusOr<std::vector<SampledRow>> rows = ReadRows(sample->request, *response);
  if (!rows.ok()) return Fail(kExitServerError, rows.status());
  const std::string report = wanted.json ? SampleJson(*rows, sample->file_rows, *response)
                                         : SampleText(*rows, sample->file_rows, *response);
  std::fputs(report.c_str(), stdout);
  for (const SampledRow& row : *rows) {
    if (row.outcome != v1::ROW_OUTCOME_OK) return kExitRowsFailed;
  }
  return kExitOk;
}

}  // namespace

ExitCode RunSample(absl::Span<const std::string> arguments) {
  SampleFlags wanted;
  ConnectionFlags connection;
  Flags flags;
  wanted.Declare(&flags);
  connection.Declare(&flags);
  connection.DeclareAttempts(&flags);
  absl::Status status = flags.Parse(arguments);
  if (flags.help_wanted()) {
    std::fputs(Help(flags).c_str(), stdout);
    return kExitOk;
  }
  status.Update(wanted.Check());
  if (!status.ok()) return FailUsage("sample", status);
  return Sample(wanted, connection);
}

}  // namespace tessera::cli
