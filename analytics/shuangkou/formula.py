"""The settlement of one game worked out: every term with its numbers.

Values are the engine's; the expression beside each says how it comes about and
evaluates to it. Beside each value stands what the house recorded. Source: rules
clauses 5 to 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from analytics.cards import ACE, rank_text
from analytics.logs import GameBatch
from analytics.logs import game as game_of
from analytics.logs.batch import END_ESCAPE, END_NAMES
from analytics.rules import Fixed, Levels, Rulebook
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou.cap_terms import Wanted, capped_lines, is_capped, law_of
from analytics.shuangkou.deal import partner_of
from analytics.shuangkou.escape_terms import escape_deltas, escape_system, penalty_lines
from analytics.shuangkou.facts import replay, settle
from analytics.shuangkou.melds import BOMB, Meld
from analytics.shuangkou.reading import meld_json
from analytics.shuangkou.settlement import (
    BASE,
    CAP,
    CONTRIBUTION,
    DOUBLING,
    MINT,
    X_DOUBLING,
    X_KOU,
    X_SYSTEM,
    Y_CONTRIBUTION,
    Y_DELTA,
    Y_FEE,
    doubling_seat,
    effective_xiang,
    level_of,
    level_seat,
)
from analytics.shuangkou.signature import FIVE, FOUR
from analytics.shuangkou.story import alone
from analytics.shuangkou.terms import (
    Case,
    Line,
    Used,
    Why,
    added_numbers,
    contributed,
    doubling,
    factor,
    less,
    number,
    product,
)

Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Formula:
    """A settlement, term by term; a term comes after those that it depends on.

    Attributes:
        unit: of the amounts.
        lines: the terms.
    """

    unit: str
    lines: tuple[Line, ...]

    @property
    def differing(self) -> tuple[Line, ...]:
        """The terms that the house recorded otherwise; the first may explain the rest."""
        return tuple(line for line in self.lines if line.agrees is False)


def work_out(batch: GameBatch, i: int, rulebook: Rulebook) -> Formula | None:
    """The settlement of game ``i``; None where the replay broke.

    Args:
        batch: games of this family.
        i: row of the game.
        rulebook: what ``batch.rules_ix`` refers to.

    Raises:
        IndexError: the batch has no such game.
    """
    one = alone(batch, i, rulebook)
    facts = replay(one, rulebook)
    if facts.games[0, D.G_END] == 0:
        return None
    ruleset = rulebook.rulesets[one.rules_ix[0]]
    row = rulebook.rows[one.rules_ix[0]]
    case = Case(game_of(one, 0), ruleset, row, facts, settle(facts, one, rulebook))
    lines = _escape(case) if case.end == END_ESCAPE else _out(case)
    return Formula(ruleset.scoring.unit, tuple(lines))


def _out(case: Case) -> Iterator[Line]:
    """Normal settlement (clause 8.3)."""
    yield from _opening(case)
    yield from _places(case)
    yield _base(case)
    yield _kou(case)
    yield from _xiang(case)
    yield _doubled(case)
    yield from _contributions(case)
    if case.base is None:
        yield from _no_amounts(case)
        return
    wanted = [_wanted(case, seat) for seat in case.seats]
    if is_capped(case):
        yield from capped_lines(case, wanted)
    yield from _fees(case)
    yield from _deltas(case, wanted)
    yield from _closing(case, _system(case))


def _escape(case: Case) -> Iterator[Line]:
    """Escape settlement (clause 9)."""
    yield from _opening(case)
    yield _base(case)
    yield from _xiang(case)
    if case.base is None:
        yield from _no_amounts(case)
        return
    yield from penalty_lines(case)
    yield from _fees(case)
    yield from escape_deltas(case)
    yield from _closing(case, escape_system(case))


# Who won, and for what stake (clauses 5, 8.1)


def _opening(case: Case) -> Iterator[Line]:
    is_escape = case.end == END_ESCAPE
    yield Line("end", "9" if is_escape else "5.5", END_NAMES[case.end], None, "", (), (),
               case.recorded("end"))  # fmt: skip
    why = Why("stayed" if is_escape else "first_out", {"seat": case.winner})
    clause, recorded = "9" if is_escape else "5.5", case.recorded("winner")
    yield Line("winner", clause, case.winner, why=(why,), recorded=recorded)


def _places(case: Case) -> Iterator[Line]:
    if len(case.seats) == 2:
        return
    for seat in case.seats:
        place, recorded = case.fact(seat, D.S_PLACE), case.recorded("places", seat)
        yield Line("place", "5.6", place, seat, recorded=recorded)


def _base(case: Case) -> Line:
    base, recorded = case.ruleset.scoring.base, case.game.base
    if isinstance(base, Levels):
        return _base_by_level(case, base)
    if isinstance(base, Fixed):
        used = (Used("base", "fixed", number(base.amount)),)
        return Line("base", "8", case.base, used=used, recorded=recorded)
    return Line("base", "8", case.base, why=(Why("given", {}),), recorded=recorded)


def _base_by_level(case: Case, levels: Levels) -> Line:
    """The lowest level at the table decides."""
    balances = [seat.balance for seat in case.game.seats]
    seat = level_seat(balances, 0, len(balances), case.rules)
    balance, reached = balances[seat], level_of(balances[seat], case.rules)
    level = levels.rows[max(0, reached)]
    has_level = reached >= 0
    values = {"seat": seat, "balance": balance, "required": level.required}
    why = Why("level" if has_level else "no_level", values)
    used = (Used("levels", number(level.required), number(level.base)),) if has_level else ()
    return Line("base", "8.1", case.base, None, "", used, (why,), case.game.base)


# Kou, xiang, doubling, contribution (clauses 6 to 8)


def _kou(case: Case) -> Line:
    kou = R.KOU_NAMES[case.of_game(X_KOU) or 0]
    scoring, recorded = case.ruleset.scoring, case.recorded("kou")
    if scoring.kou_cards is None or scoring.kou is None:  # four seats
        place = case.fact(partner_of(case.winner, 4), D.S_PLACE)
        return Line("kou", "6", kou, why=(Why("places", {"place": place}),), recorded=recorded)
    loser, limits = 1 - case.winner, scoring.kou_cards._asdict()
    values = {"seat": loser, "cards": case.fact(loser, D.S_LEFT), **limits}
    reached = (Used("kou_cards", kou, number(limits[kou])),) if kou in limits else ()
    used = (*reached, Used("kou", kou, number(getattr(scoring.kou, kou))))
    return Line("kou", "6", kou, None, "", used, (Why("cards_left", values),), recorded)


def _xiang(case: Case) -> Iterator[Line]:
    for seat in case.seats:
        ways = list(_ways(case, seat))
        terms = [term for term, _ in ways]
        expression = f"max({', '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0"
        used: tuple[Used, ...] = ()
        cap = case.ruleset.xiang.xiang_cap
        if cap is not None and _effective(case, case.facts.seats[seat]) > cap:
            expression, used = f"min({expression}, {cap})", (Used("xiang_cap", "", str(cap)),)
        why, recorded = tuple(why for _, why in ways), case.recorded("xiang", seat)
        yield Line("xiang", "7", case.xiang(seat), seat, expression, used, why, recorded)


def _ways(case: Case, seat: int) -> Iterator[tuple[str, Why]]:
    """What the seat's bombs count, each way by itself: best, linked, unlinked (clause 7)."""
    bombs = case.facts.bombs[case.facts.bombs[:, D.B_SEAT] == seat]
    if len(bombs) == 0:
        return
    best = bombs[int(bombs[:, D.B_XIANG].argmax())]
    yield str(best[D.B_XIANG]), Why("best", _bomb(best))
    if _by(case, seat, D.S_LINKED):
        xiang = case.fact(seat, D.S_LINKED)
        low, high = _linked(bombs, xiang)
        why = Why("linked", {"xiang": xiang, "low": rank_text(low), "high": rank_text(high)})
        yield f"{xiang} + {case.ruleset.xiang.linked_bonus}", why
    yield from _unlinked(case, seat, FOUR, D.S_FOURS, D.S_FOURS_APART)
    yield from _unlinked(case, seat, FIVE, D.S_FIVES, D.S_FIVES_APART)


