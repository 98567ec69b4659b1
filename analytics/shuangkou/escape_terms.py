"""What an escape costs, term by term (clause 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from analytics.shuangkou import desk as D
from analytics.shuangkou.cap_terms import CAP_ROW
from analytics.shuangkou.settlement import CAP, ESCAPE, Y_DELTA, Y_FEE
from analytics.shuangkou.terms import (
    Case,
    Line,
    Used,
    Why,
    added,
    added_numbers,
    contributed,
    doubling,
    factor,
    less,
    number,
    product,
)


class _Parts(NamedTuple):
    """What is added to ``escape_times`` for the bombs of the seat that stayed."""

    expressions: tuple[str, ...]
    used: tuple[Used, ...]
    why: Why


def fleer_of(case: Case) -> int:
    """The seat that escaped; the winner is the one that stayed."""
    return 1 - case.winner


def penalty_lines(case: Case) -> Iterator[Line]:
    """``X·(escape_times + parts)``, and what the fleer can pay of it."""
    fleer = fleer_of(case)
    penalty, paid = -case.items(fleer, ESCAPE), _paid(case)
    times = case.ruleset.scoring.escape_times or 0
    parts = _parts(case)
    expression = f"{factor(case.base or 0)}·{added([factor(times), *parts.expressions])}"
    used = (Used("escape_times", "", number(times)), *parts.used)
    yield Line("penalty", "9", penalty, fleer, expression, used, (parts.why,))
    if paid != penalty:
        balance = max(0, case.game.seats[fleer].balance)
        expression = f"min({number(penalty)}, {number(balance)})"
        yield Line("capped", "9", paid, fleer, expression, (CAP_ROW,))


def escape_deltas(case: Case) -> Iterator[Line]:
    """The fleer pays; the other gets its share, unless ``escape_parts`` is none."""
    fleer = fleer_of(case)
    for seat in case.seats:
        expression, used = _shared(case)
        if seat == fleer:
            expression, used = less(f"-{number(_paid(case))}", _fee(case)), ()
        delta, recorded = case.of_seat(seat, Y_DELTA), case.recorded("delta", seat)
        yield Line("delta", "9", delta, seat, expression, used, recorded=recorded)


def escape_system(case: Case) -> str:
    """What the system gets: what is not shared, and the fee."""
    text = f"{number(_paid(case))} - {number(case.items(case.winner, ESCAPE, CAP))}"
    return f"{text} + {number(_fee(case))}" if _fee(case) else text


def _paid(case: Case) -> int:
    """The penalty under the cap."""
    return -case.items(fleer_of(case), ESCAPE, CAP)


def _fee(case: Case) -> int:
    return case.of_seat(fleer_of(case), Y_FEE) or 0


def _shared(case: Case) -> tuple[str, tuple[Used, ...]]:
    scoring = case.ruleset.scoring
    if scoring.escape_parts == "none":
        return "0", ()
    share = scoring.share or 0
    return f"⌊{product(_paid(case), share)} / 100⌋", (Used("share", "", f"{share}%"),)


def _parts(case: Case) -> _Parts:
    """Nothing, or the other's contribution and, where it is above 1, the doubling."""
    kind, fleer, other = case.ruleset.scoring.escape_parts, fleer_of(case), case.winner
    if kind == "none":
        return _Parts((), (), Why("parts_none", {}))
    if kind == "wealth" and not case.fact(fleer, D.S_PLAYED):
        return _Parts((), (), Why("not_played", {"seat": fleer}))
    why = Why("parts_by", {"seat": other, "xiang": case.xiang(other)})
    earned, rows = contributed(case, other)
    doubled, doubled_rows = _doubled(case)
    return _Parts((*doubled, added_numbers(earned)), (*doubled_rows, *rows), why)


def _doubled(case: Case) -> tuple[tuple[str, ...], tuple[Used, ...]]:
    """``b``, in the points version times the multiplier of dan; only where b is above 1."""
    scoring = case.ruleset.scoring
    times, row = doubling(case, case.xiang(case.winner))
    if times <= 1:
        return (), ()
    if scoring.escape_parts == "points" and scoring.kou is not None:
        dan = scoring.kou.dan
        return (product(dan, times),), (Used("kou", "dan", number(dan)), row)
    return (factor(times),), (row,)
