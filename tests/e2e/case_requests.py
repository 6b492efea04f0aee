"""Public bug cases that say in words what a request may hold and what happens when it fails."""

import grpc
import numpy as np

import answers
import api
import program
import public_cases
from case_draws import tokens


def masks_01(client, case):
    """A mask of 64 bits for 70 ids is refused, with the words that it needs."""
    matrix = public_cases.logits(case)
    narrow = np.array([[1 << 5, 1 << 8]], dtype=np.uint32)
    rows, chains = [api.row(grammar_row=0)], [api.chain(temperature=0)]
    code, details = client.refusal(
        api.request(matrix, rows, chains, grammar=api.tensor(narrow, "uint32")))
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert "grammar.columns is 2; it must be at least 3" in details
    wide = np.array([[1 << 5, 1 << 8, 0]], dtype=np.uint32)
    assert tokens(client, matrix, rows, chains, grammar=api.tensor(wide, "uint32")) == [5]


def masks_05(client, case):
    matrix, chains = public_cases.logits(case), [api.chain(temperature=0)]
    first = tokens(client, matrix, [api.row(), api.row(allowed={"ids": [3]})], chains)
    assert first == [0, 3]
    plain = api.request(matrix, [api.row(), api.row()], chains)
    second = client.sample(plain)
    assert list(second.tokens) == [0, 0]
    fresh = program.Tesserad()
    other = api.Client(fresh.address)
    assert api.result_bytes(other.sample(plain)) == api.result_bytes(second)
    other.close()
    fresh.stop()


def nonfinite_01(client, case):
    """Rows 0 and 2 get exactly what they get without row 1."""
    logits = public_cases.logits(case)
    report = {"logprobs": api.logprobs(api.RAW, api.PROCESSED, top_n=4)}
    rows = [api.row(seed=r, **report) for r in range(3)]
    chains = [api.chain(top_k=1, top_p=0.9)]
    answered = answers.read(client.sample(api.request(logits, rows, chains)))
    apart = answers.read(client.sample(api.request(logits[[0, 2]], [rows[0], rows[2]], chains)))
    assert [answered[0], answered[2]] == apart


def nonfinite_02(client, case):
    rows = [api.row(logits_row=0, seed=seed) for seed in range(1000)]
    answered = client.sample(api.request(public_cases.logits(case), rows))
    assert set(answered.outcomes) == {api.INVALID_LOGITS} and set(answered.tokens) == {-1}


def idrange_05(client, case):
    drawn = tokens(client, public_cases.logits(case), [api.row()], [api.chain(temperature=0)],
                   vocab_size=6)
    assert drawn == [2]


def shape_01(client, case):
    """8.6 GB do not fit one call. That sizes are 64-bit shows in what a short one is told."""
    short = api.tensor_pb2.Tensor(element_type=1, rows=8400, columns=256000, inline_bytes=b"1234")
    code, details = client.refusal(api.request(short, [api.row()]))
    assert code == grpc.StatusCode.INVALID_ARGUMENT and "8601600000" in details


def shape_03(client, case):
    empty = api.sampling_pb2.SampleTokensRequest(chains=[api.chain()])
    answer = client.sample(empty)
    assert not answer.outcomes and not answer.tokens and list(answer.token_offsets) == [0]
    no_rows = api.request(api.tensor_pb2.Tensor(element_type=1, rows=0, columns=5), [])
    assert not client.sample(no_rows).outcomes


def valid_01(client, case):
    """Each of the five is refused by name, and a sixth row of the same batch is drawn."""
    named = ["temperature.t", "top_p.p", "min_p.m", "frequency_penalty.penalty", "bias[0].value"]
    rows, chains = [], []
    for parameters in public_cases.row_parameters(case):
        rows.append(api.row(logits_row=0, seed=1, chain=len(chains),
                            **{key: value for key, value in
                               public_cases.row_fields(parameters).items() if key != "position"}))
        chains.append(public_cases.chain(parameters))
    rows.append(api.row(logits_row=0, chain=len(chains)))
    chains.append(api.chain(greedy=True))
    answered = answers.read(client.sample(api.request(public_cases.logits(case), rows, chains)))
    for answer, field in zip(answered, named):
        assert answer.outcome == api.INVALID_PARAMETERS
        assert f"{field} is nan; it must be" in answer.error
    assert answered[5].tokens == [2]


def trans_03(client, case):
    region = api.tensor_pb2.Tensor(element_type=1, rows=1, columns=16, shared_memory={
        "arena_id": 404, "offset_bytes": 0, "length_bytes": 64})
    code, details = client.refusal(api.request(region, [api.row()]))
    assert code == grpc.StatusCode.UNIMPLEMENTED and "logits[0].shared_memory" in details


def trans_04(client, case):
    zeros = np.zeros((64, 151936), dtype=np.float32)
    assert tokens(client, zeros, [api.row()] * 64, [api.chain(temperature=0)]) == [0] * 64
    limit = client.capabilities().limits.max_unary_bytes
    more = np.zeros((limit // 151936 // 4 + 1, 151936), dtype=np.float32)
    code, details = client.refusal(api.request(more, [api.row()], [api.chain(temperature=0)]))
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(limit) in details and "--max-unary-bytes" in details


def trans_05(client, case):
    """200 calls in parallel that nobody waits for, of 5 MB in place of 51."""
    message = api.request(np.zeros((25, 50000), dtype=np.float32),
                          [api.row(seed=r) for r in range(25)])
    calls = [client.stub.SampleTokens.future(message, timeout=0.001) for _ in range(200)]
    codes = {call.code() for call in calls}
    assert codes <= {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
    assert len(tokens(client, np.zeros((1, 50000)), [api.row(seed=1)])) == 1
