"""How far a run has come, on stderr.

Where both streams are terminals a bar moves; else there is a line every ten seconds.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

from cli.words import said

if TYPE_CHECKING:
    from analytics.jobs import Progress
    from analytics.wording import Language

Tell: TypeAlias = "Callable[[Progress], None]"

INTERVAL: Final = 10.0  # seconds between two lines
_WINDOW: Final = 60.0  # seconds over which the pace is measured
_ENOUGH: Final = 0.02  # share of the work from which on the rest is guessed


@contextmanager
def progress(language: Language, *, is_quiet: bool, sentence: str = "progress") -> Iterator[Tell]:
    """Gives out what is to be told how far the run is.

    Args:
        language: of the words.
        is_quiet: show nothing.
        sentence: which of ``cli.words`` says how far it is.
    """
    if is_quiet:
        yield lambda _: None
    elif sys.stdout.isatty() and sys.stderr.isatty():
        with _bar(language, sentence) as tell:
            yield tell
    else:
        yield _lines(language, sentence)


def _lines(language: Language, sentence: str) -> Tell:
    last = time.monotonic()
    pace = _Pace(last)

    def tell(now: Progress) -> None:
        nonlocal last
        moment = time.monotonic()
        rate = pace.at(now.games, moment)
        if moment - last >= INTERVAL:
            last = moment
            sys.stderr.write(f"paipu: {in_words(now, rate, language, sentence)}\n")
            sys.stderr.flush()

    return tell


@contextmanager
def _bar(language: Language, sentence: str) -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    pace = _Pace(time.monotonic())
    columns = (BarColumn(bar_width=30), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=None)

        def tell(now: Progress) -> None:
            rate = pace.at(now.games, time.monotonic())
            text = in_words(now, rate, language, sentence)
            bar.update(task, total=now.expected, completed=now.games, description=text)

        yield tell


class _Pace:
    """Games a second in the last minute, or since the beginning.

    So the minutes in which kernels are compiled are soon forgotten, and processes that
    finish their first shards together do not look like one that is very fast.
    """

    def __init__(self, begun: float) -> None:
        self._known = deque([(begun, 0)])  # the first one is a minute old, if any is

    def at(self, games: int, moment: float) -> float:
        """The pace, now that so many games are done."""
        self._known.append((moment, games))
        while self._known[1][0] <= moment - _WINDOW:
            self._known.popleft()
        since, before = self._known[0]
        return (games - before) / (moment - since) if moment > since else 0.0


def in_words(now: Progress, rate: float, language: Language, sentence: str = "progress") -> str:
    """Games, games a second, findings, and the time left where it can be guessed."""
    left = ""
    if now.expected and now.expected * _ENOUGH <= now.games < now.expected and rate:
        rest = clock((now.expected - now.games) / rate)
        left = said("left", language, left=rest)
    return said(
        sentence, language, games=now.games, rate=round(rate), findings=now.findings, left=left
    )


def clock(seconds: float) -> str:
    """A span of time as minutes and seconds, hours where there are any.

    >>> clock(75), clock(3_600)
    ('1:15', '1:00:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
