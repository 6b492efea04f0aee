"""A batch of rows that fail in every way, and neighbours that do not notice."""

import numpy as np
import pytest

import answers
import api

NAN, INF = float("nan"), float("inf")
CHAINS = [api.chain(temperature=0.8, top_p=0.95), api.chain(greedy=True), api.chain(top_k=-1)]
REPORT = {"logprobs": api.logprobs(api.RAW, api.PROCESSED, top_n=3), "return_support_size": True}

# (name, logits, row, outcome)
ROWS = [
    ("seeded", [1, 2, 3, 0], {"seed": 42}, api.OK),
    ("NaN", [1, NAN, 3, 0], {"seed": 1}, api.INVALID_LOGITS),
    ("empty", [1, 2, 3, 0], {"seed": 2, "allowed": {"ids": []}}, api.EMPTY_SUPPORT),
    ("greedy", [1, 5, 3, 0], {"chain": 1}, api.OK),
    ("+inf", [1, INF, 3, 0], {"chain": 1}, api.INVALID_LOGITS),
    ("all -inf", [-INF] * 4, {"seed": 3}, api.EMPTY_SUPPORT),
    ("bad chain", [1, 2, 3, 0], {"chain": 2, "seed": 4}, api.INVALID_PARAMETERS),
    ("bad id", [1, 2, 3, 0], {"seed": 5, "banned_ids": [4]}, api.INVALID_PARAMETERS),
    ("masked NaN", [1, NAN, 3, 0], {"seed": 6, "banned_ids": [1]}, api.OK),
    ("three samples", [0, 0, 0, 0], {"seed": 7, "samples": 3}, api.OK),
    ("three of none", [NAN, 0, 0, 0], {"seed": 8, "samples": 3}, api.INVALID_LOGITS),
    ("scored", [4, 3, 2, 1], {"samples": 0, "score_ids": [3, 0]}, api.OK),
    ("seeded again", [1, 2, 3, 0], {"seed": 42}, api.OK),
]


def row(fields):
    return api.row(**{**REPORT, **fields})


@pytest.fixture(scope="module")
def batch(client):
    response = client.sample(api.request([logits for _, logits, _, _ in ROWS],
                                         [row(fields) for _, _, fields, _ in ROWS], CHAINS))
    return response, answers.read(response)


@pytest.mark.parametrize("index", range(len(ROWS)), ids=[name for name, _, _, _ in ROWS])
def test_every_row_gets_what_it_gets_alone(client, batch, index):
    _, logits, fields, outcome = ROWS[index]
    answer = batch[1][index]
    assert answer.outcome == outcome
    alone = answers.read(client.sample(api.request([logits], [row(fields)], CHAINS)))[0]
    alone.error = alone.error.replace("rows[0].", f"rows[{index}].")
    assert repr(answer) == repr(alone), "repr, for NaN equals itself there"


def test_only_ok_rows_carry_tokens_and_logprobs(batch):
    for (name, _, fields, outcome), answer in zip(ROWS, batch[1]):
        assert len(answer.tokens) == fields.get("samples", 1), name
        if outcome == api.OK:
            assert answer.error == ""
            assert all(0 <= token < 4 for token in answer.tokens), name
            assert set(answer.modes) == {api.RAW, api.PROCESSED}
            assert answer.support_size > 0
        else:
            assert answer.error, f"{name}: a row without tokens says why"
            assert set(answer.tokens) == {-1}
            assert answer.modes == {} and answer.support_size == 0


def test_a_masked_nan_spoils_only_the_rows_raw_values(batch):
    response, answered = batch
    names = [name for name, _, _, _ in ROWS]
    assert [names[r] for r in response.raw_invalid_rows] == ["masked NaN"]
    spoiled = answered[names.index("masked NaN")]
    assert np.isnan([value for value, _ in spoiled.modes[api.RAW].sampled]).all()
    assert np.isfinite([value for value, _ in spoiled.modes[api.PROCESSED].sampled]).all()


def test_equal_rows_of_a_batch_get_equal_answers(batch):
    assert batch[1][0] == batch[1][-1]


def test_errors_name_their_rows_in_order(batch):
    response, _ = batch
    expected = [r for r, (_, _, _, outcome) in enumerate(ROWS) if outcome != api.OK]
    assert [error.row for error in response.errors] == expected
    by_name = {ROWS[error.row][0]: error.message for error in response.errors}
    assert "chains[2].stages[0].top_k.k is -1; it must be" in by_name["bad chain"]
    assert "rows[7].banned_ids[0] is 4; it must be in [0, 4)" in by_name["bad id"]
