// What gpu_bench measures.
#ifndef TESSERA_BENCH_GPU_OPTIONS_H_
#define TESSERA_BENCH_GPU_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "bench/rows.h"
#include "kernels/chain.h"
#include "kernels/types.h"

namespace tessera::bench {

struct Options {
  std::vector<int64_t> batches = {1, 8, 64, 256};
  std::vector<int64_t> columns = {128256, 151936};
  int repeats = 51;
  int64_t flush_mib = 256;  // more than the L2 cache of any device
  int64_t copy_mib = 1024;  // memory whose copy and reading are timed
  std::string json;         // a file to write; empty: none
  bool require_device = false;
  bool dry_run = false;  // lists the cases
  bool help = false;
};

inline constexpr const char* kUsage =
    "gpu_bench [--quick] [--batches N,...] [--columns N,...] [--repeats N] [--flush-mib N]\n"
    "          [--copy-mib N] [--json FILE] [--require-device] [--dry-run]\n";

// An empty string, or what is wrong with the arguments.
std::string ParseOptions(int argc, char** argv, Options* options);

struct NamedChain {
  const char* name;
  Chain chain;
};

// No filter; top-k 50 and top-p 0.9; top-p 0.9 alone.
const std::vector<NamedChain>& BenchChains();

// One line of the table.
struct Case {
  Shape shape;
  DType dtype;
  int64_t columns;
  int chain;  // of BenchChains
  int64_t rows;

  int64_t bytes() const { return rows * columns * SizeOf(dtype); }
};

std::vector<Case> AllCases(const Options& options);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_GPU_OPTIONS_H_
