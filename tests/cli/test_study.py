"""``paipu study``: the same figures in every form, and sentences for what cannot be asked."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.studies import STUDIES
from analytics.warehouse.loading import load
from tests.cli.running import CASES, Invoke


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warehouse with the games of tests/cases."""
    folder = tmp_path_factory.mktemp("study") / "wh"
    load(find_sources([str(CASES / "games.jsonl")]), folder, load_rulesets())
    return str(folder)


def test_the_forms_say_the_same(invoke: Invoke, warehouse: str) -> None:
    """JSON, JSON Lines and CSV have the same rows; the table has as many."""
    asked = ("study", "kou", "--by", "ruleset,day", "--warehouse", warehouse)
    document = json.loads(invoke(*asked, "--format", "json").stdout)
    rows = document["rows"]
    lines = invoke(*asked, "--format", "jsonl").stdout.splitlines()
    cells = list(csv.DictReader(io.StringIO(invoke(*asked, "--format", "csv").stdout)))
    table = invoke(*asked).stdout.splitlines()
    assert [json.loads(line) for line in lines] == rows
    text = [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    assert cells == text
    assert len(table) == len(rows) + 1
    assert [column["name"] for column in document["columns"]] == list(rows[0])
    assert (document["schema"], document["study"], document["games"]) == (1, "kou", 36)
    assert document["by"] == ["ruleset", "day"]
    assert document["tz"] == "Asia/Shanghai"


def test_what_was_asked_for_is_told(invoke: Invoke, warehouse: str) -> None:
    """The head of the document repeats the question."""
    asked = ("--where", "seats = 2", "--since", "2020-01-01", "--until", "2030-01-01",
             "--day-start", "04:30", "--tz", "UTC", "--by", "")  # fmt: skip
    done = invoke("study", "kou", "-w", warehouse, "--format", "json", *asked)
    document = json.loads(done.stdout)
    assert document["where"] == "seats = 2"
    assert (document["since"], document["until"]) == ("2020-01-01", "2030-01-01")
    assert (document["day_start"], document["tz"], document["by"]) == ("04:30", "UTC", [])
    assert len(document["rows"]) == 3


def test_list_names_every_study(invoke: Invoke) -> None:
    """One line a study, with its question; no warehouse is needed."""
    lines = invoke("study", "--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(STUDIES)
    assert all(study.question in line for study, line in zip(STUDIES.values(), lines, strict=True))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("kuo",), "there is no study 'kuo'; is kou meant?"),
        (("kou", "--by", "colour"), "kou cannot be grouped by 'colour'"),
        (("kou", "--where", "true) OR (true"), "is not one expression that only reads"),
        (("kou", "--since", "2026-13-01"), "'2026-13-01' is no day"),
        (("kou", "--tz", "Nowhere"), "'Nowhere' is no time zone"),
        (("kou", "--day-start", "25:00"), "'25:00' is no time of day"),
        (("kou", "--by", ",,"), "',,' has an empty name of a column"),
        (("kou", "--by", "room,"), "'room,' has an empty name of a column"),
        (("kou", "--by", "room", "--by", ""), "has an empty name of a column"),
        (
            ("kou", "--memory", "1KB"),
            "too little memory for this query; let it use more with --memory",
        ),
        (("kou", "--memory", "10MB"), "too little memory for this query"),
        (("kou", "--memory", "much"), "Memory must have a number"),
    ],
)
def test_what_cannot_be_asked_ends_with_two(
    invoke: Invoke, warehouse: str, asked: tuple[str, ...], sentence: str
) -> None:
    """Status 2, a sentence, nothing on standard output."""
    done = invoke("study", *asked, "-w", warehouse)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "SET " not in done.stderr  # DuckDB's advice, which nobody could follow
    assert not done.stdout


def test_a_folder_that_is_no_warehouse_is_said(invoke: Invoke, tmp_path: Path) -> None:
    """Status 2 and the folder's name."""
    done = invoke("study", "kou", "-w", str(tmp_path))
    assert done.exit_code == 2
    assert str(tmp_path) in done.stderr
