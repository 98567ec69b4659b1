"""The hash of what a game says: equal exactly where two logs say the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh64_intdigest

from analytics.logs import batch_of
from analytics.logs.content import _by_kernel
from analytics.rules import Rulebook, load_rulesets
from tests.games import fixture_games
from tests.logs.conftest import Read
from tests.logs.strategies import altered, games
from tests.logs.test_checking import a_game

RULEBOOK = load_rulesets([])


def content(game: dict[str, Any]) -> int:
    """The content of one game."""
    return int(batch_of([game], RULEBOOK).content[0])


def test_the_key_is_the_hash_of_the_id(rulebook: Rulebook) -> None:
    """As anybody can compute it."""
    game = fixture_games()[0]
    key = int(batch_of([game], rulebook).game_key[0])
    assert key % 2**64 == xxh64_intdigest(game["id"].encode())


@pytest.mark.parametrize("mode_", ["never", "always"])
@settings(deadline=None)
@given(game=games())
def test_compiled_and_uncompiled_are_equal(mode_: str, game: dict[str, Any]) -> None:
    """One form in both modes, also for text beyond ASCII."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", "never")
        expected = content(game)
        patch.setenv("PAIPU_COMPILE", mode_)
        assert content(game) == expected


@given(game=games())
def test_kernel_and_library_say_the_same(game: dict[str, Any]) -> None:
    """Also where the kernel runs uncompiled, as it can."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", "never")
        expected = content(game)
        patch.setattr("analytics.logs.content._by_library", _by_kernel)
        assert content(game) == expected


def test_writing_it_otherwise_changes_nothing(read_bytes: Read, mode: str) -> None:
    """Order of keys, blanks, escapes, nulls, unknown fields, forms of a time."""
    game = a_game() | {"room": "财富场"}
    others = [
        json.dumps(dict(reversed(game.items())), ensure_ascii=False),
        json.dumps(game, separators=(" , ", " : ")),
        json.dumps(game | {"vip": 1}),
        json.dumps({**game, "start": game["start"].replace("+08:00", ".000+08:00")}),
        json.dumps({**game, "shown": game["shown"], "result": {**game["result"], "x": 1}}),
    ]
    batches, _ = read_bytes("\n".join([json.dumps(game), *others]).encode() + b"\n")
    assert len(set(batches[0].content.tolist())) == 1


@pytest.mark.parametrize("name", sorted(set(a_game()) - {"v", "game"}))
def test_every_field_matters(name: str) -> None:
    """Two games that differ in one field have another content."""
    game = a_game()
    other = a_game()
    if isinstance(other[name], list):
        other[name] = [*other[name]]
        other[name].reverse()
    elif isinstance(other[name], dict):
        other[name] = other[name] | {"winner": 1 - other[name]["winner"]}
    elif isinstance(other[name], int):
        other[name] = 1 - other[name] if name == "first" else other[name] + 1
    elif name in ("start", "end"):
        other[name] = other[name].replace("+08:00", "+09:00")
    else:
        other[name] = "jiule" if name == "rules" else other[name] + "x"
    if name == "times":
        other[name] = [time + 1 for time in game["times"]]
    assert content(other) != content(game)


def test_absent_and_empty_are_not_the_same() -> None:
    """Nor are one string with a separator in it and two strings."""
    game = a_game()
    changes: list[dict[str, Any]] = [
        {"room": None}, {"room": ""}, {"shown": None}, {"shown": ""},
        {"hands": []}, {"hands": [""]}, {"hands": ["", ""]}, {"hands": [";"]},
        {"hands": ["a;b"]}, {"hands": ["a", "b"]}, {"hands": ['["a;b"]']},
    ]  # fmt: skip
    contents = [content(game | change) for change in changes]
    assert len(set(contents)) == len(contents)


@settings(deadline=None)
@given(games().flatmap(lambda game: st.tuples(st.just(json.dumps(game)), altered(game))))
def test_it_differs_exactly_where_games_differ(pair: tuple[str, dict[str, Any]]) -> None:
    """Two good games have one content if and only if they read as the same record."""
    before, changed = json.loads(pair[0]), pair[1]
    try:
        batch = batch_of([before, changed], RULEBOOK)
    except ValueError:
        return
    from analytics.logs import game

    assert (batch.content[0] == batch.content[1]) == (game(batch, 0) == game(batch, 1))
