"""Rules clause 7: the effective xiang, from the bombs that a seat played."""

from __future__ import annotations

import pytest

from analytics.rules import Ruleset
from analytics.shuangkou import desk as D
from tests.rulebook.builder import BAIBIAN, JIULE, POINTS, WEALTH, play, rules

LINKED = rules(POINTS, unlinked=False)
UNLINKED = rules(POINTS, linked=False)
ALL = rules(POINTS, linked=False, unlinked_count="all")
NEITHER = rules(POINTS, linked=False, unlinked=False)


def effective(bombs: str, house: str | Ruleset = POINTS) -> int:
    """The xiang of a seat that plays these, one after the other, and is out."""
    *leads, last = bombs.split()
    actions = [action for cards in leads for action in (f"0 {cards}", "1 -")]
    seen = play(house, [bombs, "Q"], *actions, f"0 {last}")
    assert seen.found == []
    return seen.xiang[0]


def test_7_bombs_count_where_they_were_played() -> None:
    """Those still in the hand at the end do not."""
    held = play(POINTS, ["b", "9999 66666 3"], "0 b")
    assert held.xiang == [0, 0]
    one = play(POINTS, ["3 b", "9999 66666 3"], "0 3", "1 9999", "0 -", "1 3", "0 b")
    assert (one.found, one.xiang) == ([], [0, 4])


@pytest.mark.parametrize(
    ("bombs", "xiang"),
    [
        ("3333", 4),
        ("33333 9999 2", 5),
        ("99999999", 8),
        ("99999999ssbb", 12),
        ("3333 444455556666", 7),
        ("ssb 5555", 6),
        ("ssbb 5555", 7),
        ("34567 33", 0),
        ("2", 0),
    ],
)
def test_7_the_best_single_bomb(bombs: str, xiang: int) -> None:
    """A bomb, a chain or a joker bomb, whichever is highest; 0 without any."""
    assert effective(bombs, NEITHER) == xiang


def test_7_each_seat_has_its_own() -> None:
    """Also the loser, and each of four players."""
    seen = play(POINTS, ["4444 3", "55555 6"], "0 4444", "1 55555", "0 -", "1 6")
    assert seen.xiang == [4, 5]
    hands = ["3", "444444 7", "55555 6", "7777 9"]
    seen = play(BAIBIAN, hands, "3 7777", "0 -", "1 -", "2 55555", "3 -", "0 -", "1 444444",
                leader=3)  # fmt: skip
    assert seen.of_seats(D.S_BEST) == [0, 6, 5, 4]


# Linked bombs.


@pytest.mark.parametrize(
    ("bombs", "xiang"),
    [
        ("4444 5555", 5),
        ("5555 4444", 5),
        ("44444 55555", 6),
        ("444444 555555", 7),
        ("4444444 5555555", 8),
        ("44444444 55555555", 9),
        ("444b 5555", 5),
        ("3333 4444", 5),
        ("KKKK AAAA", 5),
        ("AAAA 2222", 4),  # 2 is in no run (decided)
        ("2222 3333", 4),
        ("4444 6666", 4),
        ("4444 4444", 4),
        ("4444 55555", 5),  # not of the same xiang
        ("44444 555555", 6),
        ("4444 5555 6666", 5),  # a third adds nothing
        ("4444 5555 9999 TTTT", 5),  # one pair only
        ("44444 55555 9999 TTTT", 6),  # the better pair
        ("4444 5555 9999999", 7),  # the best single bomb
        ("4444 5555 66666", 5),
    ],
)
def test_7_linked_bombs(bombs: str, xiang: int) -> None:
    """Two bombs of the same xiang X and adjacent ranks, played separately, are X + 1."""
    assert effective(bombs, LINKED) == xiang


def test_7_the_bonus_of_linked_bombs_is_a_setting() -> None:
    """Some houses give 2."""
    assert effective("4444 5555", rules(LINKED.name, linked_bonus=2)) == 6
    assert effective("4444 5555 6666", rules(LINKED.name, linked_bonus=2)) == 6


def test_7_chains_and_joker_bombs_are_not_linked() -> None:
    """Only bombs of one rank take part."""
    house = rules(POINTS, unlinked=False, chain_min=2)
    assert effective("33334444 55556666", house) == 6
    assert effective("333344445555 666677778888", LINKED) == 7
    assert effective("444444 ssb", LINKED) == 6
    assert effective("44444444 55556666 7777 3", rules(POINTS, unlinked=False, chain_min=2)) == 8


