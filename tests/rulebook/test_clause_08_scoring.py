"""Rules clause 8: tables, levels, places and the normal settlement."""

from __future__ import annotations

from typing import Any

import pytest

from analytics.rules import Ruleset, check_presets, check_ruleset
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    POINTS,
    TONGCHENG,
    WEALTH,
    ZEROSUM,
    Seen,
    altered,
    bomb,
    duel,
    play,
    rules,
)

# The tables.

DOUBLING = {
    #          4  5  6  7   8   9  10   11   12
    POINTS: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    WEALTH: [1, 1, 2, 4, 8, 16, 32, 64, 128],
    JIULE: [1, 2, 4, 8, 16, 32, 32, 32, 32],  # capped at 9
    BAIBIAN: [1, 2, 4, 8, 16, 16, 16],
    ZEROSUM: [1, 2, 4, 8, 16, 16, 16],
    TONGCHENG: [1, 2, 4, 8, 16, 16, 16],
}
CONTRIBUTION = {
    POINTS: [0, 0, 2, 4, 8, 16, 32, 64, 128],
    WEALTH: [0, 0, 2, 4, 8, 16, 32, 64, 128],
    JIULE: [0, 0, 2, 4, 8, 16, 16, 16, 16],  # capped at 9
    BAIBIAN: [0, 0, 6, 12, 18, 18, 18],
    ZEROSUM: [0, 0, 6, 12, 18, 18, 18],
    TONGCHENG: [0, 0, 0, 0, 0, 0, 0],
}
TWO = (POINTS, WEALTH, JIULE)


def _bombed(house: str, xiang: int) -> Seen:
    """A game that seat 0 wins with one bomb."""
    if house in TWO:
        return duel(house, winner=bomb(xiang))
    passes = ("1 -", "2 -", "3 -")
    hands = [bomb(xiang) + "3", "4 4", "5", "6 6"]
    return play(house, hands, f"0 {bomb(xiang)}", *passes, "0 3", "1 -", "2 5")


def _cases(table: dict[str, list[int]]) -> list[tuple[str, int, int]]:
    return [(house, at + 4, times) for house, row in table.items() for at, times in enumerate(row)]


@pytest.mark.parametrize(("house", "xiang", "times"), _cases(DOUBLING))
def test_8_doubling_by_xiang(house: str, xiang: int, times: int) -> None:
    """1 below the first row; above the last row the last row holds."""
    assert _bombed(house, xiang).doubling == times


@pytest.mark.parametrize(("house", "xiang", "times"), _cases(CONTRIBUTION))
def test_8_contribution_by_xiang(house: str, xiang: int, times: int) -> None:
    """0 below the first row; with four players a third of it comes from each other seat."""
    third = times // 3
    net = [times, -times] if house in TWO else [times, -third, -third, -third]
    assert _bombed(house, xiang).contribution == net


@pytest.mark.parametrize(
    ("house", "left", "times"),
    [(house, left, times) for house in TWO for left, times in ((1, 1), (7, 2), (12, 3))],
)
def test_8_kou_multiplies_the_base(house: str, left: int, times: int) -> None:
    """1, 2 and 3 for 平扣, 单扣 and 双扣 (decided)."""
    seen = duel(house, left=left, balances=[100_000] * 2)
    base = {POINTS: 300, WEALTH: 500, JIULE: 100}[house]  # 64000 points, 100000 wealth, given
    assert seen.delta == [base * times, -base * times]


@pytest.mark.parametrize(
    ("xiang", "table", "times"),
    [
        (4, {5: 3, 8: 7}, 1),
        (5, {5: 3, 8: 7}, 3),
        (7, {5: 3, 8: 7}, 3),
        (8, {5: 3, 8: 7}, 7),
        (12, {5: 3, 8: 7}, 7),
        (4, {4: 2}, 2),
        (12, {}, 1),
    ],
)
def test_8_a_row_of_a_table_holds_up_to_the_next(
    xiang: int, table: dict[int, int], times: int
) -> None:
    """A house's table may leave rows out; rules check warns about the gap."""
    assert duel(rules(POINTS, doubling=table), winner=bomb(xiang)).doubling == times


