// Why a stage did to a row what it did, in words with the row's numbers.
#ifndef TESSERA_SERVICE_EXPLAIN_REASON_H_
#define TESSERA_SERVICE_EXPLAIN_REASON_H_

#include <string>

#include "kernels/chain.h"
#include "service/prefix_laws.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

// `found` and `left` are the laws before and after `stage`, whose cuts stand in `explanation`.
std::string ReasonFor(const Stage& stage, const PrefixLaw& found, const PrefixLaw& left,
                      const v1::StageExplanation& explanation);

// The least probability that `stage` asked of a token; 0 where its rule has no such number.
double LeastProbability(const Stage& stage, const PrefixLaw& found);

// Likewise the share that it asked for of the mass that it found; above 1 where it cannot have it.
double TargetShare(const Stage& stage, const PrefixLaw& found);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPLAIN_REASON_H_
