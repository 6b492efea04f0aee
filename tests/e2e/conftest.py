"""Fixtures: a server for the whole file, and more of them where a test asks."""

import pytest

import api
import program


@pytest.fixture(scope="session")
def server():
    running = program.Tesserad()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def client(server):
    connected = api.Client(server.address)
    yield connected
    connected.close()


@pytest.fixture
def start():
    """start(*flags) -> (Tesserad, Client); each is stopped at the end and must exit with 0."""
    pairs = []

    def start_one(*flags, **options):
        running = program.Tesserad(*flags, **options)
        connected = api.Client(running.address)
        pairs.append((running, connected))
        return running, connected

    yield start_one
    for running, connected in pairs:
        connected.close()
        running.stop()
