"""Verifications that are refused: calls by their status, sequences by an outcome of their own.

A fault of one sequence fails it alone, with a message that names the field, its value and what is
accepted; its neighbour is verified.
"""

import grpc
import numpy as np
import pytest

import api
import verifications as v

NAN, INF = float("nan"), float("inf")
SIZE = 8


def one_stage(name, **fields):
    return api.chain_pb2.SamplerChain(stages=[api.stage(name, **fields)])


CHAINS = [
    api.chain(),
    api.chain(top_p=2.0),
    one_stage("xtc", probability=0.5, threshold=0.1),
    one_stage("mirostat_v2", tau=5, eta=0.1),
    one_stage("draw_rule", order=2),
    one_stage("guidance", scale=1.5),
    api.chain(frequency_penalty=0.5),
    one_stage("draw_rule", generator=2),
]
TWO_LAWS = {"offsets": [0, 2, 3], "ids": [1, 4, 5], "weights": [3, 1, 2]}


def sparse(**changes):
    return {"law": {"sparse": {**TWO_LAWS, **changes}}}


def probabilities(*values):
    return sparse(weights=[], probabilities=values)


def target(**fields):
    return {"target": fields}


def logits(**fields):
    return {"law": {"draft_logits": fields}}


# name: (fields of the sequence beside two one-hot drafts, words)
SEQUENCES = {
    "no method": ({"method": 0}, ["method is 0", "TOKEN", "TARGET_ONLY"]),
    "unknown method": ({"method": 99}, ["method is 99"]),
    "no law": ({"law": {}}, ["draft_law", "one_hot"]),
    "parent ahead": ({"method": v.TREE, "parents": [-1, 1]}, ["parents[1] is 1", "earlier"]),
    "parent below": ({"method": v.TREE, "parents": [-2, 0]}, ["parents[0] is -2"]),
    "own parent": ({"method": v.TREE, "parents": [0, 0]}, ["parents[0] is 0"]),
    "parents short": ({"method": v.TREE, "parents": [-1]}, ["parents holds 1", "2"]),
    "parents long": ({"method": v.TREE, "parents": [-1, 0, 1]}, ["parents holds 3", "2"]),
    "TOKEN of a tree": ({"parents": [-1, -1]}, ["parents[1] is -1", "TOKEN", "TREE"]),
    "BLOCK of a tree": ({"method": v.BLOCK, "parents": [-1, -1]}, ["parents[1] is -1", "BLOCK"]),
    "without replacement": ({"without_replacement": True}, ["without_replacement", "TREE"]),
    "typical's alone": ({"typical_epsilon": 0.5}, ["typical_epsilon", "TYPICAL"]),
    "alpha alone": ({"typical_alpha": 0.5}, ["typical_alpha", "TYPICAL"]),
    "epsilon": ({"method": v.TYPICAL, "typical_epsilon": 1.5}, ["typical_epsilon is 1.5"]),
    "epsilon NaN": ({"method": v.TYPICAL, "typical_epsilon": NAN}, ["typical_epsilon is nan"]),
    "alpha": ({"method": v.TYPICAL, "typical_alpha": -1}, ["typical_alpha is -1"]),
    "alpha inf": ({"method": v.TYPICAL, "typical_alpha": INF}, ["typical_alpha is inf"]),
    "alpha NaN": ({"method": v.TYPICAL, "typical_alpha": NAN}, ["typical_alpha is nan"]),
    "logits_row": (target(logits_row=0), ["target.logits_row"]),
    "grammar_row": (target(grammar_row=0), ["target.grammar_row"]),
    "samples": (target(samples=1), ["target.samples"]),
    "score_ids": (target(score_ids=[1]), ["target.score_ids"]),
    "support size": (target(return_support_size=True), ["target.return_support_size"]),
    "state": (target(state={"xorshift64": 3}), ["target.state"]),
    "return_law": (target(return_law={"max_ids": 5}), ["target.return_law"]),
    "no position": (target(position=None), ["target.position is absent"]),
    "chain index": (target(chain=50), ["target.chain is 50", "below 8"]),
    "chain refused": (target(chain=1), ["chains[1].stages[0].top_p.p is 2"]),
    "chain rewrites": (target(chain=2), ["chains[2].stages[0]", "xtc"]),
    "chain with a state": (target(chain=3), ["chains[3].stages[0]", "mirostat_v2"]),
    "chain with an order": (target(chain=4), ["chains[4].stages[0]", "draw_rule"]),
    "chain with a generator": (target(chain=7), ["chains[7].stages[0]", "draw_rule"]),
    "no guidance": (target(chain=5), ["target.guidance_row", "guidance_logits"]),
    "history id": (target(chain=6, history={"output_ids": [1, 9]}),
                   ["target.history.output_ids[1] is 9", "[0, 8)"]),
    "unread history": (target(history={"output_ids": [1]}), ["target.history is given"]),
    "banned id": (target(banned_ids=[8]), ["target.banned_ids[0] is 8", "[0, 8)"]),
    "stop id": (target(stop_ids=[-3], min_tokens=1), ["target.stop_ids[0] is -3"]),
    "top_n": (target(logprobs=api.logprobs(api.RAW, top_n=129)), ["target.logprobs.top_n is 129"]),
    "grammar rows": ({"grammar_rows": [0, 0]}, ["grammar_rows holds 2", "3"]),
    "no grammar": ({"grammar_rows": [0, 0, 0]}, ["grammar_row", "no grammar"]),
    "draft chain": (logits(chain=50), ["draft_logits.chain is 50", "below 8"]),
    "draft chain refused": (logits(chain=1), ["chains[1].stages[0].top_p.p is 2"]),
    "draft chain rewrites": (logits(chain=2), ["chains[2].stages[0]", "xtc"]),
    "draft chain guided": (logits(chain=5), ["draft_logits.chain is 5", "guidance"]),
    "draft rows": (logits(first_row=1), ["draft_logits", "2"]),
    "draft row": (logits(first_row=2**32 - 1), ["draft_logits", str(2**32 - 1)]),
    "sparse offsets": (sparse(offsets=[0, 3]), ["sparse.offsets holds 2", "3"]),
    "sparse first offset": (sparse(offsets=[1, 2, 3]), ["sparse.offsets[0] is 1"]),
    "sparse falling": (sparse(offsets=[0, 3, 2]), ["sparse.offsets"]),
    "sparse beyond": (sparse(offsets=[0, 2, 2**32 - 1]), ["sparse.offsets[2]"]),
    "sparse short": (sparse(offsets=[0, 1, 2]), ["sparse.offsets", "3"]),
    "sparse id": (sparse(ids=[1, 8, 5]), ["sparse.ids[1] is 8", "[0, 8)"]),
    "sparse negative id": (sparse(ids=[-1, 4, 5]), ["sparse.ids[0] is -1"]),
    "sparse repeated id": (sparse(ids=[4, 4, 5]), ["sparse.ids", "4", "distinct"]),
    "sparse weights": (sparse(weights=[1, 2]), ["sparse.weights holds 2", "3"]),
    "sparse heavy": (sparse(weights=[1, 2**44 + 1, 1]), ["sparse.weights[1]", "2^44"]),
    "sparse heaviest": (sparse(weights=[1, 2**64 - 1, 1]), [f"sparse.weights[1] is {2**64 - 1}"]),
    "sparse nothing": (sparse(weights=[1, 1, 0]), ["sparse", "0"]),
    "sparse empty law": (sparse(offsets=[0, 3, 3]), ["sparse"]),
    "sparse both": (sparse(probabilities=[1, 1, 1]), ["weights", "probabilities"]),
    "sparse neither": (sparse(weights=[]), ["sparse", "3"]),
    "sparse NaN": (probabilities(0.5, NAN, 1), ["sparse.probabilities[1] is nan", "[0, 1]"]),
    "sparse inf": (probabilities(0.5, INF, 1), ["sparse.probabilities[1] is inf"]),
    "sparse negative": (probabilities(-0.5, 1, 1), ["sparse.probabilities[0] is -0.5"]),
    "sparse above 1": (probabilities(0.5, 1, 1.5), ["sparse.probabilities[2] is 1.5"]),
    "sparse too small": (probabilities(0.5, 1, 1e-30), ["sparse"]),
}


