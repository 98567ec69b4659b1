"""What is written and read again is the same, in both forms and both ways."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analytics.logs import GameBatch, Source, batch_of, read, write_jsonl, write_parquet
from analytics.rules import Rulebook, load_rulesets
from tests.games import fixture_games
from tests.logs.conftest import parted
from tests.logs.said import PLACE, said
from tests.logs.strategies import games, plain_games
from tests.logs.test_checking import a_game

RULEBOOK = load_rulesets([])
NAMES = ("log.jsonl", "log.jsonl.gz", "log.jsonl.zst", "log.parquet")
some_games = st.lists(games() | plain_games(), min_size=1, max_size=5)
property_of_files = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def writer(name: str) -> Callable[..., int]:
    """What writes a file of this name."""
    return write_parquet if name.endswith("parquet") else write_jsonl


def read_back(path: Path, **options: Any) -> list[dict[str, Any]]:
    """What a file says, but for the places."""
    batches, findings = parted(read(Source(str(path)), RULEBOOK, **options))
    assert not [f for f in findings if f.code.text != "format.unknown"]
    return [said(batch, but=PLACE) for batch in batches]


@pytest.mark.parametrize("name", NAMES)
@property_of_files
@given(listed=some_games)
def test_what_is_written_is_read(
    listed: list[dict[str, Any]], name: str, tmp_path: Path, mode: str
) -> None:
    """The same columns and the same content, whatever strings are made of."""
    batch = batch_of(listed, RULEBOOK)
    assert writer(name)([batch], str(tmp_path / name)) == len(listed)
    assert read_back(tmp_path / name) == [said(batch, but=PLACE)]


@property_of_files
@given(listed=some_games)
def test_there_and_back_changes_no_byte(listed: list[dict[str, Any]], tmp_path: Path) -> None:
    """JSON Lines to Parquet to JSON Lines."""
    first, between, last = (tmp_path / n for n in ("a.jsonl", "b.parquet", "c.jsonl"))
    write_jsonl([batch_of(listed, RULEBOOK)], str(first))
    write_parquet(batches(first), str(between))
    write_jsonl(batches(between), str(last))
    assert last.read_bytes() == first.read_bytes()


def batches(path: Path, **options: Any) -> Iterator[GameBatch]:
    """The batches of a file."""
    items = read(Source(str(path)), RULEBOOK, **options)
    return (item for item in items if isinstance(item, GameBatch))


def test_keys_stand_in_the_order_of_the_format(tmp_path: Path) -> None:
    """One game a line, nothing that is absent, text as it is."""
    path = tmp_path / "log.jsonl"
    game = a_game() | {"room": "财富场"}
    write_jsonl([batch_of([game], RULEBOOK)], str(path))
    line = path.read_text("utf-8")
    assert list(json.loads(line)) == [
        "v", "game", "id", "rules", "room", "start", "end", "seats", "shown", "first", "base",
        "hands", "actions", "times", "result", "table", "round", "deal", "arm", "client",
    ]  # fmt: skip
    assert '"room":"财富场"' in line
    assert json.loads(line) == game


@pytest.mark.parametrize("name", NAMES)
def test_unknown_fields_go_along(name: str, tmp_path: Path) -> None:
    """As they stood, if they were kept."""
    source = tmp_path / "source.jsonl"
    game = json.dumps(fixture_games()[0])
    other = json.dumps(fixture_games()[1])
    source.write_text(game[:-1] + ', "pot": 1.10, "vip": {"a": []}}\n' + other + "\n", "utf-8")
    expected = read_back(source, keep_extra=True)
    writer(name)(batches(source, keep_extra=True), str(tmp_path / name))
    assert read_back(tmp_path / name, keep_extra=True) == expected
    assert expected[0]["extra"] == [b'{"pot":1.10,"vip":{"a": []}}', None]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_games_give_the_same_bytes(name: str, tmp_path: Path, rulebook: Rulebook) -> None:
    """No clock and no path gets into a file."""
    batch = batch_of(fixture_games(), rulebook)
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        writer(name)([batch], str(tmp_path / folder / name))
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_there_whole_or_not_at_all(name: str, tmp_path: Path, rulebook: Rulebook) -> None:
    """What was there before stays until the new one is whole, and nothing is left behind."""

    def broken() -> Iterator[GameBatch]:
        yield batch_of(fixture_games(), rulebook)
        raise RuntimeError("no more")

    (tmp_path / name).write_text("before", "utf-8")
    with pytest.raises(RuntimeError):
        writer(name)(broken(), str(tmp_path / name))
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text("utf-8") == "before"


def test_standard_output_is_written_to(monkeypatch: pytest.MonkeyPatch, rulebook: Rulebook) -> None:
    """As plain lines."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw))
    write_jsonl([batch_of(fixture_games(), rulebook)], "-")
    assert raw.getvalue().count(b"\n") == 36


def test_strings_that_do_not_join_turn_a_whole_file_to_lists(tmp_path: Path) -> None:
    """Also where it is met after games that were already written."""
    import pyarrow.parquet as pq

    plain = fixture_games()[:3]
    plain[1]["actions"] = []
    odd = fixture_games()[3] | {"actions": ["a;b", ""], "hands": [""]}
    both = [batch_of(plain, RULEBOOK), batch_of([odd], RULEBOOK), batch_of(plain[:1], RULEBOOK)]
    path = tmp_path / "log.parquet"
    write_parquet(both[:1], str(path))
    assert str(pq.read_schema(path).field("actions").type) == "string"
    write_parquet(both, str(path))
    assert str(pq.read_schema(path).field("actions").type) == "list<element: string>"
    expected = batch_of([*plain, odd, plain[0]], RULEBOOK)
    assert read_back(path) == [said(expected, but=PLACE)]
    assert os.listdir(tmp_path) == ["log.parquet"]


def test_row_groups_are_of_one_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a reader knows what it has to hold in memory."""
    import pyarrow.parquet as pq

    from analytics.logs import parquet_writing

    monkeypatch.setattr(parquet_writing, "ROW_GROUP", 20)
    path = tmp_path / "log.parquet"
    write_parquet([batch_of(fixture_games()[:9], RULEBOOK)] * 5, str(path))
    metadata = pq.read_metadata(path)
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    assert sum(sizes) == 45
    assert max(sizes) <= 20
