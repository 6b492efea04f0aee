"""A small client of Tessera: float32 logits [B, V] in, one token per row out."""

import grpc
import numpy as np

import stubs

chain_pb2, row_pb2, sampling_pb2, tensor_pb2, service_pb2_grpc = stubs.load(
    "chain_pb2", "row_pb2", "sampling_pb2", "tensor_pb2", "sampler_service_pb2_grpc"
)


def parse_chain(text):
    """Builds a SamplerChain from text such as `temperature=0.7,top_k=50,top_p=0.9` or `greedy`."""
    stages = chain_pb2.SamplerStage.DESCRIPTOR.fields_by_name
    chain = chain_pb2.SamplerChain()
    for item in filter(None, text.split(",")):
        name, _, value = item.strip().partition("=")
        if name not in stages:
            raise ValueError(f"chain has the stage {name!r}; it must be one of {', '.join(stages)}")
        stage = getattr(chain.stages.add(), name)
        stage.SetInParent()
        parameters = stages[name].message_type.fields
        if not parameters:
            if value:
                raise ValueError(f"chain has {item!r}; {name} takes no value")
            continue
        number = parameters[0]  # a stage's number is its first field
        if number.cpp_type not in (number.CPPTYPE_INT32, number.CPPTYPE_DOUBLE):
            raise ValueError(f"chain has {item!r}; this example spells only stages of one number")
        whole = number.cpp_type == number.CPPTYPE_INT32
        setattr(stage, number.name, int(value) if whole else float(value))
    return chain


class Sampler:
    """A connection to one server and the chain that all rows use.

    Tessera keeps nothing between calls: what makes a draw repeatable, the seed and the position of
    the token in its sequence, travels with every row. So a call may be retried as it is.
    """

    def __init__(self, address, chain, timeout_seconds=30):
        self._channel = grpc.insecure_channel(address)
        self._stub = service_pb2_grpc.SamplerServiceStub(self._channel)
        self._chain = parse_chain(chain)
        self._timeout = timeout_seconds

    def close(self):
        self._channel.close()

    def draw(self, logits, seeds, positions, streams=None):
        """Draws one token for each row of `logits`, in the order of the rows.

        `streams` set apart draws of the same seed and position; 0 each unless given. One row of
        logits may serve many seeds.
        """
        logits = np.ascontiguousarray(logits, dtype="<f4")
        rows, columns = logits.shape
        streams = [0] * len(seeds) if streams is None else streams
        first = [{"logits_row": 0} if rows == 1 else {}] * len(seeds)
        request = sampling_pb2.SampleTokensRequest(
            vocab_size=columns,
            chains=[self._chain],
            rows=[
                row_pb2.SampleRow(chain=0, seed=seed, position=position, stream=stream, **where)
                for seed, position, stream, where in zip(
                    seeds, positions, streams, first, strict=True
                )
            ],
            logits=[
                tensor_pb2.Tensor(
                    element_type=tensor_pb2.ELEMENT_TYPE_FLOAT32,
                    rows=rows,
                    columns=columns,
                    inline_bytes=logits.tobytes(),
                )
            ],
        )
        response = self._stub.SampleTokens(request, timeout=self._timeout, wait_for_ready=True)
        if response.errors:
            lines = (f"row {error.row}: {error.message}" for error in response.errors)
            raise RuntimeError("; ".join(lines))
        return list(response.tokens)
