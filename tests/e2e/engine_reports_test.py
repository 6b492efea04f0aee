"""Penalties and log-probability reports of engines, through their presets.

tests/data/engine_oracles.json records them for one row and one history.
"""

import numpy as np
import pytest

import answers
import api
import engine_presets
from engine_presets import exl2, explicit, hf
from engine_record import ORACLES

BOTH = 1  # PenaltyScope PROMPT_AND_OUTPUT
R, F, P = (ORACLES["penalties"][name] for name in ("repetition", "frequency", "presence"))
THREE = {"repetition_penalty": R, "frequency_penalty": F, "presence_penalty": P}
PENALIZING = {
    "vllm": [engine_presets.chain(name, **THREE) for name in
             ("vllm-torch", "vllm-triton", "vllm-flashinfer", "vllm-mrv2")],
    "hf": [hf(repetition_penalty=R)],
    "llama.cpp": [engine_presets.chain("llamacpp", temperature=1, repeat_penalty=R,
                                       frequency_penalty=F, presence_penalty=P)],
    "sglang newer": [engine_presets.chain(name, **THREE) for name in
                     ("sglang-flashinfer", "sglang-pytorch")],
    "trtllm c++": [engine_presets.chain("trtllm-cpp", top_p=1, **THREE)],
    # Its frequency penalty counts by the length of 5, and is refused: here as stages.
    "tgi batched": [explicit(repetition_penalty={"penalty": R},
                             frequency_penalty={"penalty": F / 5, "scope": BOTH})],
    "mlc": [engine_presets.chain(name, **THREE) for name in ("mlc-cpu", "mlc-renorm")],
    "exl2": [exl2(token_repetition_penalty=R, token_frequency_penalty=F, token_presence_penalty=P),
             engine_presets.chain("exllamav3", rep_p=R, freq_p=F, pres_p=P)],
    "openai-visible": [engine_presets.chain("openai", frequency_penalty=F, presence_penalty=P)],
}


@pytest.mark.parametrize("name", ORACLES["penalties"]["result"], ids=lambda n: n.split(" (")[0])
def test_a_preset_penalizes_as_the_engine_does(client, name):
    given = ORACLES["penalties"]
    chains = next(chains for engine, chains in PENALIZING.items() if name.startswith(engine))
    history = {"prompt_ids": given["prompt"], "output_ids": given["output"]}
    expected = np.array(given["result"][name])
    for chain in chains:
        logprobs, _ = answers.laws(client, given["logits"], chain, {"history": history},
                                   api.TEMPERED)
        # id 2 is never penalized and has logit 0: it carries the constant of the softmax.
        np.testing.assert_allclose(logprobs - logprobs[2], expected - expected[2],
                                   rtol=0, atol=2e-6)


def test_tgi_refuses_its_frequency_penalty(client):
    chain = engine_presets.chain("tgi", frequency_penalty=F)
    answer = answers.read(client.sample(api.request([[0, 1]], [api.row(seed=1)], [chain])))[0]
    assert answer.outcome == api.INVALID_PARAMETERS
    assert "tgi.frequency_penalty is 0.25; it must be 0: the engine takes" in answer.error


REPORTS = {
    "vllm_raw_logprobs": ("vllm-torch", api.RAW),
    "vllm_processed_logprobs_torch": ("vllm-torch", api.PROCESSED),
    "vllm_processed_logprobs_triton": ("vllm-triton", api.PROCESSED),
    "hf_compute_transition_scores_normalize": ("hf-transformers", api.PROCESSED),
    "tgi": ("tgi", api.PROCESSED),
    "sglang_newer_default": ("sglang-flashinfer", api.TEMPERED),
    "sglang_original_env": ("sglang-flashinfer", api.RAW),
    "llamacpp_server_pre_sampling": ("llamacpp", api.RAW),
    "mlc": ("mlc-cpu", api.TEMPERED),
}

# Logits, which are not reported: their log-softmax is, and is checked above.
NOT_REPORTED = {"vllm_raw_logits", "vllm_processed_logits_torch", "hf_scores", "hf_logits"}


def test_every_report_has_a_mode():
    settings = {"logits", "T", "top_k", "vllm_rank", "vllm_rank_rule"}
    assert set(ORACLES["logprobs"]) == {*REPORTS, *NOT_REPORTED, *settings}


@pytest.mark.parametrize("name", REPORTS)
def test_a_mode_reports_what_the_engine_reports(client, name):
    given, (preset, mode) = ORACLES["logprobs"], REPORTS[name]
    parameters = {"temperature": given["T"], "top_k": given["top_k"]}
    if preset == "mlc-cpu":
        del parameters["top_k"]
    if preset == "hf-transformers":
        parameters["do_sample"] = True
    chain = engine_presets.chain(preset, **parameters)
    logprobs, _ = answers.laws(client, given["logits"], chain, {}, mode)
    np.testing.assert_allclose(logprobs, np.array([float(value) for value in given[name]]),
                               rtol=0, atol=2e-6)


def test_a_rank_is_by_the_rule_of_the_preset(client):
    """vLLM counts ties against the token; a chain without a preset does not."""
    given = ORACLES["logprobs"]
    vllm = [given["vllm_rank"][f"id{i}"] for i in range(5)]
    assert vllm == [1, 3, 3, 4, 5]
    for chain, ranks in ((engine_presets.chain("vllm-torch"), vllm),
                         (engine_presets.chain("sglang-pytorch"), [1, 2, 2, 4, 5]),
                         (api.chain(), [1, 2, 2, 4, 5])):
        row = api.row(samples=0, score_ids=range(5), logprobs=api.logprobs(api.RAW))
        answer = answers.read(client.sample(api.request(given["logits"], [row], [chain])))[0]
        assert [rank for _, rank in answer.modes[api.RAW].scored] == ranks
