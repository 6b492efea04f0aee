"""Random rows of logits for engines to truncate, and what the server makes of them."""

import numpy as np

import api


def spread(rng, columns):
    return rng.normal(0, rng.choice([0.3, 1, 3, 10]), columns)


def tied(rng, columns):
    return np.round(rng.normal(0, 1.5, columns) * 2) / 2


def small_ratios(rng, columns):
    """Logarithms of small integers, whose prefix sums like to be decimals."""
    return np.log(rng.integers(1, 10, columns))


def holes(rng, columns):
    logits = spread(rng, columns)
    logits[rng.random(columns) < 0.4] = -np.inf
    logits[rng.integers(columns)] = 1
    return logits


def equal(rng, columns):
    """A power of two of equal logits, at random ids: every sum is exact."""
    logits = np.full(columns, -np.inf)
    count = 2 ** rng.integers(0, int(np.log2(columns)) + 1)
    logits[rng.choice(columns, count, replace=False)] = rng.choice([0, -7.25])
    return logits


KINDS = (spread, tied, small_ratios, holes, equal)


def random_matrix(rng, rows, columns):
    return np.array([KINDS[r % len(KINDS)](rng, columns) for r in range(rows)], dtype=np.float32)


def served(client, matrix, chains, states=None):
    """Outcomes, probabilities and what is kept, of every row under every chain: [rows, chains].

    `states` are the StageStates of the chains, or None where one has none.
    """
    rows, columns = matrix.shape
    asked = [api.row(logits_row=r, chain=c, samples=0, seed=1, score_ids=range(columns),
                     logprobs=api.logprobs(api.PROCESSED),
                     **({"state": states[c]} if states and states[c] else {}))
             for r in range(rows) for c in range(len(chains))]
    response = client.sample(api.request(matrix, asked, chains))
    logprobs = np.full((len(asked), columns), np.nan)
    logprobs[list(response.logprobs[0].rows)] = np.reshape(
        response.logprobs[0].scored_logprobs, (-1, columns))
    shape = (rows, len(chains))
    return np.reshape(response.outcomes, shape), np.exp(logprobs).reshape(*shape, columns), \
        np.isfinite(logprobs).reshape(*shape, columns)
