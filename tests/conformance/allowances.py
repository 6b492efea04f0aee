"""Disagreements beyond a boundary's neighbourhood that an engine's own arithmetic explains, or a
note of the preset.

Each takes (descending logits, stages, where the sets differ, distance, our set along these logits,
logits by id) and tells whether it does.
"""

import numpy as np

import compare
import drift
import tallies

LEAST_NORMAL = 2.0 ** -126
SEARCH_STEPS = 18  # halvings after which the Triton kernel takes the pivot that it has
SEARCH_RANGE = 1e-9  # or when what is left to search is narrower


def none(*_):
    return False


def near_in_binary64(law, ties="low"):
    """The engine's own code, given the row in binary64, agrees but for tokens near a boundary.

    `law` is the engine's: (logits [1, V], the row's stages) -> (kept, probabilities).
    """
    def allows(sorted_logits, stages, _, __, ours, *___):
        along = np.arange(len(ours))
        kept = law(sorted_logits[None].astype(np.float64), stages)[0][0]
        kept = compare.settle_ties(along, sorted_logits, kept, ties)
        return (np.array_equal(kept, ours) or
                compare.distance(along, sorted_logits, kept, ours, stages) <= tallies.NEAR)
    return allows


def either(*allowances):
    return lambda *row: any(allows(*row) for allows in allowances)


def running_sums(sorted_logits, stages, _, distance, __, logits):
    """Float32 sums, term by term, stray this far on this row."""
    values = dict(stages)
    if values.get("top_k_exact"):
        logits = sorted_logits[:values["top_k_exact"]]
    allowed = drift.total(logits)  # of any probability
    if "typical" in values:
        entropy, sums = drift.typical(logits)
        allowed += entropy + sums / values["typical"]
    if "top_p" in values:
        allowed += drift.prefixes(logits) / min(1, values["top_p"])
    if "top_n_sigma" in values:
        allowed += values["top_n_sigma"] * drift.deviation(logits)
    return distance <= 2 * allowed


def _tempered_law(sorted_logits, stages):
    y = sorted_logits.astype(np.float64) / dict(stages).get("temperature", 1)
    weights = np.exp(y - y[0])
    return weights / weights.sum()


def capped_search(sorted_logits, stages, differ, *_):
    """The search for a pivot, a probability, ends before it parts the nucleus from the next token.

    It halves what lies between 0 and the largest probability, among what top-k and min-p left. So
    the two tokens at the end of the exact nucleus lie closer than its last step, on this row, and
    the sets disagree only about tokens as close to that end as that. Ties inside the nucleus end
    the search: a rule about them is no reason.
    """
    p = _law_before_top_p(sorted_logits, stages)
    share = dict(stages).get("top_p", 1)
    last = int(np.searchsorted(np.cumsum(p), share))
    if share >= 1 or last >= len(p) - 1:
        return False
    below = p[p < p[last]]
    step = max(p[0] * 2.0 ** -SEARCH_STEPS, SEARCH_RANGE)
    return bool(len(below) and p[last] - below[0] <= step and
                np.abs(p[differ] - p[last]).max() <= step)


def _law_before_top_p(sorted_logits, stages):
    """Temperature, min-p and an exact top-k."""
    values = dict(stages)
    p = _tempered_law(sorted_logits, stages)
    kept = p >= values.get("min_p", 0) * p[0]
    kept[values.get("top_k_exact") or len(p):] = False
    return np.where(kept, p, 0.0) / p[kept].sum()


def underflow(sorted_logits, stages, differ, *_):
    """A float32 probability below the normal range is, or may be taken for, zero."""
    return bool((_tempered_law(sorted_logits, stages)[differ] < LEAST_NORMAL).all())


def tied_above_mu(sorted_logits, stages, differ, distance, ours, logits):
    """Mirostat 2 where even the likeliest token exceeds mu: the engine keeps one of those tied."""
    tied = sorted_logits == sorted_logits[0]
    likeliest = _tempered_law(sorted_logits, stages)[0]
    if likeliest < 2.0 ** (-2 * dict(stages)["mirostat_v2"]):
        return np.array_equal(ours, tied) and len(differ) == tied.sum() - 1
    return running_sums(sorted_logits, stages, differ, distance, ours, logits)
