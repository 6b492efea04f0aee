"""examples/speculative against the real server, with made-up logits in place of the model."""

import os
import sys
import types

import pytest

import program

sys.path.insert(0, os.environ["TESSERA_STUBS"])
EXAMPLES = program.REPOSITORY / "examples"
DRAWS = 2000


@pytest.fixture(scope="module")
def example():
    """The example's modules. It generates stubs by grpc_tools; here the build has them already."""
    import importlib

    stubs = types.ModuleType("stubs")
    stubs.load = lambda *names: [importlib.import_module(f"tessera.v1.{name}") for name in names]
    sys.modules["stubs"] = stubs
    sys.path[:0] = [str(EXAMPLES / "speculative"), str(EXAMPLES / "worker")]
    return importlib.import_module("speculative")


def test_more_than_one_token_a_step_and_the_law_of_plain_sampling(example, server, capsys):
    arguments = example.parse_arguments(
        ["--server", server.address, "--synthetic", "--prompts", "2", "--tokens", "200",
         "--trials", "400"])
    speeds, tests, smallest = example.run(arguments)
    assert tests == 8
    printed = capsys.readouterr().out
    assert printed.count("tokens per target step") == 4 and printed.count("chi-square") == 8
    for method in ("TOKEN", "BLOCK"):
        assert speeds["blurred target"][method] > 1.5
        assert speeds["prompt lookup"][method] >= 1
    assert smallest > 1e-6


def chi_square_of(example, server, method, drafter_of):
    import chi_square

    target = example.SyntheticModel("target")
    chain = "temperature=0.8,top_p=0.9"
    sampler = example.Sampler(server.address, chain)
    verifier = example.Verifier(server.address, method, chain, chain)
    prompt = [3, 1, 4]
    first = example.first_tokens(target, drafter_of(sampler), verifier, prompt, range(DRAWS))
    plain = example.plain_tokens(target, sampler, prompt, list(range(2**40, 2**40 + DRAWS)))
    sampler.close()
    verifier.close()
    return chi_square.two_samples(first, plain)


@pytest.mark.parametrize("method", ["TOKEN", "BLOCK"])
def test_a_drafter_that_names_another_law_than_it_drew_from_is_seen(example, server, method):
    import drafters

    class Honest(drafters.ModelDrafter):
        def __init__(self, sampler):
            super().__init__(example.SyntheticModel("draft", blur=0.5), sampler)

    class Liar(Honest):
        def draft(self, tokens, count, seed):
            drafted = super().draft(tokens, count, seed)
            return drafted._replace(rows=0 * drafted.rows)

    assert chi_square_of(example, server, method, Honest).probability > 1e-5
    assert chi_square_of(example, server, method, Liar).probability < 1e-12


def test_chi_square_tails(example):
    import chi_square

    # Quantiles as tables print them.
    for statistic, degrees, tail in ((3.841459, 1, 0.05), (18.307038, 10, 0.05),
                                     (124.342113, 100, 0.05), (2.705543, 1, 0.1),
                                     (0.710723, 4, 0.95), (29.588298, 10, 0.001)):
        assert chi_square.upper_tail(statistic, degrees) == pytest.approx(tail, rel=1e-5)
    same = chi_square.two_samples([1] * 50 + [2] * 50, [1] * 50 + [2] * 50)
    assert (same.statistic, same.degrees, same.probability) == (0, 1, 1)
