"""Faces, ranks, jokers, the 108-card deck; text to faces and back.

A *face* (牌面) is an int 0..53: ``rank * 4 + suit`` for the ranks 3..2 (0..12)
and the suits S H C D (0..3), then 52 for the small joker (小王) and 53 for the
big joker (大王). A *rank* is an int 0..14: 0..12 for 3 4 5 6 7 8 9 T J Q K A 2,
13 for the small and 14 for the big joker. Every face exists twice in the deck.

Source: rules clause 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from analytics.compiled import Ints, kernel

RANK_TEXT: Final = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "SJ", "BJ")
SUIT_TEXT: Final = "SHCD"

FACES: Final = 54  # clause 2: each of the 54 faces ...
COPIES: Final = 2  # clause 2: ... exists twice
HAND_SIZE: Final = 27  # clause 2: every seat is dealt 27 cards

RANKS: Final = 15  # thirteen ranks and the two jokers
NATURAL_RANKS: Final = 13  # clause 2: 3 up to 2
ACE: Final = 11  # clause 3: sequences use ranks 3..A
TWO: Final = 12
SMALL_JOKER: Final = 13  # rank of 小王
BIG_JOKER: Final = 14  # rank of 大王
SMALL_JOKER_FACE: Final = 52
BIG_JOKER_FACE: Final = 53
NO_FACE: Final = -1

_FACE_TEXT: Final = (*(r + s for r in RANK_TEXT[:NATURAL_RANKS] for s in SUIT_TEXT), "SJ", "BJ")
_FACE_OF: Final = {text: face for face, text in enumerate(_FACE_TEXT)}


@kernel
def rank_of(face: int) -> int:
    """The rank 0..14 of a face 0..53 (clause 2).

    >>> [rank_of(face) for face in (0, 51, 52, 53)]
    [0, 12, 13, 14]
    """
    return face >> 2 if face < SMALL_JOKER_FACE else face - 39


@kernel
def suit_of(face: int) -> int:
    """The suit 0..3 (S H C D) of a natural face 0..51 (clause 2).

    >>> [suit_of(face) for face in (0, 1, 51)]
    [0, 1, 3]
    """
    return face % 4


@kernel
def rank_of_char(char: int) -> int:
    """The rank 0..12 that an ASCII code stands for, or -1 (clause 2).

    >>> [rank_of_char(ord(c)) for c in "3TJQKA2x"]
    [0, 7, 8, 9, 10, 11, 12, -1]
    """
    if 51 <= char <= 57:  # "3".."9"
        return char - 51
    if char == 84:  # "T"
        return 7
    if char == 74:  # "J"
        return 8
    if char == 81:  # "Q"
        return 9
    if char == 75:  # "K"
        return 10
    if char == 65:  # "A"
        return 11
    if char == 50:  # "2"
        return 12
    return -1


@kernel
def face_of_chars(first: int, second: int, table: Sequence[int] | Ints) -> int:
    """The face that two ASCII codes write, or -1 where there is no such face (clause 2).

    >>> face_of_chars(ord("3"), ord("S"), FACE_TABLE), face_of_chars(66, 74, FACE_TABLE)
    (0, 53)
    >>> face_of_chars(ord("3"), ord("s"), FACE_TABLE)
    -1
    """
    face = table[first] + table[_CHARS + second]
    return face if 0 <= face < FACES else NO_FACE


def _face_table() -> tuple[int, ...]:
    """Two parts by character, so that the sum of both is the face.

    A joker's first letter is worth ``_APART`` more, its J as much less; what does not
    belong is so far below that no sum is a face.
    """
    table = [-10 * _APART] * (2 * _CHARS)
    for rank, text in enumerate(RANK_TEXT[:NATURAL_RANKS]):
        table[ord(text)] = rank * 4
    for suit, text in enumerate(SUIT_TEXT):
        table[_CHARS + ord(text)] = suit
    table[ord("S")] = SMALL_JOKER_FACE + _APART
    table[ord("B")] = BIG_JOKER_FACE + _APART
    table[_CHARS + ord("J")] = -_APART
    return tuple(table)


_CHARS: Final = 256
_APART: Final = 1000
FACE_TABLE: Final = _face_table()


def parse_faces(text: str) -> list[int]:
    """The faces that ``text`` writes, blanks between faces allowed.

    Raises:
        ValueError: the text cannot be cut into faces.

    >>> parse_faces("3S 2D SJ")
    [0, 51, 52]
    >>> parse_faces("3s")
    Traceback (most recent call last):
    ...
    ValueError: '3s' is no face
    """
    faces = []
    for word in text.split():
        for at in range(0, len(word), 2):
            face = _FACE_OF.get(word[at : at + 2])
            if face is None:
                raise ValueError(f"{word[at : at + 2]!r} is no face")
            faces.append(face)
    return faces


def face_of(text: str, otherwise: int = NO_FACE) -> int:
    """The face that ``text`` writes, or ``otherwise`` where it is none.

    >>> face_of("2D"), face_of("1D")
    (51, -1)
    """
    return _FACE_OF.get(text, otherwise)


def write_faces(faces: Iterable[int]) -> str:
    """The faces as text, two characters each.

    >>> write_faces([0, 51, 52])
    '3S2DSJ'
    """
    return "".join(_FACE_TEXT[face] for face in faces)


def rank_text(rank: int) -> str:
    """The rank as text: one character, or ``SJ`` and ``BJ``.

    >>> rank_text(7), rank_text(14)
    ('T', 'BJ')
    """
    return RANK_TEXT[rank]
