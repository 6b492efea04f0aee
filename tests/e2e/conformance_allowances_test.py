"""The reasons for which scripts/conformance passes over a disagreement, on rows made for them.

A reason must hold for what it is about and for nothing else: sets that differ by a rule, as with
a preset of another rule, must stay unexplained.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "conformance"))

import allowances  # noqa: E402

NUCLEUS = [("temperature", 1.0), ("top_p", 0.75)]


def leader_and_tail():
    """One token of half the mass, and 16,384 whose probabilities fall from 4e-5 to 2e-5."""
    tail = np.linspace(0, np.log(2), 1 << 14)
    mass = np.exp(-tail).sum()
    return np.concatenate([[0.0], -tail - np.log(mass)]).astype(np.float32)


def end_of_nucleus(logits):
    weights = np.exp(logits.astype(np.float64))
    return int(np.searchsorted(np.cumsum(weights) / weights.sum(), 0.75))


def test_capped_search_explains_tokens_within_its_last_step():
    logits = leader_and_tail()
    end = end_of_nucleus(logits)
    assert allowances.capped_search(logits, NUCLEUS, np.arange(end - 50, end))
    assert allowances.capped_search(logits, NUCLEUS, np.arange(end + 1, end + 50))


def test_capped_search_does_not_explain_tokens_beyond_its_last_step():
    logits = leader_and_tail()
    end = end_of_nucleus(logits)
    assert not allowances.capped_search(logits, NUCLEUS, np.arange(end - 3000, end))
    assert not allowances.capped_search(logits, NUCLEUS, np.array([len(logits) - 1]))
    assert not allowances.capped_search(logits, NUCLEUS, np.array([0]))


def test_capped_search_does_not_explain_a_rule_about_ties():
    logits = np.repeat(np.array([1, 0, -1], dtype=np.float32), 100)
    assert end_of_nucleus(logits) == 134  # inside the second group
    assert not allowances.capped_search(logits, NUCLEUS, np.arange(135, 200))
    assert not allowances.capped_search(logits, NUCLEUS, np.arange(100, 135))


def test_capped_search_counts_among_what_min_p_and_top_k_left():
    logits = leader_and_tail()
    end = end_of_nucleus(logits)
    exact_k = [("top_k_exact", end + 20), ("top_p", 0.9999)]
    assert not allowances.capped_search(logits, exact_k, np.arange(end, end + 200))
    assert not allowances.capped_search(logits, [("top_k_exact", 5)], np.array([4, 5]))


def test_running_sums_explain_only_what_they_stray():
    logits = np.random.default_rng(5).normal(0, 0.3, 30000).astype(np.float32)
    ordered = -np.sort(-logits)
    assert allowances.running_sums(ordered, NUCLEUS, None, 1e-7, None, logits)
    assert not allowances.running_sums(ordered, NUCLEUS, None, 1e-2, None, logits)


def test_underflow_explains_no_normal_probability():
    logits = np.array([0, -80, -100, -120], dtype=np.float32)
    assert allowances.underflow(logits, [], np.array([2, 3]))
    assert not allowances.underflow(logits, [], np.array([1, 2, 3]))


def test_near_in_binary64_asks_the_engine_again():
    logits = leader_and_tail()
    end = end_of_nucleus(logits)

    def engine(rows, _):
        kept = np.arange(rows.shape[1])[None] <= end
        return kept, None

    allows = allowances.near_in_binary64(engine)
    along = np.arange(len(logits))
    assert allows(logits, NUCLEUS, None, None, along <= end)
    assert not allows(logits, NUCLEUS, None, None, along <= end + 2000)


def test_tied_above_mu_needs_a_likeliest_token_beyond_mu():
    logits = np.zeros(64, dtype=np.float32)  # 6 bits each
    tied = np.ones(64, dtype=bool)
    others = np.arange(1, 64)
    assert allowances.tied_above_mu(logits, [("mirostat_v2", 2.5)], others, 1.0, tied, logits)
    assert not allowances.tied_above_mu(logits, [("mirostat_v2", 4.0)], others, 1.0, tied, logits)
