"""Rules clause 5.1: the trustee's smallest play and the auto-pass, where bombs are chains."""

from __future__ import annotations

import pytest

from analytics.rules import Ruleset
from tests.rulebook.builder import JIULE, POINTS, play, rules

NO_EQUALS = rules(POINTS, irregular_equal=False)
NOT_SMALLEST = ["auto.play@1"]


def _starred(house: str | Ruleset, over: str, hand: str, cards: str) -> list[str]:
    """The findings where the system plays ``cards`` (or ``-``) from a hand over ``over``."""
    return play(house, [over + "3", hand], f"0 {over}", f"1 {cards}*").at_actions


# Under most-groups (S4): more ranks, then more cards, then the rank of the largest group.


@pytest.mark.parametrize(
    ("over", "hand", "smallest", "others"),
    [
        # A chain of the next xiang, and no card more than it needs.
        ("777777", "3333 4444 5555 9", "333344445555", []),
        ("777777", "3333 44444 5555 9", "333344445555", ["3333444445555"]),
        ("777777", "3333 4444 5555 s 9", "333344445555", ["333344445555s"]),
        # Of two regular chains the one that ends lower.
        ("777777", "3333 4444 5555 6666", "333344445555", ["444455556666", "3333444455556666"]),
        ("333344445555", "4444 5555 6666 7777", "444455556666", ["555566667777"]),
        # A bomb beats a chain of its xiang, so a chain is the lower one.
        ("222222", "3333 4444 5555 9999999", "333344445555", ["9999999"]),
        ("333344445555", "9999999 6", "9999999", []),
        ("222222", "333 444 555 ssbb", "ssbb", ["333444555ssb"]),
        # Lower in rank, a chain beats with more cards: with one more, not with two.
        ("666677778888", "3333 44444 5555", "3333444445555", []),
        ("666677778888", "3333 44444 55555", "3333444445555", ["3333444455555", "33334444455555"]),
        ("666677778888", "33333 4444 55555", "3333344445555", ["3333444455555"]),
        # With the card more where it makes the chain higher; else with two.
        ("66666 7777 8888", "55555 666 7777 sb", "5555 666 7777 sb", ["55555 666 7777 sb"]),
        ("55555 6666 7777", "33333 44444 555 s", "33333 44444 555 s", []),
        # The joker goes to the highest rank: a natural card more of a lower one is lower.
        ("666677778888", "3333 4444 5555 s", "333344445555s", []),
        ("666677778888", "33333 4444 5555 s", "3333344445555", ["333344445555s"]),
        ("666677778888", "3333 44444 555 ss", "333344444555s", ["33334444555ss"]),
        ("666677778888", "333 44444 5555 b 2", "33344444 5555 b", []),
        # More ranks beat fewer of the same xiang.
        ("444445555566666", "33 7777 8888 9999 TTTT", "777788889999TTTT", []),
        # Of the second largest groups as well the lower one.
        ("66666677778888", "33333 444444 55555", "333334444445555", ["333344444455555"]),
    ],
)
def test_5_1_the_lowest_bomb_under_most_groups(
    over: str, hand: str, smallest: str, others: list[str]
) -> None:
    """The chain that beats, and that beats no other bomb at hand that would do."""
    assert _starred(JIULE, over, hand, smallest) == []
    for other in others:
        assert _starred(JIULE, over, hand, other) == NOT_SMALLEST


@pytest.mark.parametrize(
    ("over", "hand", "can_beat"),
    [
        ("333344445555", "666666", False),
        ("333344445555", "6666666", True),
        ("7777777", "3333 4444 5555", False),
        ("666677778888", "3333 4444 5555", False),
        ("666677778888", "33333 4444 5555", True),
        ("666677778888", "3333 4444 5555 b", True),
        ("3333444455556666", "77777 88888 99999", False),
        ("777778888899999", "3333 4444 5555 6666", True),
        ("66666 7777 8888", "55555 666 7777 s", False),
        ("66666 7777 8888", "55555 666 7777 sb", True),
        ("QQQQKKKKAAAA", "KKKK AAAA 2222", True),
        ("QQQQKKKKAAAA", "AAAA 2222 3333", False),
        ("AAAA22223333", "2222 333 4444 b", True),
    ],
)
def test_5_1_auto_pass_under_most_groups(over: str, hand: str, can_beat: bool) -> None:
    """The system passes when no chain at hand has more ranks, cards or rank."""
    assert _starred(JIULE, over, hand, "-") == (["auto.pass@1"] if can_beat else [])


