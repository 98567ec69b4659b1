"""``paipu plot``: a file with a figure, or a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from analytics.logs import find_sources
from analytics.plots import PLOTS
from analytics.rules import load_rulesets
from analytics.warehouse.loading import load
from tests.cli.running import CASES, Invoke

TWO = ("--where", "seats = 2")


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warehouse with the games of tests/cases."""
    folder = tmp_path_factory.mktemp("plot") / "wh"
    load(find_sources([str(CASES / "games.jsonl")]), folder, load_rulesets())
    return str(folder)


def test_png_and_svg_are_written(invoke: Invoke, warehouse: str, tmp_path: Path) -> None:
    """By their endings, of the size that was asked for; nothing on standard output."""
    size = ("--width", "4", "--height", "3", "--dpi", "50")
    for name, begins in (("a.png", b"\x89PNG"), ("a.SVG", b"<?xml")):
        file = tmp_path / name
        done = invoke("plot", "xiang-kou", "-w", warehouse, "-o", str(file), *size, *TWO)
        assert (done.exit_code, done.output) == (0, "")
        assert file.read_bytes().startswith(begins)
    header = (tmp_path / "a.png").read_bytes()[16:24]
    assert (int.from_bytes(header[:4]), int.from_bytes(header[4:])) == (200, 150)


def test_list_names_every_figure(invoke: Invoke) -> None:
    """One line a figure, with its study."""
    lines = invoke("plot", "--list").stdout.splitlines()[1:]
    assert [tuple(line.split()[:2]) for line in lines] == [
        (plot.name, plot.study) for plot in PLOTS.values()
    ]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_run_that_breaks_off_leaves_what_was_there(
    invoke: Invoke, warehouse: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """Half a picture is written, then the disk is full: nothing is left of it."""

    def fail(_: Figure, file: str, **__: object) -> None:
        Path(file).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", fail)
    file = tmp_path / "a.png"
    if is_there:
        file.write_bytes(b"earlier")
    done = invoke("plot", "xiang-kou", "-w", warehouse, "-o", str(file), *TWO)
    assert done.exit_code == 2
    assert "No space left on device" in done.stderr
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert left == ({"a.png": b"earlier"} if is_there else {})


def test_a_folder_is_no_file_to_write(invoke: Invoke, warehouse: str, tmp_path: Path) -> None:
    """It is refused before anything is drawn."""
    (tmp_path / "a.png").mkdir()
    done = invoke("plot", "bombs", "-w", warehouse, "-o", str(tmp_path / "a.png"))
    assert done.exit_code == 2
    assert "is a folder" in done.stderr


def test_a_missing_font_is_hinted_at_once(
    invoke: Invoke, warehouse: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chinese was asked for and cannot be drawn: one line, and the figure in English."""
    monkeypatch.setattr("analytics.plots.style.hanzi_family", lambda: None)
    asked = ("plot", "xiang-kou", "-w", warehouse, "-o", str(tmp_path / "a.svg"), *TWO, "--lang")
    done = invoke(*asked, "zh")
    assert done.exit_code == 0
    assert done.stderr.count("paipu[cjk]") == 1
    assert "paipu[cjk]" not in invoke(*asked, "en").stderr


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("bomb", "-o", "a.png"), "there is no plot 'bomb'; is bombs meant?"),
        (("bombs", "-o", "a.pdf"), "'a.pdf' must end in .png or .svg"),
        (("bombs", "-o", "a.png", "--where", "false"), "no such games"),
        (("xiang-kou", "-o", "a.png"), "two and of four players"),
        (("items", "-o", "a.png"), "This figure needs amounts of one unit"),
        (("bombs", "-o", "no/such/folder/a.png"), "no/such/folder"),
        (
            ("bombs", "-o", "a.png", "--dpi", "1200", "--width", "10", "--height", "7"),
            "12,000 x 8,400 pixels are more than the 100,000,000",
        ),
        (("bombs", "-o", "a.png", "--where", "true) OR (true"), "is not one expression"),
    ],
)
def test_what_cannot_be_drawn_ends_with_two(
    invoke: Invoke, warehouse: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    asked: tuple[str, ...], sentence: str,
) -> None:  # fmt: skip
    """Status 2, a sentence, no file."""
    monkeypatch.chdir(tmp_path)
    done = invoke("plot", *asked, "-w", warehouse)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert not list(tmp_path.iterdir())
