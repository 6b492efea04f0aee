"""Generates the Python stubs of proto/tessera/v1 into a build folder and imports them."""

import importlib
import pathlib
import sys

import grpc_tools
from grpc_tools import protoc

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROTO_ROOT = REPOSITORY / "proto"
OUTPUT = REPOSITORY / "build" / "python-stubs"


def generate(output=OUTPUT):
    """Writes the stubs of every file in proto/tessera/v1 under `output`."""
    files = sorted((PROTO_ROOT / "tessera" / "v1").glob("*.proto"))
    if not files:
        raise FileNotFoundError(f"no .proto file in {PROTO_ROOT / 'tessera' / 'v1'}")
    output.mkdir(parents=True, exist_ok=True)
    status = protoc.main(
        [
            "protoc",
            f"-I{PROTO_ROOT}",
            f"-I{pathlib.Path(grpc_tools.__file__).parent / '_proto'}",
            f"--python_out={output}",
            f"--grpc_python_out={output}",
            *map(str, files),
        ]
    )
    if status != 0:
        raise RuntimeError(f"protoc answered {status}")


def load(*names, output=OUTPUT):
    """Generates the stubs, then returns the modules tessera.v1.NAME for each of `names`."""
    generate(output)
    if str(output) not in sys.path:
        sys.path.insert(0, str(output))
    return [importlib.import_module(f"tessera.v1.{name}") for name in names]
