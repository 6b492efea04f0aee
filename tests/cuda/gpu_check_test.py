"""scripts/gpu-check where there is no GPU: what it says, its exit statuses, its report; and, with
programs that stand in for the real ones, what becomes of a failure, of a hang and of what is not
installed."""

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "gpu-check"
NO_GPU = not pathlib.Path("/dev/nvidiactl").exists()
H200 = {"name": "NVIDIA H200", "sm": 90}
BENCH = {
    "device": "x",
    "copy_gb_per_s": 4000.0,
    "read_gb_per_s": 4100.0,
    "nothing_us": 2.5,
    "repeats": 51,
    "table": [
        {
            "dtype": "bf16",
            "columns": 128256,
            "rows": "real",
            "chain": "no filter",
            "batch": 64,
            "us": 14.25,
            "floor_us": 3.8,
        }
    ],
}

CLAIM = "claim: cuda_us_B64_bf16 = 14.25 (limit 16.00) ok"


def run(*options):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *options], capture_output=True, text=True, check=False
    )


def load():
    loader = importlib.machinery.SourceFileLoader("gpu_check", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_check", loader))
    loader.exec_module(module)
    return module


def prebuilt(folder, test="exit 0", peers="pass"):
    """A folder as --build makes it, of programs that only seem to be what they are named."""
    bench = f"cat > \"$3\" <<'EOF'\n{json.dumps(BENCH)}\nEOF\necho '{CLAIM}'"
    for name, text in (("cuda_gpu_test", test), ("gpu_bench", bench)):
        program = folder / "bin" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
    (folder / "bench" / "gpu").mkdir(parents=True)
    (folder / "bench" / "gpu" / "peers.py").write_text(peers + "\n")
    return folder


def check(monkeypatch, folder, out, limits=None, torch=True):
    """Exit status and report of a check of `folder` on a machine that seems to have an H200."""
    module = load()
    monkeypatch.setattr(module.gpu_check_device, "find", lambda: (H200, ""))
    monkeypatch.setattr(module.gpu_check_phases.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(sys, "argv", ["gpu-check", "--prebuilt", str(folder), "--out", str(out)])
    monkeypatch.setattr(module.gpu_check_phases, "has_torch", lambda: torch)
    for name, seconds in (limits or {}).items():
        monkeypatch.setitem(module.gpu_check_phases.LIMITS, name, seconds)
    return module.main(), json.loads((out / "report.json").read_text())


def verdicts(report):
    return {phase["phase"]: phase["verdict"] for phase in report["phases"]}


def test_help_names_every_option():
    ran = run("--help")
    assert ran.returncode == 0
    for option in ("--prebuilt", "--build", "--out", "--quick", "--allow-no-gpu", "--dry-run"):
        assert option in ran.stdout


@pytest.mark.parametrize("options", [("--nonsense",), ("--prebuilt", "/nowhere"), ("--out",)])
def test_bad_arguments_are_refused(options):
    ran = run(*options)
    assert ran.returncode == 2
    assert options[0] in ran.stderr


@pytest.mark.skipif(not NO_GPU, reason="this machine has a GPU")
def test_without_a_gpu_nothing_runs_and_the_status_says_so(tmp_path):
    ran = run("--out", str(tmp_path))
    assert ran.returncode == 3
    assert "nothing ran: there is no GPU" in ran.stdout
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["device"] is None and report["no_device"]
    assert set(verdicts(report).values()) == {"skipped"}
    assert all("no GPU" in phase["reason"] for phase in report["phases"])
    assert run("--out", str(tmp_path), "--allow-no-gpu").returncode == 0


def test_a_dry_run_lists_every_command(tmp_path):
    ran = run("--dry-run", "--out", str(tmp_path))
    assert ran.returncode == 0
    report = json.loads((tmp_path / "report.json").read_text())
    reasons = {phase["phase"]: phase["reason"] for phase in report["phases"]}
    assert list(reasons) == [
        "build",
        "tests",
        "benchmark",
        "memcheck",
        "racecheck",
        "synccheck",
        "peers",
    ]
    assert all(reason.startswith("dry run of: ") for reason in reasons.values())
    for phase, words in (
        ("build", "--fresh --preset gpu-check"),
        ("tests", "cuda_gpu_test"),
        ("benchmark", "--require-device"),
        ("racecheck", "--tool racecheck"),
        ("peers", "peers.py"),
    ):
        assert words in reasons[phase]


def test_the_report_holds_what_the_phases_found(monkeypatch, tmp_path):
    said = "echo '1000000 rows on each of 9 kernels and sizes'; test -n \"$TESSERA_GPU_REQUIRED\""
    status, report = check(monkeypatch, prebuilt(tmp_path / "built", said), tmp_path)
    assert status == 0
    assert verdicts(report) == {
        "build": "skipped",
        "tests": "passed",
        "benchmark": "passed",
        "memcheck": "skipped",
        "racecheck": "skipped",
        "synccheck": "skipped",
        "peers": "passed",
    }
    assert report["device"] == H200 and report["benchmark"] == BENCH
    text = (tmp_path / "report.txt").read_text()
    for line in (
        "GPU: NVIDIA H200, sm_90",
        "1000000 rows on each of 9 kernels and sizes",
        CLAIM,
        "compute-sanitizer is not installed",
    ):
        assert line in text
    assert "14.25      3.80" in text


def test_a_failed_test_fails_the_check_and_the_rest_runs(monkeypatch, tmp_path):
    status, report = check(monkeypatch, prebuilt(tmp_path / "built", "exit 1"), tmp_path)
    assert status == 1
    assert verdicts(report)["tests"] == "failed"
    assert verdicts(report)["benchmark"] == "passed"


def test_what_hangs_is_ended_and_failed(monkeypatch, tmp_path):
    folder = prebuilt(tmp_path / "built", "sleep 100")
    status, report = check(monkeypatch, folder, tmp_path, limits={"tests": 6})
    assert status == 1
    assert {"phase": "tests", "verdict": "failed", "reason": "ran past 6 s"}.items() <= report[
        "phases"
    ][1].items()


def test_other_samplers_cannot_fail_the_check(monkeypatch, tmp_path):
    folder = prebuilt(tmp_path / "built", peers="raise SystemExit(5)")
    status, report = check(monkeypatch, folder, tmp_path)
    assert status == 0
    assert verdicts(report)["peers"] == "skipped"
    assert report["phases"][-1]["reason"].startswith("exit status 5")


def test_without_torch_nothing_else_is_timed(monkeypatch, tmp_path):
    status, report = check(monkeypatch, prebuilt(tmp_path / "built"), tmp_path, torch=False)
    assert status == 0
    assert report["phases"][-1]["reason"].endswith("cannot import torch")
    assert verdicts(report)["peers"] == "skipped"


@pytest.mark.parametrize(
    "sm, architecture",
    [
        (80, 80),
        (86, 80),
        (89, 80),
        (90, 90),
        (100, 100),
        (103, 100),
        (121, 120),
        (75, None),
        (130, None),
    ],
)
def test_the_architecture_that_is_built(sm, architecture):
    module = load()
    assert module.gpu_check_device.architecture({"name": "", "sm": sm}) == architecture


def test_peers_lists_its_shapes_and_says_why_it_times_nothing(tmp_path):
    peers = ROOT / "bench" / "gpu" / "peers.py"
    ran = subprocess.run(
        [sys.executable, str(peers), "--dry-run"], capture_output=True, text=True, check=True
    )
    assert len(ran.stdout.splitlines()) == 12
    if NO_GPU:
        ran = subprocess.run(
            [sys.executable, str(peers), "--json", str(tmp_path / "peers.json")],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.startswith("peers: not run: ")
