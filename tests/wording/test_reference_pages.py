"""The reference pages are in step with the code and with each other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from analytics.findings import Code, Severity, severity_of
from tests.wording.test_catalogues import PARAMS

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGES: Final = ("rules.md", "log-format.md", "findings.md", "glossary.md")
CLAUSES: Final = (
    "1 2 3 3.1 3.2 3.3 4 5 5.1 6 7 8 8.1 8.2 8.3 9 10 11 12"  # as code and tests cite them
)


WORDS: Final = (
    "xiang kou ping dan shuang base doubling contribution shown trustee jiefeng straight bomb "
    "chain wild posting ledger fee mint linked unlinked places escape Finding Ruleset replay "
    "Facts Settled GameBatch kernel"
)


VALUES: Final = {"hand", "shown", "seats", "hands", "cards", "timeout", "trustee"}  # of params


def page(name: str) -> str:
    """The text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def sections() -> dict[str, str]:
    """The paragraphs of findings.md by code."""
    parts = re.split(r"^### (\w+\.\w+)$", page("findings.md"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def anchors(text: str) -> set[str]:
    """The anchors that the headings of a page get."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def test_findings_page_has_exactly_the_codes() -> None:
    """Every code has one paragraph, in the order of ``Code``, and there is no other."""
    headings = re.findall(r"^### (\S+)$", page("findings.md"), flags=re.MULTILINE)
    assert headings == [code.text for code in Code]


@pytest.mark.parametrize("code", list(Code), ids=lambda code: code.text)
def test_a_paragraph_names_severity_and_sample(code: Code) -> None:
    """The severity is that of the code, and the sample is named after it."""
    text = sections()[code.text]
    assert f"`sample_logs/invalid/{code.text.replace('.', '-')}.jsonl`" in text
    assert text.strip().startswith(f"Severity: {severity_of(code).value}")
    assert len(text) > 300


def test_the_page_says_what_findings_carry() -> None:
    """The table of params has those of every code that has any, and no others."""
    table = page("findings.md").split("## What else a finding carries")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[a-z]+\.[a-z_` .]+) \| (.+) \|$", table, flags=re.MULTILINE)
    said = {
        Code.of(code): {name for name in re.findall(r"`(\w+)`", text) if name not in VALUES}
        for codes, text in rows
        for code in re.findall(r"`([^`]+)`", codes)
    }
    assert said == PARAMS


def test_a_torn_compressed_file_is_said_to_be_an_error() -> None:
    """The one code with two severities has both on the page."""
    line = sections()["format.torn"].strip().splitlines()[0]
    assert Severity.WARNING.value in line
    assert Severity.ERROR.value in line


def test_log_format_lists_every_code() -> None:
    """The table of codes of the log format leaves none out."""
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", page("log-format.md")))
    assert {code.text for code in Code} <= named


def test_rules_have_the_clauses_that_are_cited() -> None:
    """The headings of the rules are numbered as code and tests cite them."""
    headings = re.findall(r"^#{2,3} ([\d.]+?)\.? ", page("rules.md"), flags=re.MULTILINE)
    assert headings == CLAUSES.split()


def test_clause_5_has_its_six_points() -> None:
    """Play is told in six numbered points."""
    body = page("rules.md").split("## 5. Play")[1].split("### 5.1")[0]
    assert re.findall(r"^(\d)\. ", body, flags=re.MULTILINE) == list("123456")


@pytest.mark.parametrize("name", PAGES)
def test_links_between_pages_lead_somewhere(name: str) -> None:
    """Every link to a page or heading of these pages exists."""
    for target, anchor in re.findall(r"\]\(([\w-]+\.md)?(?:#([^)]+))?\)", page(name)):
        text = page(target or name)
        assert not anchor or anchor in anchors(text), (name, target, anchor)


@pytest.mark.parametrize("identifier", WORDS.split())
def test_glossary_has_the_word(identifier: str) -> None:
    """Each word of the trade has a line."""
    cells = [line.split("|")[3] for line in page("glossary.md").splitlines() if line[:1] == "|"]
    assert any(re.search(rf"\b{identifier}\b", cell) for cell in cells)


def test_a_glossary_line_is_one_sentence() -> None:
    """Each line has four cells and its last one is a single sentence."""
    for line in page("glossary.md").splitlines():
        if line.startswith("| ") and "中文" not in line:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == 4, line
            assert cells[3].endswith("."), line
            assert ". " not in cells[3], line
