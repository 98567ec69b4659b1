"""``--output FILE.html``: what was found as one self-contained page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cli.failing import refused

if TYPE_CHECKING:
    from analytics.report.tuning import MadeOf
    from analytics.studies import Asked, Studied

ENDING: Final = ".html"


def _page(_: click.Context, __: click.Parameter, given: str | None) -> Path | None:
    """A file whose ending says what it is, in a folder that is there; None: none is asked for."""
    if given is None:
        return None
    path = Path(given)
    if path.suffix.lower() != ENDING:
        raise click.BadParameter(f"{given!r} must end in {ENDING}.")
    if not path.parent.is_dir():
        raise refused("no_folder", path=path.parent)
    if path.is_dir():
        raise refused("is_folder", path=path)
    return path


page_option = click.option(
    "--output",
    "-o",
    "page",
    metavar="FILE.html",
    callback=_page,
    help="Also write a page with figures, tables and what they were made of: one file that "
    "loads nothing. A file that is there is overwritten.",
)


def write_page(path: Path, html: str) -> None:
    """Writes a page, with the same bytes on every system; before it is whole, nothing changes."""
    from analytics.logs.writing import beside

    with beside(str(path)) as unfinished:
        Path(unfinished).write_text(html, encoding="utf-8", newline="\n")


def made_of(warehouse: Studied, asked: Asked) -> MadeOf:
    """What a page of these games of a warehouse is made of."""
    from analytics.report.tuning import MadeOf
    from analytics.tuning.whatif import manifest_hash
    from analytics.warehouse.filling import engine

    return MadeOf(str(warehouse.folder), manifest_hash(warehouse), engine(), asked)
