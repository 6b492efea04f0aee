"""Two drafters: one copies from the text so far, the other is a smaller model that draws."""

from typing import NamedTuple

import numpy as np


class Drafted(NamedTuple):
    tokens: list
    rows: np.ndarray | None  # float32 [tokens, V] that they were drawn from; None: one-hot


class PromptLookup:
    """Looks where the last few tokens stood before and proposes what followed. Deterministic.

    Its law is one-hot: probability 1 on the proposed token. With a target that repeats itself
    (code, lists, quotations) many are accepted; with others it proposes little or wrongly.
    """

    name = "prompt lookup"

    def __init__(self, longest=3):
        self._longest = longest

    def draft(self, tokens, count, seed):
        for length in range(min(self._longest, len(tokens) - 1), 0, -1):
            tail = tokens[-length:]
            for start in range(len(tokens) - length - 1, -1, -1):
                if tokens[start : start + length] == tail:
                    return Drafted(tokens[start + length : start + length + count], None)
        return Drafted([], None)


class ModelDrafter:
    """Draws drafts from another model's law, through Tessera, and keeps their logits."""

    def __init__(self, model, sampler):
        self.name = model.name
        self._model = model
        self._sampler = sampler

    def draft(self, tokens, count, seed):
        tokens, first = list(tokens), len(tokens)
        rows = []
        for _ in range(count):
            rows.append(self._model.rows(tokens, 1))
            # The stream is this step's first position: words of drafts that are dropped must not
            # come again when the next step drafts the same positions.
            tokens += self._sampler.draw(
                rows[-1], seeds=[seed], positions=[len(tokens)], streams=[first]
            )
        return Drafted(tokens[first:], np.concatenate(rows))
