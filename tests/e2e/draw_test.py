"""The draw is the documented function of seed, position, stream and sample, judged in Python."""

import numpy as np
import pytest

import answers
import api
import philox

ONES = (1 << 32) - 1


def test_philox_here_gives_the_published_words():
    """Known answers of Random123, so that a fault here is not taken for one of the server."""
    assert philox.philox(0, (0, 0, 0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox.philox(2**64 - 1, (ONES,) * 4) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


def words_and_rows():
    random = np.random.default_rng(5)
    seeds = [0, 1, 2**32, 2**63, 2**64 - 1, *map(int, random.integers(0, 2**63, 60))]
    for i, seed in enumerate(seeds):
        position, stream = (0, ONES, i * 7919)[i % 3], (0, 0, 3, ONES)[i % 4]
        yield seed, position, stream


def test_equal_logits_are_drawn_by_the_documented_word(client):
    """Of V equal weights the token is floor(word * V / 2^64)."""
    vocabulary, samples = 1000, 5
    cases = list(words_and_rows())
    rows = [api.row(logits_row=0, seed=seed, position=position, stream=stream, samples=samples)
            for seed, position, stream in cases]
    drawn = list(client.sample(api.request(np.zeros((1, vocabulary)), rows)).tokens)
    expected = [philox.word(seed, position, stream, sample) * vocabulary >> 64
                for seed, position, stream in cases for sample in range(samples)]
    assert drawn == expected


def test_weights_are_walked_in_id_order(client):
    """Octaves: logits of whole multiples of ln 2 weigh powers of two but for binary32 rounding."""
    octaves = [3, 0, 5, 4, 1, 0, 2]
    logits = np.array(octaves) * np.log(2)
    weights = [2**44 * 2**octave // 2**5 for octave in octaves]
    cases = list(words_and_rows())
    rows = [api.row(logits_row=0, seed=seed, position=position, stream=stream)
            for seed, position, stream in cases]
    drawn = list(client.sample(api.request(logits, rows)).tokens)
    compared = 0
    for (seed, position, stream), token in zip(cases, drawn):
        word = philox.word(seed, position, stream)
        nearby = {philox.draw(weights, max(0, min(2**64 - 1, word + shift)))
                  for shift in (-(2**44), 0, 2**44)}  # weights here are true to 2^-20
        if len(nearby) == 1:
            assert token == nearby.pop()
            compared += 1
    assert compared > len(cases) - 3


def test_a_row_without_a_seed_says_which_it_used_and_that_reproduces_it(client):
    logits = np.zeros((4, 4096))
    first = client.sample(api.request(logits, [api.row()] * 4))
    second = client.sample(api.request(logits, [api.row()] * 4))
    seeds = [*first.seeds_used, *second.seeds_used]
    assert len(set(seeds)) == 8, "rows and calls get different seeds"
    again = client.sample(api.request(logits, [api.row(seed=seed) for seed in first.seeds_used]))
    assert api.result_bytes(again) == api.result_bytes(first)


def test_rows_that_draw_nothing_need_no_seed_and_no_position(client):
    bare = api.row_pb2.SampleRow
    rows = [bare(chain=0), bare(chain=1, samples=0), bare(chain=0, seed=9)]
    response = client.sample(api.request(np.eye(3), rows, [api.chain(greedy=True), api.chain()]))
    assert list(response.outcomes) == [api.OK] * 3
    assert list(response.seeds_used) == [0, 0, 9]
    assert list(response.tokens) == [0, 2]


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_samples_are_independent_draws_of_one_law(client, seed):
    """Chi-square of 128 x 64 draws over 8 equal ids; 7 degrees, critical value 29.9 (1e-4)."""
    rows = [api.row(logits_row=0, seed=seed, position=p, samples=128) for p in range(64)]
    drawn = answers.read(client.sample(api.request(np.zeros((1, 8)), rows)))
    counts = np.bincount([token for answer in drawn for token in answer.tokens], minlength=8)
    assert ((counts - 1024) ** 2 / 1024).sum() < 29.9
