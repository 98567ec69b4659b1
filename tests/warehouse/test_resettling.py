"""Settling again: what is stored is enough, and what was said before stays."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from analytics import shuangkou
from analytics.findings import F_CODE
from analytics.logs import GameBatch, find_sources, read
from analytics.rules import Rulebook, load_rulesets
from analytics.verify import judge_batch, verify_batch
from analytics.warehouse import open_warehouse
from analytics.warehouse.doors import DOORS, FAMILIES, fill
from analytics.warehouse.filling import Logs, Settling, depends_on_scoring
from analytics.warehouse.loading import load
from analytics.warehouse.manifest import read_manifest
from analytics.warehouse.resettling import resettle
from analytics.warehouse.restoring import batch_of
from analytics.warehouse.tables import Layer
from tests.games import fixture_games
from tests.warehouse.conftest import BOOK, ROOT, VALID, files_in, load_into

LOGS = find_sources([str(VALID), str(ROOT / "sample_logs" / "faulty")])


@pytest.mark.parametrize("source", LOGS, ids=lambda source: Path(source.path).name)
def test_what_is_stored_is_settled_as_what_was_replayed(source: object) -> None:
    """Facts out of the columns give the same settlement and the same findings, sample by sample."""
    count = 0
    for batch in read(source, BOOK):  # type: ignore[arg-type]
        assert isinstance(batch, GameBatch)
        verdict = verify_batch(batch, BOOK, FAMILIES)
        logs = Logs.one("f", batch.line)
        rows = {
            each.table.name: each.rows.cast(each.table.schema)
            for each in fill(verdict, Settling.by(BOOK), logs)
            if each.layer is Layer.FACTS
        }
        facts, recorded = DOORS[batch.family].restore(rows)
        restored = batch_of(rows, batch.family, recorded, batch.rules_ix)
        again = judge_batch(restored, facts, BOOK, FAMILIES)
        for name in shuangkou.Settled.__dataclass_fields__:
            assert np.array_equal(getattr(again.settled, name), getattr(verdict.settled, name))
        late = verdict.findings[depends_on_scoring(verdict.findings[:, F_CODE])]
        assert np.array_equal(again.findings, late)
        assert np.array_equal(facts.seats, verdict.facts.seats)
        assert np.array_equal(facts.games, verdict.facts.games)
        count += len(batch)
    assert count


def changed_rulebook(tmp_path: Path, *changes: str, version: str = "1") -> Rulebook:
    """The presets with jiule changed, as an operator's own file of the same name."""
    text = (ROOT / "analytics" / "rules" / "presets" / "jiule.toml").read_text("utf-8")
    for change in changes:
        before, after = change.split(" -> ")
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "jiule.toml").write_text(text.replace('version = "1"', f'version = "{version}"'))
    others = [r for r in BOOK.rulesets if r.name != "jiule"]
    own = load_rulesets([str(tmp_path / "jiule.toml")], presets=False).rulesets
    return Rulebook.of([*others, *own])


@pytest.fixture
def jiule(tmp_path: Path) -> Path:
    """A warehouse with some games of jiule and of huopin-points."""
    games = [g for g in fixture_games() if g["rules"] in ("jiule", "huopin-points")]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{json.dumps(game)}\n" for game in games), encoding="utf-8")
    load_into(tmp_path / "w", log)
    return tmp_path / "w"


def test_nothing_has_changed(jiule: Path) -> None:
    """By the same rulesets nothing is written, not even in the journal."""
    before, manifest = files_in(jiule), read_manifest(jiule)
    done = resettle(jiule, BOOK)
    assert not done.changes
    assert done.unchanged == sum(part.games for part in manifest.parts) > 0
    assert files_in(jiule) == before
    assert read_manifest(jiule) == manifest


def test_a_corrected_ruleset(jiule: Path, tmp_path: Path) -> None:
    """The new verdict is that of a fresh load by the new rules, and the old one is kept."""
    rulebook = changed_rulebook(tmp_path, "fee = 0 -> fee = 7")
    with open_warehouse(jiule) as warehouse:
        before = warehouse.sql("FROM postings ORDER BY ALL")
        n = len(warehouse.sql("FROM games WHERE rules = 'jiule' AND ending = 'out'"))
        of_jiule = len(warehouse.sql("FROM games WHERE rules = 'jiule'"))
    done = resettle(jiule, rulebook)
    (change,) = done.changes
    assert (change.ruleset, change.previous) == ("jiule@1", "jiule@1")
    assert change.hash != change.previous_hash
    assert (change.games, change.changed) == (of_jiule, n)
    assert (change.moved, change.system) == (14 * n, 14 * n)
    assert (change.mismatched_before, change.mismatched) == (0, n)
    fresh = tmp_path / "fresh"
    load(find_sources([str(tmp_path / "log.jsonl")]), fresh, rulebook)
    with open_warehouse(jiule) as warehouse, open_warehouse(fresh) as other:
        for table in ("verdicts", "postings", "findings", "shuangkou_settled", "games"):
            query = f"FROM {table} ORDER BY ALL"
            assert warehouse.sql(query).equals(other.sql(query)), table
        kept = f"FROM earlier_postings UNION ALL FROM postings WHERE settlement_key IN ({KEYS})"
        assert set(map(tuple, before.to_numpy())) <= set(map(tuple, warehouse.sql(kept).to_numpy()))
        assert len(warehouse.sql("FROM settlements WHERE ruleset = 'jiule@1'")) == 2
        assert warehouse.sql("FROM journal")["command"].tolist() == ["load", "resettle"]
    assert not resettle(jiule, rulebook).changes


