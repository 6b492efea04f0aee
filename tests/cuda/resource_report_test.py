"""What the compiler reports of every kernel: no spills, no stack frame, and registers and static
shared memory within tests/cuda/resources.txt.

Run by ctest, which passes in the environment TESSERA_REPORTS, files of `ptxas -v` output separated
by ":", or, where no kernels are compiled, TESSERA_NO_KERNELS, the reason.

    resource_report_test.py REPORT...    prints the table that the reports would need
"""

import collections
import dataclasses
import os
import pathlib
import re
import subprocess
import sys

import pytest

TABLE = pathlib.Path(__file__).resolve().parent / "resources.txt"

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(sm_\w+)'")
FUNCTION = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")

# Two blocks of 256 threads per multiprocessor at least, of 65,536 registers.
MOST_REGISTERS = 128


@dataclasses.dataclass
class Kernel:
    """What ptxas says of one kernel on one architecture."""

    name: str
    arch: str
    registers: int = 0
    shared: int = 0  # bytes, static
    # Of it and of each function that it calls: bytes of stack frame, and spilled and loaded again.
    frames: dict = dataclasses.field(default_factory=dict)


def read_report(text):
    """The kernels of one `ptxas -v` output, under their mangled names."""
    found = []
    function = ""
    for line in text.splitlines():
        entry = ENTRY.search(line)
        if entry:
            found.append(Kernel(*entry.groups()))
        elif FUNCTION.search(line):
            function = FUNCTION.search(line).group(1)
        elif found:
            frame = FRAME.search(line)
            if frame:
                stack, stored, loaded = map(int, frame.groups())
                found[-1].frames[function] = (stack, stored + loaded)
            if REGISTERS.search(line):
                found[-1].registers = int(REGISTERS.search(line).group(1))
                shared = SHARED.search(line)
                found[-1].shared = int(shared.group(1)) if shared else 0
    return found


def plain_names(mangled):
    """tessera::Kernel<float> for _ZN7tessera6KernelIfEEvPT_: without result and arguments."""
    ran = subprocess.run(["c++filt"], input="\n".join(mangled), text=True, capture_output=True,
                         check=True)
    names = {}
    for before, after in zip(mangled, ran.stdout.splitlines()):
        after = after.removeprefix("void ").replace(" ", "")
        names[before] = re.sub(r"\((?!tessera::\w+\)\d|anonymous).*$", "", after)
    return names


def kernels(paths):
    found = [kernel for path in paths for kernel in read_report(pathlib.Path(path).read_text())]
    mangled = {name for kernel in found for name in (kernel.name, *kernel.frames)}
    names = plain_names(sorted(mangled))
    for kernel in found:
        kernel.name = names[kernel.name]
        kernel.frames = {names[name]: frame for name, frame in kernel.frames.items()}
    return found


def read_table(text):
    """{(kernel, arch): (registers, shared bytes)} of a table as in resources.txt."""
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    assert lines and lines[0][:2] == ["kernel", "shared"], "the first line names the columns"
    limits = {}
    for name, shared, *registers in lines[1:]:
        assert len(registers) == len(lines[0]) - 2, f"{name} needs {lines[0][2:]}"
        for arch, limit in zip(lines[0][2:], registers):
            limits[name, arch] = (int(limit), int(shared))
    return limits


def complaints(found, limits):
    """What is wrong with these kernels, in lines."""
    lines = []
    for kernel in found:
        where = f"{kernel.name} for {kernel.arch}"
        for function, (stack, spills) in kernel.frames.items():
            if stack or spills:
                lines.append(f"{where}: {function} has a stack frame of {stack} bytes and spills "
                             f"{spills}; both must be 0")
        if (kernel.name, kernel.arch) not in limits:
            lines.append(f"{where} is not in {TABLE.name}")
            continue
        registers, shared = limits[kernel.name, kernel.arch]
        if kernel.registers > registers:
            lines.append(f"{where} takes {kernel.registers} registers; at most {registers}")
        if kernel.shared > shared:
            lines.append(f"{where} takes {kernel.shared} bytes of shared memory; at most {shared}")
    return lines


