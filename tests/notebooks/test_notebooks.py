"""The notebooks: question first, finding last, nothing kept of a run, and they run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks.running import LARGE, NOTEBOOKS, read_notebook, run_notebook

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]
TIMEOUT = 120  # seconds for a cell
# What each has to put out, besides text: games that display themselves, figures, frames.
SHOWN = {
    "01-first-audit": ("paipu-game", "dataframe"),
    "02-bombs": ("image/png", "dataframe"),
    "03-kou": ("image/png", "dataframe"),
    "04-economy": ("image/png", "dataframe"),
    "05-tuning": ("image/png", "dataframe"),
    "06-deals": ("image/png", "dataframe"),
    "07-your-own-ruleset": ("dataframe",),
    "08-your-own-log": ("paipu-game",),
}


def test_the_notebooks_are_numbered_and_none_is_missing() -> None:
    """In order, each with what it has to show."""
    assert list(SHOWN) == NAMES
    assert set(LARGE) <= set(NAMES)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_notebook_is_kept_without_a_run(path: Path) -> None:
    """No outputs, no counts, and a kernel that every Python has; cells have fixed names."""
    notebook = read_notebook(path)
    assert notebook.metadata.kernelspec == {
        "display_name": "Python 3", "language": "python", "name": "python3",
    }  # fmt: skip
    for number, cell in enumerate(notebook.cells, 1):
        assert cell.id == f"cell-{number:02}"
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_notebook_begins_with_its_question_and_ends_with_the_finding(path: Path) -> None:
    """A title and a question first; what was found last; logs are a parameter where they can be."""
    cells = read_notebook(path).cells
    assert re.match(rf"# {path.stem[:2]} .+\n\n\*\*Question\.\*\* .+\?", cells[0].source, re.DOTALL)
    assert cells[-1].cell_type == "markdown"
    assert cells[-1].source.startswith("## Finding\n\n")
    has_parameters = any("parameters" in cell.metadata.get("tags", ()) for cell in cells)
    assert has_parameters == (path.stem in LARGE)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_notebook_runs(path: Path) -> None:
    """Top to bottom, in a kernel of its own, without a warning; it shows what it is about."""
    notebook = run_notebook(path, {}, TIMEOUT)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    warned = [output.text for output in outputs if output.get("name") == "stderr"]
    assert not warned
    shown = "\n".join(_text(output) for output in outputs)
    for what in SHOWN[path.stem]:
        assert what in shown, what


def _text(output: Any) -> str:
    """The kinds of an output, and its HTML."""
    data = output.get("data", {})
    return f"{' '.join(data)} {data.get('text/html', '')}"
