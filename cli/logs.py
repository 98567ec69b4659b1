"""The logs that a command is given: what is meant, and what is passed over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from cli.words import said

if TYPE_CHECKING:
    from analytics.logs import Source
    from analytics.wording import Language

_NAMED: Final = 3  # of what is passed over; the rest is only counted


def sources_of(logs: Sequence[str], language: Language, *, is_quiet: bool) -> Sequence[Source]:
    """The sources that arguments mean; what folders hold beside logs is told on stderr.

    Raises:
        SourceError: an argument that means nothing.
    """
    from analytics.logs import search

    sources, passed_over = search(logs)
    if passed_over and not is_quiet:
        names = ", ".join(map(click.format_filename, passed_over[:_NAMED]))
        more = ", …" if len(passed_over) > _NAMED else ""
        text = said("passed_over", language, count=len(passed_over), names=names + more)
        click.echo(text, err=True)
    return sources
