"""What a page says of a game: the same words for text and for HTML."""

from __future__ import annotations

from typing import Any

import pytest

from analytics.cards import parse_faces
from analytics.logs import batch_of
from analytics.rules import load_rulesets
from analytics.shuangkou.formula import work_out
from analytics.shuangkou.story import Note, tell
from analytics.viewing import phrases
from analytics.viewing.words import PageWords
from analytics.wording import Words
from tests.games import fixture_game

PRESETS = load_rulesets()
ENGLISH = PageWords(Words("en"))


def said(game: dict[str, Any], words: PageWords = ENGLISH) -> str:
    """The verdict on one game."""
    batch = batch_of([game], PRESETS)
    return phrases.verdict_text(tell(batch, 0, PRESETS), work_out(batch, 0, PRESETS), words)


def test_cards_stand_by_rank_with_their_suits() -> None:
    """Each rank once, a ten in two figures, jokers as themselves; all in ASCII where asked."""
    faces = parse_faces("TS4HTDBJ4S")
    assert ENGLISH.cards(faces) == "4♠♥ 10♠♦ 大王"
    assert PageWords(Words("en"), is_ascii=True).cards(faces) == "4SH 10SD BJ"


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (Note("out", 2, 1), "seat 2 is out of cards, place 1"),
        (Note("out", 0, None), "seat 0 is out of cards"),
        (Note("timeout", 1, 3), "timeout 3 of seat 1"),
        (Note("round_end", 3), "–– the round ends, seat 3 leads"),
    ],
)
def test_a_note_is_a_phrase(note: Note, text: str) -> None:
    """What happened with an action, with its seat and number."""
    assert phrases.note_text(note, ENGLISH) == text


def test_a_right_game_is_said_to_be_right() -> None:
    """And one that has no result is right as far as it goes."""
    game = fixture_game("jiule")
    assert said(game) == "The game verifies: what was recorded is right."
    del game["result"]
    assert said(game) == "The game verifies as far as it goes: no result was recorded."


def test_a_wrong_game_is_named_by_its_first_wrong_term() -> None:
    """The doubling before the gains that follow from it."""
    game = fixture_game("jiule")
    doubling = game["result"]["doubling"]
    game["result"]["doubling"] = doubling + 7
    game["result"]["delta"] = [delta * 2 for delta in game["result"]["delta"]]
    assert f"The first wrong term is doubling b: recorded {doubling + 7}, by the rules " in said(
        game
    )


def test_what_is_recorded_says_how_much_more_it_is() -> None:
    """Of amounts, with a sign; of a doubling nothing is added."""
    game = fixture_game("jiule")
    game["result"]["delta"][0] += 25
    game["result"]["doubling"] += 1
    formula = work_out(batch_of([game], PRESETS), 0, PRESETS)
    assert formula is not None
    texts = [phrases.recorded_text(line, ENGLISH) for line in formula.differing]
    assert any(text.endswith("(+25)") for text in texts)
    assert str(game["result"]["doubling"]) in texts


def test_facts_leave_out_what_is_not_logged() -> None:
    """Ruleset, file and who leads are always there; the room only where it is logged."""
    game = fixture_game("jiule")
    game.pop("room", None)
    head = tell(batch_of([game], PRESETS), 0, PRESETS).head
    facts = phrases.facts_of(head, ENGLISH)
    assert "room" not in facts
    assert facts["rules"].startswith("jiule@1, hash ")
    assert facts["shown"].endswith(f"seat {game['first']} leads")
