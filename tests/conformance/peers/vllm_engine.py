"""vLLM V1: temperature and min-p of its sampler, then top-k and top-p in torch."""

import types

import torch
import vllm
from vllm.v1.sample.logits_processor import builtin
from vllm.v1.sample.ops import topk_topp_sampler
from vllm.v1.sample.sampler import Sampler

import allowances
from peers import case

ENGINE = f"vllm {vllm.__version__}"
ORDER = ("temperature", "min_p", "top_k", "top_p")


def min_p(logits, share):
    """MinPLogitsProcessor.apply reads two fields of its object: how many rows, and their m."""
    state = types.SimpleNamespace(min_p_count=len(logits),
                                  min_p=torch.full((len(logits), 1), share, dtype=torch.float32))
    return builtin.MinPLogitsProcessor.apply(state, logits)


def tempered(logits, parameters):
    scores = torch.from_numpy(logits.copy())
    temperatures = torch.full((len(logits),), parameters["temperature"], dtype=torch.float32)
    scores = Sampler.apply_temperature(scores, temperatures, all_random=True)
    return min_p(scores, parameters["min_p"]) if "min_p" in parameters else scores


def limits(logits, parameters):
    count, width = logits.shape
    k = parameters.get("top_k")
    p = parameters.get("top_p")
    return (None if k is None else torch.full((count,), min(k, width), dtype=torch.int32),
            None if p is None else torch.full((count,), p, dtype=torch.float32))


def law(logits, parameters):
    k, p = limits(logits, parameters)
    scores = topk_topp_sampler.apply_top_k_top_p_pytorch(tempered(logits, parameters), k, p,
                                                         allow_cpu_sync=True)
    kept = ~torch.isneginf(scores)
    return kept.numpy(), scores.softmax(dim=-1, dtype=torch.float32).numpy()


def draw(rng, vocabulary):
    return {"temperature": case.temperature(rng), **case.truncations(rng, vocabulary)}


def stages(parameters):
    return case.stages_of(parameters, ORDER)


IN_BINARY64 = allowances.near_in_binary64(case.law_of_stages(law, ORDER))
CASES = [case.Case("vllm-torch", "T, min-p, top-k, top-p", ENGINE, draw, law, stages,
                   allows=IN_BINARY64)]
