"""Language models for speculative decoding: logits after each of a text's last tokens.

A model has `name`, `vocab_size`, `rows(tokens, count)`, `tokenize(text)`, `text(tokens)` and
`ends(token)`.
"""

import ctypes
import os
import pathlib

import numpy as np

CACHE = pathlib.Path(__file__).resolve().parents[2] / "build" / "speculative"


class LlamaModel:
    """One sequence in llama.cpp. What two calls have in common is not computed twice."""

    def __init__(self, name, path, length, threads=1):
        from model import BatchedModel  # of examples/worker; it needs llama_cpp

        self.name = name
        self._model = BatchedModel(path, 1, length, threads)
        self._tokens = []  # that the model has seen
        self.vocab_size = self._model.vocab_size
        self.tokenize = self._model.tokenize
        self.text = self._model.text
        self.ends = self._model.ends

    def rows(self, tokens, count):
        """Returns the logits after each of the last `count` tokens, float32 [count, vocab_size]."""
        tokens = list(tokens)
        keep = 0
        limit = min(len(self._tokens), len(tokens) - count)
        while keep < limit and self._tokens[keep] == tokens[keep]:
            keep += 1
        self._model.rewind(0, keep)
        new = tokens[keep:]
        self._tokens = tokens
        return self._model.decode([(0, new)], wanted=range(len(new) - count, len(new)))

    def close(self):
        self._model.close()


def quantised(path, kind="Q3_K_S"):
    """Returns a copy of a GGUF file with coarser weights, made once and kept in a build folder."""
    import llama_cpp

    copy = CACHE / f"{pathlib.Path(path).stem}-as-{kind}.gguf"
    if copy.exists():
        return str(copy)
    CACHE.mkdir(parents=True, exist_ok=True)
    unfinished = copy.with_suffix(f".{os.getpid()}")
    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = getattr(llama_cpp, f"LLAMA_FTYPE_MOSTLY_{kind}")
    parameters.allow_requantize = True
    parameters.pure = True  # every matrix; by default some keep more bits
    status = llama_cpp.llama_model_quantize(
        str(path).encode(), str(unfinished).encode(), ctypes.byref(parameters)
    )
    if status != 0:
        raise RuntimeError(f"cannot quantise {path} to {kind}: llama.cpp answered {status}")
    unfinished.rename(copy)
    return str(copy)


class SyntheticModel:
    """Made-up logits: a function of the last two tokens. For trying the loop without a model.

    `blur` mixes in other made-up logits: 0 is the target, more is a worse drafter.
    """

    def __init__(self, name, vocab_size=48, blur=0.0):
        self.name = name
        self.vocab_size = vocab_size
        self._blur = blur

    def _row(self, context):
        numbers = np.random.default_rng([7, *context]).normal(0, 2, (2, self.vocab_size))
        return (numbers[0] + self._blur * numbers[1]).astype(np.float32)

    def rows(self, tokens, count):
        padded = [0, *tokens]
        ends = range(len(padded) - count + 1, len(padded) + 1)
        return np.stack([self._row(padded[end - 2 : end]) for end in ends])

    def tokenize(self, text):
        return [byte % self.vocab_size for byte in text.encode()]

    def text(self, tokens):
        return " ".join(map(str, tokens))

    def ends(self, token):
        return False

    def close(self):
        pass
