"""Times other samplers on the shapes that gpu_bench times, and prints ours beside them.

    peers.py [--ours gpu_bench.json] [--json FILE] [--repeats N] [--dry-run]

PyTorch's sort path (softmax, sort, cumulative sum, mask, multinomial); FlashInfer where it can be
imported. Times are taken as gpu_bench takes them: a CUDA graph where the sampler can be captured
(else marked "eager": then its launches are part of the time), a cold L2 cache, the median between
two events. Exit status 0 also where there is nothing to time; the reason is printed.
"""

import argparse
import json
import pathlib
import sys

BATCHES = (1, 8, 64, 256)
COLUMNS = (128256, 151936)
DTYPES = ("bf16", "fp32")
SHAPES = ("real", "peaked", "flat")
CHAINS = {  # name: (k, p), None where there is no such cut
    "no filter": (None, None),
    "top-k 50 + top-p 0.9": (50, 0.9),
    "top-p 0.9": (None, 0.9),
}
WARM_UPS = 3
FLUSH_BYTES = 256 << 20
RECORDED = "tests/data/gemma3_270m_16x262144.bf16"
RECORDED_ROWS, RECORDED_COLUMNS = 16, 262144
SLOW_US, SLOW_REPEATS = 20_000, 5  # what takes this long is timed fewer times


def sort_path(torch, logits, k, p):
    """What a PyTorch user writes: mask in sorted order, then draw, then map back to ids."""
    probabilities = torch.softmax(logits.float(), dim=-1)
    if k is None and p is None:
        return torch.multinomial(probabilities, 1)
    ordered, ids = torch.sort(probabilities, dim=-1, descending=True)
    if k is not None:
        ordered[:, k:] = 0
        ordered /= ordered.sum(dim=-1, keepdim=True)
    if p is not None:
        before = torch.cumsum(ordered, dim=-1) - ordered
        ordered = ordered.masked_fill(before >= p, 0)
    return ids.gather(-1, torch.multinomial(ordered, 1))


def flashinfer_path(torch, flashinfer, logits, k, p):
    sampling = flashinfer.sampling
    if k is not None:
        return sampling.top_k_top_p_sampling_from_logits(logits.float(), k, p)
    probabilities = torch.softmax(logits.float(), dim=-1)
    if p is not None:
        return sampling.top_p_sampling_from_probs(probabilities, p)
    return sampling.sampling_from_probs(probabilities)


class Timer:
    """Median microseconds, cold L2: as many bytes written and then others read before each run."""

    def __init__(self, torch, repeats):
        self.torch, self.repeats = torch, repeats
        self.written = torch.empty(FLUSH_BYTES, dtype=torch.uint8, device="cuda")
        self.read = torch.zeros(FLUSH_BYTES // 4, dtype=torch.float32, device="cuda")

    def capture(self, sample):
        """A replay of `sample` and "graph", or the sampler itself and "eager"."""
        torch = self.torch
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UPS):
                sample()
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                sample()
            return graph.replay, "graph"
        except RuntimeError:
            torch.cuda.synchronize()
            return sample, "eager"

    def median(self, sample):
        torch = self.torch
        run, how = self.capture(sample)
        times = []
        repeats = self.repeats
        while len(times) < repeats:
            self.written.zero_()
            self.read.sum()
            before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            before.record()
            run()
            after.record()
            torch.cuda.synchronize()
            times.append(before.elapsed_time(after) * 1e3)
            if times[-1] > SLOW_US:
                repeats = min(repeats, SLOW_REPEATS)
        return sorted(times)[len(times) // 2], how


def make_rows(torch, shape, dtype, columns):
    kind = torch.bfloat16 if dtype == "bf16" else torch.float32
    if shape == "real":
        recorded = torch.frombuffer(
            bytearray(pathlib.Path(RECORDED).read_bytes()), dtype=torch.bfloat16
        )
        rows = recorded.view(RECORDED_ROWS, RECORDED_COLUMNS)[:, :columns]
    else:
        generator = torch.Generator().manual_seed(1)
        rows = torch.randn(RECORDED_ROWS, columns, generator=generator)
        if shape == "peaked":
            rows[
                torch.arange(RECORDED_ROWS),
                torch.randint(columns, (RECORDED_ROWS,), generator=generator),
            ] = 25
    rows = rows.to("cuda", kind)
    return rows.repeat(max(BATCHES) // RECORDED_ROWS, 1).contiguous()


def samplers(torch):
    """Name and function of each sampler that is here; the others are said."""
    found = {"torch": lambda logits, k, p: sort_path(torch, logits, k, p)}
    try:
        import flashinfer
        import flashinfer.sampling

        found["flashinfer"] = lambda logits, k, p: flashinfer_path(torch, flashinfer, logits, k, p)
    except Exception as error:  # a broken installation is no reason to time nothing
        print(f"peers: flashinfer is not timed: {type(error).__name__}: {error}")
    return found


def cases():
    for columns in COLUMNS:
        for dtype in DTYPES:
            for shape in SHAPES:
                yield columns, dtype, shape


def ours_by_case(path):
    if not path:
        return {}
    table = json.loads(pathlib.Path(path).read_text())["table"]
    return {(r["columns"], r["dtype"], r["rows"], r["chain"], r["batch"]): r["us"] for r in table}


def time_sampler(timer, name, sample, ours, row_sets):
    """Yields a line of the table for every shape, chain and batch; stops when the sampler fails."""
    for (columns, dtype, shape), rows in row_sets:
        for chain, (k, p) in CHAINS.items():
            for batch in BATCHES:
                logits = rows[:batch]
                us, how = timer.median(lambda: sample(logits, k, p))
                row = {
                    "sampler": name,
                    "how": how,
                    "columns": columns,
                    "dtype": dtype,
                    "rows": shape,
                    "chain": chain,
                    "batch": batch,
                    "us": round(us, 3),
                }
                mine = ours.get((columns, dtype, shape, chain, batch))
                if mine:
                    row["times_ours"] = round(us / mine, 2)
                beside = f"  {us / mine:7.1f} x ours" if mine else ""
                print(
                    f"{name:10} {how:5} {dtype} V {columns} {shape:6} {chain:20} B {batch:<4}"
                    f" {us:10.1f} us{beside}",
                    flush=True,
                )
                yield row


def measure(torch, options):
    """Samplers one after the other, and what is known written at once: one may compile for long."""
    ours = ours_by_case(options.ours)
    timer = Timer(torch, options.repeats)
    report = {"torch": torch.__version__, "failed": {}, "table": []}
    for name, sample in samplers(torch).items():
        row_sets = ((one, make_rows(torch, one[2], one[1], one[0])) for one in cases())
        try:
            report["table"] += time_sampler(timer, name, sample, ours, row_sets)
        except Exception as error:  # the others are timed all the same
            print(f"peers: {name} fails and is left out from here on: {error}")
            report["failed"][name] = str(error)
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", help="what gpu_bench --json wrote")
    parser.add_argument("--json", help="a file to write")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--dry-run", action="store_true", help="list the shapes")
    options = parser.parse_args()
    if options.dry_run:
        for columns, dtype, shape in cases():
            print(f"{dtype} V {columns} {shape}: {len(CHAINS)} chains, B {BATCHES}")
        return 0
    try:
        import torch
    except ImportError as error:
        print(f"peers: not run: {error}")
        return 0
    if not torch.cuda.is_available():
        print("peers: not run: torch sees no CUDA device")
        return 0
    print(f"torch {torch.__version__} on {torch.cuda.get_device_name()}")
    measure(torch, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
