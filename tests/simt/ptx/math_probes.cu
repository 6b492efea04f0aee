// The probes of math_probes.h as kernels, one thread an input.
#include "tests/simt/ptx/math_probes.h"

namespace tessera::probe {

template <class Probe>
__global__ void RunProbe(const Words* in, Words* out, uint32_t count) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Probe::Run(in[i]);
}

#define TESSERA_PROBE(Name) template __global__ void RunProbe<Name>(const Words*, Words*, uint32_t)
TESSERA_PROBE(DtypeProbe);
TESSERA_PROBE(KeyProbe);
TESSERA_PROBE(LogProbe);
TESSERA_PROBE(LogprobProbe);
TESSERA_PROBE(PhiloxProbe);
TESSERA_PROBE(WeightProbe);
TESSERA_PROBE(StatisticsProbe);
TESSERA_PROBE(SpreadProbe);
TESSERA_PROBE(WideProbe);
TESSERA_PROBE(CeilProbe);
#undef TESSERA_PROBE

}  // namespace tessera::probe
