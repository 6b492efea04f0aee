"""A response row by row, and the law of a row as the service tells it."""

import dataclasses

import numpy as np

import api

SCORES_PER_ROW = 1024  # Limits.max_score_ids


@dataclasses.dataclass
class Scores:
    """One mode's values of one row: pairs of (logprob, rank), and the top list."""

    sampled: list
    scored: list
    top_ids: list
    top_logprobs: list
    entropy: float


@dataclasses.dataclass
class Answer:
    """What became of one row."""

    outcome: int
    error: str
    tokens: list
    seed: int
    support_size: int
    modes: dict


def _part(values, offsets, i):
    return list(values[offsets[i]:offsets[i + 1]])


def _scores(mode, i):
    sampled = zip(_part(mode.sampled_logprobs, mode.sampled_offsets, i),
                  _part(mode.sampled_ranks, mode.sampled_offsets, i))
    scored = zip(_part(mode.scored_logprobs, mode.scored_offsets, i),
                 _part(mode.scored_ranks, mode.scored_offsets, i))
    return Scores(list(sampled), list(scored), _part(mode.top_ids, mode.top_offsets, i),
                  _part(mode.top_logprobs, mode.top_offsets, i),
                  mode.entropies[i] if mode.entropies else None)


def read(response):
    """The response as a list of Answers."""
    errors = {error.row: error.message for error in response.errors}
    rows = [Answer(outcome, errors.get(r, ""),
                   _part(response.tokens, response.token_offsets, r), response.seeds_used[r],
                   response.support_sizes[r] if response.support_sizes else None, {})
            for r, outcome in enumerate(response.outcomes)]
    for mode in response.logprobs:
        for i, r in enumerate(mode.rows):
            rows[r].modes[mode.mode] = _scores(mode, i)
    return rows


def laws(client, logits, chain, row_fields, mode=api.PROCESSED, dtype="float32", vocab_size=None,
         **fields):
    """The logprob of every id in `mode`, and the support size, for one row of logits.

    Scores every id, in as many rows of one request as the limit of ids in a row asks for.
    """
    matrix = np.atleast_2d(logits)
    vocabulary = vocab_size or matrix.shape[1]
    rows = [api.row(**{**row_fields, "samples": 0, "logits_row": 0},
                    score_ids=range(start, min(start + SCORES_PER_ROW, vocabulary)),
                    logprobs=api.logprobs(mode), return_support_size=True)
            for start in range(0, vocabulary, SCORES_PER_ROW)]
    answers = read(client.sample(api.request(matrix, rows, [chain], dtype, vocab_size, **fields)))
    for answer in answers:
        assert answer.outcome == api.OK, answer.error
    sizes = {answer.support_size for answer in answers}
    assert len(sizes) == 1, f"one law, different support sizes: {sizes}"
    logprob = [score for answer in answers for score, _ in answer.modes[mode].scored]
    return np.array(logprob), sizes.pop()
