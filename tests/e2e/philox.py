"""Philox4x32-10 (Salmon et al. 2011) in plain Python, and the draw that it makes of a row.

Written from the contract, to judge the server: the word of a draw is the first two of
Philox(key = seed, counter = (position, stream, purpose 0, sample)), the first lowest.
"""

MASK = 0xFFFFFFFF


def philox(seed, counter):
    """Four 32-bit words."""
    k0, k1 = seed & MASK, seed >> 32
    c0, c1, c2, c3 = counter
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & MASK, (p0 >> 32) ^ c3 ^ k1, p0 & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


def word(seed, position=0, stream=0, sample=0):
    """The 64-bit word of a draw."""
    low, high, _, _ = philox(seed, (position, stream, 0, sample))
    return low | high << 32


def draw(weights, random_word):
    """The first id whose inclusive integer weight exceeds random_word * total / 2^64."""
    remaining = random_word * sum(weights) >> 64
    for token, weight in enumerate(weights):
        if remaining < weight:
            return token
        remaining -= weight
    raise AssertionError("no id: the word is not below 2^64")


# Found by search: words at the ends of [0, 2^64).
SEED_OF_LARGEST_WORD = 34408659  # 1 - word / 2^64 is 8.5e-9
SEED_OF_SMALLEST_WORD = 10710051  # word / 2^64 is 1.3e-8
