"""The dynamic economy: games settled in order, with balances carried forward.

What players did is held fixed; what they held is not. A table that pays more brings its
players to other levels, to their caps, and to bankruptcy. Source: rules clause 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.ledger import ITEM_NAMES
from analytics.rules import Ruleset, row_of
from analytics.shuangkou import carrying as C
from analytics.shuangkou import settlement as S
from analytics.tuning.errors import CannotTune, NeedsReplay
from analytics.tuning.exact import exact_sum, whole_numbers
from analytics.tuning.inequality import gini
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.ordered import Ordered, unit_of
from analytics.tuning.recorded import replaced
from analytics.tuning.standing import Day, days_frame

if TYPE_CHECKING:
    import pandas as pd

Int64s: TypeAlias = npt.NDArray[np.int64]

_BLOCK: Final = 2_048  # games at a time: their facts stay in the processor's cache


class Block(NamedTuple):
    """Games of one day that were settled one after the other.

    Attributes:
        day: its place among ``Ordered.days``.
        games: from which to which game.
        seats: from which to which seat.
        before: int64, the balance of each of these seats before its game.
        books: what the games are worth.
    """

    day: int
    games: slice
    seats: slice
    before: Int64s
    books: S.Books


@dataclass(frozen=True, slots=True, eq=False)
class Dynamic:
    """What became of everybody.

    Attributes:
        rulesets: by which games were settled.
        unit: of all amounts.
        before: int64 ``(k,)``, the balance of each seat before its game.
        delta: int64 ``(k,)``, what the game brought it; ``settlement.NOTHING`` where nobody
            can say, since a seat at the table had no level.
        base: int64 ``(n,)``, the base of each game, or ``NOTHING``.
        items: a row an item: ``item``, ``received`` and ``paid`` by seats, ``system``, what
            the system got, and ``moved``: all positive amounts.
        purses: int64 ``(players, PURSE_WIDTH)``; columns ``carrying.*``.
        days: a row a day, as it ended: see ``standing.DAY_COLUMNS``.
    """

    rulesets: tuple[Ruleset, ...]
    unit: str
    before: Int64s
    delta: Int64s
    base: Int64s
    items: pd.DataFrame
    purses: Int64s
    days: pd.DataFrame


def resettle_in_order(ordered: Ordered, rulesets: Sequence[Ruleset] | None = None) -> Dynamic:
    """Settles games in order of time, by the balances that earlier ones have left.

    Guarantees: by the rulesets that games were paid by, where the house paid right,
    every balance is the recorded one. What came from outside between two games (deposits,
    withdrawals, games that are left out) comes in any case, and is stated.

    Args:
        ordered: the games.
        rulesets: one for each of ``ordered.rulesets``, with the same seats and unit;
            None: those themselves.

    Raises:
        NeedsReplay: a ruleset has another ``[play]`` than the one that it stands for.
        CannotTune: amounts are in another unit, or a balance passes 10^15.
    """
    chosen = tuple(ordered.rulesets if rulesets is None else rulesets)
    _check(ordered, chosen)
    course = course_of(ordered)
    before, delta = (np.zeros(len(ordered.sat), np.int64) for _ in range(2))
    base = np.zeros(len(ordered), np.int64)
    days: list[Day] = []
    for block in settle_blocks(ordered, chosen, course):
        before[block.seats] = block.before
        delta[block.seats] = np.asarray(block.books.seats)[:, S.Y_DELTA]
        base[block.games] = np.asarray(block.books.games)[:, S.X_BASE]
        if block.games.stop == ordered.day_at[block.day + 1]:
            days.append(_day(block, ordered, course))
    return Dynamic(
        rulesets=chosen,
        unit=ordered.unit,
        before=before,
        delta=delta,
        base=base,
        items=_items(np.asarray(course.sums)),
        purses=np.asarray(course.purses),
        days=days_frame(days),
    )


def course_of(ordered: Ordered) -> C.Course:
    """What goes on from game to game, before the first one."""
    purses = np.zeros((len(ordered.players), C.PURSE_WIDTH), np.int64)
    sums = np.zeros((C.SUM_ROWS, S.ITEMS), np.int64)
    return C.Course(ordered.sat, ordered.flow, purses, sums)


def settle_blocks(
    ordered: Ordered, rulesets: Sequence[Ruleset], course: C.Course
) -> Iterator[Block]:
    """Settles games block by block, so that memory does not grow with their number.

    Args:
        ordered: the games.
        rulesets: one for each of ``ordered.rulesets``.
        course: of all of them, from ``course_of``; it changes.

    Raises:
        CannotTune: a balance passes 10^15.
    """
    compiled.expect(len(ordered))
    rows = np.stack([row_of(ruleset) for ruleset in rulesets])
    for day, (begin, end) in enumerate(zip(ordered.day_at, ordered.day_at[1:], strict=False)):
        for first in range(int(begin), int(end), _BLOCK):
            games = slice(first, min(first + _BLOCK, int(end)))
            yield _settled(ordered, day, games, rows, course)


def _settled(ordered: Ordered, day: int, games: slice, rows: Int64s, course: C.Course) -> Block:
    at = ordered.seats_at[games.start : games.stop + 1]
    seats = slice(int(at[0]), int(at[-1]))
    count = seats.stop - seats.start
    played = S.Played(
        games=ordered.games[games],
        seats=ordered.kinds.take(ordered.kind[seats], axis=0),  # twice as fast as by index
        seats_at=at - at[0],
        balance=np.zeros(count, np.int64),
        given=ordered.given[games],
        rules=rows,
        rules_ix=ordered.rules_ix[games],
    )
    widths = (S.BOOK_GAME_WIDTH, S.BOOK_SEAT_WIDTH, S.ITEMS, S.ITEMS)
    counts = (len(at) - 1, count, count, len(at) - 1)
    books = S.Books(*(np.zeros(shape, np.int64) for shape in zip(counts, widths, strict=True)))
    try:
        here = course._replace(sat=ordered.sat[seats], flow=ordered.flow[seats])
        C.carry(played, books, here)
    except C.BalanceOverrun as overrun:
        when = ordered.days[day]
        raise CannotTune(f"on {when} {overrun}; this table cannot be carried on.") from overrun
    return Block(day, games, seats, np.asarray(played.balance), books)


def _check(ordered: Ordered, rulesets: Sequence[Ruleset]) -> None:
    """Refuses rulesets that cannot stand for those by which games were played."""
    for own, other in zip(ordered.rulesets, rulesets, strict=True):
        if own.play != other.play:
            raise NeedsReplay(
                f"{other.at} has another [play] than {own.at}: only a replay can tell."
            )
    if unit_of(rulesets) != ordered.unit:
        raise CannotTune(f"{unit_of(rulesets)} is another unit than {ordered.unit}.")


def _items(sums: Int64s) -> pd.DataFrame:
    import pandas as pd

    sides = {"received": C.RECEIVED, "paid": C.PAID, "got": C.GOT, "gave": C.GAVE}
    own = {name: C.totals(sums, side) for name, side in sides.items()}
    system = [got + gave for got, gave in zip(own["got"], own["gave"], strict=True)]
    moved = [received + got for received, got in zip(own["received"], own["got"], strict=True)]
    columns = {"received": own["received"], "paid": own["paid"], "system": system, "moved": moved}
    whole = {name: whole_numbers(values) for name, values in columns.items()}
    return pd.DataFrame({"item": list(ITEM_NAMES), **whole})


def _day(block: Block, ordered: Ordered, course: C.Course) -> Day:
    purses = np.asarray(course.purses)
    seen = purses[:, C.GAMES] > 0
    brought = exact_sum(ordered.opening[seen])
    return Day(
        day=ordered.days[block.day],
        games=block.games.stop,
        balance=purses[seen, C.BALANCE],
        level=purses[seen, C.LEVEL],
        brought=brought,
        outside=exact_sum(ordered.flow[: block.seats.stop]) - brought,
        system=_system(np.asarray(course.sums)),
        bankruptcies=int(purses[:, C.BANKRUPTCIES].sum()),
        broke=int(purses[:, C.IS_BROKE].sum()),
    )


def _system(sums: Int64s) -> int:
    """What the system got so far."""
    return sum(C.totals(sums, C.GOT)) + sum(C.totals(sums, C.GAVE))


def economy_metrics(dynamic: Dynamic) -> dict[str, Any]:
    """The metrics of class (c), by name; sums are Python ints."""
    purses, items = dynamic.purses, dynamic.items.set_index("item")
    return {
        "bankruptcies": int(purses[:, C.BANKRUPTCIES].sum()),
        "broke": int(purses[:, C.IS_BROKE].sum()),
        "unplayable": int((dynamic.base == S.NOTHING).sum()),
        "rises": int(purses[:, C.RISES].sum()),
        "falls": int(purses[:, C.FALLS].sum()),
        "capped": int(items["received"]["cap"]),
        "held": exact_sum(purses[:, C.BALANCE]),
        "gini_balances": gini(purses[:, C.BALANCE]),
    }


def evaluate_in_order(
    ordered: Ordered, baseline: Ruleset
) -> Callable[[Sequence[Ruleset]], pd.DataFrame]:
    """What gives the metrics of class (c) of tables that stand for a baseline, a row each."""
    import pandas as pd

    def evaluate(candidates: Sequence[Ruleset]) -> pd.DataFrame:
        rows = (
            economy_metrics(
                resettle_in_order(ordered, replaced(ordered.rulesets, candidate, baseline.at))
            )
            for candidate in candidates
        )
        return pd.DataFrame(list(rows), columns=list(names_of(Class.C)))

    return evaluate
