"""Recorded games as they are altered: actions put in, left out or exchanged.

Everything here reads the log as text, as somebody who mends or forges a log would, and
asks neither replay nor settlement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from analytics.cards import parse_faces
from analytics.logs import Game, Result, Seat

Faces = tuple[int, ...]


def result_of(game: Game) -> Any:
    """What the house recorded.

    Raises:
        ValueError: it recorded nothing.
    """
    if game.result is None:
        raise ValueError(f"{game.id} has no result")
    return game.result


def renamed(game: Game, name: str) -> Game:
    """The game under another id, with players who play no other game."""
    seats = tuple(Seat(f"{name}-{at}", seat.balance) for at, seat in enumerate(game.seats))
    return replace(game, id=name, seats=seats)


def recorded(game: Game, **parts: Any) -> Game:
    """The game with other parts of the result."""
    result: Result = replace(result_of(game), **parts)
    return replace(game, result=result)


def with_balances(game: Game, balances: tuple[int, ...]) -> Game:
    """The game with other balances before it."""
    pairs = zip(game.seats, balances, strict=True)
    return replace(game, seats=tuple(Seat(seat.player, balance) for seat, balance in pairs))


def with_action(game: Game, at: int, *texts: str, instead: int = 0) -> Game:
    """The game with actions put in at a place, at its time, instead of so many others."""
    actions = (*game.actions[:at], *texts, *game.actions[at + instead :])
    if game.times is None:
        return replace(game, actions=actions)
    time = game.times[min(at, len(game.times) - 1)]
    times = (*game.times[:at], *(time for _ in texts), *game.times[at + instead :])
    return replace(game, actions=actions, times=times)


def plays(game: Game) -> Iterator[tuple[int, int, Faces]]:
    """Index, seat and faces of every play that declares nothing and is the player's own."""
    for at, text in enumerate(game.actions):
        if text[2] not in "-!" and text[-1] != "*" and "=" not in text:
            yield at, seat_of(text), tuple(parse_faces(text[2:]))


def seat_of(action: str) -> int:
    """The seat that an action begins with."""
    return int(action[0])


def faces_of(action: str) -> Faces:
    """The faces of an action; none of a pass or an event."""
    if action[2] in "-!":
        return ()
    return tuple(parse_faces(action[2:].partition("=")[0].rstrip("*")))


def held_before(game: Game, at: int, seat: int) -> Faces:
    """What a seat holds before an action, in the order in which it was dealt."""
    held = parse_faces(game.hands[seat])
    for action in game.actions[:at]:
        if seat_of(action) == seat:
            for face in faces_of(action):
                held.remove(face)
    return tuple(held)
