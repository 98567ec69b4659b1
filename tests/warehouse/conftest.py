"""What the tests of the warehouse share: one that is loaded once, and logs to load."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.warehouse import Warehouse, open_warehouse
from analytics.warehouse.loading import Loaded, load

ROOT = Path(__file__).parents[2]
VALID = ROOT / "sample_logs" / "valid"
BOOK = load_rulesets()

Game = dict[str, Any]
WriteLog = Callable[..., str]


def load_into(folder: Path, *logs: str | Path, **options: Any) -> Loaded:
    """Loads logs with the presets."""
    return load(find_sources([str(log) for log in logs]), folder, BOOK, **options)


def files_in(folder: Path) -> dict[str, bytes]:
    """Every Parquet file of a warehouse, by its relative path."""
    found = (path for path in folder.rglob("*.parquet") if ".staging" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture(scope="session")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the valid samples; nobody may write to it."""
    folder = tmp_path_factory.mktemp("warehouse") / "valid"
    load_into(folder, VALID)
    return folder


@pytest.fixture
def opened(valid: Path) -> Iterable[Warehouse]:
    """The same, open for reading."""
    with open_warehouse(valid, memory="500MB", threads=2) as warehouse:
        yield warehouse


@pytest.fixture
def write_log(tmp_path: Path) -> WriteLog:
    """Writes games, or lines, into a log and gives its path."""

    def write(lines: Iterable[Game | str], name: str = "log.jsonl") -> str:
        path = tmp_path / name
        texts = (x if isinstance(x, str) else json.dumps(x, ensure_ascii=False) for x in lines)
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return str(path)

    return write
