"""Compares what `tessera sample --json` printed for scripts/demo; says what was found equal.

    demo_compare.py repeated FIRST SECOND    two runs of one request
    demo_compare.py alone BATCH ALONE        a batch, and a request with one of its rows

Exit status 1 when they differ.
"""

import hashlib
import json
import sys


def read(path):
    """The answer without `execution`, which tells how long it took and is no part of it."""
    with open(path, encoding="utf-8") as file:
        answer = json.load(file)
    del answer["execution"]
    return answer


def digest(answer):
    return hashlib.sha256(json.dumps(answer, sort_keys=True).encode()).hexdigest()[:16]


def tokens(answer):
    return ", ".join(str(token) for row in answer["rows"] for token in row["tokens"])


def repeated(first, second):
    for name, answer in (("first", first), ("second", second)):
        print(f"{name:>6} run: tokens {tokens(answer)}; everything answered, SHA-256 {digest(answer)}")
    return first == second


def alone(batch, single):
    row = single["rows"][0]
    [same] = [r for r in batch["rows"] if r["row"] == row["row"]]
    batch_of = f"in a batch of {len(batch['rows'])}"
    for name, found in ((batch_of, same), ("alone", row)):
        print(f"row {found['row']} {name:>16}: token {found['tokens'][0]}, SHA-256 {digest(found)}")
    return same == row


def main():
    comparison = {"repeated": repeated, "alone": alone}[sys.argv[1]]
    if comparison(read(sys.argv[2]), read(sys.argv[3])):
        print("The same, log-probabilities to the last bit.")
        return 0
    print("They differ. That is a fault: please report it.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