def needed_table(found):
    """A table that just fits."""
    archs = sorted({kernel.arch for kernel in found}, key=lambda arch: int(arch[3:]))
    rows = collections.defaultdict(dict)
    for kernel in found:
        rows[kernel.name][kernel.arch] = kernel
    lines = [["kernel", "shared", *archs]]
    for name in sorted(rows):
        shared = max(kernel.shared for kernel in rows[name].values())
        lines.append([name, str(shared), *(str(rows[name][arch].registers) for arch in archs)])
    width = max(len(line[0]) for line in lines)
    return "\n".join(line[0].ljust(width) + "".join(word.rjust(8) for word in line[1:])
                     for line in lines)


@pytest.fixture(name="found", scope="module")
def _found():
    if "TESSERA_NO_KERNELS" in os.environ:
        pytest.skip(f"no kernels are compiled: {os.environ['TESSERA_NO_KERNELS']}")
    return kernels(os.environ["TESSERA_REPORTS"].split(":"))


def test_every_kernel_stays_within_the_table(found):
    wrong = complaints(found, read_table(TABLE.read_text()))
    if wrong:
        pytest.fail("\n".join([*wrong, "", "as compiled:", needed_table(found)]), pytrace=False)


def test_every_line_of_the_table_is_a_kernel(found):
    compiled = {arch for _, arch in ((kernel.name, kernel.arch) for kernel in found)}
    listed = {key for key in read_table(TABLE.read_text()) if key[1] in compiled}
    assert listed == {(kernel.name, kernel.arch) for kernel in found}


def test_the_table_leaves_room_for_a_block():
    assert all(registers <= MOST_REGISTERS for registers, _ in
               read_table(TABLE.read_text()).values())


SPILLING = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN7tessera6KernelIfEEvPT_' for 'sm_90'
ptxas info    : Function properties for _ZN7tessera6KernelIfEEvPT_
    64 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 64 bytes cumulative stack size, 2048 bytes smem
ptxas info    : Function properties for _ZN7tessera6CalledEPf
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compile time = 2.3 ms
ptxas info    : Compiling entry function '_ZN7tessera6KernelIdEEvPT_' for 'sm_90'
ptxas info    : Function properties for _ZN7tessera6KernelIdEEvPT_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 364 bytes cmem[0]
"""


def test_each_fault_would_be_found(tmp_path):
    report = tmp_path / "report"
    report.write_text(SPILLING)
    found = kernels([report])
    table = "kernel shared sm_90\ntessera::Kernel<float> 2047 39\n"
    wrong = "\n".join(complaints(found, read_table(table)))
    kernel = "tessera::Kernel<float> for sm_90"
    assert f"{kernel}: tessera::Kernel<float> has a stack frame of 64 bytes and spills 12;" in wrong
    assert f"{kernel}: tessera::Called has a stack frame of 16 bytes and spills 0;" in wrong
    assert "Kernel<float> for sm_90 takes 40 registers; at most 39" in wrong
    assert "Kernel<float> for sm_90 takes 2048 bytes of shared memory; at most 2047" in wrong
    assert "Kernel<double> for sm_90 is not in resources.txt" in wrong
    assert complaints(found[1:], read_table(needed_table(found))) == []


def test_names_keep_template_arguments_and_lose_the_rest():
    names = plain_names(["_ZN7tessera13ClusterKernelILNS_5DTypeE1EEEvNS_11DeviceBatchE",
                         "_ZN7tessera6PlainKEPf"])
    assert list(names.values()) == ["tessera::ClusterKernel<(tessera::DType)1>", "tessera::PlainK"]


if __name__ == "__main__":
    print(needed_table(kernels(sys.argv[1:])))
