"""Prints how many tokens the nucleus of recorded rows holds, as Markdown tables.

    row_statistics.py ROWS.bf16 [MORE.bf16 ...]

The nucleus at (T, p) is the smallest prefix of the tokens in order (larger logit first, then lower
id) whose probability at temperature T reaches p. All sums are float64 over the recorded bf16
values. A program that gathers candidates by a threshold on the logit takes the whole group of
logits equal to the last one (bf16 has few values), so both counts are judged: nucleus, and nucleus
with ties.
"""

import argparse
import json

import numpy as np

import bf16

TEMPERATURES = (0.7, 1.0, 1.5)
MASSES = (0.9, 0.95)
BOUNDS = (1024, 4096)


def nucleus_sizes(row):
    """Returns {(T, p): (size, size with ties)} of one float32 row."""
    logits = np.sort(row.astype(np.float64))[::-1]
    sizes = {}
    for temperature in TEMPERATURES:
        cumulative = np.cumsum(np.exp((logits - logits[0]) / temperature))
        for mass in MASSES:
            size = int(np.searchsorted(cumulative, mass * cumulative[-1])) + 1
            ties = int(np.searchsorted(-logits, -logits[size - 1], side="right"))
            sizes[temperature, mass] = (size, ties)
    return sizes


def read(path):
    """Returns (bf16 bits [rows, vocabulary], provenance of each row)."""
    with open(path + ".json", encoding="utf-8") as listing:
        summary = json.load(listing)
    return np.memmap(path, dtype="<u2", mode="r", shape=tuple(summary["shape"])), summary["rows"]


def print_table(title, sizes):
    print(f"{title}\n")
    fits = " | ".join(f"nucleus <= {b:,} | with ties" for b in BOUNDS)
    print(f"| T | p | median | p90 | max | {fits} |")
    print("|---|---|---:|---:|---:|" + "---:|" * (2 * len(BOUNDS)))
    for temperature in TEMPERATURES:
        for mass in MASSES:
            plain, ties = np.array([row[temperature, mass] for row in sizes]).T
            middle, high = np.percentile(plain, [50, 90], method="higher")
            cells = [f"{middle:,}", f"{high:,}", f"{plain.max():,}"]
            for bound in BOUNDS:
                cells += [f"{100 * np.mean(n <= bound):.1f} %" for n in (plain, ties)]
            print(f"| {temperature} | {mass} | " + " | ".join(cells) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", nargs="+", help="a file that record_rows.py wrote")
    parser.add_argument("--groups", action="store_true", help="also one table per kind and source")
    arguments = parser.parse_args()
    for path in arguments.rows:
        bits, listing = read(path)
        sizes = [nucleus_sizes(bf16.to_float32(row)) for row in bits]
        print_table(f"### All {len(sizes):,} rows", sizes)
        if not arguments.groups:
            continue
        for field in ("kind", "source"):
            for value in sorted({row[field] for row in listing}):
                group = [s for s, row in zip(sizes, listing) if row[field] == value]
                print_table(f"### {len(group):,} rows whose {field} is {value}", group)


if __name__ == "__main__":
    main()
