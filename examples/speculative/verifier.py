"""A small client of VerifyDrafts: drafted tokens and logits in, the tokens to keep out."""

from typing import NamedTuple

import grpc
import numpy as np

import stubs
from sampler import parse_chain

row_pb2, tensor_pb2, verification_pb2, service_pb2_grpc = stubs.load(
    "row_pb2", "tensor_pb2", "verification_pb2", "sampler_service_pb2_grpc"
)

METHODS = {
    "TOKEN": verification_pb2.VERIFICATION_METHOD_TOKEN,
    "BLOCK": verification_pb2.VERIFICATION_METHOD_BLOCK,
}
REQUEST_BYTES = 56 << 20  # of logits; the server's own limit is --max-unary-mib


class Step(NamedTuple):
    """One sequence at one target step."""

    seed: int
    position: int  # of the first draft in its sequence
    drafts: list  # token ids
    target: np.ndarray  # float32 [drafts + 1, V]: before each draft, and after the last
    draft: np.ndarray | None  # float32 [drafts, V] that drafts were drawn from; None: one-hot


class Emitted(NamedTuple):
    tokens: list  # accepted drafts and the one token after them
    accepted: int


def _tensor(blocks, columns):
    rows = np.concatenate(blocks) if blocks else np.empty((0, columns), np.float32)
    return tensor_pb2.Tensor(
        element_type=tensor_pb2.ELEMENT_TYPE_FLOAT32,
        rows=len(rows),
        columns=columns,
        inline_bytes=np.ascontiguousarray(rows, dtype="<f4").tobytes(),
    )


class Verifier:
    """A connection to one server, the target's chain, the drafter's chain and a method."""

    def __init__(self, address, method, chain, draft_chain, timeout_seconds=60):
        self._channel = grpc.insecure_channel(address)
        self._stub = service_pb2_grpc.SamplerServiceStub(self._channel)
        self._method = METHODS[method]
        self._chains = [parse_chain(chain), parse_chain(draft_chain)]
        self._timeout = timeout_seconds

    def close(self):
        self._channel.close()

    def verify(self, steps):
        """Returns an Emitted for each Step. Steps of any lengths share a request."""
        emitted, part, size = [], [], 0
        for step in steps:
            size += step.target.nbytes + (0 if step.draft is None else step.draft.nbytes)
            if part and size > REQUEST_BYTES:
                emitted += self._call(part)
                part, size = [], step.target.nbytes + len(step.drafts) * step.target[0].nbytes
            part.append(step)
        return emitted + (self._call(part) if part else [])

    def _sequence(self, step, first_row):
        sequence = verification_pb2.DraftSequence(
            method=self._method,
            target=row_pb2.SampleRow(chain=0, seed=step.seed, position=step.position),
            draft_ids=step.drafts,
        )
        if step.draft is None:
            sequence.one_hot.SetInParent()
        else:
            sequence.draft_logits.chain = 1
            sequence.draft_logits.first_row = first_row
        return sequence

    def _call(self, steps):
        columns = steps[0].target.shape[1]
        sequences, draft_rows, first_row = [], [], 0
        for step in steps:
            sequences.append(self._sequence(step, first_row))
            if step.draft is not None and len(step.draft) > 0:
                draft_rows.append(step.draft)
                first_row += len(step.draft)
        request = verification_pb2.VerifyDraftsRequest(
            vocab_size=columns,
            chains=self._chains,
            sequences=sequences,
            target_logits=[_tensor([step.target for step in steps], columns)],
        )
        if draft_rows:
            request.draft_logits.append(_tensor(draft_rows, columns))
        response = self._stub.VerifyDrafts(request, timeout=self._timeout, wait_for_ready=True)
        if response.errors:
            lines = (f"sequence {error.row}: {error.message}" for error in response.errors)
            raise RuntimeError("; ".join(lines))
        return [
            Emitted(
                list(response.tokens[response.token_offsets[s] : response.token_offsets[s + 1]]),
                response.accepted_offsets[s + 1] - response.accepted_offsets[s],
            )
            for s in range(len(steps))
        ]
