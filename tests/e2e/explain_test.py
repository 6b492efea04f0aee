"""`tessera explain` against the real server: text, pages, and the examples of the documents."""

import html.parser
import json
import math
import os
import pathlib
import re
import shlex

import numpy as np
import pytest

import program

SIX = "4,3,2.2,1.6,1,-2"
DOCUMENTS = ("README.md", "docs/semantics.md")


@pytest.fixture(scope="module")
def explain(server):
    def call(*arguments, **environment):
        settings = {**os.environ, "LC_ALL": "C.UTF-8", **environment}
        return program.run("explain", "--server", server.address, *arguments, program=program.CLI,
                           env=settings)
    return call


def law_of(explain, values, chain, *arguments):
    """The last law of the only chain: {id: probability} of what is kept, and the whole answer."""
    result = explain("--values", values, "--chain", chain, "--leaders", "64", "--json", *arguments)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    law = answer["stages"][-1]["law"] if answer.get("stages") else answer["start"]
    kept = {token: p for token, p in zip(answer["followed_ids"], law["probabilities"]) if p > 0}
    return kept, law, answer


def test_text_shows_each_stage_with_its_boundary(explain):
    result = explain("--values", SIX, "--chain", "temperature=1.5,top_p=0.9", "--watch", "3")
    assert (result.returncode, result.stderr) == (0, "")
    text = result.stdout
    assert "1. temperature 1.5: divides logits by 1.5" in text
    assert "2. top-p 0.9: the smallest prefix whose probability reaches 0.9" in text
    lines = text.splitlines()
    boundary = max(i for i, line in enumerate(lines) if line.endswith(" cut") and "─" in line)
    assert re.match(r"[ *]+\d+ .*→ +0\.\d{4}  █", lines[boundary - 1]), text
    assert re.match(r"[ *]+\d+ .*→ +cut  ░", lines[boundary + 1]), text
    assert sum(line.startswith(" * ") for line in lines) == 3, "watched at the start and each stage"
    assert "\033[" not in text, "no colors where nobody looks"


def test_plain_characters_without_utf8(explain):
    for settings in ({"LC_ALL": "C"}, {"LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "C.UTF-8"}):
        result = explain("--values", SIX, "--chain", "top_p=0.9", **settings)
        assert result.returncode == 0 and result.stdout.isascii() and "####" in result.stdout
    result = explain("--values", SIX, "--chain", "top_p=0.9", "--ascii", "--color", "always")
    assert result.stdout.isascii() and "\033[32m###" in result.stdout


def test_two_chains_side_by_side_say_where_they_differ(explain):
    result = explain("--values", "0,0,0,0", "--chain", "top_p=0.5", "--chain-b",
                     "top_p=0.5:exceed")
    assert result.returncode == 0, result.stderr
    assert "A keeps 2 tokens, B keeps 3; B alone keeps token 2." in result.stdout
    assert re.search(r"^ +2 +cut +0\.3333 .*≠ B alone$", result.stdout, re.M), result.stdout
    assert "it may meet p exactly" in result.stdout
    assert "meeting p exactly is not enough" in result.stdout


def test_a_file_and_names_of_tokens(explain, tmp_path):
    values = np.linspace(-2, 2, 40).astype(np.float16).reshape(2, 20)
    np.save(tmp_path / "rows.npy", values)
    (tmp_path / "names.txt").write_text("".join(f"<{i}>\n" for i in range(20)))
    result = explain("--logits", tmp_path / "rows.npy", "--row", "1", "--chain", "top_k=3",
                     "--tokens", tmp_path / "names.txt", "--leaders", "2", "--watch", "0")
    assert result.returncode == 0, result.stderr
    assert re.search(r"^ +19  <19> +2  ", result.stdout, re.M), result.stdout
    assert re.search(r"^ \* +0  <0> .* cut ", result.stdout, re.M), result.stdout
    assert "number 3 of the order" in result.stdout
    missing = explain("--logits", tmp_path / "rows.npy", "--row", "2", "--chain", "top_k=3")
    assert missing.returncode == 2 and "rows.npy" in missing.stderr


def test_without_a_row_the_chain_is_explained(explain):
    result = explain("--chain", "temperature=0.7,min_p=0.05")
    assert result.returncode == 0, result.stderr
    assert "min-p 0.05: tokens at least 0.05 times as likely as the likeliest" in result.stdout
    assert "mass" not in result.stdout


class Page(html.parser.HTMLParser):
    """Checks that elements nest, and collects what a test asks for."""

    VOID = {"meta", "rect", "line", "wbr"}

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.classes, self.words = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.classes.append(dict(attributes).get("class", ""))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)
        self.classes.append(dict(attributes).get("class", ""))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, text):
        self.words.append(text)


