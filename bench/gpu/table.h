// What gpu_bench prints and writes.
#ifndef TESSERA_BENCH_GPU_TABLE_H_
#define TESSERA_BENCH_GPU_TABLE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "bench/gpu/bandwidth.h"
#include "bench/gpu/options.h"

namespace tessera::bench {

struct Measured {
  Case one;
  double microseconds = 0;
};

// The time of reading the logits once at the measured bandwidth.
double FloorMicroseconds(const Case& one, const Bandwidth& bandwidth);

void PrintHeader();
void PrintRow(const Measured& measured, const Bandwidth& bandwidth);

// A claim for every batch that has a goal: real rows of 128,256 columns in bf16, the slowest of the
// chains.
void PrintClaims(absl::Span<const Measured> table);

std::string TableAsJson(const std::string& device, const Options& options,
                        const Bandwidth& bandwidth, absl::Span<const Measured> table);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_GPU_TABLE_H_
