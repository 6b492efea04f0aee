"""What engines make of small rows, against the presets that are named after them.

tests/data/engine_oracles.json records kept sets and laws; engine_rules.py works them out anew, in
fractions, and says which cases lie at a boundary. Of the 3,150 cases 2,268 have a defined outcome.
"""

import collections
from fractions import Fraction

import numpy as np
import pytest

import answers
import api
import engine_presets
import engine_row
import engine_rules
from engine_record import ORACLES

# Every probability is a power of two and every sum exact: no boundary leaves a choice here.
EXACT = {"equal4", "equal8", "hole4of5"}

# Where p or m lies within 2^-18 of a prefix sum or a ratio, and for how many engines: decimals that
# binary does not hold. Either side is right.
BOUNDARIES = {
    ("p532", "p0.8"): 13, ("p532", "p0.5"): 12, ("p532", "T2_p0.8"): 1,
    ("p532_perm", "p0.8"): 13, ("p532_perm", "p0.5"): 12, ("p532_perm", "T2_p0.8"): 1,
    ("tie_nucleus", "p0.8"): 9, ("tie_nucleus", "T2_p0.8"): 1, ("tie_nucleus", "m0.5"): 9,
    ("knap", "p0.8"): 13, ("knap", "p0.5"): 12, ("knap", "T2_p0.8"): 1,
    ("geo", "p0.8"): 13, ("geo", "T2_p0.8"): 1, ("geo", "m0.5"): 9,
}

Case = collections.namedtuple("Case", "engine vector params recorded")
CASES = [Case(engine, vector, params, entry)
         for vector, by_params in ORACLES["cases"].items()
         for params, entries in by_params.items()
         for entry in entries for engine in entry["engines"]]
DEFINED = [case for case in CASES if case.recorded["status"] in ("ok", "greedy", "error")]
UNDEFINED = [case for case in CASES if case.recorded["status"] == "undefined"]
NOT_OFFERED = [case for case in CASES if case.recorded["status"] == "n/a"]


def name(case):
    return f"{case.engine}-{case.vector}-{case.params}"


def logits_of(case):
    return [float(value) for value in ORACLES["vectors"][case.vector]["logits"]]


def row_of(case):
    shares = ORACLES["vectors"][case.vector].get("shares")
    return engine_row.Row(logits_of(case), shares and [Fraction(share) for share in shares])


def parameters_of(case):
    given = ORACLES["params"][case.params]
    return engine_row.Parameters(Fraction(given["T"]), given["k"], Fraction(given["p"]),
                                   Fraction(given["m"]))


def outcomes(case):
    """What is right: of a case at a boundary one outcome for each side, the exact one first."""
    row, parameters = row_of(case), parameters_of(case)
    rule = engine_rules.RULES[case.engine]
    if case.vector in EXACT:
        return [rule(row, *parameters)]
    return engine_rules.alternatives(rule, row, parameters)


def refusal(client, case):
    """The message with which the preset refuses the case's parameters."""
    chain = engine_presets.of(case.engine, parameters_of(case))
    request = api.request(logits_of(case), [api.row(seed=1)], [chain])
    answer = answers.read(client.sample(request))[0]
    assert answer.outcome == api.INVALID_PARAMETERS
    return answer.error


def fits(outcome, kept, law, exchange):
    """Whether ids and law are the outcome's; `exchange` are equal tokens that may stand in."""
    def grouped(ids):
        return sorted(-1 if i in exchange else i for i in ids)

    def group_law(values):
        return np.sort(values[exchange]), np.delete(values, exchange)

    expected = np.zeros(len(law))
    expected[list(outcome.ids)] = outcome.probs
    return grouped(kept) == grouped(outcome.ids) and all(
        np.allclose(ours, theirs, rtol=0, atol=1e-5)
        for ours, theirs in zip(group_law(law), group_law(expected)))