@pytest.mark.parametrize(("house", "base"), [(BAIBIAN, 1), (ZEROSUM, 1), (TONGCHENG, 100)])
def test_8_the_fixed_base(house: str, base: int) -> None:
    """1 point, or 100 silver, whatever the balances."""
    seen = play(house, ["3", "4 4", "5", "6 6"], "0 3", "1 -", "2 5", balances=[0, -5, 10**9, 7])
    assert seen.base == base


@pytest.mark.parametrize("base", [1, 77, 10**9])
def test_8_the_given_base(base: int) -> None:
    """jiule takes the base X that the log gives for the game (动态基数)."""
    seen = duel(JIULE, base=base)
    assert (seen.found, seen.base, seen.delta) == ([], base, [base, -base])


@pytest.mark.parametrize(("xiang", "silver"), [(4, 400), (5, 800), (6, 1600), (7, 3200), (8, 6400)])
def test_8_the_silver_of_tongcheng(xiang: int, silver: int) -> None:
    """双扣 is 400 silver before doubling (decided); the printed 2400 for 6相 is a misprint."""
    seen = _bombed(TONGCHENG, xiang)
    assert (seen.kou, seen.delta) == ("shuang", [silver, -silver, silver, -silver])


# 8.1 Levels.

POINT_LEVELS = {
    0: 5, 50: 5, 100: 10, 200: 20, 500: 40, 1000: 60, 2000: 80, 4000: 100, 8000: 150,
    16000: 200, 32000: 260, 64000: 300, 128000: 400, 262000: 500, 500000: 600, 1000000: 700,
    2000000: 800,
}  # fmt: skip
WEALTH_LEVELS = {
    100: 5, 1000: 10, 10000: 100, 100000: 500, 500000: 1000, 1000000: 1500, 2500000: 2000,
    5000000: 2500, 10000000: 3000, 25000000: 3500, 50000000: 4000,
}  # fmt: skip
RICH = 10**15


@pytest.mark.parametrize(
    ("house", "required", "base"),
    [(POINTS, *row) for row in POINT_LEVELS.items()]
    + [(WEALTH, *row) for row in WEALTH_LEVELS.items()],
)
def test_8_1_a_level_begins_at_its_requirement(house: str, required: int, base: int) -> None:
    """At the requirement its base holds, one below it that of the level before, or none."""
    table = POINT_LEVELS if house == POINTS else WEALTH_LEVELS
    below = {need: amount for need, amount in table.items() if need < required}
    assert duel(house, balances=[required, RICH]).base == base
    expected = below[max(below)] if below else None
    assert duel(house, balances=[RICH, required - 1]).base == expected


@pytest.mark.parametrize(("house", "base"), [(POINTS, 800), (WEALTH, 4000)])
def test_8_1_there_is_no_level_above_the_last(house: str, base: int) -> None:
    """However much the players have."""
    assert duel(house, balances=[RICH, RICH]).base == base


@pytest.mark.parametrize(
    ("house", "balances", "base"),
    [
        (POINTS, [50, 2000], 5),
        (POINTS, [2000, 50], 5),
        (WEALTH, [150_000, 9_999], 10),
        (WEALTH, [9_999, 150_000], 10),
        (rules(BAIBIAN, base=[[0, 1], [10, 2], [20, 3]]), [25, 25, 25, 25], 3),
        (rules(BAIBIAN, base=[[0, 1], [10, 2], [20, 3]]), [25, 25, 19, 25], 2),
        (rules(BAIBIAN, base=[[0, 1], [10, 2], [20, 3]]), [25, 25, 19, 9], 1),
    ],
)
def test_8_1_the_lowest_level_at_the_table_counts(
    house: str | Ruleset, balances: list[int], base: int
) -> None:
    """The base is that of the poorest player, in points and in wealth (decided)."""
    if len(balances) == 2:
        assert duel(house, balances=balances).base == base
    else:
        hands = ["3", "4 4", "5", "6 6"]
        assert play(house, hands, "0 3", "1 -", "2 5", balances=balances).base == base


