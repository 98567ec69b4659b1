"""Pages of tuning: what was found, of what it was made, in both languages."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analytics.logs import find_sources
from analytics.report.tuning import (
    MadeOf,
    population_page,
    search_page,
    sensitivity_page,
    whatif_page,
)
from analytics.rules import Fixed, Ruleset, load_rulesets
from analytics.simulate import Wanted
from analytics.studies import Studied, open_warehouse
from analytics.tuning.goals import Goals, Range, Require, Vary, Want
from analytics.tuning.in_order import compare_in_order
from analytics.tuning.population import populations
from analytics.tuning.searching import search_games
from analytics.tuning.sensing import sense
from analytics.tuning.standing import over_time
from analytics.tuning.whatif import manifest_hash, what_if
from analytics.warehouse.loading import load
from tests.rulebook.builder import POINTS, rules

LOG = Path(__file__).parents[2] / "sample_logs" / "valid" / "huopin-points.jsonl"
HANZI = re.compile("[\u4e00-\u9fff]")
BASELINE = rules(POINTS)
CANDIDATE = replace(BASELINE, version="2", scoring=replace(BASELINE.scoring, fee=3))


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studied]:
    """A warehouse with games of one ruleset, open."""
    folder = tmp_path_factory.mktemp("report") / "wh"
    load(find_sources([str(LOG)]), folder, load_rulesets())
    with open_warehouse(folder, threads=2) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def made_of(studied: Studied) -> MadeOf:
    """What pages of it are made of."""
    return MadeOf(str(studied.folder), manifest_hash(studied), "9.9")


def headings(html: str) -> list[str]:
    """The titles of the sections."""
    return re.findall(r"<h2>(.*?)</h2>", html)


def test_a_what_if_has_everything_and_its_hashes(studied: Studied) -> None:
    """Figures, tables, rulesets and what it was made of; with balances that follow."""
    found = what_if(studied, CANDIDATE, resamples=20)
    html = whatif_page(found, "en", compare_in_order(studied, CANDIDATE))
    for text in (found.header.manifest, BASELINE.hash, CANDIDATE.hash, found.header.engine):
        assert text in html
    assert headings(html) == [
        "What differs", "Items", "Players: who gains and who loses in all", "Game by game",
        "Who gains, by skill", "Who gains, by balance", "What drives the difference",
        "With balances that follow", "Who holds how much in the end", "Balances", "Inequality",
        "Money in circulation", "Ruin", "Drift of the ladder", f"Ruleset {BASELINE.at}",
        f"Ruleset {CANDIDATE.at}",
    ]  # fmt: skip
    assert html.count("<img ") == 12
    assert "scoring.fee: 0 → 3" in html
    assert "What players did is held fixed" in html


def test_the_same_in_chinese(studied: Studied) -> None:
    """Every title and sentence is translated; names of columns are not."""
    html = whatif_page(what_if(studied, CANDIDATE, resamples=20), "zh")
    assert '<html lang="zh">' in html
    assert all(HANZI.search(title) for title in headings(html))
    assert all(HANZI.search(text) for text in re.findall(r"<dt>(.*?)</dt>", html))
    assert ">candidate_net</th>" in html


def test_a_table_against_itself_says_that_nothing_differs(studied: Studied) -> None:
    """No table of differences, and no driver."""
    html = whatif_page(what_if(studied, BASELINE, resamples=20), "en")
    assert "Nothing differs: both tables pay the same." in html
    assert "moves +" not in html


def test_values_are_said_as_a_file_has_them(studied: Studied) -> None:
    """No True and no record; what a change leaves alone is 0, without a sign."""
    scoring = replace(BASELINE.scoring, base=Fixed(5))
    html = whatif_page(what_if(studied, replace(CANDIDATE, scoring=scoring), resamples=20), "en")
    assert "{ fixed = 5 }" in html
    assert "Fixed(" not in html
    escapes = replace(BASELINE.scoring, escape_times=(BASELINE.scoring.escape_times or 0) + 1)
    same = replace(CANDIDATE, xiang=replace(BASELINE.xiang, xiang_cap=12), scoring=escapes)
    html = whatif_page(what_if(studied, same, resamples=20), "en")
    assert "xiang.xiang_cap: – → 12 moves 0; the system gets 0." in html


def test_games_that_would_be_illegal_are_listed(studied: Studied) -> None:
    """What a replay says stands on the page, hanzi and marks as they are."""
    found = what_if(studied, CANDIDATE, resamples=20)
    illegal = pd.DataFrame({"code": ["play.<meld>"], "games": [7]})
    html = whatif_page(replace(found, illegal=illegal), "en")
    assert "Games that would have been illegal" in headings(html)
    assert 'play.&lt;meld&gt;</td><td class="number">7</td>' in html


def test_a_page_of_all_games_says_so(studied: Studied) -> None:
    """Nothing was chosen, and that is said; what logs lack is said of a replay only."""
    found = what_if(studied, CANDIDATE, resamples=20)
    html = whatif_page(found, "en")
    assert "<dt>games where</dt><dd>all games</dd>" in html
    assert "none of the logs</dt>" not in html
    illegal = pd.DataFrame({"code": [], "games": []})
    replayed = replace(found, illegal=illegal, header=replace(found.header, missing=7))
    assert "<dt>games in none of the logs</dt><dd>7</dd>" in whatif_page(replayed, "en")


def test_a_sensitivity_has_a_tornado_a_metric(studied: Studied, made_of: MadeOf) -> None:
    """Titles are the metrics; hashes are there."""
    found = sense(studied, metrics=["turnover", "fees"])
    html = sensitivity_page(found, made_of, "en")
    assert headings(html)[:2] == ["turnover", "fees"]
    assert str(made_of.manifest) in html
    assert "9.9" in html
    assert BASELINE.hash in html


def bars(html: str) -> int:
    """How many bars of an entry the first figure names."""
    figure = html.split("data:image/svg+xml;base64,")[1].split('"')[0]
    return base64.b64decode(figure).decode().count('id="ytick_')


def test_a_tornado_has_ten_bars_unless_others_are_asked_for(
    studied: Studied, made_of: MadeOf
) -> None:
    """The table behind it has every entry in any case."""
    found = sense(studied, metrics=["turnover"])
    known = found.sensitivity["relative"].fillna(0)
    assert (known != 0).sum() > 12
    for top, expected in ((10, 10), (12, 12), (0, int((known != 0).sum()))):
        html = sensitivity_page(found, made_of, "en", top=top)
        assert bars(html) == expected
        assert all(f">{entry}</td>" in html for entry in found.sensitivity["entry"])


def _goals(**given: Any) -> Goals:
    want = (Want(metric="fees", aim="most"), Want(metric="turnover", aim="least"))
    return Goals(name="g", vary=Vary(fee=Range(least=0, most=9)), want=want, **given)


def test_a_search_shows_its_set_and_the_files(studied: Studied, made_of: MadeOf) -> None:
    """Every ruleset that was found, by name and hash."""
    found = search_games(studied, _goals())
    html = search_page(found, made_of, 'name = "<g>"\n# as given\n', "en")
    assert headings(html)[:2] == ["The Pareto set", "The goals"]
    assert "<pre>name = &#34;&lt;g&gt;&#34;\n# as given\n</pre>" in html
    for ruleset in (BASELINE, *found.rulesets):
        assert ruleset.hash in html
    assert "Tables that were tried: 10; those that meet all that is required: 10." in html


def test_a_search_that_finds_nothing_shows_what_is_missed(
    studied: Studied, made_of: MadeOf
) -> None:
    """The bound, and by how much."""
    found = search_games(studied, _goals(require=(Require(metric="fees", least=10**7),)))
    html = search_page(found, made_of, "g", "zh")
    digest = "cd0aa9856147b6c5b4ff2b7dfee5da20aa38253099ef1b4a64aced233c9afe29"  # sha256sum
    assert f"<dt>目标文件的 SHA-256</dt><dd>{digest}</dd>" in html
    html = search_page(found, made_of, "g", "en")
    assert "<pre>g</pre>" in html
    assert headings(html)[0] == "No table meets all that is required"
    assert "fees &gt;= 1e+07" in html


def test_populations_are_drawn_over_days() -> None:
    """A line a table; what every run was to be is told."""
    start = datetime.fromisoformat("2026-11-02T00:00:00+08:00")
    wanted = Wanted(rules="", games=24, players=16, days=2, seed=5, start=start)
    tables: list[Ruleset] = [BASELINE, CANDIDATE]
    frame = over_time(populations(tables, wanted, runs=1))
    asked = {"games": 24, "players": 16, "days": 2, "runs": 1, "seed": 5}
    html = population_page(frame, tables, MadeOf(None, None, "9.9"), asked, "en")
    assert headings(html)[:5] == [
        "Balances", "Inequality", "Money in circulation", "Ruin", "Drift of the ladder",
    ]  # fmt: skip
    assert CANDIDATE.hash in html
    assert "<dt>games</dt><dd>24</dd>" in html
    assert "hash of the warehouse" not in html
