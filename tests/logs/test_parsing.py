"""One line of JSON to a dict, stricter than other readers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analytics.findings import Code
from analytics.logs import flaws
from analytics.logs.flaws import Flaw
from analytics.logs.parsing import parse

ID = b'"id":"a",'


def flaw_of(line: bytes) -> Flaw:
    """What is wrong with a line."""
    with pytest.raises(Flaw) as caught:
        parse(line)
    return caught.value


@pytest.mark.parametrize(
    ("line", "path", "expected", "game"),
    [
        (b"[]", "$", flaws.A_JSON_OBJECT, None),
        (b"7", "$", flaws.A_JSON_OBJECT, None),
        (b"{", "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":}', "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":1} x', "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":01}', "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":1,}', "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":"\x00"}', "$", flaws.VALID_JSON, "a"),
        (b"{" + ID + b'"x":NaN}', "$", flaws.VALID_JSON, "a"),
        (b"{" + ID + b'"x":-Infinity}', "$", flaws.VALID_JSON, "a"),
        (b"{" + ID + b'"x":"\\ud800"}', "$", flaws.NO_SURROGATE, "a"),
        (b"{" + ID + b'"\\udfff":1}', "$", flaws.NO_SURROGATE, "a"),
        (b"{" + ID + b'"x":1,"x":1}', "$.x", flaws.A_KEY_ONCE, "a"),
        (b"{" + ID + b'"seats":[{},{"p":1,"q":2,"p":3}]}', "$.seats[1].p", flaws.A_KEY_ONCE, "a"),
        (b"{" + ID + b'"result":{"end":1,"end":2}}', "$.result.end", flaws.A_KEY_ONCE, "a"),
        (b"{" + ID + b'"x":' + b"9" * 5000 + b",}", "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":' + b"9" * 5000 + b',"y":NaN}', "$", flaws.VALID_JSON, None),
        (b"{" + ID + b'"x":' + b"9" * 5000 + b',"y":"\\ud800"}', "$", flaws.NO_SURROGATE, "a"),
        (b"{" + ID + b'"x":' + b"[" * 60 + b"]" * 60 + b"}", "$", flaws.LESS_DEPTH, "a"),
        (b"{" + ID + b'"x":' + b"[" * 99999 + b"]" * 99999 + b"}", "$", flaws.LESS_DEPTH, None),
    ],
)
def test_what_is_wrong_is_named(line: bytes, path: str, expected: str, game: str | None) -> None:
    """Path and what was expected, and the id where a more lenient reader finds it."""
    flaw = flaw_of(line)
    if b"\x00" in line:
        game = None  # even a lenient reader refuses control characters
    assert (flaw.code, flaw.path, flaw.expected) == (Code.FORMAT_JSON, path, expected)
    assert flaw.game == game


@pytest.mark.parametrize(
    ("line", "likely"),
    [
        ('{"id":"a","room":"财富场"}'.encode("gbk"), "gbk"),
        ('{"id":"a","room":"\U00020000"}'.encode("gb18030"), "gb18030"),
        (b'{"id":"a","room":"caf\xe9"}', "latin-1"),
    ],
)
def test_other_encodings_are_told(line: bytes, likely: str) -> None:
    """Which one is likely, and the id all the same."""
    flaw = flaw_of(line)
    assert (flaw.code, flaw.params["likely"]) == (Code.FORMAT_ENCODING, likely)
    assert flaw.game == "a"


@pytest.mark.parametrize(
    "value",
    [
        {"x": 1.5, "y": [None, True, "é金\n"], "z": {"a": {"a": 1}}},
        {"x": [[]] * 100},
        {"x": "\U0001f600 \\ud800"},
    ],
)
def test_all_else_is_read(value: dict[str, Any]) -> None:
    """As the standard library does."""
    assert parse(json.dumps(value).encode()) == value
    assert parse(json.dumps(value, ensure_ascii=False).encode()) == value


def test_a_key_may_stand_twice_where_nobody_looks() -> None:
    """Inside a field that the format does not know."""
    assert parse(b'{"x":{"a":1,"a":2}}') == {"x": {"a": 2}}


def test_ints_may_have_any_number_of_digits() -> None:
    """More digits than Python converts are a number all the same."""
    assert str(parse(b'{"x":' + b"7" * 5000 + b"}")["x"]) == "7" * 5000
    assert parse(b'{"x":' + b"7" * 30 + b"}") == {"x": int("7" * 30)}
