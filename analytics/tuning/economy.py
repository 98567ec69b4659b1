"""The dynamic economy: games settled in order, with balances carried forward.

What players did is held fixed; what they held is not. A table that pays more brings its
players to other levels, to their caps, and to bankruptcy. Source: rules clause 8.
"""

from __future__ import annotations

import math
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
from analytics.studies.wealth import TOPS
from analytics.tuning.errors import CannotCarry, CannotTune, NeedsReplay
from analytics.tuning.exact import exact_sum, whole_numbers
from analytics.tuning.inequality import gini, top_share
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.ordered import Ordered, unit_of
from analytics.tuning.recorded import replaced
from analytics.tuning.standing import Day, days_frame

if TYPE_CHECKING:
    import pandas as pd

Int64s: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

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
        rules_ix: int16 ``(n,)``, which of ``rulesets`` each game was settled by.
        sums: int64, what each ruleset moved; see ``carrying.Course``.
        lost: what seats lost in games by each ruleset, fees apart.
        events: int64 ``(rulesets, PURSE_WIDTH)``, what games by each of them did to levels.
        purses: int64 ``(players, PURSE_WIDTH)``; columns ``carrying.*``.
        days: a row a day, as it ended: see ``standing.DAY_COLUMNS``.
    """

    rulesets: tuple[Ruleset, ...]
    unit: str
    before: Int64s
    delta: Int64s
    base: Int64s
    rules_ix: npt.NDArray[np.int16]
    sums: Int64s
    lost: tuple[int, ...]
    events: Int64s
    purses: Int64s
    days: pd.DataFrame

    @property
    def items(self) -> pd.DataFrame:
        """What moved, of all games; see ``items_of``."""
        return items_of(self)


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
        CannotTune: amounts are in another unit.
        CannotCarry: a balance passes 10^15.
    """
    chosen = tuple(ordered.rulesets if rulesets is None else rulesets)
    _check(ordered, chosen)
    course = course_of(ordered)
    before, delta = (np.zeros(len(ordered.sat), np.int64) for _ in range(2))
    base = np.zeros(len(ordered), np.int64)
    days: list[Day] = []
    lost = [0] * len(chosen)
    for block in settle_blocks(ordered, chosen, course):
        before[block.seats] = block.before
        delta[block.seats] = np.asarray(block.books.seats)[:, S.Y_DELTA]
        base[block.games] = np.asarray(block.books.games)[:, S.X_BASE]
        lost = [so_far + more for so_far, more in zip(lost, _lost(block, ordered), strict=True)]
        if block.games.stop == ordered.day_at[block.day + 1]:
            days.append(_day(block, ordered, course))
    return Dynamic(
        rulesets=chosen,
        unit=ordered.unit,
        before=before,
        delta=delta,
        base=base,
        rules_ix=ordered.rules_ix,
        sums=np.asarray(course.sums),
        lost=tuple(lost),
        events=np.asarray(course.events),
        purses=np.asarray(course.purses),
        days=days_frame(days),
    )


def course_of(ordered: Ordered) -> C.Course:
    """What goes on from game to game, before the first one."""
    purses = np.zeros((len(ordered.players), C.PURSE_WIDTH), np.int64)
    rulesets = len(ordered.rulesets)
    sums = np.zeros((rulesets * C.SUM_ROWS, S.ITEMS), np.int64)
    events = np.zeros((rulesets, C.PURSE_WIDTH), np.int64)
    return C.Course(ordered.sat, ordered.flow, purses, sums, events)


