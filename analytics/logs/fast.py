"""The fast path: the reading kernel, and what it learns on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.logs import tables
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.scanning import scan_lines
from analytics.logs.tables import Entry

_PREFIXES: Final = (("seats[].", tables.IN_SEAT), ("result.", tables.IN_RESULT))


class FastPath:
    """Calls the reading kernel with the rulesets and unknown fields met so far."""

    def __init__(self, effective: Effective, *, keep_extra: bool) -> None:
        self._effective = effective
        self._keep_extra = keep_extra
        self._rules: list[Entry] = []
        self._unknown: list[str] = []
        self._tables = tables.build([], [])

    def scan(
        self,
        data: npt.NDArray[np.uint8],
        at: int,
        line: int,
        offset: int,
        columns: Columns,
        *,
        is_utf8: bool,
    ) -> tuple[int, int]:
        """Reads lines into the columns, up to the first that is better explained.

        Args:
            data: uint8; whole lines, each with its newline.
            at: where to begin.
            line: number of the line before.
            offset: of the first byte of ``data``.
            columns: with room for all of ``data``.
            is_utf8: whether ``data`` is known to be UTF-8. Where it is not, no line with a
                byte beyond ASCII is beyond doubt.

        Returns:
            Where the next line begins, and the number of the line before it.
        """
        self._learn_rules()
        self._tables[tables.WIDTH] = columns.text.shape[1]
        for table in (tables.STOPS, tables.LIST_STOPS):
            self._tables[table + 128 : table + 256] = not is_utf8
        at, line, n = compiled.run(
            scan_lines,
            *(data, at, line, offset, columns.n, columns.capacity, self._tables),
            *(columns.games.ravel(), columns.seats.ravel(), columns.text.ravel(), columns.times),
        )
        columns.n = int(n)
        return int(at), int(line)

    def learn_unknown(self, names: Collection[str]) -> None:
        """Lets the kernel pass over these unknown fields from now on, and count them.

        Args:
            names: in general, as ``extras.names_in`` gives them; those that were learned
                before, and new ones.
        """
        known = len(self._unknown)
        # A field that is to be kept is always explained.
        if self._keep_extra or known == min(len(names), tables.MOST_UNKNOWN):
            return
        counts = self.unknown_counts()
        new = [name for name in names if name not in self._unknown]
        self._unknown = [*self._unknown, *new][: tables.MOST_UNKNOWN]
        self._build(counts)

    def unknown_counts(self) -> Counter[str]:
        """How many of the games that the kernel read have each unknown field."""
        counts = self._tables[self._tables[tables.UNKNOWN] + tables.COUNT :: tables.FIELD]
        return Counter(dict(zip(self._unknown, counts.tolist(), strict=True)))

    def _learn_rules(self) -> None:
        answers = self._effective.answers
        if len(answers) != len(self._rules):
            counts = self.unknown_counts()
            self._rules = [Entry(name.encode(), answer) for (name, _), answer in answers.items()]
            self._build(counts)

    def _build(self, counts: Counter[str]) -> None:
        unknown = [
            Entry(own.encode(), (where, counts[name])) for name, where, own in self._places()
        ]
        self._tables = tables.build(self._rules, unknown)

    def _places(self) -> Iterable[tuple[str, int, str]]:
        """Each unknown field: its name in general, where it stands, its name there."""
        for name in self._unknown:
            place = next((p for p in _PREFIXES if name.startswith(p[0])), ("", tables.IN_GAME))
            yield name, place[1], name.removeprefix(place[0])
