"""Builds the programs of a GPU check and puts all that it needs into one folder."""

import os
import pathlib
import shutil
import subprocess

PROGRAMS = ("cuda_gpu_test", "gpu_bench")
COPIED = (
    "scripts/gpu-check",
    "scripts/gpu_check_device.py",
    "scripts/gpu_check_folder.py",
    "scripts/gpu_check_phases.py",
    "scripts/gpu_check_report.py",
    "bench/gpu/peers.py",
    "tests/data/gemma3_270m_16x262144.bf16",
)
START = """#!/bin/sh
# Tests and times the CUDA backend with the programs of this folder; --help says more.
here="$(cd "$(dirname "$0")" && pwd)"
exec python3 "$here/scripts/gpu-check" --prebuilt "$here" --out "${OUT:-$here/report}" "$@"
"""


def make(root, folder):
    """Exit status: 0 when the folder is ready."""
    tree = root / "build" / "gpu-check"
    jobs = os.environ.get("TESSERA_GPU_CHECK_JOBS", str(os.cpu_count()))
    for command in (
        ["cmake", "--fresh", "--preset", "gpu-check"],
        ["cmake", "--build", str(tree), "-j", jobs, "--target", *PROGRAMS],
    ):
        if subprocess.run(command, cwd=root, check=False).returncode != 0:
            print(f"gpu-check: {' '.join(command)} failed")
            return 1
    for program in PROGRAMS:
        target = folder / "bin" / program
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        subprocess.run(["strip", "-o", str(target), str(tree / "bin" / program)], check=True)
    for name in COPIED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name)
    (folder / "gpu-check").write_text(START)
    (folder / "gpu-check").chmod(0o755)
    copy_libraries(tree, folder / "libraries")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"gpu-check: {folder} is ready: {size / 2**20:.0f} MiB; start {folder}/gpu-check")
    return 0


def copy_libraries(tree, target):
    """What the programs were linked with (cmake/static_libraries.cmake), to build elsewhere."""
    for archive in (tree / "static_archives.txt").read_text().split():
        (target / "lib").mkdir(parents=True, exist_ok=True)
        shutil.copy2(archive, target / "lib" / pathlib.Path(archive).name)
    for headers in (tree / "static_headers.txt").read_text().split():
        if pathlib.Path(headers).is_dir():
            shutil.copytree(
                headers, target / "include" / pathlib.Path(headers).name, dirs_exist_ok=True
            )
