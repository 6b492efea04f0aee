"""Every public bug case that has no drafts (public_draft_cases_test.py), against the real server.

Kept sets come from PROCESSED scoring of all ids, adjusted logits from TEMPERED logprobs, the rest
from draws and reports. Where a case allows several rules, DOCUMENTED names the one we follow; what
is not there yet is skipped by name.
"""

import numpy as np
import pytest

import answers
import api
import case_properties
import public_cases
from public_cases import CASES

MAIN = "main"  # the rule of the case itself
SEEDS = range(24)

# The alternatives of a case that are ours, each under a rule documented in proto/. Two where the
# client's chain decides.
DOCUMENTED = {
    "top-p-06": [0],      # TopP.p: 0 keeps one token
    "top-k-01": [MAIN],   # TopK: exactly k, ties by lower id
    "top-k-02": [MAIN],   # TopK: exactly k, ties by lower id
    "top-k-05": [1],      # TopK.k >= 0
    "top-k-06": [0],      # TopK.k: at or above the support it is no filter
    "top-k-10": [MAIN],   # TopK: exactly k, ties by lower id
    "temp-07": [0],       # Temperature.t: 0, or in [2^-100, 2^100]
    "nonfinite-02": [0],  # RowOutcome INVALID_LOGITS
    "masks-01": [1],      # SampleTokensRequest.grammar: at least ceil(vocab_size / 32) words
    "idrange-04": [1],    # TokenHistory: ids in [0, vocab_size)
    "idrange-07": [1],    # TokenHistory: -1 is padding, other ids in [0, vocab_size)
    "pen-03": [MAIN],     # FrequencyPenalty.scope: by default OUTPUT
    "bias-02": [MAIN],    # SamplerChain: order of application is order in the list
    "order-01": [0, 1],   # SamplerChain: order of application is order in the list
    "order-02": [0, 1],   # SamplerChain: order of application is order in the list
    "seed-08": [MAIN],    # SampleRow.seed: without one, from the operating system
    "logp-02": [0],       # ModeLogprobs: the likeliest min(top_n, support size)
    "logp-05": [0],       # ModeLogprobs: a rank is 1 + the number of strictly larger logits
    "logp-08": [0],       # ModeLogprobs: the likeliest min(top_n, support size)
    "valid-02": [0],      # Temperature.t: 0, or in [2^-100, 2^100]
    "trunc-02": [MAIN],   # TypicalP.p: 1 is off
    "trunc-04": [0],      # Xtc.threshold: in (0, 1]
    "miro-01": [0],       # MirostatV1: the surprisal is that of the law drawn from
}

# The outcome, and words of its message, that the error of a case must have.
ERRORS = {
    "top-k-05": (api.INVALID_PARAMETERS, "top_k.k is -1; it must be"),
    "temp-07": (api.INVALID_PARAMETERS, "temperature.t is -1; it must be"),
    "nonfinite-01": (api.INVALID_LOGITS, "NaN"),
    "nonfinite-02": (api.INVALID_LOGITS, "NaN"),
    "empty-01": (api.EMPTY_SUPPORT, "no candidate"),
    "empty-02": (api.EMPTY_SUPPORT, "no candidate"),
    "empty-03": (api.EMPTY_SUPPORT, "no candidate"),
    "idrange-01": (api.INVALID_PARAMETERS, "bias[0].id is 9; it must be in [0, 8)"),
    "idrange-02": (api.INVALID_PARAMETERS, "bias[0].id is -1; it must be in [0, 4)"),
    "idrange-04": (api.INVALID_PARAMETERS, "prompt_ids[0] is 32; it must be in [0, 32)"),
    "idrange-07": (api.INVALID_PARAMETERS, "output_ids[3] is 8; it must be in [0, 8)"),
    "valid-01": (api.INVALID_PARAMETERS, "nan; it must be"),
    "valid-02": (api.INVALID_PARAMETERS, "temperature.t is inf; it must be"),
    "valid-04": (api.INVALID_PARAMETERS, "repetition_penalty.penalty is"),
}

# Words of an expectation that state no check of their own.
COMMENTS = {"rule", "note", "property", "alt", "rows", "order"}
SKIPPED = {name: why for name, case in CASES.items() if (why := public_cases.why_skipped(case))}
# Those with drafts are public_draft_cases_test.py's.
TESTED = [name for name in CASES if name not in SKIPPED and "draft" not in CASES[name]]


class Row:
    """One row of a case: what it draws from, and what the case expects of it."""

    def __init__(self, client, case, index, expected):
        self.client, self.case, self.expected = client, case, expected
        self.parameters = public_cases.row_parameters(case)[index]
        matrix = public_cases.logits(case)
        self.logits = matrix[index if len(matrix) > 1 else 0]
        self.dtype = self.parameters.get("dtype", "float32")
        self.vocab_size = self.parameters.get("vocab_size", len(self.logits))
        self.order = expected.get("order")

    def law(self, mode=api.PROCESSED):
        parameters = public_cases.without_temperature_0(self.parameters)
        return answers.laws(self.client, self.logits, public_cases.chain(parameters, self.order),
                            public_cases.row_fields(parameters), mode, self.dtype, self.vocab_size)

    def draw(self, seeds=SEEDS, **fields):
        fields = {**public_cases.row_fields(self.parameters), "logits_row": 0, **fields}
        rows = [api.row(seed=seed, **fields) for seed in seeds]
        chains = [public_cases.chain(self.parameters, self.order)]
        return answers.read(self.client.sample(
            api.request(self.logits, rows, chains, self.dtype, self.vocab_size)))


def padded(logprobs, expected):
    """Our ids end at vocab_size; a case also lists its padding, which must have probability 0."""
    return np.concatenate([logprobs, np.full(len(expected) - len(logprobs), -np.inf)])


