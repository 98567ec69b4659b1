"""What the tests of rulesets share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analytics.rules import Rulebook, Ruleset, load_rulesets

Write = Callable[..., Path]
Load = Callable[..., Ruleset]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes one ruleset file: a head that may be overridden, then the text."""

    def write_file(text: str, *, name: str = "house", version: str = "1", **top: str) -> Path:
        path = tmp_path / f"{name}@{version}.toml"
        head = {"name": f'"{name}"', "version": f'"{version}"', **top}
        lines = [f"{key} = {value}" for key, value in head.items()]
        path.write_text("\n".join([*lines, text]), encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def load(write: Write, tmp_path: Path) -> Load:
    """Writes one ruleset file and loads it."""

    def load_file(text: str, *, name: str = "house", version: str = "1", **top: str) -> Ruleset:
        write(text, name=name, version=version, **top)
        book = load_rulesets([tmp_path])
        return book.rulesets[book.find(f"{name}@{version}", None)]

    return load_file


@pytest.fixture(scope="session")
def presets() -> dict[str, Ruleset]:
    """The presets by name."""
    book: Rulebook = load_rulesets()
    return {ruleset.name: ruleset for ruleset in book.rulesets}
