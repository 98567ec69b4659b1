"""The Parquet form is judged as JSON Lines are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analytics.findings import Code, Finding, Severity
from analytics.logs import GameBatch, Source, SourceError, batch_of, flaws, read, write_parquet
from analytics.logs.arrow_schema import SCHEMA
from analytics.logs.arrow_values import Texts, list_starts
from analytics.logs.parquet import read_parquet
from analytics.rules import Rulebook, load_rulesets
from tests.games import fixture_games
from tests.logs.conftest import Read, parted
from tests.logs.said import PLACE, said
from tests.logs.strategies import altered, games
from tests.logs.test_checking import MISSING, WRONG, a_game, put

RULEBOOK = load_rulesets([])
GAMES = fixture_games()
LISTS = SCHEMA
for name in ("hands", "actions"):
    LISTS = LISTS.set(LISTS.get_field_index(name), pa.field(name, pa.list_(pa.string())))


def read_table(table: Any, folder: Path, **options: Any) -> tuple[list[GameBatch], list[Finding]]:
    """Batches and findings of an Arrow table."""
    path = folder / "log.parquet"
    pq.write_table(table, path)
    return parted(read(Source(str(path)), RULEBOOK, **options))


def test_lists_of_strings_are_read_as_well(tmp_path: Path, mode: str) -> None:
    """The other layout; columns that nobody has may be missing."""
    table = pa.Table.from_pylist(GAMES)
    batches, findings = read_table(table, tmp_path)
    assert not findings
    assert said(batches[0], but=PLACE) == said(batch_of(GAMES, RULEBOOK), but=PLACE)
    assert batches[0].line.tolist() == list(range(1, 37))
    assert batches[0].offset.tolist() == list(range(36))


@pytest.mark.parametrize(
    "kinds",
    [
        {"id": pa.large_string(), "rules": pa.dictionary(pa.int32(), pa.string())},
        {"first": pa.int8(), "v": pa.uint32(), "base": pa.int32()},
        {"hands": pa.large_list(pa.large_string()), "times": pa.large_list(pa.int32())},
        {"room": pa.null(), "times": pa.null(), "end": pa.null()},
        {"id": pa.string_view()},
    ],
)
def test_related_types_are_read(kinds: dict[str, Any], tmp_path: Path) -> None:
    """Whatever a tool writes that means strings, ints and lists of them."""
    schema = LISTS
    for name, kind in kinds.items():
        schema = schema.set(schema.get_field_index(name), pa.field(name, kind))
    batches, findings = read_table(pa.Table.from_pylist(GAMES, schema=schema), tmp_path)
    assert not findings
    assert said(batches[0], but=PLACE) == said(batch_of(GAMES, RULEBOOK), but=PLACE)


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("v", pa.float64(), flaws.AN_INT_COLUMN),
        ("base", pa.uint64(), flaws.AN_INT_COLUMN),
        ("first", pa.bool_(), flaws.AN_INT_COLUMN),
        ("id", pa.int64(), flaws.A_STRING_COLUMN),
        ("room", pa.binary(), flaws.A_STRING_COLUMN),
        ("start", pa.timestamp("us", "UTC"), flaws.A_STRING_COLUMN),
        ("hands", pa.list_(pa.int64()), flaws.A_STRINGS_COLUMN),
        ("times", pa.list_(pa.float64()), flaws.AN_INTS_COLUMN),
        ("seats", pa.list_(pa.struct([("player", pa.string())])), flaws.A_SEATS_COLUMN),
        ("seats", pa.list_(pa.struct([("player", pa.string()), ("balance", pa.float64())])),
         flaws.A_SEATS_COLUMN),
        ("seats", pa.string(), flaws.A_SEATS_COLUMN),
        ("result", pa.string(), flaws.A_RESULT_COLUMN),
        ("result", pa.struct([("delta", pa.list_(pa.float64()))]), flaws.A_RESULT_COLUMN),
        ("result", pa.struct([("winner", pa.string())]), flaws.A_RESULT_COLUMN),
        ("result", pa.struct([("kou", pa.int64())]), flaws.A_RESULT_COLUMN),
    ],
)  # fmt: skip
def test_a_column_of_the_wrong_type_is_said_once(
    name: str, kind: Any, expected: str, tmp_path: Path
) -> None:
    """For the file, with what was expected and what it is."""
    schema = SCHEMA.set(SCHEMA.get_field_index(name), pa.field(name, kind))
    batches, findings = read_table(schema.empty_table(), tmp_path)
    assert not batches
    assert [(f.code, f.line, f.params) for f in findings] == [
        (Code.FORMAT_FIELD, None, {"path": f"$.{name}", "expected": expected})
    ]
    assert str(findings[0].recorded)[:4] == str(kind)[:4]


def test_a_missing_column_is_said_once(tmp_path: Path) -> None:
    """Every one that is needed; nobody needs the others."""
    batches, findings = read_table(pa.table({"v": [1], "id": ["a"]}), tmp_path)
    assert not batches
    assert [f.params["path"] for f in findings] == [
        "$.game", "$.rules", "$.seats", "$.first", "$.hands", "$.actions",
    ]  # fmt: skip


def _as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


TYPED = [case for case in WRONG if case[1] is not MISSING]


@pytest.mark.parametrize(("at", "value", "code", "path", "expected", "recorded"), TYPED)
def test_a_wrong_row_is_the_finding_of_its_line(
    at: str, value: object, code: str, path: str, expected: str | None, recorded: object,
    tmp_path: Path,
) -> None:  # fmt: skip
    """Wherever a column can hold what is wrong, it is judged as in JSON Lines."""
    game = a_game()
    put(game, at, value)
    try:
        table = pa.Table.from_pylist([GAMES[0], game, GAMES[1]], schema=LISTS)
    except (pa.ArrowException, TypeError, OverflowError):
        pytest.skip("no such value in such a column")
    usual = dict.fromkeys(LISTS.names)
    if _as_text(table.to_pylist()[1]) != _as_text({**usual, **game}):
        pytest.skip("Arrow makes another value of it")
    batches, findings = read_table(table, tmp_path)
    assert batches[0].line.tolist() == [1, 3]
    assert [(f.code.text, f.line, f.params["path"], f.recorded) for f in findings] == [
        (code, 2, path, recorded)
    ]
    assert findings[0].params.get("expected") == expected


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(listed=st.lists(games() | games().flatmap(altered), min_size=1, max_size=5))
def test_rows_are_judged_as_lines_are(
    listed: list[dict[str, Any]], tmp_path: Path, read_bytes: Read
) -> None:
    """The same games and the same findings in both forms."""
    try:
        rows = pa.Table.from_pylist(listed, schema=LISTS).to_pylist()
        table = pa.Table.from_pylist(rows, schema=LISTS)
    except (pa.ArrowException, TypeError, OverflowError, ValueError):
        return
    rows = [{name: value for name, value in row.items() if value is not None} for row in rows]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    expected, expected_findings = read_bytes(lines)
    batches, findings = read_table(table, tmp_path)
    assert [said(b, but=PLACE) for b in batches] == [said(b, but=PLACE) for b in expected]
    assert [(f.code, f.line, f.game) for f in findings] == [
        (f.code, f.line, f.game) for f in expected_findings
    ]


def test_text_that_is_no_utf_8_is_found(tmp_path: Path) -> None:
    """Arrow does not look; the neighbours are read."""
    table = pa.Table.from_pylist(GAMES[:3], schema=LISTS)
    rooms = pa.array([b"a", "财富场".encode("gbk"), "财".encode()], pa.binary())
    text = pa.Array.from_buffers(pa.string(), 3, rooms.buffers())
    table = table.set_column(table.schema.get_field_index("room"), "room", text)
    batches, findings = read_table(table, tmp_path)
    assert batches[0].line.tolist() == [1, 3]
    assert [(f.code, f.line, f.params["likely"]) for f in findings] == [
        (Code.FORMAT_ENCODING, 2, "gbk")
    ]


def test_what_stands_behind_a_null_is_nothing() -> None:
    """Arrow does not say that a null is empty; nor does a slice begin where its buffer does."""
    offsets, data = np.array([0, 1, 3, 6, 7], np.int32), b"abbcccd"
    valid = np.packbits([1, 0, 1, 1], bitorder="little")
    buffers = [pa.py_buffer(b) for b in (valid.tobytes(), offsets.tobytes(), data)]
    array = pa.Array.from_buffers(pa.string(), 4, buffers)
    for part, chars, at in ((array, b"acccd", [0, 1, 1, 4, 5]), (array[1:3], b"ccc", [0, 0, 3])):
        texts = Texts.of(part)
        assert (texts.chars.tobytes(), texts.at.tolist()) == (chars, at)
        assert texts.is_null.tolist() == [text is None for text in part.to_pylist()]


@pytest.mark.parametrize("kind", [pa.list_(pa.int64()), pa.large_list(pa.int64())])
def test_no_lists_have_one_place(kind: Any) -> None:
    """Where the first one would begin; such an array may have no offsets at all."""
    empty = pa.Array.from_buffers(kind, 0, [None, None], children=[pa.array([], pa.int64())])
    assert list_starts(empty).tolist() == [0]


def test_unknown_columns_are_counted(tmp_path: Path) -> None:
    """In how many rows each says something, without reading it."""
    games = [dict(game, result=dict(game["result"], rake=0)) for game in GAMES]
    table = pa.Table.from_pylist(games).append_column("vip", pa.array([None, 1] * 18))
    _, findings = read_table(table, tmp_path)
    assert [(f.code, f.line, f.params["names"]) for f in findings] == [
        (Code.FORMAT_UNKNOWN, None, {"result.rake": 36, "vip": 18})
    ]


def test_unknown_fields_are_counted_where_they_stand(tmp_path: Path) -> None:
    """In how many games: also names with dots, nested ones, and such as look like others."""
    games = fixture_games()[:4]
    for place, game in enumerate(games):
        game["seats"][0] |= {"x.y": place or None, "deep": {"a": [None, 1]}}
        game["result"]["jack.pot"] = None if place % 2 else 1.5
        game |= {"result.rake": 1, "meta": {"room.no": 7} if place == 3 else None}
    batches, findings = read_table(pa.Table.from_pylist(games), tmp_path)
    expected = {
        "meta": 1, "result.jack.pot": 2, "result.rake": 4, "seats[].deep": 4, "seats[].x.y": 3,
    }  # fmt: skip
    assert [f.params["names"] for f in findings] == [expected]
    assert len(batches[0]) == 4


def test_a_column_that_stands_twice_is_said(tmp_path: Path) -> None:
    """Known or not: which of the two would be the one?"""
    table = pa.Table.from_pylist(GAMES[:2])
    for name in ("id", "vip"):
        names = [*table.schema.names, name, name][: 2 + table.num_columns]
        extra = [pa.array(["a", "b"])] * 2
        batches, findings = read_table(pa.table([*table.columns, *extra], names=names), tmp_path)
        assert not batches
        assert [(f.code, f.params["path"]) for f in findings] == [(Code.FORMAT_JSON, f"$.{name}")]


def test_unknown_columns_are_kept_if_asked(tmp_path: Path) -> None:
    """As one JSON object a game; nulls say nothing."""
    games = [game | {"result": game["result"] | {"rake": 5}} for game in GAMES[:2]]
    games[1] = games[1] | {"actions": [";"]}
    table = pa.Table.from_pylist(games).append_column("vip", pa.array([None, 1]))
    batches, _ = read_table(table, tmp_path, keep_extra=True)
    assert list(batches[0].extra or ()) == [
        b'{"result":{"rake":5}}',
        b'{"vip":1,"result":{"rake":5}}',
    ]


def test_a_foreign_column_extra_is_kept_as_it_is(tmp_path: Path) -> None:
    """It need not be what this program writes there; what is no UTF-8 is left out."""
    table = pa.Table.from_pylist(GAMES[:3])
    table = table.append_column("extra", pa.array(["a note", None, '{"x": 1.0}']))
    raw = pa.array([b"a", b"\xff", b"b"], pa.binary())
    table = table.append_column("y", pa.Array.from_buffers(pa.string(), 3, raw.buffers()))
    batches, _ = read_table(table, tmp_path, keep_extra=True)
    assert list(batches[0].extra or ()) == [
        b'{"y":"a","extra":"a note"}', None, b'{"y":"b","x":1.0}',
    ]  # fmt: skip


@pytest.mark.parametrize("damage", ["cut", "middle"])
def test_a_damaged_file_is_an_error(damage: str, tmp_path: Path, rulebook: Rulebook) -> None:
    """As a packed file that is torn."""
    path = tmp_path / "log.parquet"
    write_parquet([batch_of(GAMES, rulebook)] * 3, str(path))
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[:-100]
    else:
        content[4:3000] = b"\xff" * 2996
    path.write_bytes(content)
    batches, findings = parted(read(Source(str(path)), rulebook))
    assert not batches
    assert [(f.code, f.severity) for f in findings] == [(Code.FORMAT_TORN, Severity.ERROR)]


def test_batches_are_no_larger_than_asked_for(tmp_path: Path) -> None:
    """Whatever the row groups are."""
    batches, _ = read_table(pa.Table.from_pylist(GAMES), tmp_path, batch_games=10)
    assert [len(batch) for batch in batches] == [10, 10, 10, 6]


def test_an_empty_table_says_nothing(tmp_path: Path) -> None:
    """Neither games nor findings."""
    assert read_table(SCHEMA.empty_table(), tmp_path) == ([], [])


def test_standard_input_cannot_be_parquet(rulebook: Rulebook) -> None:
    """Its end would have to be read first."""
    with pytest.raises(SourceError, match="standard input"):
        list(read_parquet(Source("-"), rulebook, families=(), keep_extra=False, batch_games=5))
