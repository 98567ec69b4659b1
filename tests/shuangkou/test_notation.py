"""Scanning the text of hands and actions, joined or as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.cards import FACES, RANKS, parse_faces, rank_of, write_faces
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N


def cut(text: bytes, *, joined: bool, around: bytes = b"") -> list[bytes]:
    """The strings of a game's text, which stands between other games' texts."""
    whole, at = around + text + around, len(around)
    end = at + len(text)
    found = []
    start = N.first_string(whole, at, end, joined)
    while start <= end:
        stop = N.string_stop(whole, start, end, joined)
        found.append(whole[start:stop])
        start = N.next_string(whole, stop, end, joined)
    return found


@pytest.mark.parametrize("around", [b"", b";", b'"', b"0 3S;0 4S", b'["0 3S"]'])
@pytest.mark.parametrize(
    ("text", "strings"),
    [
        (b"", []),
        (b"0 -", [b"0 -"]),
        (b"0 3S;1 -", [b"0 3S", b"1 -"]),
        (b";", [b"", b""]),
        (b"a;;b", [b"a", b"", b"b"]),
        (b"a;", [b"a", b""]),
        (b";a", [b"", b"a"]),
    ],
)
def test_joined_strings(text: bytes, strings: list[bytes], around: bytes) -> None:
    """Cut at each ``;`` of its own; no text is no string."""
    assert cut(text, joined=True, around=around) == strings


@pytest.mark.parametrize("around", [b"", b'"', b'["x"]', b"\\"])
@pytest.mark.parametrize(
    ("text", "strings"),
    [
        (b"[]", []),
        (b"[ ]", []),
        (b'[""]', [b""]),
        (b'["0 -"]', [b"0 -"]),
        (b'["0 3S","1 -"]', [b"0 3S", b"1 -"]),
        (b'[ "a" ,\t"b"\n]', [b"a", b"b"]),
        (b'["a;b"]', [b"a;b"]),
        (b'["a]","[b"]', [b"a]", b"[b"]),
        (rb'["a\"b","c"]', [rb"a\"b", b"c"]),
        (rb'["a\\","b"]', [rb"a\\", b"b"]),
        (rb'["\\\"","b"]', [rb"\\\"", b"b"]),
        (rb'["\u0033S"]', [rb"\u0033S"]),
    ],
)
def test_strings_of_json(text: bytes, strings: list[bytes], around: bytes) -> None:
    """Cut at the quotes that are not escaped; an escape stays as it is written."""
    assert cut(text, joined=False, around=around) == strings


@pytest.mark.parametrize(
    ("text", "strings"),
    [(b'["a', [b"a"]), (b'["a","', [b"a", b""]), (b'["a\\', [b"a\\"]), (b"x", []), (b"", [])],
)
def test_json_that_ends_early(text: bytes, strings: list[bytes]) -> None:
    """The scan stops where the game's text does, whatever follows it."""
    assert cut(text, joined=False) == strings
    assert cut(text, joined=False, around=b'zz"') == strings


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(st.text("0123 SHCD*-=!;[],", max_size=6), max_size=5))
def test_both_forms_give_the_same_strings(strings: list[str]) -> None:
    """Where no string holds a ``;``, and there is more than one empty one."""
    raw = [text.encode() for text in strings]
    assert cut(json.dumps(strings).encode(), joined=False) == raw
    joined = ";".join(strings).encode()
    if joined and not any(";" in text for text in strings):
        assert cut(joined, joined=True) == raw


# Hands.


def deal(text: str, around: bytes = b"") -> tuple[int, Any]:
    """What scanning a hand returns, and the desk."""
    desk = D.new_desk()
    raw = text.encode()
    dealt = N.scan_hand(around + raw + around, len(around), len(around) + len(raw), desk, 1)
    return dealt, desk


