"""Batches while they are being filled, and single games in and out of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.logs import ABSENT, Game, Result, Seat, batch_of, game
from analytics.logs.columns import Columns, joins, split, written
from analytics.rules import Rulebook, load_rulesets
from tests.games import fixture_games
from tests.logs.said import PLACE, said
from tests.logs.strategies import games, texts

RULEBOOK = load_rulesets([])


@settings(deadline=None)
@given(st.lists(games(), max_size=4))
def test_a_game_taken_out_is_the_same_put_in_again(listed: list[dict[str, Any]]) -> None:
    """Records lose nothing of what the columns say."""
    batch = batch_of(listed, RULEBOOK)
    again = batch_of([game(batch, i) for i in range(len(batch))], RULEBOOK)
    assert said(again) == said(batch)


@settings(deadline=None)
@given(st.lists(games(), min_size=1, max_size=4))
def test_a_batch_says_what_its_games_say(listed: list[dict[str, Any]]) -> None:
    """Every field of every game, whatever stands beside it."""
    batch = batch_of(listed, RULEBOOK)
    for i, fields in enumerate(listed):
        record = msgspec.to_builtins(game(batch, i))
        for name in ("id", "rules", "first", "base", "shown", "room", "client"):
            assert record.get(name) == fields.get(name)
        assert [dict(seat) for seat in record["seats"]] == fields["seats"]
        assert list(record["hands"]) == fields["hands"]
        assert list(record["actions"]) == fields["actions"]
        assert list(record.get("times") or ()) == (fields.get("times") or [])
        recorded = fields.get("result") or {}
        result = record.get("result") or {}
        for name, value in recorded.items():
            found = result.get(name)
            assert (list(found) if isinstance(found, tuple) else found) == value


@settings(deadline=None)
@given(st.lists(games(), min_size=2, max_size=4))
def test_a_game_is_the_same_in_any_batch(listed: list[dict[str, Any]]) -> None:
    """Content and key do not depend on the neighbours."""
    batch = batch_of(listed, RULEBOOK)
    alone = [batch_of([fields], RULEBOOK) for fields in listed]
    assert [one.content[0] for one in alone] == batch.content.tolist()
    assert [one.game_key[0] for one in alone] == batch.game_key.tolist()


@given(st.lists(texts | st.text(";", max_size=3), max_size=4))
def test_strings_that_join_can_be_split(strings: list[str]) -> None:
    """What cannot be told apart when joined is kept as a list."""
    if joins(strings):
        assert split(written(strings).decode()) == strings
    else:
        assert written(strings).startswith(b"[")
        assert strings == [""] or ";" in "".join(strings)


def test_columns_that_nobody_has_are_absent(rulebook: Rulebook) -> None:
    """Marked, never guessed."""
    fields = fixture_games()[1]
    del fields["result"], fields["shown"], fields["start"]
    batch = batch_of([fields], rulebook)
    assert batch.start.tolist() == batch.end.tolist() == [ABSENT]
    assert batch.base.tolist() == [ABSENT]
    assert batch.shown == [None]
    assert batch.labels == {}
    assert batch.recorded.kou.tolist() == [-1]
    assert batch.recorded.end.tolist() == [0]
    assert batch.recorded.delta.tolist() == [ABSENT, ABSENT]
    assert game(batch, 0).result is None


def test_labels_are_those_that_any_game_has(rulebook: Rulebook) -> None:
    """A game without one has None there."""
    first, second = fixture_games()[:2]
    batch = batch_of([first | {"arm": "a"}, second | {"room": ""}], rulebook)
    assert {name: list(column) for name, column in batch.labels.items()} == {
        "arm": ["a", None],
        "room": [None, ""],
    }


def test_records_can_be_made_by_hand(rulebook: Rulebook) -> None:
    """A record is checked as a line is."""
    record = Game(
        v=1,
        game="shuangkou",
        id="by-hand",
        rules="jiule",
        seats=(Seat("a", 5), Seat("b", -5)),
        first=1,
        base=10,
        hands=("3S", "4S"),
        actions=("1 4S",),
        result=Result(winner=1),
    )
    batch = batch_of([record], rulebook)
    assert game(batch, 0) == record
    assert said(batch, but=PLACE)["balance"] == ("<i8", [5, -5])
    with pytest.raises(ValueError, match=r"format.field at \$.first: expected one of the seats"):
        batch_of([msgspec.structs.replace(record, first=2)], rulebook)


def test_unknown_fields_are_kept_if_asked(rulebook: Rulebook) -> None:
    """As one JSON object."""
    fields = fixture_games()[0] | {"vip": [1, 2]}
    assert batch_of([fields], rulebook).extra is None
    assert list(batch_of([fields], rulebook, keep_extra=True).extra or ()) == [b'{"vip":[1,2]}']


def test_there_is_no_game_beyond_the_end(rulebook: Rulebook) -> None:
    """As in a list."""
    batch = batch_of(fixture_games()[:1], rulebook)
    for place in (1, -1):
        with pytest.raises(IndexError):
            game(batch, place)


def test_columns_grow(rulebook: Rulebook) -> None:
    """More text, times and seats than there was room for."""
    columns = Columns(1)
    columns.text = columns.text[:, :10].copy()
    columns.times = columns.times[:2].copy()
    columns.seats = columns.seats[:1].copy()
    columns.reserve(100, seats=5)
    assert columns.text.shape[1] >= 100
    assert len(columns.times) >= 100
    assert len(columns.seats) > 5


def test_no_games_are_a_batch(rulebook: Rulebook) -> None:
    """An empty batch is one."""
    batch = batch_of([], rulebook)
    assert len(batch) == 0
    assert batch.content.tolist() == []
