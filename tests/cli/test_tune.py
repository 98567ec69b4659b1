"""``paipu tune whatif`` and ``sensitivity``: every format, both languages, refusals."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.warehouse.loading import load
from cli.main import app

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "valid"
Invoke = Callable[..., Result]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warehouse with the samples of two houses."""
    folder = tmp_path_factory.mktemp("tune") / "wh"
    logs = [str(SAMPLES / f"{name}.jsonl") for name in ("huopin-points", "baibian")]
    load(find_sources(logs), folder, load_rulesets())
    return str(folder)


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A table that takes a fee of 2."""
    path = tmp_path / "fee.toml"
    path.write_text(
        'name = "fee"\nversion = "1"\nextends = "huopin-points"\n[scoring]\nfee = 2\n', "utf-8"
    )
    return str(path)


def invoke(*words: str) -> Result:
    """Runs the command line in this process."""
    return CliRunner().invoke(app, [*words, "--lang", "en"])


def whatif(warehouse: str, table: str, *more: str) -> Result:
    """A what-if on the games of huopin-points, with few resamples."""
    return invoke("tune", "whatif", "-w", warehouse, "--against", table, "--rules",
                  "huopin-points", "--resamples", "20", *more)  # fmt: skip


def test_json_has_a_header_and_all_parts(warehouse: str, table: str) -> None:
    """Hashes and counts before, frames after; the fee is where it belongs."""
    document: dict[str, Any] = json.loads(whatif(warehouse, table, "--format", "json").stdout)
    assert document["schema"] == 1
    assert (document["baseline"]["name"], document["candidate"]["name"]) == ("huopin-points", "fee")
    assert document["differences"] == [
        {"path": "scoring.fee", "left": 0, "right": 2, "needs_replay": False}
    ]
    fees = next(row for row in document["economy"] if row["figure"] == "fees")
    out = next(row for row in document["economy"]
               if (row["item"], row["figure"]) == ("fee", "games_with"))  # fmt: skip
    assert fees["difference"] == 4 * out["candidate"] > 0
    assert [row["tier"] for row in document["tiers"]] == [1, 2, 3, 4]
    assert [row["path"] for row in document["drivers"]] == ["scoring.fee"]
    assert document["compared"] == document["games"] - document["broken"]


def test_lines_and_csv_have_the_same_records(warehouse: str, table: str) -> None:
    """JSON Lines name the part; CSV has the one that is asked for."""
    lines = [
        json.loads(x) for x in whatif(warehouse, table, "--format", "jsonl").stdout.splitlines()
    ]
    tiers = [line for line in lines if line["part"] == "tiers"]
    text = whatif(warehouse, table, "--format", "csv", "--part", "tiers").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["seat_games"]) for row in rows] == [line["seat_games"] for line in tiers]
    first = whatif(warehouse, table, "--format", "csv").stdout.splitlines()[0]
    assert first == "study,item,figure,unit,baseline,candidate,difference,low,high"


def test_the_table_says_what_is_held_fixed(warehouse: str, table: str) -> None:
    """People read what was compared, and that players might have played otherwise."""
    text = whatif(warehouse, table).stdout
    assert "candidate  fee@1" in text
    assert "scoring.fee: 0 -> 2" in text
    assert "held fixed" in text
    chinese = CliRunner().invoke(
        app,
        ["tune", "whatif", "-w", warehouse, "--against", table, "--rules", "huopin-points",
         "--resamples", "2", "--lang", "zh"],
    ).stdout  # fmt: skip
    assert "玩家的出牌视为不变" in chinese


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[play]\nchain_min = 4\n", "plays by other rules"),
        ("[scoring]\ncap_at_balance = true\n", "caps at balances"),
        ('[scoring]\nunit = "gold"\n', "counted in"),
    ],
)
def test_what_cannot_be_compared_ends_with_status_2(
    warehouse: str, tmp_path: Path, text: str, sentence: str
) -> None:
    """A sentence, and no traceback."""
    path = tmp_path / "other.toml"
    path.write_text(f'name = "other"\nversion = "1"\nextends = "huopin-points"\n{text}', "utf-8")
    done = whatif(warehouse, str(path))
    assert done.exit_code == 2
    assert sentence in done.stderr


def test_games_of_several_rulesets_are_not_mixed(warehouse: str, table: str) -> None:
    """They are listed, with the option that chooses one."""
    done = invoke("tune", "whatif", "-w", warehouse, "--against", table)
    assert done.exit_code == 2
    assert "baibian@1" in done.stderr
    assert "--rules" in done.stderr


def test_sensitivity_in_every_format(warehouse: str) -> None:
    """The fee is paid by both seats of each game that was played to the end."""
    words = ("tune", "sensitivity", "-w", warehouse, "--rules", "huopin-points", "--metric", "fees")
    document = json.loads(invoke(*words, "--format", "json").stdout)
    assert document["baseline"]["name"] == "huopin-points"
    row = document["sensitivity"][0]
    assert row["entry"] == "scoring.fee"
    assert row["how"] == "derivative"
    assert 0 < row["effect"] <= 2 * document["games"]
    assert document["interactions"] == []
    text = invoke(*words, "--format", "csv").stdout
    assert text.splitlines()[0] == "metric,unit,entry,value,effect,relative,how"
    assert "What one unit more in an entry does" in invoke(*words).stdout


def test_a_table_has_the_entries_that_matter_most(warehouse: str) -> None:
    """Ten of those that have an effect, unless --top says otherwise; data have all of them."""
    words = ("tune", "sensitivity", "-w", warehouse, "--rules", "huopin-points", "--metric",
             "turnover", "--part", "sensitivity")  # fmt: skip
    every = json.loads(invoke(*words, "--format", "json").stdout)["sensitivity"]
    moving = [row["entry"] for row in every if row["effect"]]
    assert 10 < len(moving) < len(every)

    def shown(*more: str) -> tuple[list[str], str]:
        done = invoke(*words, *more)
        lines = done.stdout.splitlines()
        return [row["entry"] for row in every if any(row["entry"] in x.split() for x in lines)], (
            done.stderr
        )

    zero = len(every) - len(moving)
    assert shown() == (
        moving[:10],
        f"sensitivity: rows not shown {len(every) - 10}, of these without effect {zero}; "
        "--top 0 shows all.\n",
    )
    assert shown("--top", "3")[0] == moving[:3]
    assert shown("--top", "0") == ([row["entry"] for row in every], "")
    cut = json.loads(invoke(*words, "--top", "2", "--format", "json").stdout)["sensitivity"]
    assert cut == every[:2]


def test_large_amounts_are_written_out(warehouse: str, table: str) -> None:
    """A table for people has no powers of ten."""
    text = whatif(warehouse, table, "--part", "in_order").stdout
    text += whatif(warehouse, table, "--part", "over_time").stdout
    assert not re.search(r"e\+\d", text)
    assert re.search(r"held .* \d{5,} ", text)


def test_a_metric_that_is_none_is_bad_usage(warehouse: str) -> None:
    """Those that there are are listed."""
    done = invoke("tune", "sensitivity", "-w", warehouse, "--metric", "profit")
    assert done.exit_code == 2
    assert "turnover" in done.stderr


@pytest.mark.parametrize("empty", ["", ",", " , "])
def test_no_metric_at_all_is_bad_usage(warehouse: str, empty: str) -> None:
    """An empty name is no wish for nothing."""
    done = invoke("tune", "sensitivity", "-w", warehouse, "--metric", empty)
    assert done.exit_code == 2
    assert "no metric is named" in done.stderr


def test_a_metric_named_twice_is_told_once(warehouse: str) -> None:
    """In one option, or in two."""
    words = ("tune", "sensitivity", "-w", warehouse, "--rules", "huopin-points", "--format", "csv")
    once = invoke(*words, "--metric", "fees")
    twice = invoke(*words, "--metric", "fees,fees", "--metric", "fees")
    assert once.exit_code == twice.exit_code == 0
    assert once.stdout == twice.stdout


def ruleset(folder: Path, text: str) -> str:
    """A file with a ruleset that extends huopin-points."""
    path = folder / "other.toml"
    path.write_text(f'name = "other"\nversion = "1"\nextends = "huopin-points"\n{text}', "utf-8")
    return str(path)


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_a_part_that_is_not_there_is_said(
    warehouse: str, table: str, tmp_path: Path, form: str
) -> None:
    """Nothing was replayed; a cap has only games in order: status 2, whatever the format."""
    page = tmp_path / "page.html"
    done = whatif(warehouse, table, "--part", "illegal", "--format", form, "-o", str(page))
    assert (done.exit_code, done.stdout, page.exists()) == (2, "", False)
    assert "this part is not there: illegal; there are: economy, of_players" in done.stderr
    capped = ruleset(tmp_path, "[scoring]\ncap_at_balance = true\n")
    done = whatif(warehouse, capped, "--dynamic", "--part", "paired", "--format", form)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "this part is not there: paired; there are: in_order" in done.stderr


def test_csv_has_the_economy_unless_another_part_is_asked_for(
    warehouse: str, tmp_path: Path
) -> None:
    """Also after a replay, whose first part is another one; where it is not there, it is said."""
    free = ruleset(tmp_path, '[play]\ntrustee_policy = "any"\n')
    logs = ("--logs", str(SAMPLES / "huopin-points.jsonl"))
    done = whatif(warehouse, free, *logs, "--format", "csv")
    assert done.stdout.startswith("study,item,figure,unit,baseline")
    capped = ruleset(tmp_path, "[scoring]\ncap_at_balance = true\n")
    done = whatif(warehouse, capped, "--dynamic", "--format", "csv")
    assert done.exit_code == 2
    assert "not there: economy" in done.stderr


def test_games_in_order_are_not_replayed(warehouse: str, tmp_path: Path) -> None:
    """With --logs it is said that the two cannot be combined, without that a replay is needed."""
    other = ruleset(tmp_path, '[play]\ntrustee_policy = "any"\n')
    assert "only a replay can tell" in whatif(warehouse, other, "--dynamic").stderr
    logs = ("--logs", str(SAMPLES / "huopin-points.jsonl"))
    done = whatif(warehouse, other, "--dynamic", *logs)
    assert done.exit_code == 2
    assert "cannot be combined" in done.stderr
    assert "only a replay" not in done.stderr


def test_the_head_of_a_replay_says_what_the_logs_lack(warehouse: str, tmp_path: Path) -> None:
    """A log has 30 games; no groups are named, since there are none."""
    lines = (SAMPLES / "huopin-points.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "some.jsonl").write_text("\n".join(lines[:30]) + "\n", "utf-8")
    other = ruleset(tmp_path, '[play]\ntrustee_policy = "any"\n')
    text = whatif(warehouse, other, "--logs", str(tmp_path / "some.jsonl")).stdout
    assert f"games {len(lines)}, in none of the logs {len(lines) - 30}, broken 0" in text
    assert "groups" not in text
