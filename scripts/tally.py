"""Sums test reports: prints why each test was skipped, which failed, and one closing line.

    tally.py FOLDER    with *.xml from `ctest --output-junit` and `steps`, lines of "passed NAME"
                       or "failed NAME"

A program that runs many cases (GoogleTest, pytest) counts with each of them.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

GTEST_RAN = re.compile(r"^\[==========\] (\d+) tests? from \d+ test suites? ran\.", re.M)
GTEST_PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.M)
GTEST_FAILED = re.compile(r"^\[  FAILED  \] (\d+) tests?, listed below", re.M)
GTEST_SKIPPED = re.compile(r"^\[  SKIPPED \] (\d+) tests?, listed below", re.M)
GTEST_SKIP = re.compile(r"^(\S*?:\d+: Skipped\n.*?)^\[  SKIPPED \] (\S+) \(\d+ ms\)", re.M | re.S)
PYTEST_CLOSING = re.compile(r"^=*\s*(\d+ (?:passed|failed|skipped|error)[^=\n]* in [\d.]+s.*)$", re.M)
PYTEST_SKIP = re.compile(r"^SKIPPED \[\d+\] (.*)$", re.M)


def first(pattern, text):
    found = pattern.search(text)
    return int(found.group(1)) if found else 0


def count(case, output):
    """(passed, failed, skipped) of one ctest test, from its own cases where it prints them."""
    status = case.get("status")
    if GTEST_RAN.search(output):
        failed = first(GTEST_FAILED, output)
        if status == "fail" and failed == 0:
            failed = 1  # every case passed but the program did not: a leak, a race, a crash at exit
        return first(GTEST_PASSED, output), failed, first(GTEST_SKIPPED, output)
    closing = PYTEST_CLOSING.findall(output)
    if closing:
        words = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", closing[-1])}
        failed = words.get("failed", 0) + words.get("error", 0) + words.get("errors", 0)
        if status == "fail":
            failed = max(failed, 1)
        return words.get("passed", 0), failed, words.get("skipped", 0)
    if status == "run":
        return 1, 0, 0
    if status in ("notrun", "disabled"):
        # ctest also calls "notrun" what it could not start: a program that was not built.
        skipped = case.find("skipped")
        missing = (skipped is not None and
                   skipped.get("message", "").startswith("Unable to find executable"))
        return (0, 1, 0) if missing else (0, 0, 1)
    return 0, 1, 0


def skip_reasons(output):
    for text, name in GTEST_SKIP.findall(output):
        yield f"{name}: {' '.join(text.split('Skipped', 1)[1].split())}"
    yield from PYTEST_SKIP.findall(output)


def read_report(path):
    """Prints the skips and failures of one report; returns its (passed, failed, skipped)."""
    totals = [0, 0, 0]
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        counts = count(case, output)
        totals = [a + b for a, b in zip(totals, counts)]
        where = f"{path.stem}: {case.get('name')}"
        if counts[1]:
            print(f"FAILED  {where}")
        if counts[2]:
            reasons = list(skip_reasons(output))
            if not reasons:
                lines = output.strip().splitlines()
                skipped = case.find("skipped")
                reasons = [lines[-1] if lines else "" if skipped is None else skipped.get("message", "")]
            for reason in reasons:
                print(f"SKIPPED {where}: {reason or 'NO REASON GIVEN'}")
    return totals


def main(folder):
    totals = [0, 0, 0]
    for path in sorted(folder.glob("*.xml")):
        totals = [a + b for a, b in zip(totals, read_report(path))]
    steps = folder / "steps"
    for line in steps.read_text().splitlines() if steps.exists() else []:
        verdict, name = line.split(" ", 1)
        totals[0 if verdict == "passed" else 1] += 1
        if verdict != "passed":
            print(f"FAILED  {name}")
    passed, failed, skipped = totals
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
