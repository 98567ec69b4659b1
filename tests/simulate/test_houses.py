"""Houses: continuous balances, players in one place at a time, games that verify."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, pairwise
from random import Random

import pytest

from analytics.logs import Game
from analytics.simulate.houses import House, games_of
from analytics.simulate.results import with_result
from analytics.simulate.samples import HOUSES, lines_of
from tests.simulate.verification import presets, verified

GAMES = 25


def _games(house: House, seed: int = 11) -> list[Game]:
    return list(islice(games_of(house, presets(), Random(seed)), GAMES))


def _by_player(games: Sequence[Game]) -> dict[str, list[tuple[Game, int]]]:
    found: dict[str, list[tuple[Game, int]]] = {}
    for game in games:
        for seat, each in enumerate(game.seats):
            found.setdefault(each.player, []).append((game, seat))
    return found


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.rules)
def test_games_verify_without_a_finding(house: House, tmp_path) -> None:
    """What a house plays and pays is right."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(lines_of(_games(house)))
    summary, findings = verified([path])
    assert (summary.games, findings) == (GAMES, [])


@pytest.mark.parametrize("house", HOUSES[::3], ids=lambda house: house.rules)
def test_a_player_is_in_one_game_at_a_time(house: House) -> None:
    """His next game begins after the last one ended, with the balance that it left."""
    for games in _by_player(_games(house)).values():
        for (last, seat), (game, at) in pairwise(games):
            assert _moment(last.end) <= _moment(game.start)
            assert last.result is not None
            assert last.result.balance is not None
            assert last.result.balance[seat] == game.seats[at].balance


def _moment(text: str | None) -> datetime:
    assert text is not None
    return datetime.fromisoformat(text)


@pytest.mark.parametrize("house", HOUSES[::3], ids=lambda house: house.rules)
def test_games_come_in_order(house: House) -> None:
    """By start, each with its own id, rounds of a table counted from 1."""
    games = _games(house)
    starts = [_moment(game.start) for game in games]
    assert starts == sorted(starts)
    assert len({game.id for game in games}) == GAMES
    for table in {game.table for game in games}:
        rounds = [game.round for game in games if game.table == table]
        assert rounds == [str(number) for number in range(1, len(rounds) + 1)]


def test_who_sits_down_can_pay() -> None:
    """Nobody plays with less than the room asks for."""
    house = HOUSES[0]
    floors = {room.name: room.floor for room in house.rooms}
    for game in _games(house):
        assert game.room is not None
        assert min(seat.balance for seat in game.seats) >= floors[game.room]


def test_a_seed_means_one_history() -> None:
    """The same seed makes the same games, another seed others."""
    house = replace(HOUSES[2], opens=HOUSES[0].opens)
    assert _games(house, 1) == _games(house, 1)
    assert _games(house, 1) != _games(house, 2)


def test_a_broken_game_gets_no_result() -> None:
    """Whoever records a result has to have played by the rules."""
    game = _games(HOUSES[0])[0]
    broken = replace_actions(game, game.actions[:-1])
    with pytest.raises(ValueError, match="does not replay"):
        with_result(broken, presets())


def replace_actions(game: Game, actions: tuple[str, ...]) -> Game:
    """The game with other actions, and no times."""
    import msgspec

    return msgspec.structs.replace(game, actions=actions, times=None)
