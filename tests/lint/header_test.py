"""Every header compiles alone and carries the guard that its path gives.

Run by ctest, which passes the compiler's command and include folders in the environment:
TESSERA_COMPILE ("ccache|g++|-std=c++20|-I...") and TESSERA_SCRATCH, a folder.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("kernels", "service", "client", "tests/simt", "tests/support")
PARALLEL = min(2, os.cpu_count() or 1)


def headers():
    return sorted(p.relative_to(ROOT) for folder in FOLDERS for p in (ROOT / folder).rglob("*.h"))


def compile_alone(header, command, scratch):
    """The compiler's complaint about a source that is only this include, or an empty text."""
    name = re.sub(r"\W", "_", str(header))
    source = scratch / f"{name}.cc"
    text = f'#include "{header}"\n'
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    ran = subprocess.run(
        [*command, "-c", str(source), "-o", str(scratch / f"{name}.o")],
        cwd=scratch, capture_output=True, text=True, check=False)
    return "" if ran.returncode == 0 else f"{header} does not compile alone:\n{ran.stderr}"


def command_and_scratch():
    command = [word for word in os.environ["TESSERA_COMPILE"].split("|") if word]
    scratch = pathlib.Path(os.environ["TESSERA_SCRATCH"])
    scratch.mkdir(parents=True, exist_ok=True)
    return command, scratch


def test_every_header_compiles_alone():
    command, scratch = command_and_scratch()
    found = headers()
    assert len(found) > 15, "the walk found the headers at all"
    with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
        complaints = list(pool.map(lambda h: compile_alone(h, command, scratch), found))
    if any(complaints):
        pytest.fail("".join(complaints), pytrace=False)


def test_a_header_that_leans_on_others_is_found(tmp_path):
    command, scratch = command_and_scratch()
    header = tmp_path / "leans.h"
    header.write_text("inline std::vector<int> Empty() { return {}; }\n")
    assert "does not compile alone" in compile_alone(header, command, scratch)


def test_guards_follow_the_path():
    wrong = []
    for header in headers():
        text = (ROOT / header).read_text()
        guard = "TESSERA_" + re.sub(r"[/.\-]", "_", str(header)).upper() + "_"
        # A source that Highway includes once per target has a toggle instead of a guard.
        if "HWY_TARGET_TOGGLE" in text:
            continue
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            wrong.append(f"{header} should be guarded by {guard}")
    assert wrong == []
