"""A bar in a notebook: one output that is drawn over, and nothing elsewhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import IPython
import IPython.display
import pytest

from analytics import progress_bar
from analytics.jobs import Progress
from analytics.progress_bar import bar, bar_html


def test_outside_a_notebook_there_is_no_bar() -> None:
    """Nothing is told, so nothing is shown."""
    assert not progress_bar.is_notebook()
    with bar() as tell:
        assert tell is None


def test_in_a_notebook_one_output_is_drawn_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """One display per run; it ends with the counts, also of what was told too soon to draw."""
    shown: list[Any] = []
    handle = SimpleNamespace(update=lambda html: shown.append(html.data))
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr(IPython.display, "display", lambda html, display_id: handle)
    with bar() as tell:
        assert tell is not None
        tell(Progress(10, 0, 40, "a.jsonl"))
        tell(Progress(20, 1, 40, "a.jsonl"))
        tell(Progress(41, 1, 40, "b.jsonl"))
    assert shown == [
        '<progress max="40" value="10"></progress> 10 / 40 games, 0 findings',
        '<progress max="1" value="1"></progress> 41 games, 1 findings',
    ]


def test_a_bar_without_an_end_only_counts() -> None:
    """Where nobody knows how much there is, the bar has no length."""
    text = bar_html(Progress(1_500, 0, None, "-"))
    assert text == "<progress></progress> 1,500 games, 0 findings"


def test_an_estimate_that_was_too_low_is_raised() -> None:
    """The bar never passes its end."""
    text = bar_html(Progress(120, 0, 100, "a.jsonl"))
    assert text.startswith('<progress max="120" value="120">')
