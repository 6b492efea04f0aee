"""A model-execution worker: llama.cpp computes logits, Tessera draws the tokens.

All prompts are decoded in one batch; each step sends the logits [B, V] of the unfinished sequences
to the server and appends the tokens that come back. The same seeds give the same text.
"""

import argparse
import time

from model import BatchedModel, model_path
from prompts import PROMPTS
from sampler import Sampler


def generate(model, sampler, prompts, seed, steps):
    """Returns (tokens written per prompt, number of rows drawn, seconds spent in draws)."""
    model.clear()
    lengths = [len(prompt) for prompt in prompts]
    written = [[] for _ in prompts]
    parts = list(enumerate(prompts))  # (sequence, tokens to append to it)
    rows, seconds = 0, 0.0
    for _ in range(steps):
        logits = model.decode(parts)
        live = [sequence for sequence, _ in parts]
        start = time.monotonic()
        tokens = sampler.draw(
            logits,
            seeds=[seed + sequence for sequence in live],
            positions=[lengths[sequence] + len(written[sequence]) for sequence in live],
        )
        seconds += time.monotonic() - start
        rows += len(live)
        parts = []
        for sequence, token in zip(live, tokens, strict=True):
            if not model.ends(token):
                written[sequence].append(token)
                parts.append((sequence, [token]))
        if not parts:
            break
    return written, rows, seconds


def first_difference(left, right):
    """Says where two runs part, or returns None where they do not."""
    for sequence, (a, b) in enumerate(zip(left, right, strict=True)):
        for step in range(max(len(a), len(b))):
            if a[step : step + 1] != b[step : step + 1]:
                return f"prompt {sequence}, step {step}: {a[step:step + 1]} and {b[step:step + 1]}"
    return None


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", required=True, help="address of tesserad, host:port")
    parser.add_argument("--prompts", type=int, default=4, help="sequences in the batch")
    parser.add_argument("--tokens", type=int, default=48, help="most tokens to write per prompt")
    parser.add_argument("--chain", default="temperature=0.7,top_k=50,top_p=0.9")
    parser.add_argument("--seed", type=int, default=42, help="prompt i draws with seed + i")
    parser.add_argument("--model", help="a GGUF file (default: the one from PyPI)")
    parser.add_argument("--threads", type=int, default=1, help="of the model, not of Tessera")
    parser.add_argument(
        "--check-repeat", action="store_true", help="generate twice; fail unless the texts agree"
    )
    arguments = parser.parse_args()
    if not 1 <= arguments.prompts <= len(PROMPTS):
        parser.error(f"--prompts is {arguments.prompts}; it must be in [1, {len(PROMPTS)}]")
    if not 1 <= arguments.tokens <= 384:
        parser.error(f"--tokens is {arguments.tokens}; it must be in [1, 384]")
    if not 0 <= arguments.seed < 2**64 - len(PROMPTS):
        parser.error(f"--seed is {arguments.seed}; it must be in [0, 2^64 - {len(PROMPTS)})")
    return arguments


def main():
    arguments = parse_arguments()
    chosen = PROMPTS[: arguments.prompts]
    sampler = Sampler(arguments.server, arguments.chain)
    model = BatchedModel(
        model_path(arguments.model), len(chosen), 128 + arguments.tokens, arguments.threads
    )
    prompts = [model.tokenize(prompt.text) for prompt in chosen]

    def run():
        return generate(model, sampler, prompts, arguments.seed, arguments.tokens)

    written, rows, seconds = run()
    for prompt, tokens in zip(chosen, written, strict=True):
        print(f"=== {prompt.name}\n{prompt.text}[[{model.text(tokens)}]]")
    print(
        f"--- {rows} rows of {model.vocab_size} logits drawn; "
        f"{1e3 * seconds / rows:.2f} ms per row in calls to {arguments.server}"
    )
    if arguments.check_repeat:
        difference = first_difference(written, run()[0])
        if difference is not None:
            raise SystemExit(f"the second run differs at {difference}")
        print(f"--- repeated: the same {sum(map(len, written))} tokens")
    sampler.close()
    model.close()


if __name__ == "__main__":
    main()
