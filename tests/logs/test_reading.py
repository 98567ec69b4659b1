"""Logs are read as streams: good games in batches, and a finding for all else."""

from __future__ import annotations

import gzip
import io
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analytics.findings import Code, Finding, Severity
from analytics.logs import GameBatch, Source, SourceError, extras, is_plain, read, read_range
from analytics.logs import streams as streams_module
from analytics.rules import Rulebook
from tests.games import fixture_games
from tests.logs.conftest import Read, parted
from tests.logs.said import said
from tests.logs.strategies import mutated

GAMES = fixture_games()
LINES = [json.dumps(game).encode() for game in GAMES]
LOG = b"".join(line + b"\n" for line in LINES)
IDS = [game["id"] for game in GAMES]


def ids(batches: list[GameBatch]) -> list[str]:
    """The ids of all games."""
    return [id_ for batch in batches for id_ in batch.id]


def codes(findings: list[Finding]) -> list[str]:
    """The codes of all findings."""
    return [finding.code.text for finding in findings]


def test_games_come_in_order_and_in_batches(read_bytes: Read, mode: str) -> None:
    """No batch is larger than was asked for, and only the last one smaller."""
    batches, findings = read_bytes(LOG, batch_games=10)
    assert [len(batch) for batch in batches] == [10, 10, 10, 6]
    assert ids(batches) == IDS
    assert not findings


def test_lines_and_offsets_say_where_a_game_stands(read_bytes: Read, mode: str) -> None:
    """Line from 1, offset in bytes; blank lines count as lines and are no findings."""
    content = b"\n \t\r\n" + LINES[0] + b"\r\n\n" + LINES[1] + b"\n"
    batches, findings = read_bytes(content)
    assert batches[0].line.tolist() == [3, 5]
    for offset, line in zip(batches[0].offset.tolist(), LINES, strict=False):
        assert content[offset:].startswith(line)
    assert not findings


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_says_nothing(content: bytes, read_bytes: Read, mode: str) -> None:
    """Neither games nor findings."""
    assert read_bytes(content) == ([], [])


def test_a_byte_order_mark_is_passed_over(read_bytes: Read, mode: str) -> None:
    """It belongs to no line."""
    batches, findings = read_bytes(b"\xef\xbb\xbf" + LOG)
    assert ids(batches) == IDS
    assert batches[0].offset[0] == 3
    assert not findings


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_bad_line_hides_no_other(
    data: st.DataObject, read_bytes: Read, mode: str, rulebook: Rulebook
) -> None:
    """Whatever happens to one line, it is one finding or one game, and the others are read."""
    broken = data.draw(mutated(LINES[1]))
    batches, findings = read_bytes(LINES[0] + b"\n" + broken + b"\n" + LINES[2] + b"\n")
    lines = [line for batch in batches for line in batch.line.tolist()]
    assert {1, 3} <= set(lines)
    about_two = [finding.line for finding in findings if finding.code is not Code.FORMAT_UNKNOWN]
    assert about_two in ([], [2])
    assert (2 in lines) + len(about_two) == bool(broken.strip(b" \t\r"))


def test_fast_and_explained_lines_stay_in_order(read_bytes: Read, mode: str) -> None:
    """A line that only the explaining path takes stands where it stood."""
    odd = dict(GAMES[1], actions=["a;b", '"'], id="odd")
    content = b"".join(
        line + b"\n" for line in (LINES[0], json.dumps(odd).encode(), b"{", LINES[2])
    )
    batches, findings = read_bytes(content)
    assert ids(batches) == [IDS[0], "odd", IDS[2]]
    assert not batches[0].actions.joined
    assert batches[0].hands.joined
    assert [finding.line for finding in findings] == [3]


def test_a_torn_last_line_is_a_warning(read_bytes: Read, mode: str) -> None:
    """A writer may still be at work; without a newline a whole line is a game."""
    batches, findings = read_bytes(LOG[:-1])
    assert ids(batches) == IDS
    assert not findings
    for cut in (2, 30, 400):
        batches, findings = read_bytes(LOG[:-cut])
        assert ids(batches) == IDS[:-1]
        assert [(f.code, f.severity, f.line) for f in findings] == [
            (Code.FORMAT_TORN, Severity.WARNING, 36)
        ]


def test_a_last_line_torn_within_a_character_is_torn(read_bytes: Read, mode: str) -> None:
    """Half a character at the end is no other encoding."""
    batches, findings = read_bytes(LOG + '{"id":"x","room":"金'.encode()[:-1])
    assert ids(batches) == IDS
    assert codes(findings) == ["format.torn"]


