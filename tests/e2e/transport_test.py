"""The service as gRPC sees it: garbage, limits, deadlines, health, reflection, what is missing."""

import concurrent.futures
import time

import grpc
import numpy as np
import pytest

import api
import program

SAMPLE = f"/{api.SERVICE}/SampleTokens"
CODE = grpc.StatusCode


def valid():
    return api.request([[0, 3, 1]], [api.row()], [api.chain(greedy=True)])


def failure(call):
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value.code(), caught.value.details()


GARBAGE = {
    "random": np.random.default_rng(3).bytes(4096),
    "zeros": bytes(64),
    "a field that never ends": b"\x7a\xff\xff\xff\x7f",
    "a varint that never ends": b"\x08" + b"\xff" * 20,
    "groups": b"\x0b" * 200_000,
    "truncated": None,  # a valid request, cut short
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_an_invalid_argument(client, name):
    payload = GARBAGE[name]
    if payload is None:
        payload = valid().SerializeToString()[:-1]
    code, details = failure(lambda: client.bytes_call(SAMPLE, payload))
    assert code == CODE.INVALID_ARGUMENT
    assert "SampleTokensRequest" in details
    assert list(client.sample(valid()).tokens) == [1]


def test_every_prefix_of_a_request_is_answered(client):
    """None may crash the server; one that still parses is judged as any request."""
    message = api.request([[0, 3, 1]], [api.row(seed=1, logprobs=api.logprobs(api.RAW))],
                          [api.chain(temperature=0.5, top_p=0.9)]).SerializeToString()
    for length in range(len(message)):
        try:
            client.bytes_call(SAMPLE, message[:length])
        except grpc.RpcError as error:
            assert error.code() in (CODE.INVALID_ARGUMENT, CODE.UNIMPLEMENTED), error.details()
    assert list(client.sample(valid()).tokens) == [1]


def test_every_flipped_byte_of_a_request_is_answered(client):
    """All 255 changes of a byte would be many; three of each byte are sent."""
    message = bytearray(api.request([[0, 3, 1]], [api.row(seed=1, bias=[{"id": 1, "value": 1}])],
                                    [api.chain(logit_bias=True, top_k=2)]).SerializeToString())
    for place in range(len(message)):
        for flip in (0x01, 0x80, 0xFF):
            message[place] ^= flip
            try:
                client.bytes_call(SAMPLE, bytes(message))
            except grpc.RpcError as error:
                assert error.code() in (CODE.INVALID_ARGUMENT, CODE.UNIMPLEMENTED,
                                        CODE.RESOURCE_EXHAUSTED), error.details()
            message[place] ^= flip
    assert list(client.sample(valid()).tokens) == [1]


def test_unknown_fields_of_a_newer_client_are_no_fault(client):
    newer = valid().SerializeToString() + b"\xf8\x3f\x01"  # field 1023
    answer = api.sampling_pb2.SampleTokensResponse.FromString(client.bytes_call(SAMPLE, newer))
    assert list(answer.tokens) == [1]


def test_what_is_not_there_answers_unimplemented_and_is_not_listed(client):
    listed = client.capabilities()
    assert sorted(listed.rpcs) == ["ExplainChain", "GetCapabilities", "SampleTokens",
                                   "VerifyDrafts"]
    methods = api.sampler_service_pb2.DESCRIPTOR.services_by_name["SamplerService"].methods
    missing = [method for method in methods if method.name not in listed.rpcs]
    assert len(missing) == 2
    for method in missing:
        path = f"/{api.SERVICE}/{method.name}"
        if method.name.startswith("Stream"):
            code, details = failure(lambda: list(
                client.channel.stream_stream(path)(iter([b""]), timeout=30)))
        else:
            code, details = failure(lambda: client.bytes_call(path, b""))
        assert code == CODE.UNIMPLEMENTED
        assert method.name in details and "GetCapabilities" in details
    code, _ = failure(lambda: client.bytes_call(f"/{api.SERVICE}/NoSuchThing", b""))
    assert code == CODE.UNIMPLEMENTED


def test_capabilities_say_what_the_proto_promises(client):
    listed = client.capabilities()
    stages = [field.name for field in api.chain_pb2.SamplerStage.DESCRIPTOR.oneofs[0].fields]
    assert list(listed.stages) == stages
    assert list(listed.logprob_modes) == [api.RAW, api.RAW_MASKED, api.TEMPERED, api.PROCESSED]
    assert list(listed.logits_element_types) == [1, 2, 3]
    assert list(listed.tensor_sources) == [1]
    assert listed.numerics_version == client.sample(valid()).numerics_version >= 1
    assert listed.backend.threads >= 1 and listed.backend.name and listed.backend.reason
    limits = listed.limits
    assert limits.max_unary_bytes == 64 << 20
    assert limits.max_logits_slices == 1 and limits.max_vocab_size == 2**19
    assert limits.max_chunk_bytes == 0 and limits.max_arena_bytes == 0
    version = program.run("--version").stdout
    assert listed.server_version in version


def test_health_is_serving(client):
    """grpc.health.v1 by hand: the request's field 1 is the service, the answer's SERVING is 1."""
    for service in (b"", api.SERVICE.encode()):
        request = b"\x0a" + bytes([len(service)]) + service if service else b""
        assert client.bytes_call("/grpc.health.v1.Health/Check", request) == b"\x08\x01"
    code, _ = failure(lambda: client.bytes_call("/grpc.health.v1.Health/Check", b"\x0a\x01x"))
    assert code == CODE.NOT_FOUND


def test_reflection_lists_the_service(client):
    """grpc.reflection.v1alpha by hand: field 7 of the request asks for the services."""
    call = client.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
    answered = b"".join(call(iter([b"\x3a\x01*"]), timeout=30))
    assert api.SERVICE.encode() in answered
    assert b"grpc.health.v1.Health" in answered


def test_a_request_over_the_limit_is_refused_with_the_way_round(start):
    _, client = start("--max-unary-bytes=64KiB")
    code, details = client.refusal(api.request(np.zeros((1, 20_000)), [api.row(seed=1)]))
    assert code == CODE.RESOURCE_EXHAUSTED
    for word in ("65536", "--max-unary-bytes", "fewer rows"):
        assert word in details
    fitting = api.request(np.zeros((1, 10_000)), [api.row(seed=1)])
    assert list(client.sample(fitting).outcomes) == [api.OK]
    assert client.capabilities().limits.max_unary_bytes == 65536
    # Far beyond it, gRPC's own limit answers; the code is the same and the server lives on.
    code, _ = client.refusal(api.request(np.zeros((1, 2 ** 19)).repeat(12, 0), [api.row(seed=1)]))
    assert code == CODE.RESOURCE_EXHAUSTED
    assert list(client.sample(fitting).outcomes) == [api.OK]


def test_a_deadline_of_a_millisecond_is_ordinary_traffic(server, client):
    """200 calls from 8 threads that nobody waits for; then everything is as before."""
    message = api.request(np.zeros((16, 50_000), np.float32),
                          [api.row(seed=r) for r in range(16)])
    before = api.result_bytes(client.sample(message))

    def impatient(_):
        try:
            client.sample(message, timeout=0.001)
            return CODE.OK
        except grpc.RpcError as error:
            return error.code()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        codes = set(pool.map(impatient, range(200)))
    assert codes <= {CODE.DEADLINE_EXCEEDED, CODE.CANCELLED, CODE.OK}
    assert codes & {CODE.DEADLINE_EXCEEDED, CODE.CANCELLED}
    assert api.result_bytes(client.sample(message)) == before
    assert server.process.poll() is None


def test_a_call_that_is_cancelled_leaves_its_room(start):
    """One call may be in flight: after cancelled ones, the next is admitted again."""
    _, client = start("--max-inflight-calls=1")
    message = api.request(np.zeros((16, 50_000), np.float32),
                          [api.row(seed=r) for r in range(16)])
    for _ in range(20):
        call = client.stub.SampleTokens.future(message)
        time.sleep(0.003)
        call.cancel()
    deadline = time.monotonic() + program.PATIENCE_S
    while True:
        try:
            assert list(client.sample(valid()).tokens) == [1]
            return
        except grpc.RpcError as error:
            assert error.code() == CODE.RESOURCE_EXHAUSTED, error.details()
            assert time.monotonic() < deadline, "cancelled calls still hold their room"
        time.sleep(0.02)


def test_parallel_callers_get_their_own_answers(client):
    messages = [api.request(np.roll(np.arange(3000) % 61, s), [api.row(seed=s)])
                for s in range(40)]
    alone = [api.result_bytes(client.sample(message)) for message in messages]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda m: api.result_bytes(client.sample(m)), messages * 5))
    assert together == alone * 5