@pytest.mark.parametrize(
    ("house", "balances", "found"),
    [
        (WEALTH, [99, 1000], ["base.level#0"]),
        (WEALTH, [1000, 99], ["base.level#1"]),
        (WEALTH, [0, -5], ["base.level#0", "base.level#1"]),
        (POINTS, [-1, 1000], ["base.level#0"]),
        (POINTS, [0, 0], []),
        (WEALTH, [100, 100], []),
    ],
)
def test_8_1_a_balance_below_the_first_level(
    house: str, balances: list[int], found: list[str]
) -> None:
    """Wealth under 100 and negative points have no level: base.level."""
    seen = duel(house, balances=balances)
    assert seen.found == found
    assert (seen.base is None) == bool(found)


def test_8_1_without_a_level_amounts_are_not_compared() -> None:
    """Base, deltas, balances and the sum are not; the rest is."""
    result = {
        "end": "escape", "winner": 1, "kou": "dan", "xiang": [9, 0], "doubling": 9,
        "contribution": [1, 0], "fee": [3, 0], "delta": [5, 6], "balance": [7, 8],
    }  # fmt: skip
    seen = duel(WEALTH, balances=[99, 1000], base=77, result=result)
    assert seen.found == [
        "settle.doubling", "settle.end", "settle.kou", "settle.winner",
        "base.level#0", "settle.contribution#0", "settle.fee#0", "settle.xiang#0",
    ]  # fmt: skip
    assert (seen.delta, seen.system) == (None, None)


# 8.2 Places.

HANDS = {
    "shuang": (["3", "4 4", "5", "6 6"], ["0 3", "1 -", "2 5"]),
    "dan": (["3", "4", "5", "6 9"], ["0 3", "1 4", "2 5"]),
    "ping": (["3", "4", "5 9", "6"], ["0 3", "1 4", "2 -", "3 6"]),
}


def four(house: str | Ruleset, kou: str, **fields: Any) -> Seen:
    """A game of four without bombs; seat 0 is first."""
    hands, actions = HANDS[kou]
    seen = play(house, hands, *actions, **fields)
    assert seen.kou == kou
    return seen


@pytest.mark.parametrize(
    ("house", "kou", "delta", "system"),
    [
        # places [1, 4, 2, 3], [1, 2, 3, 4] and [1, 2, 4, 3]
        (BAIBIAN, "shuang", [4, -4, 4, -4], 0),
        (BAIBIAN, "dan", [2, -2, 2, -2], 0),
        (BAIBIAN, "ping", [1, 0, 1, 0], -2),
        (ZEROSUM, "shuang", [4, -4, 4, -4], 0),
        (ZEROSUM, "dan", [2, -2, 2, -2], 0),
        (ZEROSUM, "ping", [1, -1, 1, -1], 0),
        (TONGCHENG, "dan", [200, -200, 200, -200], 0),
        (TONGCHENG, "ping", [100, 0, 100, 0], -200),
    ],
)
def test_8_2_points_by_places(house: str, kou: str, delta: list[int], system: int) -> None:
    """The printed ping row mints 2 points a game; baibian-zerosum is another house's row."""
    seen = four(house, kou)
    assert (seen.delta, seen.system) == (delta, system)


def test_8_2_each_place_has_its_points() -> None:
    """A table that gives every place a number of its own is used place by place."""
    places = {"shuang": [40, 30, 20, 10], "dan": [4, 3, 2, 1], "ping": [400, 300, 200, 100]}
    house = rules(BAIBIAN, places=places)
    assert four(house, "shuang").delta == [40, 10, 30, 20]
    assert four(house, "dan").delta == [4, 3, 2, 1]
    assert four(house, "ping").delta == [400, 300, 100, 200]


