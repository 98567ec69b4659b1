"""Hanzi survive pipes of every encoding."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest

from tests.cli.running import Game, Run, WriteLog


@pytest.fixture
def hanzi_log(games: list[Game], write_log: WriteLog) -> str:
    """A log whose ids and findings have hanzi, and what GBK does not have."""
    games[3]["id"] = "牌局-é-😀"
    games[3]["result"]["kou"] = "dan"
    return write_log(games[2:5])


ENCODINGS = ["utf-8", "gbk", "gb18030", "ascii", "latin-1"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_is_the_same_document_in_every_encoding(
    run: Run, hanzi_log: str, encoding: str
) -> None:
    """What is read back is what was meant, also by a reader that expects UTF-8."""
    found = run("verify", hanzi_log, "--format", "json", "--lang", "zh", PYTHONIOENCODING=encoding)
    assert found.returncode == 1
    for reading in {encoding, "utf-8"}:
        (finding,) = json.loads(found.stdout.decode(reading))["findings"]
        assert finding["game"] == "牌局-é-😀"
        assert "单扣" in finding["message"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_junit_is_the_same_bytes_in_every_encoding(run: Run, hanzi_log: str, encoding: str) -> None:
    """The document is ASCII with character references."""
    arguments = ("verify", hanzi_log, "--format", "junit", "--lang", "zh", "-q")
    found = run(*arguments, PYTHONIOENCODING=encoding)
    assert found.stdout == run(*arguments).stdout
    case = ElementTree.fromstring(found.stdout).find("testsuite/testcase")
    assert case is not None
    assert case.attrib["name"] == "牌局-é-😀 (line 2)"


@pytest.mark.parametrize("form", ["table", "csv"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_text_is_in_the_encoding_of_the_stream(
    run: Run, hanzi_log: str, form: str, encoding: str
) -> None:
    """Hanzi stay hanzi where the encoding has them; what it has not is escaped."""
    found = run("verify", hanzi_log, "--format", form, "--lang", "zh", PYTHONIOENCODING=encoding)
    assert found.returncode == 1
    assert b"Traceback" not in found.stderr
    text = found.stdout.decode(encoding)
    assert ("牌局" if encoding in ("utf-8", "gbk", "gb18030") else "\\u724c\\u5c40") in text
    assert ("😀" if encoding in ("utf-8", "gb18030") else "\\U0001f600") in text


def test_the_language_is_that_of_the_locale(run: Run, hanzi_log: str) -> None:
    """--lang wins over the locale."""
    chinese = run("verify", hanzi_log, LANG="zh_CN.UTF-8")
    assert "核对一致" in chinese.stdout.decode()
    english = run("verify", hanzi_log, "--lang", "en", LANG="zh_CN.UTF-8")
    assert b"verified" in english.stdout


@pytest.mark.parametrize("encoding", ["gbk", "ascii"])
def test_help_and_errors_can_be_shown(run: Run, encoding: str) -> None:
    """Help has hanzi, and so may the name of a file that is not there."""
    shown = run("--help", PYTHONIOENCODING=encoding)
    assert shown.returncode == 0
    failed = run("verify", "没有.jsonl", PYTHONIOENCODING=encoding)
    assert failed.returncode == 2
    assert b"Traceback" not in failed.stderr


@pytest.mark.parametrize("form", ["jsonl", "csv", "table"])
def test_settle_and_meld_survive_ascii(run: Run, hanzi_log: str, form: str) -> None:
    """Every command writes through the same door."""
    found = run("settle", hanzi_log, "--format", form, PYTHONIOENCODING="ascii")
    assert found.returncode == 0
    shown = run("meld", "3S3H", "--lang", "zh", PYTHONIOENCODING="ascii")
    assert b"\\u" in shown.stdout


def test_a_gbk_log_is_read_with_encoding(run: Run, games: list[Game], write_log: WriteLog) -> None:
    """--encoding reads what UTF-8 cannot; without it the finding names GBK."""
    games[0]["seats"][0]["player"] = "张三丰在此一游"
    path = write_log(games[:3], "gbk.jsonl", encoding="gbk")
    assert run("verify", path, "--encoding", "gbk").returncode == 0
    plain = run("verify", path, "--format", "csv")
    assert plain.returncode == 1
    (finding,) = csv.DictReader(io.StringIO(plain.stdout.decode()))
    assert finding["code"] == "format.encoding"


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_a_file_name_of_foreign_bytes_is_shown(
    run: Run, games: list[Game], write_log: WriteLog, form: str
) -> None:
    """A name that is no UTF-8 is still a file, and JSON stays JSON."""
    games[1]["actions"][1] = "9 -"
    path = write_log(games[:2], "log-\udcff.jsonl")
    found = run("settle", path, "--format", form)
    assert found.returncode == 1
    assert b"Traceback" not in found.stderr
    if form == "json":
        assert json.loads(found.stdout)["games"][1]["finding"]["file"] == path
