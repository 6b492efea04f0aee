"""Same verification, same bytes: over batches, threads, backends, SIMD targets, element types."""

import numpy as np
import pytest

import api
import verifications as v

VOCABULARY = 5003  # no multiple of any vector
CHAINS = [
    api.chain(temperature=0.8, top_k=200, top_p=0.95),
    api.chain(logit_bias=True, repetition_penalty=1.3, frequency_penalty=0.25, min_p=0.01),
    api.chain(temperature=1.2),
]
METHODS = (v.TOKEN, v.BLOCK, v.TREE, v.TRAVERSAL, v.TARGET_ONLY, v.TYPICAL)
TREE = [-1, -1, 0, 1, 1]
CHAIN = [-1, 0, 1, 2, 3]
COUNT = 24


def exact_logits(rows, seed):
    """Values that fp16 and bf16 hold exactly, with a few likely ids that target and draft share."""
    values = np.round(np.random.default_rng(seed).normal(0, 2, (rows, VOCABULARY)) * 4) / 4
    values[:, 40:60] += 8
    return values.astype(np.float32)


TARGET, DRAFT = exact_logits(6 * COUNT, 1), exact_logits(5 * COUNT, 2)


def sequence(number):
    method = METHODS[number % len(METHODS)]
    chains_only = method in (v.TOKEN, v.BLOCK)
    law = {"draft_logits": {"chain": 2, "first_row": 5 * number}}
    if number % 3 == 1:
        law = {"one_hot": {}}
    elif number % 3 == 2:
        ids = [(number + 17 * i) % VOCABULARY for i in range(900)]
        ids[:20] = range(40, 60)
        ids = list(dict.fromkeys(ids))
        expanded = 5 if chains_only else 3
        law = {"sparse": {"offsets": [len(ids) * i for i in range(expanded + 1)],
                          "ids": ids * expanded,
                          "probabilities": [1 / (i + 2) for i in range(len(ids))] * expanded}}
    typical = {"typical_epsilon": 0.1, "typical_alpha": 0.3} if method == v.TYPICAL else {}
    target = {"chain": number % 2, "seed": 50 + number, "position": number,
              "logprobs": api.logprobs(1, 2, 3, 4, top_n=3, entropy=(4,))}
    if number % 2:
        target |= {"history": {"output_ids": [41, 41, 50]}, "bias": [{"id": 45, "value": 2.5}]}
    return v.sequence([40 + (number + 7 * i) % 20 for i in range(5)], law, method,
                      () if chains_only else TREE, grammar_rows=[0, 1, 0, 1, 0, 1],
                      target=target, **typical)


def grammar():
    words = np.full((2, -(-VOCABULARY // 32)), 0xFFFFFFFF, dtype=np.uint32)
    words[1, 100] = 0
    return api.tensor(words, "uint32")


def whole(dtype="float32", draft_dtype="float32"):
    return v.request(TARGET, [sequence(i) for i in range(COUNT)], CHAINS, DRAFT, dtype,
                     draft_dtype, grammar=grammar())


@pytest.fixture(scope="module")
def expected(client):
    """The bytes that every other way must give, after a look that they mean something."""
    response = v.verify(client, whole())
    assert set(response.outcomes) == {api.OK}, response.errors
    accepted = [len(result.accepted) for result in v.read(response)]
    assert min(accepted) == 0 and max(accepted) >= 2, accepted
    return v.result_bytes(response)


@pytest.mark.parametrize("dtypes", [("float16", "float32"), (api.BF16, "float16"),
                                    ("float32", api.BF16)])
def test_equal_values_of_another_type_give_the_same_bytes(client, expected, dtypes):
    assert v.result_bytes(v.verify(client, whole(*dtypes))) == expected


def test_a_repeated_call_gives_the_same_bytes(client, expected):
    assert {v.result_bytes(v.verify(client, whole())) for _ in range(3)} == {expected}


def test_explaining_changes_nothing(client, expected):
    message = whole()
    message.explain = True
    response = v.verify(client, message)
    assert len(response.explanations) == COUNT
    response.ClearField("explanations")
    assert v.result_bytes(response) == expected


def test_sequences_alone_and_in_another_order_give_the_same(client):
    together = v.emitted(client, whole())
    order = np.random.default_rng(3).permutation(COUNT)
    rows = np.concatenate([np.arange(6 * i, 6 * i + 6) for i in order])
    mixed = v.emitted(client, v.request(TARGET[rows], [sequence(i) for i in order], CHAINS, DRAFT,
                                        grammar=grammar()))
    assert mixed == [together[i] for i in order]
    for i in range(6):
        alone, = v.emitted(client, v.request(
            TARGET[6 * i:6 * i + 6], [sequence(i)], CHAINS, DRAFT if i % 3 == 0 else None,
            grammar=grammar()))
        assert alone == together[i]


WAYS = [("--threads=1",), ("--threads=3",), ("--backend=scalar",), ("--cpu-target=SCALAR",)]


@pytest.mark.parametrize("flags", WAYS, ids=" ".join)
def test_another_server_gives_the_same_bytes(start, expected, flags):
    _, other = start(*flags)
    assert v.result_bytes(v.verify(other, whole())) == expected
    assert v.result_bytes(v.verify(other, whole(api.BF16, "float16"))) == expected
