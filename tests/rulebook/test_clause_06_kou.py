"""Rules clause 6: kou (扣), how badly the loser is caught."""

from __future__ import annotations

import pytest

from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    NATURALS,
    POINTS,
    TONGCHENG,
    WEALTH,
    ZEROSUM,
    play,
    rules,
)

MANY = NATURALS * 2  # 26 cards; as many of them as a test wants


@pytest.mark.parametrize("house", [POINTS, WEALTH, JIULE])
@pytest.mark.parametrize(
    ("left", "kou"),
    [(1, "ping"), (6, "ping"), (7, "dan"), (11, "dan"), (12, "shuang"), (26, "shuang")],
)
def test_6_two_players_by_the_cards_left(house: str, left: int, kou: str) -> None:
    """1 to 6 cards in the loser's hand are 平扣, 7 to 11 单扣, 12 or more 双扣."""
    seen = play(house, ["b", MANY[:left]], "0 b")
    assert (seen.left, seen.kou) == ([0, left], kou)


def test_6_whoever_wins_the_other_is_caught() -> None:
    """The loser's cards count, not those of seat 1."""
    seen = play(POINTS, [MANY[:11] + "3", "4"], "0 3", "1 4")
    assert (seen.left, seen.kou, seen.winner) == ([11, 0], "dan", 1)


@pytest.mark.parametrize(
    ("left", "kou"), [(4, "ping"), (5, "dan"), (9, "dan"), (10, "shuang"), (26, "shuang")]
)
def test_6_houses_may_draw_the_lines_elsewhere(left: int, kou: str) -> None:
    """kou_cards says from how many cards on it is dan and shuang."""
    house = rules(POINTS, kou_cards=(5, 10))
    assert play(house, ["b", MANY[:left]], "0 b").kou == kou


@pytest.mark.parametrize("house", [BAIBIAN, ZEROSUM, TONGCHENG])
@pytest.mark.parametrize(
    ("hands", "actions", "places", "kou"),
    [
        (["3", "4 9", "5", "6 9"], ["0 3", "1 -", "2 5"], [1, 4, 2, 3], "shuang"),
        (["3", "4", "5", "6 9"], ["0 3", "1 4", "2 5"], [1, 2, 3, 4], "dan"),
        (["3", "4", "5 9", "6"], ["0 3", "1 4", "2 -", "3 6"], [1, 2, 4, 3], "ping"),
    ],
)
def test_6_four_players_by_the_places_of_the_winning_team(
    house: str, hands: list[str], actions: list[str], places: list[int], kou: str
) -> None:
    """Places 1 and 2 are 双扣, 1 and 3 单扣, 1 and 4 平扣."""
    seen = play(house, hands, *actions)
    assert (seen.places, seen.kou) == (places, kou)


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_6_the_winning_team_is_that_of_the_first_out(first: int) -> None:
    """Also where the other team is out together first: places 2 and 3 against 1 and 4."""
    hands = ["3", "4", "5 9", "6"]
    turned = [hands[(seat - first) % 4] for seat in range(4)]
    a, b, c, d = ((first + step) % 4 for step in range(4))
    seen = play(BAIBIAN, turned, f"{a} 3", f"{b} 4", f"{c} -", f"{d} 6", leader=first)
    assert (seen.winner, seen.kou) == (first, "ping")
