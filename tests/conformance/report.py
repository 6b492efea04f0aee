"""The table of a run, for a terminal or for docs/semantics.md."""

import argparse
import dataclasses
import json
import types

import tallies

COUNTS = ("differ", "farthest", f"beyond {tallies.NEAR:g}", "explained", "unexplained",
          "law abs", "law rel", "same token")


def _share(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else ""


def merged(parts):
    """One Tally for several settings."""
    total = tallies.Tally()
    for tally in parts:
        total.rows += tally.rows
        total.same += tally.same
        total.distances += tally.distances
        total.allowed += tally.allowed
        total.absolute = max(total.absolute, tally.absolute)
        total.relative = max(total.relative, tally.relative)
        total.draws += tally.draws
        total.same_draws += tally.same_draws
    return total


def _counts(tally):
    return [str(len(tally.distances)),
            f"{max(tally.distances):.1e}" if tally.distances else "", str(tally.beyond),
            str(tally.allowed), str(tally.unexplained), f"{tally.absolute:.1e}",
            f"{tally.relative:.1e}", _share(tally.same_draws, tally.draws)]


def plain(results):
    """A line for each case and setting; `results` lists (case, width, dtype, tally)."""
    table = [["preset", "parameters", "engine", "V", "type", "rows", "same set", *COUNTS]]
    for case, width, dtype, tally in results:
        table.append([case.preset, case.label, case.engine, f"{width:,}", dtype,
                      f"{tally.rows:,}", _share(tally.same, tally.rows), *_counts(tally)])
    widths = [max(len(cells[column]) for cells in table) for column in range(len(table[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()
            for cells in table]


def markdown(results):
    """A line for each case: the share of same sets by setting, all else over all settings."""
    settings = list(dict.fromkeys((width, dtype) for _, width, dtype, _ in results))
    by_case = {}
    for case, width, dtype, tally in results:
        by_case.setdefault((case.preset, case.label), {})[width, dtype] = tally
    head = ["preset", "parameters", "rows", *(f"same set, {w:,} {d}" for w, d in settings),
            *COUNTS]
    table = [head, ["---"] * len(head)]
    for (preset, label), parts in by_case.items():
        total = merged(parts.values())
        shares = [f"{_share(parts[s].same, parts[s].rows)} of {parts[s].rows}" if s in parts else ""
                  for s in settings]
        table.append([f"`{preset}`", label, f"{total.rows:,}", *shares, *_counts(total)])
    return ["| " + " | ".join(cells) + " |" for cells in table]


def save(path, results):
    """Adds lines of JSON, so that a long comparison may run in parts."""
    with open(path, "a", encoding="utf-8") as file:
        for case, width, dtype, tally in results:
            json.dump({"preset": case.preset, "label": case.label, "engine": case.engine,
                       "width": width, "dtype": dtype, "tally": dataclasses.asdict(tally)}, file)
            file.write("\n")


def load(path):
    results = []
    with open(path, encoding="utf-8") as file:
        for one in map(json.loads, file):
            case = types.SimpleNamespace(preset=one["preset"], label=one["label"],
                                         engine=one["engine"])
            results.append((case, one["width"], one["dtype"], tallies.Tally(**one["tally"])))
    return results


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Prints the table of saved results as Markdown.")
    parser.add_argument("results")
    print("\n".join(markdown(load(parser.parse_args().results))))
