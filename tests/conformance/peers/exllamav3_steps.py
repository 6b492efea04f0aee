"""ExLlamaV3: the steps of its sampler in torch.

The fused tail, which the preset follows, needs CUDA. The steps split ties that the fused tail keeps
whole, so rows where they do are not compared.
"""

import importlib.metadata
import importlib.util
import pathlib
import sys
import types

import torch

import allowances
from peers import case

ENGINE = f"exllamav3 {importlib.metadata.version('exllamav3')} (steps)"
ORDER = ("temperature", "min_p", "top_k", "top_p")


def _custom():
    """Its sampler's module, without what importing the package compiles for a GPU."""
    root = pathlib.Path(importlib.util.find_spec("exllamav3").origin).parent
    for name, fields in {
            "exllamav3": {"__path__": [str(root)]},
            "exllamav3.generator": {"__path__": [str(root / "generator")]},
            "exllamav3.generator.sampler": {"__path__": [str(root / "generator" / "sampler")]},
            "exllamav3.ext": {"exllamav3_ext": None},
            "exllamav3.tokenizer": {"Tokenizer": object}}.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(fields)
    return importlib.import_module("exllamav3.generator.sampler.custom")


custom = _custom()
STEPS = {"temperature": custom.SS_Temperature, "min_p": custom.SS_MinP, "top_k": custom.SS_TopK,
         "top_p": custom.SS_TopP}


def law(logits, parameters):
    state = custom.SamplingState(rand_u32=0, bsz=len(logits), dim=logits.shape[1],
                                 in_logits=torch.from_numpy(logits))
    steps = [STEPS[name](parameters[name]) for name in ORDER if name in parameters]
    for step in steps + [custom.SS_Normalize()]:
        for first in step.prep(state.state) or []:
            first().run(state)
        step.run(state)
    probabilities = state.probs
    if state.indices is not None:
        probabilities = torch.zeros_like(probabilities).scatter_(-1, state.indices, state.probs)
    return (probabilities > 0).numpy(), probabilities.numpy()


def draw(rng, vocabulary):
    """One of top-k and top-p: a tie at the k-th would move the boundary of the mass."""
    parameters = case.truncations(rng, vocabulary)
    if "top_p" in parameters:
        parameters.pop("top_k", None)
    elif parameters.get("top_k") == 1:
        parameters["top_k"] = 2  # 1 is greedy
    return {"temperature": case.temperature(rng), **parameters}


def stages(parameters):
    return case.stages_of(parameters, ORDER, {"top_k": "top_k_exact", "top_p": "top_p_within"})


CASES = [case.Case("exllamav3", "T, min-p, top-k or top-p", ENGINE, draw, law, stages,
                   ties="skip", allows=allowances.underflow)]
