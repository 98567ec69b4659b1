"""The pad: what the players of the game at hand are like, and what they work with.

One flat int64 array beside the desk (``analytics.shuangkou.desk``), for the same reason:
a kernel that takes few arrays is called faster. This module gives the positions.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from analytics.cards import FACES, RANKS, write_faces

Int64s = npt.NDArray[np.int64]

# What a player is like: the columns of ``Tables.traits``, one row a seat.
T_POLICY: Final = 0  # TRUSTEE, GREEDY or CAREFUL
T_SKILL: Final = 1  # 0..100
T_TIMEOUT: Final = 2  # in a million turns: the time runs out
T_LEAVE: Final = 3  # in a million turns: hands over or is disconnected
T_FLEES: Final = 4  # the turn from which it escapes if it is behind; -1: it stays
T_DECLARES: Final = 5  # percent of its plays with wild jokers say what these stand for
T_JOINS: Final = 6  # 1: its wild jokers are joined to its largest bomb
TRAITS: Final = 7

TRUSTEE: Final = 0  # the smallest play, clause 5.1
GREEDY: Final = 1  # gets rid of cards
CAREFUL: Final = 2  # keeps its hand together, and its bombs for when they count
POLICIES: Final = ("trustee", "greedy", "careful")

# Positions on the pad.
GAME: Final = 0  # which of the dice
NOW: Final = 1  # milliseconds since the game began
CHARS_AT: Final = 2  # where the next character is written
TIMES_AT: Final = 3  # where the next time is written
BEST: Final = 7  # score of the best play so far
BEST_WIDTH: Final = 8  # that play
BEST_LENGTH: Final = 9
BEST_TOP: Final = 10
IS_BEGUN: Final = 11  # the game has an action already
TURNS: Final = 12  # per seat: turns it had
PLAYERS: Final = 16  # per seat: a row of traits
OUT: Final = PLAYERS + 4 * TRAITS  # cards of each rank that were played, by anybody
KEPT: Final = OUT + RANKS  # the hand without its bombs
SET: Final = KEPT + RANKS  # the cards that are to be played
REST: Final = SET + RANKS  # what a play would leave
SCRATCH: Final = REST + RANKS  # for searches through a hand
FACE_CHARS: Final = SCRATCH + RANKS  # two characters of each face
RANK_CHARS: Final = FACE_CHARS + 2 * FACES  # one character of each natural rank
PAD: Final = RANK_CHARS + RANKS  # its length


def new_pad() -> Int64s:
    """An empty pad."""
    pad = np.zeros(PAD, np.int64)
    pad[FACE_CHARS:RANK_CHARS] = list(write_faces(range(FACES)).encode())
    pad[RANK_CHARS : RANK_CHARS + RANKS - 2] = list(b"3456789TJQKA2")
    return pad
