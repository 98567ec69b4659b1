"""The pages: a reader finds whatever there is, no link leads nowhere, both READMEs are in step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import analytics
from analytics.findings import Code
from analytics.plots import PLOTS
from analytics.rules import CODES, TERMS
from analytics.rules.model import specs
from analytics.studies.registry import STUDIES
from analytics.tuning import comparing, sensitivity, standing, wealth
from analytics.tuning.drivers import DRIVER_COLUMNS
from analytics.tuning.goals import CHANGED
from analytics.tuning.in_order import IN_ORDER_COLUMNS
from analytics.tuning.judging import SHORTFALL_COLUMNS
from analytics.tuning.replaying import ILLEGAL_COLUMNS
from analytics.warehouse.families import TABLES
from analytics.warehouse.small import SMALL
from cli.main import NAME, app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *sorted(DOCS.rglob("*.md")), ROOT / "sample_logs" / "README.md"]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_OF_WAREHOUSES = ("resettle", "unload", "prune", "check")  # docs/warehouse.md has these
CODE = re.compile(r"```.*?```", re.DOTALL)


def text_of(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return CODE.sub("", page.read_text(encoding="utf-8"))


def links_of(page: Path) -> list[str]:
    """Where its links lead, those to other machines left out."""
    return [link for link in LINK.findall(text_of(page)) if ":" not in link]


def anchors_of(page: Path) -> set[str]:
    """The anchors of its headings, as Markdown makes them."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


# Links


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    """The file is there, and the heading in it."""
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link


def test_every_page_is_reached() -> None:
    """Whoever follows links from the index comes to every page."""
    seen: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        waiting += [(page.parent / link.partition("#")[0]).resolve() for link in links_of(page)]
    assert {str(page) for page in DOCS.rglob("*.md")} <= {str(page) for page in seen}


# What a reader finds


def _all_docs() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md")))


def _commands(ctx: click.Context) -> Iterator[str]:
    if not isinstance(ctx.command, click.Group):
        return
    for name in ctx.command.list_commands(ctx):
        command = ctx.command.get_command(ctx, name)
        assert command is not None
        child = click.Context(command, info_name=name, parent=ctx)
        yield child.command_path
        yield from _commands(child)


def test_every_command_is_found_by_hand_and_by_reference() -> None:
    """Its page has it, and the README names every command of the first level."""
    readme = (ROOT / "README.md").read_text("utf-8")
    everything = _all_docs()
    for path in _commands(click.Context(app, info_name=NAME)):
        assert f"`{path}`" in everything or f"# {path}\n" in everything, path
        words = path.split()
        if len(words) == 2 and words[1] not in _OF_WAREHOUSES:
            assert f"`{words[1]}`" in readme, path


def test_every_key_term_and_code_of_rulesets_is_found() -> None:
    """The page of rulesets has them."""
    page = (DOCS / "ruleset.md").read_text("utf-8")
    assert not [name for name in (*specs(), *TERMS, *CODES) if f"`{name}`" not in page]


def test_every_table_and_column_is_found() -> None:
    """The page of tables has each table as a heading, and its columns below it."""
    page = (DOCS / "tables.md").read_text("utf-8")
    for table in (*TABLES, *SMALL):
        _, _, rest = page.partition(f"## `{table.name}`")
        section = rest.partition("\n## ")[0]
        assert not [c.name for c in table.columns if f"`{c.name}`" not in section], table.name


def test_every_finding_code_has_a_paragraph() -> None:
    """The page of findings has a heading for each."""
    page = (DOCS / "findings.md").read_text("utf-8")
    assert not [code.text for code in Code if not re.search(rf"^#+ .*{code.text}", page, re.M)]


def test_every_study_with_its_columns_is_found() -> None:
    """The page of studies has each as a heading, and its columns below it."""
    page = (DOCS / "studies.md").read_text("utf-8")
    for study in STUDIES.values():
        section = page.partition(f"## `{study.name}`")[2].partition("\n## ")[0]
        names = [column.name for column in (*study.own, *study.always, *study.columns)]
        assert not [name for name in names if f"`{name}`" not in section], study.name


