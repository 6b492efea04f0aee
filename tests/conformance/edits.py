"""Compares the logits that a preset's edits leave with those of the engine's processors."""

import numpy as np

import api
import compare
import ours
from peers import case as cases


def ids_to_score(rng, scores, history):
    """All of the history and all that the engine banned, then random ids."""
    width = scores.shape[1]
    banned = np.flatnonzero(np.isneginf(scores).any(axis=0))
    ids = np.concatenate([banned, history.ids, rng.integers(0, width, ours.SCORES)])
    _, first = np.unique(ids, return_index=True)
    return ids[np.sort(first)][:ours.SCORES]


def log_softmax(scores):
    y = scores.astype(np.float64)
    y = y - y.max(axis=1, keepdims=True)
    return y - np.log(np.exp(y).sum(axis=1, keepdims=True))


def compare_chunk(tally, case, rows, _, rng):
    """Adds a chunk to the tally; yields a line per row whose bans differ."""
    count, width = rows.logits.shape
    history = cases.history(rng, width)
    parameters = case.draw(rng, width, history)
    scores = case.edited(rows.logits.copy(), parameters, history)
    ids = ids_to_score(rng, scores, history)
    chain = ours.chain_of(case.preset, parameters)
    answers = rows.ask(chain, [ids] * count, range(1, count + 1), mode=api.TEMPERED, position=0,
                       history={"prompt_ids": history.prompt, "output_ids": history.output})
    theirs = log_softmax(scores)[:, ids]
    for row, answer in enumerate(answers):
        if answer.error:
            raise RuntimeError(f"{case.preset} {parameters}: {answer.error}")
        tally.rows += 1
        logprobs, kept = ours.kept_of(answer, api.TEMPERED)
        if np.array_equal(kept, np.isfinite(theirs[row])):
            tally.same += 1
            probabilities = np.exp(theirs[row])
            compare.compare_law(tally, probabilities, np.arange(len(ids)), logprobs, kept)
        else:
            tally.distances.append(np.inf)
            yield f"{case.preset} ({case.label}) row {row}: bans differ; {parameters}; {history}"
