"""What travels from draw to draw: mirostat's and adaptive-p's state, and generators by name.

Everything is worked out here once more in float64, from the published definitions and from what the
server says it drew.
"""

import numpy as np
import pytest

import answers
import api

MASK = 2**64 - 1
GENERATOR_MT19937, GENERATOR_XORSHIFT64, SORTED = 2, 3, 2


def chain(name, **fields):
    return api.chain_pb2.SamplerChain(stages=[api.stage(name, **fields)])


def sample(client, logits, row, chains):
    """The answer of one row, and its state or None."""
    response = client.sample(api.request(logits, [row], [chains]))
    answer, = answers.read(response)
    assert answer.outcome == api.OK, answer.error
    return answer, response.states[0].state if response.states else None


def mt19937_words(seed, draws):
    """Words of the first draws: outputs in pairs, the first in the low half."""
    generator = np.random.MT19937()
    generator._legacy_seeding(seed)
    outputs = [int(x) for x in generator.random_raw(2 * draws)]
    return [outputs[2 * i] | outputs[2 * i + 1] << 32 for i in range(draws)]


def test_mt19937_here_is_the_standards():
    assert mt19937_words(5489, 5000)[4999] >> 32 == 4123659995


def test_mt19937_draws_by_its_outputs(client):
    vocabulary, positions = 1000, [0, 1, 2, 999, 2**17 - 1]
    law = chain("draw_rule", generator=GENERATOR_MT19937)
    for seed in (0, 42, 2**32 - 1):
        words = mt19937_words(seed, 2**17)
        rows = [api.row(logits_row=0, seed=seed, position=p) for p in positions]
        response = client.sample(api.request(np.zeros((1, vocabulary)), rows, [law]))
        assert list(response.tokens) == [words[p] * vocabulary >> 64 for p in positions]
        assert not response.states, "position says all"


def test_xorshift64_goes_on_from_the_state_that_came_back(client):
    vocabulary, state, carried = 1000, 42, None
    for position in range(20):
        state ^= state << 13 & MASK
        state ^= state >> 7
        state ^= state << 17 & MASK
        fields = {"seed": 42} if carried is None else {"state": carried}
        answer, carried = sample(client, np.zeros((1, vocabulary)),
                                 api.row(position=position, **fields),
                                 chain("draw_rule", generator=GENERATOR_XORSHIFT64))
        assert answer.tokens == [state * vocabulary >> 64]
        assert carried.xorshift64 == state


def test_a_sorted_draw_walks_the_likeliest_first(client):
    """Equal weights in reverse: larger logits have higher ids; T is so high that all weigh alike."""
    vocabulary = 64
    logits = np.arange(vocabulary) * 1e-9
    stages = [api.stage("temperature", t=1024.0),
              api.stage("draw_rule", order=SORTED, generator=GENERATOR_MT19937)]
    rows = [api.row(logits_row=0, seed=5, position=p) for p in range(200)]
    response = client.sample(api.request(
        logits, rows, [api.chain_pb2.SamplerChain(stages=stages)]))
    ranks = [word * vocabulary >> 64 for word in mt19937_words(5, 200)]
    assert list(response.tokens) == [vocabulary - 1 - rank for rank in ranks]


def probabilities(logits):
    weights = np.exp(logits - np.max(logits))
    return weights / weights.sum()


def kept_by_v2(p, mu):
    return max(1, int((p >= 2.0**-mu).sum()))


def kept_by_v1(p, mu):
    """Zipf's exponent from the 100 likeliest, and the k that it gives for mu."""
    top = np.sort(p)[::-1][:100]
    t = np.log((np.arange(99) + 2) / (np.arange(99) + 1))
    b = np.log(top[:-1] / top[1:])
    s = (t * b).sum() / (t * t).sum()
    epsilon = s - 1
    return int(((epsilon * 2.0**mu) / (1 - len(p)**-epsilon)) ** (1 / s))


@pytest.mark.parametrize("version, kept", [("mirostat_v1", kept_by_v1),
                                           ("mirostat_v2", kept_by_v2)])
def test_mirostat_is_steered_by_what_it_drew(client, version, kept):
    tau, eta, mu, carried, exact = 4.0, 0.5, 8.0, None, 0
    random = np.random.default_rng(11)
    for position in range(40):
        logits = (random.standard_normal(2000) * 3).astype(np.float32)
        p = probabilities(logits.astype(np.float64))
        answer, carried = sample(
            client, logits, api.row(seed=9, position=position, state=carried,
                                    logprobs=api.logprobs(api.PROCESSED), return_support_size=True),
            chain(version, tau=tau, eta=eta))
        # Within 1e-6 of a boundary, rounding may keep one token more or less.
        sides = {min(2000, max(1, kept(p, mu + shift))) for shift in (-1e-6, 0, 1e-6)}
        assert answer.support_size in sides
        exact += len(sides) == 1
        surprisal = -answer.modes[api.PROCESSED].sampled[0][0] / np.log(2)
        assert carried.mirostat.mu == pytest.approx(mu - eta * (surprisal - tau), abs=1e-4)
        mu = carried.mirostat.mu
    assert exact >= 38


def test_adaptive_p_aims_at_its_target(client):
    target, decay = 0.3, 0.75
    total, count, carried = target / (1 - decay), 1 / (1 - decay), None
    random = np.random.default_rng(12)
    for position in range(20):
        logits = (random.standard_normal(50) * 2).astype(np.float32)
        p = probabilities(logits.astype(np.float64))
        distance = np.abs(p - np.clip(2 * target - total / count, 0, 1)) / 0.3
        law = probabilities(5 - 10 * distance**2 / (1 + distance))
        answer, carried = sample(
            client, logits, api.row(seed=9, position=position, state=carried, score_ids=range(50),
                                    logprobs=api.logprobs(api.PROCESSED)),
            chain("adaptive_p", target=target, decay=decay))
        scored = np.array([logprob for logprob, _ in answer.modes[api.PROCESSED].scored])
        np.testing.assert_allclose(np.exp(scored), law, rtol=2e-5)
        total, count = p[answer.tokens[0]] + decay * total, 1 + decay * count
        assert carried.adaptive_p.weighted_sum == pytest.approx(total, rel=1e-6)
        assert carried.adaptive_p.total_weight == count
        total = carried.adaptive_p.weighted_sum
