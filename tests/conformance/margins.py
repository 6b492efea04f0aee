"""How near a row's tokens lie to the boundaries of a chain, in float64.

A chain is a list of (stage, number) as the engine applies them. For each token of the sorted row:
the smallest distance, over the stages that it reached, between what the stage looks at and its
threshold. Where two implementations disagree about a token far from every boundary, one is wrong.
"""

import numpy as np


def _law(y, alive):
    weights = np.where(alive, np.exp(y - y[alive].max()), 0.0)
    return weights / weights.sum()


def _top_k(y, alive, k, exact):
    """In nats: how far from the k-th logit. What is tied with it, a rule decides: not near."""
    if k <= 0 or k >= alive.sum():
        return None
    last = np.flatnonzero(alive)[int(k) - 1]
    tied = np.where(np.arange(len(y)) > last, -np.inf, np.inf) if exact else np.inf
    return np.where(y == y[last], tied, y - y[last])


def _mass(p, share, boundary="reach"):
    """Relative to the share: the mass before a token (which is kept below it)."""
    before = np.cumsum(p) - p
    if boundary == "within":  # the token's own mass must still fit
        before = np.cumsum(p)
    margin = (share - before) / max(share, 1e-300)
    first = np.flatnonzero(p > 0)[0]
    margin[first] = np.inf
    return margin


def _typical(y, alive, p, mass):
    with np.errstate(divide="ignore", invalid="ignore"):
        surprisal = -np.log(p)
        entropy = np.sum(np.where(p > 0, p * surprisal, 0.0))
        deviation = np.abs(surprisal - entropy)
    deviation[~alive] = np.inf
    by_deviation = np.argsort(deviation, kind="stable")
    before = np.empty_like(p)
    before[by_deviation] = np.cumsum(p[by_deviation]) - p[by_deviation]
    margin = (mass - before) / mass
    margin[by_deviation[0]] = np.inf
    kept = deviation[margin > 0]
    last = kept.max()
    tie = last - deviation  # tokens of equal deviation stay together
    keep = deviation <= last
    near = np.minimum(np.abs(margin), np.abs(tie))
    return np.where(keep, near, -near)


def _sigma(y, alive, n):
    left = y[alive]
    return (y - (left.max() - n * left.std())) / left.std()


def _xtc(p, threshold):
    """A token goes where the next one, too, reaches the threshold: the next one decides."""
    margin = 1 - np.append(p[1:], 0.0) / threshold
    return np.where(margin == 0, -1e-300, margin)


def _mirostat_v1(p, tau, terms=100):
    """In ranks, relative: a cut after k tokens, k of real value, at the first step."""
    leaders = p[:terms + 1]
    t = np.log(np.arange(2, len(leaders) + 1) / np.arange(1, len(leaders)))
    b = np.log(leaders[:-1] / leaders[1:])
    slope = (t * b).sum() / (t * t).sum()
    spread = slope - 1
    size = float((p > 0).sum())
    k = (spread * 2 ** (2 * tau) / (1 - size ** -spread)) ** (1 / slope)
    margin = (k - np.arange(1, len(p) + 1)) / k
    margin[0] = np.inf
    return margin


def _mirostat_v2(p, tau):
    """In bits, relative: surprisal at most mu, which begins at 2 tau."""
    with np.errstate(divide="ignore"):
        margin = (2 * tau + np.log2(p)) / (2 * tau)
    margin[0] = np.inf
    return margin


def stage_margin(name, value, y, alive, original):
    """Signed distance per token, kept where >= 0; None where the stage does nothing."""
    p = _law(y, alive)
    if name in ("top_k", "top_k_exact"):
        return _top_k(y, alive, value, "exact" in name)
    if name in ("top_p", "top_p_within"):
        return None if value >= 1 else _mass(p, value, "within" if "within" in name else "reach")
    if name == "top_p_joint":
        return _mass(original, value)  # an engine's sum may pass 1
    if name == "min_p":
        return None if value <= 0 else p / (value * p.max()) - 1
    if name in ("epsilon", "eta"):
        if name == "eta":
            with np.errstate(divide="ignore", invalid="ignore"):
                entropy = -np.sum(np.where(p > 0, p * np.log(p), 0.0))
            value = min(value, np.sqrt(value) * np.exp(-entropy))
        margin = p / value - 1
        margin[np.flatnonzero(alive)[0]] = np.inf
        return margin
    if name == "typical":
        return None if value >= 1 else _typical(y, alive, p, value)
    if name == "top_n_sigma":
        return None if value <= 0 else _sigma(y, alive, value)
    if name == "xtc":
        return None if value > 0.5 else _xtc(p, value)
    if name.startswith("mirostat"):
        return _mirostat_v1(p, value) if name == "mirostat_v1" else _mirostat_v2(p, value)
    raise ValueError(f"no stage {name}")


def distances(sorted_logits, stages):
    """The distance of each token of a descending row to the nearest boundary it met."""
    y = sorted_logits.astype(np.float64)
    alive = np.isfinite(y)
    near = np.full(len(y), np.inf)
    original = None
    for name, value in stages:
        if name == "temperature":
            y = y / value
            continue
        if original is None:
            original = _law(y, alive)
        margin = stage_margin(name, value, y, alive, original)
        if margin is None:
            continue
        near = np.where(alive, np.minimum(near, np.abs(margin)), near)
        kept = alive & (margin >= 0)
        alive = kept if kept.any() else alive
    return near, y
