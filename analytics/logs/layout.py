"""Where the columns of a batch lie while it is being filled.

The reading kernel and the explaining path fill the same arrays, row by row:

- ``games`` int64 ``(games + 1, GAME)``: one row a game;
- ``seats`` int64 ``(seats + 1, SEAT)``: one row a seat;
- ``text`` uint8 ``(TEXTS, width)``: one row a text column, its bytes one after the other;
- ``times`` int64: milliseconds, one after the other.

Fields named ``..._AT`` hold where the entries of a game (or seat) begin, so that row
``n`` also says where the next one is written. Nothing counts until the game is
whole: only then ``n`` moves on. Kernels see each array flat.
"""

from __future__ import annotations

from typing import Final

# Rows of ``text``. Up to CLIENT each is also the number of the word in the log.
ID: Final = 0
RULES: Final = 1
SHOWN: Final = 2
ROOM: Final = 3
TABLE: Final = 4
ROUND: Final = 5
DEAL: Final = 6
ARM: Final = 7
CLIENT: Final = 8
HANDS: Final = 9
ACTIONS: Final = 10
PLAYER: Final = 11
TEXTS: Final = 12
LABEL_ROWS: Final = (ROOM, TABLE, ROUND, DEAL, ARM, CLIENT)  # as ``batch.LABELS``

# Fields of ``games``: from 0 on where the texts of each game begin (all but PLAYER) ...
SEATS_AT: Final = 11
TIMES_AT: Final = 12
# ... then its values, as in ``GameBatch``.
PRESENT: Final = 13  # bit t: text row t is there; bit t + LISTED: as a JSON list
LINE: Final = 14
OFFSET: Final = 15
RULES_IX: Final = 16
START: Final = 17
START_ZONE: Final = 18
END: Final = 19
END_ZONE: Final = 20
FIRST: Final = 21
BASE: Final = 22
RECORDED_END: Final = 23
WINNER: Final = 24
KOU: Final = 25
DOUBLING: Final = 26
GAME: Final = 27

LISTED: Final = 16  # HANDS and ACTIONS are joined by ";" unless that would lose something

# Fields of ``seats``.
PLAYER_AT: Final = 0
BALANCE: Final = 1
PLACES: Final = 2
XIANG: Final = 3
CONTRIBUTION: Final = 4
DELTA: Final = 5
FEE: Final = 6
AFTER: Final = 7  # the recorded balance
SEAT: Final = 8

MOST_SEATS: Final = 8  # of one game in the reading kernel; room for as many is always kept