def test_8_2_rules_check_warns_about_the_printed_row() -> None:
    """baibian keeps what is printed, and checking says what it mints."""
    warned = [m for m in check_presets() if m.file == "preset:baibian"]
    assert [(m.path, m.code) for m in warned] == [("scoring.places.ping", "rules.mint")]
    assert not [m for m in check_presets() if m.file == "preset:baibian-zerosum"]


# 8.3 Two players.


@pytest.mark.parametrize(
    ("winner", "loser", "left", "delta"),
    [
        ("", "", 1, 60),  # X is 60 with 1000 points
        ("", "", 7, 120),
        ("", "", 12, 180),
        ("99999", "", 1, 120),
        ("9999999", "", 12, 60 * 3 * 8 + 60 * 4),
        ("9999999", "TTTTTT", 12, 60 * 3 * 8 + 60 * (4 - 2)),
        ("", "TTTTTT", 7, 60 * 2 - 60 * 2),
        ("", "TTTTTTTTssbb", 1, 60 - 60 * 128),  # the winner pays
        ("", "TTTTT", 1, 60),  # the loser's bombs do not double
    ],
)
def test_8_3_two_players(winner: str, loser: str, left: int, delta: int) -> None:
    """X·a·b(E) of the winner and X·(C − C) go to the winner; the loser pays the same."""
    seen = duel(POINTS, winner=winner, loser=loser, left=left)
    assert (seen.found, seen.delta, seen.system) == ([], [delta, -delta], 0)


@pytest.mark.parametrize(
    ("mode", "bombs", "net"),
    [
        ("max", "999999 JJJJJJ KKKKKKK", 4),  # c(7) once
        ("each", "999999 JJJJJJ KKKKKKK", 2 + 2 + 4),
        ("max", "99999 TTTTT", 2),  # linked: c(6)
        ("each", "99999 TTTTT", 0),  # each by its own xiang
        ("max", "9999 JJJJ KKKK AAAA", 0),  # Q stands between J and K: three are 5
        ("max", "9999 JJJJ KKKK 2222", 2),  # unlinked: c(6)
        ("each", "9999 JJJJ KKKK 2222", 0),
        ("each", "999999 ssbb", 2 + 4),
        ("each", "9999TTTTJJJJ QQQQQQ", 4 + 2),
    ],
)
def test_8_3_contribution_modes(mode: str, bombs: str, net: int) -> None:
    """max: c of the effective xiang (decided); each: the sum over the bombs, without bonuses."""
    seen = duel(rules(POINTS, contribution_mode=mode), winner=bombs)
    assert seen.contribution == [net, -net]


def test_8_3_every_seat_contributes() -> None:
    """Loser and winner, in both modes."""
    for mode in ("max", "each"):
        seen = duel(rules(POINTS, contribution_mode=mode), winner="999999", loser="TTTTTTT")
        assert seen.contribution == [-2, 2]


def test_8_3_scoring_sees_xiang_capped() -> None:
    """Doubling and contribution, in both modes; so does the recorded xiang."""
    for mode in ("max", "each"):
        house = rules(POINTS, xiang_cap=7, contribution_mode=mode)
        seen = duel(house, winner="99999999", result={"xiang": [7, 0]})
        assert (seen.found, seen.xiang) == ([], [7, 0])
        assert (seen.doubling, seen.contribution) == (8, [4, -4])


# 8.3 Four players.

# Seat 2 is first, then seat 0; 0 has played 6相, 1 has played 7相.
BOMBED = ["999999 3", "TTTTTTT 4 4", "5", "6 6"]
COURSE = (
    *("0 999999", "1 TTTTTTT", "2 -", "3 -", "0 -"),
    *("1 4", "2 5", "3 -", "0 -", "1 -", "0 3"),
)


