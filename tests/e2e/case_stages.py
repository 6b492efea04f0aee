"""Public bug cases of stages with a coin or a state."""

import numpy as np

import answers
import api
import public_cases
from case_draws import FEW, tokens


def _xtc(**fields):
    return api.chain_pb2.SamplerChain(stages=[api.chain_pb2.SamplerStage(xtc=fields)])


def trunc_04(client, case):
    """A threshold of 0, and one left out, are refused; the case's 0.2 keeps its two tokens."""
    logits = public_cases.logits(case)
    for chain, words in ((_xtc(probability=1, threshold=0), "xtc.threshold is 0; it must be in"),
                         (_xtc(probability=1), "xtc.threshold")):
        answer = answers.read(client.sample(api.request(logits, [api.row(seed=1)], [chain])))[0]
        assert answer.outcome == api.INVALID_PARAMETERS and words in answer.error
    logprobs, _ = answers.laws(client, logits, _xtc(probability=1, threshold=0.2), {"seed": 1})
    assert np.flatnonzero(np.isfinite(logprobs)).tolist() == [1, 2]


def trunc_06(client, case):
    """Rows 0 and 1 for every seed; row 2 one law or the other, by a coin of probability 0.25."""
    matrix, rows = public_cases.logits(case), public_cases.row_parameters(case)
    expected = [np.array(row["distribution"]) for row in case["expect"]["rows"]]
    for r in (0, 1):
        for seed in range(8):
            logprobs, _ = answers.laws(client, matrix[r], public_cases.chain(rows[r]),
                                       {"seed": seed})
            np.testing.assert_allclose(np.exp(logprobs), expected[r], rtol=0, atol=1e-5)
    draws = 40000 // FEW
    drawn, hits = [], 0
    for first in range(0, draws, 4000):
        batch = [api.row(logits_row=2, seed=seed, return_support_size=True)
                 for seed in range(first, first + 4000)]
        answer = client.sample(api.request(matrix, batch, [public_cases.chain(rows[2])]))
        drawn += answer.tokens
        hits += sum(size == 2 for size in answer.support_sizes)
        assert set(answer.support_sizes) == {2, 4}
    for count, p in zip([hits, *np.bincount(drawn, minlength=4)], [0.25, *expected[2]]):
        assert abs(count - draws * p) < 5 * np.sqrt(draws * p * (1 - p))


def miro_01(client, case):
    """mu goes in and comes back: 6.3 after the first step, 6.6 after the second."""
    row = public_cases.row_parameters(case)[0]
    fields, chain = public_cases.row_fields(row), public_cases.chain(row)
    expected = case["expect"]["alt"][0]
    for key in ("mu_out", "mu_out_after_second_step"):
        message = api.request(public_cases.logits(case), [api.row(seed=7, **fields)], [chain])
        response = client.sample(message)
        assert list(response.tokens) == [0]
        (after,) = response.states
        assert abs(after.state.mirostat.mu - expected[key]) < 1e-5
        fields["state"] = after.state
    first = [api.row(**public_cases.row_fields(row), seed=7, logits_row=0)] * 2
    assert tokens(client, public_cases.logits(case), first, [chain]) == [0, 0]
