"""Rewriting stages of engines and stages with a state, through their presets.

tests/data/engine_oracles.json records the law that each makes of one row, and the state after it.
"""

import numpy as np
import pytest

import api
import engine_presets
from engine_presets import exl2, explicit, llamacpp
from engine_record import FINITE, LOGITS, STAGES, judge, law_of, only


@pytest.mark.parametrize("name", [name for name in STAGES if name.startswith("dynatemp")])
def test_dynamic_temperature(client, name):
    """llama.cpp also counts banned tokens among its candidates; here they are none."""
    given = STAGES[name]
    t, reach, exponent = (float(word.split("=")[1]) for word in name.split()[1:])
    expected = law_of(LOGITS / given["webui_T"])
    judge(client, explicit(dynamic_temperature={
        "low": given["min"], "high": given["max"], "exponent": exponent}), expected)
    judge(client, llamacpp("temperature", temperature=t, dynatemp_range=reach,
                           dynatemp_exponent=exponent), expected)
    judge(client, engine_presets.chain(
        "exllamav2", temperature=1, top_k=0, top_p=1, min_temp=given["min"],
        max_temp=given["max"], temp_exponent=exponent), expected)


@pytest.mark.parametrize("factor, curve", [(0.5, 1), (0.3, 2)])
def test_quadratic_smoothing(client, factor, curve):
    smoothed = STAGES[f"quadratic factor={factor:g} curve={curve:g}"]["webui"]
    expected = law_of(np.array([float(value) for value in smoothed]))
    judge(client, explicit(smoothing={"factor": factor, "curve": curve}), expected)


def test_smoothing_of_exllamav2(client):
    relative = STAGES["exl2_smoothing_factor=0.5,T=1"]["relative_logits"]
    expected = law_of(np.array([float(value) for value in relative]))
    judge(client, exl2(smoothing_factor=0.5, top_k=0), expected)


def drawn_states(client, chain, rows=512, **fields):
    """(token, state after) of every row of a batch with different seeds."""
    batch = [api.row(seed=seed, logits_row=0, **fields) for seed in range(rows)]
    response = client.sample(api.request(LOGITS, batch, [chain]))
    assert list(response.outcomes) == [api.OK] * rows
    assert [state.row for state in response.states] == list(range(rows))
    return [(token, after.state) for token, after in zip(response.tokens, response.states)]


@pytest.mark.parametrize("mu", [2, 4])
def test_mirostat_v2(client, mu):
    given = STAGES[f"mirostat_v2 mu={mu}"]
    for chain in (explicit(mirostat_v2={"tau": 5, "eta": 0.1}),
                  engine_presets.chain("llamacpp", mirostat=2, temperature=1)):
        state = {"mirostat": {"mu": mu}}
        law = law_of(only(given["keep"]))
        assert law[0] == pytest.approx(given["p_if_id0"], abs=1e-6)
        assert judge(client, chain, law, state=state)[0] == given["keep"]
        after = {}
        for token, left in drawn_states(client, chain, state=state):
            after[token] = left.mirostat.mu
            assert after[token] == pytest.approx(mu - 0.1 * (-np.log2(law[token]) - 5), abs=1e-5)
        assert after[0] == pytest.approx(given["mu_after_id0_tau5_eta0_1"], abs=1e-5)


def test_mirostat_v1(client):
    """The oracle estimates from six tokens, so id 6 is banned; the vocabulary stays at eight."""
    given = STAGES["mirostat_v1 m=6 mu=4"]
    count = int(given["k"])
    for chain in (explicit(mirostat_v1={"tau": 5, "eta": 0.1}),
                  engine_presets.chain("llamacpp", mirostat=1, temperature=1)):
        law = law_of(only(range(count)))
        fields = {"state": {"mirostat": {"mu": 4}}, "banned_ids": [6]}
        assert judge(client, chain, law, **fields) == (list(range(count)), count)
        for token, left in drawn_states(client, chain, **fields):
            surprisal = -np.log2(law[token])
            assert left.mirostat.mu == pytest.approx(4 - 0.1 * (surprisal - 5), abs=1e-5)


@pytest.mark.parametrize("target", [0.1, 0.3])
def test_adaptive_p(client, target):
    given = STAGES[f"adaptive_p target={target:g} first step"]
    probabilities = law_of(LOGITS)
    for chain in (explicit(adaptive_p={"target": target, "decay": 0.9}),
                  llamacpp("adaptive_p", adaptive_target=target, adaptive_decay=0.9),
                  engine_presets.chain("exllamav3", adaptive_target=target, adaptive_decay=0.9)):
        judge(client, chain, given["probs"])
        seen = set()
        for token, left in drawn_states(client, chain):
            seen.add(token)
            adaptive = left.adaptive_p
            assert adaptive.total_weight == pytest.approx(given["total_after"], abs=1e-6)
            assert adaptive.weighted_sum == pytest.approx(
                given["weighted_after_id0"] + probabilities[token] - probabilities[0], abs=1e-5)
        assert len(seen) >= 5
        second = api.row_pb2.StageState(adaptive_p=adaptive)
        wanted = np.clip(2 * target - adaptive.weighted_sum / adaptive.total_weight, 0, 1)
        x = np.abs(probabilities[FINITE] - wanted) / 0.3
        law = np.zeros(len(LOGITS))
        law[FINITE] = law_of(5 - 10 * x * x / (1 + x))
        judge(client, chain, law, state=second)
