"""Writes golden_weight_table.h: weights and distances by exact rational arithmetic.

An oracle written from the definition, not from the C++: every value is a fraction, every rounding
is spelled out. It uses M = 1.5 * 2^23, without the 171 that the C++ adds, and no clamp of d.

    golden_weight.py FILE           writes FILE
    golden_weight.py --check FILE   fails unless FILE is what would be written
"""

import random
import struct
import sys
from fractions import Fraction

MINUS_INF = None
LOG2_E = Fraction(float.fromhex("0x1.71547652b82fep+0"))
MAGIC = Fraction(3 * 2**22)
COEFFICIENTS = [
    Fraction(float.fromhex(text))
    for text in (
        "0x1.6a09e4p-1",
        "0x1.f5e5a6p-2",
        "0x1.5bc5a6p-3",
        "0x1.436c98p-5",
        "0x1.a080c2p-8",
        "0x1.5bba14p-10",
    )
]


def nearest_integer(x):
    """Ties to even."""
    floor = x.numerator // x.denominator
    rest = x - floor
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1):
        return floor + 1
    return floor


def rounded(x, digits=24, lowest=-149):
    """x rounded to binary floating point with subnormals; MINUS_INF beyond the largest float."""
    if x == 0:
        return Fraction(0)
    magnitude = abs(x)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - digits + 1, lowest)
    result = nearest_integer(x / unit) * unit
    if digits == 24 and abs(result) >= 2**128:
        assert result < 0
        return MINUS_INF
    return result


def bits(x):
    """The binary32 bits of a fraction that is a float."""
    if x is MINUS_INF:
        return 0xFF800000
    assert rounded(x) == x
    return struct.unpack("<I", struct.pack("<f", float(x)))[0]


def float_of(pattern):
    return Fraction(struct.unpack("<f", struct.pack("<I", pattern))[0])


def inverse_temperature(temperature):
    return rounded(rounded(LOG2_E / temperature, digits=53, lowest=-1074))


def difference(y, y_max):
    return MINUS_INF if y is MINUS_INF else rounded(y - y_max)


def weight(y, y_max, c):
    d = difference(y, y_max)
    if d is MINUS_INF or d * c < -150:
        return 0
    n = rounded(d * c + MAGIC) - MAGIC
    g = rounded(rounded(d * c - n) + Fraction(1, 2))
    p = COEFFICIENTS[5]
    for coefficient in reversed(COEFFICIENTS[:5]):
        p = rounded(p * g + coefficient)
    return nearest_integer(Fraction(2) ** int(44 + n) * p)


def distance(y, y_max, c):
    d = difference(y, y_max)
    if d is MINUS_INF or d * c < -150:
        return 44 << 20
    return min(nearest_integer(-rounded(d * c) * 2**20), 44 << 20)


def weight_cases():
    draw = random.Random(20240)
    temperatures = [Fraction(1), Fraction(float(0.7)), Fraction(float(0.1)), Fraction(2)]
    temperatures += [Fraction(5), Fraction(float(1e-3)), Fraction(2) ** -100, Fraction(2) ** 100]
    maxima = [0.0, 3.5, -1e9, 12.375, 65504.0, 2.0**-140, 1e30]
    for temperature in temperatures:
        c = inverse_temperature(temperature)
        for y_max in (rounded(Fraction(value)) for value in maxima):
            ys = [y_max, MINUS_INF, rounded(y_max - 200 / c)]
            ys += [rounded(y_max - Fraction(draw.uniform(0, 46)) / c) for _ in range(8)]
            for y in ys:
                if y is not MINUS_INF:
                    yield temperature, y_max, y
    # c = 1: whole octaves, the exact ties between two octaves, and the floats next to both.
    for half_octaves in range(0, 96):
        pattern = bits(Fraction(-half_octaves, 2))
        yield LOG2_E, Fraction(0), float_of(pattern)
        if half_octaves:
            yield LOG2_E, Fraction(0), float_of(pattern + 1)
            yield LOG2_E, Fraction(0), float_of(pattern - 1)
    yield Fraction(1), Fraction(0), MINUS_INF
    # y - y_max overflows.
    yield Fraction(2) ** 100, float_of(0x7F7FFFFF), float_of(0xFF7FFFFF)


def penalty_cases():
    """y - f * count where a fused evaluation would give other bits."""
    draw = random.Random(20241)
    found = 0
    while found < 32:
        y = rounded(Fraction(draw.uniform(-20, 20)))
        f = rounded(Fraction(draw.uniform(-2, 2)))
        count = Fraction(draw.randrange(2, 1000))
        separate = rounded(y - rounded(f * count))
        if separate != rounded(y - f * count):
            found += 1
            yield y, f, count, separate


def table():
    lines = [
        "// Written by golden_weight.py; do not edit.",
        "#ifndef TESSERA_TESTS_MATH_GOLDEN_WEIGHT_TABLE_H_",
        "#define TESSERA_TESTS_MATH_GOLDEN_WEIGHT_TABLE_H_",
        "",
        "#include <cstdint>",
        "",
        "// clang-format off",
        "namespace tessera {",
        "",
        "struct GoldenWeight {",
        "  double temperature;",
        "  uint32_t c, y_max, y;  // bits of binary32",
        "  uint64_t weight;",
        "  uint32_t distance;",
        "};",
        "inline constexpr GoldenWeight kGoldenWeights[] = {",
    ]
    for temperature, y_max, y in weight_cases():
        c = inverse_temperature(temperature)
        lines.append(
            "    {%s, 0x%08Xu, 0x%08Xu, 0x%08Xu, 0x%Xu, 0x%Xu},"
            % (
                float(temperature).hex(),
                bits(c),
                bits(y_max),
                bits(y),
                weight(y, y_max, c),
                distance(y, y_max, c),
            )
        )
    lines += [
        "};",
        "",
        "// y - f * count, the product rounded before the difference. All binary32 bits.",
        "struct GoldenPenalty {",
        "  uint32_t y, f, count, result;",
        "};",
        "inline constexpr GoldenPenalty kGoldenPenalties[] = {",
    ]
    for case in penalty_cases():
        lines.append("    {0x%08Xu, 0x%08Xu, 0x%08Xu, 0x%08Xu}," % tuple(map(bits, case)))
    lines += ["};", "", "}  // namespace tessera", "// clang-format on", ""]
    lines += ["#endif  // TESSERA_TESTS_MATH_GOLDEN_WEIGHT_TABLE_H_", ""]
    return "\n".join(lines)


def main(arguments):
    text = table()
    if arguments[0] != "--check":
        with open(arguments[0], "w", encoding="ascii") as file:
            file.write(text)
        return 0
    with open(arguments[1], encoding="ascii") as file:
        if file.read() == text:
            return 0
    print(arguments[1] + " is not what golden_weight.py writes")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
