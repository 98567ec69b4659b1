"""``paipu tune search``: goals in, rulesets out, and what is missed where there are none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from analytics.logs import find_sources
from analytics.rules import check_files, load_file, load_rulesets
from analytics.studies import open_warehouse
from analytics.tuning.economy import economy_metrics, resettle_in_order
from analytics.tuning.ordered import order_games
from analytics.tuning.whatif import what_if
from analytics.warehouse.loading import load
from cli.tune.pages import write_page
from tests.cli.running import CASES, Invoke

GOALS = """
name = "gold"
rules = "huopin-wealth"
[vary]
fee = { least = 0, most = 90, step = 10 }
[[want]]
metric = "fees"
aim = "most"
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warehouse with the games of tests/cases."""
    folder = tmp_path_factory.mktemp("tune") / "wh"
    load(find_sources([str(CASES / "games.jsonl")]), folder, load_rulesets())
    return str(folder)


@pytest.fixture
def goals(tmp_path: Path) -> Path:
    """A file of goals: as much fees as there can be."""
    file = tmp_path / "goals.toml"
    file.write_text(GOALS, "utf-8")
    return file


def test_rulesets_are_written_that_pass_the_check(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """The highest fee is the best one; its file says only what differs from the baseline."""
    out = tmp_path / "found"
    done = invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(out),
                  "--format", "json")  # fmt: skip
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    assert (document["tried"], document["feasible"], document["shortfalls"]) == (10, 10, [])
    [table] = document["tables"]
    file = out / "gold-1.toml"
    assert file.read_text("utf-8") == (
        'name = "gold-1"\nversion = "1"\nextends = "huopin-wealth@1"\n\n[scoring]\nfee = 90\n'
    )
    assert check_files([file]) == []
    assert load_file(file).hash == table["hash"]
    assert table["file"] == str(file)
    assert table["fees"] == 90 * 2 * (table["games"] - escapes(warehouse))
    assert "tables tried 10, meeting all that is required 10" in done.stderr


def escapes(warehouse: str) -> int:
    """Games of the baseline that ended by an escape, which pay no fee."""
    with open_warehouse(warehouse) as opened:
        query = """SELECT count(*) AS n FROM games
            WHERE rules LIKE 'huopin-wealth%' AND ending = 'escape'"""
        return int(opened.sql(query)["n"][0])


def test_goals_that_nothing_meets_end_with_status_1(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """What binds is printed, in the form that was asked for; no file is written."""
    goals.write_text(GOALS + '[[require]]\nmetric = "fees"\nleast = 1_000_000\n', "utf-8")
    out = tmp_path / "found"
    done = invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(out),
                  "--format", "jsonl")  # fmt: skip
    assert done.exit_code == 1
    [missed] = [json.loads(line) for line in done.stdout.splitlines()]
    assert missed["requirement"] == "fees >= 1e+06"
    assert missed["miss"] == missed["closest"] == 1_000_000 - missed["value"]
    assert "none meets all that is required" in done.stderr
    assert [path.name for path in out.iterdir()] == ["search.html"]


def test_nothing_of_an_earlier_search_is_left(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """A folder with that name is refused; --force removes its files, though none is found."""
    out = tmp_path / "found"
    asked = ("tune", "search", str(goals), "-w", warehouse, "-o", str(out))
    assert invoke(*asked).exit_code == 0
    other = {"gold-x.toml", "gold-1-1.toml", "silver-1.toml"}  # of others, whatever they are
    for name in other:
        (out / name).write_text("", "utf-8")
    mine = {"gold-1.toml", "gold-1.html", "search.html"}
    refused = invoke(*asked)
    assert refused.exit_code == 2
    assert f"{out / 'gold-1.html'}: it is there already" in refused.stderr
    assert {path.name for path in out.iterdir()} == mine | other
    goals.write_text(GOALS + '[[require]]\nmetric = "fees"\nleast = 1_000_000\n', "utf-8")
    assert invoke(*asked, "--force").exit_code == 1
    assert {path.name for path in out.iterdir()} == {"search.html"} | other


def test_what_no_search_wrote_is_never_removed(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """A ruleset changed by hand and one of one's own stay; goals are not overwritten."""
    out = tmp_path / "found"
    asked = ("-w", warehouse, "-o", str(out))
    assert invoke("tune", "search", str(goals), *asked).exit_code == 0
    for name in ("gold-1.toml", "gold-7.toml"):
        (out / name).write_text("# by hand", "utf-8")
    goals.write_text(GOALS + '[[require]]\nmetric = "fees"\nleast = 1_000_000\n', "utf-8")
    assert invoke("tune", "search", str(goals), *asked, "--force").exit_code == 1
    names = {"gold-1.toml", "gold-7.toml", "search.html"}
    assert {path.name for path in out.iterdir()} == names
    own = out / "gold-2.toml"
    own.write_text(GOALS, "utf-8")
    done = invoke("tune", "search", str(own), *asked, "--force")
    assert (done.exit_code, own.read_text("utf-8")) == (2, GOALS)
    assert "could overwrite these goals" in done.stderr
    goals.write_text(GOALS.replace('"gold"', '"silver"'), "utf-8")
    done = invoke("tune", "search", str(goals), *asked)
    assert f"{out / 'search.html'}: it is there already" in done.stderr


