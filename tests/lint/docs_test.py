"""What the documents quote and name is in the repository."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("deploy/*.md")])
IDS = [str(d.relative_to(ROOT)) for d in DOCUMENTS]

QUOTE = re.compile(r"^`([\w/.-]+)`:\n\n```\w*\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
# A path in backticks: it starts with a folder of ours and has no placeholder in it.
NAMED = re.compile(
    r"`((?:kernels|proto|service|client|tests|bench|deploy|scripts|docs|cmake|examples|\.ci)"
    r"/[\w/.-]*)`")


def test_there_are_documents():
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= set(IDS)


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDS)
def test_quoted_code_is_in_its_file(document):
    for path, code in QUOTE.findall(document.read_text()):
        assert code in (ROOT / path).read_text(), f"{path} no longer holds:\n{code}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDS)
def test_links_and_named_paths_exist(document):
    text = document.read_text()
    missing = [link for link in LINK.findall(text) if not (document.parent / link).exists()]
    missing += [path for path in NAMED.findall(text) if not (ROOT / path).exists()]
    assert missing == []


def test_a_stale_quote_would_be_found():
    text = "`kernels/types.h`:\n\n```cpp\nint NotThere();\n```\n"
    path, code = QUOTE.findall(text)[0]
    assert path == "kernels/types.h" and code not in (ROOT / path).read_text()
