"""The tokens of JSON, one by one: a kernel takes what a strict reader takes, and no more."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from analytics.compiled import Ints
from analytics.logs.tables import LIST_STOPS, STOPS, build
from analytics.logs.tokens import (
    after_blank,
    after_null,
    after_plain,
    after_run,
    after_string,
    after_value,
    copy_plain,
    copy_string,
    copy_strings,
    eight_bytes,
    read_int,
)

TABLES: Ints = build([], []).data


def block_of(text: str | bytes) -> Ints:
    """The text as a kernel meets it: with a newline behind it."""
    raw = text.encode() if isinstance(text, str) else text
    return np.frombuffer(raw + b"\n", np.uint8).data


def length(text: str) -> int:
    return len(text.encode())


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def is_json(text: str) -> bool:
    """Whether a strict reader takes the text; NaN and Infinity are no JSON."""
    try:
        json.loads(text, parse_constant=_no_constant)
    except ValueError:
        return False
    return True


GOOD_VALUES = [
    *("null", "true", "false", '""', '"a"', '"\\n\\t\\r\\b\\f\\"\\\\\\/"', '"\\u91d1金"'),
    *("0", "-0", "7", "-12", "1.5", "-0.25", "1e9", "1E+9", "2.5e-3", "10"),
    *("[]", "{}", "[ ]", "{ }", "[1]", "[1, 2 ,3]", '{"a": 1}', '{"a" : [ ] , "b":{"c":null}}'),
    *("[[[[1]]]]", '[{"a":[1,{"b":[]}]},2]', "\t[\r1 ]"[1:]),
]
BAD_VALUES = [
    *("", "nul", "nulx", "tru", "trux", "truth", "fals", "falsy", "fxlse", "faxse", "falxe", "x"),
    *("txue", "trxe"),
    *('"', '"a', '"\\x"', '"\\u12g4"', '"\\u12"', '"a\tb"'),
    *("-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e+", "NaN", "Infinity"),
    *("[", "[1", "[1,", "[1,]", "[1}", "[,1]", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,'),
    *('{"a":1,}', '{"a":1]', '{"a" 1}', "{1:2}", "{,}", '{"a":1,2}', '{"a":x}', '[{"a"}]', "[x]"),
]


@pytest.mark.parametrize("text", GOOD_VALUES)
def test_every_json_value_is_passed_over(text: str) -> None:
    """To its last byte, whatever stands behind."""
    assert is_json(text)
    for behind in ("", ",", "]", " "):
        assert after_value(block_of(text + behind), 0, TABLES, STOPS) == length(text)


@pytest.mark.parametrize("text", BAD_VALUES)
def test_what_is_no_json_is_not_passed_over(text: str) -> None:
    """Neither by the kernel nor by a strict reader."""
    assert not is_json(text)
    assert after_value(block_of(text), 0, TABLES, STOPS) == -1


@pytest.mark.parametrize(("depth", "is_taken"), [(50, True), (51, False)])
def test_deep_nesting_is_left_alone(depth: int, is_taken: bool) -> None:
    """Fifty levels are passed over; what is deeper is explained."""
    text = "[" * depth + "1" + "]" * depth
    assert (after_value(block_of(text), 0, TABLES, STOPS) == length(text)) == is_taken


STRINGS = [
    *("", "abc", "u1001", "金币场", "a/b", '"', "\\", "\b\f\n\r\t", "é", "\x7f", "\u07ff"),
    *("\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff", "a金\U0001f0a1b"),
]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("value", STRINGS)
def test_a_string_is_copied_as_it_is_meant(value: str, ascii_only: bool) -> None:
    """Escapes are resolved into UTF-8; one, two, three and four bytes."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    out = np.zeros(64, np.uint8).data
    i, to = copy_string(block_of(text), 0, TABLES, STOPS, out, 0)
    assert (i, bytes(out)[:to]) == (length(text), value.encode())
    assert after_string(block_of(text), 0, TABLES, STOPS) == length(text)


@pytest.mark.parametrize(
    "text", [r'"\u00e9"', r'"\u00E9"', r'"\uABCD\uabcd"', r'"\/"', r'"\u0041"']
)
def test_escapes_are_read_in_either_case(text: str) -> None:
    """Hexadecimal digits may be large or small, a slash may be escaped."""
    out = np.zeros(64, np.uint8).data
    _, to = copy_string(block_of(text), 0, TABLES, STOPS, out, 0)
    assert bytes(out)[:to] == json.loads(text).encode()