def test_a_search_that_fails_leaves_no_folder(invoke: Invoke, goals: Path, tmp_path: Path) -> None:
    """There is no warehouse: the folder and the one above it go again."""
    out = tmp_path / "new" / "found"
    done = invoke("tune", "search", str(goals), "-w", str(tmp_path / "no"), "-o", str(out))
    assert done.exit_code == 2
    assert not out.parent.exists()


def test_a_folder_that_cannot_be_is_refused_before_any_work(
    invoke: Invoke, goals: Path, tmp_path: Path
) -> None:
    """The warehouse is not even looked for."""
    (tmp_path / "file").write_text("", "utf-8")
    nowhere = str(tmp_path / "nowhere")
    out = tmp_path / "file" / "found"
    done = invoke("tune", "search", str(goals), "-w", nowhere, "-o", str(out))
    assert done.exit_code == 2
    assert f"{out}: Not a directory" in done.stderr
    assert nowhere not in done.stderr


@pytest.mark.parametrize("command", ["whatif --against jiule", "sensitivity", "simulate jiule"])
def test_a_page_needs_a_folder_that_is_there(invoke: Invoke, command: str, tmp_path: Path) -> None:
    """It is said before anything is worked out."""
    page = tmp_path / "none" / "page.html"
    done = invoke("tune", *command.split(), "-o", str(page))
    assert done.exit_code == 2
    assert f"{page.parent}: there is no such folder" in done.stderr


@pytest.mark.parametrize("command", ["whatif --against jiule", "sensitivity", "simulate jiule"])
def test_a_page_is_no_folder(invoke: Invoke, command: str, tmp_path: Path) -> None:
    """It is said before anything is worked out: there is not even a warehouse."""
    page = tmp_path / "page.html"
    page.mkdir()
    done = invoke("tune", *command.split(), "-o", str(page))
    assert done.exit_code == 2
    assert f"{page}: it is a folder" in done.stderr


def test_a_page_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    """A text that has no UTF-8 breaks in the middle."""
    page = tmp_path / "page.html"
    write_page(page, "before")
    with pytest.raises(UnicodeEncodeError):
        write_page(page, "after \ud800")
    assert page.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [page]


def test_an_expression_may_end_in_a_comment(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """In a search with games in order, as it may in a what-if."""
    goals.write_text(f'{GOALS}[[require]]\nmetric = "held"\nleast = 0\n', "utf-8")
    done = invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(tmp_path / "found"),
                  "--where", "seats = 2 -- two of them")  # fmt: skip
    assert done.exit_code == 0, done.stderr


