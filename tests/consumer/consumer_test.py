"""Installs the package, builds a project outside this one on it, and runs what came out.

The client program of that project is the example of README.md, cut out of it word for word and run
against the real server.
"""

import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ["TESSERA_BUILD"])
CMAKE = os.environ["TESSERA_CMAKE"]


def run(*command):
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                         check=False, timeout=500)
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def readme_example():
    """The first C++ program of README.md."""
    blocks = re.findall(r"^```cpp\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    assert blocks, "README.md shows no C++ example"
    return blocks[0]


@pytest.fixture(name="programs", scope="module")
def _programs():
    """The folder of the outside project's programs, built on a fresh install."""
    work = BUILD / "consumer"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    run(CMAKE, "--install", BUILD, "--prefix", work / "prefix", "--component", "libraries")
    shutil.copytree(HERE / "project", work / "project")
    (work / "build").mkdir()
    (work / "build" / "readme_example.cc").write_text(readme_example())
    run(CMAKE, "-G", "Ninja", "-S", work / "project", "-B", work / "build",
        f"-DCMAKE_PREFIX_PATH={work / 'prefix'}", f"-DCMAKE_CXX_COMPILER={os.environ['TESSERA_CXX']}",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={os.environ['TESSERA_LAUNCHER']}")
    run(CMAKE, "--build", work / "build", "-j", "2")
    return work / "build"


def test_nothing_installed_points_into_this_repository(programs):
    package = programs.parent / "prefix"
    files = [f for f in package.rglob("*.cmake") if f.is_file()]
    assert len(files) >= 3
    for file in files:
        assert str(ROOT) + "/kernels" not in file.read_text(), file
        assert "-Werror" not in file.read_text(), file


def test_the_sampler_alone_draws_and_needs_no_grpc(programs):
    assert run(programs / "uses_kernels") == "token 1\n"
    assert "grpc" not in run("ldd", programs / "uses_kernels")


def test_the_messages_alone_build_a_request(programs):
    assert run(programs / "uses_proto") == "2 stages\n"


@pytest.fixture(name="address")
def _address(tmp_path):
    """A running server's address."""
    port_file = tmp_path / "port"
    with subprocess.Popen([str(BUILD / "bin" / "tesserad"), "--listen=127.0.0.1:0",
                           f"--port-file={port_file}"]) as server:
        deadline = time.monotonic() + 30
        while not (port_file.exists() and port_file.read_text().strip()):
            assert server.poll() is None and time.monotonic() < deadline, "tesserad did not start"
            time.sleep(0.05)
        yield f"127.0.0.1:{port_file.read_text().split()[0]}"
        server.terminate()
        assert server.wait(timeout=30) == 0


def test_the_example_of_the_readme_draws_the_same_token_twice(programs, address):
    first = run(programs / "uses_client", address)
    assert re.search(r"\d", first)
    assert run(programs / "uses_client", address) == first
