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


def preset(name, **parameters):
    return [api.preset(name, **parameters)]


BIASED = one("logit_bias")
MIROSTAT = one("mirostat_v2", tau=5, eta=0.1)
XORSHIFT = one("draw_rule", generator=3)
ADAPTIVE_STATE = {"state": {"adaptive_p": {"weighted_sum": 1, "total_weight": 2}}}
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
                      ["presence_penalty.scope is 9", "PENALTY_SCOPE_OUTPUT"]),
    "unknown ties": (one("top_k", k=1, ties=3), {},
                     ["chains[0].stages[0].top_k.ties is 3", "TIES_SPLIT or TIES_WHOLE"]),
    "unknown boundary": (one("top_p", p=1, boundary=-1), {},
                         ["top_p.boundary is -1", "BOUNDARY_WITHIN"]),
    "typical within": (one("typical_p", p=0.5, boundary=3), {},
                       ["typical_p.boundary is BOUNDARY_WITHIN", "BOUNDARY_EXCEED"]),
    "unknown order": (one("draw_rule", order=3), {}, ["draw_rule.order is 3"]),
    "unknown generator": (one("draw_rule", generator=9), {}, ["draw_rule.generator is 9"]),
    "partial and not last": (stages(api.stage("top_p", p=0.5, partial=True),
                                    api.stage("min_p", m=0.5)), {},
                             ["chains[0].stages[1].min_p", "stages[0].top_p"]),
    "tail_free of everything": (one("tail_free", z=0.5), {},
                                ["chains[0].stages[0].tail_free", "top_k"]),
    "cut behind a state": (stages(api.stage("mirostat_v2", tau=5, eta=0.1),
                                  api.stage("top_k", k=3)), {},
                           ["chains[0].stages[1].top_k", "stages[0].mirostat_v2"]),
    "edit behind a rewrite": (stages(api.stage("smoothing", factor=0.5),
                                     api.stage("logit_bias")), {},
                              ["chains[0].stages[1].logit_bias", "stages[0].smoothing"]),
    "unknown rank rule": (None, {"logprobs": api.logprobs(api.RAW, rank_rule=3)},
                          ["logprobs.rank_rule is 3", "TIES_AGAINST"]),

    # States.
    "mirostat without its stage": (None, {"state": {"mirostat": {"mu": 5}}},
                                   ["rows[0].state.mirostat", "no mirostat_v1"]),
    "another stage's state": (MIROSTAT, ADAPTIVE_STATE, ["rows[0].state.adaptive_p"]),
    "no mu": (MIROSTAT, {"state": {"mirostat": {}}}, ["state.mirostat.mu is absent"]),
    "mu NaN": (MIROSTAT, {"state": {"mirostat": {"mu": NAN}}},
               ["state.mirostat.mu is nan", "[-2^40, 2^40]"]),
    "mu infinite": (MIROSTAT, {"state": {"mirostat": {"mu": INF}}}, ["mu is inf"]),
    "no weight": (one("adaptive_p", target=0.5, decay=0.9),
                  {"state": {"adaptive_p": {"weighted_sum": 0.0, "total_weight": 0.0}}},
                  ["state.adaptive_p.total_weight is 0", "[1, 1024]"]),
    "a generator's state without it": (None, {"state": {"xorshift64": 5}},
                                       ["rows[0].state.xorshift64", "XORSHIFT64"]),
    "a generator's state of 0": (XORSHIFT, {"state": {"xorshift64": 0}}, ["xorshift64 is 0"]),
    "a generator's seed of 0": (XORSHIFT, {"seed": 0}, ["rows[0].seed is 0", "XORSHIFT64"]),
    "two samples of one state": (MIROSTAT, {"samples": 2}, ["rows[0].samples is 2", "at most 1"]),
    "two samples of a generator": (XORSHIFT, {"samples": 2}, ["samples is 2", "PHILOX"]),
    "far position of mt19937": (one("draw_rule", generator=2), {"position": 2**17},
                                ["rows[0].position is 131072", "at most 131071"]),

    # Histories in order, and guidance.
    "counts without order": (one("no_repeat_ngram", n=2), {"history": {"counts": [{"id": 1}]}},
                             ["rows[0].history holds counts", "prompt_ids"]),
    "a word beyond the vocabulary": (one("bad_words", words=[{"ids": [1, 4]}]), {},
                                     ["chains[0].stages[0].bad_words.words[0]", "id 4"]),
    "an empty word": (one("bad_words", words=[{}]), {}, ["bad_words.words[0]"]),
    "a negative id": (one("dry", multiplier=1, breakers=[{"ids": [-7]}]), {},
                      ["dry.breakers[0]", "-7"]),
    "a bias of NaN": (one("sequence_bias", sequences=[{"ids": [1], "bias": NAN}]), {},
                      ["sequence_bias.sequences[0]", "nan"]),
    "a bias forgotten": (one("sequence_bias", sequences=[{"ids": [1]}]), {},
                         ["sequence_bias.sequences[0].bias is absent"]),
    "too long a list": (one("bad_words", words=[{"ids": [1] * 65537}]), {}, ["bad_words.words[0]"]),
    "guidance from nowhere": (one("guidance", scale=2), {},
                              ["rows[0].guidance_row is 0", "no rows of guidance_logits"]),
    "guidance without its stage": (None, {"guidance_row": 0},
                                   ["rows[0].guidance_row is 0", "no guidance stage"]),

    # Presets.
    "unknown preset": (preset("vllm"), {}, ["chains[0].preset", "vllm-torch"]),
    "unknown parameter": (preset("vllm-torch", topk=5), {}, ["chains[0].preset", "topk"]),
    "parameter out of range": (preset("vllm-torch", top_p=0), {},
                               ["vllm-torch.top_p is 0", "(0, 1]"]),
    "text for a number": (preset("vllm-torch", top_p="much"), {}, ["vllm-torch.top_p", "much"]),
    "preset and stages": ([api.chain_pb2.SamplerChain(
        stages=[api.stage("greedy")], preset=api.preset("vllm-torch").preset)], {},
        ["chains[0].preset and stages are both set"]),
    "a name without end": (preset("x" * 100000), {}, ["name is 100000 bytes long", "at most 64"]),
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
    ("top_a", "a", None, "required"), ("top_a", "a", 1.5, "[0, 1]"), ("top_a", "a", NAN, "[0, 1]"),
    ("epsilon_cutoff", "epsilon", None, "required"), ("epsilon_cutoff", "epsilon", 1, "[0, 1)"),
    ("epsilon_cutoff", "epsilon", NAN, "[0, 1)"),
    ("eta_cutoff", "epsilon", None, "required"), ("eta_cutoff", "epsilon", 1, "[0, 1)"),
    ("eta_cutoff", "epsilon", -1e-9, "[0, 1)"),
    ("typical_p", "p", None, "required"), ("typical_p", "p", 1.5, "[0, 1]"),
    ("typical_p", "p", NAN, "[0, 1]"),
    ("top_n_sigma", "n", None, "required"), ("top_n_sigma", "n", -1, "[0, 2^26)"),
    ("top_n_sigma", "n", INF, "[0, 2^26)"), ("top_n_sigma", "n", NAN, "[0, 2^26)"),
    ("tail_free", "z", None, "required"), ("tail_free", "z", 1.5, "[0, 1]"),
    ("guidance", "scale", None, "required"), ("guidance", "scale", INF, "finite"),
    ("guidance", "scale", NAN, "finite"),
    ("no_repeat_ngram", "n", None, "required"),
]

