"""tests/data/engine_oracles.json, and the row that its single stages work on."""

import json

import numpy as np

import answers
import program

FILE = program.REPOSITORY / "tests" / "data" / "engine_oracles.json"
ORACLES = json.loads(FILE.read_text(encoding="utf-8"))
STAGES = ORACLES["stages"]
LOGITS = np.array([float(value) for value in STAGES["input"]["logits"]])
FINITE = np.flatnonzero(np.isfinite(LOGITS))


def law_of(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def only(ids):
    """The row with every other id at -inf."""
    return np.where(np.isin(np.arange(len(LOGITS)), ids), LOGITS, -np.inf)


def judge(client, chain, expected, **fields):
    """The law of the row of all stages, against expected probabilities."""
    logprobs, size = answers.laws(client, LOGITS, chain, {"seed": 1, **fields})
    np.testing.assert_allclose(np.exp(logprobs), expected, rtol=0, atol=1e-5)
    return np.flatnonzero(np.isfinite(logprobs)).tolist(), size
