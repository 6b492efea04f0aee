"""The `tessera` program against the real server, from files as Python users write them."""

import json
import re

import numpy as np
import pytest

import answers
import api
import program

CHAIN = "temperature=0.7,top_k=50,top_p=0.9"


@pytest.fixture(scope="module")
def logits():
    values = np.round(np.random.default_rng(11).normal(0, 3, (4, 1000)) * 4) / 4
    return values.astype(np.float32)


@pytest.fixture(scope="module")
def tessera(server):
    def call(command, *arguments):
        return program.run(command, "--server", server.address, *arguments, program=program.CLI)
    return call


def files(folder, logits):
    """The same values as every kind of file: (name, the flags that say what it is)."""
    np.save(folder / "fp32.npy", logits)
    np.save(folder / "fp16.npy", logits.astype(np.float16))
    np.save(folder / "bf16.npy", api.to_bf16(logits))
    np.save(folder / "fortran.npy", np.asfortranarray(logits))
    api.to_bf16(logits).tofile(folder / "bf16.bin")
    logits.tofile(folder / "fp32.bin")
    shape = f"{logits.shape[0]},{logits.shape[1]}"
    return {"fp32.npy": [], "fp16.npy": [], "bf16.npy": ["--dtype", "bf16"],
            "bf16.bin": ["--dtype", "bf16", "--shape", shape],
            "fp32.bin": ["--dtype", "fp32", "--shape", shape]}


def test_every_kind_of_file_gives_what_the_api_gives(tessera, client, logits, tmp_path):
    rows = [api.row(seed=42 + r, logprobs=api.logprobs(api.RAW, top_n=5), return_support_size=True)
            for r in range(4)]
    chain = api.chain(temperature=0.7, top_k=50, top_p=0.9)
    expected = answers.read(client.sample(api.request(logits, rows, [chain])))
    for name, flags in files(tmp_path, logits).items():
        result = tessera("sample", "--logits", tmp_path / name, *flags, "--chain", CHAIN,
                         "--seed", "42", "--logprobs", "5", "--json")
        assert (result.returncode, result.stderr) == (0, ""), name
        report = json.loads(result.stdout)
        assert len(result.stdout.splitlines()) == 1
        assert [row["row"] for row in report["rows"]] == [0, 1, 2, 3]
        for row, answer in zip(report["rows"], expected):
            assert row["outcome"] == "OK"
            assert row["tokens"] == answer.tokens
            assert row["support_size"] == answer.support_size
            assert int(row["seed"]) == answer.seed
            raw = row["logprobs"]["raw"]
            assert [entry["id"] for entry in raw["top"]] == answer.modes[api.RAW].top_ids
            assert [np.float32(entry["logprob"]) for entry in raw["top"]] == \
                [np.float32(value) for value in answer.modes[api.RAW].top_logprobs]


def test_chosen_rows_give_the_same_tokens_alone(tessera, logits, tmp_path):
    np.save(tmp_path / "rows.npy", logits)
    common = ["sample", "--logits", tmp_path / "rows.npy", "--chain", CHAIN, "--seed", "7",
              "--json"]
    whole = json.loads(tessera(*common).stdout)["rows"]
    some = json.loads(tessera(*common, "--rows", "2,0").stdout)["rows"]
    assert some == [whole[2], whole[0]]


def test_text_for_people_shows_tokens_and_probabilities(tessera, tmp_path):
    np.save(tmp_path / "four.npy", np.float32([[0.5, 3, -1, 2]]))
    result = tessera("sample", "--logits", tmp_path / "four.npy", "--chain", "greedy",
                     "--seed", "7", "--logprobs", "4")
    assert result.returncode == 0
    assert re.search(r"^ *0 +OK +7 +1 +1 +-0\.3841 +1$", result.stdout, re.M), result.stdout
    assert "probability" in result.stdout and "numerics version" in result.stdout


def test_masks_history_and_scores_reach_the_server(tessera, tmp_path):
    np.save(tmp_path / "one.npy", np.float32([[5, 4, 3, 2, 1]]))
    result = tessera("sample", "--logits", tmp_path / "one.npy", "--json",
                     "--chain", "logit_bias,frequency_penalty=2:prompt,greedy",
                     "--banned", "0", "--bias", "2:0.5", "--prompt", "1,1", "--stop", "2",
                     "--min-tokens", "1", "--score", "4,2", "--logprob-modes", "processed")
    assert result.returncode == 0, result.stderr
    row = json.loads(result.stdout)["rows"][0]
    assert row["tokens"] == [3], "0 is banned, 1 penalized, 2 a stop id that comes too early"
    assert [entry["rank"] for entry in row["logprobs"]["processed"]["scored"]] == [0, 0]


