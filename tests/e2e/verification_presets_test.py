"""Verification presets: each is the method that it names, bit for bit, and the docs list them."""

import numpy as np
import pytest

import api
import program
import verifications as v
from tessera.v1 import verification_pb2

NAMES = ("vllm-v1", "vllm-mrv2", "sglang-tree", "flashinfer-chain", "trtllm-draft", "hf-assisted",
         "medusa-typical")
LOGITS = np.random.default_rng(3).normal(size=(4, 50)).astype(np.float32)
DRAFTS = np.random.default_rng(4).normal(size=(3, 50)).astype(np.float32)


def answer(client, **fields):
    sequences = [v.sequence([7, 9, 11], law={"draft_logits": {"first_row": 3 * i}},
                            target={"seed": i}, **fields) for i in range(100)]
    return v.verify(client, v.request(np.tile(LOGITS, (100, 1)), sequences,
                                      draft_logits=np.tile(DRAFTS, (100, 1))))


def test_capabilities_list_them(client):
    listed = client.capabilities().verification_presets
    assert tuple(preset.name for preset in listed) == NAMES
    for preset in listed:
        assert preset.follows and preset.rule and preset.impossible_drafts and preset.departs


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_its_method(client, name):
    preset = next(p for p in client.capabilities().verification_presets if p.name == name)
    method = verification_pb2.VerificationMethod.Value(preset.method)
    by_name = answer(client, method=0, preset=name)
    by_method = answer(client, method=method, typical_epsilon=preset.typical_epsilon,
                       typical_alpha=preset.typical_alpha)
    assert list(by_name.outcomes) == [api.OK] * 100
    assert v.result_bytes(by_name) == v.result_bytes(by_method)
    assert set(by_name.lossless) == {name != "medusa-typical"}
    accepted = np.diff(by_name.accepted_offsets)
    assert accepted.min() == 0 or name == "medusa-typical"


def test_what_is_refused(client):
    for fields, words in (({"method": 0, "preset": "vllm"}, "preset is 'vllm'; it must be one of"),
                          ({"preset": "vllm-v1"}, "method and preset are both set"),
                          ({"method": 0, "preset": "medusa-typical", "typical_alpha": 0.5},
                           "typical_epsilon or typical_alpha is set beside preset"),
                          ({"method": 0}, "method is 0; it must be")):
        first = v.read(answer(client, **fields))[0]
        assert first.outcome == api.INVALID_PARAMETERS
        assert first.error.startswith("sequences[0].") and words in first.error


def test_the_docs_say_the_same(client):
    text = (program.REPOSITORY / "docs" / "semantics.md").read_text(encoding="utf-8")
    for preset in client.capabilities().verification_presets:
        method = preset.method.removeprefix("VERIFICATION_METHOD_")
        row = f"| `{preset.name}` | {preset.follows} | `{method}` | {preset.rule} | " \
              f"{preset.impossible_drafts} | {preset.departs} |"
        assert row in text, row
