"""The fast path: what the reading kernel needs beside the lines, and its call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np

from analytics import compiled
from analytics.logs import scanning
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.tokens import stops_of
from analytics.logs.words import Names, word_table

_WORDS: Final = word_table()
# Where a block is not wholly UTF-8, no line with a byte beyond ASCII is beyond doubt.
_STOPS: Final = {is_utf8: stops_of(b"", is_utf8=is_utf8) for is_utf8 in (True, False)}
_LIST_STOPS: Final = {is_utf8: stops_of(b";", is_utf8=is_utf8) for is_utf8 in (True, False)}
_PLACES: Final = (("seats[].", scanning.IN_SEAT), ("result.", scanning.IN_RESULT))


class FastPath:
    """Calls the reading kernel with the rulesets and unknown names met so far."""

    def __init__(self, effective: Effective, *, keep_extra: bool) -> None:
        self._effective = effective
        self._keep_extra = keep_extra
        self._rules = Names.of([], [], [], [], [])
        self._unknown = Names.of([], [], [])
        self._known: list[str] = []
        self._notes = np.zeros(scanning.NOTES, np.int64)

    def scan(
        self, data: bytes, at: int, line: int, offset: int, columns: Columns, *, is_utf8: bool
    ) -> tuple[int, int]:
        """Reads lines into the columns, up to the first that is better explained.

        Args:
            data: whole lines, each with its newline.
            at: where to begin.
            line: number of the line before.
            offset: of the first byte of ``data``.
            columns: with room for all of ``data``.
            is_utf8: whether ``data`` is known to be UTF-8.

        Returns:
            Where the next line begins, and the number of the line before it.
        """
        self._learn_rules()
        at, line, n = compiled.run(
            scanning.scan_lines, data, at, line, offset, columns.n, columns.capacity,
            _STOPS[is_utf8], _LIST_STOPS[is_utf8], _WORDS.chars, _WORDS.rows,
            self._rules.chars, self._rules.rows, self._unknown.chars, self._unknown.rows,
            columns.games.ravel(), columns.seats.ravel(), columns.text.ravel(),
            columns.text.shape[1], columns.times, self._notes,
        )  # fmt: skip
        columns.n = int(n)
        return int(at), int(line)

    def learn_unknown(self, names: Iterable[str]) -> None:
        """Lets the kernel pass over these unknown fields from now on, and count them.

        Args:
            names: in general, as ``checking.unknown_fields`` gives them.
        """
        new = [name for name in names if name not in self.unknown_counts()]
        if not new or self._keep_extra:  # a field that is to be kept is always explained
            return
        self._known = [*self._known, *new][: scanning.MOST_UNKNOWN]
        counts = [*self._unknown.rows[scanning.COUNT].tolist(), *[0] * len(new)]
        places = [_place_of(name) for name in self._known]
        self._unknown = Names.of(
            [own.encode() for _, own in places],
            [where for where, _ in places],
            counts[: len(self._known)],
        )

    def unknown_counts(self) -> Counter[str]:
        """How many of the games that the kernel read have each unknown field."""
        counts = self._unknown.rows[scanning.COUNT].tolist()
        return Counter(dict(zip(self._known, counts, strict=True)))

    def _learn_rules(self) -> None:
        answers = self._effective.answers
        if len(answers) != self._rules.rows.shape[1]:
            names = [name.encode() for name, _ in answers]
            self._rules = Names.of(names, *zip(*answers.values(), strict=True))


def _place_of(name: str) -> tuple[int, str]:
    """In which object an unknown field stands, and its name there."""
    for prefix, where in _PLACES:
        if name.startswith(prefix):
            return where, name.removeprefix(prefix)
    return scanning.IN_GAME, name
