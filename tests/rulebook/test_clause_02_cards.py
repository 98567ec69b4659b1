"""Rules clause 2: the cards."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from analytics.cards import parse_faces, rank_of, write_faces
from tests.rulebook.builder import (
    BAIBIAN,
    DECK,
    NATURALS,
    POINTS,
    SUITS,
    Table,
    assert_equal,
    beats,
    book_of,
    faces,
    play,
    verify,
)


def _found(hands: list[str], **fields: Any) -> list[str]:
    """What is found in a game of two with these hands and no action."""
    log = Table(POINTS, ["3", "4"]).log(hands=hands, actions=[], first=0, **fields)
    return verify(log, book_of(POINTS)).found


def test_2_1_the_deck_is_two_packs_of_54_cards() -> None:
    """There are 54 faces, each twice, 108 cards in all."""
    copies = Counter(parse_faces("".join(DECK)))
    assert copies == dict.fromkeys(range(54), 2)
    assert copies.total() == 108


def test_2_1_no_face_is_dealt_three_times() -> None:
    """A face that three cards show cannot come from two packs."""
    rest = [face for face in DECK if face != "9S"]
    hands = ["".join(["9S", "9S", *rest[:25]]), "".join(["9S", *rest[25:51]])]
    assert _found(hands) == ["deal.copies"]
    hands[1] = "".join(rest[25:52])
    assert _found(hands) == ["play.unfinished"]


def test_2_1_suits_do_not_matter_for_play() -> None:
    """A straight of mixed suits is one of the same height as a straight of one suit."""
    assert_equal(POINTS, "3S4S5S6S7S", "3H4D5C6S7H")


def test_2_1_suits_tell_cards_apart() -> None:
    """A seat may play a face only if it holds that face, not another one of that rank."""
    table = Table(POINTS, ["3", "4"])
    held = next(face for face in table.hands[0] if face[0] == "3")
    for suit in SUITS:
        found = play(POINTS, ["3", "4"], f"0 3{suit}").found
        assert found == ([] if "3" + suit == held else ["play.held@0"])


def test_2_1_a_face_is_played_as_often_as_it_is_held() -> None:
    """Of one copy no two cards are played, in one play or in two."""
    assert play(POINTS, ["34", "5"], "0 3S3S").found == ["play.held@0"]
    assert play(POINTS, ["34", "5"], "0 3S", "1 -", "0 3S").found == ["play.held@2"]
    assert play(POINTS, ["3S3S4", "5"], "0 3S3S").at_actions == []


@pytest.mark.parametrize("pair", [*pairwise(NATURALS + "sb")], ids="<".join)
def test_2_2_ranks_from_low_to_high(pair: tuple[str, str]) -> None:
    """From 3 up to A, then 2, then 小王, then 大王."""
    low, high = pair
    assert beats(high, low)
    assert not beats(low, high)


def test_2_2_the_lowest_rank_is_3_and_the_highest_is_the_big_joker() -> None:
    """There are fifteen ranks from 3 to 大王."""
    assert [rank_of(face) for face in parse_faces(faces(NATURALS + "sb"))] == list(range(15))


def test_2_3_a_face_is_two_characters() -> None:
    """A rank and a suit of S H C D; the jokers are SJ and BJ."""
    written = [rank + suit for rank in NATURALS for suit in SUITS] + ["SJ", "BJ"]
    assert write_faces(range(54)) == "".join(written)
    assert parse_faces("".join(written)) == list(range(54))


@pytest.mark.parametrize("face", ["1S", "3X", "3s", "as", "sj", "TT", "S3", "BS", "SH", "3"])
def test_2_3_nothing_else_is_a_face(face: str) -> None:
    """What is no rank and suit, nor SJ or BJ, cannot be cut into faces."""
    assert _found(["".join(DECK[:26]) + face, "".join(DECK[54:81])]) == ["deal.face#0"]


@pytest.mark.parametrize("cards", [26, 28])
@pytest.mark.parametrize("seat", [0, 1])
def test_2_4_every_seat_is_dealt_27_cards(cards: int, seat: int) -> None:
    """One card fewer, or one more, is no deal."""
    hands = ["".join(DECK[:27]), "".join(DECK[54:81])]
    hands[seat] = "".join(DECK[54 * seat : 54 * seat + cards])
    assert _found(hands) == [f"deal.size#{seat}"]


def test_2_4_with_two_players_the_other_54_cards_are_unknown() -> None:
    """Any 54 of the 108 cards may be those in play, both packs or only one."""
    for deck in (DECK[:54], DECK[27:81], DECK[::2]):
        assert _found(["".join(deck[:27]), "".join(deck[27:])]) == ["play.unfinished"]


def test_2_4_with_four_players_all_cards_are_dealt() -> None:
    """Four hands of 27 are the 108 cards."""
    table = Table(BAIBIAN, ["3", "4", "5", "6"])
    assert Counter("".join(table.dealt)) == Counter("".join(DECK))
    assert table.seen().found == ["play.unfinished"]