def message(fields):
    """A good sequence behind one that has the fault."""
    fields = {"draft_ids": [1, 4], **fields}
    two = [v.sequence(**fields), v.sequence([1, 4])]
    draft = np.zeros((2, SIZE)) if "draft_logits" in fields.get("law", {}) else None
    return v.request(np.zeros((6, SIZE)), two, CHAINS, draft)


@pytest.mark.parametrize("fields, words", SEQUENCES.values(), ids=SEQUENCES)
def test_a_sequence_at_fault_fails_alone(client, fields, words):
    bad, good = v.read(v.verify(client, message(fields)))
    assert bad.outcome == api.INVALID_PARAMETERS
    assert bad.tokens == [] and bad.accepted == []
    assert bad.error.startswith(("sequences[0].", "chains[")), bad.error
    for word in words:
        assert word in bad.error, bad.error
    assert good.outcome == api.OK and good.error == ""


def test_too_many_nodes_fail_the_sequence(client):
    limit = client.capabilities().limits.max_draft_nodes
    assert limit == 256
    for nodes, outcome in ((limit, api.OK), (limit + 1, api.INVALID_PARAMETERS)):
        result, = v.read(v.verify(client, v.request(
            np.zeros((nodes + 1, SIZE)), [v.sequence([1] * nodes)])))
        assert result.outcome == outcome, result.error
    assert "draft_ids holds 257" in result.error and "at most 256" in result.error


