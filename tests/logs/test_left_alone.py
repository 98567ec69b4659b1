"""What the reading kernel leaves to the explaining path, case by case, and what it takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from analytics.findings import Finding
from analytics.logs import GameBatch
from analytics.rules import Rulebook
from tests.logs.said import said
from tests.logs.test_scanning import Paths

Game = dict[str, Any]
Change = Callable[[Game], object]


def game() -> Game:
    """A game with every field that the format has."""
    return {
        "v": 1, "game": "shuangkou", "id": "a", "rules": "huopin-points",
        "start": "2026-11-28T20:15:00+08:00", "end": "2026-11-28T20:20:00.5Z",
        "seats": [{"player": "u1", "balance": 10}, {"player": "u2", "balance": -20}],
        "first": 0, "base": 5, "shown": "3S", "room": None,
        "hands": ["3S", "4S"], "actions": ["0 3S", "1 -"], "times": [0, 1200],
        "result": {
            "end": "out", "winner": 0, "kou": "dan", "doubling": 2, "places": None,
            "xiang": [4, 0], "delta": [-5, 5], "balance": [5, -15],
        },
    }  # fmt: skip


def put(*path: str | int, value: Any) -> Change:
    """The change that puts a value somewhere into the game."""

    def change(whole: Game) -> None:
        place: Any = whole
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


def without(*path: str | int) -> Change:
    """The change that takes a field away."""

    def change(whole: Game) -> None:
        place: Any = whole
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


@pytest.fixture
def paths(rulebook: Rulebook, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """Both paths, uncompiled; the ruleset is known from a line before."""
    monkeypatch.setenv("PAIPU_COMPILE", "never")
    both = Paths(rulebook)
    assert isinstance(both.explain(json.dumps(game()).encode()), GameBatch)
    return both


TAKEN: list[Change] = [
    lambda whole: None,
    put("first", value=1),
    put("times", value=None),
    without("times"),
    without("base"),
    without("result"),
    put("result", value={}),
    put("result", value=None),
    put("result", "end", value="escape"),
    put("result", "kou", value="shuang"),
    put("result", "winner", value=None),
    put("actions", value=[]),
    put("seats", value=[{"balance": 3, "player": "x"}] * 4),
]


def changed(change: Change) -> bytes:
    """The line of the game after a change."""
    whole = game()
    change(whole)
    if not whole["actions"]:
        whole["times"] = []
    if len(whole.get("seats", ())) == 4:
        whole["result"] = None
    return json.dumps(whole).encode()


@pytest.mark.parametrize("change", TAKEN)
def test_a_plain_line_is_taken(paths: Paths, change: Change) -> None:
    """With the columns that the explaining path gives."""
    line = changed(change)
    explained, scanned = paths.explain(line), paths.scan(line)
    assert isinstance(explained, GameBatch)
    assert scanned is not None
    assert said(scanned) == said(explained)


REFUSED: list[Change] = [
    put("v", value=2),
    put("game", value="other"),
    put("game", value=3),
    put("id", value=""),
    put("id", value=5),
    put("rules", value="no-such-rules"),
    put("start", value="2026-11-28T20:15:00"),
    put("start", value=5),
    put("first", value=2),
    put("first", value=-1),
    put("first", value="0"),
    put("base", value=0),
    put("base", value=10**9 + 1),
    put("times", value=[0]),
    put("times", value=[5, 4]),
    put("times", value=[0, 10**17]),
    put("times", value=[0, "1"]),
    put("times", value=3),
    put("seats", value=[]),
    put("seats", value={}),
    put("seats", value=[1, 2]),
    put("seats", 0, value={"player": "u1"}),
    put("seats", 0, value={"balance": 1}),
    put("seats", 0, value={}),
    put("seats", 0, "player", value=None),
    put("seats", 0, "balance", value=10**15 + 1),
    put("seats", 0, "balance", value=-(10**15) - 1),
    put("seats", 0, "balance", value="5"),
    put("result", value=3),
    put("result", "end", value="won"),
    put("result", "end", value=1),
    put("result", "kou", value="dang"),
    put("result", "winner", value="0"),
    put("result", "delta", value=[1]),
    put("result", "delta", value=[1, "2"]),
    put("result", "delta", value=5),
    put("result", "xiang", value=[1, 2, 3]),
    without("hands"),
    without("seats"),
    without("first"),
]


@pytest.mark.parametrize("change", REFUSED)
def test_a_line_that_is_wrong_is_left_alone(paths: Paths, change: Change) -> None:
    """The explaining path says what is wrong."""
    line = changed(change)
    assert paths.scan(line) is None
    assert isinstance(paths.explain(line), Finding)


def test_lists_that_disagree_with_the_seats_are_left_alone(paths: Paths) -> None:
    """All lists of the result are as long as one another, but there are more seats."""
    whole = game()
    whole["seats"] *= 2
    assert paths.scan(json.dumps(whole).encode()) is None


def test_more_seats_than_any_game_has_are_left_alone(paths: Paths) -> None:
    """The kernel has room for so many a game; the explaining path takes more."""
    whole = game() | {"result": None}
    whole["seats"] *= 20
    line = json.dumps(whole).encode()
    assert paths.scan(line) is None
    assert isinstance(paths.explain(line), GameBatch)


def test_a_base_that_is_needed_and_missing_is_left_alone(rulebook: Rulebook) -> None:
    """In a ruleset whose base is given with every game."""
    both = Paths(rulebook)
    whole = game() | {"rules": "jiule"}
    assert isinstance(both.explain(json.dumps(whole).encode()), GameBatch)
    assert both.scan(json.dumps(whole).encode()) is not None
    del whole["base"]
    assert both.scan(json.dumps(whole).encode()) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"first": 0,', '"first": 0, "first": 0,'),  # a key twice
        ('"winner": 0,', '"winner": 0, "winner": 0,'),
        ('"balance": 10', '"balance": 10, "balance": 10'),
        ('"v": 1,', '"v" 1,'),
        ('"v": 1,', '"v": 1'),
        ('"v": 1,', 'v: 1,'),
        ('"winner": 0,', '"winner" 0,'),
        ('"winner": 0,', '"winner": 0'),
        ('"balance": 10}', '"balance": 10'),
        ('"balance": 10}', '"balance" 10}'),
        ('-20}]', '-20}}'),
        ('-20}]', '-20};]'),
        ("[0, 1200]", "[0, 1200}"),
        ("[-5, 5]", "[-5, 5}"),
        ("[-5, 5]", "[-5, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]"),
        ('"room": null', '"room": nul'),
        ('"places": null', '"places": nul'),
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_left_alone(paths: Paths, old: str, new: str) -> None:
    """A key twice, a sign missing or too much; whatever it is, it is not guessed."""
    line = json.dumps(game())
    assert old in line
    assert paths.scan(line.replace(old, new, 1).encode()) is None


def test_a_field_that_no_line_had_before_is_left_alone(paths: Paths) -> None:
    """The explaining path meets it first; from then on it is passed over."""
    line = json.dumps({"new": 1} | game()).encode()
    assert paths.scan(line) is None
    assert isinstance(paths.explain(line), GameBatch)
    assert paths.scan(line) is not None


def test_fields_that_were_met_before_are_passed_over(paths: Paths) -> None:
    """In the game, in a seat and in the result, each by itself and counted; none twice."""
    whole = game() | {"vip": [1]}
    whole["seats"][1]["vip"], whole["result"]["vip"] = "x", {"y": None}
    line = json.dumps(whole).encode()
    explained = paths.explain(line)
    assert isinstance(explained, GameBatch)
    for _ in range(2):
        scanned = paths.scan(line)
        assert scanned is not None
        assert said(scanned) == said(explained)
    assert paths.unknown() == {"vip": 2, "seats[].vip": 2, "result.vip": 2}
    for twice in (b'"vip": [1]', b'"vip": "x"', b'"vip": {"y": null}'):
        assert paths.scan(line.replace(twice, twice + b", " + twice)) is None


@pytest.mark.parametrize("line", [b"[]", b"x", b'"a"', b"{", b"{}", b"3"])
def test_what_is_no_object_is_left_alone(paths: Paths, line: bytes) -> None:
    """A game is an object with fields."""
    assert paths.scan(line) is None


def test_something_behind_the_game_is_left_alone(paths: Paths) -> None:
    """One game a line."""
    line = json.dumps(game()).encode()
    assert paths.scan(line + b" \t") is not None
    assert paths.scan(line + b" {}") is None


def test_empty_lines_are_passed_over(paths: Paths) -> None:
    """They are no games, and nothing is wrong with them."""
    line = json.dumps(game()).encode()
    scanned = paths.scan(b"\n \n" + line + b"\n\n")
    assert scanned is not None
    assert (len(scanned), int(scanned.line[0])) == (1, 3)
