"""Games: from who sits where to a batch as a room's server would log it.

The cards are dealt and played by kernels; what the house pays is what the engine settles
(``shuangkou.replay``, ``shuangkou.settle``), from the very text that is logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics import compiled, shuangkou
from analytics.cards import FACES, HAND_SIZE, write_faces
from analytics.logs.batch import ABSENT, END_OUT, GameBatch, Recorded, TextColumn
from analytics.logs.strings import Strings
from analytics.rules import Rulebook
from analytics.rules.model import MAX_BALANCE
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.simulate import dealing
from analytics.simulate.pad import TRAITS, new_pad
from analytics.simulate.refusing import CannotSimulate
from analytics.simulate.scribe import MOST_ACTIONS, MOST_CHARS
from analytics.simulate.table import Courses, Tables, play_games

Int64s = npt.NDArray[np.int64]

FAMILY: Final = "shuangkou"
_SECOND: Final = 1_000_000  # in microseconds
_FACE_CHARS: Final = np.frombuffer(write_faces(range(FACES)).encode(), np.uint8).reshape(FACES, 2)
_SEMICOLON: Final = ord(";")


class Defect(Exception):
    """A game was played that the rules do not allow: a defect of the simulation."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """``n`` games that are about to be dealt, all of one number of seats.

    Attributes:
        seats: 2 or 4.
        dice: int64 ``(n,)``, see ``chance.dice_of``.
        deals: ``n`` ways of dealing.
        rules: the name of the ruleset, as logged.
        rules_ix: int64 ``(n,)``: which one that is.
        given: int64 ``(n,)``: the base that the log gives; ABSENT: the ruleset has it.
        start: int64 ``(n,)``: microseconds since 1970 in UTC.
        zone: offset of the room's clock in minutes.
        ids: ``n`` strings.
        labels: room, table, round and deal: each ``n`` strings.
        players: ``(n, seats)`` strings: who came; who sits where is decided by the shown card.
        balance: int64 ``(n, seats)``.
        traits: int64 ``(n, seats, TRAITS)``.
    """

    seats: int
    dice: Int64s
    deals: Sequence[dealing.Deal]
    rules: str
    rules_ix: Int64s
    given: Int64s
    start: Int64s
    zone: int
    ids: Sequence[str]
    labels: dict[str, Sequence[str]]
    players: npt.NDArray[Any]
    balance: Int64s
    traits: Int64s


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a sitting.

    Attributes:
        batch: the games as logged. ``content`` is left at 0: it is for readers.
        order: int64 ``(n, seats)``: which of those who came sits on each seat.
        after: int64 ``(n, seats)``: balances afterwards, by seat.
        end: int64 ``(n,)``: when each game ended, microseconds since 1970 in UTC.
    """

    batch: GameBatch
    order: Int64s
    after: Int64s
    end: Int64s


def play(sitting: Sitting, rulebook: Rulebook) -> Played:
    """Deals, plays and settles.

    Raises:
        Defect: a game does not replay without a finding, or is not settled.
        CannotSimulate: a balance passes clause 12.
    """
    n, seats = len(sitting.ids), sitting.seats
    dealt = dealing.deal(sitting.dice, list(sitting.deals), seats)
    order = np.asarray(dealt.order).reshape(n, seats)
    traits = np.take_along_axis(sitting.traits, order[:, :, None], 1)
    courses = _courses(sitting, dealt, traits, rulebook)
    batch = _logged(sitting, dealt, courses)
    facts = shuangkou.replay(batch, rulebook)
    if len(facts.findings):
        finding = shuangkou.describe(batch, facts.findings[0], facts, rulebook)
        raise Defect(f"a simulated game does not replay: {finding}")
    settled = shuangkou.settle(facts, batch, rulebook)
    batch = replace(
        batch,
        base=settled.games[:, S.X_BASE].copy(),
        recorded=_recorded(batch, facts, settled),
    )
    _check_paid(batch, settled)
    after = batch.recorded.balance.reshape(n, seats)
    return Played(batch, order, after, batch.end)


def _check_paid(batch: GameBatch, settled: shuangkou.Settled) -> None:
    """Whether every game is settled, and no balance is more than a log may hold.

    Raises:
        Defect: a game has no base, so that nothing is paid.
        CannotSimulate: the ruleset pays so much that a balance passes clause 12.
    """
    unpaid = np.flatnonzero(settled.seats[:, S.Y_DELTA] == S.NOTHING)
    if len(unpaid):
        raise Defect(f"a simulated game has no base: {_game_of(batch, unpaid[0])}")
    beyond = np.flatnonzero(np.abs(batch.recorded.balance) > MAX_BALANCE)
    if len(beyond):
        balance = int(batch.recorded.balance[beyond[0]])
        raise CannotSimulate(
            f"{_game_of(batch, beyond[0])} leaves a balance of {balance:,}, and a log holds "
            f"{MAX_BALANCE:,} at most (clause 12): the ruleset pays too much."
        )


