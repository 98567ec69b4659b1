"""``paipu tune``: balances that follow, pages, populations."""

from __future__ import annotations

import csv
import io
import json
from hashlib import sha256
from html import escape as html_escape
from pathlib import Path

import pytest

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.warehouse.loading import load
from tests.cli.running import CASES, Invoke

POPULATION = ("--games", "24", "--players", "16", "--days", "2", "--runs", "2", "--quiet")

WHICH = {"where": "seats < 3", "since": "2020-01-01", "until": "2040-02-03", "day_start": "04:00",
         "tz": "Asia/Tokyo"}  # fmt: skip
CHOOSING = ("--where", "seats < 3", "--since", "2020-01-01", "--until", "2040-02-03",
            "--day-start", "04:00", "--tz", "Asia/Tokyo")  # fmt: skip


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warehouse with the games of tests/cases."""
    folder = tmp_path_factory.mktemp("tune") / "wh"
    load(find_sources([str(CASES / "games.jsonl")]), folder, load_rulesets())
    return str(folder)


@pytest.fixture
def dear(tmp_path: Path) -> str:
    """A ruleset with a fee of 50."""
    file = tmp_path / "dear.toml"
    file.write_text(
        'name = "dear"\nversion = "1"\nextends = "huopin-wealth"\n[scoring]\nfee = 50\n', "utf-8"
    )
    return str(file)


def test_balances_follow_the_table(invoke: Invoke, warehouse: str, dear: str) -> None:
    """With --dynamic: fees of games in order, and what players hold in the end."""
    done = invoke("tune", "whatif", "-w", warehouse, "--rules", "huopin-wealth", "--against", dear,
                  "--dynamic", "--resamples", "10", "--format", "json")  # fmt: skip
    document = json.loads(done.stdout)
    rows = {row["metric"]: row for row in document["in_order"]}
    assert rows["fees"]["baseline"] == 0
    assert rows["fees"]["difference"] > 0
    for side in ("baseline", "candidate"):
        brought = rows["held"][side] + rows["system"][side]
        assert brought == rows["held"]["baseline"] + rows["system"]["baseline"]
    figures = {row["figure"] for row in document["over_time"]}
    assert {"gini", "growth", "ruin", "level", "p50"} <= figures


def test_a_table_against_itself_changes_no_balance(invoke: Invoke, warehouse: str) -> None:
    """Every difference is zero."""
    done = invoke("tune", "whatif", "-w", warehouse, "--rules", "huopin-wealth", "--against",
                  "huopin-wealth", "--part", "in_order", "--format", "csv",
                  "--resamples", "10")  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert rows
    assert {row["difference"] for row in rows} <= {"0", "0.0", ""}


def test_a_cap_and_many_rulesets_of_one_unit(
    invoke: Invoke, warehouse: str, tmp_path: Path
) -> None:
    """Points are won by three rulesets; one of them is replaced, the others stay."""
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\nversion = "1"\nextends = "huopin-points"\n', "utf-8")
    done = invoke("tune", "whatif", "-w", warehouse, "--rules", "huopin-points", "--against",
                  str(file), "--part", "in_order", "--format", "json",
                  "--resamples", "10")  # fmt: skip
    assert all(not row["difference"] for row in json.loads(done.stdout)["in_order"])


def test_a_cap_is_told_by_games_in_order_only(
    invoke: Invoke, warehouse: str, tmp_path: Path
) -> None:
    """Without --dynamic a sentence says so; with it come the parts of games in order."""
    file, page = tmp_path / "own.toml", tmp_path / "page.html"
    file.write_text(
        'name = "own"\nversion = "1"\nextends = "huopin-points"\nscoring.cap_at_balance = true\n',
        "utf-8",
    )
    asked = ("tune", "whatif", "-w", warehouse, "--rules", "huopin-points", "--against", str(file))
    assert "in `tune whatif` --dynamic settles them in order" in invoke(*asked).stderr
    done = invoke(*asked, "--dynamic", "--format", "json", "-o", str(page))
    document = json.loads(done.stdout)
    assert set(document) == {"schema", "baseline", "candidate", *WHICH, "games", "left_out",
                             "in_order", "in_order_paired", "in_order_lorenz",
                             "over_time"}  # fmt: skip
    assert document["candidate"]["hash"] in page.read_text("utf-8")


def test_pages_are_written_beside_the_data(
    invoke: Invoke, warehouse: str, dear: str, tmp_path: Path
) -> None:
    """What-if and sensitivity, with the hash of the warehouse; data still come."""
    page = tmp_path / "page.html"
    asked = ("-w", warehouse, "--rules", "huopin-wealth", "-o", str(page), "--format", "json")
    done = invoke("tune", "whatif", *asked, "--against", dear, "--resamples", "10")
    document = json.loads(done.stdout)
    assert document["manifest"] in page.read_text("utf-8")
    assert document["candidate"]["hash"] in page.read_text("utf-8")
    done = invoke("tune", "sensitivity", *asked, "--metric", "fees", "--lang", "zh")
    assert json.loads(done.stdout)["sensitivity"]
    html = page.read_text("utf-8")
    assert document["manifest"] in html
    assert "敏感度" in html


def test_a_page_must_end_in_html(invoke: Invoke, warehouse: str, dear: str) -> None:
    """Nobody overwrites a ruleset by a slip."""
    done = invoke("tune", "whatif", "-w", warehouse, "--against", dear, "-o", dear)
    assert done.exit_code == 2
    assert "must end in .html" in done.stderr


def write_goals(folder: Path) -> Path:
    """Goals of a search for the larger one of two fees."""
    goals = folder / "goals.toml"
    goals.write_text(
        'name = "g"\nrules = "huopin-wealth"\nvary.fee = { least = 0, most = 1 }\n'
        '[[want]]\nmetric = "fees"\naim = "most"\n',
        "utf-8",
    )
    return goals


def test_a_search_writes_a_what_if_for_each_table(
    invoke: Invoke, warehouse: str, tmp_path: Path
) -> None:
    """Beside each ruleset a page, and one of the search."""
    goals = write_goals(tmp_path)
    out = tmp_path / "found"
    invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(out))
    assert sorted(p.name for p in out.iterdir()) == ["g-1.html", "g-1.toml", "search.html"]
    assert "g-1@1" in (out / "g-1.html").read_text("utf-8")
    html = (out / "search.html").read_text("utf-8")
    assert sha256(goals.read_bytes()).hexdigest() in html
    assert f"<pre>{html_escape(goals.read_text('utf-8')).replace('&quot;', '&#34;')}</pre>" in html


def says_which(html: str) -> bool:
    """Whether a page has the expression, both days, when days begin, and the zone."""
    return all(f"<dd>{html_escape(value)}</dd>" in html for value in WHICH.values())


def test_pages_and_documents_say_which_games(
    invoke: Invoke, warehouse: str, dear: str, tmp_path: Path
) -> None:
    """What-if, the same of a cap, and sensitivity: what was asked for stands on all of them."""
    page = tmp_path / "page.html"
    capped = tmp_path / "capped.toml"
    capped.write_text(
        'name = "c"\nversion = "1"\nextends = "huopin-wealth"\nscoring.cap_at_balance = true\n',
        "utf-8",
    )
    asked = ("-w", warehouse, "--rules", "huopin-wealth", *CHOOSING, "-o", str(page))
    for words in (
        ("whatif", "--against", dear, "--resamples", "10"),
        ("whatif", "--against", str(capped), "--dynamic"),
        ("sensitivity", "--metric", "fees"),
    ):
        document = json.loads(invoke("tune", *words, *asked, "--format", "json").stdout)
        assert {name: document[name] for name in WHICH} == WHICH
        assert says_which(page.read_text("utf-8"))


def test_a_search_says_which_games(invoke: Invoke, warehouse: str, tmp_path: Path) -> None:
    """On its page, on that of each table, and in its document."""
    goals = write_goals(tmp_path)
    out = tmp_path / "found"
    done = invoke("tune", "search", str(goals), "-w", warehouse, "-o", str(out), *CHOOSING,
                  "--format", "json")  # fmt: skip
    document = json.loads(done.stdout)
    assert {name: document[name] for name in WHICH} == WHICH
    assert all(says_which(path.read_text("utf-8")) for path in out.glob("*.html"))


def test_heads_of_tables_say_which_games(invoke: Invoke, warehouse: str, tmp_path: Path) -> None:
    """A cap has a head too; where nothing was chosen, all games are named."""
    capped = tmp_path / "capped.toml"
    capped.write_text(
        'name = "c"\nversion = "1"\nextends = "huopin-wealth"\nscoring.cap_at_balance = true\n',
        "utf-8",
    )
    asked = ("-w", warehouse, "--rules", "huopin-wealth")
    cap = ("tune", "whatif", "--against", str(capped), "--dynamic", *asked)
    text = invoke(*cap, *CHOOSING).stdout
    for line in ("candidate  c@1", "scoring.cap_at_balance: false -> true", "games where seats < 3",
                 "from 2020-01-01", "to 2040-02-03", "days begin at 04:00, Asia/Tokyo",
                 "held fixed"):  # fmt: skip
        assert line in text
    assert "all games:" not in text
    assert "all games:" in invoke(*cap).stdout
    text = invoke("tune", "sensitivity", "--metric", "fees", *asked, *CHOOSING).stdout
    assert "baseline   huopin-wealth@1" in text
    assert "games where seats < 3" in text


def test_a_sensitivity_says_what_the_games_were_paid_by(
    invoke: Invoke, warehouse: str, dear: str, tmp_path: Path
) -> None:
    """Another table is asked about; the origin is that of a what-if."""
    page = tmp_path / "page.html"
    asked = ("-w", warehouse, "--rules", "huopin-wealth", "--format", "json")
    other = invoke("tune", "whatif", *asked, "--against", dear, "--resamples", "2")
    own = invoke("tune", "sensitivity", *asked, "--at", dear, "--metric", "fees", "-o", str(page))
    compared, document = json.loads(other.stdout), json.loads(own.stdout)
    for name in ("warehouse", "manifest", "engine"):
        assert document[name] == compared[name]
    assert document["paid_by"] == compared["baseline"]
    assert f"<dd>huopin-wealth@1 · {document['paid_by']['hash']}</dd>" in page.read_text("utf-8")
    assert document["baseline"] == compared["candidate"]


def test_populations_under_tables(invoke: Invoke, dear: str, tmp_path: Path) -> None:
    """The same seeds under both tables; the page has both."""
    page = tmp_path / "money.html"
    done = invoke("tune", "simulate", "huopin-wealth", dear, *POPULATION, "-o", str(page),
                  "--format", "json")  # fmt: skip
    document = json.loads(done.stdout)
    assert [table["ruleset"] for table in document["tables"]] == ["huopin-wealth@1", "dear@1"]
    assert (document["games"], document["runs"], document["seed"]) == (24, 2, 1)
    rows = document["over_time"]
    assert {row["table"] for row in rows} == {"huopin-wealth@1", "dear@1"}
    assert {row["day"] for row in rows} == {"2026-01-05", "2026-01-06"}
    growth = [row["value"] for row in rows if row["figure"] == "growth"]
    assert len(growth) == 4
    assert all(-1 < value <= 0 for value in growth)  # the system gives nothing by these tables
    assert "dear@1" in page.read_text("utf-8")


def test_what_cannot_be_simulated_is_a_sentence(invoke: Invoke, dear: str) -> None:
    """Too few players; two tables of one name; amounts in different units."""
    done = invoke("tune", "simulate", "jiule", "--games", "9000", "--players", "4")
    assert done.exit_code == 2
    assert "players are too few" in done.stderr
    done = invoke("tune", "simulate", dear, dear)
    assert done.exit_code == 2
    assert "dear@1 stands there twice" in done.stderr
    done = invoke("tune", "simulate", "jiule", dear)
    assert done.exit_code == 2
    assert "cannot be compared" in done.stderr
