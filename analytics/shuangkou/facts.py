"""Facts: what was played, as columns; they depend on ``[play]`` only.

``Facts`` is what replay makes, ``Settled`` what a ruleset makes of it. Child tables
(bombs, plays) name their game by its row in the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from analytics import cards, compiled
from analytics.findings import FINDING_WIDTH, in_order
from analytics.logs.batch import GameBatch
from analytics.logs.strings import MaybeStrings
from analytics.rules import Rulebook
from analytics.shuangkou import comparison as C
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.choices import judge_choices
from analytics.shuangkou.replaying import replay_games

Int64s = npt.NDArray[np.int64]

_SHORTEST: Final = 4  # an action: "0 -", and what separates it from the next
# Games that are replayed before their choices are judged: these then lie in fast memory, and
# in memory that was used before, which is not cleared again by the system.
_AT_ONCE: Final = 512


@dataclass(frozen=True, slots=True)
class Facts:
    """What was played, as written by the replay.

    Attributes:
        games: int64 ``(n, GAME_WIDTH)``; columns ``desk.G_*``.
        seats: int64 ``(k, SEAT_WIDTH)``; columns ``desk.S_*``.
        bombs: int64 ``(b, BOMB_WIDTH)``; columns ``desk.B_*``.
        plays: int64 ``(p, PLAY_WIDTH)``; columns ``desk.P_*``; empty unless asked for.
        findings: int64 ``(f, FINDING_WIDTH)``; columns ``findings.F_*``.
    """

    games: Int64s
    seats: Int64s
    bombs: Int64s
    plays: Int64s
    findings: Int64s


@dataclass(frozen=True, slots=True)
class Settled:
    """What the games are worth under their rulesets.

    Attributes:
        games: int64 ``(n, BOOK_GAME_WIDTH)``; columns ``settlement.X_*``.
        seats: int64 ``(k, BOOK_SEAT_WIDTH)``; columns ``settlement.Y_*``.
        items: int64 ``(k, ITEMS)``: per seat, what it gets for each item.
        system: int64 ``(n, ITEMS)``: likewise the system account.
    """

    games: Int64s
    seats: Int64s
    items: Int64s
    system: Int64s


def replay(
    batch: GameBatch,
    rulebook: Rulebook,
    *,
    with_plays: bool = False,
    with_declined: bool = False,
) -> Facts:
    """Replays the games of a batch.

    Args:
        batch: games of this family.
        rulebook: what ``batch.rules_ix`` refers to.
        with_plays: whether to write down every action (for showing games).
        with_declined: whether to count passes though the hand could beat (else 0).
    """
    games, seats = len(batch), len(batch.player)
    actions = len(batch.actions.buffer) // _SHORTEST + games
    of_games = np.zeros((games, D.GAME_WIDTH), np.int64)
    of_seats = np.zeros((seats, D.SEAT_WIDTH), np.int64)
    bombs = np.empty(games * D.MAX_BOMBS * D.BOMB_WIDTH, np.int64)
    findings = np.empty((actions + games) * FINDING_WIDTH, np.int64)
    plays = np.empty(actions * D.PLAY_WIDTH if with_plays else 0, np.int64)
    starts = range(0, games, _AT_ONCE)
    most = max((_most_actions(batch, start) for start in starts), default=0)
    choices = np.empty(most * D.CHOICE_WIDTH, np.int64)
    sheets = D.Sheets(of_games, of_seats, bombs, findings, plays, choices)
    desk = D.new_desk()
    desk[D.WATCHED] = with_declined
    logs = _logs(batch, rulebook)
    for start in starts:
        compiled.run(replay_games, logs, start, min(start + _AT_ONCE, games), desk, sheets)
        if desk[D.CHOICES_WRITTEN] > 0:
            compiled.run(judge_choices, logs, desk, sheets)
    return Facts(
        games=of_games,
        seats=of_seats,
        bombs=_written(bombs, desk[D.BOMBS_WRITTEN], D.BOMB_WIDTH),
        plays=_written(plays, desk[D.PLAYS_WRITTEN], D.PLAY_WIDTH),
        findings=in_order(_written(findings, desk[D.FINDINGS_WRITTEN], FINDING_WIDTH)),
    )


def _most_actions(batch: GameBatch, start: int) -> int:
    """The most actions that the games from ``start`` on can have that are replayed together."""
    ends = batch.actions.at[[start, min(start + _AT_ONCE, len(batch))]]
    return int(ends[1] - ends[0]) // _SHORTEST + _AT_ONCE


def settle(facts: Facts, batch: GameBatch, rulebook: Rulebook) -> Settled:
    """Settles the games of a batch from their facts."""
    games, seats = len(batch), len(batch.player)
    settled = Settled(
        games=np.zeros((games, S.BOOK_GAME_WIDTH), np.int64),
        seats=np.zeros((seats, S.BOOK_SEAT_WIDTH), np.int64),
        items=np.zeros((seats, S.ITEMS), np.int64),
        system=np.zeros((games, S.ITEMS), np.int64),
    )
    compiled.run(S.settle_games, _played(facts, batch, rulebook), _books(settled))
    return settled


def compare(batch: GameBatch, facts: Facts, settled: Settled, rulebook: Rulebook) -> Int64s:
    """What the house recorded otherwise: int64 ``(f, FINDING_WIDTH)``, columns ``findings.F_*``."""
    most = C.MOST_A_GAME * len(batch) + C.MOST_A_SEAT * len(batch.player)
    findings = np.empty(most * FINDING_WIDTH, np.int64)
    desk = np.zeros(D.GAME_STATE, np.int64)  # it counts the findings
    played = _played(facts, batch, rulebook)
    books = _books(settled)
    compiled.run(C.compare_games, _house(batch), played, books, desk, findings)
    return _written(findings, desk[D.FINDINGS_WRITTEN], FINDING_WIDTH)


def _written(flat: Int64s, rows: int, width: int) -> Int64s:
    """The rows written, as a copy, so that the unused room is given back."""
    return flat[: int(rows) * width].reshape(-1, width).copy()


def _logs(batch: GameBatch, rulebook: Rulebook) -> D.Logs:
    return D.Logs(
        hands=batch.hands.buffer,
        hands_at=batch.hands.at,
        hands_joined=batch.hands.joined,
        actions=batch.actions.buffer,
        actions_at=batch.actions.at,
        actions_joined=batch.actions.joined,
        rules=rulebook.rows,
        rules_ix=batch.rules_ix,
        seats_at=batch.seats_at,
        first=batch.first,
        shown=_shown_faces(batch.shown),
    )


def _shown_faces(texts: Sequence[str | None]) -> npt.NDArray[np.int16]:
    """The shown cards as faces, ``NOT_SHOWN`` or ``BAD_FACE``: int16 ``(n,)``."""
    column = texts if isinstance(texts, MaybeStrings) else MaybeStrings.of(texts)
    at = column.strings.at
    is_face = np.diff(at) == 2  # two characters write a face (clause 2)
    chars = np.frombuffer(column.strings.buffer + b"  ", np.uint8)
    table = np.array(cards.FACE_TABLE)
    places = np.where(is_face, at[:-1], len(chars) - 2)
    faces = table[chars[places]] + table[256 + chars[places + 1].astype(np.int64)]
    is_face &= (faces >= 0) & (faces < cards.FACES)
    shown = np.where(is_face, faces, D.BAD_FACE)
    return np.where(column.absent, D.NOT_SHOWN, shown).astype(np.int16)


def _played(facts: Facts, batch: GameBatch, rulebook: Rulebook) -> S.Played:
    return S.Played(
        games=facts.games,
        seats=facts.seats,
        seats_at=batch.seats_at,
        balance=batch.balance,
        given=batch.base,
        rules=rulebook.rows,
        rules_ix=batch.rules_ix,
    )


def _books(settled: Settled) -> S.Books:
    return S.Books(settled.games, settled.seats, settled.items, settled.system)


def _house(batch: GameBatch) -> C.House:
    recorded = batch.recorded
    return C.House(
        end=recorded.end,
        kou=recorded.kou,
        winner=recorded.winner,
        doubling=recorded.doubling,
        base=batch.base,
        places=recorded.places,
        xiang=recorded.xiang,
        contribution=recorded.contribution,
        delta=recorded.delta,
        fee=recorded.fee,
        balance=recorded.balance,
    )