def test_too_many_ids_of_a_law_fail_the_sequence(client):
    limit = client.capabilities().limits.max_law_ids
    for ids, outcome in ((limit, api.OK), (limit + 1, api.INVALID_PARAMETERS)):
        law = {"sparse": {"offsets": [0, ids], "ids": range(ids), "weights": [1] * ids}}
        result, = v.read(v.verify(client, v.request(np.zeros((2, 5000)), [v.sequence([1], law)])))
        assert result.outcome == outcome, result.error
    assert str(limit + 1) in result.error and str(limit) in result.error


def refusal(client, request):
    with pytest.raises(grpc.RpcError) as caught:
        v.verify(client, request)
    return caught.value.code(), caught.value.details()


def with_rows(rows, columns=SIZE, **fields):
    return v.request(np.zeros((rows, columns)), [v.sequence([1, 4])], **fields)


def no_target():
    request = with_rows(3)
    request.ClearField("target_logits")
    return request


def sliced(field):
    request = with_rows(3, draft_logits=np.zeros((2, SIZE)))
    request.sequences[0].ClearField("one_hot")
    request.sequences[0].draft_logits.chain = 0
    getattr(request, field).append(getattr(request, field)[0])
    return request


def draft_of(columns):
    request = sliced("draft_logits")
    request.ClearField("draft_logits")
    request.draft_logits.append(api.tensor(np.zeros((2, columns))))
    return request


def many_positions():
    return v.request(np.zeros((4097 + 16, 1)),
                     [v.sequence([0] * 255) for _ in range(16)] + [v.sequence([0] * 16)])


INVALID, EXHAUSTED = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED
UNIMPLEMENTED = grpc.StatusCode.UNIMPLEMENTED
CALLS = {
    "a row too few": (lambda: with_rows(2), INVALID, ["target_logits", "is 2", "3"]),
    "a row too many": (lambda: with_rows(4), INVALID, ["target_logits", "is 4", "3"]),
    "no target": (no_target, INVALID, ["target_logits is absent"]),
    "vocabulary": (lambda: with_rows(3, vocab_size=9), INVALID, ["vocab_size is 9", "[1, 8]"]),
    "no vocabulary": (lambda: with_rows(3, vocab_size=0), INVALID, ["vocab_size is 0"]),
    "target slices": (lambda: sliced("target_logits"), UNIMPLEMENTED, ["target_logits holds 2"]),
    "draft slices": (lambda: sliced("draft_logits"), UNIMPLEMENTED, ["draft_logits holds 2"]),
    "narrow draft": (lambda: draft_of(7), INVALID, ["vocab_size is 8", "7"]),
    "positions": (many_positions, EXHAUSTED, ["positions", "4096"]),
}


@pytest.mark.parametrize("build, code, words", CALLS.values(), ids=CALLS)
def test_an_unreadable_call_is_refused(client, build, code, words):
    got, details = refusal(client, build())
    assert got == code, details
    for word in words:
        assert word in details, details


@pytest.mark.parametrize("chain, answered", [
    (api.chain(frequency_penalty=0.1), True),
    (api.chain_pb2.SamplerChain(stages=[api.stage("no_repeat_ngram", n=3)]), False),
], ids=["counted", "in order"])
def test_few_bytes_cannot_ask_for_much(client, chain, answered):
    """300,000 ids of one byte each at 257 positions: copies, unless they can be counted."""
    target = {"chain": 1, "seed": 1, "history": {"output_ids": [1] * 300_000}}
    request = v.request(np.zeros((257, SIZE)), [v.sequence([1] * 256, target=target)],
                        [api.chain(), chain])
    if answered:
        result, = v.emitted(client, request)
        assert result.tokens
        return
    code, details = refusal(client, request)
    assert code == EXHAUSTED and "hold 77165792 ids" in details, details
    assert "Split the batch" in details


def test_a_wide_vocabulary_of_a_draft_may_be_padded(client):
    result, = v.read(v.verify(client, draft_of(11)))
    assert result.outcome == api.OK


def test_bytes_that_are_no_request(client):
    with pytest.raises(grpc.RpcError) as caught:
        client.bytes_call(f"/{api.SERVICE}/VerifyDrafts", b"\xff\xff\xff")
    assert caught.value.code() == INVALID


def test_random_bytes_do_not_stop_the_server(client):
    """Mutations of a good request: any status, and the server lives."""
    random = np.random.default_rng(5)
    good = message(sparse()).SerializeToString()
    answered = 0
    for _ in range(400):
        data = bytearray(good)
        for _ in range(random.integers(1, 8)):
            data[random.integers(len(data))] = random.integers(256)
        try:
            client.bytes_call(f"/{api.SERVICE}/VerifyDrafts", bytes(data))
            answered += 1
        except grpc.RpcError as error:
            assert error.code() in (INVALID, EXHAUSTED, UNIMPLEMENTED), error
    assert 0 < answered < 400
    assert v.read(v.verify(client, message({})))[1].outcome == api.OK
