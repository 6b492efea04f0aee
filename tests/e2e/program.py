"""Starts the real tesserad and stops it, as an operator would.

The build says where things are: TESSERA_SERVER, TESSERA_CLI, TESSERA_STUBS.
"""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

SERVER = os.environ["TESSERA_SERVER"]
CLI = os.environ["TESSERA_CLI"]
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SANITIZED = bool(os.environ.get("TESSERA_SANITIZE"))

# Sanitizers slow a program down ten times; only what waits for one is scaled.
PATIENCE_S = 60 if SANITIZED else 20


def run(*arguments, program=SERVER, timeout=PATIENCE_S, **options):
    """Runs a program to its end; returns CompletedProcess with text output."""
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout, **options)


class Tesserad:
    """A running tesserad on a free port. `flags` come after our own."""

    def __init__(self, *flags, listen="127.0.0.1:0"):
        self.folder = tempfile.TemporaryDirectory(prefix="tessera-e2e-")
        port_file = pathlib.Path(self.folder.name) / "ports"
        self.log_path = pathlib.Path(self.folder.name) / "log"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [SERVER, "--listen", listen, "--port-file", str(port_file), *map(str, flags)],
                stdout=log, stderr=log)
        self._wait_until_listening(port_file)
        lines = port_file.read_text().split("\n")
        self.ports = [int(line) for line in lines if line.isdigit()]
        admin = [line.split()[1] for line in lines if line.startswith("admin ")]
        self.admin_port = int(admin[0]) if admin else None
        self.address = f"127.0.0.1:{self.ports[0]}" if self.ports else listen

    def _wait_until_listening(self, port_file):
        deadline = time.monotonic() + PATIENCE_S
        while not port_file.exists():
            if self.process.poll() is not None:
                raise AssertionError(f"tesserad ended with {self.process.returncode}: {self.log()}")
            assert time.monotonic() < deadline, f"no port file after {PATIENCE_S} s: {self.log()}"
            time.sleep(0.01)

    def log(self):
        return self.log_path.read_text(errors="replace")

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self):
        """Returns the exit status, waiting for it."""
        return self.process.wait(timeout=PATIENCE_S)

    def stop(self):
        """Stops gracefully; anything but exit status 0 fails the test."""
        if self.process.poll() is None:
            self.terminate()
        try:
            status = self.wait()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"tesserad did not stop on SIGTERM: {self.log()}") from None
        log = self.log()
        self.folder.cleanup()
        assert status == 0, f"tesserad ended with {status}: {log}"
        return log
