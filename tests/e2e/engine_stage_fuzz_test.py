"""Random rows under single stages of presets, against the published formulas.

1,000 fresh rows (3 to 24 columns) and sixteen stages with parameters of their own: 16,000 laws.
"""

import collections

import numpy as np
import pytest

import api
import engine_presets
import engine_row
import engine_stage_rules as rules
from case_draws import FEW
from engine_presets import exl2, explicit, hf, llamacpp
from engine_random_rows import random_matrix, served

BATCHES, ROWS = 20 // FEW, 50
CUTTING = {rules.typical_reaching, rules.typical_exceeding, rules.epsilon, rules.eta, rules.top_a,
           rules.mirostat_v2, rules.top_n_sigma, rules.tail_free, rules.xtc}
SLACK = 2.0**-18  # as in engine_rules.py: a parameter this near a boundary may fall on either side

# A rule, its parameters, the chain that must say the same, and its state.
Use = collections.namedtuple("Use", "rule parameters chain state", defaults=(None,))


def mirostat(mu):
    return {"mirostat": {"mu": mu}}


def adaptive(rng):
    target, total = rng.uniform(0, 1), rng.uniform(1, 10)
    past = rng.uniform(0, 1) * total
    return (target, past, total), {"adaptive_p": {"weighted_sum": past, "total_weight": total}}


def cuts(rng):
    mass, other, z = rng.uniform(0.05, 0.95, 3)
    least, share = rng.uniform(0.001, 0.4, 2)
    mu, n, threshold = rng.uniform(0.3, 8), rng.uniform(0.1, 3), rng.uniform(0.01, 0.5)
    tgi = engine_presets.chain("tgi", typical_p=mass)
    native = engine_presets.chain("tessera", top_a=share)
    v2 = engine_presets.chain("llamacpp", mirostat=2, temperature=1)
    return [
        Use(rules.typical_reaching, (mass,), hf(typical_p=mass)),
        Use(rules.typical_reaching, (mass,), tgi),
        Use(rules.typical_exceeding, (other,), llamacpp("typ_p", typical_p=other)),
        Use(rules.epsilon, (least,), hf(epsilon_cutoff=least)),
        Use(rules.eta, (least,), hf(eta_cutoff=least)),
        Use(rules.top_a, (share,), exl2(top_a=share)),
        Use(rules.top_a, (share,), native),
        Use(rules.top_n_sigma, (n,), llamacpp("top_n_sigma", top_n_sigma=n)),
        Use(rules.tail_free, (z,), exl2(tfs=z)),
        Use(rules.xtc, (threshold,), llamacpp("xtc", xtc_probability=1, xtc_threshold=threshold)),
        Use(rules.mirostat_v2, (mu,), v2, mirostat(mu)),
    ]


def rewrites(rng):
    low, width, exponent = rng.uniform(0.3, 1), rng.uniform(0.1, 2), rng.uniform(0.5, 2)
    reach = width / 2
    factor, curve = rng.uniform(0.05, 1), rng.uniform(1, 3)
    dynamic = llamacpp("temperature", temperature=low + reach, dynatemp_range=reach,
                       dynatemp_exponent=exponent)
    parameters, state = adaptive(rng)
    target = parameters[0]
    return [
        Use(rules.dynamic_temperature, (low, low + width, exponent), dynamic),
        Use(rules.dynamic_temperature, (low, low + width, exponent), exl2(
            top_k=0, min_temp=low, max_temp=low + width, temp_exponent=exponent)),
        Use(rules.smoothing, (factor, curve), explicit(
            smoothing={"factor": factor, "curve": curve})),
        Use(rules.smoothing, (factor, 1), exl2(top_k=0, smoothing_factor=factor)),
        Use(rules.adaptive_p, parameters, llamacpp(
            "adaptive_p", adaptive_target=target, adaptive_decay=0.9), state),
    ]


def fits(rule, parameters, row, law, kept):
    """Whether the law is the rule's, and the kept set where the rule cuts rather than rewrites."""
    expected = np.array(rule(row, *parameters))
    left = np.zeros(len(law), dtype=bool)
    left[row.ids] = expected > 0 if rule in CUTTING else True
    return (kept == left).all() and np.abs(law[row.ids] - expected).max() <= 1e-5


def verdict(use, row, law, kept):
    if use.rule(row, *use.parameters) is None:
        return "undefined"
    if fits(use.rule, use.parameters, row, law, kept):
        return "as the rule says"
    sides = [use.parameters[0] * (1 + step) for step in (-SLACK, SLACK)]
    at_boundary = use.rule in CUTTING and any(fits(use.rule, (side,), row, law, kept)
                                              for side in sides)
    return "at a boundary" if at_boundary else None


@pytest.fixture(scope="module")
def count():
    return collections.Counter()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_stages_follow_their_formulas(client, count, batch):
    rng = np.random.default_rng(1000 + batch)
    matrix = random_matrix(rng, ROWS, int(rng.integers(3, 25)))
    uses = [*cuts(rng), *rewrites(rng)]
    outcomes, laws, kept = served(client, matrix, [use.chain for use in uses],
                                  [use.state for use in uses])
    assert (outcomes == api.OK).all()
    for r, logits in enumerate(matrix):
        row = engine_row.Row(logits.astype(float).tolist())
        for c, use in enumerate(uses):
            word = verdict(use, row, laws[r, c], kept[r, c])
            assert word, (f"{use.rule.__name__} {use.parameters} of {logits.tolist()}: "
                          f"{laws[r, c]}, not {use.rule(row, *use.parameters)} of {row.ids}")
            count[word] += 1


def test_the_laws_were_compared(count):
    if FEW > 1:
        pytest.skip("a sanitized run has fewer batches, so other counts")
    assert sum(count.values()) == 16000
    assert count["as the rule says"] > 15000, count
    assert count["at a boundary"] < 100, count
