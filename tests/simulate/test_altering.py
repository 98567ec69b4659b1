"""Altered logs: what is put in and left out is in its place."""

from __future__ import annotations

import msgspec
import pytest

from analytics.cards import parse_faces
from analytics.logs import Game
from analytics.simulate.altering import (
    faces_of,
    held_before,
    plays,
    recorded,
    renamed,
    result_of,
    with_action,
    with_balances,
)
from tests.simulate.small_games import two, without


@pytest.fixture
def game() -> Game:
    """The small game of two."""
    return msgspec.convert(two(), Game)


def test_times_stay_in_step_with_actions(game: Game) -> None:
    """What is put in happens at the time of what was there."""
    more = with_action(game, 3, "1 !timeout")
    fewer = with_action(game, 3, instead=1)
    assert (more.actions[3], more.actions[4]) == ("1 !timeout", game.actions[3])
    assert more.times is not None
    assert more.times[3] == more.times[4]
    assert len(fewer.times or ()) == len(fewer.actions) == len(game.actions) - 1


def test_an_action_can_follow_the_last(game: Game) -> None:
    """At the time of the last one."""
    longer = with_action(game, len(game.actions), "1 -")
    assert longer.actions[-1] == "1 -"
    assert longer.times is not None
    assert longer.times[-1] == longer.times[-2]


def test_a_hand_shrinks_as_it_is_played(game: Game) -> None:
    """Before the last action the winner holds one card."""
    last = len(game.actions) - 1
    assert len(held_before(game, 0, 0)) == 27
    assert held_before(game, last, 0) == tuple(parse_faces("AS"))


@pytest.mark.parametrize(
    ("action", "faces"),
    [("0 -", ""), ("0 -*", ""), ("0 !drop", ""), ("0 3S", "3S"), ("0 3SBJ=3*", "3SBJ")],
)
def test_faces_of_an_action(action: str, faces: str) -> None:
    """Passes and events have none; ranks and the star are no faces."""
    assert faces_of(action) == tuple(parse_faces(faces))


def test_only_own_undeclared_plays_are_taken(game: Game) -> None:
    """The declared triple is left out."""
    assert 15 not in [at for at, _, _ in plays(game)]


def test_a_renamed_game_shares_no_player(game: Game) -> None:
    """Id and players are new, balances are not."""
    other = renamed(game, "x")
    assert (other.id, [seat.player for seat in other.seats]) == ("x", ["x-0", "x-1"])
    assert [seat.balance for seat in other.seats] == [125_000, 99_000]


def test_parts_of_a_result_are_exchanged(game: Game) -> None:
    """The others stay."""
    other = recorded(with_balances(game, (1, 2)), kou="dan")
    assert result_of(other).kou == "dan"
    assert result_of(other).delta == (1600, -1600)
    assert [seat.balance for seat in other.seats] == [1, 2]


def test_a_game_without_a_result_has_none_to_alter() -> None:
    """That is said, not passed over."""
    bare = msgspec.convert(without(two(), "result"), Game)
    with pytest.raises(ValueError, match="no result"):
        result_of(bare)
