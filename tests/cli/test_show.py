"""``paipu show``: one game as text and as JSON, for people who have to decide about it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from analytics.wording import Language
from analytics.wording.catalogue import catalogue
from analytics.wording.words import term_of
from cli import layout
from cli.layout import PIPED, Column, Span, Table, lines_of, page_width, wrapped, write_lines
from cli.tables import width
from tests.cli.running import CASES, Game, Invoke, Run, WriteLog

GOOD = str(CASES / "games.jsonl")
IDS = [json.loads(line)["id"] for line in Path(GOOD).read_text(encoding="utf-8").splitlines()]
HANZI = re.compile(r"[\u4e00-\u9fff]")
ANSI = "\x1b["


@pytest.fixture
def wrong(games: Sequence[Game]) -> Game:
    """A game of two seats whose recorded doubling is wrong, and so is what follows from it."""
    game = next(x for x in games if x["id"] == "h11-00006")
    game["result"] |= {"doubling": 8, "delta": [-240, 240], "balance": [8773, 979]}
    return game


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page as wide as pages get."""
    monkeypatch.setattr(layout, "PIPED", layout.WIDEST)


def text_of(invoke: Invoke, log: str, *options: str, status: int = 0) -> str:
    """What show prints as text, in English unless the options say otherwise."""
    language = () if "--lang" in options else ("--lang", "en")
    result = invoke("show", log, *options, *language)
    assert result.exit_code == status, result.output
    return result.stdout


def json_of(invoke: Invoke, log: str, *options: str, status: int = 0) -> dict[str, Any]:
    """What show prints as JSON."""
    document: dict[str, Any] = json.loads(
        text_of(invoke, log, *options, "--format", "json", status=status)
    )
    return document


def failure_of(invoke: Invoke, *arguments: str) -> str:
    """The sentence with which show fails; nothing is on standard output."""
    result = invoke("show", *arguments, "--lang", "en")
    assert result.exit_code == 2
    assert not result.stdout
    return result.stderr


def line_with(text: str, *words: str) -> str:
    """The only line that has all these words."""
    (line,) = [x for x in text.splitlines() if all(word in x for word in words)]
    return line


# Every game


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game_id", IDS)
def test_every_game_is_shown_as_text(invoke: Invoke, game_id: str, language: str) -> None:
    """In both languages, on pages that are not too wide, with every action."""
    text = text_of(invoke, GOOD, "--game", game_id, "--lang", language)
    assert text.startswith(f"✓ {'Game' if language == 'en' else '牌局'} {game_id}\n")
    assert max(map(width, text.splitlines())) <= PIPED
    assert "{" not in text
    assert text.splitlines()[-1].startswith("✓ ")
    if language == "en":
        assert not HANZI.search(text.replace("小王", "").replace("大王", ""))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game_id", IDS)
def test_every_game_is_shown_as_json(
    invoke: Invoke, all_games: tuple[Game, ...], game_id: str, language: str
) -> None:
    """What was logged is there, field by field."""
    game = next(x for x in all_games if x["id"] == game_id)
    found = json_of(invoke, GOOD, "--game", game_id, "--lang", language)
    assert list(found) == ["schema", "game", "steps", "held", "settlement", "findings"]
    assert (found["schema"], found["held"]) == (1, None)
    assert found["game"]["id"] == game_id
    assert [x["player"] for x in found["game"]["seats"]] == [x["player"] for x in game["seats"]]
    assert [step["text"] for step in found["steps"]] == game["actions"]
    deltas = [x["recomputed"] for x in found["settlement"]["lines"] if x["item"] == "delta"]
    assert deltas == game["result"]["delta"]
    assert found["settlement"]["first_wrong"] is None


