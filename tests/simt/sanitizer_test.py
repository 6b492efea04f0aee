"""Which sanitizer finds which planted defect, by its report; and that none reports the right kernels.

Run by ctest, which passes the programs in the environment: TESSERA_ADDRESS_DEFECTS (AddressSanitizer
and UndefinedBehaviorSanitizer) and TESSERA_THREAD_DEFECTS; empty when the compiler has none.
"""

import os
import re
import subprocess

import pytest

SEEDS = 4
SANITIZER_REPORT = re.compile(r"(AddressSanitizer|ThreadSanitizer|runtime error):? .*")

# What the report of the defect says, and the source it names.
ADDRESS = {
    "SharedWritePastEnd": r"AddressSanitizer: use-after-poison .*defects\.cuh",
    "GlobalReadPastEnd": r"AddressSanitizer: heap-buffer-overflow .*defects\.cuh",
    "ClusterReadAfterExit": r"AddressSanitizer: use-after-poison .*copy_defects\.cuh",
    "MisalignedLoad": r"defects\.cuh:\d+:\d+: runtime error: .* misaligned address",
}
THREAD = {
    "ReadAfterWrite": r"ThreadSanitizer: data race .*defects\.cuh",
    "WriteAfterRead": r"ThreadSanitizer: data race .*defects\.cuh",
    "WriteAfterWrite": r"ThreadSanitizer: data race .*defects\.cuh",
    "MissingSyncwarp": r"ThreadSanitizer: data race .*defects\.cuh",
    "LostUpdate": r"ThreadSanitizer: data race .*defects\.cuh",
    "MissingFence": r"ThreadSanitizer: data race .*defects\.cuh",
    "MissingAsyncWait": r"ThreadSanitizer: data race .*copy_defects\.cuh",
    "MissingBarrierWait": r"ThreadSanitizer: data race",
    "UnsyncedBarrierInit": r"ThreadSanitizer: data race",
    "CopyOverRead": r"ThreadSanitizer: data race",
    "UnsyncedCluster": r"ThreadSanitizer: data race .*copy_defects\.cuh",
}
REPORTS = {"ADDRESS": ADDRESS, "THREAD": THREAD}
# Each of these is seen by no sanitizer: the emulator's checks or the schedules find it.
OTHERS = (
    "DivergentBarrier", "DivergentShuffle", "MisalignedCountedLoad", "UninitialisedShared",
    "BlockOrder", "NeverWaitedBarrier", "TooManyBytesExpected", "TooFewBytesExpected",
    "UnfencedBarrierInit",
)
CASES = [(sanitizer, name) for sanitizer, table in REPORTS.items() for name in table]


def run(sanitizer, name, kind):
    program = os.environ[f"TESSERA_{sanitizer}_DEFECTS"]
    if not program:
        pytest.skip(f"the compiler links no program with the {sanitizer.lower()} sanitizer")
    # The thread sanitizer waits a second for others at exit; a report is its only one anyway.
    options = {"TSAN_OPTIONS": "atexit_sleep_ms=0 halt_on_error=0", "ASAN_OPTIONS": ""}
    ran = subprocess.run([program, name, kind, str(SEEDS)], env={**os.environ, **options},
                         capture_output=True, text=True, timeout=120, check=False)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize(("sanitizer", "name"), CASES)
def test_the_planted_defect_is_reported(sanitizer, name):
    status, _, said = run(sanitizer, name, "planted")
    assert status != 0
    assert re.search(REPORTS[sanitizer][name], said), said


@pytest.mark.parametrize("sanitizer", REPORTS)
@pytest.mark.parametrize("name", sorted({*ADDRESS, *THREAD, *OTHERS}))
def test_the_right_kernel_is_not(sanitizer, name):
    status, results, said = run(sanitizer, name, "right")
    assert SANITIZER_REPORT.search(said) is None, said
    assert status == 0
    assert results.splitlines() == ["same result"] * SEEDS


@pytest.mark.parametrize("sanitizer", REPORTS)
@pytest.mark.parametrize("name", OTHERS)
def test_a_defect_of_another_kind_is_no_false_alarm(sanitizer, name):
    status, results, said = run(sanitizer, name, "planted")
    assert SANITIZER_REPORT.search(said) is None, said
    assert status == 0
    assert len(results.splitlines()) >= SEEDS