def test_a_last_line_that_is_wrong_is_not_torn(read_bytes: Read) -> None:
    """Only what is no JSON may become some."""
    _, findings = read_bytes(LOG + b'{"v":2}')
    assert codes(findings) == ["format.version"]
    _, findings = read_bytes(LOG + '{"room":"财富场"'.encode("gbk") + b" " * 9)
    assert codes(findings) == ["format.encoding"]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_packed_logs_are_read_and_torn_ones_are_errors(
    pack: Any, read_bytes: Read, mode: str
) -> None:
    """By content, not by name; the games before the damage are read."""
    halves = pack(LOG[:20_000]) + pack(LOG[20_000:])
    batches, findings = read_bytes(halves, name="named.jsonl")
    assert ids(batches) == IDS
    assert not findings
    batches, findings = read_bytes(pack(LOG[:20_000]) + pack(LOG[20_000:])[:-20])
    assert ids(batches) == IDS[: len(ids(batches))]
    assert len(ids(batches)) > 10
    assert [(f.code, f.severity) for f in findings] == [(Code.FORMAT_TORN, Severity.ERROR)]
    assert findings[0].params["compressed"] is True


@pytest.mark.parametrize("ending", ["gz", "zst", "parquet"])
@pytest.mark.parametrize(
    "content", [b"", b"\x1f", b"\x1f\x8b", b"\x28\xb5\x2f", b"PAR", b"PAR1", b"hello", b"\0" * 99]
)
def test_a_packed_file_without_its_beginning_is_torn(
    content: bytes, ending: str, read_bytes: Read, mode: str
) -> None:
    """Its name says what it should be; an error, since games are missing."""
    batches, findings = read_bytes(content, name=f"log.{ending}")
    assert not batches
    assert [(f.code, f.severity) for f in findings] == [(Code.FORMAT_TORN, Severity.ERROR)]


@pytest.mark.parametrize("ending", ["gz", "zst", "parquet"])
def test_text_under_a_packed_name_is_read(ending: str, read_bytes: Read, mode: str) -> None:
    """The first bytes tell; but nobody writes it line by line, so that torn is an error."""
    batches, findings = read_bytes(LOG + b'{"v":', name=f"log.{ending}")
    assert ids(batches) == IDS
    assert [(f.code, f.line, f.severity) for f in findings] == [
        (Code.FORMAT_TORN, 37, Severity.ERROR)
    ]


def test_an_empty_packed_stream_holds_no_game(read_bytes: Read) -> None:
    """Packed and whole is not torn."""
    for content, name in ((gzip.compress(b""), "a.gz"), (zstandard.compress(b""), "a.zst")):
        assert read_bytes(content, name=name) == ([], [])


def in_chinese(encoding: str) -> bytes:
    """The log with a Chinese room in every game."""
    lines = [
        json.dumps(dict(game, room=f"财富场{i}"), ensure_ascii=False)
        for i, game in enumerate(GAMES)
    ]
    return "".join(line + "\n" for line in lines).encode(encoding)


def test_another_encoding_is_told(read_bytes: Read, mode: str) -> None:
    """Every line that is not UTF-8 is one finding, with its id; the others are read."""
    gbk = in_chinese("gbk").split(b"\n")
    batches, findings = read_bytes(LINES[0] + b"\n" + gbk[1] + b"\n" + LINES[2] + b"\n")
    assert ids(batches) == [IDS[0], IDS[2]]
    assert [(f.code, f.line, f.game, f.params["likely"]) for f in findings] == [
        (Code.FORMAT_ENCODING, 2, IDS[1], "gbk")
    ]


@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "big5", "utf-16", "utf-32-le", "utf-8-sig"])
def test_another_encoding_can_be_set(encoding: str, read_bytes: Read, mode: str) -> None:
    """Then the games are those of the same log in UTF-8."""
    text = in_chinese("utf-8").decode()
    if encoding == "big5":
        text = text.replace("财富场", "場")
    expected, _ = read_bytes(text.encode())
    batches, findings = read_bytes(text.encode(encoding), encoding=encoding)
    assert not findings
    where = ("file", "offset")
    assert [said(b, but=where) for b in batches] == [said(b, but=where) for b in expected]


def test_offsets_are_those_of_the_file_in_any_encoding(read_bytes: Read, mode: str) -> None:
    """So that ranges of a file stay in order."""
    content = in_chinese("gbk")
    batches, _ = read_bytes(content, encoding="gbk")
    for offset, id_ in zip(batches[0].offset.tolist(), IDS, strict=True):
        assert content[offset : offset + 60].startswith(b"{")
        assert id_.encode() in content[offset : offset + 60]


