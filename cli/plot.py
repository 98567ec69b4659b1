"""``paipu plot``: figures of a warehouse."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.asking import choosing_options
from cli.failing import Failure, refused
from cli.options import debug_option, examples, lang_option, memory_option, warehouse_option

if TYPE_CHECKING:
    from analytics.plots import Plot
    from analytics.wording import Language

ENDINGS: Final = (".png", ".svg")
MOST_PIXELS: Final = 100_000_000  # 400 MB while they are drawn


def _list(ctx: click.Context, _: click.Parameter, is_asked: Any) -> None:
    """All figures with the study that each is drawn of, one a line."""
    if not is_asked or ctx.resilient_parsing:
        return
    from analytics.plots import PLOTS
    from cli.tables import write_table

    rows = ((p.name, p.study, ",".join(p.by)) for p in PLOTS.values())
    write_table(rows, ("name", "study", "by"))
    ctx.exit()


def _names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from analytics.plots import PLOTS

    return [name for name in PLOTS if name.startswith(incomplete)]


def _file(_: click.Context, __: click.Parameter, given: str) -> Path:
    """A file whose ending says how it is written, in a folder that is there."""
    path = Path(given)
    if path.suffix.lower() not in ENDINGS:
        raise click.BadParameter(f"{given!r} must end in {' or '.join(ENDINGS)}.")
    if path.is_dir():
        raise click.BadParameter(f"{given!r} is a folder, and a file is to be written.")
    if not path.parent.is_dir():
        raise refused("no_folder", path=path.parent)
    return path


@click.command(
    epilog=examples(
        ("paipu plot --list", "which figures there are"),
        ("paipu plot bombs -w wh/ --where \"deal = 'uniform'\" -o bombs.png", "are deals honest?"),
        (
            "paipu plot flows -w wh/ --since 2026-11-01 --where \"unit = 'points'\" -o flows.svg",
            "what the house takes and gives, day by day",
        ),
    )
)
@click.argument("name", metavar="NAME", shell_complete=_names)
@warehouse_option
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    callback=_file,
    help="The file to write, .png or .svg; one that is there is replaced once the figure is drawn.",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List all figures and exit.",
)
@choosing_options
@click.option(
    "--width",
    metavar="INCHES",
    type=click.FloatRange(2, 40),
    default=8.0,
    show_default=True,
    help="Width of the figure.",
)
@click.option(
    "--height",
    metavar="INCHES",
    type=click.FloatRange(2, 40),
    default=5.0,
    show_default=True,
    help="Height of the figure.",
)
@click.option(
    "--dpi",
    metavar="N",
    type=click.IntRange(30, 1200),
    default=150,
    show_default=True,
    help="Dots per inch of a PNG, which has 100 million pixels at most.",
)
@memory_option
@lang_option
@debug_option
def plot(
    *,
    name: str,
    warehouse: str,
    output: Path,
    width: float,
    height: float,
    dpi: int,
    memory: str,
    language: Language,
    **asked: Any,
) -> None:
    """Draw a figure of a warehouse.

    The title is the question; the caption says of how many games, by which rulesets and of
    which choice of games. Figures can be read in grey. Chinese labels need a font with
    hanzi: an installed one, or that of paipu[cjk]; without one the labels are in English.

    Exit status: 0 it was drawn; 2 it could not be drawn; 130 interrupted.
    \f

    [Plots](../plots.md) has all figures. In a notebook: `PLOTS[name].draw(frame, ax)`, with
    the frame of `open_warehouse(…).study(…)`. Money is drawn in one unit; where games of
    several are chosen, `--where` must choose one.
    """
    from analytics.studies import open_warehouse

    chosen = _plot_of(name)
    if output.suffix.lower() == ".png":
        _check_pixels(round(width * dpi), round(height * dpi))
    with open_warehouse(warehouse, memory=memory) as opened:
        frame = opened.study(chosen.study, by=chosen.by, **asked)
    _draw(chosen, frame, output, (width, height), dpi, language)


def _check_pixels(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise refused("too_many_pixels", width=width, height=height, most=MOST_PIXELS)


def _plot_of(name: str) -> Plot:
    from analytics.plots import PlotError
    from analytics.plots.registry import plot_of

    try:
        return plot_of(name)
    except PlotError as problem:
        raise Failure(str(problem)) from problem


def _draw(
    chosen: Plot,
    frame: Any,
    output: Path,
    size: tuple[float, float],
    dpi: int,
    language: Language,
) -> None:
    from matplotlib.figure import Figure

    from analytics.logs.writing import beside
    from analytics.plots import PlotError, drawing
    from analytics.plots.style import hint

    form = output.suffix.lower().removeprefix(".")
    metadata: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
    with drawing():
        figure = Figure(size, layout="constrained")
        try:
            chosen.draw(frame, figure.subplots(), language)
        except PlotError as problem:
            raise Failure(str(problem)) from problem
        with beside(str(output)) as unfinished:
            figure.savefig(unfinished, format=form, dpi=dpi, metadata=metadata)
    told = hint(language)
    if told:
        click.echo(told, err=True)
