"""--backend on this machine, whatever it has: with a CUDA device and a build for it, the device is
taken; without, the reason is told. Both are tested, each where it is so."""

import ctypes
import json
import os
import re

import pytest

import answers
import api
import program

BUILT_WITH_CUDA = os.environ["TESSERA_HAS_CUDA"] == "1"


def devices():
    """How many CUDA devices the driver shows, asked without any of our code."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


DEVICES = devices()
USABLE = BUILT_WITH_CUDA and DEVICES > 0
WHY_NOT = "no CUDA device here" if BUILT_WITH_CUDA else "built without CUDA"


def backend_of(running, client):
    """(name, reason), the same from GetCapabilities, from `tessera info` and in the server's log."""
    listed = client.capabilities().backend
    text = program.run("info", "--server", running.address, program=program.CLI)
    assert text.returncode == 0, text.stderr
    assert re.search(rf"^backend +{re.escape(f'{listed.name} ({listed.reason})')}$", text.stdout,
                     re.M), text.stdout
    report = json.loads(program.run("info", "--server", running.address, "--json",
                                    program=program.CLI).stdout)
    assert report["backend"]["name"] == listed.name
    assert report["backend"]["reason"] == listed.reason
    assert listed.name in running.log() and listed.reason in running.log()
    return listed.name, listed.reason


def draws():
    matrix = [[0.5, 3, -1, 2], [1, 1, 1, 1], [9, -9, 0, 0.25]]
    rows = [api.row(seed=r, logprobs=api.logprobs(api.RAW, top_n=3)) for r in range(3)]
    return api.request(matrix, rows, [api.chain(temperature=0.8, top_p=0.9)])


def same_answers_as_plain_loops(start, client):
    _, plain = start("--backend=scalar")
    return answers.read(client.sample(draws())) == answers.read(plain.sample(draws()))


def test_auto_takes_what_runs_here_and_says_why(start):
    running, client = start("--backend=auto")
    name, reason = backend_of(running, client)
    assert reason.startswith("--backend auto: ")
    if USABLE:
        assert re.match(r"cuda/.* sm_\d+", name) and "CUDA" in reason
    else:
        assert name.startswith("cpu/")
        assert ("cudaError" if BUILT_WITH_CUDA else "built without CUDA") in reason
    assert same_answers_as_plain_loops(start, client)


def test_cuda_runs_or_is_a_start_error_that_says_what_to_do(start):
    if USABLE:
        running, client = start("--backend=cuda")
        name, reason = backend_of(running, client)
        assert name.startswith("cuda/") and reason == "--backend cuda"
        assert same_answers_as_plain_loops(start, client)
        return
    refused = program.run("--listen=127.0.0.1:0", "--backend=cuda")
    assert refused.returncode == 1 and refused.stdout == ""
    assert len(refused.stderr.splitlines()) == 1
    for words in ("--backend is 'cuda', which does not run here: ", "use --backend cpu or auto",
                  "cudaError" if BUILT_WITH_CUDA else "built without CUDA"):
        assert words in refused.stderr


@pytest.mark.parametrize("backend", ["auto", "cuda"])
def test_a_device_that_is_not_there_is_named_beside_those_that_are(backend):
    if not USABLE:
        pytest.skip(WHY_NOT)
    refused = program.run("--listen=127.0.0.1:0", f"--backend={backend}", "--cuda-device=255")
    assert refused.returncode == 1
    assert "--cuda-device 255" in refused.stderr and f"[0, {DEVICES - 1}]" in refused.stderr


@pytest.mark.parametrize("backend", ["cpu", "scalar"])
def test_a_forced_backend_runs_and_the_flag_is_its_reason(start, backend):
    running, client = start(f"--backend={backend}")
    name, reason = backend_of(running, client)
    assert name.split("/")[0] == backend
    assert reason.startswith(f"--backend {backend}")
