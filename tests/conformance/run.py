"""Compares presets with the engines' own code on random rows: scripts/conformance runs it."""

import argparse
import dataclasses
import importlib
import math
import pathlib
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import api  # noqa: E402
import cuts  # noqa: E402
import edits  # noqa: E402
import ours  # noqa: E402
import program  # noqa: E402
import report  # noqa: E402
import rows as row_kinds  # noqa: E402
import tallies  # noqa: E402
from peers.case import EditCase  # noqa: E402

ENGINES = {
    "transformers": ("hugging_face", "hugging_face_edits"),
    "vllm": ("vllm_engine", "vllm_edits", "vllm_triton"),
    "sglang": ("sglang_engine",),
    "flashinfer": ("flashinfer_reference",),
    "exllamav3": ("exllamav3_steps",),
    "llama.cpp": ("llama_cpp_engine", "llama_cpp_edits", "llama_cpp_stateful"),
}
CONTROLS = {"vllm-torch": "vllm-triton", "vllm-triton": "vllm-torch",
            "sglang-pytorch": "vllm-torch", "exllamav3": "vllm-triton"}
CUT_BY = {"top_p", "min_p", "typical_p", "typ_p", "epsilon_cutoff", "eta_cutoff", "top_n_sigma",
          "xtc_threshold", "mirostat_tau"}
OFF = 0.99  # times what CUT_BY names, in the other controls
LEAST_CONTROLLED = 0.2  # of the rows: few differ for no other reason than the rule
CHUNK = 4  # rows that share their parameters


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__)
    parser.add_argument("--rows", default="500",
                        help="per preset, width and type; one number, or one for each width")
    parser.add_argument("--widths", default="32000,151936", help="vocabulary sizes")
    parser.add_argument("--dtypes", default="fp32,bf16")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--presets", default="",
                        help="only those whose 'preset (parameters)' contains this text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recorded", default=str(row_kinds.RECORDED),
                        help="bf16 rows of 262,144 real logits")
    parser.add_argument("--control", action="store_true",
                        help="presets of another rule or slightly off: every line must find a difference")
    parser.add_argument("--save", help="a file to add the results to; report.py prints it")
    parser.add_argument("--markdown", action="store_true", help="the table as Markdown")
    return parser.parse_args()


def cases_of(engines, text):
    """(cases, lines about engines that cannot be imported here)."""
    found, missing = [], []
    for name in [name for engine in engines.split(",") for name in ENGINES[engine]]:
        try:
            module = importlib.import_module(f"peers.{name}")
        except Exception as error:  # an engine's import runs code of many packages
            missing.append(f"{name}: not compared, its import fails: "
                           f"{type(error).__name__}: {error}")
            continue
        found += [case for case in module.CASES if text in f"{case.preset} ({case.label})"]
    return found, missing


def slightly_off(parameters):
    """What turns nothing off, times OFF."""
    return {name: value * OFF if name in CUT_BY and value != 1 else value
            for name, value in parameters.items()}


def as_controls(cases):
    """Every case with a preset that is wrong: slightly off, or, where one has its parameters, of
    another rule."""
    cases = [dataclasses.replace(case, rows_share=max(case.rows_share, LEAST_CONTROLLED),
                                 tokens=None)
             for case in cases if not isinstance(case, EditCase)]
    return [dataclasses.replace(case, preset=CONTROLS[case.preset],
                                label=f"control: code of {case.preset}")
            for case in cases if case.preset in CONTROLS] + [
                dataclasses.replace(case, asked=slightly_off, label=f"control, off: {case.label}")
                for case in cases]


def rows_by_width(options):
    """[(width, rows)]"""
    widths = [int(width) for width in options.widths.split(",")]
    counts = [int(count) for count in options.rows.split(",")]
    if len(counts) not in (1, len(widths)):
        sys.exit(f"--rows {options.rows}: one number, or one for each of {len(widths)} widths")
    return list(zip(widths, counts * len(widths) if len(counts) == 1 else counts))


def share_of(rows, start, limit):
    """What a case that takes `limit` rows in all takes of a chunk that begins at row `start`."""
    count = min(len(rows.logits), max(0, math.ceil(limit) - start))
    if count == len(rows.logits):
        return rows
    return ours.Rows(rows.client, rows.logits[:count], rows.dtype) if count else None


def run_setting(options, client, cases, width, dtype, kinds, row_count):
    """One Tally per case, at one width and type."""
    results = [tallies.Tally() for _ in cases]
    setting = [options.seed, width, len(dtype), dtype == "bf16"]
    for start in range(0, row_count, CHUNK):
        rng = np.random.default_rng(setting + [start])
        count = min(CHUNK, row_count - start)
        logits = row_kinds.draw(rng, count, width, dtype, kinds)
        rows = ours.Rows(client, logits, dtype)
        orders = [np.argsort(-row, kind="stable") for row in logits]
        for number, case in enumerate(cases):
            part = share_of(rows, start, row_count * getattr(case, "rows_share", 1))
            if part is None:
                continue
            own = np.random.default_rng(setting + [start, *case.label.encode()])
            chunk_of = edits if isinstance(case, EditCase) else cuts
            for line in chunk_of.compare_chunk(results[number], case, part, orders, own):
                print(f"V {width} {dtype} chunk {start}: {line}", file=sys.stderr, flush=True)
    return results


def main():
    options = arguments()
    cases, missing = cases_of(options.engines, options.presets)
    if options.control:
        cases = as_controls(cases)
    kinds = row_kinds.kinds(options.recorded)
    results = []
    server = program.Tesserad()
    try:
        client = api.Client(server.address)
        for width, row_count in rows_by_width(options):
            for dtype in options.dtypes.split(","):
                begin = time.monotonic()
                counted = run_setting(options, client, cases, width, dtype, kinds, row_count)
                part = [(case, width, dtype, tally) for case, tally in zip(cases, counted)]
                if options.save:
                    report.save(options.save, part)
                results += part
                print(f"V {width} {dtype}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
        client.close()
    finally:
        server.stop()
    table = report.markdown(results) if options.markdown else report.plain(results)
    print("\n".join(table + missing))
    if options.control:
        return 0 if all(tally.unexplained for *_, tally in results) else 1
    unexplained = sum(tally.unexplained for _, _, _, tally in results)
    if unexplained:
        print(f"{unexplained} rows differ for no reason that is known")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
