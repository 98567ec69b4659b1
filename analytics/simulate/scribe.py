"""The scribe: writes down what happens, in the words of the log, joined by ``;``.

Source: log format, section Actions.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import BIG_JOKER, FACES, NATURAL_RANKS, RANKS, SMALL_JOKER
from analytics.compiled import Ints, called_kernel, kernel
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.melds import NO_MELD, Meld, beats, strongest, wild_jokers
from analytics.simulate import pad as P

MOST_CHARS: Final = 16_384  # of a game's actions: they are far fewer
MOST_ACTIONS: Final = 2_048

_SEPARATOR: Final = ord(";")
_ZERO: Final = ord("0")
_BLANK: Final = ord(" ")
_DASH: Final = ord("-")
_STAR: Final = ord("*")
_EQUALS: Final = ord("=")


@called_kernel
def write_action(
    what: int, seat: int, starred: int, desk: Ints, pad: Ints, text: Ints, times: Ints
) -> None:
    """Writes an action.

    Args:
        what: ``notation.PASS`` .. ``ESCAPE``; of a play the desk has faces and ranks.
        seat: who acts.
        starred: 1 where the system acts.
        desk: the game as it stands.
        pad: says when it happens and where it is written.
        text, times: to be written.
    """
    _begin(seat, pad, text, times)
    if what == N.PASS:
        _put(_DASH, pad, text)
    elif what == N.PLAY:
        _write_faces(desk, pad, text)
    else:
        _write_word(N.word_of(what), pad, text)
    if starred != 0:
        _put(_STAR, pad, text)


@kernel
def _put(char: int, pad: Ints, text: Ints) -> None:
    text[pad[P.CHARS_AT]] = char
    pad[P.CHARS_AT] += 1


@kernel
def _begin(seat: int, pad: Ints, text: Ints, times: Ints) -> None:
    """The separator, the seat, and when it happens."""
    if pad[P.IS_BEGUN] != 0:
        _put(_SEPARATOR, pad, text)
    pad[P.IS_BEGUN] = 1
    _put(_ZERO + seat, pad, text)
    _put(_BLANK, pad, text)
    times[pad[P.TIMES_AT]] = pad[P.NOW]
    pad[P.TIMES_AT] += 1


@kernel
def _write_faces(desk: Ints, pad: Ints, text: Ints) -> None:
    """The faces, and what the wild jokers stand for where that is declared."""
    for at in range(desk[D.PLAYED]):
        face = desk[D.PLAYED_FACES + at]
        _put(pad[P.FACE_CHARS + 2 * face], pad, text)
        _put(pad[P.FACE_CHARS + 2 * face + 1], pad, text)
    if desk[D.FACES_NAMED] != 0:
        _put(_EQUALS, pad, text)
        for at in range(desk[D.NAMED_RANKS]):
            _put(pad[P.RANK_CHARS + desk[D.NAMED + at]], pad, text)


@kernel
def _write_word(word: int, pad: Ints, text: Ints) -> None:
    """A word of at most eight characters, packed into one int."""
    for place in range(7, -1, -1):
        char = (word >> (8 * place)) & 255
        if char != 0:
            _put(char, pad, text)


@called_kernel
def lay_out(seat: int, desk: Ints, pad: Ints) -> None:
    """Puts the faces of the chosen cards on the desk, low ranks first, jokers last."""
    played = 0
    for rank in range(RANKS):
        wanted = pad[P.SET + rank]
        pad[P.OUT + rank] += wanted
        first, faces = (4 * rank, 4) if rank < NATURAL_RANKS else (rank + 39, 1)
        for face in range(first, first + faces):
            copies = min(wanted, desk[D.FACES_HELD + seat * FACES + face])
            wanted -= copies
            for _ in range(copies):
                desk[D.PLAYED_FACES + played] = face
                played += 1
    desk[D.PLAYED] = played
    desk[D.FACES_NAMED] = 0
    desk[D.NAMED_RANKS] = 0


@called_kernel
def declare(over: Meld, desk: Ints, pad: Ints, row: Ints) -> Meld:
    """Declares that the wild jokers of a play stand for its lowest other reading, if it can.

    Of several cards of one rank they are that rank; in a run they fill what is missing.

    Returns:
        the meld that is declared; ``NO_MELD`` where nothing is.
    """
    cards, declared = pad[P.SET : P.SET + RANKS], pad[P.SCRATCH : P.SCRATCH + RANKS]
    low, high, naturals = NATURAL_RANKS, -1, 0
    for rank in range(NATURAL_RANKS):
        declared[rank] = cards[rank]
        naturals += cards[rank]
        if cards[rank] > 0:
            low, high = min(low, rank), rank
    declared[SMALL_JOKER], declared[BIG_JOKER] = 0, 0
    jokers = wild_jokers(cards, row)
    if naturals == 0 or jokers == 0 or jokers < cards[SMALL_JOKER] + cards[BIG_JOKER]:
        return NO_MELD
    for named in range(jokers):
        rank = _scarcest(declared, low, high)
        declared[rank] += 1
        desk[D.NAMED + named] = rank
    meld = strongest(declared, row, NO_MELD)
    if not beats(meld, over, row):
        return NO_MELD
    desk[D.FACES_NAMED] = 1
    desk[D.NAMED_RANKS] = jokers
    return meld


@kernel
def _scarcest(counts: Ints, low: int, high: int) -> int:
    """The rank from ``low`` to ``high`` with fewest cards."""
    scarcest = low
    for rank in range(low + 1, high + 1):
        if counts[rank] < counts[scarcest]:
            scarcest = rank
    return scarcest