def _game_of(batch: GameBatch, seat: int) -> str:
    """The id of the game that a row of seats belongs to."""
    return batch.id[int(np.searchsorted(batch.seats_at, seat, side="right")) - 1]


def _courses(sitting: Sitting, dealt: dealing.Dealt, traits: Int64s, rulebook: Rulebook) -> Courses:
    """Plays the games; text and times are as long as they need to be."""
    n = len(sitting.ids)
    assert traits.shape == (n, sitting.seats, TRAITS)
    tables = Tables(
        dice=sitting.dice,
        faces=dealt.faces,
        first=dealt.first,
        traits=np.ascontiguousarray(traits).ravel(),
        rules=rulebook.rows,
        rules_ix=sitting.rules_ix,
    )
    text = np.empty(n * MOST_CHARS, np.uint8)
    times = np.empty(n * MOST_ACTIONS, np.int64)
    text_at, times_at = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    courses = Courses(text, text_at, times, times_at)
    compiled.run(play_games, tables, D.new_desk(), new_pad(), courses)
    return courses._replace(text=text[: text_at[-1]].copy(), times=times[: times_at[-1]].copy())


def _logged(sitting: Sitting, dealt: dealing.Dealt, courses: Courses) -> GameBatch:
    """The games as columns; results are not there yet."""
    n, seats = len(sitting.ids), sitting.seats
    order = np.asarray(dealt.order).reshape(n, seats)
    times, times_at = np.asarray(courses.times), np.asarray(courses.times_at)
    took = times[times_at[1:] - 1] // 1000 + 1
    zones = np.full(n, sitting.zone, np.int16)
    ids = Strings.of(sitting.ids)
    return GameBatch(
        family=FAMILY,
        file="-",
        game_key=ids.hashes(),
        content=np.zeros(n, np.int64),
        path=np.zeros(n, np.int32),
        offset=np.arange(n),
        line=np.arange(1, n + 1),
        rules_ix=sitting.rules_ix.astype(np.int16),
        id=ids,
        rules=[sitting.rules] * n,
        start=sitting.start,
        start_zone=zones,
        end=sitting.start + took * _SECOND,
        end_zone=zones,
        first=np.asarray(dealt.first),
        base=sitting.given,
        shown=[write_faces([int(face)]) for face in np.asarray(dealt.shown).tolist()],
        seats_at=np.arange(n + 1) * seats,
        player=np.take_along_axis(sitting.players, order, 1).ravel().tolist(),
        balance=np.take_along_axis(sitting.balance, order, 1).ravel(),
        hands=_hands(np.asarray(dealt.faces).reshape(n, seats, HAND_SIZE)),
        actions=TextColumn(
            np.asarray(courses.text).tobytes(), np.asarray(courses.text_at), joined=True
        ),
        times=times,
        times_at=times_at,
        recorded=_nothing_recorded(n, n * seats),
        labels=sitting.labels,
    )


def _hands(faces: Int64s) -> TextColumn:
    """Hands as text joined by ``;``: all games take equally many bytes."""
    n, seats, cards = faces.shape
    chars = np.full((n, seats, 2 * cards + 1), _SEMICOLON, np.uint8)
    chars[:, :, :-1] = _FACE_CHARS[faces].reshape(n, seats, 2 * cards)
    joined = chars.reshape(n, -1)[:, :-1]  # none behind the last hand
    at = np.arange(n + 1) * joined.shape[1]
    return TextColumn(joined.tobytes(), at, joined=True)


def _nothing_recorded(games: int, seats: int) -> Recorded:
    per_seat = {
        name: np.full(seats, ABSENT, np.int64)
        for name in ("places", "xiang", "contribution", "delta", "fee", "balance")
    }
    return Recorded(
        end=np.zeros(games, np.int8),
        winner=np.full(games, ABSENT, np.int64),
        kou=np.full(games, -1, np.int8),
        doubling=np.full(games, ABSENT, np.int64),
        **per_seat,
    )


def _recorded(batch: GameBatch, facts: shuangkou.Facts, settled: shuangkou.Settled) -> Recorded:
    """What the house records: everything that the engine settles."""
    end = facts.games[:, D.G_END]
    seats_end = np.repeat(end, np.diff(batch.seats_at))
    places = facts.seats[:, D.S_PLACE]
    delta = settled.seats[:, S.Y_DELTA]
    has_places = (seats_end == END_OUT) & (places > 0)
    return Recorded(
        end=end.astype(np.int8),
        winner=facts.games[:, D.G_WINNER].copy(),
        kou=settled.games[:, S.X_KOU].astype(np.int8),
        doubling=settled.games[:, S.X_DOUBLING].copy(),
        places=np.where(has_places, places, ABSENT),
        xiang=settled.seats[:, S.Y_XIANG].copy(),
        contribution=settled.seats[:, S.Y_CONTRIBUTION].copy(),
        delta=delta.copy(),
        fee=settled.seats[:, S.Y_FEE].copy(),
        balance=batch.balance + delta,
    )
