"""`tessera explain --verify` against the real server, beside the arithmetic done plainly."""

import json
import math
import re

import numpy as np
import pytest

import program

# Probabilities hold to 1e-6: weights come from logits to some 24 bits.
TARGET = np.float32([[2, 1, 0, -1], [0, 2, 1, 0.5], [1, 1, 0, 0]])
DRAFT = np.float32([[1, 2, 0, 0], [0, 2, 2, -1]])
DRAFTS = [1, 2]


@pytest.fixture(scope="module")
def verify(server):
    def call(*arguments):
        return program.run("explain", "--server", server.address, *arguments, program=program.CLI)
    return call


def typed(rows):
    return ";".join(",".join(map(str, row)) for row in rows.tolist())


def softmax(row):
    weights = np.exp(row.astype(np.float64) - row.max())
    return weights / weights.sum()


def flags(method="token", draft=True):
    chosen = ["--verify", method, "--drafts", ",".join(map(str, DRAFTS)), "--target",
              typed(TARGET)]
    return chosen + (["--draft", typed(DRAFT)] if draft else [])


def test_json_has_what_the_rule_says(verify):
    accepted, rejected = 0, 0
    for seed in range(40):
        result = verify(*flags(), "--seed", seed, "--json")
        assert result.returncode == 0, result.stderr
        answer = json.loads(result.stdout)
        explanation = answer["explanations"][0]
        tests = explanation["tests"]
        tokens = []
        for node, test in enumerate(tests):
            p, q = softmax(TARGET[node]), softmax(DRAFT[node])
            token = DRAFTS[node]
            assert test.get("node", 0) == node and test["id"] == token
            assert test["target_probability"] == pytest.approx(p[token], abs=1e-6)
            assert test["draft_probability"] == pytest.approx(q[token], abs=1e-6)
            accept = min(1, p[token] / q[token])
            assert test["acceptance_probability"] == pytest.approx(accept, abs=1e-6)
            passed = test.get("passed", False)
            assert passed == (int(test["word"]) / 2**64 < test["acceptance_probability"])
            if passed:
                tokens.append(token)
        final = explanation["final_draw"]
        position = final.get("position", 0)
        assert position == len(tokens)
        left = softmax(TARGET[position])
        if position < len(DRAFTS):
            left = np.maximum(left - softmax(DRAFT[position]), 0)
            rejected += 1
        accepted += len(tokens)
        assert final["mass"] == pytest.approx(left.sum(), abs=1e-6)
        leaders = {leader["id"] if "id" in leader else 0: leader.get("probability", 0)
                   for leader in final["leaders"]}
        assert leaders == pytest.approx(dict(enumerate(left / left.sum())), abs=1e-6)
        assert answer["tokens"][:-1] == tokens and leaders[answer["tokens"][-1]] > 0
    assert accepted > 10 and rejected > 5, "40 seeds show both"


def test_text_shows_each_draft_and_the_last_draw(verify):
    texts = {verify(*flags(), "--ascii", "--seed", seed).stdout for seed in range(40)}
    for text in texts:
        assert re.search(r"^verification  token, 2 drafts drawn from logits, seed \d+, position 0$",
                         text, re.M), text
        assert re.search(r"^node 0:  token 1\n   target p +0\.\d{4}  #+\n   draft  q ", text, re.M)
        assert re.search(r"^last token (at the root|after node [01]):  from ", text, re.M), text
        assert re.search(r"^emitted: token .*; [012] of 2 drafts accepted$", text, re.M), text
    assert any("^ accepted" in text for text in texts)
    assert any("^ rejected" in text and "from max(p - q, 0), mass" in text for text in texts)
    assert any("after node 1:  from p, mass 1.0000" in text for text in texts), "a bonus token"


def test_files_names_and_one_hot_drafts(verify, tmp_path):
    np.save(tmp_path / "target.npy", np.vstack([TARGET[2:], TARGET]))
    np.save(tmp_path / "draft.npy", DRAFT)
    (tmp_path / "names.txt").write_text("zero\none\ntwo\nthree\n")
    common = ["--verify", "token", "--drafts", "1,2", "--logits", tmp_path / "target.npy", "--row",
              "1", "--seed", "3", "--json"]
    from_file = verify(*common, "--draft-logits", tmp_path / "draft.npy")
    assert from_file.returncode == 0, from_file.stderr
    as_typed = verify(*flags(), "--seed", "3", "--json")
    drop = lambda text: {k: v for k, v in json.loads(text).items() if k != "execution"}  # noqa: E731
    assert drop(from_file.stdout) == drop(as_typed.stdout)
    one_hot = json.loads(verify(*common).stdout)["explanations"][0]["tests"][0]
    assert one_hot["draft_probability"] == 1
    assert one_hot["acceptance_probability"] == pytest.approx(softmax(TARGET[0])[1], abs=1e-6)
    named = verify(*common[:-1], "--tokens", tmp_path / "names.txt")
    assert "node 0:  token 1 one" in named.stdout


def test_trees_methods_and_chains(verify):
    tree = ["--drafts", "1,0", "--parents", "-1,-1", "--target", typed(TARGET), "--draft",
            typed(DRAFT[:1])]
    for method in ("tree", "traversal", "target_only"):
        result = verify("--verify", method, *tree, "--chain", "temperature=0.8,top_p=0.9")
        assert result.returncode == 0, (method, result.stderr)
        assert "node 0 after the root:  token 1" in result.stdout, method
    result = verify(*flags("typical", draft=False))
    assert result.returncode == 0, result.stderr
    assert "this method changes the law of the tokens" in result.stdout
    assert "no coin: " in result.stdout


def test_block_scales_the_residual(verify):
    scales = set()
    for seed in range(60):
        answer = json.loads(verify(*flags("block"), "--seed", seed, "--json").stdout)
        final = answer["explanations"][0]["final_draw"]
        scales.add((final.get("position", 0), round(final["target_scale"], 6)))
    p, q = softmax(TARGET[0]), softmax(DRAFT[0])
    assert (1, round(min(1, p[1] / q[1]), 6)) in scales, scales
    assert all(math.isfinite(scale) for _, scale in scales)


def test_a_request_from_a_file(verify, tmp_path):
    path = tmp_path / "request.txtpb"
    path.write_text('vocab_size: 2 chains {} sequences { method: VERIFICATION_METHOD_TOKEN '
                    'target { seed: 1 position: 5 } draft_ids: 1 one_hot {} } '
                    'target_logits { element_type: ELEMENT_TYPE_FLOAT32 rows: 2 columns: 2 '
                    'inline_bytes: "' + "\\000" * 16 + '" }')
    result = verify("--request", path)
    assert result.returncode == 0, result.stderr
    assert "1 drafts that are one-hot, seed 1, position 5" in result.stdout
    assert "   accept       0.5000  " in result.stdout, result.stdout


def test_a_bad_row_is_exit_status_1_and_mistakes_are_2(verify):
    result = verify("--verify", "token", "--drafts", "0", "--target", "1,nan;1,1")
    assert result.returncode == 1 and "INVALID_LOGITS" in result.stdout, result.stdout
    result = verify("--verify", "tokens", "--drafts", "0", "--target", "1,1;1,1")
    assert result.returncode == 2 and "--verify" in result.stderr
    result = verify("--verify", "token", "--drafts", "0", "--target", "1,1;1,1", "--chain",
                    "min_p=0.1,smoothing=0.5")
    assert result.returncode in (1, 3) and "smoothing" in result.stdout + result.stderr
