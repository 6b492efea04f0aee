"""gpu_bench on the emulator: every case runs, the JSON says what was printed, bad arguments are
refused.

TESSERA_GPU_BENCH is the program. Its times say nothing here.
"""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["TESSERA_GPU_BENCH"]
SMALL = ("--repeats", "1", "--flush-mib", "1", "--copy-mib", "1")


def run(*options):
    return subprocess.run(
        [PROGRAM, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_every_case_is_measured_and_written(tmp_path):
    ran = run(
        "--batches", "1,3", "--columns", "1001", *SMALL, "--json", str(tmp_path / "bench.json")
    )
    assert ran.returncode == 0, ran.stderr
    bench = json.loads((tmp_path / "bench.json").read_text())
    cases = {(r["dtype"], r["columns"], r["rows"], r["chain"], r["batch"]) for r in bench["table"]}
    assert len(bench["table"]) == len(cases) == 2 * 3 * 3 * 2
    assert {case[2] for case in cases} == {"real", "peaked", "flat"}
    for row in bench["table"]:
        size = {"bf16": 2, "fp32": 4}[row["dtype"]] * row["columns"] * row["batch"]
        assert row["us"] > 0
        # The rate is written to one decimal, and the emulator's is small.
        slowest, fastest = bench["read_gb_per_s"] - 0.06, bench["read_gb_per_s"] + 0.06
        assert row["floor_us"] >= size * 1e-3 / fastest - 1e-3
        assert slowest <= 0 or row["floor_us"] <= size * 1e-3 / slowest + 1e-3
    lines = [line for line in ran.stdout.splitlines() if line.startswith(("bf16", "fp32"))]
    assert len(lines) == len(cases)
    assert "claim:" not in ran.stdout  # goals are for real vocabularies


def test_a_dry_run_lists_the_table_of_a_gpu():
    ran = run("--dry-run")
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert len(lines) == 4 * 2 * 2 * 3 * 3
    assert "bf16 V 128256 real, top-k 50 + top-p 0.9, B 64" in lines
    assert "fp32 V 151936 flat, top-p 0.9, B 256" in lines


@pytest.mark.parametrize(
    "options, said",
    [
        (("--columns", "x"), '--columns is "x"'),
        (("--columns", "0"), "must be in [1, 524288]"),
        (("--batches", "1,,2"), '--batches is "1,,2"'),
        (("--repeats", "1,2"), "must be one number"),
        (("--flush-mib",), "--flush-mib wants a value"),
        (("--fast",), "no option '--fast'"),
    ],
)
def test_bad_arguments_are_refused(options, said):
    ran = run(*options)
    assert ran.returncode == 2
    assert said in ran.stderr and "gpu_bench [" in ran.stderr
