"""Writes what a GPU check found: report.txt for people, report.json for programs."""

import json
import platform
import re

# What of the log belongs into the report for people.
TELLING = re.compile(
    r"claim: |.* rows on each of |\[  (PASSED|FAILED|SKIPPED) |.*: not run: "
    r"|.*(ERROR|RACECHECK) SUMMARY|peers: "
)


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def case(row):
    return (
        f"{row['dtype']:4} {row['columns']:6} {row['rows']:7} {row['chain']:21} "
        f"{row['batch']:4}"
    )


def bench_lines(bench):
    yield (
        f"{bench['device']}: copy {bench['copy_gb_per_s']:.0f} GB/s, "
        f"read {bench['read_gb_per_s']:.0f} GB/s; "
        f"a launch of nothing: {bench['nothing_us']:.2f} us"
    )
    yield f"{'':4} {'V':6} {'rows':7} {'chain':21} {'B':>4} {'us':>9} {'floor us':>9}"
    for row in bench["table"]:
        yield f"{case(row)} {row['us']:9.2f} {row['floor_us']:9.2f}"


def peer_lines(peers):
    for row in peers["table"]:
        ours = f" {row['times_ours']:8.1f} x ours" if "times_ours" in row else ""
        yield f"{row['sampler']:10} {row['how']:5} {case(row)} {row['us']:10.1f} us{ours}"


def write(out, device, reason, phases):
    """Returns the text that stands at the report's head."""
    bench, peers = read_json(out / "bench.json"), read_json(out / "peers.json")
    name = f"{device['name']}, sm_{device['sm']}" if device else f"none: {reason}"
    lines = [f"GPU: {name}", f"host: {platform.platform()}", ""]
    for phase in phases:
        why = f": {phase['reason']}" if phase["reason"] else ""
        lines.append(f"{phase['verdict']:8} {phase['phase']:10} {phase['seconds']:6.1f} s{why}")
    log = (out / "log.txt").read_text(errors="replace") if (out / "log.txt").exists() else ""
    lines += ["", *(line for line in log.splitlines() if TELLING.match(line))]
    head = "\n".join(lines)
    if bench:
        lines += ["", *bench_lines(bench)]
    if peers:
        lines += ["", *peer_lines(peers)]
    (out / "report.txt").write_text("\n".join(lines) + "\n")
    report = {
        "device": device,
        "no_device": reason,
        "phases": phases,
        "benchmark": bench,
        "peers": peers,
    }
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return f"\n{head}\n\nthe whole report: {out / 'report.txt'}"
