"""One line of JSON Lines to a dict, with everything that is wrong named.

Stricter than the ``json`` it is built on: a key twice in an object that the
format knows, NaN, lone surrogates and deep nesting are flaws, since another
reader of the same log would see another game.
"""

from __future__ import annotations

import json
from typing import Any, Final

from analytics.findings import Code
from analytics.logs.encodings import likely_encoding
from analytics.logs.flaws import (
    A_JSON_OBJECT,
    A_KEY_ONCE,
    LESS_DEPTH,
    MAX_DEPTH,
    NO_SURROGATE,
    VALID_JSON,
    Flaw,
    shortened,
)

_AROUND: Final = 20  # bytes shown before and after the place of an error


class Doubled(dict[str, Any]):
    """An object in which a key stands twice; ``key`` is that key."""

    key: str = ""


class LongNumber:
    """An int that no field of the format can hold."""

    def __init__(self, digits: str) -> None:
        self.digits = digits

    def __str__(self) -> str:
        return self.digits


def parse(line: bytes) -> dict[str, Any]:
    """The object that one line writes.

    Raises:
        Flaw: format.encoding or format.json.

    >>> parse(b'{"v":1}')
    {'v': 1}
    >>> parse(b'{"v":1,')
    Traceback (most recent call last):
    ...
    analytics.logs.flaws.Flaw: format.json at $: expected valid JSON, recorded '{"v":1,'
    """
    text = decoded(line)
    try:
        value = _loaded(text)
    except Flaw as flaw:
        flaw.game = _id_in(text)
        raise
    if not isinstance(value, dict):
        raise Flaw(Code.FORMAT_JSON, "$", A_JSON_OBJECT, shortened(value))
    if (found := _doubled(value) or _unwritable(value, text)) is not None:
        found.game = readable_id(value)
        raise found
    return value


def decoded(line: bytes) -> str:
    """The text of a line.

    Raises:
        Flaw: format.encoding, with the encoding that it likely has.
    """
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as problem:
        likely = likely_encoding(line)
        flaw = Flaw(Code.FORMAT_ENCODING, "$", None, likely=likely, byte=problem.start)
        flaw.game = _id_in(line.decode(likely, "replace"))
        raise flaw from None


def readable_id(fields: object) -> str | None:
    """The id of an object that may be wrong in any other way."""
    value = fields.get("id") if isinstance(fields, dict) else None
    if not isinstance(value, str) or not value:
        return None
    return value.encode("utf-8", "replace").decode()


def _id_in(text: str) -> str | None:
    """The id in a text that only a more lenient reader takes, for instance with NaN."""
    try:
        return readable_id(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _loaded(text: str) -> object:
    try:
        return _decoded_by(_decoder, text)
    except Flaw:
        raise
    except ValueError:  # an int of more digits than Python converts: no number of ours
        return _decoded_by(_patient_decoder, text)


def _decoded_by(decoder: json.JSONDecoder, text: str) -> object:
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as problem:
        raise _unreadable(text, problem.pos) from None
    except RecursionError:
        raise Flaw(Code.FORMAT_JSON, "$", LESS_DEPTH) from None


def _unreadable(text: str, place: int) -> Flaw:
    around = text[max(0, place - _AROUND) : place + _AROUND].strip()
    return Flaw(Code.FORMAT_JSON, "$", VALID_JSON, shortened(around) or None, column=place + 1)


def _no_constant(name: str) -> object:
    raise Flaw(Code.FORMAT_JSON, "$", VALID_JSON, name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    doubled = Doubled(found)
    met: set[str] = set()
    for name, _ in pairs:
        if name in met:
            doubled.key = name
            break
        met.add(name)
    return doubled


_decoder: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
_patient_decoder: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_no_constant,
    parse_int=lambda digits: int(digits) if len(digits) < 100 else LongNumber(digits),
)


def _doubled(value: dict[str, Any]) -> Flaw | None:
    """A key that stands twice in an object that the format knows."""
    seats = value.get("seats")
    places: list[tuple[str, Any]] = [("$", value)]
    if isinstance(seats, list):
        places += [(f"$.seats[{at}]", seat) for at, seat in enumerate(seats)]
    places.append(("$.result", value.get("result")))
    for path, place in places:
        if isinstance(place, Doubled):
            key = shortened(place.key)
            return Flaw(Code.FORMAT_JSON, f"{path}.{key}", A_KEY_ONCE, key)
    return None


def _unwritable(value: dict[str, Any], text: str) -> Flaw | None:
    """Nesting or text that other readers may refuse."""
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        return Flaw(Code.FORMAT_JSON, "$", LESS_DEPTH)
    if "\\ud" in text or "\\uD" in text:
        try:
            json.dumps(value, ensure_ascii=False, default=str).encode()
        except UnicodeEncodeError as problem:
            around = problem.object[max(0, problem.start - _AROUND) : problem.end + _AROUND]
            return Flaw(Code.FORMAT_JSON, "$", NO_SURROGATE, shortened(around))
    return None


def _depth(value: object) -> int:
    """How many lists and objects stand inside one another."""
    depth = 0
    level = [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            child for item in level for child in (item.values() if isinstance(item, dict) else item)
        ]
    return depth
