"""What the checks of the public bug cases draw."""

import answers
import api
import program

FEW = 10 if program.SANITIZED else 1  # sanitizers are slow: divide what only repeats


def tokens(client, matrix, rows, chains=None, **fields):
    answered = answers.read(client.sample(api.request(matrix, rows, chains, **fields)))
    assert [answer.error for answer in answered] == [""] * len(rows)
    return [token for answer in answered for token in answer.tokens]
