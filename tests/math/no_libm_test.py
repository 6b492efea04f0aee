"""Fails when a source under the given folder calls libm for anything but sqrt and fma.

libm's last bits differ between versions and machines; kernels/math has its own functions.
Comments and strings are ignored. Classification (isnan, isfinite, ...) is allowed.
"""

import pathlib
import re
import sys

FUNCTIONS = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1
fabs fdim floor fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2
logb lrint lround modf nearbyint nextafter nexttoward pow remainder remquo rint round scalbln
scalbn sin sincos sinh tan tanh tgamma trunc
""".split()
INTRINSICS = "__expf __exp10f __logf __log2f __log10f __powf __fdividef __frcp_approx".split()
CALL = re.compile(
    r"(?<![\w.>])(?:(?:std)?::|__builtin_)?(?:(?:%s)[fl]?|%s)\s*\("
    % ("|".join(FUNCTIONS), "|".join(INTRINSICS))
)
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

CAUGHT = ["y = std::exp(x);", "::log2f (x)", "return pow(x, 2);", "__expf(x)", "__builtin_exp(x)"]
PASSED = ["Exp(x)", "// exp(x)", '"log(x)"', "std::fma(a, b, c)", "std::sqrt(x)", "my_exp(x)"]
PASSED += ["std::isfinite(x)", "row.round(x)", "hn::Round(x)", "/* pow(x,\n2) */"]


def calls(text):
    """(line, call) pairs."""
    blanked = IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for match in CALL.finditer(blanked):
        yield blanked.count("\n", 0, match.start()) + 1, match.group()


def main(folder):
    assert all(list(calls(text)) for text in CAUGHT), "a planted call was missed"
    assert not any(list(calls(text)) for text in PASSED), "an allowed call was reported"
    suffixes = {".h", ".cc", ".cu", ".cuh"}
    files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix in suffixes)
    assert len(files) > 10, "no sources under " + folder
    found = 0
    for path in files:
        for line, call in calls(path.read_text(encoding="utf-8")):
            print("%s:%d: %s...) is libm's; use kernels/math" % (path, line, call))
            found += 1
    print("%d files, %d calls of libm" % (len(files), found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
