"""Whether two samples may come from one law: Pearson's chi-square of two columns of counts."""

import collections
import math
from typing import NamedTuple


class ChiSquare(NamedTuple):
    statistic: float
    degrees: int
    probability: float  # of a statistic at least as large where the laws are the same


def upper_tail(statistic, degrees):
    """Returns the probability that a chi-square variable exceeds `statistic`."""
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # the series of the lower tail
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - scale * total)
    # The continued fraction of the upper tail, from its far end.
    fraction = 0.0
    for k in range(500, 0, -1):
        fraction = k * (k - a) / (x + 2 * k + 1 - a - fraction)
    return scale / (x + 1 - a - fraction)


def two_samples(left, right, least=10):
    """Compares two lists of tokens. Tokens seen fewer than `least` times in all share a cell."""
    counts = (collections.Counter(left), collections.Counter(right))
    cells, rest = [], [0, 0]
    for token in counts[0] | counts[1]:
        pair = [counts[0][token], counts[1][token]]
        if sum(pair) >= least:
            cells.append(pair)
        else:
            rest = [rest[0] + pair[0], rest[1] + pair[1]]
    if sum(rest) >= least:
        cells.append(rest)
    elif sum(rest) > 0 and cells:
        cells[-1] = [cells[-1][0] + rest[0], cells[-1][1] + rest[1]]
    degrees = len(cells) - 1
    if degrees < 1:
        return ChiSquare(0.0, 0, 1.0)
    sizes = (len(left), len(right))
    statistic = 0.0
    for pair in cells:
        for side in (0, 1):
            expected = sum(pair) * sizes[side] / sum(sizes)
            statistic += (pair[side] - expected) ** 2 / expected
    return ChiSquare(statistic, degrees, upper_tail(statistic, degrees))
