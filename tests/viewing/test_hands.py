"""When dealt cards leave the hands."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analytics.cards import parse_faces
from analytics.logs import batch_of
from analytics.rules import load_rulesets
from analytics.shuangkou.story import Story, held_after, tell
from analytics.viewing.hands import dealt_cards
from tests.games import fixture_game, fixture_games

PRESETS = load_rulesets()


def told(game: dict[str, Any]) -> Story:
    """The story of one game."""
    return tell(batch_of([game], PRESETS), 0, PRESETS)


@pytest.mark.parametrize("game", fixture_games()[::6], ids=lambda game: game["id"])
def test_what_is_not_gone_is_held(game: dict[str, Any]) -> None:
    """After every action the cards that are not gone are those that the seat holds."""
    story = told(game)
    cards = dealt_cards(story)
    for action in range(-1, len(story.steps)):
        for hand, held in zip(cards, held_after(story, action), strict=True):
            assert hand is not None
            left = [card.face for card in hand if card.gone is None or card.gone > action]
            assert tuple(left) == held


def test_the_log_says_when_cards_go() -> None:
    """Per seat, the cards that an action plays are those that are gone with it."""
    game = fixture_game("baibian")
    cards = dealt_cards(told(game))
    for action, text in enumerate(game["actions"]):
        seat, play = int(text[0]), text[2:].rstrip("*").partition("=")[0]
        if play[0] in "-!":
            continue
        gone = Counter(card.face for card in cards[seat] or () if card.gone == action)
        assert gone == Counter(parse_faces(play))


def test_after_a_break_nothing_is_played() -> None:
    """What the replay did not carry out leaves the cards in the hands."""
    game = fixture_game("jiule")
    game["actions"][3] = "0 -*" if game["actions"][3][0] == "1" else "1 -*"
    cards = dealt_cards(told(game))
    assert max(c.gone for hand in cards for c in hand or () if c.gone is not None) < 3


def test_a_hand_that_cannot_be_read_has_no_cards() -> None:
    """Where a face is none, the whole hand is None, and only that one."""
    game = fixture_game("jiule")
    game["hands"][1] = "10" + game["hands"][1][2:]
    first, second = dealt_cards(told(game))
    assert first is not None
    assert second is None
