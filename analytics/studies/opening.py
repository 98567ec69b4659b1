"""A warehouse with studies: what notebooks and the command line open."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb

from analytics.studies.arguments import (
    check_day,
    check_expression,
    check_time,
    check_zone,
    named,
)
from analytics.studies.asking import MIDNIGHT, Asked, check_where
from analytics.studies.registry import study_of
from analytics.studies.scope import OF_GAMES
from analytics.studies.study import Study, query_of
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.reading import MEMORY, Warehouse

if TYPE_CHECKING:
    import pandas as pd


# What all games were settled by: without a join of the games themselves, which takes longer.
_OF_ALL: Final = """
SELECT verdicts.ruleset, unit FROM verdicts JOIN settlements USING (settlement_key)
"""


@dataclass(frozen=True, slots=True)
class About:
    """What a frame is about: it travels with it as ``frame.attrs["about"]``.

    Attributes:
        study: its name.
        asked: what was asked for.
        games: how many games it looks at.
        rulesets: by which these were settled.
        units: of their amounts.
    """

    study: str
    asked: Asked
    games: int
    rulesets: tuple[str, ...]
    units: tuple[str, ...]


class Studied(Warehouse):
    """A warehouse that studies can be asked of."""

    def study(
        self,
        name: str,
        *,
        by: str | Sequence[str] | None = None,
        where: str | None = None,
        since: date | str | None = None,
        until: date | str | None = None,
        day_start: time | str = MIDNIGHT,
        zone: str | None = None,
    ) -> pd.DataFrame:
        """Runs a study.

        Guarantees: the columns are those that docs/studies.md lists, with their types;
        ``attrs["about"]`` says what was asked for, of how many games.

        Args:
            name: of the study.
            by: columns to group by, or one; None: those that the study has by default.
            where: an expression of SQL over the columns of games.
            since: the first day, also as text.
            until: the last day, also as text.
            day_start: when a day begins, also as text, "06:00" for instance.
            zone: the time zone of days; None: that of the warehouse.

        Raises:
            WarehouseError: there is no such study, or it cannot be asked so.
        """
        study = study_of(name)
        chosen = self.asked(where=where, since=since, until=until, day_start=day_start, zone=zone)
        columns = _columns(study, study.by if by is None else named(by))
        always = tuple(column.name for column in study.always)
        return self.ask(study, replace(chosen, by=columns, always=always))

    def asked(
        self,
        *,
        where: str | None = None,
        since: date | str | None = None,
        until: date | str | None = None,
        day_start: time | str = MIDNIGHT,
        zone: str | None = None,
    ) -> Asked:
        """Which games are meant, checked; ``study`` says what the arguments are.

        Raises:
            WarehouseError: they cannot be chosen so.
        """
        chosen = Asked(
            where=check_expression(where),
            since=check_day("since", since),
            until=check_day("until", until),
            day_start=check_time("day_start", day_start),
            zone=self.zone if zone is None else check_zone(zone),
            home=self.zone,
        )
        if chosen.since and chosen.until and chosen.since > chosen.until:
            raise WarehouseError(f"since {chosen.since} is after until {chosen.until}.")
        if where is not None:
            self._check_where(chosen)
        return chosen

    def ask(self, study: Study, asked: Asked) -> pd.DataFrame:
        """The same, of a study that need not be among ``STUDIES``."""
        about = self._about(study, asked)
        frame = study.finish(self.exact(query_of(study, asked)), asked)
        frame.attrs["about"] = about
        return frame

    def _check_where(self, asked: Asked) -> None:
        """Says what is wrong with an expression before it stands in a long query."""
        check_where(self.connection, str(asked.where))
        name, scope = asked.scope()
        query = f"WITH {name} AS ({scope}) SELECT * FROM {name} LIMIT 0"
        try:
            self.connection.execute(query).fetchall()
        except duckdb.Error as problem:
            first = str(problem).splitlines()[0]
            raise WarehouseError(
                f"where: {asked.where!r} cannot be asked of games: {first}"
            ) from problem

    def _about(self, study: Study, asked: Asked) -> About:
        name, scope = asked.scope("ruleset", "unit")
        if not asked.is_narrowed:
            scope = _OF_ALL
        lists = ", ".join(f"list_sort(list(DISTINCT {column}))" for column in ("ruleset", "unit"))
        query = f"WITH {name} AS ({scope}) SELECT count(*), {lists} FROM {name}"
        row: Any = self.rows(query)[0]
        return About(study.name, asked, row[0], tuple(row[1] or ()), tuple(row[2] or ()))


def open_warehouse(
    folder: str | os.PathLike[str], *, memory: str = MEMORY, threads: int | None = None
) -> Studied:
    """Opens a warehouse for reading, with studies.

    Args:
        folder: of the warehouse.
        memory: that DuckDB may use before it spills to disk, for instance "2GB".
        threads: that DuckDB may use; None: one a core.

    Raises:
        WarehouseError: there is none, or this version cannot read it.
    """
    return Studied(Path(folder), memory, threads)


def _columns(study: Study, by: Sequence[str]) -> tuple[str, ...]:
    """Columns to group by, each once.

    Raises:
        WarehouseError: one of them is none, or the study cannot be grouped.
    """
    if by and study.is_whole:
        raise WarehouseError(f"{study.name} looks at all games at once; --where can narrow them.")
    names = [column.name for column in (*study.own, *study.always, *OF_GAMES)]
    for name in by:
        if name not in names:
            there = ", ".join(dict.fromkeys(names))
            raise WarehouseError(f"{study.name} cannot be grouped by {name!r}; {there} can be.")
    return tuple(dict.fromkeys(by))
