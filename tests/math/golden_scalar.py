"""Writes golden_scalar_table.h: logarithms, powers and ceilings by decimals and fractions.

Only points whose exact value lies well away from the middle of two doubles are kept, so that the
nearest double is the one answer that an implementation with errors below 0.6 units may give.

    golden_scalar.py FILE           writes FILE
    golden_scalar.py --check FILE   fails unless FILE is what would be written
"""

import math
import random
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
LN_2 = Decimal(2).ln()


def sure(value):
    """Whether a decimal is at least 0.1 units away from the middle of two doubles."""
    nearest = float(value)
    unit = Decimal(math.ulp(nearest))
    return abs(value - Decimal(nearest)) <= unit * Decimal("0.4")


def points(draw, count, make):
    found = []
    while len(found) < count:
        arguments, value = make(draw)
        if sure(value):
            found.append((*arguments, float(value)))
    return found


def log_point(draw):
    x = draw.uniform(0.5, 2) * 2.0 ** draw.choice([0, 0, -1, 1, 19, 44, 63, -60, -1030, 900])
    return (x,), Decimal(x).ln()


def log2_point(draw):
    (x,), value = log_point(draw)
    return (x,), value / LN_2


def exp_point(draw):
    x = draw.uniform(-1, 1) * draw.choice([1e-9, 0.1, 1, 40, 700])
    return (x,), Decimal(x).exp()


def pow_point(draw):
    x = draw.uniform(0.01, 30)
    y = draw.uniform(-1, 1) * min(40 / abs(math.log(x)), 50)
    return (x, y), (Decimal(x).ln() * Decimal(y)).exp()


def ceil_cases():
    draw = random.Random(20242)
    edges = [0.0, 1.0, 0.375, 0.5, 0.1, 1 - 2.0**-53, 2.0**-64, 2.0**-52, 2.0**-44, 2.0**-1022]
    edges += [5e-324, 3 * 5e-324, 2.0**-63, 2.0**-116, 2.0**-117, 2.0**-11 * (1 + 2.0**-52)]
    weights = [0, 1, 2, 3, 7, 8, 2**44, 2**44 - 1, 2**53 + 1, 2**63, 2**64 - 1]
    cases = [(p, w) for p in edges for w in weights]
    for _ in range(400):
        p = draw.random() * 2.0 ** -draw.choice([0, 0, 1, 10, 11, 12, 40, 63, 64, 65, 116, 200])
        cases.append((p, draw.getrandbits(draw.randrange(1, 65))))
    # p * w is a whole number: rounding up must not add one.
    for _ in range(100):
        denominator = 2 ** draw.randrange(1, 50)
        w = denominator * draw.randrange(1, 2**12)
        cases.append((draw.randrange(denominator + 1) / denominator, w))
    return [(p, w, math.ceil(Fraction(p) * w)) for p, w in cases]


def array(kind, name, rows):
    lines = ["inline constexpr %s %s[] = {" % (kind, name)]
    lines += ["    {%s}," % ", ".join(row) for row in rows]
    return lines + ["};"]


def hexes(rows):
    return [[value.hex() for value in row] for row in rows]


def table():
    draw = random.Random(20243)
    lines = [
        "// Written by golden_scalar.py; do not edit.",
        "#ifndef TESSERA_TESTS_MATH_GOLDEN_SCALAR_TABLE_H_",
        "#define TESSERA_TESTS_MATH_GOLDEN_SCALAR_TABLE_H_",
        "",
        "#include <cstdint>",
        "",
        "// clang-format off",
        "namespace tessera {",
        "",
        "struct GoldenUnary { double x, result; };",
        "struct GoldenPower { double x, y, result; };",
        "struct GoldenCeiling { double p; uint64_t w, result; };  // ceil(p * w)",
        "",
    ]
    lines += array("GoldenUnary", "kGoldenLogs", hexes(points(draw, 60, log_point)))
    lines += array("GoldenUnary", "kGoldenLog2s", hexes(points(draw, 60, log2_point)))
    lines += array("GoldenUnary", "kGoldenExps", hexes(points(draw, 60, exp_point)))
    lines += array("GoldenPower", "kGoldenPowers", hexes(points(draw, 60, pow_point)))
    ceilings = [[p.hex(), "0x%Xu" % w, "0x%Xu" % result] for p, w, result in ceil_cases()]
    lines += array("GoldenCeiling", "kGoldenCeilings", ceilings)
    lines += ["", "}  // namespace tessera", "// clang-format on", ""]
    lines += ["#endif  // TESSERA_TESTS_MATH_GOLDEN_SCALAR_TABLE_H_", ""]
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
    print(arguments[1] + " is not what golden_scalar.py writes")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
