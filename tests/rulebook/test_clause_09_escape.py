"""Rules clause 9: what an escape (逃跑) costs, where it settles the game."""

from __future__ import annotations

from functools import partial

import pytest

from analytics.rules import check_ruleset
from tests.rulebook.builder import JIULE, POINTS, WEALTH, altered, bomb, duel, flight, play, rules

MILLIONAIRES = [500_000, 500_000]  # wealth of base 1000
POINTS_60 = rules(POINTS, base=60)
WEALTH_60 = rules(WEALTH, base=60)


def test_9_the_example_of_s0() -> None:
    """X = 1000, A played 6相, B 7相, A flees: A −20000, B +14000, the system +6000."""
    seen = flight(WEALTH, fleer="999999", other="TTTTTTT", balances=MILLIONAIRES)
    assert seen.base == 1000
    assert (seen.delta, seen.system) == ([-20_000, 14_000], 6_000)


@pytest.mark.parametrize(
    ("other", "times"),
    [
        ("", 12),
        (bomb(4), 12),  # b is 1, so it does not count
        (bomb(5), 12 + 0 + 2 * 2),
        (bomb(6), 12 + 2 + 2 * 4),
        (bomb(7), 12 + 4 + 2 * 8),
        (bomb(12), 12 + 128 + 2 * 256),
        ("99999 TTTTT", 12 + 2 + 2 * 4),  # linked: 6相
    ],
)
@pytest.mark.parametrize("has_played", [True, False])
def test_9_points(other: str, times: int, has_played: bool) -> None:
    """12·X, X·C and X·a(dan)·b(E) of the other; nothing of it is his (decided)."""
    seen = flight(POINTS_60, fleer="", other=other, has_played=has_played)
    assert (seen.found, seen.delta, seen.system) == ([], [-60 * times, 0], 60 * times)


def test_9_points_take_a_from_the_ruleset() -> None:
    """a(dan) is the multiplier of a 单扣."""
    house = rules(POINTS, base=60, kou=(1, 5, 9))
    assert flight(house, other=bomb(5)).delta == [-60 * (12 + 5 * 2), 0]


@pytest.mark.parametrize(
    ("other", "times", "times_unplayed"),
    [
        ("", 12, 12),
        (bomb(4), 12, 12),
        (bomb(5), 12, 12),  # b(5) is 1 in wealth
        (bomb(6), 12 + 2 + 2, 12),
        (bomb(7), 12 + 4 + 4, 12),
        (bomb(12), 12 + 128 + 128, 12),
    ],
)
def test_9_wealth(other: str, times: int, times_unplayed: int) -> None:
    """12·X; X·b(E) and X·C of the other only if the fleer has played a card before."""
    for has_played, expected in ((True, times), (False, times_unplayed)):
        seen = flight(WEALTH_60, other=other, has_played=has_played)
        penalty = 60 * expected
        part = penalty * 70 // 100
        assert seen.found == []
        assert (seen.delta, seen.system) == ([-penalty, part], penalty - part)


def test_9_only_the_others_bombs_count() -> None:
    """The contribution of a player who flees is 0 (decided for points too)."""
    for house in (POINTS_60, WEALTH_60):
        with_bomb, without = flight(house, fleer=bomb(12)), flight(house)
        assert with_bomb.delta == without.delta


def test_9_bombs_that_were_not_played_do_not_count() -> None:
    """E and C are of what the other had played."""
    seen = play(POINTS_60, ["3 4", "9999999 2"], "0 3", "1 2", "0 !escape")
    assert seen.delta == [-720, 0]


def test_9_contribution_mode_each_counts_every_bomb() -> None:
    """C is what it is in a normal settlement: 2 and 4."""
    house = rules(POINTS, base=60, contribution_mode="each")
    seen = flight(house, other="999999 TTTTTTT")
    assert seen.delta == [-60 * (12 + 6 + 2 * 8), 0]


@pytest.mark.parametrize(("fee", "share"), [(0, 0), (7, 0), (7, 70)])
@pytest.mark.parametrize("other", ["", bomb(8)])
def test_9_none(fee: int, share: int, other: str) -> None:
    """128·X and the fee of the fleer, all to the system whatever share says (S4)."""
    seen = flight(rules(JIULE, fee=fee, share=share), other=other)
    assert seen.found == []
    assert (seen.fee, seen.delta, seen.system) == ([fee, 0], [-12_800 - fee, 0], 12_800 + fee)


@pytest.mark.parametrize("parts", ["points", "wealth"])
def test_9_apart_from_that_no_fee_is_charged(parts: str) -> None:
    """Neither from the fleer nor from the other."""
    seen = flight(rules(POINTS, base=60, fee=7, escape_parts=parts))
    assert (seen.fee, seen.delta, seen.system) == ([0, 0], [-720, 0], 720)


