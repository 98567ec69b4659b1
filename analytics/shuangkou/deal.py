"""Dealing: a game's hands onto the desk, and whether the deal was right.

Source: rules clauses 2 and 5.2; log format, section Findings, ``deal.*``.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import (
    COPIES,
    FACES,
    HAND_SIZE,
    NATURAL_RANKS,
    RANKS,
    SMALL_JOKER,
    SMALL_JOKER_FACE,
    suit_of,
)
from analytics.compiled import Ints, kernel
from analytics.findings import Code
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.desk import Logs
from analytics.shuangkou.melds import MIN_BOMB
from analytics.shuangkou.sheets import add_finding

# Details of findings.
HAND: Final = 0  # deal.face: a hand
SHOWN: Final = 1  # deal.face: the shown card
SEATS: Final = 0  # deal.size: number of seats
HANDS: Final = 1  # deal.size: number of hands
CARDS: Final = 2  # deal.size: number of cards

_DEAL_FACE: Final = int(Code.DEAL_FACE)
_DEAL_SIZE: Final = int(Code.DEAL_SIZE)
_DEAL_COPIES: Final = int(Code.DEAL_COPIES)
_DEAL_SHOWN: Final = int(Code.DEAL_SHOWN)
_DEAL_PARTNER: Final = int(Code.DEAL_PARTNER)
_PLAY_LEAD: Final = int(Code.PLAY_LEAD)


@kernel
def partner_of(seat: int, seats: int) -> int:
    """The seat opposite (clause 5.2): the partner of four, the seat itself of two.

    >>> [partner_of(seat, 4) for seat in range(4)], partner_of(1, 2)
    ([2, 3, 0, 1], 1)
    """
    return (seat + 2) % seats


@kernel
def judge_deal(game: int, logs: Logs, desk: Ints, findings: Ints, row: Ints) -> int:
    """Deals the hands and judges them; returns the code of the first fault, or 0."""
    seats = row[R.SEATS]
    hands, bad = _deal(game, logs, desk)
    if bad >= 0:
        return add_finding(desk, findings, game, _DEAL_FACE, -1, bad, 0, 0, HAND)
    if logs.shown[game] == D.BAD_FACE:
        return add_finding(desk, findings, game, _DEAL_FACE, -1, -1, 0, 0, SHOWN)
    logged = logs.seats_at[game + 1] - logs.seats_at[game]
    if logged != seats:
        return add_finding(desk, findings, game, _DEAL_SIZE, -1, -1, logged, seats, SEATS)
    if hands != seats:
        return add_finding(desk, findings, game, _DEAL_SIZE, -1, -1, hands, seats, HANDS)
    for seat in range(seats):
        held = desk[D.LEFT + seat]
        if held != HAND_SIZE:
            return add_finding(desk, findings, game, _DEAL_SIZE, -1, seat, held, HAND_SIZE, CARDS)
    for face in range(FACES):
        dealt = _copies(desk, face)
        if dealt > COPIES:
            return add_finding(desk, findings, game, _DEAL_COPIES, -1, -1, dealt, COPIES, face)
    _note_dealt(desk, seats)
    if logs.shown[game] == D.NOT_SHOWN:
        return 0
    return _judge_shown(game, logs.shown[game], logs.first[game], desk, findings, row)


@kernel
def _deal(game: int, logs: Logs, desk: Ints) -> tuple[int, int]:
    """Scans all hands; returns how many there are and the first bad one, or -1.

    Only as many hands as the desk has seats are kept: more is a fault by itself.
    """
    text, joined, end = logs.hands, logs.hands_joined, logs.hands_at[game + 1]
    hands, bad = 0, -1
    at = N.first_string(text, logs.hands_at[game], end, joined)
    while at <= end:
        stop = N.string_stop(text, at, end, joined)
        dealt = N.scan_hand(text, at, stop, desk, min(hands, D.MAX_SEATS - 1))
        if dealt < 0 and bad < 0:
            bad = hands
        if hands < D.MAX_SEATS:
            desk[D.LEFT + hands] = dealt
        hands += 1
        at = N.next_string(text, stop, end, joined)
    return hands, bad


@kernel
def _copies(desk: Ints, face: int) -> int:
    """How often a face was dealt."""
    dealt = 0
    for seat in range(D.MAX_SEATS):
        dealt += desk[D.FACES_HELD + seat * FACES + face]
    return dealt


@kernel
def _note_dealt(desk: Ints, seats: int) -> None:
    """Facts of the deal, per seat: ranks dealt four times or more, jokers, suits, repeats."""
    for seat in range(seats):
        facts = D.SEAT_FACTS + seat * D.SEAT_WIDTH
        held = D.RANKS_HELD + seat * RANKS
        faces = D.FACES_HELD + seat * FACES
        for rank in range(NATURAL_RANKS):
            desk[facts + D.S_RANK_BOMBS] += int(desk[held + rank] >= MIN_BOMB)
        for joker in range(SMALL_JOKER, RANKS):
            desk[facts + D.S_JOKERS] += desk[held + joker]
        for face in range(FACES):
            desk[facts + D.S_REPEATED] += int(desk[faces + face] == COPIES)
            if face < SMALL_JOKER_FACE:
                desk[facts + D.S_SPADES + suit_of(face)] += desk[faces + face]


@kernel
def _judge_shown(game: int, face: int, first: int, desk: Ints, findings: Ints, row: Ints) -> int:
    """Clause 5.2: who holds the shown card leads, and its holders are partners."""
    holder, other = -1, -1
    for seat in range(row[R.SEATS]):
        if desk[D.FACES_HELD + seat * FACES + face] > 0:
            other = holder
            holder = seat
    if holder < 0:
        return add_finding(desk, findings, game, _DEAL_SHOWN, -1, -1, 0, 0, 0)
    if row[R.LEAD_SHOWN] == 0:
        return 0
    if row[R.SEATS] == 4 and other >= 0 and partner_of(holder, row[R.SEATS]) != other:
        return add_finding(desk, findings, game, _DEAL_PARTNER, -1, -1, other, holder, 0)
    if desk[D.FACES_HELD + first * FACES + face] == 0:
        lead = other if other >= 0 else holder
        return add_finding(desk, findings, game, _PLAY_LEAD, -1, first, first, lead, 0)
    return 0
