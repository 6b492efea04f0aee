"""Public bug cases that say in words how tokens are drawn: seeds, frequencies, batches."""

import numpy as np

import answers
import api
import philox
import program
import public_cases
from case_draws import FEW, tokens


def ids_within(limit):
    def check(client, case):
        logits = public_cases.logits(case)
        rows = [api.row(seed=seed, samples=64) for seed in range(len(logits))]
        assert set(tokens(client, logits, rows)) <= set(range(limit))
    return check


def rng_01(client, case):
    """2^20 draws here; longer runs are the kernels' distribution tests."""
    rows = [api.row(logits_row=0, seed=seed, samples=128) for seed in range(4096 // FEW)]
    for position in (0, 1):
        for row in rows:
            row.position = position
        counts = np.bincount(tokens(client, public_cases.logits(case), rows), minlength=4)
        draws = counts.sum()
        assert counts[2] == 0
        for token, p in ((0, 0.2), (1, 0.3), (3, 0.5)):
            assert abs(counts[token] - draws * p) < 5 * np.sqrt(draws * p * (1 - p))


def rng_02(client, case):
    matrix = public_cases.logits(case)
    for first in range(0, 20000 // FEW, 2000):
        rows = [api.row(logits_row=0, seed=seed) for seed in range(first, first + 2000)]
        assert set(tokens(client, matrix, rows, dtype="float16")) == {77}


def rng_04(client, case):
    """Our draw is no Gumbel-max, so there is no uniform to inject: ids 2 and 3 never come up."""
    rows = [api.row(seed=seed, samples=128) for seed in (0, philox.SEED_OF_LARGEST_WORD)]
    assert set(tokens(client, public_cases.logits(case), rows)) <= {0, 1}


def last_id_at_the_upper_end(client, case, matrix, dtype, chain, last):
    """In place of an injected uniform: a seed whose word is as near 1 as the case's uniform."""
    seed = philox.SEED_OF_LARGEST_WORD
    assert philox.word(seed) / 2**64 >= case["inject"]["uniforms"][0]
    assert tokens(client, matrix, [api.row(seed=seed)], [chain], dtype=dtype) == [last]
    seed = philox.SEED_OF_SMALLEST_WORD
    assert tokens(client, matrix, [api.row(seed=seed)], [chain], dtype=dtype) == [0]


def rng_06(client, case):
    last_id_at_the_upper_end(client, case, public_cases.logits(case), "float32", api.chain(), 30)


def prec_01(client, case):
    logits = public_cases.logits(case)[0]
    half = len(logits) // 2
    rows = [api.row(logits_row=0, seed=seed, samples=128) for seed in range(1563 // FEW)]
    drawn = np.array(tokens(client, logits, rows))
    share = np.mean(drawn >= half)
    assert abs(share - 1 / 3) < 5 * np.sqrt(2 / 9 / len(drawn))
    nucleus = api.row(logits_row=0, samples=0, return_support_size=True,
                      score_ids=[0, half - 1, half, 2 * half - 1],
                      logprobs=api.logprobs(api.PROCESSED))
    answer = answers.read(client.sample(api.request(logits, [nucleus], [api.chain(top_p=0.5)])))[0]
    assert abs(answer.support_size - 98304) <= 64
    inside = [bool(np.isfinite(value)) for value, _ in answer.modes[api.PROCESSED].scored]
    assert inside == [True, False, False, False], "kept are the lowest ids of the first half"


def prec_03(client, case):
    matrix = public_cases.logits(case)
    last_id_at_the_upper_end(client, case, matrix, "float16", api.chain(top_k=5), 4)
    logprobs, size = answers.laws(client, matrix[0], api.chain(top_k=5), {}, dtype="float16")
    assert np.flatnonzero(np.isfinite(logprobs)).tolist() == [0, 1, 2, 3, 4] and size == 5


def seed_01(client, case):
    zeros, seeds = np.zeros((4, 64)), [11, 22, 33, 44]
    batch = tokens(client, zeros, [api.row(seed=seed) for seed in seeds])
    alone = [tokens(client, zeros[:1], [api.row(seed=seed)])[0] for seed in seeds]
    assert batch == alone
    assert tokens(client, zeros, [api.row(seed=seed) for seed in seeds[::-1]]) == alone[::-1]
    assert tokens(client, zeros, [api.row(seed=11)] * 4) == alone[:1] * 4


def seed_02(client, case):
    matrix = public_cases.logits(case)
    chains = [api.chain(), api.chain(top_k=5), api.chain(greedy=True)]
    for seed in range(50 // FEW):
        alone = tokens(client, matrix[:1], [api.row(seed=seed)])
        for other in range(3):
            pair = [api.row(seed=seed), api.row(seed=8, chain=other)]
            assert tokens(client, matrix, pair, chains)[:1] == alone


def seed_04(client, case):
    rows = [api.row(logits_row=0, seed=seed) for seed in range(1000, 1400)]
    drawn = np.array(tokens(client, public_cases.logits(case), rows))
    counts = np.bincount(drawn, minlength=8)
    assert (counts > 0).all()
    assert ((counts - 50) ** 2 / 50).sum() < 45
    assert 0.04 < np.mean(drawn[1:] == drawn[:-1]) < 0.23


def seed_05(client, case):
    zeros = public_cases.logits(case)
    assert len(set(tokens(client, zeros, [api.row(seed=5)] * 8))) == 1
    assert len(set(tokens(client, zeros, [api.row(seed=r + 1) for r in range(8)]))) >= 6


def seed_06(client, case):
    zeros = public_cases.logits(case)
    drawn = {seed: tokens(client, zeros, [api.row(logits_row=0, seed=seed, position=position)
                                          for position in range(64)])
             for seed in case["inject"]["seeds"]}
    low, high = (drawn[seed] for seed in case["inject"]["seeds"][:2])
    assert sum(a == b for a, b in zip(low, high)) < 4


def seed_08(client, case):
    """Nor does a restarted server repeat itself."""
    message = api.request(public_cases.logits(case), [api.row()] * 16)
    fresh = program.Tesserad()
    other = api.Client(fresh.address)
    answered = [client.sample(message), client.sample(message), other.sample(message)]
    other.close()
    fresh.stop()
    assert len({tuple(answer.tokens) for answer in answered}) == 3
    assert len({seed for answer in answered for seed in answer.seeds_used}) == 48


def batch_03(client, case):
    matrix = public_cases.logits(case)
    drawn = tokens(client, matrix, [api.row()] * 65, [api.chain(temperature=0)])
    assert drawn == [(7 * r + 1) % 50 for r in range(65)]


def batch_04(client, case):
    logits = public_cases.logits(case)
    chains = [api.chain(temperature=0.9, top_k=50, top_p=0.95)]
    row = api.row(seed=17, logprobs=api.logprobs(api.RAW, api.PROCESSED, top_n=5))
    alone = answers.read(client.sample(api.request(logits, [row], chains)))[0]
    others = [api.row(seed=r) for r in range(64)]
    for place in (0, 31, 63):
        rows = others[:place] + [row] + others[place + 1:]
        batch = answers.read(client.sample(api.request(np.tile(logits, (64, 1)), rows, chains)))
        assert batch[place] == alone
