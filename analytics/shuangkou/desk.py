"""What the replay kernels work on: the logs, the desk and the sheets, by position.

The *desk* is one flat int64 array that holds the state of the game being replayed; a
kernel that takes one array is called far faster than one that takes a dozen. The
*sheets* are what is written down. This module gives their positions; it holds no
behaviour.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.cards import FACE_TABLE, FACES, RANKS
from analytics.compiled import Ints, Rows

Int64s = npt.NDArray[np.int64]

MAX_SEATS: Final = 4  # clause 11: 2 or 4 seats
MAX_PLAYED: Final = 28  # one more than any hand holds (clause 2)
MAX_NAMED: Final = 4  # there are four jokers (clause 2)


class Logs(NamedTuple):
    """What is replayed: the columns of a ``GameBatch`` that the game needs, and rules.

    Attributes:
        hands, hands_at, hands_joined: text, offsets, whether joined by ``;``.
        actions, actions_at, actions_joined: likewise.
        rules: int64 ``(rulesets, WIDTH)``.
        rules_ix: int16 ``(n,)``.
        seats_at: int64 ``(n + 1,)``.
        first: int64 ``(n,)``.
        shown: int16 ``(n,)``: the shown face, ``NOT_SHOWN`` or ``BAD_FACE``.
    """

    hands: bytes
    hands_at: Ints
    hands_joined: bool
    actions: bytes
    actions_at: Ints
    actions_joined: bool
    rules: Rows
    rules_ix: Ints
    seats_at: Ints
    first: Ints
    shown: Ints


NOT_SHOWN: Final = -1
BAD_FACE: Final = -2


class Sheets(NamedTuple):
    """What is written down: facts, one row each.

    Attributes:
        games: int64 ``(n, GAME_WIDTH)``.
        seats: int64 ``(k, SEAT_WIDTH)``.
        bombs: int64, flat, ``BOMB_WIDTH`` a bomb.
        findings: int64, flat, ``findings.FINDING_WIDTH`` a finding.
        plays: int64, flat, ``PLAY_WIDTH`` an action; empty: actions are not written.
        choices: int64, flat, ``CHOICE_WIDTH`` a turn whose choice is to be judged.
    """

    games: Rows
    seats: Rows
    bombs: Ints
    findings: Ints
    plays: Ints
    choices: Ints


# Positions in a row of Sheets.games.
G_ERROR: Final = 0  # code of the finding that ended the replay, or 0
G_END: Final = 1  # END_OUT or END_ESCAPE, 0 where the replay broke
G_WINNER: Final = 2  # seat, or -1
G_FLEER: Final = 3  # seat, or -1
G_ACTIONS: Final = 4  # actions judged
G_PLIES: Final = 5  # plays and passes judged
GAME_WIDTH: Final = 6

# Positions in a row of Sheets.seats.
S_LEFT: Final = 0  # cards left
S_PLACE: Final = 1  # 1..4 with four seats, else 0
S_PLAYED: Final = 2  # has played a card
S_TIMEOUTS: Final = 3
S_SYSTEM_TURNS: Final = 4  # plays and passes with "*"
S_PASSES: Final = 5
S_RANK_BOMBS: Final = 6  # ranks dealt four times or more
S_JOKERS: Final = 7  # jokers dealt
S_SPADES: Final = 8  # natural cards dealt of each suit, in the order of their numbers
S_HEARTS: Final = 9
S_CLUBS: Final = 10
S_DIAMONDS: Final = 11
S_REPEATED: Final = 12  # faces dealt twice to the seat
S_DECLINED: Final = 13  # unstarred passes though the hand could beat; counted when watched
S_BEST: Final = 14  # highest xiang of a bomb played, or 0
S_LINKED: Final = 15  # highest X of two linked bombs, or 0
S_FOURS: Final = 16  # bombs of exactly 4
S_FIVES: Final = 17
S_FOURS_APART: Final = 18  # the largest pairwise non-adjacent set of them
S_FIVES_APART: Final = 19
S_BOMBS: Final = 20  # MAX_XIANG of them: number of bombs of each xiang
SEAT_WIDTH: Final = S_BOMBS + 32

# Positions in a row of Sheets.bombs.
B_GAME: Final = 0
B_SEAT: Final = 1
B_ACTION: Final = 2
B_KIND: Final = 3
B_XIANG: Final = 4
B_CARDS: Final = 5
B_GROUPS: Final = 6
B_TOP: Final = 7
B_JOKERS: Final = 8
B_BEATEN: Final = 9
BOMB_WIDTH: Final = 10
MAX_BOMBS: Final = 9 * MAX_SEATS  # 27 cards make nine bombs at most: three jokers is the least

# Positions in a row of Sheets.plays.
P_GAME: Final = 0
P_ACTION: Final = 1
P_SEAT: Final = 2
P_WHAT: Final = 3
P_STARRED: Final = 4
P_KIND: Final = 5
P_SIZE: Final = 6
P_TOP: Final = 7
P_XIANG: Final = 8
P_GROUPS: Final = 9
P_DECLARED: Final = 10
P_TURN: Final = 11  # whose turn it is afterwards, or -1
P_TABLE: Final = 12  # 1 where a meld lies on the table afterwards
PLAY_WIDTH: Final = 13

# Positions in a row of Sheets.choices: a turn that was taken, and what it was taken upon.
C_GAME: Final = 0
C_ACTION: Final = 1
C_SEAT: Final = 2
C_STARRED: Final = 3  # the system took it; else it is a pass of the player's own
C_OVER: Final = 4  # six: the meld on the table
C_PLAYED: Final = 10  # six: the play as it is read undeclared; NO_KIND: a pass
C_HAND: Final = 16  # cards of each rank held before it
CHOICE_WIDTH: Final = C_HAND + RANKS

# Positions on the desk. The first four count rows written since the batch began.
BOMBS_WRITTEN: Final = 0
FINDINGS_WRITTEN: Final = 1
PLAYS_WRITTEN: Final = 2
CHOICES_WRITTEN: Final = 3
GAME_STATE: Final = 4  # from here on: the game at hand
GAME: Final = 4  # its row in the batch
ACTION: Final = 5  # index of the action at hand
SEAT: Final = 6  # who acts
STARRED: Final = 7  # the action carries "*"
PLAYED: Final = 8  # number of faces of the play
NAMED_RANKS: Final = 9  # number of ranks it declares
FACES_NAMED: Final = 10  # it carries "="
TURN: Final = 11  # whose turn it is
AUTHOR: Final = 12  # who played what is on the table
PASSES: Final = 13  # since the last play
SEATS_OUT: Final = 14
LAST_OUT: Final = 15
ENDED: Final = 16  # 0, END_OUT or END_ESCAPE
FLEER: Final = 17  # the seat that escaped, or -1
LAST_BOMB: Final = 18  # the bomb that leads the round, or -1
BOMB_COUNT: Final = 19  # bombs of the game so far
PLIES: Final = 20  # plays and passes so far
TABLE: Final = 21  # six: the meld on the table
LEFT: Final = 27  # per seat: cards held
PLACE: Final = 31  # per seat: 1 for the first out, and so on; 0 while it plays
TIMEOUTS: Final = 35  # per seat: since it last returned
PENDING: Final = 39  # per seat: 1 where its turn timed out and it has not acted since
TRUSTEE: Final = 43  # per seat: 1 while the system plays for it
FACES_HELD: Final = 47  # per seat, 54 each: copies of each face held
RANKS_HELD: Final = FACES_HELD + MAX_SEATS * FACES  # per seat, 15 each: cards of each rank
SEAT_FACTS: Final = RANKS_HELD + MAX_SEATS * RANKS  # per seat: a row of Sheets.seats
GAME_STATE_END: Final = SEAT_FACTS + MAX_SEATS * SEAT_WIDTH  # cleared up to here
BOMBS: Final = GAME_STATE_END  # rows of Sheets.bombs: those of the game
PLAYED_FACES: Final = BOMBS + MAX_BOMBS * BOMB_WIDTH  # faces of the action at hand
NAMED: Final = PLAYED_FACES + MAX_PLAYED  # ranks that it declares
COUNTS: Final = NAMED + MAX_NAMED  # its cards per rank
DECLARED: Final = COUNTS + RANKS  # the same with wild jokers as declared
LOW: Final = DECLARED + RANKS  # its lowest and highest natural rank, and natural cards
HIGH: Final = LOW + 1
NATURAL: Final = LOW + 2
SCRATCH: Final = LOW + 3  # for searches through a hand
CHARS: Final = SCRATCH + RANKS  # cards.FACE_TABLE, which the scan looks up
WATCHED: Final = CHARS + len(FACE_TABLE)  # 1 where declined passes are counted
DESK: Final = WATCHED + 1  # its length


def new_desk() -> Int64s:
    """An empty desk."""
    desk = np.zeros(DESK, np.int64)
    desk[CHARS:WATCHED] = FACE_TABLE
    return desk
