"""vLLM with its Triton kernels, which Triton's interpreter runs on the CPU: V1 and model runner V2.

scripts/conformance sets TRITON_INTERPRET; the interpreter is slow, so this takes fewer rows.
"""

import builtins

import torch
from triton.runtime import interpreter
from vllm.v1.sample.ops import topk_topp_triton as kernels
from vllm.v1.worker.gpu.sample import gumbel, min_p

import allowances
from peers import case, vllm_engine


class Index(int):
    """The interpreter's loops count in plain ints; compiled kernels may convert theirs."""

    def to(self, _):
        return self


interpreter.range = lambda *bounds: map(Index, builtins.range(*bounds))

BLOCK = 1 << 15  # the engine launches 8,192 on a GPU; the interpreter pays by the call


def law(logits, parameters):
    return truncated(logits, vllm_engine.tempered(logits, parameters), parameters)


def law_of_runner_v2(logits, parameters):
    """Temperature and min-p are kernels there, too; min-p compares logits."""
    scores = torch.from_numpy(logits)
    rows = torch.arange(len(logits), dtype=torch.int32)
    everywhere = torch.ones(len(logits), dtype=torch.float32)
    gumbel.apply_temperature(scores, rows, everywhere * parameters["temperature"])
    if "min_p" in parameters:
        min_p.apply_min_p(scores, rows, everywhere * parameters["min_p"])
    return truncated(logits, scores, parameters)


def truncated(logits, scores, parameters):
    k, p = vllm_engine.limits(logits, parameters)
    if k is not None or p is not None:
        launch(scores, k, p)
    kept = ~torch.isneginf(scores)
    return kept.numpy(), scores.softmax(dim=-1, dtype=torch.float32).numpy()


def launch(scores, k, p):
    """The launch of apply_top_k_top_p_triton, whose wrapper asks for a GPU's properties."""
    count, width = scores.shape
    kernels._topk_topp_kernel[(count,)](
        scores, scores.stride(0), torch.empty_like(scores),
        scores.new_tensor(kernels._PERCENTILE_TO_STD_TABLE),
        scores.new_tensor(kernels._NORMAL_CDF_TO_SIGMA_TABLE),
        K=scores if k is None else k, P=scores if p is None else p, MASK_VALUE=float("-inf"),
        BATCH_SIZE=count, VOCAB_SIZE=width, BLOCK_SIZE=BLOCK, BLOCK_SIZE_TRUNC=BLOCK // 2,
        TOPK_ENABLED=k is not None, TOPP_ENABLED=p is not None, SPLIT_COVERS_PONLY=False)


NAMES = {"top_k": "top_k_exact"}


def stages(parameters):
    return case.stages_of(parameters, vllm_engine.ORDER, NAMES)


# The kernel drops tied tokens by a logit that it computes back from a probability. In binary32 that
# may miss the group, which then stays whole; in binary64 it does not.
IN_BINARY64 = allowances.near_in_binary64(case.law_of_stages(law, vllm_engine.ORDER, NAMES))


def one(preset, law_of_preset):
    return case.Case(preset, "T, min-p, top-k, top-p", vllm_engine.ENGINE, vllm_engine.draw,
                     law_of_preset, stages, rows_share=0.05,
                     allows=allowances.either(allowances.capped_search, IN_BINARY64))


CASES = [one("vllm-triton", law), one("vllm-mrv2", law_of_runner_v2)]