def test_7_bombs_of_two_seats_are_not_linked() -> None:
    """Each seat has its own bombs."""
    seen = play(LINKED, ["4444 3", "5555 6"], "0 4444", "1 5555", "0 -", "1 6")
    assert seen.xiang == [4, 4]


# Unlinked bombs.


@pytest.mark.parametrize(
    ("bombs", "xiang"),
    [
        ("3333 5555", 4),
        ("3333 5555 7777", 5),
        ("3333 5555 7777 9999", 6),
        ("3333 5555 7777 9999 JJJJ", 7),
        ("3333 5555 7777 9999 JJJJ KKKK", 8),
        ("33333 55555", 6),
        ("33333 55555 77777", 6),
        ("33333 55555 77777 99999", 6),
        ("3333 5555 77777", 5),  # 4相 and 5相 are never counted together
        ("3333 5555 7777 99999 JJJJJ", 6),
        ("3333 5555 777777", 6),  # exactly 4: the 6相 is no third
        ("333333 555555", 6),  # exactly 5: two 6相 are nothing
        ("3333 5555 777b", 5),
        ("3333 3333 5555", 5),  # equal ranks are not adjacent, both count
        ("44444 AAAAA 2222", 6),
        ("9999 AAAA 2222", 5),  # A and 2 are not adjacent
        ("3333 2222 9999", 5),
        ("2222 2222 9999", 5),
        ("AAAA AAAA 2222 2222", 6),
    ],
)
def test_7_unlinked_bombs(bombs: str, xiang: int) -> None:
    """Three 4相 are 5, four 6, five 7, six or more 8; two or more 5相 are 6."""
    assert effective(bombs, UNLINKED) == effective(bombs, ALL) == xiang


@pytest.mark.parametrize(
    ("bombs", "independent", "every"),
    [
        ("3333 4444 5555", 4, 5),
        ("3333 4444 5555 6666", 4, 6),
        ("3333 4444 5555 7777", 5, 6),  # 3, 5 and 7
        ("3333 4444 4444 5555", 4, 6),  # two: 3 and 5, or 4 and 4
        ("4444 4444 5555 7777", 5, 6),  # three: 4, 4 and 7
        ("QQQQ KKKK AAAA 2222", 5, 6),  # three: Q, A and 2
        ("KKKK AAAA 2222", 4, 5),
        ("3333 4444 6666 7777 9999 TTTT", 5, 8),
        ("3333 4444 5555 7777 8888 9999", 6, 8),
        ("33333 44444", 5, 6),
        ("33333 44444 55555", 6, 6),
    ],
)
def test_7_how_unlinked_bombs_are_counted(bombs: str, independent: int, every: int) -> None:
    """The largest pairwise non-adjacent set (decided), or every bomb of that xiang."""
    assert effective(bombs, UNLINKED) == independent
    assert effective(bombs, ALL) == every


def test_7_chains_and_joker_bombs_are_not_unlinked() -> None:
    """Only bombs of one rank are counted."""
    house = rules(POINTS, linked=False, chain_min=2)
    assert effective("33334444 6666 8888", house) == 6
    assert effective("3333 5555 ssb 7", UNLINKED) == 6
    assert effective("3333 5555 777788889999 ", UNLINKED) == 7


# The settings.


@pytest.mark.parametrize(
    ("bombs", "house", "xiang"),
    [
        ("4444 5555", POINTS, 5),
        ("4444 5555", WEALTH, 5),
        ("3333 5555 7777 9999", POINTS, 6),
        ("3333 5555 7777 9999", WEALTH, 6),
        ("3333 4444 5555 7777 9999", POINTS, 6),  # 3, 5, 7 and 9; linked would be 5
        ("4444 5555", JIULE, 4),
        ("3333 5555 7777 9999", JIULE, 4),
    ],
)
def test_7_the_presets(bombs: str, house: str, xiang: int) -> None:
    """S0's presets turn both on (unlinked: decided), the others off."""
    assert effective(bombs, house) == xiang


def test_7_both_are_off_with_four_players() -> None:
    """S1 knows neither."""
    hands = ["4444 5555 7777 9", "3", "6", "8"]
    passes = ("1 -", "2 -", "3 -")
    actions = ["0 4444", *passes, "0 5555", *passes, "0 7777", *passes, "0 9", *passes, "2 6"]
    seen = play(BAIBIAN, hands, *actions)
    assert (seen.found, seen.xiang) == ([], [4, 0, 0, 0])
