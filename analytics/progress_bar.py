"""How far a run has come, where a notebook shows it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from analytics.jobs import Progress
from analytics.jobs.verifying import Tell

INTERVAL: Final = 0.2  # seconds between two pictures of the bar


@contextmanager
def bar() -> Iterator[Tell | None]:
    """Gives out what is to be told how far the run is; None where there is no notebook.

    The bar is one output of the cell that is drawn over; it needs no widgets.
    """
    if not is_notebook():
        yield None
        return
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)
    last, drawn = None, 0.0

    def tell(now: Progress) -> None:
        nonlocal last, drawn
        last, moment = now, time.monotonic()
        if moment - drawn >= INTERVAL:
            drawn = moment
            handle.update(HTML(bar_html(now)))

    yield tell
    if last is not None:
        handle.update(HTML(bar_html(last, is_done=True)))


def is_notebook() -> bool:
    """Whether a kernel runs this, whose outputs somebody may see."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def bar_html(now: Progress, *, is_done: bool = False) -> str:
    """A bar with counts; without an end where none can be known.

    >>> bar_html(Progress(50, 2, 100, "a.jsonl"))
    '<progress max="100" value="50"></progress> 50 / 100 games, 2 findings'
    >>> bar_html(Progress(99, 0, 100, "a.jsonl"), is_done=True)
    '<progress max="1" value="1"></progress> 99 games, 0 findings'
    """
    if is_done:
        attributes, of = ' max="1" value="1"', ""
    elif now.expected:  # an estimate: there may be more
        most = max(now.games, now.expected)
        attributes, of = f' max="{most}" value="{now.games}"', f" / {most:,}"
    else:
        attributes = of = ""
    return f"<progress{attributes}></progress> {now.games:,}{of} games, {now.findings:,} findings"