def test_bankruptcies_are_told_by_games_in_order(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """Players must hold as much in the end as with a fee of 10: so 10 is found, and not 20."""
    held = held_with(warehouse, (0, 10, 20))
    assert held[0] > held[1] > held[2]
    text = GOALS.replace("most = 90", "most = 20")
    goals.write_text(f'{text}[[require]]\nmetric = "held"\nleast = {held[1]}\n', "utf-8")
    done = invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(tmp_path / "found"),
                  "--format", "json")  # fmt: skip
    [table] = json.loads(done.stdout)["tables"]
    assert load_file(table["file"]).scoring.fee == 10
    assert table["held"] == held[1]


def held_with(warehouse: str, fees: Sequence[int]) -> list[int]:
    """What all players hold in the end with each of these fees."""
    with open_warehouse(warehouse) as opened:
        ordered = order_games(opened, opened.asked(where="unit = 'wealth'"))
    [ruleset] = ordered.rulesets
    tables = [replace(ruleset, scoring=replace(ruleset.scoring, fee=fee)) for fee in fees]
    return [int(economy_metrics(resettle_in_order(ordered, [own]))["held"]) for own in tables]


def test_mistakes_in_goals_are_named_with_their_lines(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """Status 2, and every mistake at once, also in Chinese."""
    goals.write_text(GOALS.replace("fees", "feees").replace("step", "stepp"), "utf-8")
    asked = ("tune", "search", str(goals), "-w", warehouse, "-o", str(tmp_path / "found"))
    done = invoke(*asked)
    assert done.exit_code == 2
    assert f'{goals}:5: error: vary.fee.stepp: "stepp" is not known here' in done.stderr
    assert f'{goals}:7: error: want[0].metric: "feees" is no metric' in done.stderr
    assert "不是可以搜索的指标" in invoke(*asked, "--lang", "zh").stderr


def test_what_cannot_be_tuned_is_a_sentence(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """A ruleset that no game has, or entries that the baseline has not."""
    goals.write_text(GOALS.replace("huopin-wealth", "nowhere"), "utf-8")
    done = invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(tmp_path / "found"))
    assert done.exit_code == 2
    assert "no game was settled by 'nowhere'" in done.stderr


@pytest.mark.parametrize(
    ("least", "language", "told"),
    [
        (0, "en", ""),
        (10, "en", "The baseline is not among the tables"),
        (10, "zh", "原方案不在所试的方案之中"),
    ],
)
def test_it_is_said_where_the_baseline_is_not_tried(
    invoke: Invoke, warehouse: str, tmp_path: Path, least: int, language: str, told: str
) -> None:
    """The baseline has no fee: fees from 10 on leave it out, also where --quiet hides the rest."""
    file = tmp_path / "goals.toml"
    file.write_text(GOALS.replace("least = 0", f"least = {least}"), "utf-8")
    done = invoke("tune", "search", str(file), "-w", warehouse, "-o", str(tmp_path / "found"),
                  "--lang", language, "--quiet")  # fmt: skip
    assert done.exit_code == 0
    assert done.stderr.startswith(told)
    assert bool(done.stderr) == bool(told)


def test_goals_may_be_about_players(
    invoke: Invoke, warehouse: str, goals: Path, tmp_path: Path
) -> None:
    """Among fees that leave at least as many winners as 40 does, the highest; whatif agrees."""
    out, asked = tmp_path / "found", ("-w", warehouse, "--format", "json")
    houses = {}
    for fee in range(0, 100, 10):
        house = tmp_path / f"{fee}.toml"
        house.write_text(
            f'name = "own"\nversion = "1"\nextends = "huopin-wealth"\n[scoring]\nfee = {fee}\n',
            "utf-8",
        )
        with open_warehouse(warehouse) as opened:
            found = what_if(opened, load_file(house), rules="huopin-wealth", resamples=2)
        houses[fee] = int(found.of_players.set_index("metric").loc["winners", "candidate"])
    goals.write_text(f'{GOALS}[[require]]\nmetric = "winners"\nleast = {houses[40]}\n', "utf-8")
    [table] = json.loads(invoke("tune", "search", str(goals), *asked, "-o", str(out)).stdout)[
        "tables"
    ]
    best = max(fee for fee, winners in houses.items() if winners >= houses[40])
    assert load_file(out / "gold-1.toml").scoring.fee == best
    assert table["winners"] == houses[best]