def _unlinked(
    case: Case, seat: int, xiang: int, every: int, apart: int
) -> Iterator[tuple[str, Why]]:
    counted = _by(case, seat, every, apart)
    if counted:
        is_apart = case.ruleset.xiang.unlinked_count == "independent"
        values = {"count": case.fact(seat, apart if is_apart else every), "xiang": xiang}
        yield str(counted), Why("unlinked" if is_apart else "unlinked_all", values)


def _by(case: Case, seat: int, *columns: int) -> int:
    """What the effective xiang would be by these columns of the signature alone."""
    facts = np.zeros(D.SEAT_WIDTH, np.int64)
    for column in columns:
        facts[column] = case.fact(seat, column)
    return _effective(case, facts)


def _effective(case: Case, facts: Int64s) -> int:
    return effective_xiang(memoryview(facts.data), case.rules)


def _bomb(bomb: Int64s) -> dict[str, object]:
    """A bomb as a meld, and where it was played."""
    columns = (D.B_KIND, D.B_CARDS, D.B_TOP, D.B_XIANG, D.B_GROUPS)
    kind, size, top, xiang, groups = (int(bomb[column]) for column in columns)
    meld = Meld(kind, size, top, xiang, groups, strength=0)
    return {**(meld_json(meld) or {}), "action": int(bomb[D.B_ACTION])}


