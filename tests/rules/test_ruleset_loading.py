"""Folders, files and presets together."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analytics.rules import RulesetError, check_files, load_rulesets

Write = Callable[..., Path]


def test_a_folder_adds_to_the_presets(write: Write, tmp_path: Path) -> None:
    """The rulesets of the folder stand beside the six presets."""
    path = write("", extends='"jiule"')
    book = load_rulesets([tmp_path])
    assert len(book.rulesets) == 7
    assert book.rulesets[book.find("house", None)].source == str(path)


def test_only_toml_files_directly_inside_are_read(write: Write, tmp_path: Path) -> None:
    """Other files and folders below may hold anything."""
    (tmp_path / "notes.txt").write_text("= [")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "broken.toml").write_text("= [")
    write("", extends='"jiule"')
    assert len(load_rulesets([str(tmp_path)]).rulesets) == 7


def test_a_path_given_twice_is_read_once(write: Write, tmp_path: Path) -> None:
    """A folder and a file in it do not clash with one another."""
    path = write("", extends='"jiule"')
    roundabout = tmp_path / ".." / tmp_path.name / path.name
    assert len(load_rulesets([tmp_path, path, roundabout]).rulesets) == 7
    assert check_files([roundabout]) == []


def test_without_presets_their_children_have_no_parent(write: Write, tmp_path: Path) -> None:
    """The presets can be left out altogether."""
    write("", extends='"jiule"')
    with pytest.raises(RulesetError, match="there is no ruleset"):
        load_rulesets([tmp_path], presets=False)


def test_a_file_that_shadows_a_preset_is_an_error(write: Write, tmp_path: Path) -> None:
    """A preset is never replaced silently; the mistake is told at the file."""
    path = write("", name="jiule", version="1", extends='"jiule@1"')
    [mistake] = check_files([path])
    assert (mistake.file, mistake.code) == (str(path), "rules.same-version")
    assert "is a preset: give this file a name of its own" in mistake.message


def test_a_sibling_can_be_the_parent(write: Write) -> None:
    """Checking one file finds its parent in the same folder, and does not check that."""
    write("[scoring]\ndoubling = { 4 = 2, 5 = 1 }", name="parent", extends='"jiule"')
    child = write("[scoring]\nshare = 101", name="child", extends='"parent"')
    found = check_files([child])
    assert [m.path for m in found] == ["scoring.doubling.5", "scoring.share"]
    assert {m.file for m in found} == {str(child)}
    assert "inherited from parent@1" in found[0].message


def test_the_error_shows_every_mistake(write: Write, tmp_path: Path) -> None:
    """One line each: file, line, path, sentence and code."""
    one = write("[scoring]\nfee = -1\nshare = 101", name="one", extends='"jiule"')
    two = write("[play]\nseats = 3", name="two", extends='"jiule"')
    with pytest.raises(RulesetError) as caught:
        load_rulesets([tmp_path])
    assert str(caught.value).splitlines() == [
        f"{one}:5: error: scoring.fee: -1 is not between 0 and 1,000,000,000,000 [rules.limit]",
        f"{one}:6: error: scoring.share: 101 is not between 0 and 100 [rules.limit]",
        f"{two}:5: error: play.seats: 3 is not 2 or 4 [rules.value]",
    ]


def test_importing_reads_no_file() -> None:
    """The readers of TOML are not even imported before a ruleset is loaded."""
    program = "import analytics.rules, sys; print('tomllib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
