"""The layers hold in this repository, and each rule catches a violation planted against it."""

import pathlib

import pytest

import layering

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_repository_keeps_its_layers():
    assert len(list(layering.sources(ROOT))) > 20  # the walk found the sources at all
    assert layering.violations(ROOT) == []


PLANTED = [
    ("client/cli/main.cc", '#include "service/server.h"'),
    ("client/channel.h", '#include "kernels/types.h"'),
    ("service/decode.cc", '#include "kernels/row/run.h"'),
    ("service/decode.cc", '#include "kernels/stages/top_p.h"'),
    ("service/decode.cc", '#include "kernels/math/weight.h"'),
    ("service/decode.cc", '#include "client/client.h"'),
    ("service/main.cc", "#include <cuda_runtime.h>"),
    ("kernels/math/key.h", "#include <vector>"),
    ("kernels/math/key.h", '#include "absl/status/status.h"'),
    ("kernels/math/key.h", "  #  include <cuda_fp16.h>"),
    ("kernels/math/key.h", '#include "kernels/plan.h"'),
    ("kernels/stages/top_p.h", '#include "kernels/row/passes.h"'),
    ("kernels/row/draw.h", "#include <string>"),
    ("kernels/row/draw.h", '#include "kernels/cpu/thread_pool.h"'),
    ("kernels/cpu/pool.cc", "#include <grpcpp/grpcpp.h>"),
    ("kernels/plan.cc", '#include "proto/tessera/v1/sampler.pb.h"'),
    ("kernels/plan.cc", '#include "tests/support/oracle.h"'),
    ("bench/row.cc", '#include "examples/worker.h"'),
    ("examples/quickstart.cc", '#include "kernels/backend.h"'),
    ("kernels/cpu/pool.cc", '#include "../plan.h"'),
]


@pytest.mark.parametrize("path, line", PLANTED, ids=[f"{p}-{i}" for i, (p, _) in enumerate(PLANTED)])
def test_a_planted_violation_is_found(tmp_path, path, line):
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(f"// A file.\n{line}\n")
    found = layering.violations(tmp_path)
    assert len(found) == 1 and found[0].startswith(f"{path}:2: "), found


ALLOWED = [
    ("client/cli/main.cc", '#include "proto/tessera/v1/sampler.pb.h"'),
    ("service/decode.cc", '#include "kernels/chain.h"'),
    ("kernels/cpu/pool.cc", '#include "kernels/row/passes.h"'),
    ("kernels/row/draw.h", '#include "kernels/math/weight.h"'),
    ("kernels/math/key.h", "#include <cstdint>"),
    ("tests/e2e/x_test.cc", '#include "service/server.h"'),
]


@pytest.mark.parametrize("path, line", ALLOWED)
def test_what_the_layers_allow_passes(tmp_path, path, line):
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(f"{line}\n")
    assert layering.violations(tmp_path) == []
