"""Tessera's answer about a chunk of rows: what a preset kept, and with which probability."""

import numpy as np

import answers
import api

SCORES = answers.SCORES_PER_ROW
AROUND = 12  # scored on each side of a boundary
BOUNDARIES = 8


def chain_of(preset, parameters):
    chain = api.chain_pb2.SamplerChain()
    chain.preset.name = preset
    for name, value in parameters.items():
        field = "text" if isinstance(value, str) else "number"
        setattr(chain.preset.parameters[name], field, value)
    return chain


def ids_to_score(rng, order, kept):
    """Both sides of each boundary of `kept` along the order, kept ids, and 1,000 ids in all."""
    size = len(order)
    along = kept[order]
    changes = np.flatnonzero(along[1:] != along[:-1])[:BOUNDARIES] + 1
    places = [order[max(0, at - AROUND):at + AROUND] for at in changes]
    places.append(order[:AROUND])
    kept_ids = np.flatnonzero(kept)
    places.append(rng.choice(kept_ids, min(len(kept_ids), 400), replace=False))
    places.append(rng.integers(0, size, SCORES))
    ids = np.concatenate(places)
    _, first = np.unique(ids, return_index=True)
    return ids[np.sort(first)][:SCORES]


class Rows:
    """The same rows of logits for every question."""

    def __init__(self, client, logits, dtype):
        self.client = client
        self.dtype = dtype
        self.logits = logits
        self.tensor = api.tensor(logits, "bf16" if dtype == "bf16" else "float32")

    def ask(self, chain, ids, seeds, mode=api.PROCESSED, **fields):
        """One Answer per row."""
        rows = [api.row(samples=1, seed=int(seed), score_ids=scored, return_support_size=True,
                        logprobs=api.logprobs(mode), **fields) for scored, seed in zip(ids, seeds)]
        request = api.request(self.tensor, rows, [chain])
        return answers.read(self.client.sample(request, timeout=600))

    def law(self, chain, row, seed):
        """The logprob of every id of one row, and the support size."""
        return answers.laws(self.client, self.logits[row], chain, {"seed": int(seed)},
                            dtype="bf16" if self.dtype == "bf16" else "float32")


def kept_of(answer, mode=api.PROCESSED):
    """(logprobs, kept) of the scored ids."""
    logprobs = np.array([value for value, _ in answer.modes[mode].scored])
    return logprobs, np.isfinite(logprobs)
