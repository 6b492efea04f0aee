"""What a comparison consists of, and random legal parameters."""

import dataclasses
import typing

import numpy as np

import allowances


@dataclasses.dataclass
class Case:
    """One preset under one family of parameters, and the engine's code that it claims to follow."""

    preset: str
    label: str  # what varies
    engine: str  # package and version
    draw: typing.Callable  # (rng, vocabulary) -> the preset's parameters
    law: typing.Callable  # (logits [n, V], parameters) -> (kept [n, V], probabilities [n, V])
    stages: typing.Callable  # parameters -> the chain for margins.distances
    ties: str = "low"  # how compare.settle_ties reads a tie group that the engine splits
    allows: typing.Callable = allowances.none  # what the engine's own arithmetic explains
    tokens: typing.Callable = None  # (logits, parameters, seeds) -> the engine's drawn tokens
    rows_share: float = 1  # of the rows asked for: below 1 where the engine's code is slow here
    asked: typing.Callable = dict  # parameters -> those that the preset gets; a control's are wrong


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def temperature(rng):
    return round(float(rng.uniform(0.3, 2)), 3)


def truncations(rng, vocabulary):
    """top_k, top_p and min_p in the spirit of what people send; each may be absent."""
    chosen = {}
    if rng.random() < 0.6:
        chosen["top_k"] = int(log_uniform(rng, 1, min(vocabulary, 20000)))
    if rng.random() < 0.7:
        chosen["top_p"] = round(float(rng.uniform(0.02, 0.999)), 4)
    if rng.random() < 0.4 or not chosen:
        chosen["min_p"] = log_uniform(rng, 1e-5, 0.5)
    return chosen


def stages_of(parameters, order, names=None):
    """The parameters that are there, in an order, as stages of margins.distances."""
    names = names or {}
    return [(names.get(name, name), parameters[name]) for name in order if name in parameters]


def law_of_stages(law, order, names=None):
    """An engine's law, asked by what stages_of made of its parameters."""
    def asked(logits, stages):
        values = dict(stages)
        names_of = {name: (names or {}).get(name, name) for name in order}
        return law(logits, {name: values[stage] for name, stage in names_of.items()
                            if stage in values})
    return asked


@dataclasses.dataclass
class EditCase:
    """A preset's edits of logits by a row's history, and the engine's code for them."""

    preset: str
    label: str
    engine: str
    draw: typing.Callable  # (rng, vocabulary, history) -> the preset's parameters
    edited: typing.Callable  # (logits [n, V], parameters, history) -> scores, -inf where banned


@dataclasses.dataclass
class History:
    """Of all rows of a chunk: ids from a small set, so that they repeat."""

    prompt: list
    output: list

    @property
    def ids(self):
        return self.prompt + self.output


def history(rng, vocabulary):
    pool = rng.integers(0, vocabulary, rng.integers(4, 30))
    return History(rng.choice(pool, rng.integers(5, 80)).tolist(),
                   rng.choice(pool, rng.integers(2, 60)).tolist())


def penalties(rng, names, scale=1.0):
    """repetition, frequency and presence under an engine's names."""
    values = (rng.uniform(0.5, 2), rng.uniform(-scale, scale), rng.uniform(-scale, scale))
    return {name: round(float(value), 3) for name, value in zip(names, values)}


def sequences(rng, history_ids):
    """Words that the context or its end begins, words that it does not, and single ids."""
    lengths = (1, 2, 3, len(history_ids))
    ends = [history_ids[-length:] + [int(rng.choice(history_ids))] for length in lengths]
    others = [rng.choice(history_ids, rng.integers(1, 4)).tolist() for _ in range(3)]
    return [list(map(int, ids)) for ids in ends + others]