KEYS = "SELECT settlement_key FROM settlements"


def test_a_new_version_in_effect_from_a_day(jiule: Path, tmp_path: Path) -> None:
    """Games go by the version in effect when they started."""
    own = changed_rulebook(tmp_path, "fee = 0 -> fee = 7", version="2")
    new = next(ruleset for ruleset in own.rulesets if ruleset.name == "jiule")
    with open_warehouse(jiule) as warehouse:
        starts = warehouse.sql("SELECT started FROM games WHERE rules = 'jiule' ORDER BY ALL")
    middle = starts["started"].iloc[len(starts) // 2].to_pydatetime()
    later = dataclasses.replace(new, effective_from=middle)
    done = resettle(jiule, Rulebook.of([*BOOK.rulesets, later]))
    (change,) = done.changes
    assert (change.previous, change.ruleset) == ("jiule@1", "jiule@2")
    assert change.games == (starts["started"] >= middle).sum() < len(starts)


def test_what_cannot_be_settled_keeps_its_verdict(jiule: Path, tmp_path: Path) -> None:
    """A ruleset that is gone, and one whose ``[play]`` has changed, are counted and said."""
    with open_warehouse(jiule) as warehouse:
        before = warehouse.sql("FROM verdicts ORDER BY ALL")
        counts = warehouse.sql("SELECT count(*) AS n FROM games GROUP BY rules ORDER BY rules")
    points, games = counts["n"].tolist()
    none = Rulebook.of([r for r in BOOK.rulesets if r.name != "huopin-points"])
    done = resettle(jiule, none)
    assert (done.unknown, done.unchanged, done.replayed) == (points, games, 0)
    played = changed_rulebook(tmp_path, 'four_jokers = "lowest" -> four_jokers = "highest"')
    done = resettle(jiule, played)
    assert (done.unknown, done.unchanged, done.replayed) == (0, points, games)
    with open_warehouse(jiule) as warehouse:
        assert warehouse.sql("FROM verdicts ORDER BY ALL").equals(before)


def test_one_part_may_change_in_part(jiule: Path, tmp_path: Path) -> None:
    """Games of a part that keep their verdict are in its new layer as they were."""
    own = changed_rulebook(tmp_path, "fee = 0 -> fee = 7")
    rulebook = Rulebook.of([r for r in own.rulesets if r.name != "huopin-points"])
    with open_warehouse(jiule) as warehouse:
        query = "FROM postings JOIN games USING (game_key) WHERE rules = 'huopin-points'"
        before = warehouse.sql(f"SELECT postings.* {query} ORDER BY ALL")
    done = resettle(jiule, rulebook)
    assert done.unknown
    assert len(done.changes) == 1
    with open_warehouse(jiule) as warehouse:
        assert warehouse.sql(f"SELECT postings.* {query} ORDER BY ALL").equals(before)
        count = warehouse.sql("SELECT count(*) AS n, count(DISTINCT game_key) AS d FROM verdicts")
        assert count["n"][0] == count["d"][0]


def test_games_that_were_not_touched_are_in_no_earlier_view(tmp_path: Path) -> None:
    """Two rulesets share a day and one is edited, twice: the other's verdicts are there once."""
    folder, log = tmp_path / "w", tmp_path / "log.jsonl"
    games = [g for g in fixture_games() if g["rules"] in ("jiule", "huopin-points")]
    for nth, game in enumerate(games):
        game["start"] = f"2026-11-20T20:{nth:02}:00+08:00"
        game.pop("end", None)
    log.write_text("".join(f"{json.dumps(game)}\n" for game in games), encoding="utf-8")
    load_into(folder, log)
    assert len(read_manifest(folder).parts) == 1
    of_jiule = "SELECT game_key FROM games WHERE rules = 'jiule'"
    with open_warehouse(folder) as warehouse:
        edited = warehouse.sql(of_jiule)["game_key"].tolist()
        of_seats = len(warehouse.sql(f"FROM shuangkou_settled WHERE game_key IN ({of_jiule})"))
    others = len(games) - len(edited)
    assert others > 0
    for nth, fee in enumerate((7, 9), 1):
        done = resettle(folder, changed_rulebook(tmp_path, f"fee = 0 -> fee = {fee}"))
        assert (done.unchanged, done.changes[0].games) == (others, len(edited))
        with open_warehouse(folder) as warehouse:
            assert warehouse.sql("FROM journal").iloc[-1]["games"] == len(edited)
            earlier = warehouse.sql("SELECT game_key FROM earlier_verdicts ORDER BY ALL")
            assert earlier["game_key"].tolist() == sorted(edited * nth)
            assert len(warehouse.sql("FROM earlier_shuangkou_settled")) == nth * of_seats
            assert len(warehouse.sql("FROM verdicts")) == len(games)
