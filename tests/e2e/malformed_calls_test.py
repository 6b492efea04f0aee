"""Requests that cannot be read, one fault each: sizes, types, tensors, limits.

Every refusal fails the call and names the field, its value and what is accepted; nothing leaks into
the next call.
"""

import grpc
import numpy as np
import pytest

import api

INVALID = grpc.StatusCode.INVALID_ARGUMENT
UNIMPLEMENTED = grpc.StatusCode.UNIMPLEMENTED
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
MAX64 = 2**63 - 1


def valid():
    """Two rows of four logits, one grammar row: what every fault below is a change of."""
    return api.request([[1, 2, 3, 0], [0, 1, 0, 5]], [api.row(seed=1), api.row(seed=2)],
                       [api.chain(temperature=0.5, top_k=3)],
                       grammar=api.tensor(np.array([[15]], np.uint32), "uint32"))


def tensor_of(request, **fields):
    for name, value in fields.items():
        setattr(request.logits[0], name, value)


def grammar_of(request, **fields):
    for name, value in fields.items():
        setattr(request.grammar, name, value)


def logits_of(**fields):
    return lambda request: tensor_of(request, **fields)


def masks_of(**fields):
    return lambda request: grammar_of(request, **fields)


def copies(field, count):
    def change(request):
        one = getattr(request, field)[0]
        getattr(request, field).extend([one] * (count - len(getattr(request, field))))
    return change


def region(request):
    request.logits[0].shared_memory.arena_id = 3


def cuda_region(request):
    request.logits[0].cuda_memory.arena_id = 3


CALLS = {
    "no logits": (lambda r: r.ClearField("logits"), INVALID, ["logits is absent"]),
    "two slices": (copies("logits", 2), UNIMPLEMENTED, ["logits holds 2", "one"]),
    "no type": (logits_of(element_type=0), INVALID,
                ["logits[0].element_type is 0", "FLOAT32, FLOAT16 or BFLOAT16"]),
    "unknown type": (logits_of(element_type=77), INVALID, ["logits[0].element_type is 77"]),
    "integers as logits": (logits_of(element_type=4), INVALID, ["logits[0].element_type is 4"]),
    "fewer bytes": (logits_of(inline_bytes=b"x" * 31), INVALID,
                    ["logits[0].inline_bytes holds 31 bytes", "need 32"]),
    "more bytes": (logits_of(inline_bytes=b"x" * 33), INVALID,
                   ["logits[0].inline_bytes holds 33 bytes", "need 32"]),
    "no bytes": (lambda r: r.logits[0].ClearField("inline_bytes"), INVALID,
                 ["logits[0].inline_bytes holds 0 bytes", "need 32"]),
    "half as wide a type": (logits_of(element_type=2), INVALID,
                            ["logits[0].inline_bytes holds 32 bytes", "need 16"]),
    "negative rows": (logits_of(rows=-1), INVALID, ["logits[0].rows is -1", "at least 0"]),
    "least rows": (logits_of(rows=-MAX64 - 1), INVALID, [f"logits[0].rows is {-MAX64 - 1}"]),
    "most rows": (logits_of(rows=MAX64), INVALID, [f"logits[0].rows is {MAX64}", "2^63"]),
    "rows that wrap to 32 bytes": (logits_of(rows=2 + 2**60), INVALID, [str(2 + 2**60)]),
    "no columns": (logits_of(columns=0), INVALID, ["logits[0].columns is 0", "at least 1"]),
    "negative columns": (logits_of(columns=-4), INVALID, ["logits[0].columns is -4"]),
    "most columns": (logits_of(columns=MAX64), INVALID, [f"logits[0].columns is {MAX64}"]),
    "columns that wrap to 4": (logits_of(columns=2**62 + 4), INVALID, [str(2**62 + 4)]),
    "too many columns": (logits_of(rows=1, columns=2**19 + 1,
                                   inline_bytes=b"\0" * 4 * (2**19 + 1)), INVALID,
                         [f"logits[0].columns is {2**19 + 1}", f"at most {2**19}"]),
    "stride below a row": (logits_of(row_stride_bytes=12), INVALID,
                           ["logits[0].row_stride_bytes is 12", "multiple of 4", "at least 16"]),
    "odd stride": (logits_of(row_stride_bytes=17), INVALID,
                   ["logits[0].row_stride_bytes is 17", "multiple of 4"]),
    "negative stride": (logits_of(row_stride_bytes=-16), INVALID,
                        ["logits[0].row_stride_bytes is -16"]),
    "large stride": (logits_of(row_stride_bytes=MAX64 - 3), INVALID, [str(MAX64 - 3)]),
    "stride beyond the bytes": (logits_of(row_stride_bytes=32), INVALID,
                                ["logits[0].inline_bytes holds 32 bytes", "need 48"]),
    "shared memory": (region, UNIMPLEMENTED, ["logits[0].shared_memory", "inline_bytes"]),
    "CUDA memory": (cuda_region, UNIMPLEMENTED, ["logits[0].cuda_memory", "inline_bytes"]),
    "no vocabulary": (lambda r: r.ClearField("vocab_size"), INVALID,
                      ["vocab_size is 0", "[1, 4]"]),
    "vocabulary beyond columns": (lambda r: setattr(r, "vocab_size", 5), INVALID,
                                  ["vocab_size is 5", "[1, 4]"]),
    "largest vocabulary": (lambda r: setattr(r, "vocab_size", 2**32 - 1), INVALID,
                           [f"vocab_size is {2**32 - 1}", "[1, 4]"]),
    "float grammar": (masks_of(element_type=1), INVALID,
                      ["grammar.element_type is 1", "INT32 or UINT32"]),
    "short grammar bytes": (masks_of(inline_bytes=b"abc"), INVALID,
                            ["grammar.inline_bytes holds 3 bytes", "need 4"]),
    "grammar of no words": (masks_of(columns=0, inline_bytes=b""), INVALID,
                            ["grammar.columns is 0"]),
    "most grammar rows": (masks_of(rows=MAX64), INVALID, [f"grammar.rows is {MAX64}"]),
    "too many rows": (copies("rows", 4097), EXHAUSTED, ["rows holds 4097", "at most 4096"]),
    "too many chains": (copies("chains", 4097), EXHAUSTED, ["chains holds 4097", "at most 4096"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_fault_of_the_request_fails_the_call(client, name):
    change, code, words = CALLS[name]
    message = valid()
    change(message)
    got, details = client.refusal(message)
    assert got == code, details
    for word in words:
        assert word in details
    assert list(client.sample(valid()).outcomes) == [api.OK, api.OK], "the next call succeeds"


def test_a_grammar_narrower_than_the_vocabulary_names_the_words_it_needs(client):
    message = api.request(np.zeros((1, 65)), [api.row(seed=1, grammar_row=0)],
                          grammar=api.tensor(np.zeros((1, 2), np.uint32), "uint32"))
    code, details = client.refusal(message)
    assert code == INVALID and "grammar.columns is 2; it must be at least 3" in details