def _linked(bombs: Int64s, xiang: int) -> tuple[int, int]:
    """The ranks of the linked pair that the signature found, only to name them."""
    same = bombs[(bombs[:, D.B_KIND] == BOMB) & (bombs[:, D.B_XIANG] == xiang)]
    ranks = sorted({int(rank) for rank in same[:, D.B_TOP] if rank <= ACE})
    return next((low, high) for low, high in combinations(ranks, 2) if high - low == 1)


def _doubled(case: Case) -> Line:
    """The best xiang of the winner, or of the winning team."""
    winner, partner = case.winner, partner_of(case.winner, len(case.seats))
    seat = doubling_seat(winner, case.xiang(winner), case.xiang(partner), case.rules)
    why = Why("doubling_by", {"seat": seat, "xiang": case.xiang(seat)})
    _, used = doubling(case, case.xiang(seat))
    value, recorded = case.of_game(X_DOUBLING), case.recorded("doubling")
    return Line("doubling", "8", value, None, "", (used,), (why,), recorded)


def _contributions(case: Case) -> Iterator[Line]:
    """Each seat's own c, less its part of the others' (clause 8.3)."""
    earned = {seat: contributed(case, seat) for seat in case.seats}
    for seat in case.seats:
        own, used = earned[seat]
        expression = _net(own, [sum(earned[other][0]) for other in case.seats if other != seat])
        value, recorded = case.of_seat(seat, Y_CONTRIBUTION), case.recorded("contribution", seat)
        yield Line("contribution", "8.3", value, seat, expression, used, recorded=recorded)


def _net(own: Sequence[int], others: Sequence[int]) -> str:
    """``4 - 2`` for two; ``(6 + 12) - 6/3`` for four, others that earned nothing left out."""
    if len(others) == 1:
        return f"{added_numbers(own)} - {factor(others[0])}"
    parts = [f" - {factor(earned)}/{len(others)}" for earned in others if earned]
    return added_numbers(own) + "".join(parts)


# Amounts (clause 8.3)


