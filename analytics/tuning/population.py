"""A population of the simulator under a table: what becomes of its money over days.

Here nothing is held fixed: players meet by what they own, lose their temper, leave when
they are broke and are followed by others. But they do not know the table: they play as
they would under any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.jobs.callers import map_local
from analytics.logs import GameBatch
from analytics.rules import Levels, Rulebook, Ruleset
from analytics.shuangkou.settlement import NOTHING
from analytics.simulate import Wanted
from analytics.simulate import simulate as simulated
from analytics.tuning.exact import exact_sum
from analytics.tuning.standing import Day, days_frame

if TYPE_CHECKING:
    import pandas as pd

Int64s = npt.NDArray[np.int64]


class Run(NamedTuple):
    """One population under one table.

    Attributes:
        ruleset: the table.
        wanted: the run; its seed is that of all chance.
    """

    ruleset: Ruleset
    wanted: Wanted


def populations(
    rulesets: Sequence[Ruleset],
    wanted: Wanted,
    *,
    runs: int,
    jobs: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> dict[str, list[pd.DataFrame]]:
    """Many populations under each of some tables: frames of ``standing.days_frame``.

    Guarantees: the same for any number of processes. The n-th run begins with the same
    players and the same chance under every table; who meets whom follows from balances, and
    so from the table.

    Args:
        rulesets: the tables, each of its own name@version.
        wanted: what every run is to be; its ``rules`` are not read, its seed is the first.
        runs: how many, each with a seed of its own.
        jobs: processes that work at once.
        tell: is told how many runs are done, of how many.

    Raises:
        CannotSimulate: there are too few players or days for so many games.
    """
    asked = [
        Run(ruleset, replace(wanted, rules=ruleset.at, seed=wanted.seed + nth))
        for ruleset in rulesets
        for nth in range(runs)
    ]
    frames: list[pd.DataFrame] = []
    with closing(map_local(play, asked, min(jobs, len(asked)))) as played:
        for frame in played:
            frames.append(frame)
            if tell is not None:
                tell(len(frames), len(asked))
    return {ruleset.at: frames[at * runs : (at + 1) * runs] for at, ruleset in enumerate(rulesets)}


def play(run: Run) -> pd.DataFrame:
    """How the days of a run ended."""
    watch = _Watch(run.ruleset, run.wanted.start)
    for batch in simulated(run.wanted, Rulebook.of([run.ruleset])):
        watch.see(batch)
    return days_frame(watch.ended(run.wanted.days))


@dataclass
class _Seen:
    """What is known of a player.

    Attributes:
        balance: after the last game.
        is_broke: whether that cannot pay.
    """

    balance: int
    is_broke: bool


class _Watch:
    """Watches games as they are played, and keeps how each day ended."""

    def __init__(self, ruleset: Ruleset, start: datetime) -> None:
        base = ruleset.scoring.base
        self._required = [level.required for level in base.rows] if isinstance(base, Levels) else []
        self._start = start
        self._seen: dict[str, _Seen] = {}
        self._games = self._bankruptcies = self._brought = self._day = 0
        self._days: list[Day] = []

    def see(self, batch: GameBatch) -> None:
        """Games in the order in which they were played."""
        day = self._day_of(int(batch.start[0]))
        while self._day < day:
            self._end_day()
        self._games += len(batch)
        after = batch.recorded.balance.tolist()
        for name, before, now in zip(batch.player, batch.balance.tolist(), after, strict=True):
            self._book(str(name), before, now)

    def ended(self, days: int) -> list[Day]:
        """So many days, the last one as it stands."""
        while self._day < days:
            self._end_day()
        return self._days

    def _day_of(self, start: int) -> int:
        begun = timedelta(microseconds=start) - (self._start - _EPOCH)
        return begun // timedelta(days=1)

    def _book(self, name: str, before: int, after: int) -> None:
        if name not in self._seen:
            self._brought += before
        is_broke = self._is_broke(after)
        self._bankruptcies += is_broke and not self._is_broke(before)
        self._seen[name] = _Seen(after, is_broke)

    def _is_broke(self, balance: int) -> bool:
        return balance < self._required[0] if self._required else balance <= 0

    def _end_day(self) -> None:
        balance = np.array([own.balance for own in self._seen.values()], np.int64)
        begun = self._start + timedelta(days=self._day)
        self._days.append(
            Day(
                day=np.datetime64(begun.date(), "D"),
                games=self._games,
                balance=balance,
                level=self._levels(balance),
                brought=self._brought,
                outside=0,
                system=self._brought - exact_sum(balance),
                bankruptcies=self._bankruptcies,
                broke=sum(own.is_broke for own in self._seen.values()),
            )
        )
        self._day += 1

    def _levels(self, balance: Int64s) -> Int64s:
        if not self._required:
            return np.full(len(balance), NOTHING)
        return np.searchsorted(self._required, balance, side="right") - 1


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
