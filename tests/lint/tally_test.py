"""scripts/tally.py counts what ran: cases of GoogleTest and pytest, plain tests, and steps."""

import pathlib
import subprocess
import sys

TALLY = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "tally.py"


def run(tmp_path, cases="", steps=""):
    (tmp_path / "cpu.xml").write_text(f"<testsuite>{cases}</testsuite>")
    (tmp_path / "steps").write_text(steps)
    ran = subprocess.run([sys.executable, str(TALLY), str(tmp_path)], capture_output=True,
                         text=True, check=False)
    return ran.stdout.splitlines(), ran.returncode


def case(name, status, output):
    skipped = '<skipped message="SKIP_RETURN_CODE=77"/>' if status == "notrun" else ""
    return (f'<testcase name="{name}" status="{status}">{skipped}'
            f"<system-out>{output}</system-out></testcase>")


def gtest(passed, skipped="", failed=0):
    text = f"[==========] {passed + failed} tests from 2 test suites ran. (3 ms total)\n"
    text += f"[  PASSED  ] {passed} tests.\n"
    if skipped:
        text = (f"[ RUN      ] Simd.Neon\nsimd_test.cc:31: Skipped\n{skipped}\n\n"
                f"[  SKIPPED ] Simd.Neon (0 ms)\n{text}[  SKIPPED ] 1 test, listed below:\n")
    if failed:
        text += f"[  FAILED  ] {failed} tests, listed below:\n"
    return text


def test_cases_inside_programs_count(tmp_path):
    cases = case("a", "run", gtest(5)) + case("b", "run", "..s\n3 passed, 1 skipped in 0.12s")
    cases += case("c", "run", "plain words")
    lines, code = run(tmp_path, cases, "passed lint\n")
    assert lines[-1] == "10 passed, 0 failed, 1 skipped"
    assert code == 0


def test_a_skip_prints_its_reason(tmp_path):
    lines, _ = run(tmp_path, case("simd", "run", gtest(2, skipped="no NEON on this machine")))
    assert lines == ["SKIPPED cpu: simd: Simd.Neon: no NEON on this machine",
                     "2 passed, 0 failed, 1 skipped"]


def test_a_ctest_skip_prints_its_last_line(tmp_path):
    cases = case("deploy", "notrun", "there is no kubectl") + case("a", "run", "")
    lines, code = run(tmp_path, cases)
    assert lines == ["SKIPPED cpu: deploy: there is no kubectl", "1 passed, 0 failed, 1 skipped"]
    assert code == 0


def test_a_program_that_was_not_built_fails(tmp_path):
    """ctest reports it like a skip; a sanitized run that lacked one closed with "0 failed"."""
    cases = ('<testcase name="laws" status="notrun"><skipped message="Unable to find executable: '
             'bin/laws_test"/><system-out>Unable to find executable: bin/laws_test</system-out>'
             '</testcase>')
    lines, code = run(tmp_path, cases)
    assert lines == ["FAILED  cpu: laws", "0 passed, 1 failed, 0 skipped"]
    assert code == 1


def test_a_failure_fails(tmp_path):
    lines, code = run(tmp_path, case("a", "fail", gtest(4, failed=2)))
    assert lines == ["FAILED  cpu: a", "4 passed, 2 failed, 0 skipped"]
    assert code == 1


def test_a_crash_after_every_case_passed_fails(tmp_path):
    lines, code = run(tmp_path, case("a", "fail", gtest(4) + "ERROR: LeakSanitizer"))
    assert lines[-1] == "4 passed, 1 failed, 0 skipped"
    assert code == 1


def test_a_failed_step_fails(tmp_path):
    lines, code = run(tmp_path, case("a", "run", ""), "failed lint\n")
    assert lines == ["FAILED  lint", "1 passed, 1 failed, 0 skipped"]
    assert code == 1


def test_nothing_ran_is_a_failure(tmp_path):
    lines, code = run(tmp_path)
    assert lines[-1] == "0 passed, 0 failed, 0 skipped"
    assert code == 1
