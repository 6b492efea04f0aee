// Prints what was sampled.
#include "client/cli/sample_report.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/json_writer.h"
#include "client/cli/names.h"
#include "client/cli/text_table.h"
#include "client/state_text.h"

namespace tessera::cli {
namespace {

std::string Shown(float logprob) { return absl::StrFormat("%.4f", logprob); }

// One line per drawn token, or one for a row without any.
void AddRowLines(const SampledRow& row, int64_t file_row, size_t columns, TextTable* table) {
  const std::string support = row.support_size ? absl::StrCat(*row.support_size) : "";
  const std::string seed = row.seed ? absl::StrCat(*row.seed) : "";
  const std::string outcome = OutcomeName(row.outcome);
  if (row.tokens.empty()) {
    table->Add({absl::StrCat(file_row), outcome, seed, support});
    return;
  }
  for (size_t s = 0; s < row.tokens.size(); ++s) {
    std::vector<std::string> cells = {absl::StrCat(file_row), outcome, seed, support,
                                      absl::StrCat(row.tokens[s])};
    for (const SampledRowMode& mode : row.modes) {
      cells.push_back(Shown(mode.sampled[s].logprob));
      cells.push_back(absl::StrCat(mode.sampled[s].rank));
    }
    cells.resize(columns);
    table->Add(std::move(cells));
  }
}

std::string DrawnTable(absl::Span<const SampledRow> rows, absl::Span<const int64_t> file_rows,
                       const v1::SampleTokensResponse& response) {
  std::vector<std::string> head = {"row", "outcome", "seed", "kept", "token"};
  for (const v1::ModeLogprobs& mode : response.logprobs()) {
    head.emplace_back(ModeName(mode.mode()));
    head.push_back("rank");
  }
  const size_t columns = head.size();
  TextTable table(std::move(head));
  for (size_t r = 0; r < rows.size(); ++r) AddRowLines(rows[r], file_rows[r], columns, &table);
  return table.Text();
}

void AppendList(absl::string_view title, absl::Span<const TokenLogprob> tokens, std::string* out) {
  if (tokens.empty()) return;
  TextTable table({"  rank", "token", "logprob", "probability"});
  for (const TokenLogprob& token : tokens) {
    table.Add({absl::StrCat(token.rank), absl::StrCat(token.id), Shown(token.logprob),
               absl::StrFormat("%.6f", std::exp(token.logprob))});
  }
  absl::StrAppend(out, "\n", title, "\n", table.Text());
}

void AppendDetails(const SampledRow& row, int64_t file_row, std::string* out) {
  if (!row.error.empty()) absl::StrAppend(out, "\nrow ", file_row, ": ", row.error, "\n");
  if (row.raw_invalid) {
    absl::StrAppend(out, "\nrow ", file_row,
                    ": a masked logit is NaN or +inf, so raw logprobs are NaN\n");
  }
  if (row.state) {
    absl::StrAppend(out, "\nrow ", file_row, ": for its next draw, --state ", StateText(*row.state),
                    "\n");
  }
  for (const SampledRowMode& mode : row.modes) {
    const std::string name = absl::StrCat("row ", file_row, ", ", ModeName(mode.mode));
    if (mode.entropy) {
      absl::StrAppend(out, "\n", name, ": entropy ", Shown(*mode.entropy), " nats\n");
    }
    AppendList(absl::StrCat(name, ": likeliest"), mode.top, out);
    AppendList(absl::StrCat(name, ": scored"), mode.scored, out);
  }
}

void WriteTokens(absl::string_view key, absl::Span<const TokenLogprob> tokens, JsonWriter* json) {
  json->Key(key).BeginArray();
  for (const TokenLogprob& token : tokens) {
    json->BeginObject().Key("id").Integer(token.id).Key("logprob").Float(token.logprob);
    json->Key("rank").Integer(token.rank).EndObject();
  }
  json->EndArray();
}

void WriteRow(const SampledRow& row, int64_t file_row, JsonWriter* json) {
  json->BeginObject().Key("row").Integer(file_row);
  json->Key("outcome").String(OutcomeName(row.outcome));
  if (!row.error.empty()) json->Key("error").String(row.error);
  if (row.seed) json->Key("seed").Unsigned64(*row.seed);
  json->Key("tokens").BeginArray();
  for (const int32_t token : row.tokens) json->Integer(token);
  json->EndArray();
  if (row.support_size) json->Key("support_size").Integer(*row.support_size);
  if (row.raw_invalid) json->Key("raw_invalid").Bool(true);
  if (row.state) json->Key("state").String(StateText(*row.state));
  json->Key("logprobs").BeginObject();
  for (const SampledRowMode& mode : row.modes) {
    json->Key(ModeName(mode.mode)).BeginObject();
    WriteTokens("sampled", mode.sampled, json);
    WriteTokens("scored", mode.scored, json);
    WriteTokens("top", mode.top, json);
    if (mode.entropy) json->Key("entropy").Float(*mode.entropy);
    json->EndObject();
  }
  json->EndObject().EndObject();
}

}  // namespace

std::string SampleText(absl::Span<const SampledRow> rows, absl::Span<const int64_t> file_rows,
                       const v1::SampleTokensResponse& response) {
  std::string out = DrawnTable(rows, file_rows, response);
  for (size_t r = 0; r < rows.size(); ++r) AppendDetails(rows[r], file_rows[r], &out);
  const v1::ExecutionReport& execution = response.execution();
  absl::StrAppendFormat(&out, "\n%s, numerics version %d, computed in %.3f ms\n",
                        execution.backend(), response.numerics_version(),
                        static_cast<double>(execution.compute_nanos()) * 1e-6);
  return out;
}

std::string SampleJson(absl::Span<const SampledRow> rows, absl::Span<const int64_t> file_rows,
                       const v1::SampleTokensResponse& response) {
  JsonWriter json;
  json.BeginObject().Key("numerics_version").Integer(response.numerics_version());
  json.Key("rows").BeginArray();
  for (size_t r = 0; r < rows.size(); ++r) WriteRow(rows[r], file_rows[r], &json);
  json.EndArray();
  const v1::ExecutionReport& execution = response.execution();
  json.Key("execution").BeginObject().Key("backend").String(execution.backend());
  json.Key("source_used").String(SourceName(execution.source_used()));
  json.Key("decode_nanos").Integer(execution.decode_nanos());
  json.Key("compute_nanos").Integer(execution.compute_nanos());
  json.Key("encode_nanos").Integer(execution.encode_nanos()).EndObject().EndObject();
  return absl::StrCat(json.Take(), "\n");
}

}  // namespace tessera::cli
