// One core: how much longer verifying drafts takes than sampling as many rows.
//
// 64 sequences of 4 drafts, 320 target rows and up to 256 draft rows of 128,256 logits in bf16, at
// temperature 0.8 and top-p 0.9 on both sides. All is measured in turn in each round; median of 9
// rounds, of 3 with --quick.
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/claims.h"
#include "bench/cpu_time.h"
#include "bench/draft_batch.h"
#include "kernels/backend.h"
#include "kernels/plan.h"

namespace tessera::bench {
namespace {

int rounds = 9;

// Sampling each row of a matrix once.
struct SampledRows {
  SampledRows(const Rows& rows, const Plan& plan) : inputs(static_cast<size_t>(rows.view.rows)) {
    for (size_t r = 0; r < inputs.size(); ++r) {
      inputs[r].plan = &plan;
      inputs[r].logits_row = static_cast<int64_t>(r);
      inputs[r].seed = r;
    }
    batch = {rows.view, rows.view.columns, inputs};
  }

  std::vector<RowInput> inputs;
  Batch batch;
};

// One verification to be measured. A limit of 0 claims nothing.
struct Case {
  const char* name;
  VerificationMethod method;
  DraftLaw law;
  Ending ending;
  bool perturbed;  // the draft logits
  double limit;
};

constexpr Case kCases[] = {
    {"TOKEN, draft logits, all accepted", VerificationMethod::kToken, DraftLaw::kLogits,
     Ending::kAllAccepted, false, 1.3},
    {"TOKEN, sparse drafts, all accepted", VerificationMethod::kToken, DraftLaw::kSparse,
     Ending::kAllAccepted, false, 1.1},
    {"TOKEN, one-hot drafts, all accepted", VerificationMethod::kToken, DraftLaw::kOneHot,
     Ending::kAllAccepted, false, 1.1},
    {"BLOCK, draft logits, every residual read", VerificationMethod::kBlock, DraftLaw::kLogits,
     Ending::kLastRejected, true, 2},
    {"TOKEN, other draft logits", VerificationMethod::kToken, DraftLaw::kLogits,
     Ending::kLastRejected, true, 0},
    {"BLOCK, draft logits, all accepted", VerificationMethod::kBlock, DraftLaw::kLogits,
     Ending::kAllAccepted, false, 0},
};

struct Measured {
  const Case* what;
  std::unique_ptr<DraftBatch> batch;
  std::vector<double> times;
  std::vector<SequenceResult> results;
};

// The seeds must do what the case's name says, or the number would mean nothing.
double AcceptedPerSequence(const std::vector<SequenceResult>& results) {
  double accepted = 0;
  for (const SequenceResult& result : results) {
    accepted += static_cast<double>(result.verdict.accepted.size());
  }
  return accepted / kSequences;
}

void Report(const std::string& backend, const Measured& measured, double sample_320,
            double sample_576) {
  const bool reads_drafts = measured.what->law == DraftLaw::kLogits;
  const double base = reads_drafts ? sample_576 : sample_320;
  const double time = Median(measured.times);
  std::printf("%-12s %-42s %8.0f us, %.2f of %d drafts accepted; sampling %d rows %8.0f us\n",
              backend.c_str(), measured.what->name, time, AcceptedPerSequence(measured.results),
              kDrafts, reads_drafts ? kTargetRows + kDraftRows : kTargetRows, base);
  if (measured.what->limit <= 0) return;
  ClaimAtMost(backend + " verifying " + measured.what->name + ", times sampling " +
                  std::to_string(reads_drafts ? kTargetRows + kDraftRows : kTargetRows) + " rows",
              time / base, measured.what->limit);
}

void Run(const std::string& target, const DraftRowsMemory& rows, const Plan& plan) {
  const auto backend = MakeCpuBackend({.threads = 1, .target = target});
  std::vector<Measured> all;
  for (const Case& one : kCases) {
    const Rows& draft = one.perturbed ? rows.perturbed : rows.same;
    all.push_back({&one,
                   std::make_unique<DraftBatch>(one.method, one.law, one.ending, rows, draft, plan,
                                                **backend),
                   {},
                   {}});
  }
  const SampledRows target_rows(rows.target, plan);
  const SampledRows draft_rows(rows.same, plan);
  BatchResult sampled;
  std::vector<double> sample_320, sample_576;
  for (int round = 0; round <= rounds; ++round) {  // the first one warms up
    const double a = MicrosecondsOf([&] { (void)(*backend)->Run(target_rows.batch, &sampled); });
    const double b = MicrosecondsOf([&] { (void)(*backend)->Run(draft_rows.batch, &sampled); });
    std::vector<double> times;
    for (Measured& one : all) {
      times.push_back(MicrosecondsOf([&] {
        const absl::Status status = VerifyDrafts(one.batch->batch(), **backend, &one.results);
        if (!status.ok()) std::printf("%s\n", std::string(status.message()).c_str());
      }));
    }
    if (round == 0) continue;
    sample_320.push_back(a);
    sample_576.push_back(a + b);
    for (size_t i = 0; i < all.size(); ++i) all[i].times.push_back(times[i]);
  }
  for (const Measured& one : all) {
    Report((*backend)->name(), one, Median(sample_320), Median(sample_576));
  }
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") != 0) {
      std::fprintf(stderr, "verify_bench: no option '%s'; --quick\n", argv[i]);
      return 2;
    }
    tessera::bench::rounds = 3;
  }
  const auto plan = tessera::CompileChain({{tessera::Temperature{0.8}, tessera::TopP{0.9}}});
  const tessera::bench::DraftRowsMemory rows = tessera::bench::MakeDraftRows(128256);
  for (const std::string& target : tessera::CpuTargets()) {
    if (target == "SCALAR" || target == "EMU128") continue;  // portable, not meant to be fast
    tessera::bench::Run(target, rows, *plan);
  }
  return 0;
}
