"""Fields that the format does not know: kept where they stood, and counted."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.findings import Code, Finding
from analytics.logs import GameBatch, Source, extras, read, read_range, write_jsonl, write_parquet
from analytics.logs.extras import UnknownNames, kept, names_in, unknown_of_line, unknown_part
from analytics.rules import load_rulesets
from tests.games import fixture_games
from tests.logs.conftest import Read, parted

RULEBOOK = load_rulesets()


def a_game_with_extras(place: int = 0) -> dict[str, Any]:
    """A game with an unknown field in every object, and names that look like others."""
    game = fixture_games()[place] | {"vip": {"id": 1}, "seats[0].nick": "top", "result.rake": 9}
    game["seats"][1] |= {"nick": "张", "level": None}
    game["result"] |= {"rake": 5, "jackpot": {"won": [1, 2]}}
    return game


def written(batches: list[GameBatch], path: Path) -> Path:
    """The path, where the games now are."""
    write = write_parquet if path.suffix == ".parquet" else write_jsonl
    write(batches, str(path))
    return path


def read_all(path: Path, **options: Any) -> tuple[list[GameBatch], list[Finding]]:
    """Batches and findings of a file."""
    return parted(read(Source(str(path)), RULEBOOK, **options))


def test_they_are_found_wherever_an_object_is() -> None:
    """In the game, in seats and in the result; not inside an unknown one."""
    unknown = unknown_part(a_game_with_extras())
    assert unknown["seats"] == [{}, {"nick": "张", "level": None}]
    assert names_in(unknown) == {
        *("vip", "seats[0].nick", "result.rake"),
        *("seats[].nick", "seats[].level", "result.jackpot"),
    }
    assert unknown_part(fixture_games()[0]) == {}


def test_they_are_taken_as_they_stand() -> None:
    """What is kept is not changed by reading it: numbers, blanks, keys that stand twice."""
    line = b'{"x": 1.10, "seats": [{"y": 1e400}], "result": {"z": {"a": 1,"a": 2}}}'
    expected = b'{"x":1.10,"seats":[{"y":1e400}],"result":{"z":{"a": 1,"a": 2}}}'
    assert unknown_of_line(line) == expected


@pytest.mark.parametrize("forms", [("jsonl",), ("parquet",), ("jsonl.gz", "parquet", "jsonl.zst")])
def test_there_and_back_nothing_moves_and_nothing_is_lost(
    forms: tuple[str, ...], tmp_path: Path, read_bytes: Read
) -> None:
    """The same content and the same findings, wherever an unknown field stands."""
    games = [*map(a_game_with_extras, range(4)), *fixture_games()[4:8]]
    lines = "".join(json.dumps(game, ensure_ascii=False) + "\n" for game in games)
    batches, findings = read_bytes(lines.encode(), keep_extra=True)
    names = [f"{n}.{form}" for n, form in enumerate((*forms, "jsonl"))]
    for _, name in pairwise(["", *names]):
        path = written(batches, tmp_path / name)
        batches, found = read_all(path, keep_extra=True)
        assert [f.params for f in found] == [f.params for f in findings]
        assert [f.params for f in read_all(path)[1]] == [f.params for f in findings]
    back = path.read_text("utf-8")
    assert [json.loads(line) for line in back.splitlines()] == games
    assert written(read_all(path, keep_extra=True)[0], tmp_path / "z.jsonl").read_text() == back


def test_a_result_of_unknown_parts_only_stays(tmp_path: Path, read_bytes: Read) -> None:
    """It is put where it stood, although nothing else is recorded there."""
    game = fixture_games()[0] | {"result": {"jackpot": 7}}
    batches, _ = read_bytes(json.dumps(game).encode() + b"\n", keep_extra=True)
    assert json.loads(written(batches, tmp_path / "o.jsonl").read_bytes()) == game


@pytest.mark.parametrize(
    "text",
    [
        "a note", "7", "[]", "{}", '{"a":1', '{"id": "other"}', '{"seats": [{"x": 1}]}',
        '{"seats": [{"player": "x"}, {}]}', '{"result": {"delta": [1]}}', '{"result": null}',
        '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": "\\ud800"}', "[" * 100_000,
    ],
)  # fmt: skip
def test_a_text_that_is_something_else_is_no_unknown_part(text: str) -> None:
    """Else a column that anybody may have written could say a known field again."""
    assert kept(text, 2) is None


@pytest.mark.parametrize(
    "text",
    ['{"a": 1.0}', '{"seats":[{},{"nick":"x"}]}', '{"result":{"rake":{}},"a":null}'],
)
def test_an_unknown_part_is_known_again(text: str) -> None:
    """Whoever wrote it: blanks do not matter, values stay as they are."""
    found = kept(text, 2)
    assert json.loads(msgspec.json.encode(found)) == json.loads(text)


names = st.dictionaries(st.text("abc…", max_size=2), st.integers(1, 5), max_size=9)


@given(parts=st.lists(names, max_size=6), order=st.randoms())
def test_counts_of_parts_add_up_in_any_order(parts: list[dict[str, int]], order: Any) -> None:
    """Also where there are more names than are told apart."""
    shuffled = list(parts)
    order.shuffle(shuffled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "MOST_NAMES", 3)
        whole = UnknownNames()
        for part in parts:
            whole.add_counts(part)
        merged = UnknownNames()
        for part in shuffled:
            merged.add_counts(UnknownNames(part).counts())
        counts = whole.counts()
        assert counts == merged.counts()
    assert sum(counts.values()) == sum(sum(part.values()) for part in parts)
    assert len(counts) <= 4


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_ranges_count_what_the_whole_does(
    kind: str, tmp_path: Path, read_bytes: Read, mode: str
) -> None:
    """Findings on unknown fields of parts of a file add up to that of the whole."""
    games = [*map(a_game_with_extras, range(6)), *fixture_games()[6:9]]
    lines = "".join(json.dumps(game) + "\n" for game in games)
    path = written(read_bytes(lines.encode(), keep_extra=True)[0], tmp_path / f"log.{kind}")
    edges = (0, 2500, 6000, None) if kind == "jsonl" else (0, 1, None)
    counted = UnknownNames()
    for start, stop in pairwise(edges):
        items = read_range(Source(str(path)), RULEBOOK, start=start or 0, stop=stop)
        for finding in parted(items)[1]:
            assert finding.code is Code.FORMAT_UNKNOWN
            counted.add_counts(finding.params["names"])
    assert counted.counts() == read_all(path)[1][0].params["names"]
