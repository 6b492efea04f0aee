#include "tests/simt/defect_table.h"

#include <cstdlib>
#include <memory>

#include "tests/simt/copy_defects.cuh"

namespace defects {

#define DEFECT(name, ...) \
  Defect { #name, &name < false>, &name < true>, ##__VA_ARGS__ }

const std::vector<Defect>& Defects() {
  static const auto& defects = *new std::vector<Defect>{
      DEFECT(ReadAfterWrite),
      DEFECT(WriteAfterRead),
      DEFECT(WriteAfterWrite),
      DEFECT(DivergentBarrier),
      DEFECT(DivergentShuffle),
      DEFECT(MissingSyncwarp),
      DEFECT(LostUpdate),
      DEFECT(MisalignedLoad),
      DEFECT(MisalignedCountedLoad),
      DEFECT(UninitialisedShared),
      DEFECT(SharedWritePastEnd),
      DEFECT(GlobalReadPastEnd),
      DEFECT(BlockOrder, 4),
      DEFECT(MissingFence, 2, 1, 2),
      DEFECT(MissingAsyncWait),
      DEFECT(MissingBarrierWait),
      DEFECT(NeverWaitedBarrier),
      DEFECT(TooManyBytesExpected),
      DEFECT(TooFewBytesExpected),
      DEFECT(UnfencedBarrierInit),
      DEFECT(UnsyncedBarrierInit),
      DEFECT(CopyOverRead),
      DEFECT(UnsyncedCluster, 2, 2),
      DEFECT(ClusterReadAfterExit, 2, 2),
  };
  return defects;
}

#undef DEFECT

Outcome RunDefect(const Defect& defect, bool planted, uint64_t seed) {
  // On the heap, so that AddressSanitizer has a redzone right behind it.
  const std::unique_ptr<unsigned, void (*)(void*)> in(
      static_cast<unsigned*>(std::aligned_alloc(16, kWords * sizeof(unsigned))), &std::free);
  for (unsigned i = 0; i < kWords; ++i) {
    in.get()[i] = i * i + 7;
  }
  Outcome outcome;
  outcome.out.assign(kWords, 0);
  simt::emulator::RunOptions& options = simt::emulator::Options();
  options = simt::emulator::RunOptions();
  options.seed = seed;
  options.preempt = seed % 4 == 3 ? 20 : 0;
  options.resident_clusters = defect.resident_clusters;
  simt::LaunchConfig config;
  config.grid = dim3(defect.blocks);
  config.block = dim3(kThreads);
  config.shared_bytes = sizeof(Shared);
  config.cluster = defect.cluster;
  try {
    if (simt::Launch(config, planted ? defect.planted : defect.right,
                     Memory{in.get(), outcome.out.data()}) != cudaSuccess) {
      outcome.report = "the launch was refused";
    }
  } catch (const simt::Error& error) {
    outcome.report = error.what();
  }
  options = simt::emulator::RunOptions();
  return outcome;
}

}  // namespace defects
