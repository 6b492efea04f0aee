#include "kernels/verification/verification_presets.h"

namespace tessera {
namespace {

constexpr VerificationPreset kPresets[] = {
    {"vllm-v1", "vLLM V1's rejection sampler", VerificationMethod::kToken, 0, 0,
     "accepts where q > 0 and p / q >= u, u in [0, 1)", "rejected",
     "there u = 0 accepts a draft of p = 0, with probability 2^-53"},
    {"vllm-mrv2", "vLLM's model runner V2, standard rejection sampling", VerificationMethod::kToken,
     0, 0, "accepts where log p > log u + log q, u in (0, 1)", "accepted where p > 0",
     "here a draft of q = 0 is rejected and counted; for the engine's block "
     "verification ask for BLOCK, whose engine compares u <= h"},
    {"sglang-tree", "SGLang's target-only tree sampling with both thresholds at 1",
     VerificationMethod::kTargetOnly, 0, 0,
     "accepts the sibling at which the running sum of p reaches the position's coin, coin <= sum",
     "not looked at: draft laws are not read",
     "there a coin of 0 accepts a draft of p = 0; thresholds below 1 change the law and are not "
     "offered"},
    {"flashinfer-chain", "FlashInfer's chain_speculative_sampling", VerificationMethod::kToken, 0,
     0, "accepts where u * q < p, strictly", "accepted where p > 0",
     "here a draft of q = 0 is rejected and counted"},
    {"trtllm-draft", "TensorRT-LLM's external draft with draft logits", VerificationMethod::kToken,
     0, 0, "rejects where p / q < u", "accepted",
     "here a draft of q = 0 is rejected and counted; there u = 0 accepts a draft of p = 0, and a "
     "constant acceptance threshold, which changes the law, may take u's place: not offered"},
    {"hf-assisted", "transformers' assisted generation with sampling", VerificationMethod::kToken,
     0, 0, "accepts where u <= p / q", "accepted",
     "here a draft of q = 0 is rejected and counted; there u = 0 accepts a draft of p = 0, and a "
     "candidate that ends the text, all accepted, loses its last token instead of gaining a "
     "bonus"},
    {"medusa-typical", "Medusa's typical acceptance, its defaults", VerificationMethod::kTypical,
     0.3, 0.09, "accepts where p > min(epsilon, alpha * exp(-H)), strictly; the longest path",
     "not looked at: draft laws are not read",
     "lossy, there as here; there H adds 1e-5 to each p, and where nothing is accepted the first "
     "candidate is emitted, here a token drawn from p"},
};

}  // namespace

absl::Span<const VerificationPreset> VerificationPresets() { return kPresets; }

const VerificationPreset* FindVerificationPreset(absl::string_view name) {
  for (const VerificationPreset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace tessera