@pytest.fixture
def unwrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is wide enough for every line."""
    monkeypatch.setattr(layout, "PIPED", 1_000)


@pytest.mark.usefixtures("unwrapped")
def test_json_and_text_say_the_same(invoke: Invoke, wrong: Game, write_log: WriteLog) -> None:
    """Every expression and every row of a table of the JSON stands in the text."""
    log = write_log([wrong])
    text = " ".join(text_of(invoke, log, status=1).split())
    found = json_of(invoke, log, status=1)
    for line in found["settlement"]["lines"]:
        is_shown = not line["why"] or not re.fullmatch(r"[\d,-]+", line["expression"] or "0")
        assert not is_shown or (line["expression"] or "") in text
        for row in line["rows"]:
            assert f"{row['table']} {row['key']}→{row['value']}" in text
    for finding in found["findings"]:
        assert finding["code"] in text
        assert finding["message"][:40] in text


# A wrong result


@pytest.mark.usefixtures("wide")
def test_a_wrong_result_shows_which_term_is_wrong(
    invoke: Invoke, wrong: Game, write_log: WriteLog
) -> None:
    """Recorded beside recomputed; the first wrong term is named, the right ones are ticked."""
    text = text_of(invoke, write_log([wrong]), status=1)
    assert text.startswith("✗ Game h11-00006\n")
    doubling = line_with(text, "doubling b", "[doubling 6→4]")
    assert doubling.split()[0] == "✗"
    assert doubling.split()[-2:] == ["4", "8"]
    assert line_with(text, "gain or loss, seat 1", "240 (+160)").startswith("  ✗")
    assert line_with(text, "contribution C, seat 0", "4 - 2").startswith("  ✓")
    assert text.splitlines()[-1] == (
        "✗ Errors: 5. The first wrong term is doubling b: recorded 8, by the rules 4."
    )


def test_a_wrong_result_in_json(invoke: Invoke, wrong: Game, write_log: WriteLog) -> None:
    """The same, for programs."""
    found = json_of(invoke, write_log([wrong]), status=1)
    line = next(x for x in found["settlement"]["lines"] if x["item"] == "doubling")
    assert line == {
        "item": "doubling",
        "seat": None,
        "clause": "8",
        "rows": [{"table": "doubling", "key": "6", "value": "4"}],
        "why": [{"key": "doubling_by", "seat": 1, "xiang": 6}],
        "expression": None,
        "recomputed": 4,
        "recorded": 8,
        "agrees": False,
    }
    assert found["settlement"]["first_wrong"] == {"item": "doubling", "seat": None}
    assert [x["code"] for x in found["findings"]] == [
        "settle.doubling", "settle.balance", "settle.delta", "settle.balance", "settle.delta",
    ]  # fmt: skip


def test_without_a_result_there_is_nothing_to_compare(
    invoke: Invoke, wrong: Game, write_log: WriteLog
) -> None:
    """The game is shown and worked out all the same."""
    del wrong["result"]
    text = text_of(invoke, write_log([wrong]))
    assert text.splitlines()[-1].endswith("no result was recorded.")
    assert "40·1·4 + 40·(2 - 4)" in text


@pytest.mark.usefixtures("wide")
def test_a_game_without_a_base_says_why(invoke: Invoke, wrong: Game, write_log: WriteLog) -> None:
    """The balance that has no level, and that amounts were not compared."""
    wrong["seats"][1]["balance"] = -3
    wrong["result"]["doubling"] = 4
    text = text_of(invoke, write_log([wrong]), status=1)
    assert "seat 1 has -3, the first level needs 0" in text
    assert text.splitlines()[-1].endswith("has no base, so its amounts cannot be checked.")


# Plays


@pytest.mark.usefixtures("wide")
def test_a_play_is_shown_with_all_that_it_means(invoke: Invoke) -> None:
    """Cards, reading, what lay there and whose, cards left, running xiang, who is next."""
    text = text_of(invoke, GOOD, "--game", "h11-00006")
    (line,) = [x for x in text.splitlines() if re.match(r" +6 ", x)]
    assert re.split(r" {2,}", line.strip()) == [
        "6", "0", "3♣♣♦♦ 小王 小王 大王=333", "bomb of 3s, 7 xiang", "bomb of 8s, 6 xiang (1)",
        "8 13", "7 6", "1",
    ]  # fmt: skip


def test_a_play_in_json(invoke: Invoke) -> None:
    """The same play, field by field."""
    step = json_of(invoke, GOOD, "--game", "h11-00006")["steps"][6]
    bomb = {"kind": "bomb", "groups": None}
    assert step == {
        "action": 6,
        "seat": 0,
        "text": step["text"],
        "what": "play",
        "cards": step["text"][2:].partition("=")[0],
        "meld": {**bomb, "size": 7, "top": "3", "xiang": 7},
        "declared": "333",
        "by_system": False,
        "time": None,
        "done": True,
        "table": {"seat": 1, "meld": {**bomb, "size": 6, "top": "8", "xiang": 6}},
        "cards_left": [8, 13],
        "xiang": [7, 6],
        "next": 1,
        "notes": [],
        "findings": [],
    }


def test_times_have_a_column_where_they_are_logged(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """With separators; without times there is no such column."""
    assert " ms " not in text_of(invoke, write_log([games[6]]))
    games[6]["times"] = [1_500 * at for at in range(len(games[6]["actions"]))]
    text = text_of(invoke, write_log([games[6]]))
    assert " ms " in text
    assert "28,500" in text


def test_a_table_without_times_or_shown_card_is_shown(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """What a log need not have is left out."""
    for name in ("shown", "start"):
        games[6].pop(name)
    text = text_of(invoke, write_log([games[6]]))
    assert "start" not in text
    assert "-, seat 0 leads" in text


@pytest.mark.usefixtures("wide")
def test_house_words_are_used_in_chinese(invoke: Invoke) -> None:
    """星 where the ruleset says so; English keeps its own word for what is written in hanzi."""
    chinese = text_of(invoke, GOOD, "--game", "h11-00004", "--lang", "zh")
    assert "4星炸弹 K" in chinese
    assert "相" not in chinese.partition("结算")[2]
    assert "bomb of Ks, 4 xiang" in text_of(invoke, GOOD, "--game", "h11-00004")


# Broken games


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("action", "code"),
    [("1 hello", "play.syntax"), ("0 -", "play.turn"), ("1 3S3S", "play.beat"),
     ("1 AS", "play.held"), ("1 3S7C", "play.meld"), ("1 7C7D=8", "play.declared")],
)  # fmt: skip
def test_a_broken_game_is_shown_up_to_the_break(
    invoke: Invoke, games: list[Game], write_log: WriteLog, action: str, code: str, language: str
) -> None:
    """The finding stands at its action; what follows is as logged; nothing is settled."""
    games[6]["actions"][3] = action
    text = text_of(invoke, write_log([games[6]]), "--lang", language, status=1)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip().startswith(f"{code}: "))
    assert lines[at - 1].split()[0] == "3"
    assert not [x for x in lines if x in ("结算", "Settlement")]
    assert sum(bool(re.match(r" +\d+ ", x)) for x in lines) >= len(games[6]["actions"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_deal_is_shown_as_logged(
    invoke: Invoke, games: list[Game], write_log: WriteLog, language: str
) -> None:
    """A hand that cannot be read stands there as it is."""
    games[6]["hands"][0] = "hello\x1b[31m"
    text = text_of(invoke, write_log([games[6]]), "--lang", language, status=1)
    assert "hello\\x1b[31m" in text
    assert "deal.face" in text
    assert json_of(invoke, write_log([games[6]]), status=1)["settlement"] is None


def test_a_game_that_stops_early_is_shown(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """Also one without any action."""
    games[6]["actions"] = []
    text = text_of(invoke, write_log([games[6]]), status=1)
    assert "play.unfinished" in text
    assert text.splitlines()[-1] == "✗ Errors: 1. The game cannot be settled."


def test_odd_things_are_shown_beside_their_action(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """Infos do not make the status 1."""
    games[6]["actions"].insert(0, "0 !timeout")
    text = text_of(invoke, write_log([games[6]]))
    assert "timeout 1 of seat 0" in text
    assert "  auto.timeout: Seat 0 acted itself" in text


# Stopping, masking, plain text


def test_a_step_shows_the_game_so_far(invoke: Invoke, wrong: Game, write_log: WriteLog) -> None:
    """Actions up to it, the hands then; no settlement; the status is that of the game."""
    log = write_log([wrong])
    text = text_of(invoke, log, "--step", "6", status=1)
    assert "Settlement" not in text
    assert "8 cards  4♥ 9♠♥♦ 10♣ Q♦♦ 2♠" in text
    assert text.splitlines()[-1] == (
        "Shown up to action 6 of 19; findings here 0, in the whole game 5."
    )
    found = json_of(invoke, log, "--step", "6", status=1)
    assert [step["action"] for step in found["steps"]] == list(range(7))
    assert found["held"][0] == "4H9S9H9DTCQDQD2S"
    assert (found["settlement"], found["findings"]) == (None, [])


def test_a_step_beyond_the_game_is_refused(invoke: Invoke) -> None:
    """It says how many there are."""
    message = failure_of(invoke, GOOD, "--game", "h11-00006", "--step", "20")
    assert message == "Error: --step 20: the game has 20 actions, counted from 0.\n"


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_steps_as_lines(invoke: Invoke, form: str) -> None:
    """A line a step, with the fields that steps have in the JSON document."""
    options = (GOOD, "--game", "h11-00006", "--format")
    steps = json.loads(invoke("show", *options, "json").stdout)["steps"]
    lines = invoke("show", *options, form).stdout.splitlines()
    if form == "jsonl":
        assert [json.loads(line) for line in lines] == steps
        return
    rows = list(csv.DictReader(lines))
    assert list(rows[0]) == list(steps[0])
    for row, step in zip(rows, steps, strict=True):
        assert {name: _as_cell(value) for name, value in step.items()} == row


def _as_cell(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_minus_is_the_same_sign_everywhere(
    invoke: Invoke, wrong: Game, write_log: WriteLog, form: str, language: str
) -> None:
    """Settlement, expressions, findings and verdict: a hyphen, which every stream can show."""
    wrong["result"]["delta"] = [-200, 200]
    text = invoke("show", write_log([wrong]), "--lang", language, "--format", form).stdout
    findings = text.partition("settle.delta")[2]
    assert "-200" in text
    assert "-" in findings
    assert "\N{MINUS SIGN}" not in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_text_has_another_minus(language: Language) -> None:
    """Nor has any text that is printed with numbers beside it."""
    texts = catalogue(language)
    sentences = (text for variants in texts.sentences.values() for text in variants.values())
    for text in (*sentences, *texts.words.values(), *texts.phrases.values()):
        assert "\N{MINUS SIGN}" not in text


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_a_mask_leaves_no_name_anywhere(
    invoke: Invoke, games: list[Game], tmp_path: Path, form: str, spoilt: bool
) -> None:
    """Neither of a player nor of the room, whatever else the log says."""
    game = {**games[6], "id": "anna-7", "room": "anna's", "table": "anna-t", "client": "anna-c"}
    game["seats"][0]["player"], game["seats"][1]["player"] = "anna", "anna-b"
    if spoilt:
        game["actions"][2] = "anna folds"
    folder = tmp_path / "of-anna-b"
    folder.mkdir()
    (folder / "log.jsonl").write_text(json.dumps(game), encoding="utf-8")
    options = (str(folder), "--format", form, "--lang", "en")
    shown = invoke("show", *options)
    masked = invoke("show", *options, "--mask")
    assert shown.exit_code == masked.exit_code == int(spoilt)
    assert "anna" not in masked.output
    if form in ("table", "json"):  # steps alone name nobody
        assert "anna" in shown.stdout
        assert "P0" in masked.stdout
        assert "P1" in masked.stdout


def test_plain_ascii_on_request(invoke: Invoke) -> None:
    """Suits, jokers and signs; the expressions stay readable."""
    for game_id in ("h11-00006", "h11-00000", "h11-00004"):
        text = text_of(invoke, GOOD, "--game", game_id, "--ascii")
        assert text.isascii()
    assert "3CCDD SJ SJ BJ=333" in text_of(invoke, GOOD, "--game", "h11-00006", "--ascii")
    text = text_of(invoke, GOOD, "--game", "h11-00000", "--ascii")
    assert "floor(110*0 / 100)" in text


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "utf-8"])
def test_every_stream_gets_what_it_can_show(run: Run, encoding: str) -> None:
    """Suits only where they can be encoded; hanzi survive GBK."""
    done = run(
        "show", GOOD, "--game", "h11-00006", "--lang", "zh", PYTHONIOENCODING=encoding
    )  # fmt: skip
    assert done.returncode == 0
    text = done.stdout.decode(encoding)
    assert ("♠" in text) == (encoding == "utf-8")
    assert ("牌局" in text) == (encoding != "ascii")
    assert not done.stderr


class Terminal(io.StringIO):
    """Standard output that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_only(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """Styles become escape sequences there, and nothing elsewhere."""
    assert ANSI not in text_of(invoke, GOOD, "--game", "h11-00006")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    write_lines([(Span("ok", "green"), Span("  ")), (Span("plain [red]"),)])
    assert ANSI in terminal.getvalue()
    assert "plain [red]\n" in terminal.getvalue()


@pytest.mark.parametrize(("columns", "page"), [(40, 80), (90, 90), (300, 120)])
def test_a_page_is_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, page: int
) -> None:
    """Within reason; a pipe gets a fixed width."""
    assert page_width() == PIPED
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", str(columns))
    assert page_width() == page


