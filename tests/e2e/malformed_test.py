"""Malformed requests of every kind, one fault each.

Every refusal names the field, its value and what is accepted; nothing leaks into the next call. A
fault of the whole request fails the call, a fault of one row fails that row (proto/tessera/v1).
"""

import grpc
import numpy as np
import pytest

import answers
import api

INVALID = grpc.StatusCode.INVALID_ARGUMENT
UNIMPLEMENTED = grpc.StatusCode.UNIMPLEMENTED
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
NAN, INF = float("nan"), float("inf")
MAX64 = 2**63 - 1


def valid():
    """Two rows of four logits, one grammar row: what every fault below is a change of."""
    return api.request([[1, 2, 3, 0], [0, 1, 0, 5]], [api.row(seed=1), api.row(seed=2)],
                       [api.chain(temperature=0.5, top_k=3)],
                       grammar=api.tensor(np.array([[15]], np.uint32), "uint32"))


def tensor_of(request, **fields):
    for name, value in fields.items():
        setattr(request.logits[0], name, value)


def grammar_of(request, **fields):
    for name, value in fields.items():
        setattr(request.grammar, name, value)


def logits_of(**fields):
    return lambda request: tensor_of(request, **fields)


def masks_of(**fields):
    return lambda request: grammar_of(request, **fields)


def copies(field, count):
    def change(request):
        one = getattr(request, field)[0]
        getattr(request, field).extend([one] * (count - len(getattr(request, field))))
    return change


def region(request):
    request.logits[0].shared_memory.arena_id = 3


def cuda_region(request):
    request.logits[0].cuda_memory.arena_id = 3


