// Prints what a load run measured.
#include "client/cli/load_report.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/json_writer.h"
#include "client/cli/names.h"

namespace tessera::cli {
namespace {

struct Quantile {
  const char* name;
  double q;
};
constexpr Quantile kQuantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};

double Millis(absl::Duration duration) { return absl::ToDoubleMilliseconds(duration); }

double LogitsBytes(const LoadSpec& spec) {
  return static_cast<double>(spec.rows * spec.vocab_size * ElementSize(spec.type));
}

struct Rates {
  double requests, rows, gigabytes;  // answered, per second
};

Rates RatesOf(const LoadSpec& spec, const LoadResult& result) {
  const double seconds = result.seconds > 0 ? result.seconds : 1;
  const double requests = static_cast<double>(result.latency.count()) / seconds;
  return {requests, requests * static_cast<double>(spec.rows), requests * LogitsBytes(spec) * 1e-9};
}

std::string QuantilesText(const LatencyHistogram& histogram) {
  std::string out;
  for (const Quantile& quantile : kQuantiles) {
    absl::StrAppendFormat(&out, "%s %.3f  ", quantile.name,
                          Millis(histogram.Percentile(quantile.q)));
  }
  absl::StrAppendFormat(&out, "max %.3f ms", Millis(histogram.max()));
  return out;
}

void WriteQuantiles(absl::string_view key, const LatencyHistogram& histogram, JsonWriter* json) {
  json->Key(key).BeginObject();
  for (const Quantile& quantile : kQuantiles) {
    json->Key(quantile.name).Double(Millis(histogram.Percentile(quantile.q)));
  }
  json->Key("max").Double(Millis(histogram.max()));
  json->Key("mean").Double(Millis(histogram.mean())).EndObject();
}

}  // namespace

std::string LoadText(const LoadSpec& spec, const LoadResult& result) {
  const Rates rates = RatesOf(spec, result);
  std::string out = absl::StrFormat("request     %d rows x %d %s, %.1f MB; %d at a time\n",
                                    spec.rows, spec.vocab_size, TypeName(spec.type),
                                    LogitsBytes(spec) * 1e-6, spec.concurrency);
  absl::StrAppendFormat(&out, "answered    %d in %.1f s, %d failed, %d differing, %d rows failed\n",
                        result.latency.count(), result.seconds, result.failed, result.differing,
                        result.rows_failed);
  absl::StrAppendFormat(&out, "throughput  %.1f requests/s, %.0f rows/s, %.3f GB/s of logits\n",
                        rates.requests, rates.rows, rates.gigabytes);
  absl::StrAppend(&out, "latency     ", QuantilesText(result.latency), "\n");
  absl::StrAppend(&out, "compute     ", QuantilesText(result.compute), "\n");
  for (const auto& [message, count] : result.errors) {
    absl::StrAppend(&out, "error       ", count, " x ", message, "\n");
  }
  return out;
}

std::string LoadJson(const LoadSpec& spec, const LoadResult& result) {
  const Rates rates = RatesOf(spec, result);
  JsonWriter json;
  json.BeginObject().Key("rows").Integer(spec.rows).Key("vocab_size").Integer(spec.vocab_size);
  json.Key("dtype").String(TypeName(spec.type)).Key("concurrency").Integer(spec.concurrency);
  json.Key("seconds").Double(result.seconds).Key("answered").Integer(result.latency.count());
  json.Key("failed").Integer(result.failed).Key("differing").Integer(result.differing);
  json.Key("rows_failed").Integer(result.rows_failed);
  json.Key("requests_per_second").Double(rates.requests);
  json.Key("rows_per_second").Double(rates.rows);
  json.Key("gigabytes_per_second").Double(rates.gigabytes);
  WriteQuantiles("latency_ms", result.latency, &json);
  WriteQuantiles("compute_ms", result.compute, &json);
  json.Key("errors").BeginObject();
  for (const auto& [message, count] : result.errors) json.Key(message).Integer(count);
  json.EndObject().EndObject();
  return absl::StrCat(json.Take(), "\n");
}

std::string ProgressLine(const LoadProgress& progress) {
  const double seconds = progress.seconds > 0 ? progress.seconds : 1;
  return absl::StrFormat("%.1f s  %d requests  %.1f/s  %d failed", progress.seconds,
                         progress.answered, static_cast<double>(progress.answered) / seconds,
                         progress.failed);
}

}  // namespace tessera::cli
