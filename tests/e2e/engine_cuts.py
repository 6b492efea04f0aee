"""Where sampling engines end the support, each rule as its engine states it.

A rule reads `p`, the probabilities of what is left in descending order, equal logits in the order
of their ids, or `y`, their logits; it returns how many of them stay. Numbers may be fractions or
binary64. Where an engine leaves open which of equal logits stay, the lower ids do here.
"""

import itertools
import math


def exactly(y, k):
    """The first k; 0 is off."""
    return min(k, len(y)) if k > 0 else len(y)


def with_ties(y, k):
    """Everything that fewer than k logits exceed."""
    if k <= 0:
        return len(y)
    return sum(1 for value in y if sum(1 for other in y if other > value) < k)


def share_of_largest(p, m):
    return sum(1 for value in p if value >= m * p[0])


def reaching(p, y, share):
    """The smallest prefix whose inclusive sum is at least the share."""
    for count, total in enumerate(itertools.accumulate(p), start=1):
        if total >= share:
            return count
    return len(p)


def ascending(p, y, share):
    """Drops from the least likely on while the dropped sum is at most 1 - share, never all."""
    dropped = 0
    for total in itertools.accumulate(reversed(p[1:])):
        if total > 1 - share:
            break
        dropped += 1
    return len(p) - dropped


def exclusive(p, y, share):
    """Keeps a token while the sum before it is at most the share."""
    before, count = 0, 0
    for value in p:
        if before > share:
            break
        before += value
        count += 1
    return count


def _groups(p, y):
    """(tokens before a group of equal logits, its tokens, their sum) from the likeliest on."""
    start = 0
    for _, group in itertools.groupby(y):
        size = len(list(group))
        yield start, size, sum(p[start:start + size])
        start += size


def whole_groups(p, y, share):
    """Every token that less than the share is strictly likelier than."""
    before, count = 0, 0
    for _, size, mass in _groups(p, y):
        if before < share:
            count += size
        before += mass
    return max(count, 1)


def trimmed_group(p, y, share):
    """Whole groups, then floor((sum - share) / value) tokens of the last group go again."""
    count = whole_groups(p, y, share)
    size = sum(1 for value in y[:count] if value == y[count - 1])
    surplus = math.floor((sum(p[:count]) - share) / p[count - 1])
    return count - min(max(surplus, 0), size - 1)


def groups_within(p, y, share):
    """Whole groups while the sum is at most the share, the first always."""
    total, count = 0, 0
    for start, size, mass in _groups(p, y):
        total += mass
        if start > 0 and total > share:
            break
        count += size
    return count


def cut_to_fit(p, count, share):
    """The law whose last token keeps only what the others leave of the share."""
    kept, before = [], 0
    for value in p[:count]:
        kept.append(min(value, share - before) / share)
        before += value
    return kept
