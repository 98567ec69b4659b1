"""Writing down what happens in a game: findings, bombs, actions, facts."""

from __future__ import annotations

from analytics.cards import BIG_JOKER, RANKS, SMALL_JOKER
from analytics.compiled import Ints, called_kernel, kernel
from analytics.findings import (
    F_ACTION,
    F_CODE,
    F_DETAIL,
    F_GAME,
    F_RECOMPUTED,
    F_RECORDED,
    F_SEAT,
    FINDING_WIDTH,
)
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.desk import Sheets
from analytics.shuangkou.melds import NO_KIND, Meld
from analytics.shuangkou.signature import write_signature


@called_kernel
def add_finding(
    desk: Ints, findings: Ints, game: int, code: int, action: int, seat: int,
    recorded: int, recomputed: int, detail: int,
) -> int:  # fmt: skip
    """Writes a finding down; returns its code."""
    at = desk[D.FINDINGS_WRITTEN] * FINDING_WIDTH
    desk[D.FINDINGS_WRITTEN] += 1
    findings[at + F_GAME] = game
    findings[at + F_CODE] = code
    findings[at + F_ACTION] = action
    findings[at + F_SEAT] = seat
    findings[at + F_RECORDED] = recorded
    findings[at + F_RECOMPUTED] = recomputed
    findings[at + F_DETAIL] = detail
    return code


@kernel
def note_bomb(seat: int, meld: Meld, desk: Ints) -> None:
    """Notes a bomb among those of the game; it leads the round now."""
    bomb = desk[D.BOMB_COUNT]
    desk[D.BOMB_COUNT] = bomb + 1
    desk[D.LAST_BOMB] = bomb
    at = D.BOMBS + bomb * D.BOMB_WIDTH
    desk[at + D.B_GAME] = desk[D.GAME]
    desk[at + D.B_SEAT] = seat
    desk[at + D.B_ACTION] = desk[D.ACTION]
    desk[at + D.B_KIND] = meld.kind
    desk[at + D.B_XIANG] = meld.xiang
    desk[at + D.B_CARDS] = meld.size
    desk[at + D.B_GROUPS] = meld.groups
    desk[at + D.B_TOP] = meld.top
    desk[at + D.B_JOKERS] = desk[D.COUNTS + SMALL_JOKER] + desk[D.COUNTS + BIG_JOKER]
    desk[at + D.B_BEATEN] = 0


@kernel
def count_seat(desk: Ints, seat: int, column: int) -> None:
    """Adds one to a fact ``S_*`` of a seat."""
    desk[D.SEAT_FACTS + seat * D.SEAT_WIDTH + column] += 1


@called_kernel
def note_choice(over: Meld, played: Meld, desk: Ints, choices: Ints) -> None:
    """Notes the turn at hand, before it is carried out, for ``choices.judge_choices``.

    Args:
        over: the meld on the table.
        played: what is played, ``NO_MELD`` for a pass.
        desk: where the hand lies.
        choices: ``Sheets.choices``.
    """
    at = desk[D.CHOICES_WRITTEN] * D.CHOICE_WIDTH
    desk[D.CHOICES_WRITTEN] += 1
    seat = desk[D.SEAT]
    choices[at + D.C_GAME] = desk[D.GAME]
    choices[at + D.C_ACTION] = desk[D.ACTION]
    choices[at + D.C_SEAT] = seat
    choices[at + D.C_STARRED] = desk[D.STARRED]
    put_meld(over, choices, at + D.C_OVER)
    put_meld(played, choices, at + D.C_PLAYED)
    for rank in range(RANKS):
        choices[at + D.C_HAND + rank] = desk[D.RANKS_HELD + seat * RANKS + rank]


@kernel
def put_meld(meld: Meld, flat: Ints, at: int) -> None:
    """Writes a meld into six places of an array."""
    flat[at] = meld.kind
    flat[at + 1] = meld.size
    flat[at + 2] = meld.top
    flat[at + 3] = meld.xiang
    flat[at + 4] = meld.groups
    flat[at + 5] = meld.strength


@kernel
def meld_at(flat: Ints, at: int) -> Meld:
    """The meld in six places of an array, as ``put_meld`` writes it."""
    return Meld(flat[at], flat[at + 1], flat[at + 2], flat[at + 3], flat[at + 4], flat[at + 5])


@kernel
def pack(meld: Meld) -> int:
    """A meld as one int, for the detail of a finding."""
    return (
        meld.kind + (meld.size << 8) + ((meld.top + 1) << 16)
        + (meld.xiang << 24) + (meld.groups << 32)
    )  # fmt: skip


@called_kernel
def write_play(what: int, desk: Ints, plays: Ints) -> None:
    """Writes the action at hand down, once it is carried out."""
    at = desk[D.PLAYS_WRITTEN] * D.PLAY_WIDTH
    desk[D.PLAYS_WRITTEN] += 1
    is_turn = what == N.PASS or what == N.PLAY
    plays[at + D.P_GAME] = desk[D.GAME]
    plays[at + D.P_ACTION] = desk[D.ACTION]
    plays[at + D.P_SEAT] = desk[D.SEAT]
    plays[at + D.P_WHAT] = what
    plays[at + D.P_STARRED] = desk[D.STARRED] if is_turn else 0
    plays[at + D.P_DECLARED] = desk[D.FACES_NAMED] if what == N.PLAY else 0
    plays[at + D.P_TURN] = desk[D.TURN] if desk[D.ENDED] == 0 else -1
    plays[at + D.P_TABLE] = int(desk[D.TABLE] != NO_KIND)
    for field in range(5):  # kind, size, top, xiang, groups: what was played lies on the table
        plays[at + D.P_KIND + field] = desk[D.TABLE + field] if what == N.PLAY else 0


@called_kernel
def write_game(
    game: int, first_seat: int, seats: int, winner: int, error: int, desk: Ints, sheets: Sheets
) -> None:
    """Writes the facts of a game whose replay is over, for better or worse."""
    facts = sheets.games[game]
    facts[D.G_ERROR] = error
    facts[D.G_ACTIONS] = desk[D.ACTION] + 1
    facts[D.G_PLIES] = desk[D.PLIES]
    facts[D.G_FLEER] = desk[D.FLEER]
    facts[D.G_END] = desk[D.ENDED] if error == 0 else 0
    facts[D.G_WINNER] = winner if error == 0 else -1
    for seat in range(min(seats, D.MAX_SEATS)):
        _write_seat(seat, desk, sheets.seats[first_seat + seat])
    _write_bombs(desk, sheets.bombs)


@kernel
def _write_seat(seat: int, desk: Ints, facts: Ints) -> None:
    noted = D.SEAT_FACTS + seat * D.SEAT_WIDTH
    desk[noted + D.S_LEFT] = desk[D.LEFT + seat]
    desk[noted + D.S_PLACE] = desk[D.PLACE + seat]
    write_signature(seat, desk)
    for column in range(D.SEAT_WIDTH):
        facts[column] = desk[noted + column]


@kernel
def _write_bombs(desk: Ints, bombs: Ints) -> None:
    first = desk[D.BOMBS_WRITTEN] * D.BOMB_WIDTH
    desk[D.BOMBS_WRITTEN] += desk[D.BOMB_COUNT]
    for at in range(desk[D.BOMB_COUNT] * D.BOMB_WIDTH):
        bombs[first + at] = desk[D.BOMBS + at]