def test_a_failed_row_is_exit_status_1_and_named(tessera, tmp_path):
    np.save(tmp_path / "nan.npy", np.float32([[1, 2], [np.nan, 1]]))
    text = tessera("sample", "--logits", tmp_path / "nan.npy", "--seed", "1")
    assert text.returncode == 1
    assert "INVALID_LOGITS" in text.stdout and "row 1: the logit of id " in text.stdout
    assert "is NaN after edits" in text.stdout
    report = tessera("sample", "--logits", tmp_path / "nan.npy", "--seed", "1", "--json")
    assert report.returncode == 1
    rows = json.loads(report.stdout)["rows"]
    assert rows[1]["outcome"] == "INVALID_LOGITS" and rows[1]["tokens"] == []
    assert "NaN" in rows[1]["error"]


MISTAKES = {
    "no file named": ([], ["--logits"]),
    "no such file": (["--logits", "/nonexistent.npy"], ["/nonexistent.npy"]),
    "no npy": (["--logits", __file__], ["cli_test.py", "--shape"]),
    "bad chain": (["--logits", "x", "--chain", "top_q=3"], ["top_q", "top_p"]),
    "bad seed": (["--logits", "x", "--seed", "-1"], ["--seed", "-1"]),
    "unknown flag": (["--logit", "x"], ["--logit", "--logits"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_exit_status_2_and_a_lesson(tessera, name):
    arguments, words = MISTAKES[name]
    result = tessera("sample", *arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    for word in words:
        assert word in result.stderr


def test_arrays_of_another_kind_are_refused_by_name(tessera, tmp_path):
    np.save(tmp_path / "ints.npy", np.arange(4).reshape(1, 4))
    np.save(tmp_path / "deep.npy", np.zeros((1, 2, 3), np.float32))
    for name, word in (("ints.npy", "i8"), ("deep.npy", "3 dimensions")):
        result = tessera("sample", "--logits", tmp_path / name)
        assert result.returncode == 2 and name in result.stderr and word in result.stderr


def test_a_server_that_is_not_there_or_refuses_is_exit_status_3(tessera, tmp_path):
    np.save(tmp_path / "four.npy", np.float32([[0.5, 3, -1, 2]]))
    nobody = program.run("sample", "--server", "127.0.0.1:1", "--attempts", "1", "--logits",
                         tmp_path / "four.npy", program=program.CLI)
    assert nobody.returncode == 3 and "127.0.0.1:1" in nobody.stderr
    refused = tessera("sample", "--logits", tmp_path / "four.npy", "--vocab-size", "9")
    assert refused.returncode == 3
    assert "vocab_size is 9; it must be in [1, 4]" in refused.stderr


def test_info_tells_what_the_server_has(tessera, client):
    listed = client.capabilities()
    text = tessera("info")
    assert text.returncode == 0
    for word in (listed.backend.name, listed.server_version, "top_p", "SampleTokens"):
        assert word in text.stdout
    report = json.loads(tessera("info", "--json").stdout)
    assert report["limits"]["max_unary_bytes"] == listed.limits.max_unary_bytes
    assert report["stages"] == list(listed.stages)


def test_a_short_load_run_counts_its_requests(tessera):
    result = tessera("load", "--rows", "4", "--vocab", "5000", "--requests", "40", "--concurrency",
                     "2", "--duration", "20s", "--chain", CHAIN, "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["answered"], report["failed"], report["differing"]) == (40, 0, 0)
    assert (report["rows"], report["vocab_size"], report["dtype"]) == (4, 5000, "bf16")
    assert report["rows_per_second"] > 0
    latency = report["latency_ms"]
    assert 0 < latency["p50"] <= latency["p90"] <= latency["p99"] <= latency["max"]


def test_help_and_version(tessera):
    top = program.run("--help", program=program.CLI)
    assert top.returncode == 0
    for name in ("sample", "explain", "info", "load"):
        assert f"tessera {name}" in top.stdout
        own = program.run(name, "--help", program=program.CLI)
        assert own.returncode == 0 and own.stderr == "" and "--server" in own.stdout
    assert program.run("--version", program=program.CLI).stdout.startswith("tessera ")
    assert program.run("sampel", program=program.CLI).returncode == 2
    assert program.run(program=program.CLI).returncode == 2
