"""Every public bug case of speculative verification, against the real server.

Acceptance probabilities are read from the response; laws are counted over 4,000 seeds, drafts that
the case draws from q among them, within 5 standard errors of what the case says. Uniform numbers
that a case injects cannot be sent over the wire: its claim is then checked for every seed.
"""

import numpy as np
import pytest

import api
import public_cases
import verifications as v

CASES = {name: case for name, case in public_cases.CASES.items() if "draft" in case}
SEEDS = 4000
CALL = 700  # sequences a call: at most 4,096 positions
KNOWN = {"accept_prob", "residual", "output_distribution", "acceptance_rate", "bonus_distribution",
         "accepted", "output_tokens", "requests", "error", "property", "adjusted_logits", "alt"}


def of_kind(word):
    return [name for name, case in CASES.items() if word in case["expect"]]


def draft_law(case, target):
    """(draft_law of a sequence, chains beside the target's, draft logits, q of each position)."""
    draft = case["draft"]
    if "q_probs" in draft:
        q = np.array(draft["q_probs"], dtype=np.float64)
        offsets = [i * q.shape[1] for i in range(len(q) + 1)]
        law = {"sparse": {"offsets": offsets, "ids": list(range(q.shape[1])) * len(q),
                          "probabilities": q.ravel().tolist()}}
        return law, [], None, q
    if "q_logits_raw" in draft:
        return ({"draft_logits": {"chain": 1}}, [public_cases.chain(draft["draft_params"])],
                np.array(draft["q_logits_raw"], dtype=np.float64), None)
    if draft["q"].startswith("equal to the target row"):
        return {"draft_logits": {"chain": 0}}, [], target[:-1], None
    assert draft["q"].startswith("one-hot")
    return {"one_hot": {}}, [], None, None


