// A stage of a chain in words, with its numbers.
#ifndef TESSERA_KERNELS_DESCRIBE_STAGE_H_
#define TESSERA_KERNELS_DESCRIBE_STAGE_H_

#include <cstdint>
#include <string>

#include "kernels/stages/stages.h"

namespace tessera {

// What a stage may do.
enum class StageEffect : uint8_t {
  kEdit,     // changes the logits of some ids
  kMeasure,  // changes how probability is measured
  kCut,      // removes tokens
  kRewrite,  // gives the tokens left another law
  kDraw,     // says how the draw runs
};

struct StageWords {
  const char* name = "";  // its field in the proto's SamplerStage
  std::string rule = {};  // "top-p 0.9: the smallest prefix ...", or "top-p 1: off"
  bool off = false;       // its parameters make it do nothing
  StageEffect effect = StageEffect::kCut;

  // Of a cut: what becomes of equal logits, and which token is the last. Empty elsewhere.
  std::string ties = {};
  std::string boundary = {};
};

// REQUIRES: the stage passes its Check.
StageWords DescribeStage(const Stage& stage);

}  // namespace tessera

#endif  // TESSERA_KERNELS_DESCRIBE_STAGE_H_
