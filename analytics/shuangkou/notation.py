"""The action grammar: cutting a game's text into hands and actions.

Kernels over bytes. A list of strings comes either joined by ``;`` or as a JSON
array (``analytics.logs.batch.TextColumn``). Source: log format, section Actions.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import FACES, RANKS, face_of_chars, rank_of, rank_of_char
from analytics.compiled import Ints, kernel
from analytics.shuangkou import desk as D

Bytes = bytes | Ints

# What an action does; NONSENSE is finding play.syntax.
NONSENSE: Final = 0
PASS: Final = 1  # "-"
PLAY: Final = 2  # faces
TIMEOUT: Final = 3  # "!timeout"
TRUSTEE: Final = 4  # "!trustee"
RETURN: Final = 5  # "!return"
DROP: Final = 6  # "!drop"
ESCAPE: Final = 7  # "!escape"
WHAT_NAMES: Final = (
    None, "pass", "play", "timeout", "trustee", "return", "drop", "escape",
)  # fmt: skip

_QUOTE: Final = ord('"')
_BACKSLASH: Final = ord("\\")
_SEMICOLON: Final = ord(";")
_BLANK: Final = ord(" ")
_ZERO: Final = ord("0")
_DASH: Final = ord("-")
_STAR: Final = ord("*")
_EQUALS: Final = ord("=")
_BANG: Final = ord("!")

# Words of at most eight bytes, packed into one int.
_TIMEOUT: Final = int.from_bytes(b"!timeout", "big")
_TRUSTEE: Final = int.from_bytes(b"!trustee", "big")
_RETURN: Final = int.from_bytes(b"!return", "big")
_DROP: Final = int.from_bytes(b"!drop", "big")
_ESCAPE: Final = int.from_bytes(b"!escape", "big")


@kernel
def first_string(text: Bytes, at: int, end: int, joined: bool) -> int:
    """Where the first string of ``text[at:end]`` begins; beyond ``end`` if there is none."""
    if joined:
        return at if at < end else end + 1
    return next_string(text, at - 1, end, joined)


@kernel
def next_string(text: Bytes, stop: int, end: int, joined: bool) -> int:
    """Where the string after the one that stops at ``stop`` begins; beyond ``end`` if none."""
    at = stop + 1
    if joined:
        return at
    while at < end and text[at] != _QUOTE:
        at += 1
    return at + 1 if at < end else end + 1


@kernel
def string_stop(text: Bytes, at: int, end: int, joined: bool) -> int:
    """Where the string that begins at ``at`` stops."""
    if joined:
        while at < end and text[at] != _SEMICOLON:
            at += 1
        return at
    while at < end and text[at] != _QUOTE:
        at += 2 if text[at] == _BACKSLASH else 1
    return min(at, end)


@kernel
def scan_hand(text: Bytes, at: int, stop: int, desk: Ints, seat: int) -> int:
    """Deals the faces of ``text[at:stop]`` to a seat; blanks between faces are allowed.

    Returns:
        the number of faces, or -1 where the text cannot be cut into faces.
    """
    table = desk[D.CHARS : D.WATCHED]
    dealt = 0
    while at < stop:
        if text[at] == _BLANK:
            at += 1
            continue
        face = face_of_chars(text[at], text[at + 1], table) if at + 1 < stop else -1
        if face < 0:
            return -1
        desk[D.FACES_HELD + seat * FACES + face] += 1
        desk[D.RANKS_HELD + seat * RANKS + rank_of(face)] += 1
        dealt += 1
        at += 2
    return dealt


@kernel
def scan_action(
    text: Bytes, at: int, end: int, joined: bool, seats: int, desk: Ints
) -> tuple[int, int]:
    """Reads one action into the desk: ``SEAT``, ``STARRED``, and the faces and ranks of a play.

    Returns:
        (what it does, ``PASS`` .. ``ESCAPE``, or ``NONSENSE``; where its string stops, of
        nonsense anywhere). ``SEAT`` is -1 where not even the seat can be read.
    """
    desk[D.SEAT] = -1
    if end - at < 2 or text[at + 1] != _BLANK:
        return NONSENSE, at
    seat = text[at] - _ZERO
    if seat < 0 or seat >= seats:
        return NONSENSE, at
    desk[D.SEAT] = seat
    at += 2
    if at < end and text[at] == _BANG:
        stop = string_stop(text, at, end, joined)
        return _event(text, at, stop), stop
    what = PLAY
    if at < end and text[at] == _DASH:
        what = PASS
        at += 1
    else:
        at = _scan_faces(text, at, end, desk)
        if at < 0:
            return NONSENSE, at
    is_starred = at < end and text[at] == _STAR
    desk[D.STARRED] = int(is_starred)
    if is_starred:
        at += 1
    is_whole = at >= end or text[at] == (_SEMICOLON if joined else _QUOTE)
    return what if is_whole else NONSENSE, at


def scan_alone(text: bytes, seats: int, desk: Ints) -> int:
    """Reads a string that is one action, as ``scan_action`` does; what it does."""
    # A list of strings has them in quotes, so that the end of this one is told from a quote in it.
    what, stop = scan_action(text, 0, len(text), True, seats, desk)
    return what if stop == len(text) else NONSENSE


@kernel
def _event(text: Bytes, at: int, stop: int) -> int:
    """The event that ``text[at:stop]`` names, or ``NONSENSE``."""
    if stop - at > 8:
        return NONSENSE
    word = 0
    for place in range(at, stop):
        word = word * 256 + int(text[place])
    if word == _TIMEOUT:
        return TIMEOUT
    if word == _TRUSTEE:
        return TRUSTEE
    if word == _RETURN:
        return RETURN
    if word == _DROP:
        return DROP
    return ESCAPE if word == _ESCAPE else NONSENSE


@kernel
def word_of(event: int) -> int:
    """The word of an event ``TIMEOUT`` .. ``ESCAPE``, packed into one int, first byte highest."""
    if event == TIMEOUT:
        return _TIMEOUT
    if event == TRUSTEE:
        return _TRUSTEE
    if event == RETURN:
        return _RETURN
    return _DROP if event == DROP else _ESCAPE


@kernel
def _scan_faces(text: Bytes, at: int, end: int, desk: Ints) -> int:
    """Reads ``faces`` or ``faces=ranks``; the place behind, or -1 where the text is neither.

    More faces than any hand holds are counted but not kept, more ranks than there
    are jokers likewise: both are faults that show without them.
    """
    table = desk[D.CHARS : D.WATCHED]
    played = 0
    while at + 1 < end:
        face = face_of_chars(text[at], text[at + 1], table)
        if face < 0:
            break
        if played < D.MAX_PLAYED:
            desk[D.PLAYED_FACES + played] = face
        played += 1
        at += 2
    desk[D.PLAYED] = played
    desk[D.NAMED_RANKS] = 0
    desk[D.FACES_NAMED] = int(at < end and text[at] == _EQUALS)
    if played == 0:
        return -1
    return _scan_named(text, at + 1, end, desk) if desk[D.FACES_NAMED] != 0 else at


@kernel
def _scan_named(text: Bytes, at: int, end: int, desk: Ints) -> int:
    """Reads the ranks that a play declares for its wild jokers; the place behind, or -1."""
    named = 0
    while at < end:
        rank = rank_of_char(text[at])
        if rank < 0:
            break
        if named < D.MAX_NAMED:
            desk[D.NAMED + named] = rank
        named += 1
        at += 1
    desk[D.NAMED_RANKS] = named
    return at if named > 0 else -1
