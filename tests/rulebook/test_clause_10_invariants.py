"""Rules clause 10: what every replay keeps. Random games: tests/properties."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from analytics.cards import parse_faces
from analytics.ledger import balance_of
from analytics.logs import batch_of
from analytics.rules import Ruleset, load_rulesets
from analytics.verify import Verdict, describe, verify_batch
from tests.games import fixture_games
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    POINTS,
    TONGCHENG,
    WEALTH,
    ZEROSUM,
    Seen,
    Table,
    bomb,
    duel,
    flight,
    play,
    rules,
)

BOOK = load_rulesets()


def _cards(texts: list[str]) -> Counter[int]:
    return Counter(face for text in texts for face in parse_faces(text))


def test_10_played_and_left_are_dealt() -> None:
    """Face by face: who is out has played exactly the faces of his hand."""
    table = Table(POINTS, ["3333 2", "4 5"]).play("0 3333", "1 -", "0 2")
    seen = table.seen()
    for seat in range(2):
        played = _cards([a[2:] for a in table.actions if a[0] == str(seat) and a[2] != "-"])
        dealt = _cards([table.dealt[seat]])
        assert played <= dealt
        assert (dealt - played).total() == seen.left[seat]
    assert seen.left == [0, 2]


def test_10_no_face_is_played_that_is_gone() -> None:
    """The replay of a game breaks where a card would be played a second time."""
    assert play(POINTS, ["3S4", "5"], "0 3S", "1 -", "0 3S").found == ["play.held@2"]


@pytest.mark.parametrize("house", [POINTS, WEALTH, JIULE])
@pytest.mark.parametrize("settings", [{}, {"fee": 9}, {"fee": 9, "cap_at_balance": True}])
@pytest.mark.parametrize("game", [duel, flight])
def test_10_all_seats_and_the_system_add_up_to_zero(
    house: str, settings: dict[str, Any], game: Any
) -> None:
    """In every ruleset, however the game ended, and in the ledger as well."""
    seen: Seen = game(rules(house, **settings), **_bombs(game), balances=[700, 1300])
    assert seen.delta is not None
    assert seen.system is not None
    assert sum(seen.delta) + seen.system == 0
    assert balance_of(seen.verdict.postings, 1).tolist() == [0]


def _bombs(game: Any) -> dict[str, str]:
    names = ("winner", "loser") if game is duel else ("fleer", "other")
    return dict(zip(names, (bomb(8), "TTTTTT"), strict=True))


@pytest.mark.parametrize(
    ("house", "system"),
    [(BAIBIAN, -2), (ZEROSUM, 0), (TONGCHENG, -200), (rules(BAIBIAN, fee=3), 12 - 2)],
)
def test_10_the_system_carries_what_a_table_mints(house: str | Ruleset, system: int) -> None:
    """The printed ping row gives the seats 2 more than it takes from them."""
    seen = play(house, ["3", "4", "5 9", "6"], "0 3", "1 4", "2 -", "3 6")
    assert seen.delta is not None
    assert (seen.system, sum(seen.delta)) == (system, -system)


def _told(verdict: Verdict) -> dict[str, Any]:
    """By game: its findings, facts and settlement."""
    found: dict[str, Any] = {}
    for place, game in enumerate(verdict.batch.id):
        seats = slice(verdict.batch.seats_at[place], verdict.batch.seats_at[place + 1])
        found[game] = (
            verdict.facts.games[place].tolist(),
            verdict.facts.seats[seats].tolist(),
            verdict.settled.games[place].tolist(),
            verdict.settled.seats[seats].tolist(),
        )
    for row in range(len(verdict.findings)):
        finding = describe(verdict, row, BOOK)
        found[finding.game or ""] += (finding.code, finding.recorded, finding.recomputed)
    return found


def test_10_the_order_of_games_does_not_matter() -> None:
    """A game's verdict is its own, whatever stands before it."""
    games = fixture_games()
    forward = verify_batch(batch_of(games, BOOK), BOOK)
    backward = verify_batch(batch_of(games[::-1], BOOK), BOOK)
    assert _told(forward) == _told(backward)


def test_10_the_same_input_gives_the_same_columns() -> None:
    """Twice the same batch, twice the same bytes."""
    batch = batch_of(fixture_games(), BOOK)
    first, second = verify_batch(batch, BOOK), verify_batch(batch, BOOK)
    for name in ("games", "seats", "bombs", "findings"):
        assert np.array_equal(getattr(first.facts, name), getattr(second.facts, name))
    assert first.findings.tobytes() == second.findings.tobytes()
    assert first.settled.items.tobytes() == second.settled.items.tobytes()
