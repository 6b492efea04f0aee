"""Requests and answers of tessera.v1 in the terms of a test: arrays in, rows out."""

import os
import sys

import grpc
import numpy as np

sys.path.insert(0, os.environ["TESSERA_STUBS"])

from tessera.v1 import capabilities_pb2, chain_pb2, row_pb2, sampling_pb2, tensor_pb2  # noqa: E402
from tessera.v1 import sampler_service_pb2, sampler_service_pb2_grpc  # noqa: E402

RAW, RAW_MASKED, TEMPERED, PROCESSED = 1, 2, 3, 4
OK, INVALID_LOGITS, EMPTY_SUPPORT, INVALID_PARAMETERS = 1, 2, 3, 4
SERVICE = "tessera.v1.SamplerService"
BF16 = "bf16"
ELEMENT_TYPES = {"float32": 1, "float16": 2, BF16: 3, "int32": 4, "uint32": 5}


def to_bf16(values):
    """float32 values that bfloat16 holds exactly, as its 16 bits."""
    bits = np.ascontiguousarray(values, dtype="<f4").view("<u4")
    assert not (bits & 0xFFFF).any(), "not exact in bfloat16"
    return (bits >> 16).astype("<u2")


def tensor(values, dtype="float32", stride=0):
    """A Tensor of a matrix. bf16 takes floats that it holds exactly, or its bits as uint16."""
    values = np.atleast_2d(values)
    if dtype == BF16:
        data = values if values.dtype == np.uint16 else to_bf16(values)
    else:
        data = values.astype(np.dtype(dtype).newbyteorder("<"))
    rows, columns = data.shape
    return tensor_pb2.Tensor(element_type=ELEMENT_TYPES[dtype], rows=rows, columns=columns,
                             row_stride_bytes=stride, inline_bytes=data.tobytes())


def stage(name, **fields):
    """One SamplerStage: stage("top_k", k=5)."""
    one = chain_pb2.SamplerStage()
    getattr(one, name).SetInParent()
    getattr(one, name).MergeFrom(type(getattr(one, name))(**fields))
    return one


def preset(name, **parameters):
    """A chain that is an engine's sampler: preset("vllm-torch", top_p=0.9)."""
    values = {key: {"text": value} if isinstance(value, str) else {"number": value}
              for key, value in parameters.items()}
    chain = chain_pb2.SamplerChain(preset={"name": name})
    for key, value in values.items():
        chain.preset.parameters[key].MergeFrom(chain_pb2.PresetValue(**value))
    return chain


def chain(**numbers):
    """A chain in the order written: chain(temperature=0.7, top_k=50, greedy=True)."""
    field = {"temperature": "t", "top_k": "k", "top_p": "p", "min_p": "m",
             "repetition_penalty": "penalty", "frequency_penalty": "penalty",
             "presence_penalty": "penalty"}
    stages = [stage(name, **({field[name]: number} if name in field else {}))
              for name, number in numbers.items()]
    return chain_pb2.SamplerChain(stages=stages)


def row(**fields):
    """A SampleRow at position 0 unless said otherwise; allowed and history as plain dicts."""
    fields.setdefault("position", 0)
    return row_pb2.SampleRow(**fields)


def logprobs(*modes, top_n=0, entropy=(), rank_rule=0):
    return row_pb2.LogprobRequest(modes=modes, top_n=top_n, entropy_modes=entropy,
                                  rank_rule=rank_rule)


def request(logits, rows, chains=None, dtype="float32", vocab_size=None, **fields):
    """A SampleTokensRequest over one matrix; `chains` defaults to the empty chain."""
    matrix = logits if isinstance(logits, tensor_pb2.Tensor) else tensor(logits, dtype)
    return sampling_pb2.SampleTokensRequest(
        vocab_size=matrix.columns if vocab_size is None else vocab_size,
        chains=[chain_pb2.SamplerChain()] if chains is None else chains,
        rows=rows, logits=[matrix], **fields)


def result_bytes(response):
    """All of the response that is a function of the request: everything but `execution`."""
    copy = sampling_pb2.SampleTokensResponse()
    copy.CopyFrom(response)
    copy.ClearField("execution")
    return copy.SerializeToString(deterministic=True)


class Client:
    """A channel and what a test calls over it."""

    def __init__(self, address):
        self.channel = grpc.insecure_channel(address, options=[
            ("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1),
            ("grpc.use_local_subchannel_pool", 1)])
        self.stub = sampler_service_pb2_grpc.SamplerServiceStub(self.channel)

    def sample(self, message, timeout=60):
        return self.stub.SampleTokens(message, timeout=timeout)

    def capabilities(self):
        return self.stub.GetCapabilities(capabilities_pb2.GetCapabilitiesRequest(), timeout=30)

    def bytes_call(self, method, payload, timeout=30):
        """A unary call of raw bytes."""
        return self.channel.unary_unary(method)(payload, timeout=timeout)

    def refusal(self, message, timeout=60):
        """(code, details) of a call that must fail."""
        try:
            answer = self.sample(message, timeout)
        except grpc.RpcError as error:
            return error.code(), error.details()
        raise AssertionError(f"accepted: {answer}")

    def close(self):
        self.channel.close()