@pytest.mark.parametrize(
    "text",
    [
        *("abc", "", '"abc', '"a\tb"', r'"\q"', r'"\u12x4"', r'"\u12'),
        *(r'"\udc00"', r'"\ud800"', r'"\ud800x"', r'"\ud800\n"', r'"\ud800\ud800"', r'"\ud800A"'),
        r'"\ud800\ue000"',
    ],
)
def test_a_string_that_is_none_is_left_alone(text: str) -> None:
    """No quote, no end, a bare control character, no such escape, half a surrogate pair."""
    out = np.zeros(64, np.uint8).data
    assert copy_string(block_of(text), 0, TABLES, STOPS, out, 0)[0] == -1
    assert after_string(block_of(text), 0, TABLES, STOPS) == -1


@pytest.mark.parametrize(
    ("text", "behind"),
    [('"abc"', 5), ('""', 2), ("abc", -1), ('"abc', -1), (r'"a\nb"', -1), ('"a\tb"', -1)],
)
def test_a_plain_string_has_no_escape(text: str, behind: int) -> None:
    """Keys, words and times are taken only as they stand."""
    assert after_plain(block_of(text), 0, TABLES, STOPS) == behind


@pytest.mark.parametrize(
    ("text", "joined", "count"),
    [
        ("[]", "", 0),
        ("[ ]", "", 0),
        ('["0 3S"]', "0 3S", 1),
        ('["a","b"]', "a;b", 2),
        ('[ "a" , "" ]', "a;", 2),
        ('["","b"]', ";b", 2),
    ],
)
def test_a_list_of_strings_is_joined(text: str, joined: str, count: int) -> None:
    """By ``;``, as Parquet has it."""
    out = np.zeros(64, np.uint8).data
    i, to, found = copy_strings(block_of(text), 0, TABLES, LIST_STOPS, out, 0)
    assert (i, bytes(out)[:to].decode(), found) == (length(text), joined, count)


@pytest.mark.parametrize(
    "text", ['""', "[", '["a"', '["a",]', '["a"}', "[1]", '["a;b"]', r'["\n"]', '["a', '[""]']
)
def test_a_list_that_cannot_be_joined_is_left_alone(text: str) -> None:
    """Also one empty string, which joined would be no string at all."""
    out = np.zeros(64, np.uint8).data
    assert copy_strings(block_of(text), 0, TABLES, LIST_STOPS, out, 0)[0] == -1


@pytest.mark.parametrize("value", [0, 7, -7, 10, -1200, 10**17, 10**18 - 1, -(10**18) + 1])
def test_an_int_is_read(value: int) -> None:
    """Of up to eighteen digits, with its sign."""
    text = str(value)
    assert read_int(block_of(text), 0) == (length(text), value)
    assert read_int(block_of(text + ".5"), 0) == (length(text), value)


@pytest.mark.parametrize("text", ["", "-", "x", "01", "-01", "00", str(10**18), "+1", '"1"'])
def test_an_int_that_is_none_is_left_alone(text: str) -> None:
    """No digit, a zero in front, or more digits than surely fit."""
    assert read_int(block_of(text), 0) == (-1, 0)


def test_a_place_that_is_none_stays_none() -> None:
    """What could not be read before is not read on."""
    block, out = block_of("12"), np.zeros(8, np.uint8).data
    assert read_int(block, -1) == (-1, 0)
    assert after_run(block, -1, TABLES, STOPS) == -1
    assert copy_plain(block, -1, TABLES, STOPS, out, 3) == (-1, 3)
    assert eight_bytes(block, -1) == 0


def test_bytes_without_a_stop_are_not_passed_over() -> None:
    """A block ends with a newline; where it does not, nothing is read beyond it."""
    block, out = np.frombuffer(b"abc", np.uint8).data, np.zeros(8, np.uint8).data
    assert after_run(block, 0, TABLES, STOPS) == 0
    assert copy_plain(block, 0, TABLES, STOPS, out, 0) == (0, 0)


def test_blanks_are_passed_over_and_a_newline_is_none() -> None:
    """Blank, tab and carriage return, as JSON has them."""
    assert after_blank(block_of(" \t\r x"), 0) == 4
    assert after_blank(block_of(""), 0) == 0


@pytest.mark.parametrize(
    ("text", "behind"), [("null", 4), ("nulL", -1), ("nuxl", -1), ("nxll", -1), ("xull", -1)]
)
def test_null_is_null(text: str, behind: int) -> None:
    """Letter for letter."""
    assert after_null(block_of(text), 0) == behind
