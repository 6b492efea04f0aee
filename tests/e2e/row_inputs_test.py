"""What rows bring beside logits: histories read in order, guidance logits, rank rules, presets."""

import numpy as np

import answers
import api


def chain(*stages):
    return api.chain_pb2.SamplerChain(stages=stages)


def allowed(client, logits, stages, **fields):
    """The ids that a row's chain leaves possible."""
    logprobs, size = answers.laws(client, logits, chain(*stages), fields)
    possible = set(np.flatnonzero(np.isfinite(logprobs)).tolist())
    assert len(possible) == size
    return possible


def test_a_history_is_read_in_order(client):
    ngram = [api.stage("no_repeat_ngram", n=3)]
    row = {"history": {"prompt_ids": [1, 2, 3, -1], "output_ids": [4, 1, 2]}}
    assert allowed(client, np.zeros(6), ngram, **row) == {0, 1, 2, 4, 5}
    row = {"history": {"prompt_ids": [1, 2, 3], "output_ids": [4, 2, 1]}}
    assert allowed(client, np.zeros(6), ngram, **row) == {0, 1, 2, 3, 4, 5}


def test_words_sequences_and_repetitions_edit_their_last_id(client):
    stages = [api.stage("bad_words", words=[{"ids": [2, 5]}, {"ids": [0]}]),
              api.stage("sequence_bias", sequences=[{"ids": [2, 4], "bias": -1.5}]),
              api.stage("dry", multiplier=2.0, base=1.5, allowed_length=1)]
    row = {"history": {"output_ids": [1, 2, 3, 1, 2]}}
    logprobs, _ = answers.laws(client, np.zeros(6), chain(*stages), row)
    edits = np.array([-np.inf, 0, 0, -2 * 1.5, -1.5, -np.inf])  # 1, 2 came before, and 3 after it
    weights = np.exp(edits)
    np.testing.assert_allclose(logprobs, edits - np.log(weights.sum()), atol=1e-6)


def test_a_watermark_is_the_same_for_the_same_past(client):
    stages = [api.stage("watermark", gamma=0.25, delta=20.0, key=15485863)]
    zeros = np.zeros(4096)

    def green(*past):
        logprobs, _ = answers.laws(client, zeros, chain(*stages), {"history": {"output_ids": past}})
        return frozenset(np.flatnonzero(logprobs > logprobs.mean()).tolist())

    assert green(7, 8) == green(9, 8), "one id back by default"
    assert green(8) != green(9)
    assert 0.22 < len(green(8)) / 4096 < 0.28, "a share of 0.25, 4.4 deviations"


def test_guidance_leads_away_from_another_row(client):
    random = np.random.default_rng(3)
    logits = random.standard_normal((2, 300)).astype(np.float32)
    other = random.standard_normal((3, 300)).astype(np.float32)
    guided = chain(api.stage("guidance", scale=1.5))
    for row in (0, 2):
        logprobs, _ = answers.laws(client, logits[:1], guided, {"guidance_row": row},
                                   guidance_logits=api.tensor(other))
        y, u = logits[0].astype(np.float64), other[row].astype(np.float64)
        mixed = 1.5 * (y - u) + u
        expected = mixed - np.log(np.exp(mixed - mixed.max()).sum()) - mixed.max()
        np.testing.assert_allclose(logprobs, expected, atol=2e-6)


def test_ranks_follow_their_rule(client):
    logits = np.array([[1, 3, 2, 2, 2, 0]])
    for rule, expected in ((1, [5, 1, 2, 2, 2, 6]), (2, [5, 1, 4, 4, 4, 6])):
        row = api.row(samples=0, score_ids=range(6), logprobs=api.logprobs(api.RAW, rank_rule=rule))
        answer, = answers.read(client.sample(api.request(logits, [row])))
        assert [rank for _, rank in answer.modes[api.RAW].scored] == expected


def test_a_preset_is_the_chain_that_it_expands_to(client):
    """vLLM's torch sampler keeps every token tied with the k-th, and numbers ties against them."""
    logits = np.array([[1.0, 4, 3, 3, 3, 0, 2]])
    explicit = chain(api.stage("temperature", t=0.5), api.stage("top_k", k=2, ties=2))
    preset = api.preset("vllm-torch", temperature=0.5, top_k=2)
    report = {"score_ids": range(7), "return_support_size": True, "seed": 4}
    by_name = api.row(chain=0, logits_row=0, logprobs=api.logprobs(api.PROCESSED), **report)
    by_stages = api.row(chain=1, logits_row=0,
                        logprobs=api.logprobs(api.PROCESSED, rank_rule=2), **report)
    named, listed = answers.read(client.sample(
        api.request(logits, [by_name, by_stages], [preset, explicit])))
    assert named.outcome == api.OK, named.error
    assert named == listed
    assert named.support_size == 4
    assert [rank for _, rank in named.modes[api.PROCESSED].scored] == [0, 1, 4, 4, 4, 0, 0]


def test_capabilities_list_presets_that_can_be_named(client):
    presets = client.capabilities().presets
    assert {"vllm-torch", "hf-transformers", "llamacpp", "trtmc"} <= {p.name for p in presets}
    needed = {"exllamav2": {"top_p": 1}}  # its default is no prefix of the order, so it is refused
    chains = [api.preset(preset.name, **needed.get(preset.name, {})) for preset in presets]
    rows = [api.row(chain=i, logits_row=0, seed=1) for i in range(len(chains))]
    response = client.sample(api.request(np.arange(9.0), rows, chains))
    assert [e.message for e in response.errors] == []
