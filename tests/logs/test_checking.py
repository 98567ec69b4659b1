"""Every field of a game, checked; and what is said where one is wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from analytics.findings import Code
from analytics.logs import FAMILIES, flaws
from analytics.logs.checking import check
from analytics.logs.effective import Effective
from analytics.logs.flaws import EXPECTED, Flaw, shortened
from analytics.rules import Rulebook
from tests.games import fixture_game

MISSING = object()
FULL = {
    "room": "gold-500", "end": "2026-11-28T20:20:00+08:00", "base": 100, "table": "t1",
    "round": "7", "deal": "bombs", "arm": "b", "client": "ios",
}  # fmt: skip


def a_game() -> dict[str, Any]:
    """A game with every field."""
    game = copy.deepcopy(fixture_game("huopin-wealth") | FULL)
    game["times"] = [1000 * i for i in range(len(game["actions"]))]
    game["result"] |= {"places": [1, 2], "fee": [0, 0]}
    return game


def put(game: dict[str, Any], path: str, value: object) -> None:
    """Sets what stands at a path such as ``seats.1.balance``; MISSING takes it away."""
    *parents, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = game
    for step in parents:
        place = place[step]
    if value is MISSING:
        del place[last]
    else:
        place[last] = value


def flaw_of(game: dict[str, Any], rulebook: Rulebook) -> Flaw:
    """What is wrong with a game."""
    with pytest.raises(Flaw) as caught:
        check(game, Effective(rulebook, FAMILIES))
    return caught.value


WRONG = [
    ("v", MISSING, "format.version", "$.v", flaws.VERSION, None),
    ("v", 2, "format.version", "$.v", flaws.VERSION, 2),
    ("v", 1.0, "format.version", "$.v", flaws.VERSION, "1.0"),
    ("v", True, "format.version", "$.v", flaws.VERSION, "true"),
    ("v", "1", "format.version", "$.v", flaws.VERSION, "1"),
    ("game", "mahjong", "format.field", "$.game", flaws.A_FAMILY, "mahjong"),
    ("game", MISSING, "format.field", "$.game", flaws.A_FAMILY, None),
    ("id", "", "format.field", "$.id", flaws.A_FILLED_STRING, ""),
    ("id", 7, "format.field", "$.id", flaws.A_FILLED_STRING, 7),
    ("id", None, "format.field", "$.id", flaws.A_FILLED_STRING, "null"),
    ("rules", 7, "format.field", "$.rules", flaws.A_STRING, 7),
    ("rules", "nobody", "format.rules", "$.rules", None, "nobody"),
    ("rules", "jiule@9", "format.rules", "$.rules", None, "jiule@9"),
    ("room", 5, "format.field", "$.room", flaws.A_STRING, 5),
    ("start", "2026-11-28T20:15:00", "format.time", "$.start", flaws.A_MOMENT,
     "2026-11-28T20:15:00"),
    ("start", 5, "format.time", "$.start", flaws.A_MOMENT, 5),
    ("end", "soon", "format.time", "$.end", flaws.A_MOMENT, "soon"),
    ("seats", {}, "format.field", "$.seats", flaws.A_LIST, "{}"),
    ("seats.1", [], "format.field", "$.seats[1]", flaws.AN_OBJECT, "[]"),
    ("seats.1.player", MISSING, "format.field", "$.seats[1].player", flaws.A_STRING, None),
    ("seats.1.player", 12, "format.field", "$.seats[1].player", flaws.A_STRING, 12),
    ("seats.1.balance", MISSING, "format.field", "$.seats[1].balance", flaws.A_BALANCE, None),
    ("seats.1.balance", 1.5, "format.field", "$.seats[1].balance", flaws.A_BALANCE, "1.5"),
    ("seats.1.balance", 10**15 + 1, "format.field", "$.seats[1].balance", flaws.A_BALANCE,
     10**15 + 1),
    ("seats.1.balance", -(10**15) - 1, "format.field", "$.seats[1].balance", flaws.A_BALANCE,
     -(10**15) - 1),
    ("shown", 3, "format.field", "$.shown", flaws.A_STRING, 3),
    ("first", 2, "format.field", "$.first", flaws.ONE_OF_THE_SEATS, 2),
    ("first", -1, "format.field", "$.first", flaws.ONE_OF_THE_SEATS, -1),
    ("first", False, "format.field", "$.first", flaws.AN_INT, "false"),
    ("first", MISSING, "format.field", "$.first", flaws.ONE_OF_THE_SEATS, None),
    ("base", 0, "format.field", "$.base", flaws.A_BASE, 0),
    ("base", 10**9 + 1, "format.field", "$.base", flaws.A_BASE, 10**9 + 1),
    ("base", 10**30, "format.field", "$.base", flaws.A_BASE, "1" + "0" * 30),
    ("hands", "3S", "format.field", "$.hands", flaws.A_LIST, "3S"),
    ("hands.0", None, "format.field", "$.hands[0]", flaws.A_STRING, "null"),
    ("actions", MISSING, "format.field", "$.actions", flaws.A_LIST, None),
    ("actions.3", 3, "format.field", "$.actions[3]", flaws.A_STRING, 3),
    ("times.2", 0, "format.field", "$.times[2]", flaws.NEVER_FALLING, 0),
    ("times.0", -1, "format.field", "$.times[0]", flaws.A_TIME, -1),
    ("times.0", 1.0, "format.field", "$.times[0]", flaws.A_TIME, "1.0"),
    ("times", [], "format.field", "$.times", flaws.PER_ACTION, 0),
    ("result", [], "format.field", "$.result", flaws.AN_OBJECT, "[]"),
    ("result.end", "won", "format.field", "$.result.end", flaws.AN_END, "won"),
    ("result.kou", "Dan", "format.field", "$.result.kou", flaws.A_KOU, "Dan"),
    ("result.winner", "0", "format.field", "$.result.winner", flaws.AN_AMOUNT, "0"),
    ("result.delta", [1], "format.field", "$.result.delta", flaws.PER_SEAT, 1),
    ("result.delta.1", None, "format.field", "$.result.delta[1]", flaws.AN_AMOUNT, "null"),
    ("result.fee.0", 10**18 + 1, "format.field", "$.result.fee[0]", flaws.AN_AMOUNT, 10**18 + 1),
    ("result.balance", 5, "format.field", "$.result.balance", flaws.A_LIST, 5),
    ("client", {}, "format.field", "$.client", flaws.A_STRING, "{}"),
]  # fmt: skip


@pytest.mark.parametrize(("at", "value", "code", "path", "expected", "recorded"), WRONG)
def test_a_wrong_field_is_named(
    at: str,
    value: object,
    code: str,
    path: str,
    expected: str | None,
    recorded: object,
    rulebook: Rulebook,
) -> None:
    """Code, path, what was expected and what stood there; and the id, where it can be read."""
    game = a_game()
    put(game, at, value)
    flaw = flaw_of(game, rulebook)
    assert (flaw.code.text, flaw.path, flaw.expected, flaw.recorded) == (
        code, path, expected, recorded,
    )  # fmt: skip
    assert flaw.game == (None if at == "id" else game["id"])


def test_a_game_with_every_field_is_right(rulebook: Rulebook) -> None:
    """The game that the other tests break is right."""
    assert check(a_game(), Effective(rulebook, FAMILIES)).game.client == "ios"


@pytest.mark.parametrize("name", [*FULL, "start", "shown", "times", "result"])
def test_what_is_optional_may_be_missing_or_null(name: str, rulebook: Rulebook) -> None:
    """Null is the same as nothing."""
    for value in (MISSING, None):
        game = a_game()
        put(game, name, value)
        assert getattr(check(game, Effective(rulebook, FAMILIES)).game, name) is None


@pytest.mark.parametrize("name", [*a_game()["result"]])
def test_parts_of_the_result_may_be_missing_or_null(name: str, rulebook: Rulebook) -> None:
    """Absent and null parts are not findings."""
    for value in (MISSING, None):
        game = a_game()
        put(game, f"result.{name}", value)
        result = check(game, Effective(rulebook, FAMILIES)).game.result
        assert getattr(result, name) is None


def test_limits_are_included(rulebook: Rulebook) -> None:
    """The largest amounts of clause 12 are right."""
    game = a_game()
    game["base"] = 10**9
    game["seats"][0]["balance"] = -(10**15)
    game["seats"][1]["balance"] = 10**15
    game["result"]["delta"] = [-(10**18), 10**18]
    check(game, Effective(rulebook, FAMILIES))


def test_the_first_wrong_field_is_named(rulebook: Rulebook) -> None:
    """One flaw a game, in the order of the format; the version goes before all else."""
    game = a_game()
    for path, value in (("client", 1), ("seats.0.balance", "x"), ("id", 1)):
        put(game, path, value)
    assert flaw_of(game, rulebook).path == "$.id"
    put(game, "v", 3)
    assert flaw_of(game, rulebook).code is Code.FORMAT_VERSION


def test_a_base_that_is_given_has_to_be_logged(rulebook: Rulebook) -> None:
    """Where the ruleset leaves the base to the log, the log has to say it."""
    game = fixture_game("jiule")
    del game["base"]
    flaw = flaw_of(game, rulebook)
    assert (flaw.path, flaw.expected) == ("$.base", flaws.A_BASE_AS_GIVEN)


def test_the_reason_is_given_why_there_is_no_ruleset(rulebook: Rulebook) -> None:
    """The sentence depends on it."""
    game = a_game()
    put(game, "rules", "huopin-wealth@2")
    assert flaw_of(game, rulebook).params == {"reason": "unknown version"}


def test_only_families_that_are_known_are_taken(rulebook: Rulebook) -> None:
    """Which these are is for the caller to say."""
    game = a_game() | {"game": "tractor"}
    assert flaw_of(game, rulebook).path == "$.game"
    assert check(game, Effective(rulebook, ("shuangkou", "tractor"))).game.game == "tractor"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, 5), (2**63, str(2**63)), (None, "null"), (True, "true"), ("a" * 200, "a" * 79 + "…"),
        ([1, "x"], '[1, "x"]'), ("\ud800", "?"), ({"k": list(range(99))}, None),
    ],
)  # fmt: skip
def test_what_stood_there_is_shortened(value: object, expected: object) -> None:
    """It can be printed, and is no longer than a line of text."""
    found = shortened(value)
    assert expected in (None, found)
    assert len(str(found)) <= 80


def test_all_phrases_are_listed() -> None:
    """Every phrase of what was expected is known to those who translate it."""
    used = {expected for *_, expected, _ in WRONG if expected}
    assert used <= set(EXPECTED)
