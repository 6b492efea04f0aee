"""A small row that engines truncate, and what may become of it."""

import collections
import math

Parameters = collections.namedtuple("Parameters", "t k p m")  # temperature, top-k, top-p, min-p

# `ids` in ascending order with their probabilities; of a greedy row the token.
Outcome = collections.namedtuple("Outcome", "status ids probs", defaults=((), ()))

ERROR = Outcome("error")          # the engine refuses the parameters
NOT_OFFERED = Outcome("n/a")      # it has no such parameter
UNDEFINED = Outcome("undefined")  # it reads out of range


class Row:
    """A row in descending order; equal logits by id. `shares` are its exact probabilities."""

    def __init__(self, logits, shares=None):
        self.ids = sorted((i for i, y in enumerate(logits) if y != -math.inf),
                          key=lambda i: (-logits[i], i))
        self.y = [logits[i] for i in self.ids]
        self.columns = len(logits)
        self.shares = shares and [shares[i] for i in self.ids]
        self.weights = {}

    def law(self, t, count=None):
        """Probabilities at temperature t of the first `count`."""
        if t not in self.weights:
            self.weights[t] = self.shares if self.shares and t == 1 else [
                math.exp((y - self.y[0]) / float(t)) for y in self.y]
        kept = self.weights[t][:count]
        total = sum(kept)
        return [weight / total for weight in kept]

    def kept(self, count, law):
        pairs = sorted(zip(self.ids[:count], law))
        return Outcome("ok", tuple(i for i, _ in pairs), tuple(float(p) for _, p in pairs))

    def greedy(self):
        return Outcome("greedy", (self.ids[0],), (1.0,))
