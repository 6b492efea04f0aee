// The cuts that read statistics of what is left, by their published definitions in long double.
#ifndef TESSERA_TESTS_SUPPORT_REAL_STATISTICS_H_
#define TESSERA_TESTS_SUPPORT_REAL_STATISTICS_H_

#include "tests/support/chain_steps.h"
#include "tests/support/real_cuts.h"

namespace tessera::oracle {

Bounds StatisticBounds(const TypicalP& stage, const Step& before);
Bounds StatisticBounds(const TopNSigma& stage, const Step& before);
Bounds StatisticBounds(const TailFree& stage, const Step& before);
Bounds StatisticBounds(const MirostatV1& stage, const Step& before, const RowInput& row);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_REAL_STATISTICS_H_
