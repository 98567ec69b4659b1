"""The fields of one game, checked one by one in the order of the log format.

This is where the format is law: what passes here is a game, and the first
thing that does not is the one flaw of its line. It takes any mapping, so that
lines of JSON, rows of Parquet and dicts in a test are judged alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from analytics.findings import Code
from analytics.logs import flaws
from analytics.logs.effective import Answer, Effective
from analytics.logs.flaws import Flaw, missing, shortened, wrong
from analytics.logs.model import Game, Result, Seat
from analytics.logs.moments import moment_of
from analytics.logs.parsing import readable_id

# The words of all game families: the one list there is. ``analytics.verify`` has the doors
# behind them, in the same order.
FAMILIES: Final = ("shuangkou",)
ENDS: Final = ("out", "escape")
KOUS: Final = ("ping", "dan", "shuang")

Check = Callable[[Any, str], Any]


class Checked(NamedTuple):
    """A game that may be used, and the ruleset it names."""

    game: Game
    answer: Answer


def check(fields: Mapping[str, Any], effective: Effective) -> Checked:
    """The game that these fields record.

    Args:
        fields: ints, strings, lists, dicts and None, as JSON knows them.
        effective: finds the ruleset, and knows the families.

    Raises:
        Flaw: the first field that is wrong.
    """
    values: dict[str, Any] = {}
    try:
        for name, is_needed, judge in _FIELDS:
            values[name] = _field(fields, name, judge, is_needed=is_needed)
            if name in _ACROSS:
                _ACROSS[name](values, effective)
    except Flaw as flaw:
        flaw.game = readable_id(fields)
        raise
    answer = values.pop("answer")
    return Checked(Game(**values), answer)


def _field(fields: Mapping[str, Any], name: str, judge: Check, *, is_needed: bool) -> Any:
    value = fields.get(name)
    if value is not None or (is_needed and name in fields):
        return judge(value, f"$.{name}")
    if name == "v":
        raise Flaw(Code.FORMAT_VERSION, "$.v", flaws.VERSION)
    if is_needed:
        raise missing(f"$.{name}", _EXPECTED[name])
    return None


def _version(value: Any, path: str) -> int:
    if type(value) is not int or value != 1:
        raise Flaw(Code.FORMAT_VERSION, path, flaws.VERSION, shortened(value))
    return value


def _word(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise wrong(path, flaws.A_FAMILY, value)
    return value


def _string(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise wrong(path, flaws.A_STRING, value)
    return value


def _filled(value: Any, path: str) -> str:
    if not isinstance(value, str) or not value:
        raise wrong(path, flaws.A_FILLED_STRING, value)
    return value


def _moment(value: Any, path: str) -> str:
    if not isinstance(value, str) or moment_of(value) is None:
        raise Flaw(Code.FORMAT_TIME, path, flaws.A_MOMENT, shortened(value))
    return value


def _int(value: Any, path: str) -> int:
    if type(value) is not int:
        raise wrong(path, flaws.AN_INT, value)
    return value


def _within(low: int, high: int, expected: str) -> Check:
    """A check for an int between two bounds, both included."""

    def judge(value: Any, path: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise wrong(path, expected, value)
        return value

    return judge


_balance: Final = _within(-flaws.MAX_BALANCE, flaws.MAX_BALANCE, flaws.A_BALANCE)
_base: Final = _within(1, flaws.MAX_BASE, flaws.A_BASE)
_amount: Final = _within(-flaws.MAX_AMOUNT, flaws.MAX_AMOUNT, flaws.AN_AMOUNT)
_time: Final = _within(0, flaws.MAX_TIME, flaws.A_TIME)


def _one_of(words: tuple[str, ...], expected: str) -> Check:
    """A check for a word among these."""

    def judge(value: Any, path: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise wrong(path, expected, value)
        return value

    return judge


def _list(value: Any, path: str, judge: Check) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise wrong(path, flaws.A_LIST, value)
    try:
        return tuple([judge(item, path) for item in value])
    except Flaw:  # only now is it worth saying which one
        return tuple([judge(item, f"{path}[{at}]") for at, item in enumerate(value)])


def _strings(value: Any, path: str) -> tuple[str, ...]:
    return _list(value, path, _string)


def _amounts(value: Any, path: str) -> tuple[int, ...]:
    return _list(value, path, _amount)


def _times(value: Any, path: str) -> tuple[int, ...]:
    times = _list(value, path, _time)
    for at in range(1, len(times)):
        if times[at] < times[at - 1]:
            raise wrong(f"{path}[{at}]", flaws.NEVER_FALLING, times[at])
    return times


def _seats(value: Any, path: str) -> tuple[Seat, ...]:
    return _list(value, path, _seat)


def _seat(value: Any, path: str) -> Seat:
    if not isinstance(value, Mapping):
        raise wrong(path, flaws.AN_OBJECT, value)
    for name, expected in (("player", flaws.A_STRING), ("balance", flaws.A_BALANCE)):
        if name not in value:
            raise missing(f"{path}.{name}", expected)
    player = _string(value["player"], f"{path}.player")
    return Seat(player, _balance(value["balance"], f"{path}.balance"))


def _result(value: Any, path: str) -> Result:
    if not isinstance(value, Mapping):
        raise wrong(path, flaws.AN_OBJECT, value)
    parts = {
        name: judge(value[name], f"{path}.{name}")
        for name, judge in _PARTS.items()
        if value.get(name) is not None
    }
    return Result(**parts)


def _family_is_known(values: dict[str, Any], effective: Effective) -> None:
    if values["game"] not in effective.families:
        raise wrong("$.game", flaws.A_FAMILY, values["game"])


def _find_rules(values: dict[str, Any], effective: Effective) -> None:
    start = values["start"]
    moment = None if start is None else moment_of(start)
    values["answer"] = effective.find(values["rules"], None if moment is None else moment[0])


def _seat_exists(values: dict[str, Any], _: Effective) -> None:
    if not 0 <= values["first"] < len(values["seats"]):
        raise wrong("$.first", flaws.ONE_OF_THE_SEATS, values["first"])


def _base_as_given(values: dict[str, Any], _: Effective) -> None:
    if values["base"] is None and values["answer"].is_given:
        raise missing("$.base", flaws.A_BASE_AS_GIVEN)


def _one_per_action(values: dict[str, Any], _: Effective) -> None:
    times = values["times"]
    if times is not None and len(times) != len(values["actions"]):
        raise Flaw(Code.FORMAT_FIELD, "$.times", flaws.PER_ACTION, len(times))


def _one_per_seat(values: dict[str, Any], _: Effective) -> None:
    result = values["result"]
    if result is None:
        return
    for name, judge in _PARTS.items():
        part = getattr(result, name)
        if judge is _amounts and part is not None and len(part) != len(values["seats"]):
            raise Flaw(Code.FORMAT_FIELD, f"$.result.{name}", flaws.PER_SEAT, len(part))


_PARTS: Final[Mapping[str, Check]] = {
    "end": _one_of(ENDS, flaws.AN_END),
    "winner": _amount,
    "places": _amounts,
    "kou": _one_of(KOUS, flaws.A_KOU),
    "xiang": _amounts,
    "doubling": _amount,
    "contribution": _amounts,
    "delta": _amounts,
    "fee": _amounts,
    "balance": _amounts,
}

_FIELDS: Final[tuple[tuple[str, bool, Check], ...]] = (
    ("v", True, _version),
    ("game", True, _word),
    ("id", True, _filled),
    ("rules", True, _string),
    ("room", False, _string),
    ("start", False, _moment),
    ("end", False, _moment),
    ("seats", True, _seats),
    ("shown", False, _string),
    ("first", True, _int),
    ("base", False, _base),
    ("hands", True, _strings),
    ("actions", True, _strings),
    ("times", False, _times),
    ("result", False, _result),
    ("table", False, _string),
    ("round", False, _string),
    ("deal", False, _string),
    ("arm", False, _string),
    ("client", False, _string),
)

# Checked across fields, as soon as the named one is known.
_ACROSS: Final[Mapping[str, Callable[[dict[str, Any], Effective], None]]] = {
    "game": _family_is_known,
    "end": _find_rules,
    "first": _seat_exists,
    "base": _base_as_given,
    "times": _one_per_action,
    "result": _one_per_seat,
}

# What to say where a needed field is missing.
_EXPECTED: Final[Mapping[str, str]] = {
    "game": flaws.A_FAMILY,
    "id": flaws.A_FILLED_STRING,
    "rules": flaws.A_STRING,
    "seats": flaws.A_LIST,
    "first": flaws.ONE_OF_THE_SEATS,
    "hands": flaws.A_LIST,
    "actions": flaws.A_LIST,
}

# What the format knows: of a game, of each seat, of the result.
NAMES: Final = frozenset(name for name, _, _ in _FIELDS)
SEAT_NAMES: Final = frozenset(("player", "balance"))
RESULT_NAMES: Final = frozenset(_PARTS)
