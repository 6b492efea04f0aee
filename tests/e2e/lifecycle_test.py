"""Starting and stopping: flags, files, sockets, probes, and what SIGTERM does."""

import http.client
import os
import pathlib
import signal
import socket
import subprocess
import time

import grpc
import numpy as np
import pytest

import api
import program


def greedy():
    return api.request([[0, 3, 1]], [api.row()], [api.chain(greedy=True)])


def probe(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_in_time_with_exit_status_0(number):
    running = program.Tesserad()
    start = time.monotonic()
    running.process.send_signal(number)
    assert running.wait() == 0
    assert time.monotonic() - start < 5
    log = running.stop()
    assert "serving on" in log and "stopped" in log


def test_clients_that_only_wait_do_not_hold_the_server(start):
    """One is idle and slow to hang up, one watches the health service, as load balancers do."""
    running, client = start()
    client.capabilities()
    watch = client.channel.unary_stream("/grpc.health.v1.Health/Watch")(b"", timeout=60)
    assert next(watch) == b"\x08\x01"
    running.terminate()
    begun = time.monotonic()
    assert running.wait() == 0
    assert time.monotonic() - begun < 4, "no call is in flight, so the grace of 10 s is not used"


def heavy(rows):
    """A call that takes a while where plain loops compute it: flat rows."""
    matrix = np.random.default_rng(1).normal(0, 1, (1, 100_000)).astype(np.float32)
    return api.request(matrix, [api.row(seed=r, logits_row=0) for r in range(rows)],
                       [api.chain(temperature=0.9, top_p=0.95)])


def rows_of(client, seconds):
    """(rows, tokens of the first of them) of a heavy call that takes about so long here."""
    begun = time.monotonic()
    first = list(client.sample(heavy(8)).tokens)
    return int(8 * seconds / (time.monotonic() - begun)) + 8, first


def test_calls_in_flight_finish_and_new_ones_are_refused(start):
    running, client = start("--backend=scalar", "--shutdown-grace=20s")
    rows, first = rows_of(client, seconds=2)
    call = client.stub.SampleTokens.future(heavy(rows))
    time.sleep(0.3)
    assert not call.done(), "the call must still run when the signal comes"
    running.terminate()
    time.sleep(0.2)
    other = api.Client(running.address)
    with pytest.raises(grpc.RpcError) as refused:
        other.sample(greedy(), timeout=5)
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
    other.close()
    answer = call.result(timeout=program.PATIENCE_S)
    assert set(answer.outcomes) == {api.OK}
    assert list(answer.tokens[:8]) == first
    assert running.wait() == 0


def test_the_drain_delay_serves_on_while_not_ready(start):
    running, client = start("--admin-listen=127.0.0.1:0", "--drain-delay=1500ms")
    assert probe(running.admin_port, "/readyz") == 200
    running.terminate()
    time.sleep(0.3)
    assert probe(running.admin_port, "/readyz") == 503
    assert probe(running.admin_port, "/livez") == 200
    assert client.bytes_call("/grpc.health.v1.Health/Check", b"") == b"\x08\x02", "NOT_SERVING"
    assert list(client.sample(greedy()).tokens) == [1]
    assert running.wait() == 0


def test_a_second_signal_stops_it_at_once():
    running = program.Tesserad("--drain-delay=60s")
    running.terminate()
    time.sleep(0.3)
    assert running.process.poll() is None, "it drains"
    running.terminate()
    running.process.wait(timeout=5)
    assert running.process.returncode != 0, "it did not stop gracefully, and says so"


def test_a_call_that_outlasts_the_grace_fails_and_does_not_hold_the_server(start):
    running, client = start("--backend=scalar", "--shutdown-grace=200ms")
    rows, _ = rows_of(client, seconds=4)
    call = client.stub.SampleTokens.future(heavy(rows))
    time.sleep(0.3)
    begun = time.monotonic()
    running.terminate()
    assert call.exception(timeout=program.PATIENCE_S) is not None
    assert time.monotonic() - begun < 2.5, "the client is told when the grace ends"
    assert running.wait() == 0
    assert time.monotonic() - begun < 10


def test_probes_answer_on_their_own_port(start):
    running, _ = start("--admin-listen=127.0.0.1:0")
    assert running.admin_port not in running.ports
    assert probe(running.admin_port, "/livez") == 200
    assert probe(running.admin_port, "/readyz") == 200
    assert probe(running.admin_port, "/nothing") == 404
    with socket.create_connection(("127.0.0.1", running.admin_port)) as garbage:
        garbage.sendall(b"\x00\xff garbage\r\n\r\n")
        garbage.shutdown(socket.SHUT_WR)
        garbage.recv(1024)
    assert probe(running.admin_port, "/livez") == 200


def test_a_config_file_sets_what_flags_do_not(start, tmp_path):
    config = tmp_path / "tesserad.conf"
    config.write_text("# limits\nmax-unary-bytes = 2MiB\nmax-rows = 7\n\nthreads = 1\n")
    _, client = start("--config", config, "--max-rows", "9")
    listed = client.capabilities()
    assert listed.limits.max_unary_bytes == 2 << 20
    assert listed.limits.max_rows == 9, "flags win"
    assert listed.backend.threads == 1
    code, details = client.refusal(api.request([[1]], [api.row(logits_row=0)] * 10))
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED and "at most 9" in details


def test_a_unix_socket_and_a_port_serve_alike(start, tmp_path):
    path = tmp_path / "tessera.sock"
    running, by_port = start("--listen", f"unix:{path}")
    assert len(running.ports) == 1, "a socket has no port to write"
    by_socket = api.Client(f"unix:{path}")
    message = api.request(np.zeros((1, 500)), [api.row(seed=3)])
    assert api.result_bytes(by_socket.sample(message)) == api.result_bytes(by_port.sample(message))
    by_socket.close()


def test_only_a_unix_socket(start, tmp_path):
    running, client = start(listen=f"unix:{tmp_path}/only.sock")
    assert running.ports == []
    assert list(client.sample(greedy()).tokens) == [1]


def test_a_taken_port_is_a_start_error_that_says_so(start):
    running, _ = start()
    second = program.run("--listen", running.address)
    assert second.returncode == 1
    assert running.address in second.stderr and "another server" in second.stderr


MISTAKES = {
    "unknown flag": (["--thread=3"], ["--thread"]),
    "no value": (["--threads"], ["--threads"]),
    "a word": (["--threads=many"], ["--threads", "'many'", "[0, 1024]"]),
    "negative": (["--max-rows=-1"], ["--max-rows", "-1", "[1, "]),
    "bytes": (["--max-unary-bytes=12"], ["--max-unary-bytes", "12", "KiB"]),
    "unit": (["--max-unary-bytes=1XB"], ["--max-unary-bytes", "1XB"]),
    "duration": (["--drain-delay=soon"], ["--drain-delay", "soon"]),
    "backend": (["--backend=gpu"], ["--backend", "gpu", "auto, cpu, cuda or scalar"]),
    "device": (["--cuda-device=first"], ["--cuda-device", "first", "[0, 255]"]),
    "kernel": (["--cuda-kernel=best"], ["--cuda-kernel", "best", "auto, cluster or fallback"]),
    "address": (["--listen=nowhere"], ["--listen", "nowhere", "host:port"]),
    "port": (["--listen=127.0.0.1:99999"], ["--listen", "99999"]),
    "stray word": (["serve"], ["serve"]),
    "missing file": (["--config=/nonexistent/file"], ["/nonexistent/file"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_flags_is_exit_status_2_and_a_lesson(name):
    flags, words = MISTAKES[name]
    result = program.run(*flags)
    assert result.returncode == 2
    assert result.stdout == ""
    for word in words:
        assert word in result.stderr
    assert len(result.stderr.splitlines()) <= 3


def test_a_mistake_in_the_file_names_file_and_line(tmp_path):
    config = tmp_path / "bad.conf"
    config.write_text("threads = 1\nmax-rowz = 3\n")
    result = program.run("--config", config)
    assert result.returncode == 2
    assert f"{config}:2" in result.stderr and "max-rowz" in result.stderr


def test_what_does_not_run_here_is_a_start_error():
    target = program.run("--listen=127.0.0.1:0", "--cpu-target=Z80")
    assert target.returncode == 1
    assert "Z80" in target.stderr and "SCALAR" in target.stderr


def test_help_teaches_every_flag():
    result = program.run("--help")
    assert result.returncode == 0 and result.stderr == ""
    for word in ("--listen", "--admin-listen", "--max-unary-bytes", "--backend", "--port-file",
                 "--config", "SIGTERM", "Examples"):
        assert word in result.stdout
    version = program.run("--version")
    assert version.returncode == 0 and "numerics version" in version.stdout


def test_the_port_file_is_whole_or_absent(tmp_path):
    """Whoever waits for the file never reads half of it."""
    path = tmp_path / "ports"
    process = subprocess.Popen([program.SERVER, "--listen=127.0.0.1:0", "--listen=127.0.0.1:0",
                                "--admin-listen=127.0.0.1:0", f"--port-file={path}"],
                               stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + program.PATIENCE_S
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    lines = path.read_text().splitlines()
    assert len(lines) == 3 and all(line.isdigit() for line in lines[:2])
    assert lines[2].startswith("admin ")
    assert sorted(os.listdir(tmp_path)) == ["ports"], "no temporary file is left"
    process.terminate()
    assert process.wait(timeout=program.PATIENCE_S) == 0
    assert pathlib.Path(path).exists()
