"""FlashInfer: the torch references of its trace templates. Its kernels need a GPU.

The references split ties that the kernels keep whole, so groups that they split count as kept.
"""

import importlib.metadata

import torch
from flashinfer.trace.templates import sampling

import allowances
from peers import case

ENGINE = f"flashinfer-python {importlib.metadata.version('flashinfer-python')} (reference)"


def law(logits, parameters):
    """top_k_first, as vLLM asks for it: top-k, renormalise, top-p, renormalise."""
    scores = torch.from_numpy(logits) / parameters["temperature"]
    probabilities = torch.softmax(scores, dim=-1)
    if "top_k" in parameters:
        probabilities = torch.stack([_top_k(row, parameters["top_k"]) for row in probabilities])
    if "top_p" in parameters:
        probabilities = sampling._top_p_renorm_probs_reference(probabilities, parameters["top_p"])
    return (probabilities > 0).numpy(), probabilities.numpy()


def _top_k(row, k):
    """Asks for all that are tied with the k-th, which the kernel keeps."""
    kth = row.topk(min(k, len(row))).values[-1]
    return sampling._top_k_renorm_probs_reference(row[None], int((row >= kth).sum()))[0]


def both(rng, vocabulary):
    parameters = case.truncations(rng, vocabulary)
    parameters.pop("min_p", None)
    return {"temperature": case.temperature(rng), **parameters}


def either(rng, vocabulary):
    """Joint and sequential differ only where both are set; there is no reference for joint."""
    parameters = both(rng, vocabulary)
    if "top_k" in parameters and "top_p" in parameters:
        parameters.pop(["top_k", "top_p"][rng.integers(2)])
    return parameters


def stages(parameters):
    return case.stages_of(parameters, ("temperature", "top_k", "top_p"))


ALLOWS = allowances.either(allowances.underflow, allowances.near_in_binary64(
    case.law_of_stages(law, ("temperature", "top_k", "top_p")), "whole"))
CASES = [
    case.Case("vllm-flashinfer", "T, top-k, top-p", ENGINE, both, law, stages, ties="whole",
              allows=ALLOWS),
    case.Case("sglang-flashinfer", "T, top-k or top-p", ENGINE, either, law, stages,
              ties="whole", allows=ALLOWS),
]
