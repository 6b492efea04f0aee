"""llama.cpp: penalties, and DRY without breakers: they are texts, which need a tokenizer."""

import ctypes

import numpy as np
from llama_cpp import llama_cpp as api

from peers import case, llama_cpp_engine

NAMES = ("penalty_repeat", "penalty_freq", "penalty_present")


def _scores(sampler, row, history):
    for token in history.ids:
        api.llama_sampler_accept(sampler, token)
    candidates = np.zeros(len(row), llama_cpp_engine.CANDIDATE)
    candidates["id"] = np.arange(len(row))
    candidates["logit"] = row
    pointer = candidates.ctypes.data_as(ctypes.POINTER(api.llama_token_data))
    array = api.llama_token_data_array(data=pointer, size=len(row), selected=-1, sorted=False)
    api.llama_sampler_apply(sampler, ctypes.byref(array))
    api.llama_sampler_free(sampler)
    scores = np.empty_like(row)
    scores[candidates["id"]] = candidates["logit"]
    return scores


def penalized(logits, parameters, history):
    return np.array([_scores(api.llama_sampler_init_penalties(
        len(row), parameters["penalty_last_n"], *(parameters[name] for name in NAMES)),
        row, history) for row in logits])


def dried(logits, parameters, history):
    return np.array([_scores(api.llama_sampler_init_dry(
        None, parameters["dry_multiplier"], parameters["dry_base"],
        parameters["dry_allowed_length"], parameters["dry_penalty_last_n"], None, 0),
        row, history) for row in logits])


def _off():
    return {name: value for name, value in llama_cpp_engine.OFF.items()}


def draw_penalties(rng, _, history):
    return {**_off(), **case.penalties(rng, NAMES), "penalty_last_n": len(history.ids)}


def draw_dry(rng, _, history):
    return {**_off(), "dry_multiplier": round(float(rng.uniform(0.1, 3)), 3),
            "dry_base": round(float(rng.uniform(1, 3)), 3),
            "dry_allowed_length": int(rng.integers(1, 4)), "dry_sequence_breakers": "none",
            "dry_penalty_last_n": int(rng.integers(4, len(history.ids) + 4))}


def one(label, draw, edited):
    return case.EditCase("llamacpp", label, llama_cpp_engine.ENGINE, draw, edited)


CASES = [one("penalties", draw_penalties, penalized), one("dry", draw_dry, dried)]
