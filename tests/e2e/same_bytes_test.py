"""Same request, same bytes: over element types, batches, threads, backends and SIMD targets."""

import re

import numpy as np
import pytest

import answers
import api
import program

VOCABULARY = 5003  # no multiple of any vector
CHAINS = [
    api.chain(),
    api.chain(temperature=0.7, top_k=50, top_p=0.9),
    api.chain(top_p=0.9),
    api.chain(temperature=1.5, min_p=0.05),
    api.chain(logit_bias=True, repetition_penalty=1.3, frequency_penalty=0.25, temperature=0.8,
              top_p=0.95),
    api.chain(greedy=True),
]
MODES = (api.RAW, api.RAW_MASKED, api.TEMPERED, api.PROCESSED)


def exact_logits(rows=12):
    """Values that fp16 and bf16 hold exactly: peaked, flat and tied rows, some of them -inf."""
    random = np.random.default_rng(20261130)
    values = np.round(random.normal(0, 4, (rows, VOCABULARY)) * 4) / 4
    values[1] = 0
    values[2] = np.where(np.arange(VOCABULARY) == 77, 8, -8)
    values[3, ::3] = -np.inf
    values[4] = -np.inf
    values[4, 4999] = 1
    return values.astype(np.float32)


def rows_for(count):
    """One row of every chain in turn, each with all that a row can carry."""
    rows = []
    for r in range(count):
        number = r % len(CHAINS)
        fields = {"chain": number, "logits_row": r, "seed": 1000 + r, "position": r, "samples": 3}
        if number == 4:
            fields["bias"] = [{"id": 5, "value": 1.5}, {"id": 9, "value": -np.inf}]
            fields["history"] = {"prompt_ids": [1, 2, 3, 2], "output_ids": [4, 4, 77]}
        if r % 2:
            fields["banned_ids"] = [0, 17, 4000]
            fields["grammar_row"] = 0
        rows.append(api.row(**fields, score_ids=[0, 5, 77, 4999], return_support_size=True,
                            logprobs=api.logprobs(*MODES, top_n=8, entropy=MODES)))
    return rows


def grammar():
    words = np.full((1, -(-VOCABULARY // 32)), 0xFFFFFFFF, dtype=np.uint32)
    words[0, 3] = 0
    return api.tensor(words, "uint32")


def whole(dtype="float32", **fields):
    logits = exact_logits()
    return api.request(logits, rows_for(len(logits)), CHAINS, dtype, grammar=grammar(), **fields)


@pytest.fixture(scope="module")
def expected(client):
    """The bytes that every other way must give, after a look that they mean something."""
    response = client.sample(whole())
    assert set(response.outcomes) == {api.OK}
    assert len(set(response.tokens)) > 10
    return api.result_bytes(response)


@pytest.mark.parametrize("dtype", ["float16", api.BF16])
def test_equal_values_of_another_type_give_the_same_bytes(client, expected, dtype):
    assert api.result_bytes(client.sample(whole(dtype))) == expected


def test_a_repeated_call_gives_the_same_bytes(client, expected):
    assert {api.result_bytes(client.sample(whole())) for _ in range(5)} == {expected}


def test_rows_with_padding_between_them_give_the_same_bytes(client, expected):
    logits = exact_logits()
    wide = np.full((len(logits), VOCABULARY + 37), np.nan, dtype=np.float32)
    wide[:, :VOCABULARY] = logits
    matrix = api.tensor(wide)
    message = api.request(matrix, rows_for(len(logits)), CHAINS, grammar=grammar(),
                          vocab_size=VOCABULARY)
    assert api.result_bytes(client.sample(message)) == expected, "columns beyond vocab_size"
    matrix.columns = VOCABULARY
    matrix.row_stride_bytes = 4 * (VOCABULARY + 37)
    message = api.request(matrix, rows_for(len(logits)), CHAINS, grammar=grammar())
    assert api.result_bytes(client.sample(message)) == expected, "a stride"


def test_a_grammar_of_another_type_or_stride_gives_the_same_bytes(client, expected):
    """Words beyond the vocabulary, and bits beyond it in the last word, are not looked at."""
    words = np.frombuffer(grammar().inline_bytes, dtype="<u4")
    wide = np.full((2, len(words) + 3), 0xDEADBEEF, dtype=np.uint32)
    wide[1, :len(words)] = words
    wide[1, len(words) - 1] ^= np.uint32(0xFFFFFFFF << VOCABULARY % 32 & 0xFFFFFFFF)
    for dtype, columns in (("int32", wide.shape[1]), ("uint32", len(words))):
        mask = api.tensor(wide.view(dtype), dtype, stride=4 * wide.shape[1])
        mask.columns = columns
        rows = rows_for(12)
        for row in rows:
            if row.HasField("grammar_row"):
                row.grammar_row = 1
        message = api.request(exact_logits(), rows, CHAINS, grammar=mask)
        assert api.result_bytes(client.sample(message)) == expected


def test_a_permuted_batch_permutes_the_answers(client):
    logits = exact_logits()
    rows = rows_for(len(logits))
    straight = answers.read(client.sample(whole()))
    order = np.random.default_rng(7).permutation(len(rows))
    moved = [api.row_pb2.SampleRow() for _ in rows]
    for place, r in enumerate(order):
        moved[place].CopyFrom(rows[r])
        moved[place].logits_row = place
    permuted = answers.read(client.sample(
        api.request(logits[order], moved, CHAINS, grammar=grammar())))
    assert permuted == [straight[r] for r in order]


@pytest.mark.parametrize("size", [1, 5])
def test_a_split_batch_gives_the_parts(client, size):
    logits = exact_logits()
    rows = rows_for(len(logits))
    parts = []
    for first in range(0, len(rows), size):
        part = rows[first:first + size]
        for place, row in enumerate(part):
            row.logits_row = place
        parts += answers.read(client.sample(
            api.request(logits[first:first + size], part, CHAINS, grammar=grammar())))
    assert parts == answers.read(client.sample(whole()))


def test_many_copies_of_a_row_are_equal(client):
    logits = exact_logits()[:1]
    row = rows_for(1)[0]
    copies = answers.read(client.sample(api.request(logits, [row] * 200, CHAINS,
                                                    grammar=grammar())))
    assert all(copy == copies[0] for copy in copies)


def cpu_targets():
    """The SIMD targets of this build on this machine, from the message that lists them."""
    refused = program.run("--listen", "127.0.0.1:0", "--cpu-target", "none-such")
    listed = re.search(r"this machine runs (.*)$", refused.stderr, re.M)
    assert listed, refused.stderr
    return listed.group(1).strip(". ").split(", ")


WAYS = [("--threads=1",), ("--threads=2",), ("--threads=7",), ("--backend=scalar",)]
WAYS += [(f"--cpu-target={target}",) for target in cpu_targets()]


@pytest.mark.parametrize("flags", WAYS, ids=" ".join)
def test_another_server_gives_the_same_bytes(start, expected, flags):
    _, other = start(*flags)
    for dtype in ("float32", "float16", api.BF16):
        response = other.sample(whole(dtype))
        assert api.result_bytes(response) == expected
    if flags[0].startswith("--cpu-target"):
        target = flags[0].split("=")[1]
        assert other.capabilities().backend.simd_target == target
        assert response.execution.backend.endswith(target)


def test_there_is_a_portable_target_and_a_vector_one():
    targets = cpu_targets()
    assert "SCALAR" in targets
    if len(targets) == 1:
        pytest.skip(f"this machine runs only {targets}")
    assert len(targets) >= 2
