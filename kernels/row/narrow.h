// Applies a plan's cuts to a law, one after the other, each on what the one before left.
#ifndef TESSERA_KERNELS_ROW_NARROW_H_
#define TESSERA_KERNELS_ROW_NARROW_H_

#include <cstdint>

#include "kernels/row/cut_count.h"
#include "kernels/row/cut_mass.h"
#include "kernels/row/cut_ranked.h"
#include "kernels/row/cut_share.h"
#include "kernels/row/cut_spread.h"
#include "kernels/row/cut_typical.h"
#include "kernels/row/law.h"
#include "kernels/row/rewriting_cuts.h"
#include "kernels/steps.h"

namespace tessera {

template <class Row>
TESSERA_HD void ApplyCut(Law<Row>& law, const Cut& cut, float draw_c) {
  switch (cut.kind) {
    case Cut::Kind::kCount:
    case Cut::Kind::kMirostatV1:
      return CutCounted(law, cut, draw_c);
    case Cut::Kind::kMass:
      return CutMass(law, cut);
    case Cut::Kind::kWeightOfMax:
      return CutAtWeight(law, cut.c, CeilScale(cut.value));
    case Cut::Kind::kShare:
    case Cut::Kind::kTopA:
    case Cut::Kind::kEta:
    case Cut::Kind::kMirostatV2:
      return CutAtShare(law, cut);
    case Cut::Kind::kTypical:
      return CutTypical(law, cut);
    case Cut::Kind::kSpread:
      return CutAtSpread(law, cut);
    case Cut::Kind::kTailFree:
      return CutTailFree(law, cut);
    case Cut::Kind::kExcludeTop:
      return ExcludeTop(law, cut);
    case Cut::Kind::kDynamicTemperature:
      return ScaleByEntropy(law, cut);
    case Cut::Kind::kSmooth:
      return Smooth(law, cut);
    case Cut::Kind::kAdaptive:
      return Adapt(law, cut);
  }
}

// The cuts of the row's plan.
template <class Row>
TESSERA_HD void Narrow(Law<Row>& law) {
  TESSERA_NO_UNROLL
  for (int32_t i = 0; i < law.row.input().plan->cut_count; ++i) {
    const Plan& plan = *law.row.input().plan;
    ApplyCut(law, plan.cuts[i], plan.c);
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_NARROW_H_
