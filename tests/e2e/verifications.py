"""Requests and answers of VerifyDrafts in the terms of a test, and a row's law in integers."""

import dataclasses

import numpy as np

import api
from tessera.v1 import verification_pb2

TOKEN, BLOCK, TREE, TRAVERSAL, TYPICAL, TARGET_ONLY = 1, 2, 3, 4, 5, 6
LAW_TOO_LARGE = 5


@dataclasses.dataclass
class Emitted:
    """What became of one sequence."""

    outcome: int
    error: str
    tokens: list
    accepted: list  # nodes
    chances: list  # of the tests
    seed: int
    impossible: int
    lossless: bool


def sequence(draft_ids, law=None, method=TOKEN, parents=(), grammar_rows=(), target=None,
             **fields):
    """A DraftSequence. `law`: {} of one-hot drafts by default, or draft_logits=..., sparse=..."""
    law = {"one_hot": {}} if law is None else law
    row = api.row(**{"seed": 1, **(target or {})})
    return verification_pb2.DraftSequence(method=method, target=row, draft_ids=draft_ids,
                                          parents=parents, grammar_rows=grammar_rows, **law,
                                          **fields)


def request(target_logits, sequences, chains=None, draft_logits=None, dtype="float32",
            draft_dtype="float32", **fields):
    """A VerifyDraftsRequest; `chains` defaults to the empty chain."""
    matrix = api.tensor(target_logits, dtype)
    message = verification_pb2.VerifyDraftsRequest(
        vocab_size=fields.pop("vocab_size", matrix.columns),
        chains=[api.chain()] if chains is None else chains, sequences=sequences,
        target_logits=[matrix], **fields)
    if draft_logits is not None:
        message.draft_logits.append(api.tensor(draft_logits, draft_dtype))
    return message


def verify(client, message, timeout=60):
    return client.stub.VerifyDrafts(message, timeout=timeout)


def read(response):
    """The response as a list of Emitted."""
    errors = {error.row: error.message for error in response.errors}

    def part(values, offsets, i):
        return list(values[offsets[i]:offsets[i + 1]])

    return [Emitted(outcome, errors.get(i, ""),
                    part(response.tokens, response.token_offsets, i),
                    part(response.accepted_nodes, response.accepted_offsets, i),
                    part(response.acceptance_probabilities, response.acceptance_offsets, i),
                    response.seeds_used[i], response.impossible_draft_counts[i],
                    response.lossless[i])
            for i, outcome in enumerate(response.outcomes)]


def emitted(client, message):
    """Results of a call in which nothing may fail."""
    results = read(verify(client, message))
    for result in results:
        assert result.outcome == api.OK, result.error
    return results


def result_bytes(response):
    """All of the response that is a function of the request: everything but `execution`."""
    copy = verification_pb2.VerifyDraftsResponse()
    copy.CopyFrom(response)
    copy.ClearField("execution")
    return copy.SerializeToString(deterministic=True)


def laws(client, logits, rows, chains, max_ids=4096, **fields):
    """(ids, weights) of each row's law, as SampleTokens returns it."""
    for row in rows:
        row.samples = 0
        row.return_law.max_ids = max_ids
    response = client.sample(api.request(logits, rows, chains, **fields))
    assert list(response.outcomes) == [api.OK] * len(rows), response.errors
    listed = response.laws
    assert list(listed.rows) == list(range(len(rows)))
    parts = zip(listed.offsets, listed.offsets[1:])
    return [(list(listed.ids[a:b]), list(listed.weights[a:b])) for a, b in parts]


def dense(law, vocabulary):
    """The weight of each id."""
    weights = [0] * vocabulary
    for token, weight in zip(*law):
        weights[token] = weight
    return weights


def sparse(listed):
    """The draft_law of listed laws."""
    offsets = np.concatenate([[0], np.cumsum([len(ids) for ids, _ in listed])])
    return {"sparse": {"offsets": [int(offset) for offset in offsets],
                       "ids": [token for ids, _ in listed for token in ids],
                       "weights": [weight for _, weights in listed for weight in weights]}}
