"""Verification in plain Python, from the published rules and the contract on random words.

Laws are lists of integer weights by id: p[position] of the target; q[position] of the draft, or
None where drafts are one-hot. Every decision is made in fractions. Each method returns the tokens
and the accepted nodes.
"""

from fractions import Fraction

import philox

DRAW, ACCEPT, RESIDUAL = 0, 1, 2


class Words:
    """The random words of a sequence; `position` is that of its first draft."""

    def __init__(self, seed, position=0, stream=0):
        self._key = seed, position, stream

    def _words(self, purpose, index):
        seed, position, stream = self._key
        return philox.philox(seed, (position, stream, purpose, index))

    def accepts(self, node, chance):
        low, high, _, _ = self._words(ACCEPT, node)
        return Fraction(low | high << 32, 2**64) < chance

    def bonus(self, position, weights):
        low, high, _, _ = self._words(DRAW, position)
        return philox.draw(weights, low | high << 32)

    def left(self, position, weights):
        """The first id, in id order, whose inclusive weight exceeds u * total."""
        word = sum(part << 32 * i for i, part in enumerate(self._words(RESIDUAL, position)))
        bound = Fraction(word, 2**128) * sum(weights)
        running = 0
        for token, weight in enumerate(weights):
            running += weight
            if running > bound:
                return token
        raise AssertionError("no id: the bound is below the total")


def norm(weights):
    total = sum(weights)
    return [Fraction(weight, total) for weight in weights] if total else weights


def surplus(p, q, scale=1):
    return [max(scale * a - b, 0) for a, b in zip(p, q)]


def one_hot(token, size):
    return [int(v == token) for v in range(size)]


def draft_law(q, position, token, size):
    return one_hot(token, size) if q is None else norm(q[position])


def token(p, q, ids, words):
    for node, x in enumerate(ids):
        target, draft = norm(p[node]), draft_law(q, node, x, len(p[node]))
        if words.accepts(node, target[x] / draft[x] if draft[x] else 0):
            continue
        rest = surplus(target, draft)
        return ids[:node] + [words.left(node, rest if any(rest) else target)], list(range(node))
    return ids + [words.bonus(len(ids), p[len(ids)])], list(range(len(ids)))


def block(p, q, ids, words):
    """Sun et al. 2024."""
    size, gamma = len(p[0]), len(ids)
    target = [norm(weights) for weights in p]
    draft = [draft_law(q, node, x, size) for node, x in enumerate(ids)]
    reach = [Fraction(1)]
    for node, x in enumerate(ids):
        ratio = target[node][x] / draft[node][x] if draft[node][x] else 0
        reach.append(min(Fraction(1), reach[-1] * ratio))
    if gamma == 0 or words.accepts(gamma - 1, reach[gamma]):
        return ids + [words.bonus(gamma, p[gamma])], list(range(gamma))
    for tau in range(gamma - 1, -1, -1):
        rest = surplus(target[tau], draft[tau], reach[tau])
        scale = sum(rest) + 1 - reach[tau]
        if tau == 0 or words.accepts(tau - 1, sum(rest) / scale if scale else 1):
            break
    return (ids[:tau] + [words.left(tau, rest if any(rest) else target[tau])],
            list(range(tau)))


def children_of(position, parents):
    return [node for node, parent in enumerate(parents) if parent + 1 == position]


def tree(p, q, ids, parents, words, without_replacement=False):
    """Siblings in turn against what the ones before them left."""
    tokens, accepted, position = [], [], 0
    while children := children_of(position, parents):
        target = norm(p[position])
        draft = None if q is None else norm(q[position])
        for node in children:
            x = ids[node]
            here = one_hot(x, len(target)) if draft is None else draft
            if words.accepts(node, target[x] / here[x] if here[x] else 0):
                break
            target = norm(surplus(target, here))
            if without_replacement and draft is not None:
                draft = norm([0 if v == x else weight for v, weight in enumerate(draft)])
        else:
            return tokens + [words.left(position, target)], accepted
        tokens, accepted, position = tokens + [ids[node]], accepted + [node], node + 1
    return tokens + [words.bonus(position, p[position])], accepted


def target_only(p, ids, parents, words):
    """One coin a position, that of its first child, against the running sum of p."""
    tokens, accepted, position = [], [], 0
    while children := children_of(position, parents):
        target, running, seen = norm(p[position]), Fraction(0), set()
        for node in children:
            if ids[node] in seen:
                continue
            seen.add(ids[node])
            running += target[ids[node]]
            if words.accepts(children[0], running):
                break
        else:
            rest = [0 if v in seen else weight for v, weight in enumerate(target)]
            return tokens + [words.left(position, rest)], accepted
        tokens, accepted, position = tokens + [ids[node]], accepted + [node], node + 1
    return tokens + [words.bonus(position, p[position])], accepted
