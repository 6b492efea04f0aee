"""llama.cpp: mirostat and adaptive-p at a first token, with the state that they begin with."""

import allowances
from peers import case, llama_cpp_engine


def mirostat(version):
    def draw(rng, _):
        return {"mirostat": version, "mirostat_tau": round(float(rng.uniform(0.5, 7)), 3),
                "mirostat_eta": 0.1, "temp": case.temperature(rng)}
    return draw


def adaptive(rng, vocabulary):
    samplers = "top_k;top_p;min_p;temperature;adaptive_p"
    return {**llama_cpp_engine.with_truncations(rng, vocabulary), "samplers": samplers,
            "adaptive_target": round(float(rng.uniform(0, 1)), 3),
            "adaptive_decay": round(float(rng.uniform(0, 0.99)), 3)}


def stages(parameters):
    if "mirostat" not in parameters:
        return llama_cpp_engine.stages(parameters)
    return [("temperature", parameters["temp"]),
            (f"mirostat_v{parameters['mirostat']}", parameters["mirostat_tau"])]


def one(label, draw, allows=allowances.running_sums):
    return case.Case("llamacpp", label, llama_cpp_engine.ENGINE, draw, llama_cpp_engine.law, stages,
                     allows=allows)


CASES = [
    one("T, mirostat 1", mirostat(1)),
    one("T, mirostat 2", mirostat(2), allowances.tied_above_mu),
    one("top-k, top-p, min-p, T, adaptive-p", adaptive),
]
