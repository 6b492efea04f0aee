"""What public bug cases say in words, by case.

A check takes the client and the case. Cases in ALONE have no expectations beside it that the
general checks could read.
"""

import time

import grpc
import numpy as np

import answers
import api
import philox
import program
import public_cases

FEW = 10 if program.SANITIZED else 1  # sanitizers are slow: divide what only repeats


def tokens(client, matrix, rows, chains=None, **fields):
    answered = answers.read(client.sample(api.request(matrix, rows, chains, **fields)))
    assert [answer.error for answer in answered] == [""] * len(rows)
    return [token for answer in answered for token in answer.tokens]


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


def nonfinite_01(client, case):
    """Rows 0 and 2 get exactly what they get without row 1."""
    logits = public_cases.logits(case)
    report = {"logprobs": api.logprobs(api.RAW, api.PROCESSED, top_n=4)}
    rows = [api.row(seed=r, **report) for r in range(3)]
    chains = [api.chain(top_k=1, top_p=0.9)]
    answered = answers.read(client.sample(api.request(logits, rows, chains)))
    apart = answers.read(client.sample(api.request(logits[[0, 2]], [rows[0], rows[2]], chains)))
    assert [answered[0], answered[2]] == apart


def nonfinite_02(client, case):
    rows = [api.row(logits_row=0, seed=seed) for seed in range(1000)]
    answered = client.sample(api.request(public_cases.logits(case), rows))
    assert set(answered.outcomes) == {api.INVALID_LOGITS} and set(answered.tokens) == {-1}


def ids_within(limit):
    def check(client, case):
        logits = public_cases.logits(case)
        rows = [api.row(seed=seed, samples=64) for seed in range(len(logits))]
        assert set(tokens(client, logits, rows)) <= set(range(limit))
    return check


def masks_01(client, case):
    """A mask of 64 bits for 70 ids is refused, with the words that it needs."""
    matrix = public_cases.logits(case)
    narrow = np.array([[1 << 5, 1 << 8]], dtype=np.uint32)
    rows, chains = [api.row(grammar_row=0)], [api.chain(temperature=0)]
    code, details = client.refusal(
        api.request(matrix, rows, chains, grammar=api.tensor(narrow, "uint32")))
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert "grammar.columns is 2; it must be at least 3" in details
    wide = np.array([[1 << 5, 1 << 8, 0]], dtype=np.uint32)
    assert tokens(client, matrix, rows, chains, grammar=api.tensor(wide, "uint32")) == [5]


def masks_05(client, case):
    matrix, chains = public_cases.logits(case), [api.chain(temperature=0)]
    first = tokens(client, matrix, [api.row(), api.row(allowed={"ids": [3]})], chains)
    assert first == [0, 3]
    plain = api.request(matrix, [api.row(), api.row()], chains)
    second = client.sample(plain)
    assert list(second.tokens) == [0, 0]
    fresh = program.Tesserad()
    other = api.Client(fresh.address)
    assert api.result_bytes(other.sample(plain)) == api.result_bytes(second)
    other.close()
    fresh.stop()


def idrange_05(client, case):
    drawn = tokens(client, public_cases.logits(case), [api.row()], [api.chain(temperature=0)],
                   vocab_size=6)
    assert drawn == [2]


def idrange_07(client, case):
    """Our rule refuses the 8; with it left out, padding is skipped and ids 7 and 0 are unchanged."""
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


def prec_03(client, case):
    matrix = public_cases.logits(case)
    last_id_at_the_upper_end(client, case, matrix, "float16", api.chain(top_k=5), 4)
    logprobs, size = answers.laws(client, matrix[0], api.chain(top_k=5), {}, dtype="float16")
    assert np.flatnonzero(np.isfinite(logprobs)).tolist() == [0, 1, 2, 3, 4] and size == 5


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


def shape_01(client, case):
    """8.6 GB do not fit one call. The offsets are 64-bit: the size that a short one lacks is right."""
    short = api.tensor_pb2.Tensor(element_type=1, rows=8400, columns=256000, inline_bytes=b"1234")
    code, details = client.refusal(api.request(short, [api.row()]))
    assert code == grpc.StatusCode.INVALID_ARGUMENT and "8601600000" in details


def shape_03(client, case):
    empty = api.sampling_pb2.SampleTokensRequest(chains=[api.chain()])
    answer = client.sample(empty)
    assert not answer.outcomes and not answer.tokens and list(answer.token_offsets) == [0]
    no_rows = api.request(api.tensor_pb2.Tensor(element_type=1, rows=0, columns=5), [])
    assert not client.sample(no_rows).outcomes


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


