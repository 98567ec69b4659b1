"""Runs by tables of a house: new versions in mid-run, levels of any size, limits."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from analytics.logs import Game, write_jsonl
from analytics.logs.records import game
from analytics.rules import Rulebook, load_rulesets
from analytics.simulate import CannotSimulate, Wanted, simulate
from analytics.simulate.rooms import MOST, ceiling_of, least_of, rooms_of
from tests.simulate.verification import verified

START = datetime.fromisoformat("2026-11-02T18:00:00+08:00")
# In the middle of a slot of five minutes, so that games of one slot are by two versions.
CHANGE = datetime.fromisoformat("2026-11-02T22:02:30+08:00")
EVENING = Wanted("huopin-wealth", 60, START, players=30, seed=3)
HOUSE = replace(EVENING, rules="house", games=25)


def house(
    folder: Path, levels: str, *lines: str, name: str = "house", version: int = 1
) -> Rulebook:
    """The presets and a ruleset like huopin-wealth with other levels."""
    (folder / "house.toml").write_text(
        f'''extends = "huopin-wealth"
name = "{name}"
version = "{version}"
{chr(10).join(lines)}
[scoring.base]
levels = {levels}
'''
    )
    return load_rulesets([folder])


def version_2(folder: Path, levels: str) -> Rulebook:
    """The presets, and another version of huopin-wealth in effect from ``CHANGE`` on."""
    from_then = f"effective_from = {CHANGE.isoformat()}"
    return house(folder, levels, from_then, name="huopin-wealth", version=2)


def played(wanted: Wanted, rulebook: Rulebook, path: Path) -> list[Game]:
    """The games of a run, which verify without a finding."""
    batches = list(simulate(wanted, rulebook))
    write_jsonl(batches, str(path))
    summary, findings = verified([path], rulebook)
    assert findings == []
    assert summary.games == wanted.games
    return [game(batch, at) for batch in batches for at in range(len(batch))]


def test_rooms_follow_the_version_in_effect(tmp_path: Path) -> None:
    """Levels from 100,000 on: from then on nobody sits down with less, at any table."""
    rulebook = version_2(tmp_path, "[[100000, 50], [1000000, 500]]")
    games = played(EVENING, rulebook, tmp_path / "a.jsonl")
    before = [each for each in games if datetime.fromisoformat(str(each.start)) < CHANGE]
    after = games[len(before) :]
    assert {each.base for each in after} == {50, 500}
    assert min(seat.balance for each in after for seat in each.seats) >= 100_000
    assert min(seat.balance for each in before for seat in each.seats) < 100_000
    assert len(before) > 10
    assert len(after) > 10


def test_a_named_version_has_the_whole_run(tmp_path: Path) -> None:
    """``huopin-wealth@1`` goes on by its own levels when version 2 comes."""
    rulebook = version_2(tmp_path, "[[100000, 50]]")
    named = replace(EVENING, rules="huopin-wealth@1")
    games = played(named, rulebook, tmp_path / "a.jsonl")
    assert 5 in {each.base for each in games[40:]}
    assert {each.rules for each in games} == {"huopin-wealth@1"}


def test_a_version_for_other_seats_is_refused(tmp_path: Path) -> None:
    """One run cannot be of two and of four players; the sentence says from when on."""
    (tmp_path / "house.toml").write_text(
        f'extends = "baibian"\nname = "huopin-wealth"\nversion = "2"\n'
        f"effective_from = {CHANGE.isoformat()}\n"
    )
    rulebook = load_rulesets([tmp_path])
    sentence = "huopin-wealth@2, in effect from 2026-11-02T22:02:30.08:00, is for 4 players"
    with pytest.raises(CannotSimulate, match=sentence):
        list(simulate(EVENING, rulebook))


@pytest.mark.parametrize(
    "levels",
    [
        "[[0, 5]]",
        "[[0, 1000000000]]",
        "[[1000000000000, 5], [1000000000000000, 1000000000]]",
    ],
)
def test_levels_of_any_size_verify(levels: str, tmp_path: Path) -> None:
    """From nothing to clause 12's 10^15: balances stay within what a log holds."""
    rulebook = house(tmp_path, levels)
    games = played(HOUSE, rulebook, tmp_path / "a.jsonl")
    assert all(seat.balance <= MOST for each in games for seat in each.seats)


def test_newcomers_bring_something_where_levels_begin_at_nothing(tmp_path: Path) -> None:
    """With the one level from 0 on: 20 units and up to twenty times as many."""
    rulebook = house(tmp_path, "[[0, 5]]")
    rooms = rooms_of(rulebook.rulesets[rulebook.find("house", None)])
    assert (least_of(rooms), ceiling_of(rooms)) == (20, 400)


def test_who_gets_too_rich_leaves(tmp_path: Path) -> None:
    """Newcomers bring half of what a log holds; who wins is above it, and seen no more."""
    rulebook = house(tmp_path, "[[250000000000000, 1000000000]]")
    games = played(HOUSE, rulebook, tmp_path / "a.jsonl")
    rich = {
        seat.player
        for each in games
        for seat, after in zip(each.seats, each.result.balance, strict=True)
        if after > MOST
    }
    last = {seat.player: each for each in games for seat in each.seats}
    assert rich
    for name in rich:
        at = [seat.player for seat in last[name].seats].index(name)
        assert last[name].result.balance[at] > MOST


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ("[[300000000000000, 5]]", "newcomers would bring 600,000,000,000,000"),
        ("[[1000000000000000, 5]]", "the lowest level asks for 1,000,000,000,000,000"),
    ],
)
def test_levels_that_nobody_can_reach_are_refused(
    levels: str, sentence: str, tmp_path: Path
) -> None:
    """Before anything is played."""
    rulebook = house(tmp_path, levels)
    with pytest.raises(CannotSimulate, match=sentence):
        list(simulate(HOUSE, rulebook))


def test_a_ruleset_that_pays_past_the_limit_is_refused(tmp_path: Path) -> None:
    """10^9 times 10^4 times 10^3 in one game is more than a balance can be."""
    kou = "kou = { ping = 10000, dan = 10000, shuang = 10000 }"
    doubling = "doubling = { 4 = 10000 }"
    rulebook = house(tmp_path, "[[0, 1000000000]]", "[scoring]", kou, doubling)
    with pytest.raises(CannotSimulate, match=r"a log holds 1,000,000,000,000,000 at most"):
        list(simulate(HOUSE, rulebook))


def test_days_past_the_calendar_are_refused(tmp_path: Path) -> None:
    """The year 9999 is the last one."""
    late = replace(EVENING, start=datetime.fromisoformat("9999-12-31T00:00:00+08:00"), days=3)
    with pytest.raises(CannotSimulate, match=r"3 days from 9999-12-31.* past the year 9999"):
        list(simulate(late, house(tmp_path, "[[0, 5]]")))
