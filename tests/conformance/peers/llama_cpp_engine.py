"""llama.cpp: its samplers through llama-cpp-python, without a model."""

import ctypes

import llama_cpp
import numpy as np
from llama_cpp import llama_cpp as api

import allowances
from peers import case

ENGINE = f"llama-cpp-python {llama_cpp.__version__}"
ORDER = ("top_n_sigma", "top_k", "typ_p", "top_p", "min_p", "xtc_threshold", "temp")
NAMES = {"top_k": "top_k_exact", "typ_p": "typical", "xtc_threshold": "xtc", "temp": "temperature"}
CANDIDATE = np.dtype([("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
OFF = {"top_k": 0, "top_p": 1, "min_p": 0, "temp": 1}  # unlike the engine's defaults


def _sampler(name, value, parameters):
    if name == "top_n_sigma":
        return api.llama_sampler_init_top_n_sigma(value)
    if name == "top_k":
        return api.llama_sampler_init_top_k(value)
    if name == "typ_p":
        return api.llama_sampler_init_typical(value, 0)
    if name == "top_p":
        return api.llama_sampler_init_top_p(value, 0)
    if name == "min_p":
        return api.llama_sampler_init_min_p(value, 0)
    if name == "xtc_threshold":
        return api.llama_sampler_init_xtc(parameters["xtc_probability"], value, 0, 1)
    return api.llama_sampler_init_temp_ext(value, parameters.get("dynatemp_range", 0),
                                           parameters.get("dynatemp_exponent", 1))


def _last(parameters, width, seed):
    """What draws."""
    if "adaptive_target" in parameters:
        return api.llama_sampler_init_adaptive_p(parameters["adaptive_target"],
                                                 parameters["adaptive_decay"], seed)
    if "mirostat" not in parameters:
        return api.llama_sampler_init_dist(seed)
    rates = parameters["mirostat_tau"], parameters["mirostat_eta"]
    if parameters["mirostat"] == 1:
        return api.llama_sampler_init_mirostat(width, seed, *rates, 100)
    return api.llama_sampler_init_mirostat_v2(seed, *rates)


def _chain(parameters, width, seed):
    chain = api.llama_sampler_chain_init(api.llama_sampler_chain_default_params())
    for name in ORDER:
        if name in parameters:
            api.llama_sampler_chain_add(chain, _sampler(name, parameters[name], parameters))
    api.llama_sampler_chain_add(chain, _last(parameters, width, seed))
    return chain


def _apply(row, parameters, seed):
    """The candidates left and the id drawn."""
    candidates = np.zeros(len(row), CANDIDATE)
    candidates["id"] = np.arange(len(row))
    candidates["logit"] = row
    pointer = candidates.ctypes.data_as(ctypes.POINTER(api.llama_token_data))
    array = api.llama_token_data_array(data=pointer, size=len(row), selected=-1, sorted=False)
    chain = _chain(parameters, len(row), seed)
    api.llama_sampler_apply(chain, ctypes.byref(array))
    api.llama_sampler_free(chain)
    left = np.ctypeslib.as_array(ctypes.cast(array.data, ctypes.POINTER(ctypes.c_ubyte)),
                                 (array.size * CANDIDATE.itemsize,)).view(CANDIDATE).copy()
    return left, left["id"][array.selected]


def law(logits, parameters):
    kept = np.zeros(logits.shape, bool)
    probabilities = np.zeros(logits.shape)
    for row in range(len(logits)):
        left, _ = _apply(logits[row], parameters, 1)
        left = left[np.isfinite(left["logit"])]  # top-n-sigma only masks
        weights = np.exp(left["logit"].astype(np.float64) - left["logit"].max())
        kept[row, left["id"]] = True
        probabilities[row, left["id"]] = weights / weights.sum()
    return kept, probabilities


def tokens(logits, parameters, seeds):
    return [int(_apply(row, parameters, int(seed))[1]) for row, seed in zip(logits, seeds)]


def stages(parameters):
    return case.stages_of(parameters, ORDER, NAMES)


def with_truncations(rng, vocabulary):
    return {**OFF, **case.truncations(rng, vocabulary), "temp": case.temperature(rng)}


def with_typical(rng, _):
    return {**OFF, "typ_p": round(float(rng.uniform(0.02, 0.999)), 4),
            "temp": case.temperature(rng)}


def with_sigma(rng, _):
    return {**OFF, "top_n_sigma": round(float(rng.uniform(0.5, 4)), 3),
            "temp": case.temperature(rng)}


def with_xtc(rng, _):
    return {**OFF, "xtc_probability": 1, "xtc_threshold": case.log_uniform(rng, 1e-5, 0.4),
            "temp": case.temperature(rng)}


def with_dynamic_temperature(rng, vocabulary):
    middle = case.temperature(rng)
    return {**OFF, **case.truncations(rng, vocabulary), "temp": middle,
            "dynatemp_range": round(float(rng.uniform(0.1, middle - 0.05)), 3),
            "dynatemp_exponent": round(float(rng.uniform(0.5, 2)), 2)}


def one(label, draw, **options):
    return case.Case("llamacpp", label, ENGINE, draw, law, stages, allows=allowances.running_sums,
                     **options)


CASES = [
    one("top-k, top-p, min-p, T", with_truncations, tokens=tokens),
    one("typical-p, T", with_typical, ties="whole"),
    one("top-n-sigma, T", with_sigma, tokens=tokens),
    one("xtc, T", with_xtc, ties="top"),
    one("top-k, top-p, min-p, dynamic T", with_dynamic_temperature, tokens=tokens),
]
