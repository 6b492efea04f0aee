// What a stage did to a row, for the sentences that say why; and those of top-k and top-p.
#ifndef TESSERA_SERVICE_STAGE_FACTS_H_
#define TESSERA_SERVICE_STAGE_FACTS_H_

#include <string>

#include "kernels/chain.h"
#include "service/prefix_laws.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

struct LogitSpread {
  double largest = 0;
  double deviation = 0;  // of the population
};

struct StageFacts {
  const PrefixLaw& found;
  const PrefixLaw& left;
  const v1::CutExplanation* end = nullptr;  // at the unlikely end
  const v1::CutExplanation* top = nullptr;  // at the likely end

  // Beginnings and middles of sentences.
  std::string First() const;        // "the first 3 tokens have "
  std::string KeptAll() const;      // "keeps all 3 tokens"
  std::string LastAndNext() const;  // REQUIRES: end

  LogitSpread Spread() const;  // of the logits that the stage found
};

// A probability with four digits.
std::string ShownShare(double value);

std::string Why(const TopK& stage, const StageFacts& facts);
std::string Why(const TopP& stage, const StageFacts& facts);

}  // namespace tessera

#endif  // TESSERA_SERVICE_STAGE_FACTS_H_