# Under fewest-cards (S0): more cards are lower.


@pytest.mark.parametrize(
    ("over", "hand", "smallest", "others"),
    [
        # Every group could be larger; one has to stay as it is, or the xiang rises.
        ("222222", "55555 66666 77777", "55555666667777", ["555566667777", "555556666677777"]),
        ("222222", "55555 66666 77777", "55556666677777", []),
        ("222222", "55555 666666 7777777", "5555666666 7777777", ["555556666677777"]),
        # Jokers are cards as well, as many as fit without raising the xiang.
        ("222222", "5555 6666 7777 s", "555566667777s", ["555566667777"]),
        ("222222", "5555 6666 7777 ssbb", "555566667777ss", ["555566667777", "555566667777ssb"]),
        # Over a chain of its xiang a chain has no more cards than that.
        ("3333444455555", "6666 7777 8888 9999", "666677778888", ["777788889999"]),
        ("333344445555", "6666 7777 8888 9999 TTTTTTT", "666677778888", ["777788889999"]),
    ],
)
def test_5_1_the_lowest_chain_under_fewest_cards(
    over: str, hand: str, smallest: str, others: list[str]
) -> None:
    """Of chains of the same xiang the one with most cards, then the lowest top."""
    assert _starred(NO_EQUALS, over, hand, smallest) == []
    for other in others:
        assert _starred(NO_EQUALS, over, hand, other) == NOT_SMALLEST


@pytest.mark.parametrize(
    ("over", "hand", "can_beat"),
    [
        ("666677778888", "3333 4444 5555", False),
        ("333344445555", "6666 7777 8888", True),
        ("333344445555", "6666 77777 8888", True),
        ("3333444455555", "66666 77777 8888", True),
        ("3333444455555", "66666 7777 888 s", True),
        ("7777777", "3333 4444 5555", False),
    ],
)
def test_5_1_auto_pass_under_fewest_cards(over: str, hand: str, can_beat: bool) -> None:
    """The system passes when no chain at hand has fewer cards or a higher top."""
    assert _starred(POINTS, over, hand, "-") == (["auto.pass@1"] if can_beat else [])


def test_5_1_a_longer_chain_that_is_equal_to_the_play_is_no_lower_one() -> None:
    """With four jokers as T both are irregular, of five ranks and 9相: equal (clause 4)."""
    over, hand = "22222222", "JJJJ QQQQ KKKKK AAAAA ssbb"
    for cards in ("JJJJ QQQQ KKKKK AAAA ssbb", hand):
        assert _starred(POINTS, over, hand, cards) == []
    assert _starred(NO_EQUALS, over, hand, hand) == []
    assert _starred(NO_EQUALS, over, hand, "JJJJ QQQQ KKKKK AAAA ssbb") == NOT_SMALLEST


def test_5_1_a_play_is_as_low_as_its_strongest_reading() -> None:
    """Four jokers would make a third rank and 7相; the cards count as two ranks and 8相."""
    house = rules(JIULE, chain_min=2, four_jokers="highest")
    over, hand = "222222", "55555 6666 ssbb"
    assert _starred(house, over, hand, "55555 6666 s") == []
    for cards in ("5555 6666 ssbb", "55555 6666 ssbb", "55555sb", "ssbb"):
        assert _starred(house, over, hand, cards) == NOT_SMALLEST


def test_5_1_the_lowest_chain_where_irregular_ones_are_none() -> None:
    """All groups have the size of the smallest one, so no card more makes it lower (S1)."""
    house = rules(POINTS, chain_irregular=False)
    over, hand = "222222", "55555 66666 77777"
    assert _starred(house, over, hand, "5555 6666 7777") == []
    assert _starred(house, over, hand, "55555 66666 77777") == NOT_SMALLEST
    assert _starred(house, over, hand, "5555 66666 7777") == ["play.meld@1"]