def test_every_figure_is_found() -> None:
    """The page of plots has each."""
    page = (DOCS / "plots.md").read_text("utf-8")
    assert not [name for name in PLOTS if f"`{name}`" not in page]


def test_every_notebook_is_found() -> None:
    """The page of notebooks has each, and no other."""
    page = (DOCS / "notebooks.md").read_text("utf-8")
    names = [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert re.findall(r"^\| `(\d\d-[\w-]+)` \|", page, re.MULTILINE) == names


def _columns_of_tuning() -> set[tuple[str, str]]:
    """Every column of every frame of tuning, with the part that it is of."""
    who, paired, curve = comparing.WHO_COLUMNS, comparing.PAIRED_COLUMNS, wealth.LORENZ_COLUMNS
    parts: dict[str, tuple[str, ...]] = {
        "economy": comparing.ECONOMY_COLUMNS,
        "of_players": wealth.PLAYER_COLUMNS,
        "lorenz": curve,
        "paired": paired,
        "tiers": ("tier", *who),
        "levels": ("from_balance", *who),
        "drivers": DRIVER_COLUMNS,
        "illegal": ILLEGAL_COLUMNS,
        "in_order": IN_ORDER_COLUMNS,
        "in_order_paired": paired,
        "in_order_lorenz": curve,
        "over_time": standing.OVER_TIME_COLUMNS,
        "sensitivity": sensitivity.COLUMNS,
        "interactions": sensitivity.PAIR_COLUMNS,
        "tables": ("name", "file", "hash", CHANGED),
        "front": ("written",),
        "shortfalls": SHORTFALL_COLUMNS,
        "days": standing.DAY_COLUMNS,
    }
    return {(part, column) for part, columns in parts.items() for column in columns}


def test_every_column_of_tuning_is_found() -> None:
    """The page of tuning has each with its part, and no other."""
    page = (DOCS / "tune.md").read_text("utf-8").partition("\n## Columns\n")[2]
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| `")]
    told = [
        (part, column)
        for columns, parts in rows
        for part in re.findall(r"`(\w+)`", parts)
        for column in re.findall(r"`(\w+)`", columns)
    ]
    assert len(told) == len(set(told))
    assert set(told) == _columns_of_tuning()


def test_every_name_for_notebooks_is_found() -> None:
    """Whatever ``analytics`` hands out is on the page of notebooks."""
    page = (DOCS / "notebooks.md").read_text("utf-8")
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", page))))
    assert set(analytics.__all__) <= named


def test_every_decision_is_in_the_index() -> None:
    """In order, each by its number."""
    page = (DOCS / "index.md").read_text("utf-8")
    paths = sorted((DOCS / "decisions").glob("*.md"))
    listed = re.findall(r"\[(\d+)\]\((decisions/.*?)\)", page)
    assert listed == [(str(int(path.name[:4])), f"decisions/{path.name}") for path in paths]


# The README in Chinese


def _shape(page: Path) -> dict[str, object]:
    """What both languages have in common."""
    text = page.read_text("utf-8")
    blocks = CODE.findall(text)
    return {
        "headings": [len(marks) for marks in re.findall(r"^(#+) ", text_of(page), re.MULTILINE)],
        "commands": [re.sub(r"\s+#.*", "", line) for b in blocks for line in b.splitlines()],
        "points": len(re.findall(r"^- ", text_of(page), re.MULTILINE)),
        "rows": [line.count("|") for line in text.splitlines() if line.startswith("|")],
        "links": {link for link in links_of(page) if not link.startswith("README")},
        "names": set(re.findall(r"\*\*`\w+`\*\*", text)),
        "numbers": sorted(re.findall(r"\d+,\d{3}", text)),
    }


def test_the_chinese_readme_is_in_step() -> None:
    """The same headings, commands, points, rows, links and numbers; each leads to the other."""
    assert _shape(ROOT / "README.zh.md") == _shape(ROOT / "README.md")
    assert "README.zh.md" in links_of(ROOT / "README.md")
    assert "README.md" in links_of(ROOT / "README.zh.md")