def test_what_cannot_be_decoded_is_one_bad_line(read_bytes: Read, mode: str) -> None:
    """The set encoding may be wrong for one line only."""
    content = LINES[0] + b'\n{"id":"x","room":"\xff\xff"}\n' + LINES[2] + b"\n"
    batches, findings = read_bytes(content, encoding="gbk")
    assert ids(batches) == [IDS[0], IDS[2]]
    assert [(f.code, f.line) for f in findings] == [(Code.FORMAT_ENCODING, 2)]
    assert findings[0].params == {"path": "$", "asked": "gbk"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_file_in_utf_16_is_one_finding(encoding: str, read_bytes: Read) -> None:
    """Nothing of it can be read, and it is said once."""
    batches, findings = read_bytes(LOG.decode().encode(encoding))
    assert not batches
    assert [(f.code, f.line) for f in findings] == [(Code.FORMAT_ENCODING, None)]
    assert findings[0].params["likely"] == encoding


def test_a_set_encoding_that_cannot_be_is_one_finding(read_bytes: Read) -> None:
    """UTF-16 begins with a byte order mark."""
    batches, findings = read_bytes(LOG, encoding="utf-16")
    assert not batches
    assert [(f.code, f.line) for f in findings] == [(Code.FORMAT_ENCODING, None)]
    assert findings[0].params == {"path": "$", "asked": "utf-16"}


def test_an_encoding_that_does_not_exist_is_refused(read_bytes: Read) -> None:
    """That is a mistake of the caller."""
    with pytest.raises(LookupError):
        read_bytes(LOG, encoding="utf-9")


def test_unknown_fields_are_counted_once_a_file(read_bytes: Read, mode: str) -> None:
    """One finding with names and counts, whichever path a line took."""
    games = [dict(game, vip=1) for game in fixture_games()]
    games[3] |= {"x": {}, "actions": [";"]}
    games[5]["seats"][0]["nick"] = "n"
    games[5]["seats"][1]["nick"] = "m"
    games[7]["result"]["rake"] = 5
    content = b"".join(json.dumps(game).encode() + b"\n" for game in games)
    batches, findings = read_bytes(content, batch_games=5)
    assert ids(batches) == IDS
    assert [(f.code, f.line, f.params["names"]) for f in findings] == [
        (Code.FORMAT_UNKNOWN, None, {"result.rake": 1, "seats[].nick": 1, "vip": 36, "x": 1})
    ]


def test_made_up_names_do_not_fill_the_memory(
    read_bytes: Read, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond so many names, all others are counted together."""
    monkeypatch.setattr(extras, "MOST_NAMES", 5)
    games = [dict(game, **{f"x{i}": 1, "vip": 1}) for i, game in enumerate(GAMES)]
    content = b"".join(json.dumps(game).encode() + b"\n" for game in games)
    batches, findings = read_bytes(content)
    assert ids(batches) == IDS
    names = ["vip", *(f"x{i}" for i in range(36))]
    told = dict.fromkeys(sorted(names)[:5], 1) | {"vip": 36}
    assert findings[0].params["names"] == told | {"…": 32}


def test_unknown_fields_are_kept_as_they_stand(read_bytes: Read, mode: str) -> None:
    """As one JSON object a game, numbers unchanged."""
    line = LINES[0][:-1] + b', "pot": 1.10, "t": {"a": [1,  2]}}'
    batches, _ = read_bytes(line + b"\n" + LINES[1] + b"\n", keep_extra=True)
    assert list(batches[0].extra or ()) == [b'{"pot":1.10,"t":{"a": [1,  2]}}', None]
    batches, _ = read_bytes(line + b"\n")
    assert batches[0].extra is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "format.json"), (b"[1]", "format.json"), (b"{}", "format.version"),
        (b"\x00" * 50, "format.json"), (b"[" * 100_000, "format.json"),
        (b'{"v":' + b"9" * 10_000 + b"}", "format.version"), (b"\xff\xfe", "format.encoding"),
        (b'{"v":1,"game":"shuangkou","id":"x","rules":"' + b"y" * 2_000_000 + b'"}',
         "format.rules"),
    ],
)  # fmt: skip
def test_whatever_a_line_is_it_is_one_finding(
    line: bytes, code: str, read_bytes: Read, mode: str
) -> None:
    """Deep nesting, huge numbers, megabytes in a line; the neighbours are read."""
    batches, findings = read_bytes(LINES[0] + b"\n" + line + b"\n" + LINES[1] + b"\n")
    assert ids(batches) == IDS[:2]
    assert [(f.code.text, f.line) for f in findings] == [(code, 2)]
    assert len(str(findings[0].recorded)) <= 80


def test_a_line_of_many_megabytes_is_read(read_bytes: Read, mode: str) -> None:
    """Blocks grow with a long line."""
    long = json.dumps(dict(GAMES[0], room="r" * 3_000_000)).encode()
    batches, findings = read_bytes(LINES[1] + b"\n" + long + b"\n" + LINES[2] + b"\n")
    assert ids(batches) == [IDS[1], IDS[0], IDS[2]]
    assert len(batches[0].labels["room"][1] or "") == 3_000_000
    assert not findings


def test_a_line_that_is_too_long_is_a_finding(
    read_bytes: Read, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end is found, and counted as one line."""
    monkeypatch.setattr(streams_module, "LONGEST_LINE", 400_000)
    long = b'{"id": "' + b"x" * 2_000_000 + b'"}'
    batches, findings = read_bytes(LINES[0] + b"\n" + long + b"\n" + LINES[1] + b"\n")
    assert [batch.line.tolist() for batch in batches] == [[1, 3]]
    assert [(f.code, f.line) for f in findings] == [(Code.FORMAT_JSON, 2)]


def test_games_with_many_seats_are_read(read_bytes: Read, mode: str) -> None:
    """More seats than the kernel takes, and more than were reserved."""
    seats = [{"player": f"p{i}", "balance": i} for i in range(1000)]
    game = dict(GAMES[0], seats=seats, result=None, id="many")
    line = json.dumps(game).encode()
    batches, findings = read_bytes(b"\n".join([LINES[0], line, LINES[1], line]), batch_games=3)
    assert ids(batches) == [IDS[0], "many", IDS[1], "many"]
    assert sum(len(batch.player) for batch in batches) == 2004
    assert not findings


def test_standard_input_is_read(
    rulebook: Rulebook, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Packed as well."""
    for content in (io.BytesIO(LOG), io.BufferedReader(io.BytesIO(gzip.compress(LOG)))):
        stdin = io.TextIOWrapper(content)
        monkeypatch.setattr(sys, "stdin", stdin)
        batches, findings = parted(read(Source("-"), rulebook))
        assert ids(batches) == IDS
        assert batches[0].file == "-"
        assert not findings


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cuts=st.lists(st.integers(0, len(LOG)), max_size=5))
def test_ranges_give_the_same_games(
    cuts: list[int], read_bytes: Read, rulebook: Rulebook, tmp_path: Path, mode: str
) -> None:
    """Ranges that lie side by side give every game once, with its offset in the file."""
    whole, _ = read_bytes(LOG)
    source = Source(str(tmp_path / "log.jsonl"))
    edges = [0, *sorted(cuts), None]
    parts: list[GameBatch] = []
    for start, stop in pairwise(edges):
        batches, findings = parted(read_range(source, rulebook, start=start or 0, stop=stop))
        parts += batches
        assert not findings
    assert ids(parts) == IDS
    assert np.concatenate([p.offset for p in parts]).tolist() == whole[0].offset.tolist()
    assert np.concatenate([p.content for p in parts]).tolist() == whole[0].content.tolist()


def test_only_plain_files_are_read_in_parts(rulebook: Rulebook, tmp_path: Path) -> None:
    """What is packed can only be read from its beginning."""
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(LOG))
    assert not is_plain(str(path))
    assert ids(parted(read_range(Source(str(path)), rulebook))[0]) == IDS
    with pytest.raises(SourceError):
        list(read_range(Source(str(path)), rulebook, start=5, stop=10))
    path.write_bytes(LOG)
    assert is_plain(str(path))
    with pytest.raises(SourceError):
        list(read_range(Source(str(path)), rulebook, start=5, encoding="utf-16"))


def test_ranges_of_a_file_in_utf_16_say_so_once(rulebook: Rulebook, tmp_path: Path) -> None:
    """The number of findings does not depend on where a file is cut."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(LOG.decode().encode("utf-16"))
    findings: list[Finding] = []
    for start, stop in ((0, 5000), (5000, 20_000), (20_000, None)):
        findings += parted(read_range(Source(str(path)), rulebook, start=start, stop=stop))[1]
    assert codes(findings) == ["format.encoding"]


def test_both_modes_read_the_same(read_bytes: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled and uncompiled, the batches are equal."""
    found = []
    for mode in ("never", "always"):
        monkeypatch.setenv("PAIPU_COMPILE", mode)
        found.append([said(batch) for batch in read_bytes(LOG, batch_games=7)[0]])
    assert found[0] == found[1]
