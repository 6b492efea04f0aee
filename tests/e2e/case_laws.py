"""Public bug cases that say in words what is kept, in which order, and what is reported."""

import time

import numpy as np

import answers
import api
import public_cases
from case_draws import FEW, tokens


def top_p_07(client, case):
    logits = public_cases.logits(case)[0]
    probabilities = np.exp(logits) / np.exp(logits).sum()
    logprobs, _ = answers.laws(client, logits, api.chain(top_p=0.9), {})
    assert 0.9 <= probabilities[np.isfinite(logprobs)].sum() < 0.9169
    assert abs(np.exp(logprobs).sum() - 1) < 1e-6


def top_k_01(client, case):
    """B = 1 and B = 16; backends and thread counts are same_bytes_test's."""
    logits = public_cases.logits(case)[0]
    alone = tokens(client, logits, [api.row(seed=3)], [api.chain(top_k=2)])
    batch = tokens(client, np.tile(logits, (16, 1)), [api.row(seed=3)] * 16, [api.chain(top_k=2)])
    assert batch == alone * 16


def top_k_02(client, case):
    rows = [api.row(logits_row=0, chain=c, seed=1) for c in (0, 1)]
    both = tokens(client, public_cases.logits(case), rows, [api.chain(temperature=0),
                                                            api.chain(top_k=1)])
    assert both == [1, 1]


def top_k_10(client, case):
    start = time.monotonic()
    tokens(client, public_cases.logits(case), [api.row(seed=1)] * 2, [api.chain(top_k=1)],
           dtype=api.BF16)
    assert time.monotonic() - start < 1 * FEW


def top_k_13(client, case):
    rows = [api.row(logits_row=0, logprobs=api.logprobs(api.RAW, top_n=3))] * 100
    chains = [api.chain(temperature=0, top_k=3)]
    for answer in answers.read(client.sample(api.request(public_cases.logits(case), rows, chains))):
        assert (answer.tokens, answer.modes[api.RAW].top_ids) == ([1], [1, 3, 2])


def idrange_07(client, case):
    """Our rule refuses the 8; without it, padding is skipped and ids 7 and 0 are unchanged."""
    matrix = public_cases.logits(case)
    logprobs, _ = answers.laws(client, matrix[0], api.chain(frequency_penalty=0.5),
                               {"history": {"output_ids": [3, -1, -1]}}, api.TEMPERED)
    np.testing.assert_allclose(logprobs - logprobs[0], [0, 0, 0, -0.5, 0, 0, 0, 0], atol=1e-6)


def pen_03(client, case):
    """The other rule, of engines that count the whole context, is a scope away."""
    scope = api.chain_pb2.PENALTY_SCOPE_PROMPT_AND_OUTPUT
    stages = api.chain_pb2.SamplerChain(stages=[
        api.stage("frequency_penalty", penalty=0.25, scope=scope),
        api.stage("presence_penalty", penalty=0.5, scope=scope)])
    history = {"history": {"prompt_ids": [1, 1, 2], "output_ids": [2]}}
    logprobs, _ = answers.laws(client, public_cases.logits(case)[0], stages, history, api.TEMPERED)
    np.testing.assert_allclose(logprobs - logprobs[0], [0, -1, -1, 0], atol=1e-6)


def bias_02(client, case):
    """The other order: a bias after the temperature is added to what the temperature left."""
    logits, bias = public_cases.logits(case)[1], {"bias": [{"id": 0, "value": -100}]}
    after = api.chain(temperature=50, logit_bias=True)
    logprobs, _ = answers.laws(client, logits, after, bias)
    np.testing.assert_allclose(np.exp(logprobs), [0, 0.5, 0.5], atol=1e-5)
    drawn = tokens(client, logits, [api.row(seed=1, samples=128, **bias)],
                   [api.chain(logit_bias=True)])
    assert 0 not in drawn


def logp_02(client, case):
    row = api.row(seed=1, logprobs=api.logprobs(api.PROCESSED, top_n=3), score_ids=range(4))
    chains = [api.chain(top_k=1)]
    answer = answers.read(client.sample(api.request(public_cases.logits(case), [row], chains)))[0]
    scores = answer.modes[api.PROCESSED]
    assert (scores.top_ids, scores.top_logprobs) == ([1], [0.0])
    infinity = float("inf")
    assert scores.scored == [(-infinity, 0), (0.0, 1), (-infinity, 0), (-infinity, 0)]


def logp_08(client, case):
    row = api.row(logprobs=api.logprobs(api.RAW, top_n=50))
    answer = answers.read(client.sample(
        api.request(public_cases.logits(case), [row], [api.chain(temperature=0)])))[0]
    assert answer.modes[api.RAW].top_ids == [7, 6, 5, 4, 3, 2, 1, 0]


def logp_09(client, case):
    row = api.row(logits_row=0, logprobs=api.logprobs(api.PROCESSED, top_n=3))
    chains = [api.chain(temperature=0)]
    answer = answers.read(client.sample(api.request(public_cases.logits(case), [row], chains)))[0]
    assert answer.modes[api.PROCESSED].top_ids == [1]
