// Top-p, or nucleus: the smallest prefix of the order whose probability reaches p (Holtzman et al.
// 2019). Exact: the prefix's integer weight reaches ceil(p * W), so equal logits are split by id.
// Engines differ at the boundary and in ties (docs/semantics.md): their rules are options.
#ifndef TESSERA_KERNELS_STAGES_TOP_P_H_
#define TESSERA_KERNELS_STAGES_TOP_P_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct TopP {
  double p = 1;        // in [0, 1]; 0 keeps one token, 1 keeps all
  bool joint = false;  // p is a share of the mass before any truncation
  Boundary boundary = Boundary::kReach;
  Ties ties = Ties::kSplit;
  // The last token keeps only the mass that the prefix still needs to reach p, so what is kept
  // weighs p and no more (TensorRT-LLM's C++ decoder). Must be the last truncation, with kReach and
  // kSplit; the draw then runs through the order (draw_rule.h).
  bool partial = false;
};

inline Refusal Check(const TopP& stage) {
  if (stage.p >= 0 && stage.p <= 1) return {};
  return {"top_p.p", stage.p, "in [0, 1] (1 is off)"};
}

inline bool IsOff(const TopP& stage) { return stage.p == 1; }

inline Cut CutOf(const TopP& stage, float c) {
  return {.kind = Cut::Kind::kMass,
          .ties = stage.ties,
          .boundary = stage.boundary,
          .joint = stage.joint,
          .partial = stage.partial,
          .c = c,
          .value = stage.p};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TOP_P_H_
