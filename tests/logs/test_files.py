"""A log is read in the same way wherever it lies: here in memory, and by file URLs."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
import zstandard

from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs import Ways, verify_logs
from analytics.logs import (
    Source,
    SourceError,
    batch_of,
    files,
    find_sources,
    is_parquet,
    is_plain,
    read,
    search,
    write_parquet,
)
from analytics.reconcile import Summary
from analytics.rules import load_rulesets
from tests.games import CASES, fixture_games
from tests.logs.conftest import parted
from tests.logs.said import said

RULEBOOK = load_rulesets()
LOG = (CASES / "games.jsonl").read_bytes()


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """A folder with a log in every form, a torn one, and something else."""
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(LOG + b"{broken\n")
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(LOG[:20_000]))
    (folder / "c.jsonl.zst").write_bytes(zstandard.compress(LOG[20_000:])[:-30])
    (folder / "deep" / "d.JSONL").write_bytes(LOG[:9_000])
    write_parquet([batch_of(fixture_games(), RULEBOOK)], str(folder / "e.parquet"))
    for name in ("notes.txt", ".hidden.jsonl", "f.jsonl.tmp"):
        (folder / name).write_bytes(b"x")
    return folder


@pytest.fixture(params=["memory", "file"])
def remote(request: pytest.FixtureRequest, local: Path) -> Iterator[str]:
    """The URL of a folder that holds the same."""
    if request.param == "file":
        yield f"file://{local}"
        return
    memory: Any = fsspec.filesystem("memory")
    for path in local.rglob("*"):
        if path.is_file():
            memory.pipe_file(f"/logs/{path.relative_to(local)}", path.read_bytes())
    yield "memory://logs"
    memory.rm("/logs", recursive=True)


def report(place: str, ways: Ways) -> tuple[Summary, list[Finding]]:
    """What verification says of a place, with names that do not depend on it."""
    with Collector(RULEBOOK) as collector:
        reconciler = verify_logs(find_sources([place]), collector, ways=ways)
        summary = reconciler.finish()
        return summary, list(reconciler.findings())


def nameless(found: tuple[Summary, list[Finding]], place: str) -> str:
    """The report without the place."""
    return repr(found).replace(place, "")


@pytest.mark.parametrize("size", [5_000, 1 << 25])
def test_a_folder_of_urls_gives_the_same_report(
    local: Path, remote: str, size: int, tmp_path: Path
) -> None:
    """Byte ranges, row groups, packed files, torn ones: all but the names is equal."""
    expected = nameless(report(str(local), Ways(shard_bytes=size)), str(local))
    assert nameless(report(remote, Ways(shard_bytes=size)), remote) == expected
    kept = Ways(work=tmp_path / "work", shard_bytes=size)
    assert nameless(report(remote, kept), remote) == expected


@pytest.mark.parametrize("name", ["a.jsonl", "b.jsonl.gz", "deep/d.JSONL", "e.parquet"])
def test_batches_are_equal(local: Path, remote: str, name: str) -> None:
    """Every column but the name of the file."""
    one, other = (parted(read(Source(f"{place}/{name}"), RULEBOOK))[0] for place in (local, remote))
    assert [said(b, but=("file",)) for b in one] == [said(b, but=("file",)) for b in other]


def test_urls_are_found_as_paths_are(local: Path, remote: str) -> None:
    """Folders, globs and files, each once; what is passed over is said."""
    names = ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "deep/d.JSONL", "e.parquet"]
    found = search([remote, f"{remote}/a.jsonl"])
    assert [source.path for source in found.sources] == [f"{remote}/{name}" for name in names]
    assert list(found.passed_over) == [f"{remote}/f.jsonl.tmp", f"{remote}/notes.txt"]
    globbed = [source.path for source in find_sources([f"{remote}/*.jsonl*"])]
    assert [path.rpartition("/")[2] for path in globbed] == names[:3]
    assert len(find_sources([f"{remote}/deep", f"{remote}/*"])) == len([*names, "notes.txt"])


def test_a_file_counts_once_by_path_and_by_url(local: Path) -> None:
    """One file, two spellings."""
    assert len(find_sources([str(local / "a.jsonl"), f"file://{local}/a.jsonl"])) == 1


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("memory://gone", "memory://gone: there is no such file or folder"),
        ("memory://gone/*.jsonl", "matches no file"),
        ("nowhere://a/b", "nowhere://a/b: "),
    ],
)
def test_a_url_that_means_nothing_is_said(url: str, sentence: str) -> None:
    """In a sentence with the URL."""
    with pytest.raises(SourceError, match=sentence.replace("*", r"\*")):
        find_sources([url])


def test_without_fsspec_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra by its name."""
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(SourceError, match=r"memory://a: to read URLs, install paipu\[cluster\]"):
        find_sources(["memory://a"])


class Failing(io.BytesIO):
    """A remote file whose connection breaks."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Reads up to a kilobyte, once."""
        if self.tell():
            raise RuntimeError("connection lost")
        return super().read(1024)


def test_a_connection_that_breaks_is_no_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the library raises is a sentence on the URL, and not a torn log."""
    memory: Any = fsspec.filesystem("memory")
    memory.pipe_file("/broken.jsonl", LOG)
    monkeypatch.setattr(type(memory), "open", lambda *_, **__: Failing(LOG))
    with pytest.raises(SourceError, match=r"memory://broken.jsonl: connection lost"):
        list(read(Source("memory://broken.jsonl"), RULEBOOK))


def test_what_a_file_is_is_told_by_its_bytes(local: Path, remote: str) -> None:
    """Also of URLs, and of names with a query behind them."""
    assert is_plain(f"{remote}/a.jsonl")
    assert not is_plain(f"{remote}/b.jsonl.gz")
    assert is_parquet(f"{remote}/e.parquet")
    assert files.size_of(f"{remote}/a.jsonl") == (local / "a.jsonl").stat().st_size
    assert files.size_of("-") is None
