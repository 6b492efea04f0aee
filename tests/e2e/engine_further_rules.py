"""Samplers that tests/data/engine_oracles.json does not record, worked out like the others."""

import engine_cuts as cuts
from engine_row import NOT_OFFERED
from engine_rules import RULES


def _trtmc(row, t, k, p, m):
    """Sorted candidates; min-p and the nucleus both read the law of all of them."""
    if t <= 0 or p <= 0 or (t, k, p, m) == (1, 1, 1, 0):
        return row.greedy()
    law = row.law(t, cuts.exactly(row.y, 0 if k == 1 and p < 1 else k))
    count = cuts.share_of_largest(law, m)
    if p < 1:
        count = min(count, cuts.reaching(law, row.y, p))
    return row.kept(count, row.law(t, count))


def _numpy_descending(row, t, k, p, m):
    """A stable sort; a token stays while the mass before it is below p."""
    if m > 0:
        return NOT_OFFERED
    if t == 0:
        return row.greedy()
    law = row.law(t, cuts.exactly(row.y, k))
    before, count = 0, 0
    while count < len(law) and (before < p or count == 0 or p == 1):
        before += law[count]
        count += 1
    return row.kept(count, row.law(t, count))


def _openai(row, t, k, p, m):
    if k > 0 or m > 0 or t > 2:
        return NOT_OFFERED
    return _numpy_descending(row, t, k, p, m)


FURTHER = {
    "vllm_mrv2": RULES["vllm_triton"],
    "trtmc": _trtmc,
    "numpy_descending": _numpy_descending,
    "openai": _openai,
}
