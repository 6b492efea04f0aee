"""vLLM V1 with top-k and top-p by its Triton kernel, which Triton's interpreter runs on the CPU.

scripts/conformance sets TRITON_INTERPRET; the interpreter is slow, so this takes fewer rows.
"""

import builtins

import torch
from triton.runtime import interpreter
from vllm.v1.sample.ops import topk_topp_triton as kernels

from peers import case, vllm_engine


class Index(int):
    """The interpreter's loops count in plain ints; compiled kernels may convert theirs."""

    def to(self, _):
        return self


interpreter.range = lambda *bounds: map(Index, builtins.range(*bounds))

BLOCK = 1 << 15  # the engine launches 8,192 on a GPU; the interpreter pays by the call


def law(logits, parameters):
    scores = vllm_engine.tempered(logits, parameters)
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


CASES = [case.Case("vllm-triton", "T, min-p, top-k, top-p", vllm_engine.ENGINE, vllm_engine.draw,
                   law, vllm_engine.stages, rows_share=0.05)]