def grammar(case, vocabulary):
    """Bitmasks of each position's allowed ids: the message's fields, a sequence's fields."""
    allowed = case["draft"].get("allowed_ids_per_position")
    if allowed is None:
        return {}, {}
    words = np.zeros((len(allowed), (vocabulary + 31) // 32), dtype=np.uint32)
    for position, ids in enumerate(allowed):
        for token in ids:
            words[position, token // 32] |= np.uint32(1 << token % 32)
    return {"grammar": api.tensor(words, "uint32")}, {"grammar_rows": list(range(len(allowed)))}


def run(client, case, seeds, tokens=None):
    """One sequence a seed, all drafts of the case or `tokens[seed]`: (Emitted, drafts) of each."""
    target = public_cases.logits(case)
    if "two requests" in case["draft"]["layout"]:
        target = np.concatenate([target[:1]] * 2)
    law, chains, draft_logits, _ = draft_law(case, target)
    masks, rows = grammar(case, target.shape[1])
    found = []
    for first in range(0, len(seeds), CALL):
        part = seeds[first:first + CALL]
        drafts = [case["draft"]["tokens"] if tokens is None else tokens[seed] for seed in part]
        sequences = [v.sequence(ids, law=law, target={**public_cases.row_fields(case["params"]),
                                                      "seed": seed}, **rows)
                     for seed, ids in zip(part, drafts)]
        message = v.request(np.concatenate([target] * len(part)), sequences,
                            chains=[public_cases.chain(case["params"])] + chains,
                            draft_logits=draft_logits, **masks)
        found += list(zip(v.read(v.verify(client, message)), drafts))
    return found


def drawn_drafts(case):
    """A draft of the first position for each seed, drawn from the case's q."""
    q = np.array(case["draft"]["q_probs"][0])
    return np.random.default_rng(5).choice(len(q), size=(SEEDS, 1), p=q / q.sum()).tolist()


def check_law(tokens, law):
    """The tokens follow a law: none of probability 0, the others within 5 standard errors."""
    law = np.array(law, dtype=np.float64)
    assert len(tokens) >= 300, "too few to tell"
    shares = np.bincount(tokens, minlength=len(law)) / len(tokens)
    assert len(shares) == len(law)
    assert not np.any(shares[law == 0]), (shares, law)
    error = np.sqrt(law * (1 - law) / len(tokens))
    assert np.all(np.abs(shares - law) <= 5 * error + 1e-6), (shares, law)


def check_sequence(case, expected, found):
    """What a case says of one sequence of one draft."""
    if "accept_prob" in expected:
        probability = np.atleast_1d(expected["accept_prob"])[0]
        for emitted, _ in found[:10]:
            assert emitted.chances[0] == pytest.approx(probability, abs=2e-6)
    if "residual" in expected:
        law = np.atleast_2d(expected["residual"])[0]
        check_law([e.tokens[0] for e, _ in found if not e.accepted], law)
    if "bonus_distribution" in expected:
        check_law([e.tokens[-1] for e, _ in found if e.accepted], expected["bonus_distribution"])
    for emitted, _ in found:
        if "accepted" in expected:
            assert len(emitted.accepted) == expected["accepted"]
        if "output_tokens" in expected:
            assert emitted.tokens == expected["output_tokens"]


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("specx-01", "spec-05")])
def test_a_case_of_one_sequence(client, name):
    case = CASES[name]
    assert set(case["expect"]) <= KNOWN, "an expectation that nothing here checks"
    drawn = "q_probs" in case["draft"] and "output_distribution" in case["expect"]
    if case["draft"]["tokens"] != "drawn from q":
        found = run(client, case, range(1, SEEDS + 1))
        assert all(emitted.outcome == api.OK and emitted.lossless for emitted, _ in found)
        check_sequence(case, case["expect"], found)
    if "output_distribution" in case["expect"]:
        tokens = dict(zip(range(1, SEEDS + 1), drawn_drafts(case))) if drawn else None
        found = run(client, case, range(1, SEEDS + 1), tokens)
        check_law([emitted.tokens[0] for emitted, _ in found],
                  case["expect"]["output_distribution"])
    if "acceptance_rate" in case["expect"]:
        rate = np.mean([len(emitted.accepted) for emitted, _ in found])
        expected = case["expect"]["acceptance_rate"]
        assert abs(rate - expected) <= 5 * np.sqrt(expected * (1 - expected) / len(found))


def test_spec_05_two_requests_that_read_equal_rows(client):
    case = CASES["spec-05"]
    for tokens, expected in zip(case["draft"]["tokens"], case["expect"]["requests"]):
        one = {**case, "draft": {**case["draft"], "tokens": tokens}}
        found = run(client, one, range(1, SEEDS + 1))
        check_sequence(one, expected, found)
        check_law([emitted.tokens[0] for emitted, _ in found], expected["output_distribution"])


def test_specx_01_a_row_of_nan_fails_its_sequence_alone(client):
    target = public_cases.logits(CASES["specx-01"])
    good = np.array([[0, 9, 0, 0, 0, 0.], [0, 0, 9, 0, 0, 0]])
    found = v.read(v.verify(client, v.request(
        np.concatenate([good, target, good]),
        [v.sequence([1], target={"position": 0}) for _ in range(3)], chains=[api.chain(greedy=True)])))
    assert [result.outcome for result in found] == [api.OK, api.INVALID_LOGITS, api.OK]
    assert found[1].tokens == [] and "position 0" in found[1].error and "NaN" in found[1].error
    assert found[0].tokens == found[2].tokens == [1, 2]


def test_specx_03_a_draft_of_probability_0_is_never_emitted(client):
    found = run(client, CASES["specx-03"], range(1, SEEDS + 1))
    assert all(emitted.chances == [0] and 2 not in emitted.tokens for emitted, _ in found)


def test_specx_04_padding_ends_the_list(client):
    found = run(client, CASES["specx-04"], range(1, SEEDS + 1))
    assert {len(emitted.accepted) for emitted, _ in found} == {0, 1, 2}
    for emitted, _ in found:
        assert len(emitted.tokens) == len(emitted.accepted) + 1
        assert all(0 <= token < 4 for token in emitted.tokens)


def test_chain_02_penalties_see_the_drafts_before_a_position(client):
    case = CASES["chain-02"]
    matrix = public_cases.logits(case)
    parameters = {**case["params"], "temperature": 1.0}
    rows = []
    for position in range(3):
        fields = public_cases.row_fields({**parameters, "output_ids": [2] * position})
        rows.append(api.row(**fields, samples=0, score_ids=[0, 1, 2, 3],
                            logprobs={"modes": [3]}))
    response = client.sample(api.request(matrix, rows, [public_cases.chain(parameters)]))
    scored = np.array(response.logprobs[0].scored_logprobs).reshape(3, 4)
    expected = np.array(case["expect"]["adjusted_logits"])
    np.testing.assert_allclose(scored - scored[:, :1], expected - expected[:, :1], atol=1e-6)


def test_every_case_is_here():
    assert len(CASES) == 16
    print(f"{len(CASES)} public cases of verification, {SEEDS} seeds each")