@pytest.mark.parametrize("case", DEFINED, ids=name)
def test_a_preset_keeps_what_its_engine_keeps(client, case):
    words = engine_presets.documented_refusal(case.engine, parameters_of(case))
    if case.recorded["status"] == "error" or words:
        message = refusal(client, case)
        assert (words or "it must be ") in message
        assert engine_presets.PRESETS[case.engine][0] + "." in message
        return
    chain = engine_presets.of(case.engine, parameters_of(case))
    logits = np.array(logits_of(case))
    if case.recorded["status"] == "greedy":
        rows = [api.row(seed=seed, logits_row=0) for seed in range(4)]
        drawn = client.sample(api.request(logits, rows, [chain]))
        assert list(drawn.tokens) == [case.recorded["token"]] * 4
        return
    logprobs, size = answers.laws(client, logits, chain, {})
    kept = np.flatnonzero(np.isfinite(logprobs)).tolist()
    assert size == len(kept)
    exchange = case.recorded.get("open", {"of": []})["of"]
    assert any(fits(outcome, kept, np.exp(logprobs), exchange) for outcome in outcomes(case)), kept


@pytest.mark.parametrize("case", UNDEFINED, ids=name)
def test_what_an_engine_leaves_undefined_has_an_outcome(client, case):
    logits, parameters = np.array(logits_of(case)), parameters_of(case)
    chain = engine_presets.of(case.engine, parameters)
    answer = answers.read(client.sample(api.request(logits, [api.row(seed=1)], [chain])))[0]
    if answer.outcome == api.INVALID_PARAMETERS:
        assert f"{engine_presets.PRESETS[case.engine][0]}." in answer.error
    elif np.isneginf(logits).all():
        assert answer.outcome == api.EMPTY_SUPPORT
    elif np.isfinite(logits[~np.isneginf(logits)]).all():
        assert (case.engine, parameters.k > len(logits)) == ("tgi", True), "reads out of range"
        _, size = answers.laws(client, logits, chain, {})
        assert size == np.isfinite(logits).sum(), "a k above the vocabulary is no filter"
    else:
        assert answer.outcome == api.INVALID_LOGITS


@pytest.mark.parametrize("case", NOT_OFFERED, ids=name)
def test_what_an_engine_does_not_have_is_refused(client, case):
    assert " is " in refusal(client, case)


def test_the_record_is_complete():
    assert (len(DEFINED), len(UNDEFINED), len(NOT_OFFERED)) == (2268, 642, 240)
    assert len(ORACLES["engines"]) * len(ORACLES["vectors"]) * len(ORACLES["params"]) == len(CASES)
    assert set(ORACLES["engines"]) == set(engine_presets.PRESETS) == set(engine_rules.RULES)
    assert len({case[:3] for case in CASES}) == len(CASES)


def test_the_record_is_what_the_rules_say():
    """But for ExLlamaV2's top-p, which is refused and which no rule here works out."""
    unlike = collections.Counter()
    for case in DEFINED:
        worked_out = engine_rules.RULES[case.engine](row_of(case), *parameters_of(case))
        recorded = case.recorded
        if worked_out.status != recorded["status"]:
            unlike[case.engine, worked_out.status] += 1
            assert engine_presets.documented_refusal(case.engine, parameters_of(case))
        elif recorded["status"] == "greedy":
            assert worked_out.ids == (recorded["token"],)
        elif recorded["status"] == "ok":
            assert list(worked_out.ids) == recorded["ids"], name(case)
            law = np.array(recorded["probs"])[recorded["ids"]]
            np.testing.assert_allclose(worked_out.probs, law, rtol=0, atol=1e-6)
    assert unlike == {("exl2", "n/a"): 60}


def test_boundaries_and_refusals_are_listed():
    at_boundary = collections.Counter(
        (case.vector, case.params) for case in DEFINED if len(outcomes(case)) > 1)
    assert at_boundary == BOUNDARIES
    assert sum(BOUNDARIES.values()) == 120
    refused = collections.Counter(
        case.engine for case in DEFINED
        if engine_presets.documented_refusal(case.engine, parameters_of(case)))
    assert refused == {"exl2": 60, "mlc_cpu": 48}
