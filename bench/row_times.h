// What a row costs on one core, beside merely reading it.
#ifndef TESSERA_BENCH_ROW_TIMES_H_
#define TESSERA_BENCH_ROW_TIMES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "bench/rows.h"
#include "kernels/backend.h"

namespace tessera::bench {

// Medians in microseconds a row.
struct RowTimes {
  double read;
  double sample;
};

// One input for each of `count` rows; `plan` must outlive them.
std::vector<RowInput> InputsOf(const Plan& plan, int64_t count);

// Reading and sampling interleaved, `rounds` times; one input per row.
RowTimes TimesOf(Backend& backend, const Rows& rows, absl::Span<const RowInput> inputs, int rounds);

// One line of a benchmark.
void Print(const Backend& backend, const Rows& rows, Shape shape, const std::string& name,
           const RowTimes& times);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_ROW_TIMES_H_
