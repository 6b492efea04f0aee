"""SGLang: the torch fallback of its sampler."""

import sglang
import torch
from sglang.srt.layers import sampler

import allowances
from peers import case

ENGINE = f"sglang {sglang.__version__}"
ORDER = ("temperature", "top_k", "top_p", "min_p")
ALL = 1 << 30  # its top_k for "off"


def law(logits, parameters):
    count = len(logits)
    probabilities = torch.from_numpy(logits) / parameters["temperature"]
    probabilities[:] = torch.softmax(probabilities, dim=-1)
    _, weights, ids, _ = sampler.top_k_top_p_min_p_sampling_from_probs_torch(
        probabilities, torch.full((count,), parameters.get("top_k", ALL)),
        torch.full((count,), parameters.get("top_p", 1.0), dtype=torch.float32),
        torch.full((count,), parameters.get("min_p", 0.0), dtype=torch.float32),
        "min_p" in parameters, None, None, return_filtered_probs=True)
    full = torch.zeros_like(probabilities).scatter_(-1, ids.long(), weights)
    # multinomial takes unnormalised weights; a weight that underflowed cannot be drawn.
    return (full > 0).numpy(), (full.double() / full.double().sum(-1, keepdim=True)).numpy()


def draw(rng, vocabulary):
    return {"temperature": case.temperature(rng), **case.truncations(rng, vocabulary)}


def stages(parameters):
    names = {"top_k": "top_k_exact", "top_p": "top_p_joint"}
    return case.stages_of({"top_p": 1, **parameters}, ORDER, names)


CASES = [case.Case("sglang-pytorch", "T, top-k, top-p, min-p", ENGINE, draw, law, stages,
                   allows=allowances.underflow)]