def settle_blocks(
    ordered: Ordered, rulesets: Sequence[Ruleset], course: C.Course
) -> Iterator[Block]:
    """Settles games block by block, so that memory does not grow with their number.

    Args:
        ordered: the games.
        rulesets: one for each of ``ordered.rulesets``.
        course: of all of them, from ``course_of``; it changes.

    Raises:
        CannotCarry: a balance passes 10^15.
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
        raise CannotCarry(f"on {when} {overrun}; this table cannot be carried on.") from overrun
    return Block(day, games, seats, np.asarray(played.balance), books)


def _lost(block: Block, ordered: Ordered) -> list[int]:
    """What seats lost in these games, fees apart, by ruleset."""
    delta = np.asarray(block.books.seats)[:, S.Y_DELTA]
    before_fee = delta - np.asarray(block.books.items)[:, S.FEE]
    lost = np.where(delta == S.NOTHING, 0, -np.minimum(before_fee, 0))
    if len(ordered.rulesets) == 1:
        return [exact_sum(lost)]
    seats = np.diff(ordered.seats_at[block.games.start : block.games.stop + 1])
    by = np.repeat(ordered.rules_ix[block.games], seats)
    return [exact_sum(lost[by == ruleset]) for ruleset in range(len(ordered.rulesets))]


def _check(ordered: Ordered, rulesets: Sequence[Ruleset]) -> None:
    """Refuses rulesets that cannot stand for those by which games were played."""
    for own, other in zip(ordered.rulesets, rulesets, strict=True):
        if own.play != other.play:
            raise NeedsReplay(
                f"{other.at} has another [play] than {own.at}: only a replay can tell."
            )
    if unit_of(rulesets) != ordered.unit:
        raise CannotTune(f"{unit_of(rulesets)} is another unit than {ordered.unit}.")


def items_of(dynamic: Dynamic, is_told: Bools | None = None) -> pd.DataFrame:
    """What moved, a row an item, of games by some rulesets.

    Args:
        dynamic: what became of everybody.
        is_told: bool ``(rulesets,)``: which ones; None: all.

    Returns:
        ``item``, ``received`` and ``paid`` by seats, ``system``, what the system got, and
        ``moved``: all positive amounts.
    """
    import pandas as pd

    sums = C.sums_of(dynamic.sums, _told(dynamic, is_told))
    sides = {"received": C.RECEIVED, "paid": C.PAID, "got": C.GOT, "gave": C.GAVE}
    own = {name: C.totals(sums, side) for name, side in sides.items()}
    system = [got + gave for got, gave in zip(own["got"], own["gave"], strict=True)]
    moved = [received + got for received, got in zip(own["received"], own["got"], strict=True)]
    columns = {"received": own["received"], "paid": own["paid"], "system": system, "moved": moved}
    whole = {name: whole_numbers(values) for name, values in columns.items()}
    return pd.DataFrame({"item": list(ITEM_NAMES), **whole})


def _told(dynamic: Dynamic, is_told: Bools | None) -> Bools:
    return np.ones(len(dynamic.rulesets), bool) if is_told is None else is_told


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
        system=_system(np.asarray(course.sums), len(ordered.rulesets)),
        bankruptcies=int(purses[:, C.BANKRUPTCIES].sum()),
        broke=int(purses[:, C.IS_BROKE].sum()),
    )


def _system(sums: Int64s, rulesets: int) -> int:
    """What the system got so far."""
    sums = C.sums_of(sums, np.ones(rulesets, bool))
    return sum(C.totals(sums, C.GOT)) + sum(C.totals(sums, C.GAVE))


def economy_metrics(dynamic: Dynamic, is_told: Bools | None = None) -> dict[str, Any]:
    """The metrics of class (c), by name; sums are Python ints.

    Args:
        dynamic: what became of everybody.
        is_told: bool ``(rulesets,)``: by which rulesets games must be settled to be told
            of; None: all. What players hold in the end is told of all games in any case.
    """
    purses, told = dynamic.purses, _told(dynamic, is_told)
    held = exact_sum(purses[:, C.BALANCE])
    events = dynamic.events[told].sum(axis=0)
    return {
        "bankruptcies": int(events[C.BANKRUPTCIES]),
        "broke": int(purses[:, C.IS_BROKE].sum()),
        "unplayable": int((dynamic.base[told[dynamic.rules_ix]] == S.NOTHING).sum()),
        "rises": int(events[C.RISES]),
        "falls": int(events[C.FALLS]),
        "capped": int(items_of(dynamic, told).set_index("item")["received"]["cap"]),
        "held": held,
        "velocity": turnover_of(dynamic, told) / held if held > 0 else None,
        "gini_balances": gini(purses[:, C.BALANCE]),
        **{f"top{p}_balances": _or_none(top_share(held_by(dynamic), p)) for p in TOPS},
    }


def turnover_of(dynamic: Dynamic, is_told: Bools) -> int:
    """What seats lost in games by these rulesets, fees apart."""
    return sum(lost for lost, told in zip(dynamic.lost, is_told, strict=True) if told)


def held_by(dynamic: Dynamic) -> Int64s:
    """int64 ``(players,)``: what each holds in the end; debts count as nothing."""
    return np.maximum(dynamic.purses[:, C.BALANCE], 0)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def told_of(rulesets: Sequence[Ruleset], baseline: Ruleset) -> Bools:
    """bool ``(rulesets,)``: which of them a candidate for a baseline stands for."""
    return np.array([ruleset.at == baseline.at for ruleset in rulesets], bool)


def evaluate_in_order(
    ordered: Ordered, baseline: Ruleset
) -> Callable[[Sequence[Ruleset]], pd.DataFrame]:
    """What gives the metrics of class (c) of tables that stand for a baseline, a row each.

    Games of other rulesets are settled as they were; they are not told of. A table by
    which a balance passes 10^15 cannot be told: its metrics are null.
    """
    import pandas as pd

    is_told = told_of(ordered.rulesets, baseline)

    def told(candidate: Ruleset) -> dict[str, Any]:
        rulesets = replaced(ordered.rulesets, candidate, baseline.at)
        try:
            return economy_metrics(resettle_in_order(ordered, rulesets), is_told)
        except CannotCarry:
            return dict.fromkeys(names_of(Class.C))

    def evaluate(candidates: Sequence[Ruleset]) -> pd.DataFrame:
        rows = [told(candidate) for candidate in candidates]
        return pd.DataFrame(rows, columns=list(names_of(Class.C)), dtype=object)

    return evaluate