@pytest.mark.parametrize(
    ("scope", "doubling", "delta"),
    [
        ("team", 4, [16 + 2, -16 + 10, 16 - 6, -16 - 6]),
        ("first", 1, [4 + 2, -4 + 10, 4 - 6, -4 - 6]),
    ],
)
def test_8_3_four_players(scope: str, doubling: int, delta: list[int]) -> None:
    """X·P·b + X·C', b by the best of the winning team (胜方), or by the first out alone."""
    seen = play(rules(BAIBIAN, doubling_scope=scope), BOMBED, *COURSE)
    assert (seen.found, seen.places) == ([], [2, 3, 1, 4])
    assert (seen.doubling, seen.delta, seen.system) == (doubling, delta, 0)


def test_8_3_a_contribution_comes_from_each_other_seat_in_thirds() -> None:
    """c of 6 for 0 and of 12 for 1; the partner pays as well."""
    seen = play(BAIBIAN, BOMBED, *COURSE)
    assert seen.contribution == [6 - 4, 12 - 2, -2 - 4, -2 - 4]


@pytest.mark.parametrize(("mode", "net"), [("each", 18), ("max", 12)])
def test_8_3_four_players_contribute_for_every_bomb_or_once(mode: str, net: int) -> None:
    """each: 6 and 12 for the two bombs of a seat; max: c(E) once."""
    hands = ["999999 TTTTTTT 3", "4 4", "5", "6 6"]
    passes = ("1 -", "2 -", "3 -")
    actions = ("0 999999", *passes, "0 TTTTTTT", *passes, "0 3", "1 -", "2 5")
    seen = play(rules(BAIBIAN, contribution_mode=mode), hands, *actions)
    assert seen.contribution == [net, -net // 3, -net // 3, -net // 3]


def test_8_3_the_losing_team_does_not_double() -> None:
    """7相 on the losing side leave b at 1."""
    hands = ["3", "TTTTTTT 4 4", "5", "6 6"]
    actions = ("1 TTTTTTT", "2 -", "3 -", "0 -", "1 4", "2 5", "3 -", "0 -", "1 -", "0 3")
    assert play(BAIBIAN, hands, *actions, leader=1).doubling == 1


def test_8_3_the_partner_of_the_first_out_doubles_though_he_is_last() -> None:
    """The winning team is that of the first out, in a 平扣 too."""
    hands = ["J", "Q", "99999 7 8", "K"]
    bombed = ("2 99999", "3 -", "0 -", "1 -")
    seen = play(BAIBIAN, hands, *bombed, "2 7", "3 -", "0 J", "1 Q", "2 -", "3 K", leader=2)
    assert (seen.kou, seen.places, seen.doubling) == ("ping", [1, 2, 4, 3], 2)


@pytest.mark.parametrize("worth", [1, 2, 4, 5, 7])
def test_8_3_a_contribution_not_divisible_by_three_is_a_ruleset_error(worth: int) -> None:
    """With four players it could not be shared; with two it can."""
    found = [m.code for m in check_ruleset(altered(BAIBIAN, contribution={6: worth}))]
    assert "rules.indivisible" in found
    assert rules(POINTS, contribution={6: worth}).scoring.contribution


# 8.3 The fee.


def test_8_3_the_fee_is_taken_from_every_seat() -> None:
    """It goes to the system, and the delta is net of it."""
    seen = duel(rules(POINTS, fee=7))
    assert (seen.fee, seen.delta, seen.system) == ([7, 7], [53, -67], 14)
    seen = four(rules(ZEROSUM, fee=7), "dan")
    assert (seen.fee, seen.delta, seen.system) == ([7] * 4, [-5, -9, -5, -9], 28)


@pytest.mark.parametrize("house", [POINTS, WEALTH, JIULE])
def test_8_3_the_fee_is_0_by_default(house: str) -> None:
    """In every preset."""
    assert duel(house).fee == [0, 0]
    assert four(BAIBIAN, "dan").fee == four(TONGCHENG, "dan").fee == [0] * 4


# 8.3 Cap at balance.


@pytest.mark.parametrize(
    ("balances", "delta"),
    [
        ([0, 200], [180, -180]),
        ([0, 180], [180, -180]),
        ([0, 179], [179, -179]),
        ([9, 1], [1, -1]),
        ([9, 0], [0, 0]),
        ([9, -50], [0, 0]),  # max(0, balance)
    ],
)
def test_8_3_no_seat_pays_more_than_its_balance(balances: list[int], delta: list[int]) -> None:
    """Three times a base of 60, from a loser who may have less."""
    house = rules(POINTS, base=60, cap_at_balance=True)
    seen = duel(house, left=12, balances=balances)
    assert (seen.delta, seen.system) == (delta, 0)


@pytest.mark.parametrize(("balance", "paid"), [(1, 1), (0, 0)])
def test_8_3_a_single_unit_is_capped_as_well(balance: int, paid: int) -> None:
    """A base of 1, from a loser who has it or has not."""
    house = rules(POINTS, base=1, cap_at_balance=True)
    assert duel(house, balances=[0, balance]).delta == [paid, -paid]


def test_8_3_without_the_cap_balances_do_not_matter() -> None:
    """cap_at_balance is off by default."""
    assert duel(rules(POINTS, base=60), left=12, balances=[0, 0]).delta == [180, -180]


def test_8_3_a_winner_who_pays_is_capped_as_well() -> None:
    """60 for the game less 120 for the loser's bomb, of a balance of 45."""
    house = rules(POINTS, base=60, cap_at_balance=True)
    assert duel(house, loser="999999", balances=[45, 0]).delta == [-45, 45]


def test_8_3_the_cap_comes_before_the_fee() -> None:
    """The fee is taken from what is left, and below it."""
    house = rules(POINTS, base=60, cap_at_balance=True, fee=7)
    seen = duel(house, balances=[0, 20])
    assert (seen.delta, seen.system) == ([20 - 7, -20 - 7], 14)


def _capped(row: list[int], balances: list[int], **settings: Any) -> tuple[Any, Any]:
    """Deltas and system of a 双扣 with these points by place, base 10, and the cap."""
    places = {"shuang": row, "dan": [0] * 4, "ping": [0] * 4}
    settings = {"base": 10, **settings}
    house = rules(ZEROSUM, places=places, cap_at_balance=True, **settings)
    seen = four(house, "shuang", balances=balances)
    return seen.delta, seen.system


POOR = 0  # receivers need no balance


@pytest.mark.parametrize(
    ("row", "third", "fourth", "delta"),
    [
        # Seat 0 is first, 2 second, 3 third, 1 fourth; 1 and 3 pay as far as they can.
        ([4, 4, -4, -4], 40, 40, [40, -40, 40, -40]),
        ([4, 4, -4, -4], 40, 24, [32, -24, 32, -40]),
        ([4, 4, -4, -4], 40, 25, [33, -25, 32, -40]),  # 32.5 each: ties to the lower seat
        ([3, 1, -2, -2], 6, 5, [8, -5, 3, -6]),  # 8.25 and 2.75 of 11
        ([3, 1, -2, -2], 2, 3, [4, -3, 1, -2]),  # 3.75 and 1.25 of 5
        ([1, 3, -2, -2], 2, 3, [1, -3, 4, -2]),
        ([1, 1, 1, -3], 0, 20, [7, -20, 7, 6]),  # 6.67 each: two units, to the lower seats
        ([1, 1, 1, -3], 0, 19, [7, -19, 6, 6]),  # 6.33 each: one unit
        ([5, 3, 2, -10], 0, 9, [4, -9, 3, 2]),  # 4.5, 2.7 and 1.8 of 9
        ([4, 4, -4, -4], 0, 0, [0, 0, 0, 0]),
        ([4, 4, -4, -4], -9, 1, [1, -1, 0, 0]),
    ],
)
def test_8_3_receivers_share_what_is_collected(
    row: list[int], third: int, fourth: int, delta: list[int]
) -> None:
    """In proportion to what they want, rounded down; units left over by largest remainder."""
    assert _capped(row, [POOR, fourth, POOR, third]) == (delta, 0)


@pytest.mark.parametrize(
    ("row", "third", "fourth", "delta", "system"),
    [
        # The table mints 20, or 40: that is shared as well.
        ([1, 1, 0, 0], 0, 0, [10, 0, 10, 0], -20),
        ([4, 4, -2, -2], 20, 20, [40, -20, 40, -20], -40),
        ([4, 4, -2, -2], 0, 3, [22, -3, 21, 0], -40),  # 43 for two
        # The table burns 20: the system receives it first, as far as the pool reaches.
        ([4, 2, -4, -4], 40, 40, [40, -40, 20, -40], 20),
        ([4, 2, -4, -4], 15, 30, [17, -30, 8, -15], 20),  # 16.67 and 8.33 of 25
        ([4, 2, -4, -4], 5, 16, [1, -16, 0, -5], 20),  # .67 and .33 of 1
        ([4, 2, -4, -4], 5, 10, [0, -10, 0, -5], 15),
        ([0, 0, -1, -1], 3, 4, [0, -4, 0, -3], 7),  # nobody else receives
    ],
)
def test_8_3_the_system_is_neither_capped_nor_does_it_share(
    row: list[int], third: int, fourth: int, delta: list[int], system: int
) -> None:
    """The pool is what is paid, less what the system receives, plus what it mints."""
    assert _capped(row, [POOR, fourth, POOR, third]) == (delta, system)


def test_8_3_the_fee_of_four_comes_after_the_cap() -> None:
    """It is no part of what the cap counts."""
    delta, system = _capped([4, 4, -4, -4], [0, 25, 0, 40], fee=2)
    assert (delta, system) == ([31, -27, 30, -42], 8)


def test_8_3_contributions_and_doubling_are_capped_together() -> None:
    """A seat's net amount counts: 16 and 2 for 0, 16 less 6 for 2, of 10 that 1 and 3 have."""
    house = rules(BAIBIAN, cap_at_balance=True)
    seen = play(house, BOMBED, *COURSE, balances=[0, 5, 0, 5])
    # Wanted: 18 and 10; owed: 6 and 22. 10 are shared: 6.43 and 3.57.
    assert seen.delta == [6, -5, 4, -5]


# What a result says.


def test_8_3_the_right_result_of_two_players_is_not_a_finding() -> None:
    """Winner, kou, xiang, doubling, contribution, delta, fee and balance, net and per seat."""
    result = {
        "end": "out", "winner": 0, "kou": "dan", "xiang": [7, 6], "doubling": 8,
        "contribution": [2, -2], "delta": [1077, -1083], "fee": [3, 3],
        "balance": [2077, -83],
    }  # fmt: skip
    house = rules(POINTS, fee=3)
    seen = duel(house, winner="9999999", loser="TTTTTT", left=7, base=60, result=result)
    assert seen.found == []


def test_8_3_the_right_result_of_four_players_is_not_a_finding() -> None:
    """Places are per seat, 1 to 4; the winner is the first seat out."""
    result = {
        "end": "out", "winner": 2, "places": [2, 3, 1, 4], "kou": "shuang", "xiang": [6, 7, 0, 0],
        "doubling": 4, "contribution": [2, 10, -6, -6], "delta": [18, -6, 10, -22],
        "fee": [0, 0, 0, 0], "balance": [1018, 994, 1010, 978],
    }  # fmt: skip
    assert play(BAIBIAN, BOMBED, *COURSE, base=1, result=result).found == []
