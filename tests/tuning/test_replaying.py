"""Replaying: another [play] makes some games illegal, and the others are compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from analytics.logs import Source, find_sources
from analytics.rules import to_toml
from analytics.studies import Studied
from analytics.tuning.errors import CannotTune
from analytics.tuning.replaying import rulesets_of
from analytics.tuning.whatif import WhatIf, what_if
from tests.rulebook.builder import rules
from tests.tuning.conftest import SAMPLES, preset
from tests.tuning.singly import games_of


@pytest.fixture(scope="module")
def logs() -> list[Source]:
    """The logs of the valid samples that hold games of huopin-points and huopin-wealth."""
    names = [str(path) for path in sorted(Path(SAMPLES).iterdir()) if "huopin" in path.name]
    return find_sources(names)


def replayed(studied: Studied, logs: list[Source], **settings: object) -> WhatIf:
    """A what-if of huopin-points with other settings, replayed where it has to be."""
    table = rules("huopin-points", **settings)
    return what_if(studied, table, rules="huopin-points", logs=logs, resamples=10)


def test_of_a_version_that_was_corrected_the_last_one_counts() -> None:
    """However many corrections there were, and whatever their texts sort like."""
    fees = [7, 3, 9, 1, 5]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE rulesets (ruleset VARCHAR, toml VARCHAR)")
        for fee in fees:
            rows = [("huopin-points@1", to_toml(rules("huopin-points", fee=fee)))]
            connection.executemany("INSERT INTO rulesets VALUES (?, ?)", rows)
        [kept] = rulesets_of(connection).rulesets
    assert kept.scoring.fee == fees[-1]


def small_joker_played_wild(game: dict[str, Any]) -> int | None:
    """The first action that plays a small joker together with natural cards, if any does."""
    for place, action in enumerate(game["actions"]):
        cards = action.split(" ")[1].rstrip("*").partition("=")[0]
        faces = {cards[at : at + 2] for at in range(0, len(cards), 2)}
        if "SJ" in faces and faces - {"SJ", "BJ"}:
            return place
    return None


def test_games_with_what_is_not_allowed_are_illegal(studied: Studied, logs: list[Source]) -> None:
    """Where only the big joker is wild, games break at the first play of another one."""
    found = replayed(studied, logs, wild=("big",))
    games: list[Any] = games_of("huopin-points")
    expected = {game["id"]: at for game in games
                if (at := small_joker_played_wild(game)) is not None}  # fmt: skip
    assert found.illegal is not None
    assert found.illegal["games"].sum() == len(expected) > 0
    assert set(found.illegal["code"]) == {"play.meld"}
    example = found.illegal.iloc[0]
    assert example["action"] == expected[example["example"]]
    header = found.header
    assert (header.missing, header.groups) == (0, None)
    assert header.compared == header.games - header.broken - len(expected)
    assert example["share"] == pytest.approx(len(expected) / header.games)
    assert (found.tiers["difference"] == 0).all()
    assert len(found.drivers) == 0


def test_what_allows_the_same_games_changes_nothing_by_itself(
    studied: Studied, logs: list[Source]
) -> None:
    """Nobody is illegal, and the difference is that of the scoring, as groups have it."""
    fee = rules("huopin-points", fee=3)
    free = replace(fee, play=replace(fee.play, trustee_policy="any"))
    by_logs = what_if(studied, free, rules="huopin-points", logs=logs, resamples=10)
    by_groups = what_if(studied, fee, rules="huopin-points", resamples=10)
    assert by_logs.illegal is not None
    assert len(by_logs.illegal) == 0
    for name in ("economy", "paired", "tiers", "levels"):
        one, other = getattr(by_logs, name), getattr(by_groups, name)
        pd.testing.assert_frame_equal(one, other, rtol=1e-9)
    assert by_logs.header.players == by_groups.header.players


def test_balances_are_known_so_that_caps_are(studied: Studied, logs: list[Source]) -> None:
    """A replay settles each game by its balances: a cap takes from nobody more than he has."""
    capped = rules("huopin-points", cap_at_balance=True, kou=(500, 900, 999))
    free = replace(capped, play=replace(capped.play, trustee_policy="any"))
    found = what_if(studied, free, rules="huopin-points", logs=logs, resamples=10)
    economy = found.economy.set_index(["item", "figure"])["candidate"]
    assert economy["cap", "received"] > 0
    assert economy["", "system"] >= 0


def test_logs_are_not_read_where_they_are_not_needed(studied: Studied) -> None:
    """The same [play] is told from groups, whatever logs are given."""
    nowhere = [Source("nowhere.jsonl", 0)]
    found = what_if(studied, preset("huopin-points"), rules="huopin-points", logs=nowhere)
    assert found.illegal is None
    assert found.header.groups is not None


def test_games_that_are_in_no_log_are_counted(
    studied: Studied, logs: list[Source], tmp_path: Path
) -> None:
    """A log that was cut short holds some of them; a log of other games none, which is refused."""
    text = (SAMPLES / "huopin-points.jsonl").read_text("utf-8").splitlines()[:30]
    (tmp_path / "some.jsonl").write_text("\n".join(text) + "\n", "utf-8")
    some = find_sources([str(tmp_path / "some.jsonl")])
    found = replayed(studied, some, trustee_policy="any")
    assert found.header.missing == found.header.games - 30
    assert found.header.compared == 30
    others = [source for source in logs if "wealth" in str(source)]
    with pytest.raises(CannotTune, match="none of the games"):
        replayed(studied, others, chain_min=4)
