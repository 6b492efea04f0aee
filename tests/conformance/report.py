"""The table of a run, for a terminal or for docs/semantics.md."""

import compare

HEAD = ("preset", "parameters", "engine", "V", "type", "rows", "same set", "differ",
        "farthest", f"beyond {compare.NEAR:g}", "by fp32 sums", "unexplained", "law abs", "law rel",
        "same token")


def _share(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else ""


def _cells(case, width, dtype, tally):
    start = [case.preset, case.label, case.engine, f"{width:,}", dtype]
    far = f"{max(tally.distances):.1e}" if tally.distances else ""
    return start + [f"{tally.rows:,}", _share(tally.same, tally.rows), str(len(tally.distances)),
                    far, str(tally.beyond), str(tally.by_sums), str(tally.unexplained),
                    f"{tally.absolute:.1e}", f"{tally.relative:.1e}",
                    _share(tally.same_draws, tally.draws)]


def lines(results, markdown):
    """`results` lists (case, width, dtype, tally)."""
    table = [list(HEAD)] + [_cells(*result) for result in results]
    if markdown:
        text = ["| " + " | ".join(cells) + " |" for cells in table]
        return [text[0], "|" + " --- |" * len(HEAD)] + text[1:]
    widths = [max(len(cells[column]) for cells in table) for column in range(len(HEAD))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()
            for cells in table]
