"""What a GPU check runs, one phase after the other, each under a limit of its own."""

import importlib.util
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

import gpu_check_device

MOST_SECONDS = 590  # of all phases together
LIMITS = {
    "build": 240,
    "tests": 270,
    "benchmark": 90,
    "memcheck": 75,
    "racecheck": 60,
    "synccheck": 60,
    "peers": 120,
}
QUICK_ROWS = {"TESSERA_GPU_SMALL_ROWS": "10000", "TESSERA_GPU_FULL_ROWS": "20"}
# Under a sanitizer a kernel takes many times as long.
FEW_ROWS = {
    "TESSERA_GPU_SMALL_ROWS": "100",
    "TESSERA_GPU_FULL_ROWS": "3",
    "TESSERA_GPU_DIVIDE": "8",
    "TESSERA_GPU_THREADS": "2",
    "TESSERA_GPU_STREAMS": "2",
}
# Of the tests; the one that takes all memory would take the sanitizer's too.
SANITIZERS = {"memcheck": "-GpuMemory.*", "racecheck": "GpuRows.*", "synccheck": "GpuRows.*"}


class Check:
    """Runs phases and remembers what became of them."""

    def __init__(self, out, dry_run):
        self.out, self.dry_run = out, dry_run
        self.started = time.monotonic()
        self.phases = []
        self.log = open(out / "log.txt", "w", encoding="utf-8")

    def record(self, name, verdict, reason="", seconds=0.0):
        self.phases.append(
            {"phase": name, "verdict": verdict, "reason": reason, "seconds": round(seconds, 1)}
        )
        said = f": {reason}" if reason else f" in {seconds:.0f} s"
        print(f"{name}: {verdict}{said}", flush=True)
        return verdict == "passed"

    def run(self, name, command, variables=None, cwd=None, required=True):
        """True when the command ran and succeeded; its output goes to the log."""
        command = [str(word) for word in command]
        if self.dry_run:
            return self.record(name, "skipped", "dry run of: " + " ".join(command))
        limit = min(LIMITS[name], MOST_SECONDS - (time.monotonic() - self.started))
        if limit < 5:
            return self.record(name, "skipped", f"the check's {MOST_SECONDS} s are used up")
        self.log.write(f"\n== {name}: {' '.join(command)}\n")
        self.log.flush()
        begin = time.monotonic()
        try:
            child = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, **(variables or {})},
                stdin=subprocess.DEVNULL,
                stdout=self.log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            problem = wait(child, limit)
        except OSError as error:
            problem = str(error)
        seconds = time.monotonic() - begin
        if not problem:
            return self.record(name, "passed", seconds=seconds)
        return self.record(name, "failed" if required else "skipped", problem, seconds)

    def failed(self):
        return any(phase["verdict"] == "failed" for phase in self.phases)


def wait(child, limit):
    """What went wrong, or nothing. What the child started ends with it."""
    try:
        status = child.wait(limit)
        return f"exit status {status}, see log.txt" if status else ""
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return f"ran past {limit:.0f} s"


def build(check, root, device):
    """True when the programs lie in build/gpu-check/bin."""
    configure = ["cmake", "--fresh", "--preset", "gpu-check"]
    architecture = gpu_check_device.architecture(device)
    if architecture:  # a quarter of the time of all
        configure.append(f"-DTESSERA_CUDA_ARCHITECTURES={architecture}")
        configure.append(f"-DTESSERA_CUDA_PTX={architecture}")
    libraries = os.environ.get("TESSERA_STATIC_LIBRARIES")
    if libraries:
        configure.append(f"-DTESSERA_STATIC_LIBRARIES={libraries}")
    make = ["cmake", "--build", "build/gpu-check", "--target", "cuda_gpu_test", "gpu_bench"]
    command = f"{shlex.join(configure)} && {shlex.join(make)}"
    return check.run("build", ["sh", "-c", command], cwd=root)


def run_sanitizers(check, test, folder):
    sanitizer = shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path="/usr/local/cuda/bin"
    )
    for tool, tests in SANITIZERS.items():
        if not sanitizer and not check.dry_run:
            check.record(tool, "skipped", "compute-sanitizer is not installed")
            continue
        command = [sanitizer or "compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
        check.run(
            tool,
            [*command, test, f"--gtest_filter={tests}"],
            {**FEW_ROWS, "TESSERA_GPU_REQUIRED": "1"},
            cwd=folder,
        )


def has_torch():
    return importlib.util.find_spec("torch") is not None


def run_all(check, root, prebuilt, device, quick):
    """Every phase; `prebuilt` is a folder of gpu_check_folder, or None to build at `root`."""
    if prebuilt:
        check.record("build", "skipped", f"prebuilt in {prebuilt}")
    elif not build(check, root, device) and not check.dry_run:
        for name in list(LIMITS)[1:]:
            check.record(name, "skipped", "nothing was built")
        return
    folder = prebuilt or root
    programs = prebuilt / "bin" if prebuilt else root / "build" / "gpu-check" / "bin"
    test = programs / "cuda_gpu_test"
    check.run(
        "tests", [test], {"TESSERA_GPU_REQUIRED": "1", **(QUICK_ROWS if quick else {})}, cwd=folder
    )
    bench_json, peers_json = check.out / "bench.json", check.out / "peers.json"
    bench = [programs / "gpu_bench", "--require-device", "--json", bench_json]
    check.run("benchmark", bench + (["--quick"] if quick else []), cwd=folder)
    run_sanitizers(check, test, folder)
    if not has_torch() and not check.dry_run:
        check.record("peers", "skipped", f"{sys.executable} cannot import torch")
        return
    peers = [sys.executable, folder / "bench" / "gpu" / "peers.py", "--json", peers_json]
    peers += ["--ours", bench_json] if bench_json.exists() else []
    peers += ["--repeats", "7"] if quick else []
    check.run("peers", peers, cwd=folder, required=False)
