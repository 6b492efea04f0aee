"""What single stages of engines make of a row, from their published formulas, in binary64.

A rule takes a row (engine_row.Row) and the stage's parameters; it returns the probabilities of its
tokens from the likeliest on, 0 where they are cut.
"""

import math


def entropy(p):
    """In nats."""
    return -sum(value * math.log(value) for value in p if value > 0)


def _renormalised(p, keeps):
    total = sum(value for value, keep in zip(p, keeps) if keep)
    return [value / total if keep else 0 for value, keep in zip(p, keeps)]


def _softmax(y):
    weights = [math.exp(value - max(y)) for value in y]
    return [weight / sum(weights) for weight in weights]


def _typical(row, ends):
    """Walks by deviation from the entropy; equal deviations stay together."""
    p = row.law(1)
    surprisals = [math.log(sum(math.exp(other - y) for other in row.y)) for y in row.y]
    deviations = [abs(surprisal - entropy(p)) for surprisal in surprisals]
    walked, limit = 0, 0
    for deviation, value in sorted(zip(deviations, p)):
        walked += value
        limit = deviation
        if ends(walked):
            break
    return _renormalised(p, [deviation <= limit + 1e-9 for deviation in deviations])


def typical_reaching(row, mass):
    return _typical(row, lambda walked: walked >= mass)


def typical_exceeding(row, mass):
    return _typical(row, lambda walked: walked > mass)


def _at_least(row, threshold):
    """And always what is as likely as the likeliest (mirostat's engines keep one of those)."""
    p = row.law(1)
    return _renormalised(p, [value >= min(threshold, p[0]) for value in p])


def epsilon(row, e):
    return _at_least(row, e)


def eta(row, e):
    return _at_least(row, min(e, math.sqrt(e) * math.exp(-entropy(row.law(1)))))


def top_a(row, a):
    return _at_least(row, a * row.law(1)[0] ** 2)


def mirostat_v2(row, mu):
    return _at_least(row, 2 ** -mu)


def top_n_sigma(row, n):
    mean = sum(row.y) / len(row.y)
    deviation = math.sqrt(sum((y - mean) ** 2 for y in row.y) / len(row.y))
    return _renormalised(row.law(1), [y >= row.y[0] - n * deviation for y in row.y])


def tail_free(row, z):
    """None without a bend to walk by: equal probabilities, or fewer than three."""
    p = row.law(1)
    bends = [abs(p[i] - 2 * p[i + 1] + p[i + 2]) for i in range(len(p) - 2)]
    if sum(bends) < 1e-12:
        return None
    count, walked = 1, 0
    for bend in bends:
        walked += bend
        if walked > z * sum(bends):
            break
        count += 1
    return _renormalised(p, [i < count for i in range(len(p))])


def xtc(row, threshold):
    """With the coin as it falls at probability 1."""
    p = row.law(1)
    top = sum(1 for value in p if value >= threshold)
    return _renormalised(p, [i >= top - 1 for i in range(len(p))])


def dynamic_temperature(row, low, high, exponent):
    share = entropy(row.law(1)) / math.log(len(row.y)) if len(row.y) > 1 else 0
    return _softmax([(y - row.y[0]) / (low + (high - low) * share ** exponent) for y in row.y])


def smoothing(row, factor, curve):
    k, s = (3 - curve) / 2, (curve - 1) / 2
    return _softmax([factor * (s * d ** 3 - k * d ** 2) for d in (y - row.y[0] for y in row.y)])


def adaptive_p(row, target, weighted_sum, total_weight):
    wanted = min(max(2 * target - weighted_sum / total_weight, 0), 1)
    distances = [abs(p - wanted) / 0.3 for p in row.law(1)]
    return _softmax([5 - 10 * x * x / (1 + x) for x in distances])
