"""Random rows of logits: the shapes that models give and the ones that hurt."""

import pathlib

import numpy as np

RECORDED = pathlib.Path(__file__).resolve().parents[1] / "data" / "gemma3_270m_16x262144.bf16"
RECORDED_WIDTH = 262144


def round_to_bf16(values):
    """The nearest values that bfloat16 holds, ties to even, as float32."""
    bits = np.ascontiguousarray(values, dtype="<f4").view("<u4").astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return rounded.astype("<u4").view("<f4")


def gaussian(rng, size):
    return rng.normal(0, rng.uniform(0.5, 4), size)


def zipf(rng, size):
    """Probability falls as a power of the rank; ids are shuffled, and a little noise added."""
    slope = rng.uniform(0.8, 2.5)
    logits = -slope * np.log(np.arange(size) + rng.uniform(1, 10))
    return rng.permutation(logits) + rng.normal(0, 0.1, size)


def peaked(rng, size):
    logits = rng.normal(0, 2, size)
    spikes = rng.integers(0, size, rng.integers(1, 6))
    logits[spikes] += rng.uniform(8, 25, len(spikes))
    return logits


def flat(rng, size):
    return rng.normal(0, rng.choice([1e-3, 0.05, 0.3]), size)


def tied(rng, size):
    """Few distinct values, all of them bfloat16's: nearly every cut meets a tie."""
    step = rng.choice([0.25, 0.125, 0.03125])
    return np.round(rng.normal(0, 2, size) / step) * step


class Recorded:
    """Rows of a real model; a narrower vocabulary takes their first columns."""

    def __init__(self, path=RECORDED):
        bits = np.memmap(path, dtype="<u2", mode="r")
        self.bits = bits.reshape(-1, RECORDED_WIDTH)

    def __call__(self, rng, size):
        row = self.bits[rng.integers(len(self.bits))][:size]
        return (row.astype("<u4") << 16).view("<f4")


def kinds(recorded_path=RECORDED):
    return {"gaussian": gaussian, "zipf": zipf, "peaked": peaked, "flat": flat, "tied": tied,
            "recorded": Recorded(recorded_path)}


def draw(rng, count, size, dtype, all_kinds):
    """[count, size] float32; with dtype "bf16" every value is exact in bfloat16."""
    names = list(all_kinds)
    rows = [all_kinds[names[rng.integers(len(names))]](rng, size) for _ in range(count)]
    logits = np.array(rows, dtype=np.float32) + np.float32(0)  # no -0
    return round_to_bf16(logits) if dtype == "bf16" else logits
