"""transformers: the processors that edit logits by what the row already holds."""

import torch
from transformers.generation import logits_process

from peers import case, hugging_face

TEXT_BYTES = 4096  # the service's limit
SAMPLED = {"do_sample": 1, "top_k": 0}


def _run(processor, logits, history):
    ids = torch.tensor([history.ids] * len(logits), dtype=torch.long)
    return processor(ids, torch.from_numpy(logits.copy())).numpy()


def repetition(logits, parameters, history):
    return _run(logits_process.RepetitionPenaltyLogitsProcessor(
        parameters["repetition_penalty"]), logits, history)


def ngram(logits, parameters, history):
    return _run(logits_process.NoRepeatNGramLogitsProcessor(
        parameters["no_repeat_ngram_size"]), logits, history)


def bad_words(logits, parameters, history):
    words = [[int(i) for i in word.split(",")] for word in parameters["bad_words_ids"].split(";")]
    return _run(logits_process.NoBadWordsLogitsProcessor(words), logits, history)


def sequence_bias(logits, parameters, history):
    entries = [entry.split("=") for entry in parameters["sequence_bias"].split(";")]
    return _run(logits_process.SequenceBiasLogitsProcessor(
        [[[int(i) for i in ids.split(",")], float(bias)] for ids, bias in entries]),
        logits, history)


def _distinct(words):
    """The processor keeps one entry a sequence."""
    return sorted({",".join(map(str, word)) for word in words})


def _text(rng, entries):
    """Some of the entries, as many as a preset's text has room for."""
    text = ""
    for entry in rng.permutation(entries):
        longer = f"{text};{entry}" if text else str(entry)
        if len(longer) <= TEXT_BYTES:
            text = longer
    return text


def draw_repetition(rng, *_):
    return {**SAMPLED, "repetition_penalty": round(float(rng.uniform(0.5, 2)), 3)}


def draw_ngram(rng, *_):
    return {**SAMPLED, "no_repeat_ngram_size": int(rng.integers(1, 5))}


def draw_words(rng, _, history):
    return {**SAMPLED, "bad_words_ids": _text(rng, _distinct(case.sequences(rng, history.ids)))}


def draw_bias(rng, _, history):
    words = _distinct(case.sequences(rng, history.ids))
    return {**SAMPLED, "sequence_bias": _text(
        rng, [f"{word}={round(float(rng.uniform(-5, 5)), 2)}" for word in words])}


def one(label, draw, edited):
    return case.EditCase("hf-transformers", label, hugging_face.ENGINE, draw, edited)


CASES = [
    one("repetition", draw_repetition, repetition),
    one("no-repeat n-gram", draw_ngram, ngram),
    one("bad words", draw_words, bad_words),
    one("sequence bias", draw_bias, sequence_bias),
]
