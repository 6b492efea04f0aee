"""The public bug cases, and how a case's words become a request of ours.

tests/data/public_bug_cases.json holds the cases, each with the public report it comes from; its
`conventions` say what the words mean.
"""

import json

import numpy as np

import api
import program

FILE = program.REPOSITORY / "tests" / "data" / "public_bug_cases.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]}

STAGE_ORDER = ("logit_bias", "repetition_penalty", "frequency_penalty", "presence_penalty", "dry",
               "top_n_sigma", "temperature", "top_k", "typical_p", "top_p", "min_p", "xtc",
               "mirostat")
TRUNCATIONS = ("top_n_sigma", "top_k", "typical_p", "top_p", "min_p", "xtc")

# Cases that this test cannot run at all, and why.
NOT_HERE = {
    "trans-02": "shared-memory transport is not there yet, so no region has an end to check",
}

WHOLE_ROW = ("allowed_ids", "banned_ids", "bad_words", "prompt_ids", "output_ids", "min_tokens",
             "eos_ids", "seed", "position", "logprobs", "logprobs_mode", "vocab_size", "order",
             "dtype", "mask_words", "dry_last_n")


def why_skipped(case):
    """The missing means, or None where the case can be tested."""
    return NOT_HERE.get(case["id"])


def number(value):
    """A number of a case: "nan", "+inf" and "-inf" stand for the IEEE values."""
    return float(value) if isinstance(value, str) else value


def logits(case):
    """The case's logits as a float64 matrix, or None where it has none or they are too large."""
    given = case["logits"]
    if given is None or (isinstance(given, dict) and given["numpy"] is None):
        return None
    if isinstance(given, dict):
        return np.atleast_2d(eval(given["numpy"], {"np": np}))  # our own file, not input
    return np.array([[number(y) for y in row] for row in given], dtype=np.float64)


def row_parameters(case):
    """The parameters of each row: the case's own, overridden by the row's."""
    rows = case.get("rows") or [{}] * len(np.atleast_2d(logits(case)))
    return [{**case["params"], **row} for row in rows]


def without_temperature_0(parameters):
    """The row at temperature 1 where it was greedy, to see what the other stages keep."""
    return {key: value for key, value in parameters.items()
            if not (key == "temperature" and value == 0)}


def _dry(parameters):
    dry = parameters["dry"]
    return {"multiplier": dry["multiplier"], "base": dry["base"],
            "allowed_length": dry["allowed_length"], "last_n": parameters.get("dry_last_n", -1),
            "breakers": [{"ids": [one]} for one in dry["breakers"]]}


def _stages(name, parameters):
    """The stages of the chain for one word of the conventions."""
    value = parameters[name]
    if name == "dry":
        return [api.chain_pb2.SamplerStage(dry=_dry(parameters))]
    if name == "xtc":
        return [api.chain_pb2.SamplerStage(xtc=value)]
    if name == "mirostat":
        assert value["version"] == 2
        return [api.stage("mirostat_v2", tau=value["tau"], eta=value["eta"])]
    if name in ("typical_p", "top_n_sigma"):
        return [api.stage(name, **{"typical_p": {"p": value}, "top_n_sigma": {"n": value}}[name])]
    return api.chain(**{name: True if name == "logit_bias" else number(value)}).stages


def chain(parameters, order=None):
    """The chain of a row, in the order of the conventions unless `order` names stages first."""
    unknown = set(parameters) - set(STAGE_ORDER) - set(WHOLE_ROW)
    assert not unknown, f"no translation of {unknown}"
    order = order or parameters.get("order") or []
    rest = [name for name in STAGE_ORDER if name not in order]
    first = next((i for i, name in enumerate(rest) if name in TRUNCATIONS), len(rest))
    names = rest[:first] + list(order) + rest[first:]
    return api.chain_pb2.SamplerChain(stages=[
        stage for name in names if name in parameters for stage in _stages(name, parameters)])


def _history(ids):
    if isinstance(ids, dict):
        value, times = ids["repeat"]
        return [value] * times
    return ids


def row_fields(parameters):
    """The SampleRow fields of a row, but for its seed and what it reports."""
    fields = {}
    if "allowed_ids" in parameters:
        fields["allowed"] = {"ids": parameters["allowed_ids"]}
    words = parameters.get("bad_words", [])
    assert all(len(word) == 1 for word in words), "words of several tokens are not there yet"
    fields["banned_ids"] = parameters.get("banned_ids", []) + [word[0] for word in words]
    fields["bias"] = [{"id": int(key), "value": number(value)}
                      for key, value in parameters.get("logit_bias", {}).items()]
    fields["history"] = {"prompt_ids": _history(parameters.get("prompt_ids", [])),
                         "output_ids": _history(parameters.get("output_ids", []))}
    fields["stop_ids"] = parameters.get("eos_ids", [])
    fields["min_tokens"] = parameters.get("min_tokens", 0)
    fields["position"] = parameters.get("position", 0)
    if "mirostat" in parameters:
        fields["state"] = {"mirostat": {"mu": parameters["mirostat"]["mu"]}}
    return fields
