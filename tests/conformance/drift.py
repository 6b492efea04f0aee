"""How far float32 sums, taken one term after the other, stray on a row: measured, not bounded.

An engine that sums so has boundaries that are off by as much. `logits` are in the order of ids,
which is the order of some of its sums; others are taken from the likeliest token down.
"""

import numpy as np


def _running(terms):
    return np.cumsum(terms.astype(np.float32), dtype=np.float32)


def _weights(y):
    """(in float32, in float64)"""
    return np.exp((y - y.max()).astype(np.float32)), np.exp(y.astype(np.float64) - y.max())


def total(logits):
    """Relative, of the sum of all weights: so far is any probability off."""
    def one(y):
        weights, exact = _weights(y)
        return float(abs(_running(weights)[-1] / exact.sum() - 1))
    y = logits[np.isfinite(logits)]
    return max(one(y), one(-np.sort(-y)))


def prefixes(logits):
    """Of the running sums of probabilities, from the likeliest down."""
    weights, exact = _weights(-np.sort(-logits[np.isfinite(logits)]))
    p = weights / _running(weights)[-1]
    return float(np.abs(_running(p) - np.cumsum(exact / exact.sum())).max())


def typical(logits):
    """(of the entropy in nats, of the running sums from the most typical token on)"""
    weights, exact = _weights(-np.sort(-logits[np.isfinite(logits)]))
    p, law = weights / _running(weights)[-1], exact / exact.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = _running(np.where(p > 0, -p * np.log(p), np.float32(0)))[-1]
        true = -np.where(law > 0, law * np.log(law), 0.0).sum()
        order = np.argsort(np.abs(-np.log(p) - entropy), kind="stable")
    sums = np.abs(_running(p[order]) - np.cumsum(law[order])).max()
    return float(abs(entropy - true)), float(sums)


def deviation(logits):
    """Relative, of the standard deviation of the logits."""
    y = logits[np.isfinite(logits)].astype(np.float32)
    mean = _running(y)[-1] / np.float32(len(y))
    spread = np.sqrt(_running((y - mean).astype(np.float64) ** 2)[-1] / np.float32(len(y)))
    return float(abs(spread / y.astype(np.float64).std() - 1))
