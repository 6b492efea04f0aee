// One core, one row at a time: what the stages beyond top-k, top-p and min-p cost, beside reading
// the row. It claims nothing: no limit was set for them.
//
// Cycles over 256 recorded rows of 128,256 columns (66 MB in bf16), median of 9 rounds; --quick: 3.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/row_times.h"
#include "bench/rows.h"
#include "kernels/backend.h"
#include "kernels/history_edits.h"

namespace tessera::bench {
namespace {

constexpr int64_t kRows = 256;
constexpr int64_t kColumns = 128256;

struct StageCase {
  const char* name;
  Chain chain;
};

std::vector<StageCase> Cases() {
  return {
      {"no filter", {}},
      {"top-a 0.2", {{TopA{.a = 0.2}}}},
      {"epsilon 0.001", {{EpsilonCutoff{0.001}}}},
      {"eta 0.001", {{EtaCutoff{0.001}}}},
      {"typical-p 0.9", {{TypicalP{.p = 0.9}}}},
      {"top-n-sigma 1", {{TopNSigma{.n = 1}}}},
      {"xtc 1, 0.1", {{Xtc{.probability = 1, .threshold = 0.1}}}},
      {"top-k 50, tfs 0.9", {{TopK{50}, TailFree{0.9}}}},
      {"dynamic T 0.5-2", {{DynamicTemperature{.low = 0.5, .high = 2}}}},
      {"smoothing 0.2", {{Smoothing{.factor = 0.2}}}},
      {"mirostat 1", {{MirostatV1{}}}},
      {"mirostat 2", {{MirostatV2{}}}},
      {"adaptive-p 0.5", {{AdaptiveP{.target = 0.5}}}},
      {"dry 0.8", {{Dry{.multiplier = 0.8}}}},
  };
}

// The last 1,000 tokens, which say the same 250 four times: DRY finds one to penalise.
std::vector<TokenId> Repetitive() {
  std::vector<TokenId> history(1000);
  for (size_t i = 0; i < history.size(); ++i) {
    history[i] = static_cast<TokenId>(i % 250 * 97 % kColumns);
  }
  return history;
}

void Run(const std::string& target, int rounds) {
  const auto backend = MakeCpuBackend({.threads = 1, .target = target});
  const Rows rows = MakeRows(Shape::kReal, DType::kBfloat16, kRows, kColumns);
  const std::vector<TokenId> history = Repetitive();
  for (const StageCase& one : Cases()) {
    const Plan plan = *CompileChain(one.chain);
    const HistoryEdits edits = HistoryStages(one.chain, kColumns).EditsOf({{}, history});
    std::vector<RowInput> inputs = InputsOf(plan, kRows);
    for (RowInput& input : inputs) edits.ShowTo(&input);
    Print(**backend, rows, Shape::kReal, one.name, TimesOf(**backend, rows, inputs, rounds));
  }
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
  int rounds = 9;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") != 0) {
      std::fprintf(stderr, "stage_bench: no option '%s'; --quick\n", argv[i]);
      return 2;
    }
    rounds = 3;
  }
  for (const std::string& target : tessera::CpuTargets()) {
    if (target == "SCALAR" || target == "EMU128") continue;  // portable, not meant to be fast
    tessera::bench::Run(target, rounds);
  }
  return 0;
}
