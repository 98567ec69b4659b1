"""One game as a record, for people and tests; the engine works on ``GameBatch``."""

from __future__ import annotations

from msgspec import Struct


class Seat(Struct, frozen=True):
    """Who sat there.

    Attributes:
        player: opaque.
        balance: before the game, in the room's unit.
    """

    player: str
    balance: int


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the house recorded; None: not recorded. Tuples are in seat order.

    Attributes:
        end: "out" or "escape".
        winner: a seat.
        places: 1 to 4.
        kou: "ping", "dan" or "shuang".
        xiang: effective.
        doubling: a multiplier.
        contribution: net, in multiples of the base.
        delta, fee: in the room's unit.
        balance: after the game, in the room's unit.
    """

    end: str | None = None
    winner: int | None = None
    places: tuple[int, ...] | None = None
    kou: str | None = None
    xiang: tuple[int, ...] | None = None
    doubling: int | None = None
    contribution: tuple[int, ...] | None = None
    delta: tuple[int, ...] | None = None
    fee: tuple[int, ...] | None = None
    balance: tuple[int, ...] | None = None


class Game(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a log; the fields in the order of the log format. None: not logged.

    Attributes:
        start, end: RFC 3339 with an offset.
        times: milliseconds from start, one per action.
        seats, hands: in play order.
    """

    v: int
    game: str
    id: str
    rules: str
    room: str | None = None
    start: str | None = None
    end: str | None = None
    seats: tuple[Seat, ...]
    shown: str | None = None
    first: int
    base: int | None = None
    hands: tuple[str, ...]
    actions: tuple[str, ...]
    times: tuple[int, ...] | None = None
    result: Result | None = None
    table: str | None = None
    round: str | None = None
    deal: str | None = None
    arm: str | None = None
    client: str | None = None
