"""Recorded rows of a language model, through the service: nuclei, laws, and draws.

The judge is numpy in float64, written from the definition: the smallest prefix of the tokens
(larger logit first, then lower id) whose probability at temperature T reaches p.
"""

import hashlib
import json

import numpy as np
import pytest

import answers
import api
import program

FILE = program.REPOSITORY / "tests" / "data" / "gemma3_270m_16x262144.bf16"
VOCABULARY = 262_144
BOUNDARY = 2.0**-18  # a prefix this near p may fall on either side


@pytest.fixture(scope="module")
def bits():
    return np.fromfile(FILE, dtype="<u2").reshape(16, VOCABULARY)


@pytest.fixture(scope="module")
def values(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def test_the_file_is_the_recorded_one():
    listing = json.loads((FILE.parent / (FILE.name + ".json")).read_text(encoding="utf-8"))
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == listing["sha256"]


def ordered_law(logits, temperature):
    """Ids in order and their probabilities at a temperature."""
    order = np.lexsort((np.arange(len(logits)), -logits))
    weights = np.exp((logits[order] - logits[order[0]]) / temperature)
    return order, weights / weights.sum()


def nucleus_bounds(probabilities, p):
    """The least and most tokens that a nucleus may hold, its boundary being uncertain."""
    reached = np.cumsum(probabilities)
    return (int(np.searchsorted(reached, p - BOUNDARY)) + 1,
            int(np.searchsorted(reached, p + BOUNDARY)) + 1)


@pytest.mark.parametrize("p", [0.9, 0.95])
@pytest.mark.parametrize("temperature", [0.7, 1.0, 1.5])
def test_nuclei_are_those_of_float64(client, bits, values, temperature, p):
    rows = [api.row(seed=r, samples=64, return_support_size=True) for r in range(16)]
    answered = answers.read(client.sample(api.request(
        bits, rows, [api.chain(temperature=temperature, top_p=p)], api.BF16)))
    for logits, answer in zip(values, answered):
        order, probabilities = ordered_law(logits, temperature)
        least, most = nucleus_bounds(probabilities, p)
        assert least <= answer.support_size <= most
        assert most - least <= max(64, least // 50), "the boundary allows only a little"
        assert set(answer.tokens) <= set(order[:answer.support_size].tolist())


def test_logprobs_and_ranks_are_those_of_float64(client, bits, values):
    score = [0, 1, 2, 106, 107, 236_743, 262_143]
    rows = [api.row(samples=0, score_ids=score, logprobs=api.logprobs(
        api.RAW, api.TEMPERED, top_n=20, entropy=[api.RAW])) for _ in range(16)]
    answered = answers.read(client.sample(api.request(bits, rows, [api.chain(temperature=0.7)],
                                                      api.BF16)))
    for logits, answer in zip(values, answered):
        for mode, temperature in ((api.RAW, 1.0), (api.TEMPERED, 0.7)):
            order, probabilities = ordered_law(logits, temperature)
            by_id = np.empty(VOCABULARY)
            by_id[order] = np.log(probabilities)
            scores = answer.modes[mode]
            np.testing.assert_allclose([value for value, _ in scores.scored], by_id[score],
                                       rtol=2e-6, atol=2e-6)
            assert [rank for _, rank in scores.scored] == [
                1 + int((logits > logits[token]).sum()) for token in score]
            assert scores.top_ids == order[:20].tolist()
        _, probabilities = ordered_law(logits, 1.0)
        inside = probabilities[probabilities > 0]
        entropy = -(inside * np.log(inside)).sum()
        assert answer.modes[api.RAW].entropy == pytest.approx(entropy, abs=2e-5)


def test_draws_follow_the_law(client, bits, values):
    """Row 2, 2^15 draws over its 7 likeliest tokens and the rest: chi-square, 7 degrees, 1e-4."""
    rows = [api.row(logits_row=0, seed=seed, samples=128) for seed in range(256)]
    drawn = np.array(client.sample(api.request(bits[2:3], rows, [api.chain(temperature=0.7)],
                                               api.BF16)).tokens)
    order, probabilities = ordered_law(values[2], 0.7)
    counts = np.array([(drawn == token).sum() for token in order[:7]])
    counts = np.append(counts, len(drawn) - counts.sum())
    expected = np.append(probabilities[:7], probabilities[7:].sum()) * len(drawn)
    assert expected.min() > 20
    assert ((counts - expected) ** 2 / expected).sum() < 29.9


def test_a_narrower_vocabulary_is_the_first_columns(client, bits):
    """Columns beyond vocab_size are padding: the same as sending only the first ones."""
    narrow = 151_936
    chains = [api.chain(temperature=1, top_k=50, top_p=0.9)]
    report = {"logprobs": api.logprobs(api.RAW, top_n=5), "return_support_size": True}
    rows = [api.row(seed=r, **report) for r in range(8)]
    padded = client.sample(api.request(bits[:8], rows, chains, api.BF16, vocab_size=narrow))
    cut = client.sample(api.request(bits[:8, :narrow], rows, chains, api.BF16))
    assert api.result_bytes(padded) == api.result_bytes(cut)
