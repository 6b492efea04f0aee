"""bfloat16 in numpy, which has no such type: uint16 arrays of the upper halves of binary32."""

import numpy as np


def from_float32(values):
    """Rounds float32 to the nearest bfloat16, ties to even. The values must not be NaN."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    upper_is_odd = (bits >> np.uint32(16)) & np.uint32(1)
    return ((bits + np.uint32(0x7FFF) + upper_is_odd) >> np.uint32(16)).astype(np.uint16)


def to_float32(bits):
    return (np.asarray(bits, dtype=np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)
