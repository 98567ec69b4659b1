"""Rules clause 12: limits, and that no amount within them overflows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analytics.rules import check_ruleset
from analytics.shuangkou.settlement import multiply_divide
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    POINTS,
    WEALTH,
    ZEROSUM,
    Seen,
    altered,
    bomb,
    duel,
    flight,
    play,
    rules,
)

MOST = 10**15  # of a balance
BASE = 10**9
TIMES = 10**4
FEE = 10**12
INT64 = 2**63


# In a log.


@pytest.mark.parametrize("balance", [MOST, -MOST, 0])
def test_12_balances_in_a_log(balance: int) -> None:
    """|balance| is at most 10^15."""
    house = rules(POINTS, base=1)
    for seat in range(2):
        balances = [0, 0]
        balances[seat] = balance
        seen = duel(
            house, balances=balances, result={"balance": [balances[0] + 1, balances[1] - 1]}
        )
        assert seen.found == []


@pytest.mark.parametrize("balance", [MOST + 1, -MOST - 1, 10**30])
def test_12_a_balance_outside_is_format_field(balance: int) -> None:
    """The game cannot be read."""
    with pytest.raises(ValueError, match=r"seats\[0\]\.balance"):
        duel(POINTS, balances=[balance, 0])


@pytest.mark.parametrize("base", [1, BASE])
def test_12_a_base_in_a_log(base: int) -> None:
    """1 to 10^9."""
    assert duel(JIULE, base=base).delta == [base, -base]


@pytest.mark.parametrize("base", [0, -1, BASE + 1])
def test_12_a_base_outside_is_format_field(base: int) -> None:
    """The game cannot be read."""
    with pytest.raises(ValueError, match=r"\$\.base"):
        duel(JIULE, base=base)


# In a ruleset.


def _errors(preset: str, **settings: Any) -> set[str]:
    return {m.code for m in check_ruleset(altered(preset, **settings)) if m.severity == "error"}


LIMITS: list[tuple[str, list[Any], list[Any]]] = [
    ("base", [1, BASE], [0, BASE + 1]),
    ("fee", [0, FEE], [-1, FEE + 1]),
    ("escape_times", [0, TIMES], [-1, TIMES + 1]),
    ("kou", [(1, 2, TIMES), (-TIMES, 0, 1)], [(1, 2, TIMES + 1), (-TIMES - 1, 0, 1)]),
    ("doubling", [{5: TIMES}, {5: -TIMES}, {}], [{5: TIMES + 1}, {5: -TIMES - 1}]),
    ("contribution", [{6: TIMES}, {6: -TIMES}], [{6: TIMES + 1}, {6: -TIMES - 1}]),
    ("base", [[[MOST, 1]], [[-MOST, BASE]]], [[[MOST + 1, 1]], [[-MOST - 1, 1]], [[0, 0]]]),
    ("base", [[[n, n + 1] for n in range(32)]], [[[n, n + 1] for n in range(33)], []]),
]  # fmt: skip


@pytest.mark.parametrize(("setting", "inside", "outside"), LIMITS)
def test_12_settings_within_their_limits(
    setting: str, inside: list[Any], outside: list[Any]
) -> None:
    """Bases 1 to 10^9, multipliers up to 10^4 in size, at most 32 rows, a fee up to 10^12."""
    for value in inside:
        assert not _errors(POINTS, **{setting: value})
    for value in outside:
        assert _errors(POINTS, **{setting: value})


@pytest.mark.parametrize("bonus", [0, TIMES + 1])
def test_12_a_linked_bonus_outside_its_limits(bonus: int) -> None:
    """The mistake is named, as any other one is."""
    assert _errors(POINTS, linked_bonus=bonus) == {"rules.limit"}


@pytest.mark.parametrize(("times", "is_wrong"), [(TIMES, False), (TIMES + 1, True)])
def test_12_places_within_their_limits(times: int, is_wrong: bool) -> None:
    """Up to 10^4 in size, above and below zero."""
    for row in ([times, 0, 0, 0], [0, 0, 0, -times]):
        places = {"shuang": row, "dan": [0] * 4, "ping": [0] * 4}
        assert bool(_errors(BAIBIAN, places=places)) == is_wrong


# Amounts: computed here with Python's own ints, which do not wrap.


def _adds_up(seen: Seen) -> list[int]:
    assert seen.delta is not None
    assert seen.system is not None
    assert sum(seen.delta) + seen.system == 0
    assert all(abs(amount) < 10**18 for amount in [*seen.delta, seen.system])
    return seen.delta


def test_12_the_largest_game_of_two() -> None:
    """X·a·b and X·C at their limits, the fee on top."""
    house = rules(
        WEALTH, base=BASE, kou=(1, 2, TIMES), doubling={4: TIMES}, contribution={4: TIMES}, fee=FEE
    )
    seen = duel(house, winner=bomb(4), left=12, balances=[MOST, -MOST])
    amount = BASE * TIMES * TIMES + BASE * TIMES
    assert _adds_up(seen) == [amount - FEE, -amount - FEE]


def test_12_the_largest_contributions_of_two() -> None:
    """Mode each: six bombs of a seat, each at 10^4."""
    house = rules(POINTS, base=BASE, contribution_mode="each", contribution={4: -TIMES})
    seen = duel(house, winner="3333 5555 7777 9999 JJJJ KKKK", balances=[MOST, -MOST])
    assert _adds_up(seen)[0] == BASE * 16 - BASE * 6 * TIMES  # six unlinked are 8: b is 16


def test_12_the_largest_game_of_four() -> None:
    """X·P·b at its limits; the table mints four times as much."""
    row = [TIMES] * 4
    house = rules(
        BAIBIAN, base=BASE, doubling={4: TIMES}, contribution={4: 9999}, fee=FEE,
        places={"shuang": row, "dan": row, "ping": row},
    )  # fmt: skip
    hands = ["9999 3", "4 4", "5", "6 6"]
    actions = ("0 9999", "1 -", "2 -", "3 -", "0 3", "1 -", "2 5")
    stake, third = BASE * TIMES * TIMES, BASE * 3333
    seen = play(house, hands, *actions, balances=[-MOST] * 4)
    assert _adds_up(seen) == [stake + 3 * third - FEE] + [stake - third - FEE] * 3


@pytest.mark.parametrize("balance", [MOST, MOST - 1, 999_999_999_999_989])
def test_12_the_largest_shares_under_the_cap(balance: int) -> None:
    """What is collected times what is wanted is beyond 2^63; the shares are exact."""
    row = [TIMES, TIMES - 1, TIMES - 2, -TIMES]
    house = rules(
        ZEROSUM, base=BASE, doubling={4: TIMES}, contribution={}, cap_at_balance=True,
        places={"shuang": row, "dan": [0] * 4, "ping": [0] * 4},
    )  # fmt: skip
    hands = ["9999 3", "4 4", "5", "6 6"]
    actions = ("0 9999", "1 -", "2 -", "3 -", "0 3", "1 -", "2 5")
    seen = play(house, hands, *actions, balances=[0, balance, 0, 0])
    wanted = {0: row[0], 2: row[1], 3: row[2]}  # seat: points of its place
    wanted = {seat: points * BASE * TIMES for seat, points in wanted.items()}
    pool = balance + BASE * TIMES * sum(row)  # the table mints
    expected = _shares(pool, wanted)
    assert pool * max(wanted.values()) > INT64
    assert _adds_up(seen) == [expected[0], -balance, expected[2], expected[3]]


def _shares(pool: int, wanted: dict[int, int]) -> dict[int, int]:
    """Largest remainder, ties to the lower seat."""
    total = sum(wanted.values())
    shares = {seat: pool * amount // total for seat, amount in wanted.items()}
    by_rest = sorted(wanted, key=lambda seat: (-(pool * wanted[seat] % total), seat))
    for seat in by_rest[: pool - sum(shares.values())]:
        shares[seat] += 1
    return shares


def test_12_the_largest_penalty() -> None:
    """An escape with every part at its limit."""
    house = rules(
        POINTS, base=BASE, kou=(1, TIMES, TIMES), doubling={4: TIMES}, contribution={4: TIMES},
        escape_times=TIMES, share=99,
    )  # fmt: skip
    penalty = BASE * (TIMES + TIMES + TIMES * TIMES)
    seen = flight(house, other=bomb(4), balances=[MOST, -MOST])
    assert _adds_up(seen) == [-penalty, penalty * 99 // 100]


@pytest.mark.parametrize("share", [0, 1, 33, 99, 100])
def test_12_the_share_of_the_largest_balance(share: int) -> None:
    """Under the cap the penalty is the balance of the fleer."""
    house = rules(WEALTH, base=BASE, escape_times=TIMES, cap_at_balance=True, share=share)
    balance = MOST // 100 - 7
    seen = flight(house, balances=[balance, 0])
    paid = min(balance, BASE * TIMES)
    assert _adds_up(seen) == [-paid, paid * share // 100]


def test_12_balances_after_a_game_may_pass_the_limit() -> None:
    """Only what stands in a log before a game is limited."""
    house = rules(POINTS, base=BASE)
    result = {"balance": [MOST + BASE, -MOST - BASE]}
    assert duel(house, balances=[MOST, -MOST], result=result).found == []


@pytest.mark.parametrize(
    ("a", "b", "c"),
    [
        (0, 0, 1),
        (7, 3, 10),
        (MOST, MOST, MOST),
        (4 * MOST, 10**17, 3 * 10**17),
        (10**18, 10**18 - 1, 10**18),
        (2**62, 2**61 - 1, 2**61),
        (2**62, 1, 2**61),
        (2**62 - 1, 2**60, 2**61 - 1),
    ],
)
def test_12_products_beyond_int64_are_divided_exactly(a: int, b: int, c: int) -> None:
    """a·b ÷ c as Python's ints have it."""
    assert multiply_divide(a, b, c) == divmod(a * b, c)


def test_12_the_most_bombs_of_a_seat() -> None:
    """27 cards are six fours and three jokers; each of the seven bombs counts at its limit."""
    house = rules(POINTS, base=BASE, contribution_mode="each", contribution={4: TIMES})
    bombs = ["3333", "5555", "7777", "9999", "JJJJ", "KKKK", "ssb"]
    *leads, last = bombs
    actions = [action for cards in leads for action in (f"0 {cards}", "1 -")]
    seen = play(house, [" ".join(bombs), "4"], *actions, f"0 {last}", whole=True)
    assert _adds_up(seen) == [BASE * (3 * 16 + 7 * TIMES), -BASE * (3 * 16 + 7 * TIMES)]


@pytest.mark.slow
def test_12_compiled_kernels_do_not_wrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same amounts where ints have 64 bits."""
    monkeypatch.setenv("PAIPU_COMPILE", "always")
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    test_12_the_largest_game_of_two()
    test_12_the_largest_contributions_of_two()
    test_12_the_largest_game_of_four()
    test_12_the_largest_shares_under_the_cap(MOST)
    test_12_the_largest_penalty()
    test_12_the_share_of_the_largest_balance(99)
    test_12_the_most_bombs_of_a_seat()
