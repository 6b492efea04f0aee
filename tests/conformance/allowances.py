"""Disagreements beyond a boundary's neighbourhood that an engine's own arithmetic explains.

Each takes (descending logits, stages, where the sets differ, distance) and tells whether it does.
"""

import numpy as np

import margins

LEAST_NORMAL = 2.0 ** -126
SEARCH_STEPS = 18  # halvings after which the Triton kernel takes the pivot that it has
SEARCH_RANGE = 1e-9  # or when what is left to search is narrower


def none(*_):
    return False


def running_sums(sorted_logits, stages, _, distance):
    """Float32 sums, term by term, stray this far; only typical-p sums entropy."""
    values = dict(stages)
    left = sorted_logits[:values.get("top_k_exact") or None]
    sums, entropy = margins.running_sum_drift(left)
    share = min(1, values.get("top_p", values.get("typical", 1)))
    return distance <= 2 * (sums / share + (entropy if "typical" in values else 0))


def _tempered_law(sorted_logits, stages):
    y = sorted_logits.astype(np.float64) / dict(stages).get("temperature", 1)
    weights = np.exp(y - y[0])
    return weights / weights.sum()


def capped_search(sorted_logits, stages, differ, _):
    """The pivot is a probability, found by halving what lies between 0 and the largest.

    Probabilities are relative to what top-k and min-p left, at most all of it.
    """
    p = _tempered_law(sorted_logits, stages)
    resolution = max(p[0] * 2.0 ** -SEARCH_STEPS, SEARCH_RANGE)
    return p[differ].max() - p[differ].min() <= 2 * resolution


def underflow(sorted_logits, stages, differ, _):
    """A float32 probability below the normal range is, or may be taken for, zero."""
    return bool((_tempered_law(sorted_logits, stages)[differ] < LEAST_NORMAL).all())
