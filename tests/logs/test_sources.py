"""Which files are meant by what somebody typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analytics.logs import Source, SourceError, find_sources, search

LOGS = (
    "a.jsonl", "a.jsonl.gz", "b.JSONL.zst", "c.ndjson", "d.json", "e.json.gz", "f.parquet",
    "deep/er/g.jsonl",
)  # fmt: skip
OTHERS = (
    ".hidden.jsonl", "x.jsonl.tmp", "x.jsonl.part", "~x.jsonl", "x.jsonl~", "notes.txt", "x.csv",
    ".git/h.jsonl", "y.gz",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with logs and other files, which is the current one."""
    for name in LOGS + OTHERS:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def paths(*arguments: str) -> list[str]:
    """The paths that are found."""
    return [source.path for source in find_sources(arguments)]


def test_a_folder_gives_its_logs(folder: Path) -> None:
    """At any depth, in the order of their bytes; nothing hidden or unfinished."""
    assert paths(".") == sorted(LOGS, key=os.fsencode)
    assert paths(str(folder)) == sorted(str(folder / name) for name in LOGS)


def test_ordinals_count_from_zero(folder: Path) -> None:
    """They are the places among all sources."""
    assert find_sources(["deep", "a.jsonl"]) == [Source("a.jsonl", 0), Source("deep/er/g.jsonl", 1)]


def test_a_file_may_have_any_name(folder: Path) -> None:
    """Whoever names a file means it."""
    assert paths("notes.txt", ".hidden.jsonl") == [".hidden.jsonl", "notes.txt"]


def test_each_path_counts_once(folder: Path) -> None:
    """However it is spelled, and in whatever order."""
    os.symlink("a.jsonl", "z.jsonl")
    spellings = ("./a.jsonl", "a.jsonl", "deep/../a.jsonl", "z.jsonl", "a.js*nl")
    assert paths(*spellings) == ["a.jsonl"]
    assert paths(*reversed(spellings)) == ["a.jsonl"]


def test_what_is_passed_over_is_said(folder: Path) -> None:
    """Everything but the hidden; broken links and linked folders too."""
    os.symlink("gone.jsonl", "broken.jsonl")
    os.symlink("deep", "linked")
    passed = search(["."]).passed_over
    assert "broken.jsonl" in passed
    assert "linked" in passed
    assert {name for name in OTHERS if name not in passed} == {
        name for name in OTHERS if any(part.startswith(".") for part in name.split("/"))
    }
    assert "notes.txt" not in search([".", "notes.txt"]).passed_over


def test_a_folder_that_cannot_be_searched_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not passed over as if it were empty."""

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(SourceError, match=r"\.: Permission denied"):
        paths(".")


def test_globs_are_taken(folder: Path) -> None:
    """Also into depth; unfinished files are left out, folders are searched."""
    assert paths("*.json*") == ["a.jsonl", "a.jsonl.gz", "d.json", "e.json.gz"]
    assert paths("**/g.jsonl") == ["deep/er/g.jsonl"]
    assert paths("de*") == ["deep/er/g.jsonl"]


def test_standard_input_is_a_source(folder: Path) -> None:
    """It has no path to be made normal."""
    assert paths("-") == ["-"]
    assert paths("-", "a.jsonl", "-") == ["-", "a.jsonl"]


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [("gone.jsonl", "there is no such file or folder"), ("*.gone", "matches no file")],
)
def test_what_means_nothing_is_said_clearly(folder: Path, argument: str, sentence: str) -> None:
    """Nothing is silently left out."""
    with pytest.raises(SourceError, match=sentence):
        paths("a.jsonl", argument)


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    """Whether that is a mistake is for the caller to say."""
    assert paths(str(tmp_path)) == []


def test_a_named_pipe_can_be_read_from(tmp_path: Path) -> None:
    """It is no regular file, but somebody named it."""
    os.mkfifo(tmp_path / "pipe")
    assert paths(str(tmp_path / "pipe")) == [str(tmp_path / "pipe")]
