#include "bench/row_times.h"

#include <cstdio>

#include "bench/cpu_time.h"
#include "bench/read_row.h"

namespace tessera::bench {
namespace {

volatile uint64_t sink;

void ReadAll(const Rows& rows, int64_t count) {
  uint64_t mixed = 0;
  const auto bytes = static_cast<size_t>(rows.view.columns * SizeOf(rows.view.dtype));
  for (int64_t r = 0; r < count; ++r) mixed ^= ReadBytes(rows.view.Row(r), bytes);
  sink = mixed;
}

}  // namespace

std::vector<RowInput> InputsOf(const Plan& plan, int64_t count) {
  std::vector<RowInput> inputs(static_cast<size_t>(count));
  for (int64_t r = 0; r < count; ++r) {
    inputs[r].plan = &plan;
    inputs[r].logits_row = r;
    inputs[r].seed = static_cast<uint64_t>(r);
  }
  return inputs;
}

RowTimes TimesOf(Backend& backend, const Rows& rows, absl::Span<const RowInput> inputs,
                 int rounds) {
  const Batch batch{rows.view, rows.view.columns, inputs};
  const auto count = static_cast<int64_t>(inputs.size());
  const auto per_row = static_cast<double>(count);
  BatchResult results;
  (void)backend.Run(batch, &results);
  std::vector<double> reads, samples;
  for (int round = 0; round < rounds; ++round) {
    reads.push_back(MicrosecondsOf([&] { ReadAll(rows, count); }) / per_row);
    samples.push_back(MicrosecondsOf([&] { (void)backend.Run(batch, &results); }) / per_row);
  }
  return {Median(reads), Median(samples)};
}

void Print(const Backend& backend, const Rows& rows, Shape shape, const std::string& name,
           const RowTimes& times) {
  std::printf("%-12s %-4s V %-6lld %-7s %-18s read %6.1f us  sample %7.1f us  ratio %5.2f\n",
              backend.name().c_str(), NameOf(rows.view.dtype),
              static_cast<long long>(rows.view.columns), NameOf(shape), name.c_str(), times.read,
              times.sample, times.sample / times.read);
}

}  // namespace tessera::bench
