"""How ``cap_at_balance`` changes what seats get, term by term (clause 8.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from analytics.shuangkou.settlement import CAP, MINT
from analytics.shuangkou.terms import Case, Line, Used, Why, added_numbers, number, product

CAP_ROW: Final = Used("cap_at_balance", "", "true")


class Wanted(NamedTuple):
    """What a seat would get without cap and fee, and how that comes about."""

    amount: int
    expression: str
    used: tuple[Used, ...]


def law_of(case: Case, seat: int) -> tuple[Why, ...]:
    """What the expression of a seat's amount is in letters, said once a game (clause 8.3)."""
    if len(case.seats) == 4:
        return (Why("law_four", {}),) if seat == 0 else ()
    return (Why("law_two", {}),) if seat == case.winner else ()


def is_capped(case: Case) -> bool:
    """Whether the cap changes anything."""
    return any(case.items(account, CAP) for account in (*case.seats, None))


def capped_lines(case: Case, wanted: Sequence[Wanted]) -> Iterator[Line]:
    """What seats want, what payers can pay, and how receivers share it."""
    for seat in case.seats:
        amount, expression, used = wanted[seat]
        yield Line("wanted", "8.3", amount, seat, expression, used, law_of(case, seat))
    after = [wanted[seat].amount + case.items(seat, CAP) for seat in case.seats]
    paid = [-amount for amount in after if amount < 0]
    pool = sum(paid) - case.items(None, MINT, CAP)
    yield Line("pool", "8.3", pool, None, _pool(case, paid), (CAP_ROW,))
    for seat in case.seats:
        expression = _after(case, seat, wanted, pool, after[seat])
        yield Line("capped", "8.3", after[seat], seat, expression)


def _pool(case: Case, paid: Sequence[int]) -> str:
    """What is paid, less what the system wants as far as it reaches."""
    wants = case.items(None, MINT)
    text = added_numbers(paid)
    return f"{text} - min({number(wants)}, {number(sum(paid))})" if wants else text


def _after(case: Case, seat: int, wanted: Sequence[Wanted], pool: int, amount: int) -> str:
    """A payer pays at most its balance; a receiver gets its part, perhaps a left-over unit."""
    wants = wanted[seat].amount
    if wants < 0:
        balance = max(0, case.game.seats[seat].balance)
        return f"-min({number(-wants)}, {number(balance)})"
    if wants == 0:
        return "0"
    everything = sum(max(0, each.amount) for each in wanted)
    share = f"⌊{product(pool, wants)} / {number(everything)}⌋"
    left_over = amount - pool * wants // everything
    return f"{share} + {number(left_over)}" if left_over else share