def valid_01(client, case):
    """Each of the five is refused by name, and a sixth row of the same batch is drawn."""
    named = ["temperature.t", "top_p.p", "min_p.m", "frequency_penalty.penalty", "bias[0].value"]
    rows, chains = [], []
    for parameters in public_cases.row_parameters(case):
        rows.append(api.row(logits_row=0, seed=1, chain=len(chains),
                            **{key: value for key, value in
                               public_cases.row_fields(parameters).items() if key != "position"}))
        chains.append(public_cases.chain(parameters))
    rows.append(api.row(logits_row=0, chain=len(chains)))
    chains.append(api.chain(greedy=True))
    answered = answers.read(client.sample(api.request(public_cases.logits(case), rows, chains)))
    for answer, field in zip(answered, named):
        assert answer.outcome == api.INVALID_PARAMETERS
        assert f"{field} is nan; it must be" in answer.error
    assert answered[5].tokens == [2]


def trans_03(client, case):
    region = api.tensor_pb2.Tensor(element_type=1, rows=1, columns=16, shared_memory={
        "arena_id": 404, "offset_bytes": 0, "length_bytes": 64})
    code, details = client.refusal(api.request(region, [api.row()]))
    assert code == grpc.StatusCode.UNIMPLEMENTED and "logits[0].shared_memory" in details


def trans_04(client, case):
    zeros = np.zeros((64, 151936), dtype=np.float32)
    assert tokens(client, zeros, [api.row()] * 64, [api.chain(temperature=0)]) == [0] * 64
    limit = client.capabilities().limits.max_unary_bytes
    more = np.zeros((limit // 151936 // 4 + 1, 151936), dtype=np.float32)
    code, details = client.refusal(api.request(more, [api.row()], [api.chain(temperature=0)]))
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(limit) in details and "--max-unary-bytes" in details


def trans_05(client, case):
    """200 calls in parallel that nobody waits for, of 5 MB in place of 51."""
    message = api.request(np.zeros((25, 50000), dtype=np.float32),
                          [api.row(seed=r) for r in range(25)])
    calls = [client.stub.SampleTokens.future(message, timeout=0.001) for _ in range(200)]
    codes = {call.code() for call in calls}
    assert codes <= {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
    assert len(tokens(client, np.zeros((1, 50000)), [api.row(seed=1)])) == 1


CHECKS = {
    "top-p-07": top_p_07, "top-k-01": top_k_01, "top-k-02": top_k_02, "top-k-10": top_k_10,
    "top-k-13": top_k_13, "nonfinite-01": nonfinite_01, "nonfinite-02": nonfinite_02,
    "nonfinite-04": ids_within(6), "masks-01": masks_01, "masks-05": masks_05,
    "idrange-05": idrange_05, "idrange-07": idrange_07, "pen-03": pen_03, "bias-02": bias_02,
    "rng-01": rng_01, "rng-02": rng_02, "rng-04": rng_04, "rng-06": rng_06, "prec-01": prec_01,
    "prec-03": prec_03, "seed-01": seed_01, "seed-02": seed_02, "seed-04": seed_04,
    "seed-05": seed_05, "seed-06": seed_06, "seed-08": seed_08, "batch-03": batch_03,
    "batch-04": batch_04, "shape-01": shape_01, "shape-03": shape_03, "logp-02": logp_02,
    "logp-08": logp_08, "logp-09": logp_09, "valid-01": valid_01, "trans-03": trans_03,
    "trans-04": trans_04, "trans-05": trans_05,
}

ALONE = {"masks-01", "masks-05", "rng-04", "rng-06", "prec-01", "prec-03", "seed-01", "seed-02",
         "seed-04", "seed-05", "seed-06", "seed-08", "batch-03", "batch-04", "shape-01", "shape-03",
         "logp-08", "trans-03", "trans-04", "trans-05"}

# What their property says is what the general checks do: the same token for every seed, no NaN, no
# id outside a kept set, only -1 from a refused row, and a valid request after every case.
SAID_BY_CHECKS = {"top-p-06", "top-k-05", "temp-01", "temp-04", "temp-07", "empty-01", "empty-02",
                  "empty-03", "idrange-01", "idrange-02", "logp-03", "logp-05", "valid-02"}
