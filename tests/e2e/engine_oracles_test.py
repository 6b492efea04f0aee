"""What engines make of small rows, for the rules that a chain of ours states.

tests/data/engine_oracles.json says what they keep and report; here is which chain says the same.
"""

import json

import numpy as np
import pytest

import answers
import api
import program

FILE = program.REPOSITORY / "tests" / "data" / "engine_oracles.json"
ORACLES = json.loads(FILE.read_text(encoding="utf-8"))

# The order in which an engine truncates, in our stages.
ORDERS = {"llamacpp": ("top_k", "top_p", "min_p", "temperature"),
          "vllm_triton": ("temperature", "top_k", "top_p", "min_p")}
LETTERS = {"temperature": "T", "top_k": "k", "top_p": "p", "min_p": "m"}

# Prefix sums, and a ratio, that equal p or m as decimals but not in binary: either side is right.
BOUNDARIES = {("p532", "p0.8"), ("p532", "p0.5"), ("p532_perm", "p0.8"), ("p532_perm", "p0.5"),
              ("tie_nucleus", "p0.8"), ("geo", "p0.8"), ("geo", "m0.5"), ("knap", "p0.5"),
              ("knap", "p0.8")}
# llama.cpp applies its temperature last, so its p sees the same probabilities here.
BOUNDARIES_AT_T2 = {("llamacpp", name) for name in ("p532", "p532_perm", "tie_nucleus", "geo",
                                                    "knap")}


def floats(values):
    return np.array([float(value) for value in values])


def engine_chain(engine, parameters):
    numbers = {name: float(parameters[letter]) for name, letter in LETTERS.items()}
    numbers["top_k"] = parameters["k"]
    return api.chain(**{name: numbers[name] for name in ORDERS[engine]})


def is_boundary(engine, vector, parameters):
    return ((vector, parameters) in BOUNDARIES
            or parameters == "T2_p0.8" and (engine, vector) in BOUNDARIES_AT_T2)


CASES = [(engine, vector, parameters)
         for vector, by_parameters in ORACLES["cases"].items()
         for parameters, engines in by_parameters.items() for engine in ORDERS
         if engine in engines]


def judge_law(client, logits, chain, expected, boundary):
    logprobs, size = answers.laws(client, logits, chain, {})
    kept = np.flatnonzero(np.isfinite(logprobs)).tolist()
    assert size == len(kept)
    if kept != sorted(expected["ids"]):
        order = np.lexsort((np.arange(len(logits)), -logits)).tolist()
        assert boundary and abs(size - len(expected["ids"])) == 1
        assert kept == sorted(order[:size])
    else:
        np.testing.assert_allclose(np.exp(logprobs), expected["probs"], rtol=0, atol=1e-5)


@pytest.mark.parametrize("engine, vector, parameters", CASES, ids="-".join)
def test_a_chain_keeps_what_the_engine_keeps(client, engine, vector, parameters):
    logits = floats(ORACLES["vectors"][vector]["logits"])
    expected = ORACLES["cases"][vector][parameters][engine]
    chain = engine_chain(engine, ORACLES["params"][parameters])
    if np.isnan(logits).any() or np.isposinf(logits).any() or np.isneginf(logits).all():
        # What the engines leave undefined has an outcome here.
        answer = answers.read(client.sample(api.request(logits, [api.row(seed=1)], [chain])))[0]
        empty = np.isneginf(logits).all()
        assert answer.outcome == (api.EMPTY_SUPPORT if empty else api.INVALID_LOGITS)
    elif expected["status"] == "greedy":
        drawn = client.sample(api.request(logits, [api.row(seed=1)], [chain]))
        assert list(drawn.tokens) == [expected["token"]]
    elif expected["status"] == "error":
        assert parameters == "p0", "which the engine refuses; here it keeps the likeliest"
        best = int(np.argmax(logits))
        judge_law(client, logits, chain, {"ids": [best], "probs": np.eye(len(logits))[best]}, False)
    else:
        judge_law(client, logits, chain, expected, is_boundary(engine, vector, parameters))


BOTH, OUTPUT = 1, 2  # PenaltyScope


def repetition(scope):
    return api.stage("repetition_penalty", penalty=ORACLES["penalties"]["repetition"], scope=scope)


def frequency(scope, share=1.0):
    penalty = ORACLES["penalties"]["frequency"] * share
    return api.stage("frequency_penalty", penalty=penalty, scope=scope)


def presence(scope):
    return api.stage("presence_penalty", penalty=ORACLES["penalties"]["presence"], scope=scope)


ALL_OVER_BOTH = [repetition(BOTH), frequency(BOTH), presence(BOTH)]
PENALTY_CHAINS = {
    "vllm": [repetition(BOTH), frequency(OUTPUT), presence(OUTPUT)],
    "hf": [repetition(BOTH)],
    "llama.cpp": ALL_OVER_BOTH,
    "sglang newer": [frequency(OUTPUT), presence(OUTPUT), repetition(OUTPUT)],
    "trtllm c++": ALL_OVER_BOTH,
    "tgi batched": [repetition(BOTH), frequency(BOTH, share=1 / 5)],  # by the length of 5
    "mlc": [presence(OUTPUT), frequency(OUTPUT), repetition(OUTPUT)],
    "exl2": ALL_OVER_BOTH,
    "openai-visible": [frequency(OUTPUT), presence(OUTPUT)],
}


@pytest.mark.parametrize("name", ORACLES["penalties"]["result"], ids=lambda n: n.split(" (")[0])
def test_a_chain_penalizes_as_the_engine_does(client, name):
    given = ORACLES["penalties"]
    stages = next(chain for engine, chain in PENALTY_CHAINS.items() if name.startswith(engine))
    history = {"prompt_ids": given["prompt"], "output_ids": given["output"]}
    logprobs, _ = answers.laws(client, given["logits"], api.chain_pb2.SamplerChain(stages=stages),
                               {"history": history}, api.TEMPERED)
    expected = floats(given["result"][name])
    # id 2 is never penalized and has logit 0: it carries the constant of the softmax.
    np.testing.assert_allclose(logprobs - logprobs[2], expected - expected[2], rtol=0, atol=2e-6)


LOGPROB_MODES = {
    "vllm_raw_logprobs": api.RAW, "sglang_original_env": api.RAW,
    "llamacpp_server_pre_sampling": api.RAW, "sglang_newer_default": api.TEMPERED,
    "mlc": api.TEMPERED, "vllm_processed_logprobs_triton": api.PROCESSED,
}


@pytest.mark.parametrize("name", LOGPROB_MODES)
def test_a_mode_reports_what_the_engine_reports(client, name):
    given = ORACLES["logprobs"]
    chain = api.chain(temperature=given["T"], top_k=given["top_k"])
    logprobs, _ = answers.laws(client, given["logits"], chain, {}, LOGPROB_MODES[name])
    np.testing.assert_allclose(logprobs, floats(given[name]), rtol=0, atol=2e-6)


def test_a_rank_counts_strictly_larger_logits(client):
    """vLLM counts ties against the token; ours, documented in row.proto, does not."""
    given = ORACLES["logprobs"]
    row = api.row(samples=0, score_ids=range(5), logprobs=api.logprobs(api.RAW))
    answer = answers.read(client.sample(api.request(given["logits"], [row])))[0]
    assert [rank for _, rank in answer.modes[api.RAW].scored] == [1, 2, 2, 4, 5]
    assert given["vllm_rank"] == {"id0": 1, "id1": 3, "id2": 3, "id3": 4, "id4": 5}
