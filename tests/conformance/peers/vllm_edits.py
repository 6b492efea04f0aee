"""vLLM V1: its penalties."""

import torch
from vllm.model_executor.layers import utils

from peers import case, vllm_engine

NAMES = ("repetition_penalty", "frequency_penalty", "presence_penalty")


def edited(logits, parameters, history):
    count = len(logits)
    repetition, frequency, presence = (torch.full((count,), parameters[name]) for name in NAMES)
    return utils.apply_penalties(
        torch.from_numpy(logits.copy()), torch.tensor([history.prompt] * count),
        torch.tensor([history.output] * count), presence, frequency, repetition).numpy()


def draw(rng, *_):
    return case.penalties(rng, NAMES, 2)


CASES = [case.EditCase("vllm-torch", "penalties", vllm_engine.ENGINE, draw, edited)]
