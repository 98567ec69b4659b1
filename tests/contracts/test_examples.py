"""What README and docs/ show works: every example of a shell and of Python is run."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from analytics import load_logs
from analytics.rules import load_file, load_rulesets
from tests.contracts.examples import SETTING_UP, blocks, run_page, statements

ROOT = Path(__file__).parents[2]
# Whose examples are not run, and why.
NOT_RUN = {
    "docs/completion.md": "they change the shell; test_documented.py asks for the scripts",
    "docs/environment.md": "it compiles all kernels, which takes minutes",
    "docs/offline.md": "it asks an index for wheels",
    "README.zh.md": "they are those of README.md, which another test compares",
}
# Whoever types these from the top needs a fresh copy, and nothing else.
FROM_THE_TOP = ("docs/tutorial.md", "docs/tune.md")
# Those of a command are parsed by tests/cli/test_documented.py: their logs are anybody's.
PAGES = [
    page
    for page in [*ROOT.glob("README*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
    if page.parent.name != "commands"
    and {block.language for block in blocks(page)} & {"sh", "python"}
]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of one house."""
    folder = tmp_path_factory.mktemp("examples") / "warehouse"
    load_logs(ROOT / "sample_logs" / "valid" / "huopin-points.jsonl", folder)
    return folder


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh copy, as far as pages need it: the samples."""
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def room(copy: Path, warehouse: Path) -> Path:
    """The folder that other pages suppose: also logs of a day, a warehouse, own rulesets."""
    shutil.copytree(warehouse, copy / "warehouse")
    (copy / "logs").mkdir()
    lines = (ROOT / "sample_logs/valid/huopin-points.jsonl").read_text("utf-8").splitlines()
    day = "".join(f"{line}\n" for line in lines[:20])
    (copy / "logs" / "2026-11-28.jsonl").write_text(day, "utf-8")
    (copy / "houses").mkdir()
    silver = (
        'name = "silver"\nversion = "1"\nextends = "huopin-points"\n\n'
        "[scoring]\nkou = { ping = 1, dan = 2, shuang = 4 }\nfee = 1\n"
    )
    (copy / "houses" / "silver.toml").write_text(silver, "utf-8")
    return copy


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_examples_of_a_page_work(page: Path, request: pytest.FixtureRequest) -> None:
    """Block by block, each command with the status that its comment says, else 0."""
    name = str(page.relative_to(ROOT))
    if name not in NOT_RUN:
        request.getfixturevalue("copy" if name in FROM_THE_TOP else "room")
        assert run_page(page) == []


def test_tables_of_examples_are_others(room: Path) -> None:
    """What pages set beside a preset pays otherwise, and keeps every row that the preset has."""
    [preset] = [each for each in load_rulesets().rulesets if each.name == "huopin-points"]
    text = (ROOT / "docs" / "tune.md").read_text("utf-8")
    dear = text.split("cat > houses/dear.toml <<'END'\n")[1].split("END\n")[0]
    (room / "houses" / "dear.toml").write_text(dear, "utf-8")
    for name in ("silver", "dear"):
        scoring = load_file(room / "houses" / f"{name}.toml").scoring
        assert scoring != preset.scoring
        rows = [row.xiang for row in scoring.doubling]
        assert rows == [row.xiang for row in preset.scoring.doubling]


def test_what_is_not_run_is_there() -> None:
    """No page is excused that has no examples any more."""
    assert set(NOT_RUN) <= set(NAMES)


def test_only_what_sets_up_is_left_out() -> None:
    """The statements of the README that are not run are those that CI has run already."""
    (text, *_) = [block.text for block in blocks(ROOT / "README.md") if block.language == "sh"]
    left_out = set(text.splitlines()) - {statement.text for statement in statements(text)}
    assert all(line.startswith(SETTING_UP) for line in left_out)
    assert sum(1 for _ in statements(text)) >= 4


def test_every_example_in_toml_is_toml() -> None:
    """Whatever is shown as TOML can be read as such."""
    for page in [*ROOT.glob("README*.md"), *sorted((ROOT / "docs").rglob("*.md"))]:
        for language, text in blocks(page):
            if language == "toml":
                assert tomllib.loads(text)