def check_kept(row):
    logprobs, size = row.law()
    kept = np.flatnonzero(np.isfinite(logprobs)).tolist()
    assert not np.isnan(logprobs).any()
    assert size == len(kept)
    if "kept_ids" in row.expected:
        assert kept == row.expected["kept_ids"]
    if "kept_count" in row.expected:
        assert size == row.expected["kept_count"]
    for token, probability in row.expected.get("probabilities", {}).items():
        assert np.exp(logprobs[int(token)]) == pytest.approx(probability, abs=1e-5)
    if "distribution" in row.expected:
        expected = row.expected["distribution"]
        np.testing.assert_allclose(np.exp(padded(logprobs, expected)), expected, rtol=0, atol=1e-5)


def check_token(row):
    for answer in row.draw():
        assert (answer.outcome, answer.error) == (api.OK, "")
        assert answer.tokens == [row.expected["token"]]


def check_adjusted(row):
    expected = np.array([public_cases.number(y) for y in
                         np.ravel(np.array(row.expected["adjusted_logits"], dtype=object))])
    logprobs, _ = row.law(api.TEMPERED)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(np.isfinite(logprobs), finite)
    log_mass = np.log(np.exp(expected[finite] - expected[finite].max()).sum())
    softmax = expected[finite] - expected[finite].max() - log_mass
    np.testing.assert_allclose(logprobs[finite], softmax, rtol=0, atol=1e-5)


def check_error(row):
    outcome, words = ERRORS[row.case["id"]]
    for answer in row.draw():
        assert answer.outcome == outcome
        assert answer.tokens == [-1]
        assert words in answer.error


def check_report(row):
    """Logprobs, ranks and top lists of a row that asks for them."""
    mode = {"raw": api.RAW, "processed": api.PROCESSED}[row.parameters["logprobs_mode"]]
    answer = row.draw([1], logprobs=api.logprobs(mode, top_n=row.parameters["logprobs"]),
                      score_ids=range(row.vocab_size))[0]
    scores, expected = answer.modes[mode], row.expected
    if "logprobs_by_id" in expected:
        by_id = [public_cases.number(value) for value in expected["logprobs_by_id"]]
        np.testing.assert_allclose([value for value, _ in scores.scored], by_id, rtol=0, atol=1e-5)
    if "logprob" in expected:
        assert scores.sampled[0][0] == pytest.approx(expected["logprob"], abs=1e-5)
    if "rank" in expected:
        assert scores.sampled[0][1] == expected["rank"]
    if "top_list_ids" in expected:
        assert scores.top_ids == expected["top_list_ids"]
    if "entries" in expected:
        ranks = {entry["id"]: entry["rank"] for entry in expected["entries"]}
        assert set(scores.top_ids) | set(answer.tokens) == set(ranks)
        assert {token: scores.scored[token][1] for token in ranks} == ranks


CHECKS = {
    "kept_ids": check_kept, "kept_count": check_kept, "distribution": check_kept,
    "probabilities": check_kept, "token": check_token, "adjusted_logits": check_adjusted,
    "error": check_error, "logprobs_by_id": check_report, "logprob": check_report,
    "rank": check_report, "top_list_ids": check_report, "entries": check_report,
}


def ours(name, expected):
    """The expectations of a row under the rules that DOCUMENTED names."""
    if "alt" not in expected:
        return [expected]
    common = {key: value for key, value in expected.items() if key != "alt"}
    return [common if choice == MAIN else {**common, **expected["alt"][choice]}
            for choice in DOCUMENTED[name]]


def row_expectations(case):
    """(row, expectation) pairs: rows of `expect`, or the case's own words for every row."""
    expected = dict(case["expect"])
    listed = expected.pop("rows", None)
    if public_cases.logits(case) is None or "calls" in expected:
        return []
    count = len(public_cases.row_parameters(case))
    if listed is None:
        return [(i, one) for i in range(count) for one in ours(case["id"], expected)]
    shared = {key: value for key, value in expected.items() if key != "alt"}
    return [(i, {**shared, **one}) for i in range(count) for one in ours(case["id"], listed[i])]


@pytest.mark.parametrize("name", TESTED)
def test_case(client, name):
    case = CASES[name]
    checked = False
    own = case_properties.CHECKS.get(name)
    if name not in case_properties.ALONE:
        for index, expected in row_expectations(case):
            row = Row(client, case, index, expected)
            checks = {CHECKS[word] for word in expected if word in CHECKS}
            left = set(expected) - set(CHECKS) - COMMENTS
            assert not left or own, f"nothing checks {left}"
            for check in checks:
                check(row)
                checked = True
    if own:
        own(client, case)
        checked = True
    assert checked, "a case without a check"
    valid = client.sample(api.request([[0, 1, 0]], [api.row()], [api.chain(greedy=True)]))
    assert list(valid.tokens) == [1], "the next valid request succeeds"


@pytest.mark.parametrize("name", SKIPPED)
def test_case_of_a_later_release(name):
    pytest.skip(f"{name}: {SKIPPED[name]}")


def test_no_case_is_left_out():
    assert (len(CASES), len(TESTED), len(SKIPPED)) == (112, 95, 1)
    drafts = [name for name in CASES if "draft" in CASES[name]]
    assert sorted([*TESTED, *SKIPPED, *drafts]) == sorted(CASES)
    for name, choices in DOCUMENTED.items():
        assert name in TESTED and choices, name
    for name in TESTED:  # what a case says in words only has a check of its own
        words = CASES[name]["expect"]
        if "property" in words or any("property" in row for row in words.get("rows", [])):
            assert name in case_properties.CHECKS or name in case_properties.SAID_BY_CHECKS, name
