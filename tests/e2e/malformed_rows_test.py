"""Rows that are refused, one fault each: chains, parameters, ids, bias, history, reports.

A fault of one row fails that row with a message that names the field, its value and what is
accepted; its neighbour is computed.
"""

import pytest

import answers
import api

NAN, INF = float("nan"), float("inf")


def bias(*entries):
    return {"bias": [{"id": token, "value": value} for token, value in entries]}


def stages(*listed):
    return [api.chain_pb2.SamplerChain(stages=listed)]


def one(name, **fields):
    return stages(api.stage(name, **fields))


BIASED = one("logit_bias")
PENALIZED = one("frequency_penalty", penalty=0.5)
RAW = {"logprobs": api.logprobs(api.RAW)}

# name: (chains or None, row, words)
ROWS = {
    "chain index": (None, {"chain": 2}, ["rows[0].chain is 2", "below 2"]),
    "largest chain index": (None, {"chain": 2**32 - 1}, [f"rows[0].chain is {2**32 - 1}"]),
    "row index": (None, {"logits_row": 1}, ["rows[0].logits_row is 1", "below 1"]),
    "largest row index": (None, {"logits_row": 2**32 - 1}, [f"logits_row is {2**32 - 1}"]),
    "grammar index": (None, {"grammar_row": 0}, ["rows[0].grammar_row is 0", "no grammar"]),
    "no position": (None, {"position": None}, ["rows[0].position is absent"]),
    "samples": (None, {"samples": 129}, ["rows[0].samples is 129", "at most 128"]),
    "most samples": (None, {"samples": 2**32 - 1}, [f"samples is {2**32 - 1}", "at most 128"]),
    "banned id": (None, {"banned_ids": [0, 4]}, ["rows[0].banned_ids[1] is 4", "[0, 4)"]),
    "negative banned id": (None, {"banned_ids": [-1]}, ["banned_ids[0] is -1", "[0, 4)"]),
    "allowed id": (None, {"allowed": {"ids": [2**31 - 1]}},
                   [f"rows[0].allowed.ids[0] is {2**31 - 1}", "[0, 4)"]),
    "stop id": (None, {"stop_ids": [9], "min_tokens": 1}, ["stop_ids[0] is 9", "[0, 4)"]),
    "score id": (None, {"score_ids": [-2], **RAW}, ["rows[0].score_ids[0] is -2", "[0, 4)"]),
    "too many ids": (None, {"banned_ids": [0] * 65537},
                     ["banned_ids holds 65537", "at most 65536"]),
    "too many scores": (None, {"score_ids": [0] * 1025, **RAW},
                        ["score_ids holds 1025", "at most 1024"]),
    "score without a mode": (None, {"score_ids": [0]}, ["score_ids holds 1", "logprobs.modes"]),
    "top_n": (None, {"logprobs": api.logprobs(api.RAW, top_n=129)},
              ["rows[0].logprobs.top_n is 129", "at most 128"]),
    "top_n without a mode": (None, {"logprobs": api.logprobs(top_n=3)},
                             ["logprobs.top_n is 3", "logprobs.modes"]),
    "no mode 0": (None, {"logprobs": api.logprobs(0)}, ["logprobs.modes[0] is 0", "RAW"]),
    "no mode 9": (None, {"logprobs": api.logprobs(api.RAW, 9)}, ["logprobs.modes[1] is 9"]),
    "a mode twice": (None, {"logprobs": api.logprobs(api.RAW, api.RAW)},
                     ["logprobs.modes[1] is LOGPROB_MODE_RAW", "once"]),
    "entropy of another mode": (None, {"logprobs": api.logprobs(api.RAW, entropy=[api.TEMPERED])},
                                ["logprobs.entropy_modes", "subset"]),
    "bias without its stage": (None, bias((0, 1)), ["rows[0].bias holds 1", "logit_bias"]),
    "bias id": (BIASED, bias((0, 1), (4, 1)), ["rows[0].bias[1].id is 4", "[0, 4)"]),
    "bias NaN": (BIASED, bias((0, NAN)), ["bias[0].value is nan", "finite or -inf"]),
    "bias +inf": (BIASED, bias((0, INF)), ["bias[0].value is inf", "finite or -inf"]),
    "bias twice": (BIASED, bias((2, 1), (2, 1)), ["bias[1].id is 2", "distinct"]),
    "too many biases": (BIASED, bias(*[(0, 1)] * 65537), ["bias holds 65537", "at most 65536"]),
    "history without use": (None, {"history": {"output_ids": [1]}},
                            ["rows[0].history is given", "penalty"]),
    "history id": (PENALIZED, {"history": {"output_ids": [1, 4]}},
                   ["history.output_ids[1] is 4", "[0, 4)"]),
    "prompt id": (PENALIZED, {"history": {"prompt_ids": [-2]}},
                  ["history.prompt_ids[0] is -2", "[0, 4)", "-1"]),
    "ids and counts": (PENALIZED, {"history": {"output_ids": [1], "counts": [{"id": 1}]}},
                       ["history holds ids and counts", "either"]),
    "count id": (PENALIZED, {"history": {"counts": [{"id": 4, "output_count": 1}]}},
                 ["history.counts[0].id is 4", "[0, 4)"]),
    "count twice": (PENALIZED, {"history": {"counts": [{"id": 1}, {"id": 1}]}},
                    ["history.counts[1].id is 1", "distinct"]),
    "huge count": (PENALIZED, {"history": {"counts": [{"id": 1, "output_count": 2**32 - 1}]}},
                   [str(2**32 - 1), f"at most {2**31 - 1}"]),
    "long history": (PENALIZED, {"history": {"output_ids": [1] * (2**20 + 1)}},
                     [f"history holds {2**20 + 1}", f"at most {2**20}"]),
    "min_tokens without stops": (None, {"min_tokens": 2}, ["min_tokens is 2", "stop_ids"]),
    "output_length alone": (None, {"output_length": 2}, ["output_length", "min_tokens"]),
    "no stage": (stages(api.chain_pb2.SamplerStage()), {}, ["chains[0].stages[0] names no stage"]),
    "33 stages": (stages(*[api.stage("temperature", t=1)] * 33), {},
                  ["chains[0].stages holds 33", "at most 32"]),
    "edit after a cut": (stages(api.stage("top_k", k=3), api.stage("logit_bias")), {},
                         ["chains[0].stages[1].logit_bias", "stages[0].top_k"]),
    "edit after greedy": (stages(api.stage("greedy"), api.stage("presence_penalty", penalty=1)),
                          {}, ["chains[0].stages[1].presence_penalty", "greedy"]),
    "bias stage twice": (stages(api.stage("logit_bias"), api.stage("logit_bias")), {},
                         ["chains[0].stages[1].logit_bias", "once"]),
    "temperatures below all": (stages(*[api.stage("temperature", t=2.0**-60)] * 2), {},
                               ["chains[0].stages[1].temperature.t is", "[2^-100, 2^100]"]),
    "unknown scope": (one("presence_penalty", penalty=1, scope=9), {},
                      ["presence_penalty.scope is 9"]),
}

