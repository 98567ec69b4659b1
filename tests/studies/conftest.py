"""What the tests of studies share: warehouses, and the games in them as their logs say."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import zstandard

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.studies import Studied, open_warehouse
from analytics.warehouse.loading import load

SAMPLES = Path(__file__).parents[2] / "sample_logs"

Game = dict[str, Any]


def recorded(path: Path) -> list[Game]:
    """The games of a log, read without paipu."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()  # type: ignore[no-untyped-call]
        return [
            {**row, "actions": row["actions"].split(";"), "hands": row["hands"].split(";")}
            for row in rows
        ]
    raw = path.read_bytes()
    if path.suffix == ".gz":
        raw = gzip.decompress(raw)
    if path.suffix == ".zst":
        raw = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(raw)).read()
    return [json.loads(line) for line in raw.decode("utf-8").splitlines()]


@pytest.fixture(scope="session")
def games() -> list[Game]:
    """The games of the valid samples, in which every result is right."""
    return [game for path in sorted((SAMPLES / "valid").iterdir()) for game in recorded(path)]


def _loaded(folder: Path, name: str) -> Path:
    load(find_sources([str(SAMPLES / name)]), folder, load_rulesets())
    return folder


@pytest.fixture(scope="session")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the valid samples; nobody may write to it."""
    return _loaded(tmp_path_factory.mktemp("studies") / "valid", "valid")


@pytest.fixture(scope="session")
def studied(valid: Path) -> Iterator[Studied]:
    """The same, open."""
    with open_warehouse(valid, memory="500MB", threads=2) as warehouse:
        yield warehouse


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studied]:
    """A warehouse with the faulty samples, open."""
    folder = _loaded(tmp_path_factory.mktemp("studies") / "faulty", "faulty")
    with open_warehouse(folder, memory="500MB", threads=2) as warehouse:
        yield warehouse
