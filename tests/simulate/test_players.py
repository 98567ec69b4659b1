"""Players: always legal, and not without sense."""

from __future__ import annotations

from random import Random

import pytest

from analytics.cards import parse_faces
from analytics.shuangkou.melds import NO_MELD, Meld, beats, is_bomb
from analytics.simulate.deals import Blocks
from analytics.simulate.hands import Counts, counts_of, read, without
from analytics.simulate.planning import Taste
from analytics.simulate.players import Habits, Player, View
from tests.simulate.verification import row_of

KEEN = Habits(Taste("bomb", chains=True), boldness=1.0, patience=0.0, declares=0.0)
SHY = Habits(Taste("alone", chains=False), boldness=0.0, patience=0.0, declares=0.0)


def _counts(text: str) -> Counts:
    return counts_of(parse_faces(text))


def _player(hand: str, habits: Habits = SHY, rules: str = "baibian") -> Player:
    return Player(habits, _counts(hand), row_of(rules), Random(1))


def _meld(text: str) -> Meld:
    group = read(_counts(text), row_of("baibian"))
    assert group is not None
    return group.meld


@pytest.mark.parametrize("rules", ["huopin-points", "jiule", "baibian"])
@pytest.mark.parametrize("habits", [KEEN, SHY], ids=["keen", "shy"])
def test_what_a_player_chooses_is_legal(rules: str, habits: Habits) -> None:
    """It holds the cards, they are a meld, the meld beats the table, and leaders play."""
    rng, row = Random(4), row_of(rules)
    for _ in range(20):
        hands = Blocks(5, 10, 9).deal(rng, 2)
        player = Player(habits, counts_of(hands[0]), row, rng)
        other = Player(KEEN, counts_of(hands[1]), row, rng)
        over = NO_MELD
        while sum(player.hand) and sum(other.hand):
            group = player.choose(View(over, is_partners=False, fewest=sum(other.hand)))
            assert group is not None or over != NO_MELD
            if group:
                assert min(without(player.hand, group.cards)) >= 0
                assert beats(group.meld, over, row)
                assert read(group.cards, row, over) == group
                player.take(group.cards)
            over = group.meld if group else NO_MELD
            player, other = other, player


def test_a_player_goes_out_when_it_can() -> None:
    """The whole hand is played where it is one meld that will do."""
    group = _player("7S7H7D7C").choose(View(_meld("2S2H"), is_partners=False, fewest=20))
    assert group is not None
    assert sum(group.cards) == 4


def test_the_lowest_group_is_led() -> None:
    """The plan's lowest, not its bomb."""
    group = _player("4S4H9S9HKSKHKDKC").choose(View(NO_MELD, is_partners=False, fewest=20))
    assert group is not None
    assert group.cards == _counts("4S4H")


def test_no_low_single_is_led_to_an_opponent_with_one_card() -> None:
    """A wider group is led, or the highest single."""
    view = View(NO_MELD, is_partners=False, fewest=1)
    wide = _player("3S9S9HQS").choose(view)
    high = _player("3S9SQS").choose(view)
    assert wide is not None
    assert high is not None
    assert wide.cards == _counts("9S9H")
    assert high.cards == _counts("QS")


def test_a_partner_is_not_bombed() -> None:
    """However bold, a player leaves a partner's round alone."""
    view = View(_meld("2S"), is_partners=True, fewest=1)
    assert _player("3S7S7H7D7C", KEEN).choose(view) is None


def test_a_bold_player_bombs() -> None:
    """Against an opponent who is nearly out the bomb comes."""
    group = _player("3S7S7H7D7C", KEEN).choose(View(_meld("2S"), is_partners=False, fewest=1))
    assert group is not None
    assert is_bomb(group.meld.kind)


def test_a_broken_plan_is_made_anew() -> None:
    """After a single out of a pair the other card is a group of its own."""
    player = _player("5S5H9S")
    player.take(_counts("5S"))
    group = player.choose(View(NO_MELD, is_partners=False, fewest=20))
    assert group is not None
    assert group.cards == _counts("5H")