@pytest.mark.parametrize(
    ("text", "dealt"),
    [
        ("", 0), ("   ", 0), ("3S", 1), ("3S3S", 2), (" 3S  4H ", 2), ("SJBJ", 2), ("TD2C", 2),
        ("3", -1), ("3S4", -1), ("3 S", -1), ("3s", -1), ("1S", -1), ("SS", -1), ("BS", -1),
        ("JJ", -1), ("3S\t4S", -1), ("3S;4S", -1), ("S J", -1), ("3SSJ!", -1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("around", [b"", b"S", b"3", b" "])
def test_scanning_a_hand(text: str, dealt: int, around: bytes) -> None:
    """The number of faces, or -1 where the text cannot be cut into faces."""
    assert deal(text, around)[0] == dealt


def test_a_hand_is_dealt_to_its_seat() -> None:
    """Copies of each face and cards of each rank, of this seat alone."""
    every = list(range(FACES))
    text = write_faces([*every, *every, 7])
    dealt, desk = deal(text)
    of_faces = desk[D.FACES_HELD : D.RANKS_HELD].reshape(4, FACES)
    of_ranks = desk[D.RANKS_HELD : D.SEAT_FACTS].reshape(4, RANKS)
    assert dealt == 109
    assert of_faces[1].tolist() == [3 if face == 7 else 2 for face in every]
    assert of_ranks[1].tolist() == [8, 9, *[8] * 11, 2, 2]
    assert not of_faces[[0, 2, 3]].any()
    assert not of_ranks[[0, 2, 3]].any()


# Actions.


def scan(
    text: str, seats: int = 4, around: bytes = b"", *, joined: bool = True, is_last: bool = True
) -> tuple[int, Any]:
    """What an action does, and the desk.

    Args:
        text: the action.
        seats: of the game.
        around: stands before and after it.
        joined: as in ``TextColumn``.
        is_last: it ends where the text ends; else what separates it stands before ``around``.
    """
    desk = D.new_desk()
    raw = text.encode("latin-1")
    separator = b"" if is_last else b";" if joined else b'"'
    start, whole = len(around), around + raw + separator + around
    end = start + len(raw) if is_last else len(whole)
    what, stop = N.scan_action(whole, start, end, joined, seats, desk)
    assert what == N.NONSENSE or stop == start + len(raw)
    return what, desk


@pytest.mark.parametrize("is_last", [True, False])
@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("around", [b"", b"*", b"3S", b" ", b"="])
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("0 -", N.PASS), ("3 -", N.PASS), ("0 -*", N.PASS),
        ("0 3S", N.PLAY), ("0 3S*", N.PLAY), ("0 3SBJ=4", N.PLAY), ("0 3SBJ=4*", N.PLAY),
        ("0 SJBJ=34", N.PLAY), ("0 3S=9999999", N.PLAY),
        ("1 !timeout", N.TIMEOUT), ("1 !trustee", N.TRUSTEE), ("1 !return", N.RETURN),
        ("1 !drop", N.DROP), ("1 !escape", N.ESCAPE),
        ("", N.NONSENSE), ("0", N.NONSENSE), ("0 ", N.NONSENSE), ("0*", N.NONSENSE),
        ("0 *", N.NONSENSE), ("0 **", N.NONSENSE), ("0 -**", N.NONSENSE), ("0 --", N.NONSENSE),
        ("0 =", N.NONSENSE), ("0 =3", N.NONSENSE), ("0 3S=", N.NONSENSE), ("0 3S=*", N.NONSENSE),
        ("0 3S==3", N.NONSENSE), ("0 3S=t", N.NONSENSE), ("0 3S=S", N.NONSENSE),
        ("0 3", N.NONSENSE), ("0 3S4", N.NONSENSE), ("0 3S 4S", N.NONSENSE),
        ("0 !", N.NONSENSE), ("0 !drop*", N.NONSENSE), ("0 !timeou", N.NONSENSE),
        ("0 !timeout!", N.NONSENSE), ("0 !timeouttimeout", N.NONSENSE), ("0 !DROP", N.NONSENSE),
        ("0 \x00!drop", N.NONSENSE), ("0 !drop\x00", N.NONSENSE), ("0 \xe9", N.NONSENSE),
        ("0 \xff\xff", N.NONSENSE),
    ],
)  # fmt: skip
def test_scanning_an_action(
    text: str, what: int, around: bytes, joined: bool, is_last: bool
) -> None:
    """What it does, or nonsense, whatever stands before and after it."""
    assert scan(text, around=around, joined=joined, is_last=is_last)[0] == what


@pytest.mark.parametrize("text", [b"0 -;", b"0 3S;1 -", b'0 -"', b"0 3S;", b"0 !drop;", b"0 -;*"])
def test_a_string_alone_is_an_action_or_none(text: bytes) -> None:
    """In a list a string may have anything in it; here nothing ends it early."""
    assert N.scan_alone(text, 4, D.new_desk()) == N.NONSENSE


@pytest.mark.parametrize(
    ("text", "seats", "seat"),
    [
        ("0 -", 2, 0), ("1 -", 2, 1), ("2 -", 2, -1), ("2 -", 4, 2), ("3 -", 4, 3), ("4 -", 4, -1),
        ("/ -", 4, -1), (": -", 4, -1), ("-1 -", 4, -1), ("00 -", 4, -1), ("0-", 4, -1),
        ("", 4, -1), ("0", 4, -1), ("1 ?", 4, 1), ("1 ", 4, 1), ("1 !x", 4, 1),
    ],
)  # fmt: skip
def test_the_seat_of_an_action(text: str, seats: int, seat: int) -> None:
    """-1 where not even the seat can be read, or there is none of that number."""
    what, desk = scan(text, seats)
    assert desk[D.SEAT] == seat
    assert what != N.NONSENSE or seat < 0 or text[0] == "1"


@pytest.mark.parametrize(
    ("text", "starred", "is_named", "named"),
    [
        ("0 3S4SBJ", 0, 0, []),
        ("0 3S4SBJ*", 1, 0, []),
        ("0 3S4SBJ=5", 0, 1, [2]),
        ("0 3S4SBJ=5*", 1, 1, [2]),
        ("0 3S4SBJ=A2T3", 0, 1, [11, 12, 7, 0]),
    ],
)
def test_a_play_on_the_desk(text: str, starred: int, is_named: int, named: list[int]) -> None:
    """Its faces in order, the ranks that it declares, and the mark."""
    what, desk = scan(text)
    faces = desk[D.PLAYED_FACES : D.PLAYED_FACES + desk[D.PLAYED]].tolist()
    assert (what, faces) == (N.PLAY, parse_faces("3S4SBJ"))
    assert (desk[D.STARRED], desk[D.FACES_NAMED], desk[D.NAMED_RANKS]) == (
        starred,
        is_named,
        len(named),
    )
    assert desk[D.NAMED : D.NAMED + len(named)].tolist() == named


def test_what_an_action_leaves_does_not_reach_the_next() -> None:
    """A play without ``=`` after one with it declares nothing."""
    desk = D.new_desk()
    for text in (b"0 3SBJ=4*", b"0 3S"):
        N.scan_alone(text, 2, desk)
    assert (desk[D.STARRED], desk[D.FACES_NAMED], desk[D.NAMED_RANKS]) == (0, 0, 0)


@pytest.mark.parametrize("cards", [27, 28, 29, 500])
def test_more_faces_than_a_hand_are_counted_and_not_kept(cards: int) -> None:
    """So nothing beside them on the desk is overwritten."""
    what, desk = scan("0 " + "9H" * cards)
    assert (what, desk[D.PLAYED]) == (N.PLAY, cards)
    kept = min(cards, D.MAX_PLAYED)
    end = D.PLAYED_FACES + D.MAX_PLAYED
    assert desk[D.PLAYED_FACES : D.PLAYED_FACES + kept].tolist() == parse_faces("9H") * kept
    assert not desk[end : D.CHARS].any()
    assert rank_of(int(desk[end - 1])) == (6 if cards >= D.MAX_PLAYED else 0)


@pytest.mark.parametrize("ranks", [4, 5, 99])
def test_more_ranks_than_jokers_are_counted_and_not_kept(ranks: int) -> None:
    """Likewise."""
    what, desk = scan("0 3S=" + "2" * ranks)
    assert (what, desk[D.NAMED_RANKS]) == (N.PLAY, ranks)
    assert desk[D.NAMED : D.NAMED + D.MAX_NAMED].tolist() == [12] * 4
    assert not desk[D.NAMED + D.MAX_NAMED : D.CHARS].any()


@pytest.mark.parametrize("event", range(N.TIMEOUT, N.ESCAPE + 1))
def test_the_word_of_an_event_is_read_as_that_event(event: int) -> None:
    """Packed into one int, as games that are made write it."""
    word = N.word_of(event).to_bytes(8, "big").lstrip(b"\0")
    assert word.decode() == f"!{N.WHAT_NAMES[event]}"
    raw = b"0 " + word
    assert N.scan_alone(raw, 2, D.new_desk().data) == event
