"""What the tests of logs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analytics.findings import Finding
from analytics.logs import GameBatch, Source, read
from analytics.rules import Rulebook, load_rulesets

Read = Callable[..., tuple[list[GameBatch], list[Finding]]]


@pytest.fixture(scope="session")
def rulebook() -> Rulebook:
    """The presets."""
    return load_rulesets([])


@pytest.fixture(params=["never", "always"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Everything once with uncompiled and once with compiled kernels."""
    monkeypatch.setenv("PAIPU_COMPILE", request.param)
    return str(request.param)


@pytest.fixture
def read_bytes(tmp_path: Path, rulebook: Rulebook) -> Read:
    """Reads a log of these bytes; gives its batches and its findings."""

    def read_file(
        content: bytes, name: str = "log.jsonl", **options: object
    ) -> tuple[list[GameBatch], list[Finding]]:
        path = tmp_path / name
        path.write_bytes(content)
        return parted(read(Source(str(path)), rulebook, **options))  # type: ignore[arg-type]

    return read_file


def parted(items: Iterator[GameBatch | Finding]) -> tuple[list[GameBatch], list[Finding]]:
    """Batches and findings, each in their order."""
    listed = list(items)
    batches = [item for item in listed if isinstance(item, GameBatch)]
    return batches, [item for item in listed if isinstance(item, Finding)]
