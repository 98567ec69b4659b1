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
    table = desk[D.CHARS : D.DESK]
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
def scan_action(text: Bytes, at: int, stop: int, seats: int, desk: Ints) -> int:
    """Reads one action into the desk: ``SEAT``, ``STARRED``, and the faces and ranks of a play.

    Returns:
        what it does, ``PASS`` .. ``ESCAPE``, or ``NONSENSE``; ``SEAT`` is -1 where not
        even the seat can be read.
    """
    desk[D.SEAT] = -1
    if stop - at < 2 or text[at + 1] != _BLANK:
        return NONSENSE
    seat = text[at] - _ZERO
    if seat < 0 or seat >= seats:
        return NONSENSE
    desk[D.SEAT] = seat
    if stop - at < 3:
        return NONSENSE
    at += 2
    if text[at] == _BANG:
        return _event(text, at, stop)
    starred = text[stop - 1] == _STAR
    desk[D.STARRED] = int(starred)
    if starred:
        stop -= 1
    if text[at] == _DASH and stop - at == 1:
        return PASS
    return PLAY if _scan_faces(text, at, stop, desk) else NONSENSE


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
def _scan_faces(text: Bytes, at: int, stop: int, desk: Ints) -> bool:
    """Reads ``faces`` or ``faces=ranks``; False where the text is neither.

    More faces than any hand holds are counted but not kept, more ranks than there
    are jokers likewise: both are faults that show without them.
    """
    table = desk[D.CHARS : D.DESK]
    played = 0
    while at < stop and text[at] != _EQUALS:
        face = face_of_chars(text[at], text[at + 1], table) if at + 1 < stop else -1
        if face < 0:
            return False
        if played < D.MAX_PLAYED:
            desk[D.PLAYED_FACES + played] = face
        played += 1
        at += 2
    desk[D.PLAYED] = played
    desk[D.NAMED_RANKS] = 0
    desk[D.FACES_NAMED] = int(at < stop)
    if played == 0 or at + 1 == stop:
        return False
    return at == stop or _scan_named(text, at + 1, stop, desk)


@kernel
def _scan_named(text: Bytes, at: int, stop: int, desk: Ints) -> bool:
    """Reads the ranks that a play declares for its wild jokers."""
    for place in range(at, stop):
        rank = rank_of_char(text[place])
        if rank < 0:
            return False
        if place - at < D.MAX_NAMED:
            desk[D.NAMED + place - at] = rank
    desk[D.NAMED_RANKS] = stop - at
    return True