CALLS = {
    "no logits": (lambda r: r.ClearField("logits"), INVALID, ["logits is absent"]),
    "two slices": (copies("logits", 2), UNIMPLEMENTED, ["logits holds 2", "one"]),
    "no type": (logits_of(element_type=0), INVALID,
                ["logits[0].element_type is 0", "FLOAT32, FLOAT16 or BFLOAT16"]),
    "unknown type": (logits_of(element_type=77), INVALID, ["logits[0].element_type is 77"]),
    "integers as logits": (logits_of(element_type=4), INVALID, ["logits[0].element_type is 4"]),
    "fewer bytes": (logits_of(inline_bytes=b"x" * 31), INVALID,
                    ["logits[0].inline_bytes holds 31 bytes", "need 32"]),
    "more bytes": (logits_of(inline_bytes=b"x" * 33), INVALID,
                   ["logits[0].inline_bytes holds 33 bytes", "need 32"]),
    "no bytes": (lambda r: r.logits[0].ClearField("inline_bytes"), INVALID,
                 ["logits[0].inline_bytes holds 0 bytes", "need 32"]),
    "half as wide a type": (logits_of(element_type=2), INVALID,
                            ["logits[0].inline_bytes holds 32 bytes", "need 16"]),
    "negative rows": (logits_of(rows=-1), INVALID, ["logits[0].rows is -1", "at least 0"]),
    "least rows": (logits_of(rows=-MAX64 - 1), INVALID, [f"logits[0].rows is {-MAX64 - 1}"]),
    "most rows": (logits_of(rows=MAX64), INVALID, [f"logits[0].rows is {MAX64}", "2^63"]),
    "rows that wrap to 32 bytes": (logits_of(rows=2 + 2**60), INVALID, [str(2 + 2**60)]),
    "no columns": (logits_of(columns=0), INVALID, ["logits[0].columns is 0", "at least 1"]),
    "negative columns": (logits_of(columns=-4), INVALID, ["logits[0].columns is -4"]),
    "most columns": (logits_of(columns=MAX64), INVALID, [f"logits[0].columns is {MAX64}"]),
    "columns that wrap to 4": (logits_of(columns=2**62 + 4), INVALID, [str(2**62 + 4)]),
    "too many columns": (logits_of(rows=1, columns=2**19 + 1,
                                   inline_bytes=b"\0" * 4 * (2**19 + 1)), INVALID,
                         [f"logits[0].columns is {2**19 + 1}", f"at most {2**19}"]),
    "stride below a row": (logits_of(row_stride_bytes=12), INVALID,
                           ["logits[0].row_stride_bytes is 12", "multiple of 4", "at least 16"]),
    "odd stride": (logits_of(row_stride_bytes=17), INVALID,
                   ["logits[0].row_stride_bytes is 17", "multiple of 4"]),
    "negative stride": (logits_of(row_stride_bytes=-16), INVALID,
                        ["logits[0].row_stride_bytes is -16"]),
    "large stride": (logits_of(row_stride_bytes=MAX64 - 3), INVALID, [str(MAX64 - 3)]),
    "stride beyond the bytes": (logits_of(row_stride_bytes=32), INVALID,
                                ["logits[0].inline_bytes holds 32 bytes", "need 48"]),
    "shared memory": (region, UNIMPLEMENTED, ["logits[0].shared_memory", "inline_bytes"]),
    "CUDA memory": (cuda_region, UNIMPLEMENTED, ["logits[0].cuda_memory", "inline_bytes"]),
    "no vocabulary": (lambda r: r.ClearField("vocab_size"), INVALID,
                      ["vocab_size is 0", "[1, 4]"]),
    "vocabulary beyond columns": (lambda r: setattr(r, "vocab_size", 5), INVALID,
                                  ["vocab_size is 5", "[1, 4]"]),
    "largest vocabulary": (lambda r: setattr(r, "vocab_size", 2**32 - 1), INVALID,
                           [f"vocab_size is {2**32 - 1}", "[1, 4]"]),
    "float grammar": (masks_of(element_type=1), INVALID,
                      ["grammar.element_type is 1", "INT32 or UINT32"]),
    "short grammar bytes": (masks_of(inline_bytes=b"abc"), INVALID,
                            ["grammar.inline_bytes holds 3 bytes", "need 4"]),
    "grammar of no words": (masks_of(columns=0, inline_bytes=b""), INVALID,
                            ["grammar.columns is 0"]),
    "most grammar rows": (masks_of(rows=MAX64), INVALID, [f"grammar.rows is {MAX64}"]),
    "too many rows": (copies("rows", 4097), EXHAUSTED, ["rows holds 4097", "at most 4096"]),
    "too many chains": (copies("chains", 4097), EXHAUSTED, ["chains holds 4097", "at most 4096"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_fault_of_the_request_fails_the_call(client, name):
    change, code, words = CALLS[name]
    message = valid()
    change(message)
    got, details = client.refusal(message)
    assert got == code, details
    for word in words:
        assert word in details
    assert list(client.sample(valid()).outcomes) == [api.OK, api.OK], "the next call succeeds"


def test_a_grammar_narrower_than_the_vocabulary_names_the_words_it_needs(client):
    message = api.request(np.zeros((1, 65)), [api.row(seed=1, grammar_row=0)],
                          grammar=api.tensor(np.zeros((1, 2), np.uint32), "uint32"))
    code, details = client.refusal(message)
    assert code == INVALID and "grammar.columns is 2; it must be at least 3" in details


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
    "chain index": (None, {"chain": 1}, ["rows[0].chain is 1", "below 1"]),
    "largest chain index": (None, {"chain": 2**32 - 1}, [f"rows[0].chain is {2**32 - 1}"]),
    "row index": (None, {"logits_row": 1}, ["rows[0].logits_row is 1", "below 1"]),
    "largest row index": (None, {"logits_row": 2**32 - 1}, [f"logits_row is {2**32 - 1}"]),
    "grammar index": (None, {"grammar_row": 0}, ["rows[0].grammar_row is 0", "below 0"]),
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
    """The message of a faulty row, whose neighbours (before and after) must be answered."""
    fields = {"seed": 3, "logits_row": 0, **fields}
    faulty = api.row(**{key: value for key, value in fields.items() if value is not None})
    if "position" in fields:
        faulty.ClearField("position")
    chains = chains or [api.chain()]
    chains = [*chains, api.chain(greedy=True)]
    good = api.row(chain=len(chains) - 1, logits_row=0)
    if fields.get("chain") == 1:
        faulty.chain = len(chains)
    answered = answers.read(client.sample(api.request([[1, 2, 9, 0]], [faulty, good], chains)))
    assert answered[1].tokens == [2], "the neighbour is computed"
    assert answered[0].outcome == api.INVALID_PARAMETERS
    assert set(answered[0].tokens) == {-1}
    return answered[0].error.replace(f"below {len(chains)}", "below 1").replace(
        f"chain is {len(chains)}", "chain is 1")


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
