"""Runs notebooks from top to bottom, each in a kernel of its own.

``python -m tests.notebooks.running FOLDER`` runs all of them on a simulated week, which is
made in the folder if it is not there; what each put out is written beside it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

ROOT: Final = Path(__file__).parents[2]
NOTEBOOKS: Final = ROOT / "notebooks"
TIMEOUT: Final = 1_800  # seconds that a cell may take on large data

# Per file of the simulated week: what it is made with.
WEEK: Final[Mapping[str, tuple[str, ...]]] = {
    "week/huopin-wealth.jsonl.zst": ("--rules", "huopin-wealth", "--games", "60000"),
    "week/baibian.jsonl.zst": ("--rules", "baibian", "--games", "40000", "--seed", "2"),
    "faulty.jsonl": ("--rules", "jiule", "--games", "10000", "--fault", "wrong-kou=0.01"),
}
# Per notebook: what its parameter ``logs`` is on large data; the others are small by nature.
LARGE: Final[Mapping[str, str]] = {
    "01-first-audit": "faulty.jsonl",
    "02-bombs": "week",
    "03-kou": "week",
    "04-economy": "week",
    "05-tuning": "week/huopin-wealth.jsonl.zst",
    "06-deals": "week",
}


def read_notebook(path: Path) -> Any:
    """A notebook as nbformat has it, checked against the format."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def run_notebook(path: Path, parameters: Mapping[str, object], timeout: int = TIMEOUT) -> Any:
    """The notebook with its outputs.

    Args:
        path: of the notebook; it runs in the folder in which it stands.
        parameters: values that take the place of those in its cell of parameters.
        timeout: seconds that a cell may take.

    Raises:
        CellExecutionError: a cell failed.
    """
    notebook = read_notebook(path)
    if parameters:
        place = next(
            at
            for at, cell in enumerate(notebook.cells)
            if "parameters" in cell.metadata.get("tags", ())
        )
        given = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
        notebook.cells.insert(place + 1, nbformat.v4.new_code_cell(given))
    resources = {"metadata": {"path": str(path.parent)}}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    client = NotebookClient(notebook, timeout=timeout, resources=resources)
    return client.execute(env=environment)


def make_week(folder: Path) -> None:
    """Simulates the logs that are not there yet."""
    for name, wanted in WEEK.items():
        path = folder / name
        if path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "cli", "simulate", *wanted, "--days", "7", "-o", str(path)]
        subprocess.run(command, cwd=ROOT, check=True)


def main(folder: Path) -> None:
    """Runs every notebook that takes logs on the week, and says how long each took."""
    make_week(folder)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        name = LARGE.get(path.stem)
        begun = time.perf_counter()
        run = run_notebook(path, {"logs": str(folder / name)} if name else {})
        nbformat.write(run, folder / path.name)
        print(f"{path.stem}: {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