def _wanted(case: Case, seat: int) -> Wanted:
    """``X·a·b + X·(C - C)`` for two seats, ``X·P·b + X·C`` for four."""
    amount = case.items(seat, BASE, DOUBLING, CONTRIBUTION)
    base, kou = case.base or 0, case.of_game(X_KOU) or 0
    doubled = case.of_game(X_DOUBLING) or 0
    if len(case.seats) == 4:
        times, net = case.places(kou)[case.fact(seat, D.S_PLACE) - 1], _own(case, seat)
        expression = f"{product(base, times, doubled)} + {product(base, net)}"
        return Wanted(amount, expression, (_place_row(case, kou),))
    won, lost = (sum(contributed(case, s)[0]) for s in (case.winner, 1 - case.winner))
    owed = f"{factor(base)}·({factor(won)} - {factor(lost)})"
    expression = f"{product(base, int(case.row[R.KOU_TIMES + kou]), doubled)} + {owed}"
    return Wanted(amount, expression if seat == case.winner else f"-({expression})", ())


def _own(case: Case, seat: int) -> int:
    return case.of_seat(seat, Y_CONTRIBUTION) or 0


def _place_row(case: Case, kou: int) -> Used:
    return Used("places", R.KOU_NAMES[kou], " ".join(map(number, case.places(kou))))


def _fees(case: Case) -> Iterator[Line]:
    """Only where there is something to say: a fee, or a recorded one."""
    fee = case.ruleset.scoring.fee
    for seat in case.seats:
        value, recorded = case.of_seat(seat, Y_FEE), case.recorded("fee", seat)
        if fee or recorded is not None:
            used = (Used("fee", "", number(fee)),)
            yield Line("fee", "8.3", value, seat, used=used, recorded=recorded)


def _deltas(case: Case, wanted: Sequence[Wanted]) -> Iterator[Line]:
    for seat in case.seats:
        amount, expression, used = wanted[seat]
        if is_capped(case):
            expression, used = number(amount + case.items(seat, CAP)), ()
        expression = less(expression, case.ruleset.scoring.fee)
        why = () if is_capped(case) else law_of(case, seat)
        delta, recorded = case.of_seat(seat, Y_DELTA), case.recorded("delta", seat)
        yield Line("delta", "8.3", delta, seat, expression, used, why, recorded)


def _no_amounts(case: Case) -> Iterator[Line]:
    """Clause 8.1: without a base there are no amounts, and recorded ones are not compared."""
    yield from _fees(case)
    for seat in case.seats:
        recorded = case.recorded("delta", seat)
        yield Line("delta", "8.1", None, seat, why=(Why("no_base", {}),), recorded=recorded)
    yield from _closing(case, "")


def _closing(case: Case, system: str) -> Iterator[Line]:
    """Balances after the game, and the system account (clause 10).

    What counts as recorded for the system is what the recorded deltas leave for it.
    """
    for seat in case.seats:
        before, delta = case.game.seats[seat].balance, case.of_seat(seat, Y_DELTA)
        recorded = case.recorded("balance", seat)
        after = None if delta is None else before + delta
        expression = "" if delta is None else f"{number(before)} + {factor(delta)}"
        yield Line("balance", "8.3", after, seat, expression, recorded=recorded)
    total = case.recorded_sum()
    recorded = None if total is None else -total
    yield Line("system", "10", case.of_game(X_SYSTEM), None, system, recorded=recorded)


def _system(case: Case) -> str:
    """The fees, and what the table of places takes in or mints (clauses 8.2, 10)."""
    fee = case.ruleset.scoring.fee
    parts = [_minted(case)] if case.items(None, MINT) else []
    return " + ".join([*parts, product(len(case.seats), fee)] if fee else parts) or "0"


def _minted(case: Case) -> str:
    if is_capped(case):
        return number(case.items(None, MINT, CAP))
    kou, doubled = case.of_game(X_KOU) or 0, case.of_game(X_DOUBLING) or 0
    return f"-{product(case.base or 0, doubled)}·{added_numbers(case.places(kou))}"