# The same of stages with several numbers: (stage, its other fields, field, value, accepted range).
NUMBERS_AMONG_OTHERS = [
    ("xtc", {"threshold": 0.1}, "probability", None, "required"),
    ("xtc", {"threshold": 0.1}, "probability", 1.5, "[0, 1]"),
    ("xtc", {"threshold": 0.1}, "probability", NAN, "[0, 1]"),
    ("xtc", {"probability": 0.5}, "threshold", None, "required"),
    ("xtc", {"probability": 0.5}, "threshold", 0, "(0, 1]"),
    ("xtc", {"probability": 0.5}, "threshold", NAN, "(0, 1]"),
    ("dynamic_temperature", {"high": 1}, "low", None, "required"),
    ("dynamic_temperature", {"high": 1}, "low", -0.5, "[0, 2^20]"),
    ("dynamic_temperature", {"low": 1}, "high", None, "required"),
    ("dynamic_temperature", {"low": 1}, "high", 0.5, "[low, 2^20]"),
    ("dynamic_temperature", {"low": 1}, "high", INF, "[low, 2^20]"),
    ("dynamic_temperature", {"low": 1, "high": 2}, "exponent", 0, "(0, 64]"),
    ("dynamic_temperature", {"low": 1, "high": 2}, "exponent", NAN, "(0, 64]"),
    ("smoothing", {}, "factor", None, "required"), ("smoothing", {}, "factor", -1, "[0, 2^20]"),
    ("smoothing", {"factor": 1}, "curve", 3.5, "[1, 3]"),
    ("smoothing", {"factor": 1}, "curve", NAN, "[1, 3]"),
    *[(v, {"eta": 0.1}, "tau", value, accepted) for v in ("mirostat_v1", "mirostat_v2")
      for value, accepted in ((None, "required"), (0, "(0, 64]"), (65, "(0, 64]"),
                              (NAN, "(0, 64]"))],
    *[(v, {"tau": 5}, "eta", value, accepted) for v in ("mirostat_v1", "mirostat_v2")
      for value, accepted in ((None, "required"), (-1, "[0, 1024]"), (INF, "[0, 1024]"))],
    ("adaptive_p", {"decay": 0.9}, "target", None, "required"),
    ("adaptive_p", {"decay": 0.9}, "target", -1, "[0, 1]"),
    ("adaptive_p", {"target": 0.5}, "decay", None, "required"),
    ("adaptive_p", {"target": 0.5}, "decay", 1, "[0, 0.99]"),
    ("adaptive_p", {"target": 0.5}, "decay", NAN, "[0, 0.99]"),
    ("dry", {}, "multiplier", None, "required"), ("dry", {}, "multiplier", -1, "at least 0"),
    ("dry", {}, "multiplier", 1e39, "finite"),
    ("dry", {"multiplier": 1}, "base", 0.5, "at least 1"),
    ("dry", {"multiplier": 1}, "base", NAN, "at least 1"),
    ("dry", {"multiplier": 1}, "last_n", -2, "at least -1"),
    ("watermark", {"delta": 1, "key": 1}, "gamma", None, "required"),
    ("watermark", {"delta": 1, "key": 1}, "gamma", 0, "above 0"),
    ("watermark", {"delta": 1, "key": 1}, "gamma", 1, "below 1"),
    ("watermark", {"gamma": 0.5, "key": 1}, "delta", INF, "finite"),
    ("watermark", {"gamma": 0.5, "delta": 1}, "key", None, "required"),
    ("watermark", {"gamma": 0.5, "delta": 1, "key": 1}, "context_width", 65, "at most 64"),
]


def refused_row(client, chains, fields):
    """The message of a faulty row, whose neighbour must be answered by a chain of its own."""
    fields = {"seed": 3, "logits_row": 0, **fields}
    faulty = api.row(**{key: value for key, value in fields.items() if value is not None})
    if fields.get("position", 0) is None:
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


@pytest.mark.parametrize("name, others, field, value, accepted", NUMBERS_AMONG_OTHERS,
                         ids=[f"{n[0]}.{n[2]}={n[3]}" for n in NUMBERS_AMONG_OTHERS])
def test_a_number_beside_good_ones_is_named(client, name, others, field, value, accepted):
    chains = one(name, **others, **({} if value is None else {field: value}))
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
