"""Hands by rank: the card sets that a player can think of."""

from __future__ import annotations

import pytest

from analytics.cards import parse_faces
from analytics.shuangkou.melds import BOMB, CHAIN, NO_MELD, PAIR, PAIR_RUN, SINGLE, STRAIGHT
from analytics.simulate.hands import (
    Counts,
    bomb_sets,
    chain_sets,
    chosen,
    counts_of,
    equal_sets,
    every_chain,
    joker_sets,
    like_sets,
    read,
    readable,
    run_sets,
    without,
)
from tests.simulate.verification import row_of


def _counts(text: str) -> Counts:
    return counts_of(parse_faces(text))


def test_chosen_faces_are_those_of_the_card_set() -> None:
    """As many faces of each rank as are asked for, in the order of the hand."""
    hand = parse_faces("BJ7S7H3D7C")
    assert chosen(hand, _counts("7D7HBJ")) == tuple(parse_faces("BJ7S7H"))


def test_what_is_played_is_gone() -> None:
    """A hand without a card set has the other cards."""
    assert without(_counts("3S3H4D"), _counts("3D")) == _counts("3S4D")


def test_equal_cards_take_naturals_before_jokers() -> None:
    """A triple of sevens with two of them and a joker."""
    sets = list(equal_sets(_counts("7S7HBJ"), 3, row_of("huopin-points")))
    assert sets == [_counts("7S7HBJ")]


def test_a_joker_that_is_not_wild_completes_nothing() -> None:
    """With baibian the small joker goes with no natural card."""
    assert not list(equal_sets(_counts("7S7HSJ"), 3, row_of("baibian")))


def test_jokers_make_sets_of_their_own() -> None:
    """Three of two small and two big jokers: in two ways."""
    assert sorted(joker_sets(_counts("SJSJBJBJ"), 3)) == [_counts("SJBJBJ"), _counts("SJSJBJ")]


def test_a_run_is_filled_with_a_wild_joker() -> None:
    """5 6 8 9 and a joker are a straight of five, wherever it begins."""
    row = row_of("huopin-points")
    sets = set(run_sets(_counts("5S6S8S9SBJ"), 1, 5, row))
    assert _counts("5S6S8S9SBJ") in sets


@pytest.mark.parametrize(("rules", "chains"), [("huopin-points", 0), ("jiule", 1)])
def test_a_two_stands_in_cyclic_chains_only(rules: str, chains: int) -> None:
    """A-2-3 is a chain with jiule and none elsewhere."""
    hand = _counts("ASAHADAC2S2H2D2C3S3H3D3C")
    row = row_of(rules)
    found = [group for group in readable(chain_sets(hand, row), row) if group.meld.kind == CHAIN]
    assert len(found) == chains


def test_every_chain_has_every_size() -> None:
    """Fours, or up to as many as are held of each rank: 2 · 1 · 2 ways here."""
    hand = _counts("5S5H5D5C5S6S6H6D6C7S7H7D7C7S")
    assert len(list(every_chain(hand, 4, 3, row_of("huopin-points")))) == 4


def test_bombs_of_a_hand_are_found() -> None:
    """Four sevens, with and without the joker; three jokers would be another bomb."""
    row = row_of("huopin-points")
    found = {
        (g.meld.kind, g.meld.size) for g in readable(bomb_sets(_counts("7S7H7D7CBJ"), row), row)
    }
    assert found == {(BOMB, 4), (BOMB, 5)}


@pytest.mark.parametrize(
    ("table", "kind"),
    [("4S", SINGLE), ("4S4H", PAIR), ("3S4S5S6S7S", STRAIGHT), ("3S3H4S4H5S5H", PAIR_RUN)],
)
def test_answers_are_of_the_kind_and_size_of_the_table(table: str, kind: int) -> None:
    """What is tried against a meld that is no bomb is like it."""
    row = row_of("huopin-points")
    over = read(_counts(table), row)
    assert over is not None
    hand = _counts("4S5S6S7S8S9S4H5H6H7H8H9H")
    answers = list(readable(like_sets(hand, over.meld, row), row, over.meld))
    assert answers
    assert {(group.meld.kind, group.meld.size) for group in answers} == {(kind, over.meld.size)}


def test_cards_that_are_no_meld_are_no_group() -> None:
    """Two ranks make no pair, and a low single does not beat a high one."""
    row = row_of("huopin-points")
    assert read(_counts("3S4S"), row, NO_MELD) is None
    high = read(_counts("KS"), row)
    assert high is not None
    assert read(_counts("3S"), row, high.meld) is None
