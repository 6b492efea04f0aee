"""transformers: the processors and warpers of generate, in its order."""

import torch
import transformers
from transformers.generation import logits_process

import allowances
from peers import case

ENGINE = f"transformers {transformers.__version__}"
ORDER = ("temperature", "top_k", "top_p", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff")
WARPERS = {
    "temperature": logits_process.TemperatureLogitsWarper,
    "top_k": logits_process.TopKLogitsWarper,
    "top_p": logits_process.TopPLogitsWarper,
    "min_p": logits_process.MinPLogitsWarper,
    "typical_p": logits_process.TypicalLogitsWarper,
    "epsilon_cutoff": logits_process.EpsilonLogitsWarper,
    "eta_cutoff": logits_process.EtaLogitsWarper,
}
NAMES = {"typical_p": "typical", "epsilon_cutoff": "epsilon", "eta_cutoff": "eta"}


def law(logits, parameters):
    scores = torch.from_numpy(logits)
    ids = torch.zeros((len(logits), 1), dtype=torch.long)
    for name in ORDER:
        if name in parameters and not (name == "top_k" and parameters[name] == 0):
            scores = WARPERS[name](parameters[name])(ids, scores)
    kept = ~torch.isneginf(scores)
    return kept.numpy(), torch.softmax(scores, dim=-1).numpy()


def stages(parameters):
    return case.stages_of(parameters, ORDER, NAMES)


def with_truncations(rng, vocabulary):
    return {"do_sample": 1, "temperature": case.temperature(rng), "top_k": 0,
            **case.truncations(rng, vocabulary)}


def with_one(name, low, high):
    def draw(rng, _):
        return {"do_sample": 1, "temperature": case.temperature(rng), "top_k": 0,
                name: case.log_uniform(rng, low, high)}
    return draw


def with_typical(rng, _):
    return {"do_sample": 1, "temperature": case.temperature(rng), "top_k": 0,
            "typical_p": round(float(rng.uniform(0.02, 0.999)), 4)}


def one(label, draw, ties="low"):
    in_binary64 = allowances.near_in_binary64(case.law_of_stages(law, ORDER, NAMES), ties)
    return case.Case("hf-transformers", label, ENGINE, draw, law, stages, ties, in_binary64)


CASES = [
    one("T, top-k, top-p, min-p", with_truncations),
    one("T, typical-p", with_typical, ties="whole"),
    one("T, epsilon", with_one("epsilon_cutoff", 1e-6, 0.2)),
    one("T, eta", with_one("eta_cutoff", 1e-6, 0.2)),
]
