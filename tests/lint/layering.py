"""Finds includes that go against the layers (docs/architecture.md): one direction, nothing to tests.

    layering.py ROOT    prints each violation; exit status 1 when there is one
"""

import dataclasses
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

GRPC_AND_PROTO = r"(grpc|google/protobuf|proto|tessera)/.*|.*\.pb\.h|grpcpp/.*"
CUDA = r"cuda.*|cub/.*|thrust/.*|nv/.*"
ALLOCATING = (
    r"vector|string|map|set|unordered_map|unordered_set|deque|list|forward_list|queue|stack|memory"
    r"|functional|any|sstream|iostream|fstream|regex|thread|mutex|future|condition_variable"
)


@dataclasses.dataclass(frozen=True)
class Layer:
    """What the files below a folder may include of the project, and what they may not of others."""

    folder: str
    may: tuple  # path prefixes of the project's own headers
    never: str = "(?!)"  # matches no include by default


# The longest folder that matches a file is its layer.
LAYERS = (
    Layer(
        "kernels/math/",
        may=("kernels/math/", "kernels/types.h"),
        never=rf"absl/.*|hwy/.*|{ALLOCATING}|{CUDA}|{GRPC_AND_PROTO}",
    ),
    Layer(
        "kernels/stages/",
        may=("kernels/stages/", "kernels/math/", "kernels/types.h"),
        never=rf"hwy/.*|{CUDA}|{GRPC_AND_PROTO}",
    ),
    Layer(
        "kernels/row/",
        may=("kernels/row/", "kernels/stages/", "kernels/math/", "kernels/types.h",
             "kernels/steps.h", "kernels/row_input.h", "kernels/row_result.h",
             "kernels/drawn_law.h", "kernels/residual_input.h"),
        never=rf"hwy/.*|{ALLOCATING}|{CUDA}|{GRPC_AND_PROTO}",
    ),
    Layer("kernels/cuda/", may=("kernels/",), never=GRPC_AND_PROTO),
    # The two places where code for a device meets the layer that runs it without one.
    Layer("kernels/cuda/simt.h", may=("kernels/", "tests/simt/emulator.h"), never=GRPC_AND_PROTO),
    Layer("kernels/cuda/cuda_api.h", may=("kernels/", "tests/simt/fake_cuda.h"),
          never=GRPC_AND_PROTO),
    Layer("kernels/", may=("kernels/",), never=rf"{CUDA}|{GRPC_AND_PROTO}"),
    Layer(
        "service/",
        may=("service/", "proto/", "kernels/backend.h", "kernels/chain.h",
             "kernels/describe_stage.h", "kernels/edited_logits.h", "kernels/history_edits.h",
             "kernels/plan.h", "kernels/presets/preset.h", "kernels/random_words.h",
             "kernels/types.h", "kernels/verification/verification_presets.h",
             "kernels/verification/verify_drafts.h",
             "kernels/cuda/cuda_backend.h"),
        never=CUDA,
    ),
    Layer("client/", may=("client/", "proto/"), never=CUDA),
    Layer("proto/", may=("proto/",)),
    Layer("tests/", may=("",)),
    Layer("bench/", may=("kernels/", "proto/", "service/", "client/", "bench/", "tests/")),
    Layer("examples/", may=("client/", "proto/", "examples/")),
)

PROJECT_FOLDERS = ("kernels/", "service/", "client/", "proto/", "tests/", "bench/", "examples/")
SOURCES = (".h", ".cc", ".cu", ".cuh")


def layer_of(path):
    """The layer of a file, by its path from the root; None when no layer holds it."""
    found = [layer for layer in LAYERS if path.startswith(layer.folder)]
    return max(found, key=lambda layer: len(layer.folder)) if found else None


def judge(path, quoted, include):
    """Why a file may not include something, or None when it may."""
    layer = layer_of(path)
    if layer is None:
        return "stands in no layer"
    if include.startswith(PROJECT_FOLDERS):
        if not include.startswith(layer.may):
            return f"{layer.folder} may include only {', '.join(layer.may)}"
        return None
    if re.fullmatch(layer.never, include):
        return f"{layer.folder} never includes what matches {layer.never}"
    if quoted and include.startswith(".."):
        return "an include is written from the root of the repository"
    return None


def sources(root):
    for folder in PROJECT_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES:
                yield path


def violations(root):
    """Lines of "file:line: includes X: reason" for every include below root that breaks a rule."""
    found = []
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            match = INCLUDE.match(line)
            if not match:
                continue
            reason = judge(name, match.group(1) == '"', match.group(2))
            if reason:
                found.append(f"{name}:{number}: includes {match.group(2)}: {reason}")
    return found


if __name__ == "__main__":
    lines = violations(pathlib.Path(sys.argv[1]))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