@pytest.mark.parametrize("columns", ["80", "120"])
def test_a_narrow_page_wraps(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """Nothing is cut off and nothing sticks out, also with four seats and times."""
    monkeypatch.setattr(layout, "PIPED", int(columns))
    for game_id in ("h11-00004", "h11-00006"):
        for language in ("en", "zh"):
            text = text_of(invoke, GOOD, "--game", game_id, "--lang", language)
            assert max(map(width, text.splitlines())) <= int(columns)


# Finding the game


@pytest.mark.parametrize("kind", ["folder", "glob", "gzip", "zstd", "stdin"])
def test_a_game_is_found_wherever_it_is(run: Run, tmp_path: Path, kind: str) -> None:
    """In a folder, by a glob, packed, or on standard input."""
    data = Path(GOOD).read_bytes()
    (tmp_path / "a.jsonl").write_bytes(data.splitlines(keepends=True)[0])
    packed = {"gzip": gzip.compress(data), "zstd": zstandard.compress(data)}.get(kind, data)
    name = {"gzip": "b.jsonl.gz", "zstd": "b.jsonl.zst"}.get(kind, "b.jsonl")
    (tmp_path / name).write_bytes(packed)
    log = {"glob": str(tmp_path / "*.jsonl*"), "stdin": "-"}.get(kind, str(tmp_path))
    given = data if kind == "stdin" else b""
    result = run("show", log, "--game", "h11-00007", "--format", "json", given=given)
    assert result.returncode == 0
    assert json.loads(result.stdout)["game"]["line"] == 8


def test_reading_stops_where_the_game_is(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that come later are not opened."""
    import analytics.logs

    opened: list[str] = []
    read = analytics.logs.read

    def watched(source: Any, *arguments: Any, **options: Any) -> Any:
        opened.append(Path(source.path).name)
        return read(source, *arguments, **options)

    monkeypatch.setattr(analytics.logs, "read", watched)
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(Path(GOOD).read_bytes())
    text_of(invoke, str(tmp_path), "--game", "h11-00007")
    assert opened == ["a.jsonl"]


def test_an_unknown_id_is_answered_with_near_ones(invoke: Invoke) -> None:
    """Status 2, a sentence, and what may have been meant."""
    message = failure_of(invoke, GOOD, "--game", "h11-0007")
    assert message.startswith("Error: no game with the id 'h11-0007' among 36 games. Did you mean ")
    assert "h11-00007" in message
    message = failure_of(invoke, GOOD, "--game", "???")
    assert message == "Error: no game with the id '???' among 36 games.\n"


def test_an_id_and_a_line_that_disagree_are_told_apart(invoke: Invoke) -> None:
    """Where the game stands, and what stands in the line; no id is suggested that exists."""
    result = invoke("show", GOOD, "--game", "h11-00006", "--line", "3", "--lang", "en")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: the game 'h11-00006' stands in line 7, not in line 3. "
        "Line 3 holds the game 'h11-00002'.\n"
    )
    result = invoke("show", GOOD, "--game", "h11-0006", "--line", "3", "--lang", "en")
    assert "Did you mean" in result.stderr
    assert "Line 3 holds the game 'h11-00002'." in result.stderr
    beyond = invoke("show", GOOD, "--game", "h11-00006", "--line", "99", "--lang", "en")
    assert "stands in line 7, not in line 99.\n" in beyond.stderr


def test_a_log_with_one_game_needs_no_id(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """Without --game the only game is shown."""
    assert text_of(invoke, write_log([games[6]])).startswith("✓ Game h11-00006")


def test_a_log_with_several_games_needs_one(invoke: Invoke) -> None:
    """It says how to name it."""
    message = failure_of(invoke, GOOD)
    assert "--game ID or --line N" in message
    assert "--game h11-00000" in message


def test_a_log_without_games_is_a_failure(invoke: Invoke, write_log: WriteLog) -> None:
    """Whether a game is asked for or not."""
    assert failure_of(invoke, write_log([])) == "Error: no game could be read.\n"
    message = failure_of(invoke, write_log([]), "--game", "x")
    assert message == "Error: no game with the id 'x': no game could be read.\n"


def test_a_line_names_a_game(invoke: Invoke, games: list[Game], write_log: WriteLog) -> None:
    """As findings do: by the number of the line."""
    log = write_log(["", games[5], games[6]])
    assert text_of(invoke, log, "--line", "3").startswith("✓ Game h11-00006")
    assert failure_of(invoke, log, "--line", "4") == "Error: line 4 holds no game.\n"
    assert failure_of(invoke, log, "--line", "1") == "Error: line 1 holds no game.\n"


def test_a_line_needs_one_file(invoke: Invoke, games: list[Game], write_log: WriteLog) -> None:
    """In several files a line is not enough, unless the id is given too."""
    write_log([games[5], games[6]], "a.jsonl")
    folder = str(Path(write_log([games[7], games[8]], "b.jsonl")).parent)
    assert "--line means 2 files" in failure_of(invoke, folder, "--line", "1")
    assert text_of(invoke, folder, "--line", "2", "--game", "h11-00008")
    message = failure_of(invoke, folder, "--line", "1", "--game", "h11-00008")
    assert "'h11-00008' stands in line 2, not in line 1" in message


def test_the_first_game_with_an_id_counts(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """A second one is told of, and can be shown by its line."""
    second = {**games[6], "seats": [{"player": "x", "balance": 5_000}, games[6]["seats"][1]]}
    log = write_log([games[5], games[6], second])
    result = invoke("show", log, "--game", "h11-00006", "--lang", "en")
    assert games[6]["seats"][0]["player"] in result.stdout
    assert result.stderr == "The same id stands in line 3, too; --line shows it.\n"
    assert "5,000" in text_of(invoke, log, "--game", "h11-00006", "--line", "3", status=1)


def test_a_game_that_cannot_be_read_says_why(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """The finding of its line, by id and by line."""
    games[6]["rules"] = "nobody"
    log = write_log([games[5], games[6]])
    for options in (("--game", "h11-00006"), ("--line", "2")):
        message = failure_of(invoke, log, *options)
        assert f"{log}:2: There is no ruleset" in message


@pytest.mark.usefixtures("unwrapped")
def test_rulesets_of_your_own_are_used(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """Their terms and tables, too."""
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "house.toml").write_text(
        'name = "house"\nversion = "2"\nextends = "huopin-points"\n'
        "[scoring]\nfee = 7\n[terms]\nxiang = \"grade\"\nfee = \"rake\"\n",
        encoding="utf-8",
    )  # fmt: skip
    games[6]["rules"] = "house"
    text = text_of(invoke, write_log([games[6]]), "--rules-dir", str(rules), status=1)
    assert "house@2" in text
    assert "bomb of 8s, 6 grade" in text
    assert line_with(text, "rake, seat 0", "[fee 7]").split()[-1] == "7"
    assert "40·1·4 + 40·(2 - 4) - 7" in text


# Words and columns


def test_both_languages_name_the_same_values() -> None:
    """A text of show has the same fields in both languages."""
    en, zh = catalogue("en").words, catalogue("zh").words
    for key in en:
        if key.startswith("show."):
            assert _values(en[key]) == _values(zh[key]), key


def _values(template: str) -> set[str]:
    """The names in braces of values; one language may name a term where the other does not."""
    names = {name for _, name, _, _ in Formatter().parse(template) if name}
    return {name for name in names if term_of(name) is None}


def test_every_word_of_show_is_said_somewhere() -> None:
    """No text is left over, and every reason of the settlement has one."""
    import analytics.shuangkou as package

    root = Path(package.__file__).parents[2]
    folders = ("cli", "analytics/shuangkou", "analytics/viewing")
    sources = [path for folder in folders for path in (root / folder).glob("*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    wording = Path(package.__file__).parents[1] / "wording" / "en.toml"
    show = tomllib.loads(wording.read_text(encoding="utf-8"))["word"]["show"]
    for section, texts in show.items():
        for key in texts if isinstance(texts, dict) else [section]:
            assert re.search(rf"""["'.]{key}["']""", code), (section, key)


TEXT = st.text(st.sampled_from("ab 座位，。9"), max_size=60)


@given(TEXT, st.integers(4, 30))
@example("   。", 4)
def test_wrapped_text_fits_and_is_all_there(text: str, columns: int) -> None:
    """No line is too wide, and no letter is lost."""
    lines = wrapped(text, columns)
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5), st.integers(50, 120))
def test_a_table_fits_its_page(rows: list[tuple[str, str, str]], page: int) -> None:
    """Columns that may wrap give way."""
    columns = [
        Column("one", wraps=True),
        Column("two", is_right=True, wraps=True),
        Column("x", wraps=True),
    ]
    table = Table(columns, [tuple(Span(text) for text in row) for row in rows])
    for line in lines_of(table, page):
        assert width("".join(span.text for span in line)) <= page