def test_the_page_is_complete_in_itself(explain, tmp_path):
    (tmp_path / "names.txt").write_text("<b>&\n\"'\n" * 3)
    result = explain("--values", SIX, "--chain", "temperature=1.5,top_p=0.9", "--chain-b",
                     "temperature=1.5,top_p=0.9:within", "--tokens", tmp_path / "names.txt",
                     "--html", tmp_path / "page.html")
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "page.html").read_text()
    page = Page(text)
    assert not {"script", "link", "img", "iframe"} & set(page.seen)
    assert not re.search(r"https?:|url\((?!#hatch\))|@import|<b>", text)
    assert page.seen.count("article") == 6, "two chains, each with its start and two stages"
    assert {"boundary", "threshold", "kept", "cut", "mark", "bar-a", "bar-b"} <= set(page.classes)
    words = " ".join(page.words)
    assert "B alone" in words or "A alone" in words
    assert "prefers-color-scheme" in text and text.count("role=\"img\"") >= 8
    unwritable = explain("--values", SIX, "--chain", "top_p=0.9", "--html", tmp_path / "no/page")
    assert unwritable.returncode == 2 and "it cannot be written" in unwritable.stderr


MISTAKES = {
    "no chain": (["--values", "1,2"], 2, ["--chain"]),
    "a word for a number": (["--values", "1,x", "--chain", "top_p=1"], 2, ["item 2", "'x'"]),
    "two rows": (["--values", "1", "--logits", "f", "--chain", ""], 2, ["--values", "--logits"]),
    "no row to watch in": (["--chain", "top_p=1", "--watch", "1"], 2, ["--watch", "--values"]),
    "a number out of range": (["--values", "1,2", "--chain", "top_p=2"], 3,
                              ["chain.stages[0].top_p.p is 2; it must be in [0, 1]"]),
    "an id out of range": (["--values", "1,2", "--chain", "", "--watch", "2"], 3,
                           ["watch_ids[0] is 2; it must be in [0, 2)"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_a_lesson(explain, name):
    arguments, status, words = MISTAKES[name]
    result = explain(*arguments)
    assert result.returncode == status and result.stdout == ""
    for word in words:
        assert word in result.stderr


def test_a_row_without_a_law_is_exit_status_1(explain):
    result = explain("--values", "nan,1", "--chain", "top_p=0.9")
    assert result.returncode == 1 and "the logit of id 0 is NaN" in result.stdout


def numbers(text):
    """Reads a list of logits as the documents write them: 4, ln 0.5, 96 x 0, 100 from 1 to 0."""
    values = []
    for item in (part.strip() for part in text.split(",")):
        if match := re.fullmatch(r"(\d+) from (\S+) to (\S+)", item):
            values += np.linspace(float(match[2]), float(match[3]), int(match[1])).tolist()
        elif match := re.fullmatch(r"(\d+) x (\S+)", item):
            values += [float(match[2])] * int(match[1])
        elif match := re.fullmatch(r"ln (\S+)", item):
            values.append(math.log(float(match[1])))
        else:
            values.append(float(item))
    return values


def examples():
    """Rows of the tables of "Worked examples" whose second cell is a chain."""
    text = (program.REPOSITORY / "docs/semantics.md").read_text()
    section = text.split("## Worked examples", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in section.splitlines() if line.startswith("|")]
    return [row for row in rows if len(row) == 4 and row[1].startswith("`")]


def test_the_worked_examples_are_there():
    assert len(examples()) >= 20


@pytest.mark.parametrize("example", examples(), ids=lambda row: str(row[:2]))
def test_a_worked_example_comes_out_as_written(explain, example):
    logits, chain, keeps, shares = example
    values = ",".join(repr(float(np.float32(value))) for value in numbers(logits))
    kept, law, _ = law_of(explain, values, chain.strip("`"))
    assert law["support_size"] == int(keeps.split()[0])
    for token, share in re.findall(r"(\d+): (0\.\d+|1)", shares):
        assert kept[int(token)] == pytest.approx(float(share), abs=5.1e-5), example
    if not shares.endswith("..."):
        assert len(re.findall(r"\d+: ", shares)) == len(kept)


def shown_commands():
    """(document, command, the output under it) of every block that begins with $ tessera explain."""
    block = re.compile(r"^```\w*\n\$ (tessera explain [^\n]*)\n(.*?)^```", re.M | re.S)
    return [(document, *match) for document in DOCUMENTS
            for match in block.findall((program.REPOSITORY / document).read_text())]


def test_both_documents_show_a_command():
    assert {document for document, _, _ in shown_commands()} == set(DOCUMENTS)


@pytest.mark.parametrize("shown", shown_commands(), ids=lambda shown: str(shown[:2]))
def test_a_command_of_the_documents_prints_what_they_show(explain, shown):
    _, command, output = shown
    result = explain(*shlex.split(command)[2:])
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == output