@pytest.mark.parametrize(
    ("times", "share", "part"),
    [(12, 0, 0), (12, 70, 8), (13, 70, 9), (12, 100, 12), (1, 99, 0), (199, 50, 99), (0, 70, 0)],
)
def test_9_the_share_is_rounded_down(times: int, share: int, part: int) -> None:
    """Percent of the penalty to the other, the rest to the system."""
    seen = flight(rules(WEALTH, base=1, escape_times=times, share=share))
    assert (seen.delta, seen.system) == ([-times, part], times - part)


@pytest.mark.parametrize(
    ("balance", "paid", "part"),
    [(20_000, 20_000, 14_000), (9_999, 9_999, 6_999), (1, 1, 0), (0, 0, 0), (-5, 0, 0)],
)
def test_9_the_cap_comes_before_the_share(balance: int, paid: int, part: int) -> None:
    """cap_at_balance caps the penalty, then the share of what is left is taken."""
    house = rules(WEALTH, base=1000, cap_at_balance=True)
    seen = flight(house, other="TTTTTTT", balances=[balance, 0])
    assert (seen.delta, seen.system) == ([-paid, part], paid - part)


def test_9_the_fee_of_the_fleer_is_not_capped() -> None:
    """He pays what he has, and the fee besides."""
    house = rules(JIULE, cap_at_balance=True, fee=7)
    seen = flight(house, balances=[50, 0])
    assert (seen.delta, seen.system) == ([-57, 0], 57)


def test_9_without_the_cap_a_fleer_goes_below_zero() -> None:
    """cap_at_balance is off by default."""
    assert flight(WEALTH_60, balances=[0, 0]).delta == [-720, 504]


@pytest.mark.parametrize("house", [POINTS, WEALTH, JIULE])
def test_9_an_escape_has_no_kou_doubling_or_contribution(house: str) -> None:
    """They are null, and not compared where the house records them all the same."""
    result = {"kou": "dan", "doubling": 77, "contribution": [5, 5], "places": [1, 2]}
    seen = flight(house, result=result, balances=MILLIONAIRES)
    assert (seen.kou, seen.doubling, seen.contribution) == (None, None, None)
    assert seen.found == []


@pytest.mark.parametrize("fleer", [0, 1])
def test_9_the_winner_is_the_one_who_stayed(fleer: int) -> None:
    """Whoever's turn it is, and whoever holds fewer cards."""
    for first in ("0 !return", "0 3"):
        seen = play(POINTS_60, ["3 4", "5 6"], first, f"{fleer} !escape")
        delta = [0, 0]
        delta[fleer] = -720
        assert (seen.end, seen.winner, seen.fleer) == ("escape", 1 - fleer, fleer)
        assert (seen.found, seen.delta) == ([], delta)


def test_9_the_right_result_is_not_a_finding() -> None:
    """Xiang, fee, delta and balance are compared as ever."""
    right = {
        "end": "escape", "winner": 1, "xiang": [6, 7], "fee": [0, 0],
        "delta": [-20_000, 14_000], "balance": [480_000, 514_000],
    }  # fmt: skip
    example = partial(flight, WEALTH, fleer="999999", other="TTTTTTT", balances=MILLIONAIRES)
    assert example(base=1000, result=right).found == []
    wrong = {"end": "out", "winner": 0, "xiang": [6, 8], "fee": [1, 0], "delta": [-20_000, 6_000]}
    assert example(base=999, result=wrong).found == [
        "ledger.sum", "settle.base", "settle.end", "settle.winner",
        "settle.fee#0", "settle.delta#1", "settle.xiang#1",
    ]  # fmt: skip


def test_9_a_fleer_without_a_level_owes_nothing_that_can_be_said() -> None:
    """base.level: no amounts; the fee of a house without parts is still the fleer's."""
    levels = [[100, 5]]
    seen = flight(rules(JIULE, base=levels, fee=7), balances=[99, 100])
    assert (seen.found, seen.delta, seen.fee) == (["base.level#0"], None, [7, 0])
    seen = flight(rules(WEALTH, fee=7), balances=[100, 99])
    assert (seen.found, seen.delta, seen.fee) == (["base.level#1"], None, [0, 0])
    seen = duel(rules(WEALTH, fee=7), balances=[100, 99])
    assert (seen.found, seen.delta, seen.fee) == (["base.level#1"], None, [7, 7])


def test_9_settle_with_four_seats_is_a_ruleset_error() -> None:
    """An escape of one of four cannot settle the game."""
    found = [m.code for m in check_ruleset(altered("baibian", on_escape="settle"))]
    assert "rules.escape-seats" in found


def test_9_with_trustee_an_escape_is_an_event_like_drop() -> None:
    """The game goes on, and nobody pays for it."""
    seen = play(rules(POINTS, on_escape="trustee"), ["3 4", "5"], "0 !escape", "0 3*", "1 5")
    assert (seen.found, seen.end, seen.winner, seen.fleer) == ([], "out", 1, -1)
    assert seen.delta == [-60, 60]
