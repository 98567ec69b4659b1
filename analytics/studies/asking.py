"""What is asked of a study: which games, grouped by what, in which days."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from typing import Any, Final

import duckdb

from analytics.studies.scope import GAMES, OF_GAMES
from analytics.warehouse.database import quoted
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.guard import check_reads_only
from analytics.warehouse.tables import Column

SCOPE: Final = "scope"  # the name of the step that every study begins with
MIDNIGHT: Final = time()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of a study.

    Attributes:
        by: columns to group by, in order.
        always: those that the study adds.
        where: an expression of SQL over the columns of games; None: all games.
        since: the first day; None: from the beginning.
        until: the last day; None: to the end.
        day_start: when a day begins.
        zone: the time zone of days.
        home: the time zone of the warehouse.
    """

    by: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    where: str | None = None
    since: date | None = None
    until: date | None = None
    day_start: time = MIDNIGHT
    zone: str
    home: str

    @property
    def groups(self) -> tuple[str, ...]:
        """All columns that rows are grouped by, in order."""
        return (*self.by, *(name for name in self.always if name not in self.by))

    @property
    def of_games(self) -> tuple[Column, ...]:
        """Those columns of games that there are."""
        return OF_GAMES

    @property
    def game_groups(self) -> tuple[str, ...]:
        """Those of the columns that rows are grouped by which the scope has."""
        return tuple(name for name in self.groups if name in _NAMES)

    @property
    def is_narrowed(self) -> bool:
        """Whether some games are left out."""
        return not (self.where is None and self.since is None and self.until is None)

    def scope(self, *columns: str) -> tuple[str, str]:
        """The first step of a study: ``game_key``, what is grouped by, and more columns.

        Args:
            columns: of ``scope.GAMES``.
        """
        shown = dict.fromkeys(("game_key", *self.game_groups, *columns))
        inner = GAMES.format(day=self._day, local=self._local, days=self._days)
        where = f"WHERE (\n{self.where}\n)" if self.where else ""
        return (SCOPE, f"SELECT {', '.join(shown)}\nFROM ({inner}) AS asked\n{where}")

    @property
    def _local(self) -> str:
        return f"timezone({quoted(self.zone)}, games.started)"

    @property
    def _day(self) -> str:
        """The day; that of the warehouse is there already."""
        if self.zone == self.home and self.day_start == MIDNIGHT:
            return "games.day"
        begin = quoted(f"{self.day_start:%H:%M:%S}")
        return f"CAST({self._local} - CAST({begin} AS INTERVAL) AS DATE)"

    @property
    def _days(self) -> str:
        """Days from and to; those of the warehouse, two more on both sides, say which files."""
        bounds = ["true"]
        for sign, moved, day in ((">=", "-", self.since), ("<=", "+", self.until)):
            if day is not None:
                literal = f"DATE {quoted(day.isoformat())}"
                bounds.append(f"games.day {sign} {literal} {moved} 2")
                bounds.append(f"{self._day} {sign} {literal}")
        return " AND ".join(bounds)


_NAMES: Final = frozenset(column.name for column in OF_GAMES)


def listed(names: Iterable[str], of: str = "") -> str:
    """Names with commas, one after the last, so that more can follow.

    >>> listed(["room", "day"], of="scope"), listed([])
    ('scope.room, scope.day, ', '')
    """
    before = f"{of}." if of else ""
    return "".join(f"{before}{name}, " for name in names)


def same(names: Iterable[str], left: str, right: str) -> str:
    """A condition: two steps agree in columns, null being like null.

    >>> same(["room"], "a", "b"), same([], "a", "b")
    ('a.room IS NOT DISTINCT FROM b.room', 'true')
    """
    pairs = (f"{left}.{name} IS NOT DISTINCT FROM {right}.{name}" for name in names)
    return " AND ".join(pairs) or "true"


def check_where(database: duckdb.DuckDBPyConnection, text: str) -> None:
    """Refuses whatever is not one expression that only reads.

    It must read the same with and without parentheses around it, so that it can neither
    close those that it is put into nor go on after them.

    Args:
        database: parses the text; nothing is run.
        text: an expression of SQL.

    Raises:
        WarehouseError: says what is wrong with it.
    """
    try:
        for form in _FORMS:
            check_reads_only(database, form.format(text))
    except WarehouseError as problem:
        raise WarehouseError(f"{_not_one(text)} {problem}") from problem
    bare, enclosed = (_parsed(database, form.format(text)) for form in _FORMS)
    if bare != enclosed:
        raise WarehouseError(_not_one(text))
    if any(node.get("class") == "PARAMETER" for node in _objects(bare)):
        raise WarehouseError(f"where: {text!r} has a parameter; write its value instead.")


def _not_one(text: str) -> str:
    return f"where: {text!r} is not one expression that only reads, such as room = 'a'."


_FORMS: Final = ("SELECT {}\n", "SELECT ({}\n)")


def _parsed(database: duckdb.DuckDBPyConnection, text: str) -> Any:
    rows = database.execute("SELECT json_serialize_sql(?)", [text]).fetchall()
    return _without_places(json.loads(rows[0][0]))


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        kept = ((k, own) for k, own in value.items() if not k.startswith("query_location"))
        return {name: _without_places(own) for name, own in kept}
    return [_without_places(own) for own in value] if isinstance(value, list) else value


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects of a parsed statement, however deep."""
    if isinstance(value, dict):
        yield value
    children = value.values() if isinstance(value, dict) else value
    if isinstance(children, str | int | float | bool | None):
        return
    for child in children:
        yield from _objects(child)
