"""``paipu meld``: how cards are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.running import CASES, Invoke, Run

FIELDS = ("kind", "size", "top", "groups", "xiang")


def known() -> list[dict[str, Any]]:
    """The questions of tests/cases with their answers."""
    lines = (CASES / "melds.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def ask(run: Run, *lines: str, arguments: tuple[str, ...] = ()) -> tuple[list[Any], int]:
    """The answers to these lines, and the exit status."""
    given = "".join(f"{line}\n" for line in lines).encode()
    found = run("meld", "-", *arguments, given=given)
    return [json.loads(line) for line in found.stdout.splitlines()], found.returncode


def test_every_known_meld_is_read_as_known(run: Run) -> None:
    """All of tests/cases, a field that is absent there being null here."""
    cases = known()
    questions = [
        json.dumps({key: case[key] for key in ("rules", "cards", "over") if key in case})
        for case in cases
    ]
    answers, status = ask(run, *questions)
    assert status == 0
    for answer, case in zip(answers, cases, strict=True):
        meld = case["meld"] and {field: case["meld"].get(field) for field in FIELDS}
        assert answer == {"meld": meld, "error": case.get("error")}


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nonsense", "format.json"),
        ("[]", "format.json"),
        ("\ufeff", "format.json"),
        ("{}", "format.field"),
        ('{"cards": 3}', "format.field"),
        ('{"cards": "3S", "over": 7}', "format.field"),
        ('{"cards": "3S", "rules": null}', "format.field"),
        ('{"cards": "3S", "rules": "nobody"}', "format.rules"),
    ],
)
def test_a_line_that_is_no_question_is_answered_with_an_error(
    run: Run, line: str, error: str
) -> None:
    """Its neighbours are answered, and the exit status is 2 at the end."""
    answers, status = ask(run, '{"cards": "3S"}', line, '{"cards": "4S"}')
    assert status == 2
    assert answers[1] == {"meld": None, "error": error}
    assert [answers[0]["meld"]["top"], answers[2]["meld"]["top"]] == ["3", "4"]


def test_what_a_line_does_not_say_the_options_say(run: Run) -> None:
    """--rules and --over hold for lines without their own."""
    lines = ('{"cards": "4S"}', '{"cards": "4S", "over": null}', '{"cards": "4S", "over": "3S"}')
    answers, status = ask(run, *lines, arguments=("--over", "5S"))
    assert status == 0
    assert [answer["error"] for answer in answers] == ["play.beat", None, None]


@pytest.mark.parametrize(
    ("cards", "over", "status", "error"),
    [
        ("3S3H", None, 0, None),
        ("3S3H", "4S4H", 1, "play.beat"),
        ("4S4H", "3S3H", 0, None),
        ("3S4H", None, 1, "play.meld"),
        ("3S3S3S", None, 1, "deal.copies"),
        ("3s", None, 1, "deal.face"),
        ("", None, 1, "deal.size"),
    ],
)
def test_the_exit_status_is_the_answer(
    invoke: Invoke, cards: str, over: str | None, status: int, error: str | None
) -> None:
    """0 for a meld that may be played, 1 for all else; the error is its code."""
    options = ["--over", over] if over else []
    result = invoke("meld", cards, *options, "--format", "json")
    assert result.exit_code == status
    found = json.loads(result.stdout)
    assert found["error"] == error
    assert found["beats"] == (None if over is None else status == 0)


def test_the_json_document(invoke: Invoke) -> None:
    """All readings, strongest first, and the ruleset that was used."""
    found = json.loads(invoke("meld", "5S6S7S8SBJ", "--format", "json").stdout)
    assert found["schema"] == 1
    assert found["rules"] == "huopin-wealth@1"
    assert [each["declared"] for each in found["readings"]] == ["9", "4"]
    assert [each["counts"] for each in found["readings"]] == [True, False]
    counted = {field: found["readings"][0][field] for field in FIELDS}
    assert found["meld"] == counted


@pytest.mark.parametrize("house", ["huopin-wealth", "jiule"])
def test_of_equal_readings_one_has_the_star(invoke: Invoke, house: str) -> None:
    """All declarations of an irregular chain are listed; one of them counts."""
    result = invoke("meld", "5S5H5C5D6S6H6C6D7S7H7C7DSJ", "--rules", house, "--lang", "en")
    rows = [line.split() for line in result.stdout.splitlines()[-3:]]
    assert sorted(row[-1] for row in rows) == ["5", "6", "7"]
    assert [row[0] for row in rows] == ["*", "-", "-"]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_readings_as_lines(invoke: Invoke, form: str) -> None:
    """A line a reading, with the fields of the JSON document."""
    options = ("5S6S7S8SBJ", "--format")
    readings = json.loads(invoke("meld", *options, "json").stdout)["readings"]
    lines = invoke("meld", *options, form).stdout.splitlines()
    if form == "jsonl":
        assert [json.loads(line) for line in lines] == readings
    else:
        assert lines[0].split(",") == list(readings[0])
        assert lines[1] == "straight,5,9,,0,9,true"


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_an_error_is_no_line_of_data(invoke: Invoke, form: str) -> None:
    """It goes to stderr, where the format has no place for it."""
    result = invoke("meld", "3S4H", "--format", form, "--lang", "en")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == (form == "csv")
    assert result.stderr == "play.meld  Not a legal combination\n"


def test_the_table_marks_the_reading_that_counts(invoke: Invoke) -> None:
    """One line a reading, the one that counts with a star; words in the language."""
    lines = invoke("meld", "5S6S7S8SBJ", "--lang", "zh").stdout.splitlines()
    assert lines[1].split() == ["规则", "huopin-wealth@1"]
    assert [line[0] for line in lines[-2:]] == ["*", "-"]
    assert "顺子" in lines[-1]


def test_another_ruleset_reads_otherwise(invoke: Invoke) -> None:
    """--rules takes a name, with or without a version."""
    for name in ("jiule", "jiule@1"):
        found = json.loads(invoke("meld", "3S3H", "--rules", name, "--format", "json").stdout)
        assert found["rules"] == "jiule@1"
    result = invoke("meld", "3S", "--rules", "jiuel")
    assert result.exit_code == 2
    assert 'did you mean "jiule"?' in result.stderr


def test_cards_on_the_table_must_be_a_meld(invoke: Invoke) -> None:
    """Nothing can be said over cards that nobody can have played."""
    result = invoke("meld", "3S", "--over", "3S4S5H")
    assert result.exit_code == 2
    assert "--over 3S4S5H: play.meld" in result.stderr