# Numbers of stages: (stage, field, value, accepted range).
NUMBERS = [
    ("temperature", "t", None, "required"), ("temperature", "t", -1, "[2^-100, 2^100]"),
    ("temperature", "t", NAN, "[2^-100, 2^100]"), ("temperature", "t", INF, "[2^-100, 2^100]"),
    ("temperature", "t", 2.0**-101, "[2^-100, 2^100]"),
    ("temperature", "t", 2.0**101, "[2^-100, 2^100]"), ("temperature", "t", 5e-324, "[2^-100"),
    ("top_k", "k", None, "required"), ("top_k", "k", -1, "at least 0"),
    ("top_k", "k", -2**31, "at least 0"),
    ("top_p", "p", None, "required"), ("top_p", "p", 1.5, "[0, 1]"),
    ("top_p", "p", -0.5, "[0, 1]"), ("top_p", "p", NAN, "[0, 1]"), ("top_p", "p", INF, "[0, 1]"),
    ("min_p", "m", None, "required"), ("min_p", "m", 1.5, "[0, 1]"),
    ("min_p", "m", -0.5, "[0, 1]"), ("min_p", "m", NAN, "[0, 1]"),
    ("repetition_penalty", "penalty", None, "required"),
    ("repetition_penalty", "penalty", 0, "above 0"),
    ("repetition_penalty", "penalty", -2, "above 0"),
    ("repetition_penalty", "penalty", NAN, "above 0"),
    ("repetition_penalty", "penalty", 1e-50, "above 0"),
    ("repetition_penalty", "penalty", 1e39, "above 0"),
    ("frequency_penalty", "penalty", None, "required"),
    ("frequency_penalty", "penalty", INF, "finite"),
    ("frequency_penalty", "penalty", 1e39, "finite"),
    ("presence_penalty", "penalty", None, "required"),
    ("presence_penalty", "penalty", -INF, "finite"),
    ("presence_penalty", "penalty", NAN, "finite"),
]


def refused_row(client, chains, fields):
    """The message of a faulty row, whose neighbour must be answered by a chain of its own."""
    fields = {"seed": 3, "logits_row": 0, **fields}
    faulty = api.row(**{key: value for key, value in fields.items() if value is not None})
    if "position" in fields:
        faulty.ClearField("position")
    chains = [*(chains or [api.chain()]), api.chain(greedy=True)]
    good = api.row(chain=1, logits_row=0)
    answered = answers.read(client.sample(api.request([[1, 2, 9, 0]], [faulty, good], chains)))
    assert answered[1].tokens == [2], "the neighbour is computed"
    assert answered[0].outcome == api.INVALID_PARAMETERS
    assert set(answered[0].tokens) == {-1}
    return answered[0].error


@pytest.mark.parametrize("name", ROWS)
def test_a_fault_of_a_row_fails_that_row(client, name):
    chains, fields, words = ROWS[name]
    error = refused_row(client, chains, fields)
    for word in words:
        assert word in error


@pytest.mark.parametrize("name, field, value, accepted", NUMBERS,
                         ids=[f"{n[0]}={n[2]}" for n in NUMBERS])
def test_a_number_out_of_range_is_named_with_its_range(client, name, field, value, accepted):
    chains = one(name, **({} if value is None else {field: value}))
    error = refused_row(client, chains, {})
    assert f"chains[0].stages[0].{name}.{field} is" in error
    assert accepted in error


@pytest.mark.parametrize("value", [0, 2**64 - 1])
def test_every_seed_of_64_bits_is_accepted(client, value):
    assert list(client.sample(api.request([[0, 0]], [api.row(seed=value)])).outcomes) == [api.OK]


def test_a_seed_beyond_64_bits_cannot_be_written():
    with pytest.raises(ValueError):
        api.row(seed=2**64)


def test_the_widest_legal_numbers_are_accepted(client):
    chains = [api.chain(temperature=2.0**100), api.chain(temperature=2.0**-100),
              api.chain(top_k=2**31 - 1, top_p=0, min_p=1),
              stages(*[api.stage("temperature", t=1)] * 32)[0]]
    rows = [api.row(chain=c, logits_row=0, seed=1, position=2**32 - 1, stream=2**32 - 1)
            for c in range(4)]
    assert list(client.sample(api.request([[1, 2, 9, 0]], rows, chains)).outcomes) == [api.OK] * 4
