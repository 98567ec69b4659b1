"""Reading cards for people, and all their readings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.findings import Code
from analytics.shuangkou.melds import NO_MELD
from analytics.shuangkou.reading import all_readings, meld_json, read_cards, readings_json
from tests.rulebook.builder import BAIBIAN, JIULE, POINTS, book_of, faces, in_words


@pytest.mark.parametrize(
    ("cards", "over", "code"),
    [
        ("", None, Code.DEAL_SIZE),
        ("3S" * 3, None, Code.DEAL_COPIES),
        ("SJ" * 3, None, Code.DEAL_COPIES),
        ("3X", None, Code.DEAL_FACE),
        ("3S4", None, Code.DEAL_FACE),
        ("3S4S", None, Code.PLAY_MELD),
        ("3S", "4S", Code.PLAY_BEAT),
        ("3S4S", "4S", Code.PLAY_MELD),
        ("3S", "3S4S", Code.PLAY_MELD),  # what lies on the table is none
        ("3S", "4Z", Code.DEAL_FACE),
        ("3S", "4S4S4S", Code.DEAL_COPIES),
        ("4S", "3S", None),
        ("4S", "", None),
        ("4S 4H", None, None),
    ],
)
def test_why_cards_are_nothing(cards: str, over: str | None, code: Code | None) -> None:
    """Cards that nobody can hold, that are no meld, or that do not beat."""
    reading = read_cards(cards, over, book_of(POINTS), 0)
    assert reading.error == code
    assert (reading.meld == NO_MELD) == (code is not None)


def test_a_hand_is_27_cards_at_most() -> None:
    """28 cards are no play, whatever they are."""
    suits = [rank + suit for rank in "6789TJQ" for suit in "SHCD"]
    triples = [face for rank in "6789TJQKA" for face in (rank + "S", rank + "H", rank + "C")]
    assert read_cards("".join(triples), None, book_of(POINTS), 0).error is None
    assert read_cards("".join(suits), None, book_of(POINTS), 0).error is Code.DEAL_SIZE


@pytest.mark.parametrize(
    ("cards", "json"),
    [
        ("5678b", {"kind": "straight", "size": 5, "top": "9", "groups": None, "xiang": 0}),
        ("3", {"kind": "single", "size": 1, "top": "3", "groups": None, "xiang": 0}),
        ("sb", {"kind": "pair", "size": 2, "top": "BJ", "groups": None, "xiang": 0}),
        ("7777", {"kind": "bomb", "size": 4, "top": "7", "groups": None, "xiang": 4}),
        ("333344445555", {"kind": "chain", "size": 12, "top": "5", "groups": 3, "xiang": 7}),
        ("ssbb", {"kind": "four_jokers", "size": 4, "top": None, "groups": None, "xiang": 7}),
    ],
)
def test_a_reading_as_json(cards: str, json: dict[str, object]) -> None:
    """Kind, size, top, groups and xiang, null where there is none."""
    answer = read_cards(faces(cards), None, book_of(POINTS), 0).as_json()
    assert answer == {"meld": json, "error": None}


def test_an_error_as_json() -> None:
    """No meld, and the code as text."""
    answer = read_cards("3S4S", None, book_of(POINTS), 0).as_json()
    assert answer == {"meld": None, "error": "play.meld"}
    assert meld_json(NO_MELD) is None


def readings(cards: str, house: str = POINTS) -> list[tuple[str, str]]:
    found = all_readings(faces(cards), book_of(house), 0)
    return [(in_words(m.kind, m.top, m.xiang, m.groups), ranks) for m, ranks in found]


@pytest.mark.parametrize(
    ("cards", "house", "expected"),
    [
        ("34", POINTS, []),
        ("33", POINTS, [("pair 3", "")]),
        ("bb", POINTS, [("pair BJ", "")]),
        ("ssbb", POINTS, [("four_jokers, 7相", "")]),
        ("7s", BAIBIAN, []),
        ("7b", POINTS, [("pair 7", "7")]),
        ("5678b", POINTS, [("straight 9", "9"), ("straight 8", "4")]),
        ("3456b", POINTS, [("straight 7", "7")]),
        ("JQKAb", POINTS, [("straight A", "T")]),
        ("777bs", POINTS, [("bomb 7, 5相", "77")]),
        (
            "KKKKAAAA ssbb",
            JIULE,
            [("chain 2, 3 ranks, 7相", "2222"), ("chain A, 3 ranks, 7相", "QQQQ")],
        ),
        (
            "34ssbb",
            POINTS,
            [("straight 8", "5678"), ("pair_run 5", "3455")],
        ),
        ("3ssbb", POINTS, [("bomb 3, 5相", "3333"), ("straight 7", "4567")]),
        (
            "45ssbb",
            POINTS,
            [
                ("straight 9", "6789"), ("straight 8", "3678"), ("pair_run 6", "4566"),
                ("pair_run 5", "3345"),
            ],
        ),
    ],
)  # fmt: skip
def test_all_readings(cards: str, house: str, expected: list[tuple[str, str]]) -> None:
    """Every meld that can be declared, bombs first, then by the top, each with its ranks."""
    assert readings(cards, house) == expected


@pytest.mark.parametrize(
    ("house", "counted"), [(POINTS, [True, False, False]), (JIULE, [True, False, False])]
)
def test_equal_irregular_chains_are_all_listed(house: str, counted: list[bool]) -> None:
    """Each may be declared; under most-groups the largest group tells them apart."""
    book, cards = book_of(house), faces("5555 6666 7777 s")
    found = readings_json(cards, read_cards(cards, None, book, 0), book, 0)
    ranks = ["5", "6", "7"] if house == POINTS else ["7", "6", "5"]
    assert [each["declared"] for each in found] == ranks
    assert [each["counts"] for each in found] == counted
    assert {(each["kind"], each["size"], each["xiang"]) for each in found} == {("chain", 13, 7)}


@given(
    counts=st.lists(st.integers(0, 5), min_size=13, max_size=13),
    jokers=st.lists(st.sampled_from("sb"), min_size=1, max_size=4),
    over=st.sampled_from(["", "3", "44", "5555", "66667777888899"]),
    house=st.sampled_from([POINTS, JIULE, BAIBIAN]),
)
def test_exactly_one_reading_counts(
    counts: list[int], jokers: list[str], over: str, house: str
) -> None:
    """Of all readings one, where the cards may be played; it is what they were read as."""
    book = book_of(house)
    cards = faces("".join(r * n for r, n in zip("3456789TJQKA2", counts, strict=True))[:23])
    cards += "".join({"s": "SJ", "b": "BJ"}[joker] for joker in jokers)
    reading = read_cards(cards, faces(over) or None, book, 0)
    found = readings_json(cards, reading, book, 0)
    counting = [each for each in found if each["counts"]]
    assert len(counting) == (reading.error is None)
    for each in counting:
        assert {key: each[key] for key in meld_json(reading.meld) or {}} == meld_json(reading.meld)


@pytest.mark.parametrize(
    "cards",
    [
        "5678b",
        "34ssbb",
        "3ssbb",
        "7bs",
        "QQQQKKKKAAAAssbb",
        "KAssbb",
        "JJQQKKAAssbb",
    ],
)
def test_the_first_reading_is_the_one_that_counts(cards: str) -> None:
    """The strongest comes first, which is how a leader's cards are read."""
    led = read_cards(faces(cards), None, book_of(POINTS), 0).meld
    first = all_readings(faces(cards), book_of(POINTS), 0)[0][0]
    assert first == led
