"""Frames to draw: those of the samples, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from analytics.logs import find_sources
from analytics.plots import PLOTS, drawing
from analytics.rules import load_rulesets
from analytics.studies import Studied, open_warehouse
from analytics.warehouse.loading import load

SAMPLES = Path(__file__).parents[2] / "sample_logs"

Axes = Callable[..., Any]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the valid and the faulty samples."""
    made = tmp_path_factory.mktemp("plots") / "wh"
    logs = [str(SAMPLES / name) for name in ("valid", "faulty")]
    load(find_sources(logs), made, load_rulesets())
    return made


@pytest.fixture(scope="session")
def studied(folder: Path) -> Iterator[Studied]:
    """The same, open."""
    with open_warehouse(folder, threads=2) as warehouse:
        yield warehouse


@pytest.fixture
def axes(studied: Studied) -> Axes:
    """Draws a figure by its name and gives axes and frame."""

    def draw(name: str, where: str | None = "unit = 'wealth'", language: str = "en") -> Any:
        plot = PLOTS[name]
        frame = studied.study(plot.study, by=plot.by, where=where)
        with drawing():
            ax = Figure(layout="constrained").subplots()
            assert plot.draw(frame, ax, language) is ax
        return ax, frame

    return draw
