"""One position of drafts as engines verify it, against the presets that are named after them.

The `speculative` section of tests/data/engine_oracles.json says what a draft of each id deserves
and what is left after a rejection. RULES are the engines' own comparisons in fractions; where one
of them and the preset part, DEPARTURES says so, and the preset's own sentences too.
"""

import collections
from fractions import Fraction

import numpy as np
import pytest

import api
import verification_oracle as oracle
import verifications as v
from engine_record import ORACLES

CASE = ORACLES["speculative"]
P = [Fraction(share) for share in CASE["p"]]
Q = [Fraction(share) for share in CASE["q"]]
# 1/2 and 1/4 are exact powers of two; float32 logits hold their logarithms to 6e-8.
LOGITS = np.log(np.array([float(p) for p in P]), where=np.array(P) > 0,
                out=np.full(len(P), -np.inf))
DRAFT_LOGITS = np.log(np.array([float(q) for q in Q]), where=np.array(Q) > 0,
                      out=np.full(len(Q), -np.inf))
CLOSE = 2e-6
SEEDS = 1300
CALL = 1300  # sequences of up to three positions, of which a call may have 4,096

# (p, q, u) -> accepted. u is in [0, 1), but for MRV2's, which is above 0.
RULES = {
    "vllm-v1": lambda p, q, u: q > 0 and p / q >= u,
    "vllm-mrv2": lambda p, q, u: p > u * q,
    "flashinfer-chain": lambda p, q, u: u * q < p,
    "trtllm-draft": lambda p, q, u: q == 0 or not p / q < u,
    "hf-assisted": lambda p, q, u: q == 0 or u <= p / q,
    "sglang-tree": lambda p, q, u: u <= p,
}
RATIO = [name for name in RULES if name != "sglang-tree"]
U_IS_POSITIVE = {"vllm-mrv2"}
TINY = Fraction(1, 2**53)

# (preset, what parts) -> the words of the preset that tell it. "q = 0": of a draft that q cannot
# have drawn, accepted by the engine and rejected here. "u = 0": of a draft of p = 0, which the
# least of the engine's random numbers accepts. Nothing else parts.
REJECTED = "here a draft of q = 0 is rejected and counted"
DEPARTURES = {
    ("vllm-v1", "u = 0"): "there u = 0 accepts a draft of p = 0",
    ("vllm-mrv2", "q = 0"): REJECTED,
    ("sglang-tree", "u = 0"): "there a coin of 0 accepts a draft of p = 0",
    ("flashinfer-chain", "q = 0"): REJECTED,
    ("trtllm-draft", "q = 0"): REJECTED,
    ("trtllm-draft", "u = 0"): "there u = 0 accepts a draft of p = 0",
    ("hf-assisted", "q = 0"): REJECTED,
    ("hf-assisted", "u = 0"): "there u = 0 accepts a draft of p = 0",
    ("medusa-typical", "law"): "lossy, there as here",
}

LAWS = {"sparse": ({"sparse": {"offsets": [0, 4], "ids": [0, 1, 2, 3],
                               "probabilities": [float(q) for q in Q]}}, None),
        "draft_logits": ({"draft_logits": {"chain": 0}}, DRAFT_LOGITS)}
ONE_HOT = ({"one_hot": {}}, None)


def run(client, name, drafts, law=ONE_HOT, parents=(), seeds=range(1, SEEDS + 1)):
    """[(Emitted, explanation)] of one sequence a seed. drafts: ids, or a function of the seed."""
    of_sequence, draft_logits = law
    found = []
    for first in range(0, len(seeds), CALL):
        part = seeds[first:first + CALL]
        ids = [drafts(seed) if callable(drafts) else drafts for seed in part]
        sequences = [v.sequence(one, law=of_sequence, method=0, preset=name, parents=parents,
                                target={"seed": seed}) for seed, one in zip(part, ids)]
        rows = sum(len(one) + 1 for one in ids)
        message = v.request(np.tile(LOGITS, (rows, 1)), sequences, explain=True,
                            draft_logits=None if draft_logits is None else [draft_logits])
        response = v.verify(client, message, timeout=120)
        found += list(zip(v.read(response), response.explanations))
    assert all(emitted.outcome == api.OK for emitted, _ in found)
    return found


def share(hits, expected, trials):
    """hits of trials are a share of `expected`, exactly where it is 0 or 1."""
    expected = float(expected)
    error = (expected * (1 - expected) / trials) ** 0.5
    return abs(hits / trials - expected) <= 5 * error


def follow(tokens, law):
    counts = np.bincount(tokens, minlength=len(law))
    return len(tokens) > 300 and all(share(counts[i], law[i], len(tokens)) for i in range(len(law)))


def check_drafts_of(found, token, accept, residual):
    """Sequences of one draft: chance, coin and last token are what the record says."""
    rejected = []
    for emitted, explanation in found:
        test, = explanation.tests
        assert test.acceptance_probability == pytest.approx(float(accept), abs=CLOSE)
        assert emitted.chances == [pytest.approx(float(accept), abs=CLOSE)]
        taken = emitted.accepted == [0]
        coin = Fraction(test.word, 2**64)
        if abs(coin - accept) > CLOSE:
            assert taken == (coin < accept)
        if taken:
            assert emitted.tokens[0] == token
            continue
        rejected.append(emitted.tokens[0])
        leaders = {leader.id: leader.probability for leader in explanation.final_draw.leaders}
        for i, left in enumerate(residual):
            assert leaders.get(i, 0) == pytest.approx(float(left), abs=CLOSE)
    assert share(len(found) - len(rejected), accept, len(found))
    assert not rejected or follow(rejected, residual)


