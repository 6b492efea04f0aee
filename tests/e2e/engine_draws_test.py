"""Engines whose random stream is documented: the same token for the engine's own seed.

llama.cpp and MLC-LLM draw by std::mt19937 and a uniform double, trtmc by xorshift64. 1,000 draws
for each chain, over random rows of 40 logits. A draw within 2^-18 of the edge of a token's share
may fall on either side.
"""

import numpy as np
import pytest

import api
import engine_presets
from case_draws import FEW

SEEDS, DRAWS, COLUMNS = 20 // FEW, 50, 40
SLACK = 2.0**-18


def uniforms(seed, draws):
    """libstdc++'s uniform doubles: two outputs of the generator each, the first in the low half."""
    raw = np.random.RandomState(seed).randint(0, 2**32, 2 * draws, dtype=np.uint32)
    return [(int(low) + (int(high) << 32)) / 2**64 for low, high in zip(raw[::2], raw[1::2])]


def xorshift64(state):
    state ^= (state << 13) & (2**64 - 1)
    state ^= state >> 7
    return state ^ (state << 17) & (2**64 - 1)


def likely_first(logits):
    return np.lexsort((np.arange(len(logits)), -logits))


def nucleus(logits, order, k, p):
    """The ids of the top k, in their order, that reach p."""
    kept = order[:k]
    weights = np.exp(logits[kept] - logits.max())
    return kept[:1 + np.searchsorted(np.cumsum(weights), p * weights.sum())]


def walked(logits, candidates, t, u):
    """Tokens that u may mean: the first of the candidates at which the running sum reaches it."""
    weights = np.exp((logits[candidates] - logits.max()) / t)
    ends = np.cumsum(weights) / weights.sum()
    first, last = np.searchsorted(ends, [u - SLACK, u + SLACK])
    return set(candidates[first:last + 1].tolist())


def random_logits(seed):
    return np.random.default_rng(seed).normal(0, 2, COLUMNS).astype(np.float32)


def drawn(client, logits, chain, seed):
    """One sequence of draws from the same row: position counts them."""
    rows = [api.row(seed=seed, position=position, logits_row=0) for position in range(DRAWS)]
    response = client.sample(api.request(logits, rows, [chain]))
    assert list(response.outcomes) == [api.OK] * DRAWS
    return list(response.tokens)


CHAINS = {
    "llamacpp by its defaults": (
        engine_presets.chain("llamacpp"), 0.8,
        lambda y: [i for i in nucleus(y, likely_first(y), 40, 0.95)
                   if y[i] >= y.max() + np.log(0.05)]),
    "llamacpp by id": (
        engine_presets.chain("llamacpp", samplers="temperature", temperature=1.3), 1.3,
        lambda y: range(COLUMNS)),
    "mlc-cpu": (engine_presets.chain("mlc-cpu", temperature=0.7), 0.7, lambda y: range(COLUMNS)),
}


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("name", CHAINS)
def test_a_seed_of_mt19937_draws_what_the_engine_draws(client, name, seed):
    chain, t, candidates = CHAINS[name]
    logits = random_logits(seed)
    order = np.array(candidates(logits))
    engine_seed = 1000003 * (seed + 1) % 2**32
    expected = [walked(logits, order, t, u) for u in uniforms(engine_seed, DRAWS)]
    tokens = drawn(client, logits, chain, engine_seed)
    assert all(token in allowed for token, allowed in zip(tokens, expected))
    assert sum(len(allowed) == 1 for allowed in expected) >= DRAWS - 1
    assert len(set(tokens)) > 1


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_seed_of_xorshift64_draws_what_trtmc_draws(client, seed):
    """Its state travels: each draw's comes from the answer before."""
    chain = engine_presets.chain("trtmc", temperature=1.2, top_p=0.9, top_k=20)
    logits = random_logits(100 + seed)
    tempered = (logits / np.float32(1.2)).astype(float)
    order = nucleus(tempered, likely_first(logits), 20, 0.9)
    word, fields = 42 + seed, {}
    for position in range(DRAWS):
        row = api.row(seed=42 + seed, position=position, **fields)
        response = client.sample(api.request(logits, [row], [chain]))
        word = xorshift64(word)
        assert response.tokens[0] in walked(tempered, order, 1, word / 2**64)
        (after,) = response.states
        assert after.state.xorshift64 == word
        fields = {"state": after.state}
