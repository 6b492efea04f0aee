// One core, one row at a time: how much longer sampling takes than merely reading the row.
//
// Cycles over 256 rows (66 MB in bf16), reading and sampling interleaved, median of 15 rounds.
// --quick: median of 5. --all: every dtype, shape and width instead of the claims alone.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/claims.h"
#include "bench/cpu_time.h"
#include "bench/row_times.h"
#include "bench/rows.h"
#include "bench/sort_baseline.h"
#include "kernels/backend.h"

namespace tessera::bench {
namespace {

constexpr int64_t kRows = 256;
int rounds = 15;
bool all = false;
volatile uint64_t sink;

struct ChainCase {
  const char* name;
  Chain chain;
};

RowTimes Measure(Backend& backend, const Rows& rows, const Chain& chain) {
  const Plan plan = *CompileChain(chain);
  return TimesOf(backend, rows, InputsOf(plan, kRows), rounds);
}

Chain TopKTopP() { return {{Temperature{1.0}, TopK{50}, TopP{0.9}}}; }

// Measures one chain, prints it, and claims its ratio where it has a limit.
void Row(Backend& backend, const Rows& rows, Shape shape, const ChainCase& one, double limit) {
  const RowTimes m = Measure(backend, rows, one.chain);
  Print(backend, rows, shape, one.name, m);
  if (limit <= 0) return;
  std::string name = backend.name() + " bf16 V=128256 " + NameOf(shape) + " " + one.name +
                     ", times reading the row";
  ClaimAtMost(name, m.sample / m.read, limit);
}

void AgainstSort(Backend& backend, const Rows& rows) {
  const RowTimes m = Measure(backend, rows, TopKTopP());
  std::vector<double> sorts;
  for (int round = 0; round < 3; ++round) {
    const double start = NowMicroseconds();
    for (int64_t r = 0; r < 16; ++r) sink = SortAndSample(rows.view, r, 50, 0.9f, 0.5f);
    sorts.push_back((NowMicroseconds() - start) / 16);
  }
  std::printf("%-12s std::sort of pairs and float loops: %.0f us a row\n", backend.name().c_str(),
              Median(sorts));
  ClaimAtLeast(
      backend.name() + " bf16 V=128256 real top-k 50 + top-p 0.9, times faster than sorting",
      Median(sorts) / m.sample, 200);
}

// Limits as multiples of reading the row; 0 where nothing is claimed.
struct Limits {
  double top_k_top_p, min_p, no_filter, top_p, top_p_flat;
};

Limits LimitsOf(const std::string& target) {
  if (target == "AVX3") return {2.2, 1.6, 4, 5, 9};
  if (target == "AVX2") return {2.5, 1.6, 5, 6, 13};
  return {0, 0, 0, 0, 0};
}

void Run(const std::string& target) {
  const auto backend = MakeCpuBackend({.threads = 1, .target = target});
  const Limits limits = LimitsOf(target);
  const ChainCase top_k_top_p{"top-k 50+top-p 0.9", TopKTopP()};
  const ChainCase min_p{"min-p 0.05", {{MinP{0.05}}}};
  const ChainCase no_filter{"no filter", {}};
  const ChainCase top_p{"top-p 0.9", {{TopP{0.9}}}};
  const Rows real = MakeRows(Shape::kReal, DType::kBfloat16, kRows, 128256);
  const Rows flat = MakeRows(Shape::kFlat, DType::kBfloat16, kRows, 128256);
  Row(**backend, real, Shape::kReal, {"greedy", {{Greedy{}}}}, 0);
  Row(**backend, real, Shape::kReal, top_k_top_p, limits.top_k_top_p);
  Row(**backend, real, Shape::kReal, min_p, limits.min_p);
  Row(**backend, real, Shape::kReal, no_filter, limits.no_filter);
  Row(**backend, real, Shape::kReal, top_p, limits.top_p);
  Row(**backend, flat, Shape::kFlat, top_p, limits.top_p_flat);
  AgainstSort(**backend, real);
  if (!all) return;
  for (const DType dtype : {DType::kBfloat16, DType::kFloat16, DType::kFloat32}) {
    for (const int64_t columns : {int64_t{32000}, int64_t{128256}, int64_t{151936}}) {
      for (const Shape shape : {Shape::kReal, Shape::kPeaked, Shape::kFlat}) {
        const Rows rows = MakeRows(shape, dtype, kRows, columns);
        for (const ChainCase& one : {top_k_top_p, min_p, no_filter, top_p}) {
          Row(**backend, rows, shape, one, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      tessera::bench::rounds = 5;
    } else if (std::strcmp(argv[i], "--all") == 0) {
      tessera::bench::all = true;
    } else {
      std::fprintf(stderr, "row_bench: no option '%s'; --quick or --all\n", argv[i]);
      return 2;
    }
  }
  for (const std::string& target : tessera::CpuTargets()) {
    if (target == "SCALAR" || target == "EMU128") continue;  // portable, not meant to be fast
    tessera::bench::Run(target);
  }
  return 0;
}
