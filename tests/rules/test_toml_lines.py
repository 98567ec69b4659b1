"""The locator of keys in TOML text."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.rules.toml_lines import scan
from analytics.rules.toml_text import parse

TEXT = r'''# a comment with = and [brackets]
name = "a # no comment"   # a comment
"quoted key" = 1
'single.quoted' = 2
dotted . key = 3
escaped = "a \" quote ] }"
long = """
several = lines
[of] text \"""
"""
literal = \'''
it's "quoted" \\
\'''

[play]
when = 2026-01-01 00:00:00+08:00
wild = [ "big", # one
  "small",      # two
]
inline = { one = [1,
  2], "two" = { three = 3 } }

[scoring.doubling]
5 = 2
"6" = 4
7= -8

[[rows]]
a = 1
[[rows]]
a = 2
'''.replace(r"\'''", "'''")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("name",), "name ="),
        (("quoted key",), '"quoted key"'),
        (("single.quoted",), "'single.quoted'"),
        (("dotted",), "dotted . key"),
        (("dotted", "key"), "dotted . key"),
        (("escaped",), "escaped ="),
        (("long",), "long ="),
        (("literal",), "literal ="),
        (("play",), "[play]"),
        (("play", "when"), "when ="),
        (("play", "wild", 0), 'wild = [ "big"'),
        (("play", "wild", 1), '"small"'),
        (("play", "inline", "one", 1), '2], "two"'),
        (("play", "inline", "two", "three"), '2], "two"'),
        (("scoring",), "[scoring.doubling]"),
        (("scoring", "doubling", "5"), "5 = 2"),
        (("scoring", "doubling", "6"), '"6" = 4'),
        (("scoring", "doubling", "7"), "7= -8"),
        (("rows",), "[[rows]]"),
        (("rows", 1, "a"), "a = 2"),
    ],
)
def test_every_way_to_write_a_key_is_found(path: tuple[str | int, ...], words: str) -> None:
    """The line of a path is the one that holds its words."""
    assert words in TEXT.splitlines()[scan(TEXT).of[path] - 1]


def test_words_inside_text_are_no_keys() -> None:
    """What stands in strings and comments is not taken for keys."""
    assert not {"several", "of"} & {path[0] for path in scan(TEXT).of}


def paths_of(data: Any, around: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """Every path inside data."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    found: set[tuple[str | int, ...]] = set()
    for key, value in items:
        found.add((*around, key))
        if isinstance(value, dict | list):
            found |= paths_of(value, (*around, key))
    return found


def test_the_paths_are_those_of_tomllib() -> None:
    """Exactly the paths that the data have."""
    assert set(scan(TEXT).of) - {("rows", 0), ("rows", 1)} == paths_of(tomllib.loads(TEXT)) - {
        ("rows", 0),
        ("rows", 1),
    }


def test_the_nearest_line_is_that_of_what_is_around() -> None:
    """A key that is not there has the line of its section, else of ``extends``, else 1."""
    text = '\nextends = "x"\n[play]\nseats = 2\n'
    lines = scan(text)
    assert lines.nearest(("play", "wild", 3)) == 3
    assert lines.nearest(("scoring", "fee")) == 2
    assert lines.nearest(("name",)) == 1
    assert scan("").nearest(("scoring", "fee")) == 1


def test_repeated_keys_are_found_with_both_lines() -> None:
    """In sections, inline tables and dotted keys."""
    text = "a = 1\nb = { c = 1, c = 2, d = 3, }\na = [1,\n2]\nb.c = 4\n"
    found = [(r.path, r.line, r.first_line) for r in scan(text).repeats]
    assert found == [(("b", "c"), 2, 2), (("a",), 3, 1), (("b", "c"), 5, 2)]


def test_a_file_with_repeated_keys_is_read_without_the_second() -> None:
    """So that its other mistakes can be told at once."""
    text = "a = 1\nb = { c = 1, c = 2, d = 3 }\na = [1,\n2]\ne = 5\n"
    data, problems = parse(text)
    assert data == {"a": 1, "b": {"c": 1, "d": 3}, "e": 5}
    assert [(p.code, p.line) for p in problems] == [("rules.duplicate", 2), ("rules.duplicate", 3)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a = 1\nb = ", "rules.toml", 2),
        ("a = 1\nb c = 2\n", "rules.toml", 2),
        ("[a]\n[b]\n[a]\n", "rules.duplicate", 3),
        ("a.b = 1\na = 2\n", "rules.duplicate", 2),
        ('a = """\n\n', "rules.toml", 1),
        ("a = 2026-13-45\n", "rules.toml", 1),
        ("a = " + "[" * 5000, "rules.toml", 1),
        ("a = " + "9" * 5000, "rules.toml", 1),
        ("a = 1\nb = 'x\ny'", "rules.toml", 2),
    ],
)
def test_what_is_no_toml_has_a_line(text: str, code: str, line: int) -> None:
    """The line is tomllib's, or the last one at the end of the file."""
    data, problems = parse(text)
    assert data is None
    assert [(p.code, p.line) for p in problems] == [(code, line)]


@given(st.text(alphabet="ab=[]{}\"'\\#.,\n 1", max_size=60))
def test_no_text_makes_the_scan_fail(text: str) -> None:
    """It stops where it does not understand, and agrees with tomllib where that does."""
    found = set(scan(text).of)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert paths_of(data) <= found | {path[:-1] for path in found} | {
        path for path in paths_of(data) if isinstance(path[-1], int)
    }


@given(st.binary(max_size=80))
def test_no_bytes_make_the_parse_fail(content: bytes) -> None:
    """Whatever stands in a file, the parse gives data or a problem."""
    data, problems = parse(content.decode("latin-1"))
    assert data is not None or problems