def fractions(values):
    return [Fraction(value) for value in values]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", RATIO)
def test_a_draft_of_each_id_is_accepted_as_the_record_says(client, name, law):
    residual = fractions(CASE["residual"])
    for token, accept in enumerate(CASE["accept"]):
        found = run(client, name, [token], LAWS[law])
        impossible = accept is None  # rejected here, whatever the engine does: see DEPARTURES
        check_drafts_of(found, token, Fraction(0 if impossible else accept), residual)
        assert {emitted.impossible for emitted, _ in found} == {int(impossible)}
        assert {emitted.lossless for emitted, _ in found} == {True}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", RATIO)
def test_drafts_that_q_draws_leave_the_law_of_p(client, name, law):
    ids = np.random.default_rng(9).choice(len(Q), size=SEEDS + 1, p=[float(q) for q in Q]).tolist()
    found = run(client, name, lambda seed: [ids[seed]], LAWS[law])
    assert follow([emitted.tokens[0] for emitted, _ in found], P)
    assert share(sum(len(emitted.accepted) for emitted, _ in found), Fraction(CASE["accept_rate"]),
                 SEEDS)
    assert sum(emitted.impossible for emitted, _ in found) == 0


@pytest.mark.parametrize("name", RULES)
def test_a_certain_draft(client, name):
    """What prompt lookup proposes; SGLang's rule looks at p alone, so it says the same."""
    one = CASE["one_hot"]
    found = run(client, name, [one["id"]])
    check_drafts_of(found, one["id"], Fraction(one["accept"]), fractions(one["residual"]))


def test_siblings_under_one_coin(client):
    record = CASE["target_only"]
    bounds, siblings = fractions(record["coin_up_to"]), record["siblings"]
    assert record["threshold"] == "1"
    left = record["residual"].index("1")
    emitted_tokens = []
    for law in (ONE_HOT, LAWS["sparse"]):
        for emitted, explanation in run(client, "sglang-tree", siblings, law, [-1, -1]):
            coin = Fraction(explanation.tests[0].word, 2**64)
            assert coin == word_of(emitted.seed, node=0)
            assert {test.word for test in explanation.tests} == {explanation.tests[0].word}
            tested = [float(bound) for bound in bounds[:len(emitted.chances)]]
            np.testing.assert_allclose(emitted.chances, tested, atol=CLOSE)
            if min(abs(coin - bound) for bound in bounds) > CLOSE:
                expected = next((i for i, bound in enumerate(bounds) if coin < bound), None)
                assert emitted.accepted == ([] if expected is None else [expected])
                assert emitted.tokens[0] == (left if expected is None else siblings[expected])
            emitted_tokens.append(emitted.tokens[0])
    assert follow(emitted_tokens, P)


def word_of(seed, node):
    low, high, _, _ = oracle.philox.philox(seed, (0, 0, oracle.ACCEPT, node))
    return Fraction(low | high << 32, 2**64)


def test_typical_acceptance_takes_what_is_likely_and_is_lossy(client):
    """p > min(0.3, 0.09 exp(-H)), H = 1.5 ln 2: all but the id of probability 0, whatever q is."""
    emitted_tokens = []
    for token in range(len(P)):
        found = run(client, "medusa-typical", [token], LAWS["sparse"], seeds=range(1, 401))
        assert {tuple(emitted.accepted) for emitted, _ in found} == {(0,) if P[token] else ()}
        assert {emitted.lossless for emitted, _ in found} == {False}
        emitted_tokens += [emitted.tokens[0] for emitted, _ in found] * int(Q[token] * 4)
    assert not follow(emitted_tokens, P)


def parting(name):
    """What a rule and the record part in, by the engine's least, middle and largest numbers."""
    found = set()
    for token, recorded in enumerate(CASE["accept"]):
        p, q = P[token], Q[token]
        if name == "sglang-tree":
            q, recorded = Fraction(1), str(p)
        accept = Fraction(recorded or 0)
        for u in (Fraction(0), TINY, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1 - TINY):
            if u == 0 and name in U_IS_POSITIVE:
                continue
            if u == accept and u > 0:
                continue  # one number of 2^53 or more, which rules take to either side
            if RULES[name](p, q, u) != (u < accept):
                found.add("u = 0" if q > 0 and p == 0 and u == 0 else
                          "q = 0" if q == 0 else f"p = {p}, q = {q}, u = {u}")
    return found


def test_departures_are_those_that_presets_tell(client):
    parted = {(name, what) for name in RULES for what in parting(name)}
    assert parted | {("medusa-typical", "law")} == set(DEPARTURES)
    told = {preset.name: preset for preset in client.capabilities().verification_presets}
    assert set(told) == set(RULES) | {"medusa-typical"}
    for (name, what), words in DEPARTURES.items():
        assert words in told[name].departs, (name, what)
        assert what != "q = 0" or told[name].impossible_drafts.startswith("accepted")
    counted = collections.Counter(what for _, what in DEPARTURES)
    assert counted == {"u = 0": 4, "q = 0": 4, "law": 1}
    assert told["vllm-v1"].impossible_drafts == "rejected"


def test_a_rule_that_changes_the_law_is_not_offered(client):
    """MLC's slack in the denominator: the record has it rounded, and no preset follows it."""
    for p, q, accept in zip(P, Q, CASE["mlc_cpu"]["accept"]):
        if accept is not None:
            chance = Fraction(1) if p >= q else p / (q + Fraction(1, 10**5))
            assert abs(chance - Fraction(accept)) < Fraction(1, 10**5)
            assert (chance == Fraction(accept)) == (p >= q or p == 0)
    assert not [preset.name for preset in client.capabilities().verification_presets
                if "mlc" in preset.name]
