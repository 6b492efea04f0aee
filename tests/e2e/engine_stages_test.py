"""Truncations of engines, one at a time, through their presets.

tests/data/engine_oracles.json records what each keeps of one row. The same rule as a stage of an
explicit chain stands beside it.
"""

import pytest

import answers
import api
import engine_presets
from engine_presets import exl2, explicit, hf, llamacpp
from engine_record import FINITE, LOGITS, STAGES, judge, law_of, only


def typical(mass):
    given = STAGES["typical"][f"mass={mass:g}"]
    return [(hf(typical_p=mass), given["hf_tgi_webui"]),
            (engine_presets.chain("tgi", typical_p=mass), given["hf_tgi_webui"]),
            (llamacpp("typ_p", typical_p=mass), given["llamacpp"])]


def cutoffs(epsilon):
    return [(hf(epsilon_cutoff=epsilon), STAGES[f"epsilon={epsilon:g}"]["hf"]),
            (hf(eta_cutoff=epsilon), STAGES[f"eta={epsilon:g}"]["hf"])]


def top_a(a):
    keep = STAGES[f"top_a={a:g}"]["keep"]
    return [(exl2(top_a=a), keep), (explicit(top_a={"a": a}), keep)]


def tail_free(z):
    given = STAGES["tfs"][f"z={z:g}"]
    return [(exl2(tfs=z), given["exl2"]),
            (explicit(top_k={"k": 1024}, tail_free={"z": z}), given["webui"])]


def top_n_sigma(n):
    """The web UI's sample deviation, with -inf as 0, is not offered; the sets are the same here."""
    given = STAGES[f"top_n_sigma={n:g}"]
    return [(llamacpp("top_n_sigma", top_n_sigma=n, temperature=1), given["llamacpp"]["keep"]),
            (explicit(top_n_sigma={"n": n}), given["webui"]["keep"])]


def xtc(threshold):
    removed = STAGES[f"xtc_threshold={threshold:g}"]["removed_when_roll_hits"]
    left = [i for i in FINITE if i not in removed]
    return [(llamacpp("xtc", xtc_probability=1, xtc_threshold=threshold), left),
            (explicit(xtc={"probability": 1, "threshold": threshold}), left)]


CUTS = {
    **{f"typical {mass}": typical(mass) for mass in (0.2, 0.6, 0.9)},
    **{f"epsilon and eta {epsilon}": cutoffs(epsilon) for epsilon in (0.03, 0.1)},
    **{f"top-a {a}": top_a(a) for a in (0.2, 0.5)},
    **{f"tail-free {z}": tail_free(z) for z in (0.5, 0.9)},
    **{f"top-n-sigma {n}": top_n_sigma(n) for n in (0.5, 1.0, 1.5)},
    **{f"xtc {threshold}": xtc(threshold) for threshold in (0.05, 0.1, 0.2)},
}


@pytest.mark.parametrize("name", CUTS)
def test_a_stage_keeps_what_the_engine_keeps(client, name):
    assert CUTS[name]
    for chain, keep in CUTS[name]:
        assert judge(client, chain, law_of(only(keep))) == (sorted(keep), len(keep))


# Rules of these oracles that no preset and no stage states: the refusal that names them.
NOT_OFFERED = {
    "ExLlamaV2's typical: p + ln p in place of ln p": (exl2(typical=0.2), "exllamav2.typical is"),
    "ExLlamaV3's XTC in expectation": (
        engine_presets.chain("exllamav3", xtc_probability=0.5), "exllamav3.xtc_probability is"),
}


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_what_is_not_offered_is_refused(client, name):
    chain, words = NOT_OFFERED[name]
    answer = answers.read(client.sample(api.request(LOGITS, [api.row(seed=1)], [chain])))[0]
    assert answer.outcome == api.INVALID_PARAMETERS and words in answer.error
