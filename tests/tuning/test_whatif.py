"""What-if: two tables side by side, checked against games that are settled one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analytics.ledger import ITEM_NAMES
from analytics.rules import Levels, Ruleset
from analytics.studies import Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.drivers import changes_of, drivers_frame, with_equal_rows
from analytics.tuning.errors import CannotTune, NeedsReplay, NotFromGroups
from analytics.tuning.groups import Groups, Seatings, group_games
from analytics.tuning.players import PlayerEvaluator, player_metrics
from analytics.tuning.resampling import Means, intervals, mean_intervals
from analytics.tuning.tiers import tiers_of
from analytics.tuning.whatif import WhatIf, pair_of, what_if
from tests.rulebook.builder import rules
from tests.tuning.conftest import HOUSES, preset
from tests.tuning.random_tables import random_table
from tests.tuning.singly import games_of, settled_one_by_one

KOU = {"ping": 1, "dan": 2, "shuang": 3}  # rules clause 8: multipliers of two players


def compared(studied: Studied, table: Ruleset, house: str, **options: Any) -> WhatIf:
    """A what-if with few resamples."""
    return what_if(studied, table, rules=house, resamples=50, **options)


def economy(found: WhatIf, figure: str, item: str = "", study: str = "economy.turnover") -> Any:
    """A line of the economy."""
    frame = found.economy
    chosen = (frame["study"] == study) & (frame["item"] == item) & (frame["figure"] == figure)
    return frame[chosen].iloc[0]


@pytest.mark.parametrize("house", HOUSES)
def test_a_table_against_itself_is_zero_everywhere(studied: Studied, house: str) -> None:
    """Every difference, with both ends of its interval, is exactly zero."""
    found = compared(studied, preset(house), house)
    assert found.header.differences == ()
    assert len(found.drivers) == 0
    for frame in (found.economy, found.tiers, found.levels):
        difference = frame["difference"]
        assert all(value == 0 or math.isnan(value) for value in difference)
        assert (frame[["low", "high"]].fillna(0.0) == 0).all().all()
    paired = found.paired.set_index("figure")["value"].drop("seat_games")
    assert all(value == 0 for value in paired)
    assert (found.tiers[["gaining", "losing"]] == 0).all().all()


def test_one_entry_doubled_makes_the_difference_worked_out_by_hand(studied: Studied) -> None:
    """Twice the doubling of 7相: X·a·4 more from each game that was doubled fourfold."""
    table = rules(
        "huopin-wealth", doubling={**dict(preset("huopin-wealth").scoring.doubling), 7: 8}
    )
    won, escapes = 0, 0
    for game in games_of("huopin-wealth"):
        result: Any = game["result"]
        if result["end"] == "out" and result["doubling"] == 4:
            won += game["base"] * KOU[result["kou"]] * 4
        elif result["end"] == "escape" and max(result["xiang"][result["winner"]], 0) == 7:
            escapes += game["base"] * 4 * has_played(game)
    found = compared(studied, table, "huopin-wealth")
    assert won > 0
    assert economy(found, "moved", "doubling", "economy")["difference"] == won
    assert economy(found, "moved", "escape", "economy")["difference"] == escapes
    for item in set(ITEM_NAMES) - {"doubling", "escape"}:
        assert economy(found, "moved", item, "economy")["difference"] == 0
    assert list(found.drivers["path"]) == ["scoring.doubling.7"]
    assert found.drivers["moved_effect"][0] == won + escapes


def has_played(game: dict[str, Any]) -> bool:
    """Whether who fled had played a card before (rules clause 9)."""
    fleer = 1 - game["result"]["winner"]
    return any(
        action.startswith(f"{fleer} ") and not action.startswith((f"{fleer} -", f"{fleer} !"))
        for action in game["actions"]
    )


def test_a_fee_is_paid_by_every_seat(studied: Studied) -> None:
    """Three from each of four seats of each game, and each of them loses it."""
    found = compared(studied, rules("baibian", fee=3), "baibian")
    games = len(games_of("baibian"))
    line = economy(found, "fees")
    assert (line["baseline"], line["candidate"], line["difference"]) == (0, 12 * games, 12 * games)
    assert (line["low"], line["high"]) == (12 * games, 12 * games)  # nobody can pay another fee
    paired = found.paired.set_index("figure")
    assert {paired.loc[name, "value"] for name in ("mean", "worst", "p1", "p50", "best")} == {-3}
    assert paired.loc["sigma", "value"] == 0
    assert paired.loc["losing", "value"] == 1
    assert (found.tiers["difference"] == -3).all()
    assert (found.tiers["losing"] == found.tiers["players"]).all()


@pytest.mark.parametrize("house", ["huopin-wealth", "jiule", "baibian"])
def test_differences_are_those_of_games_one_by_one(studied: Studied, house: str) -> None:
    """Paired differences, flips and who gains, under a random table, recounted seat by seat."""
    table = random_table(preset(house), Random(5), unit=preset(house).scoring.unit)
    one, other = (settled_one_by_one(house, each) for each in (preset(house), table))
    before, after = (each.items.sum(axis=1) for each in (one, other))
    both = np.repeat((one.games[:, 0] != -(2**63)) & (other.games[:, 0] != -(2**63)),
                     preset(house).play.seats)  # fmt: skip
    difference = np.sort((after - before)[both])
    found = compared(studied, table, house)
    paired = found.paired.set_index("figure")["value"]
    assert paired["seat_games"] == len(difference)
    assert paired["total"] == int(difference.sum())
    assert paired["mean"] == pytest.approx(difference.mean())
    assert paired["sigma"] == pytest.approx(np.std(difference, ddof=1))
    assert (paired["worst"], paired["best"]) == (difference[0], difference[-1])
    for percent in (1, 5, 25, 50, 75, 95, 99):
        place = max(0, math.ceil(len(difference) * percent / 100) - 1)
        assert paired[f"p{percent}"] == difference[place]
    flipped = (np.sign(before) * np.sign(after) < 0)[both]
    assert paired["flips"] == pytest.approx(flipped.mean())
    assert paired["gaining"] == pytest.approx((difference > 0).mean())
    assert found.tiers["seat_games"].sum() == found.levels["seat_games"].sum() == len(difference)
    nets = found.tiers["candidate_net"].sum() - found.tiers["baseline_net"].sum()
    assert nets == difference.sum()


def test_levels_are_those_of_the_players_own_balance(studied: Studied) -> None:
    """Seats by the threshold that their balance before the game has met, counted from the logs."""
    found = compared(studied, preset("huopin-wealth"), "huopin-wealth")
    begins = [level.required for level in preset("huopin-wealth").scoring.base.rows]  # type: ignore[union-attr]
    held = [seat["balance"] for game in games_of("huopin-wealth") for seat in game["seats"]]
    expected = pd.Series([max(b for b in begins if b <= each) for each in held]).value_counts()
    found_seats = dict(zip(found.levels["from_balance"], found.levels["seat_games"], strict=True))
    assert found_seats == expected.to_dict()


def test_drivers_add_up(wealth: Groups) -> None:
    """Effects of entries that are multiplied in pairs add up to the whole difference."""
    left = preset("huopin-wealth")
    right = rules("huopin-wealth", kou=(1, 2, 5), doubling={5: 2, 6: 4, 9: 20}, fee=4)
    evaluator = Evaluator(wealth, left)
    frame = drivers_frame(evaluator, left, right)
    whole = evaluator.evaluate([left, right])["moved"]
    assert frame["moved_effect"].sum() == pytest.approx(whole[1] - whole[0])
    assert set(frame["path"]) == {
        "scoring.kou.shuang", "scoring.fee",
        *(f"scoring.doubling.{x}" for x in (5, 6, 8, 9, 10, 11, 12)),
    }  # fmt: skip
    sizes = [abs(value) for value in frame["moved_effect"]]
    assert sizes == sorted(sizes, reverse=True)


def test_rows_that_are_filled_in_change_nothing(wealth: Groups) -> None:
    """Tables with rows of other xiang are compared row by row, and pay what they paid."""
    left, right = preset("huopin-wealth"), rules("huopin-wealth", contribution={4: 1, 8: 6})
    pair = with_equal_rows(left, right)
    evaluator = Evaluator(wealth, left)
    plain, filled = (
        evaluator.evaluate(tables).to_dict("records") for tables in ((left, right), pair)
    )
    assert plain == filled
    assert {change.path for change in changes_of(*pair)} == {
        *(f"scoring.contribution.{x}" for x in (4, 6, 7, 9, 10, 11, 12)), "scoring.contribution.8",
    }  # fmt: skip


def test_settings_are_drivers_as_a_whole(wealth: Groups) -> None:
    """What is no number changes at once: bases of another kind, the way bombs add up."""
    left = preset("huopin-wealth")
    right = rules("huopin-wealth", base=7, linked=False, contribution_mode="each")
    paths = [(change.path, change.left, change.right) for change in changes_of(left, right)]
    assert paths == [
        ("xiang.linked", "true", "false"),
        (
            "scoring.base",
            "{ levels = [ [100, 5], [1000, 10], [10000, 100], [100000, 5…",
            "{ fixed = 7 }",
        ),
        ("scoring.contribution_mode", '"max"', '"each"'),
    ]
    frame = drivers_frame(Evaluator(wealth, left), left, right)
    assert set(frame["path"]) == {path for path, *_ in paths}


def test_what_cannot_be_compared_is_said(studied: Studied) -> None:
    """Another [play], another unit, a cap."""
    refused = {
        NeedsReplay: rules("huopin-wealth", chain_min=4),
        NotFromGroups: rules("huopin-wealth", cap_at_balance=True),
        CannotTune: rules("huopin-wealth", unit="silver"),
    }
    for kind, table in refused.items():
        with pytest.raises(kind):
            compared(studied, table, "huopin-wealth")


def test_the_header_says_what_it_was_made_of(studied: Studied) -> None:
    """Hashes of the inputs, which games, how many."""
    table = rules("huopin-wealth", fee=1)
    found = compared(studied, table, "huopin-wealth", where="seats = 2", since="2020-01-01")
    header = found.header
    assert (header.baseline.hash, header.candidate.hash) == (
        preset("huopin-wealth").hash, table.hash,
    )  # fmt: skip
    assert [each.path for each in header.differences] == ["scoring.fee"]
    assert header.games == header.compared + header.broken == len(games_of("huopin-wealth"))
    assert (header.where, str(header.since), header.unit) == ("seats = 2", "2020-01-01", "wealth")
    assert len(header.manifest) == 16


def test_the_same_seed_gives_the_same(studied: Studied) -> None:
    """Two runs are equal to the last digit; another seed gives other ends, and no other figures."""
    table = rules("huopin-wealth", kou=(1, 2, 4))
    one, again = (compared(studied, table, "huopin-wealth") for _ in range(2))
    other = compared(studied, table, "huopin-wealth", seed=2)
    pd.testing.assert_frame_equal(one.economy, again.economy)
    pd.testing.assert_frame_equal(one.tiers, again.tiers)
    assert not one.tiers["low"].equals(other.tiers["low"])
    assert one.tiers["difference"].equals(other.tiers["difference"])


def seatings(won: list[int], lost: list[int]) -> Seatings:
    """Players who won and lost so many games of two."""
    players = np.repeat(np.arange(len(won)), 2)
    zeros = np.zeros(len(players), np.int64)
    position = np.tile([0, 1], len(won))
    count = np.column_stack([won, lost]).ravel()
    names = tuple(f"p{nth}" for nth in range(len(won)))
    return Seatings(names, players, zeros, position, zeros, count)


def test_tiers_are_quarters_of_players_by_what_they_win() -> None:
    """Shares are steadied: 3 of 3 is less than 90 of 100, and more than 1 of 2."""
    won, lost = [3, 90, 1, 10, 0, 5, 50, 2], [0, 10, 1, 90, 9, 5, 50, 4]
    both = zip(won, lost, strict=True)
    steadied = [Fraction(own + 10, own + other + 20) for own, other in both]
    order = sorted(range(8), key=lambda player: (steadied[player], player))
    expected = {player: place // 2 + 1 for place, player in enumerate(order)}
    assert tiers_of(seatings(won, lost)).tolist() == [expected[player] for player in range(8)]
    assert expected[1] == 4


def test_intervals_cover_what_they_should() -> None:
    """Of 200 samples with a known ratio about 95 % of the intervals hold it."""
    rng = np.random.default_rng(3)
    held = 0
    for seed in range(200):
        whole = rng.integers(1, 30, 80).astype(float)
        part = whole * 2 + rng.normal(0, 9, 80)
        low, high = intervals(part[:, None], whole[:, None], resamples=200, seed=seed)
        held += bool(low[0] <= 2 <= high[0])
    assert 176 <= held <= 198


def test_intervals_of_nothing_are_unknown() -> None:
    """One player has no scatter; a kind that nobody is of has no ratio."""
    one = intervals(np.ones((1, 2)), np.ones((1, 2)), resamples=10, seed=1)
    assert np.isnan(one.low).all()
    none = intervals(np.zeros((5, 1)), np.zeros((5, 1)), resamples=10, seed=1)
    assert np.isnan(none.high).all()
    nobody = intervals(np.zeros((0, 2)), np.zeros((0, 2)), resamples=10, seed=1)
    assert np.isnan(nobody.low).all()


def test_a_kind_with_one_player_has_no_interval() -> None:
    """Of five players two are of the first kind and one of the second, whose scatter is unknown."""
    whole = np.array([[3, 0], [5, 0], [0, 4], [0, 0], [0, 0]], float)
    part = np.array([[3, 0], [15, 0], [0, 8], [0, 0], [0, 0]], float)
    low, high = intervals(part, whole, resamples=200, seed=1)
    assert (low[0], high[0]) == (1, 3)  # one of both may be drawn, and the other not
    assert np.isnan([low[1], high[1]]).all()


def test_a_level_with_one_player_has_no_interval(studied: Studied) -> None:
    """Levels and tiers of one player have null ends, those of several have numbers."""
    found = compared(studied, rules("baibian", fee=3), "baibian")
    for frame in (found.levels, found.tiers):
        is_alone = frame["players"] < 2
        assert (frame["low"].isna() == is_alone).all()
        assert (frame["high"].isna() == is_alone).all()


def test_differences_of_means_have_denominators_of_their_own() -> None:
    """Of two players who are drawn alone or together, the ends are those of one alone."""
    one = Means(np.array([[10.0], [30.0]]), np.array([[10.0], [10.0]]))
    other = Means(np.array([[10.0], [40.0]]), np.array([[2.0], [8.0]]))
    low, high = mean_intervals(one, other, resamples=400, seed=1)
    alone = (10 / 2 - 10 / 10, 40 / 8 - 30 / 10)  # 4 and 2; together 5 - 2 = 3
    assert (low[0], high[0]) == (min(alone), max(alone))
    same = mean_intervals(one, one, resamples=50, seed=1)
    assert (same.low[0], same.high[0]) == (0, 0)
    nobody = Means(np.zeros((2, 1)), np.zeros((2, 1)))
    assert np.isnan(mean_intervals(one, nobody, resamples=50, seed=1)).all()


@pytest.mark.parametrize(
    ("house", "levels"),
    [
        ("huopin-points", [[1_000, 60], [8_000, 300]]),
        ("huopin-wealth", [[500_000, 600], [1_000_000, 700]]),
        ("baibian", [[3_000, 100]]),
    ],
)
def test_values_lie_within_their_intervals(
    studied: Studied, house: str, levels: list[list[int]]
) -> None:
    """Also where the candidate leaves games unsettled: every value is of what is resampled."""
    found = what_if(studied, rules(house, base=levels, fee=1), rules=house, resamples=400)
    frames = {"economy": "difference", "paired": "value", "tiers": "difference",
              "levels": "difference"}  # fmt: skip
    for name, column in frames.items():
        rows = getattr(found, name).dropna(subset=["low"])
        value = rows[column].astype(float)
        near = 1e-9 * value.abs()
        assert ((rows["low"] - near <= value) & (value <= rows["high"] + near)).all(), rows


def test_games_that_are_not_compared_have_no_part_in_pairs(studied: Studied) -> None:
    """Without low levels games are unsettled; in those that are compared nothing differs."""
    own = preset("huopin-points").scoring.base
    assert isinstance(own, Levels)
    few = rules(
        "huopin-points",
        base=[[level.required, level.base] for level in own.rows if level.required >= 200],
    )
    found = compared(studied, few, "huopin-points")
    assert 0 < found.header.compared < found.header.games - found.header.broken
    paired = found.paired.set_index("figure")
    for name in ("total", "mean"):
        assert paired.loc[name, ["value", "low", "high"]].tolist() == [0, 0, 0]
    line = economy(found, "turnover")
    assert line["low"] < line["difference"] < line["high"] < 0


@pytest.mark.parametrize(("setting", "value"), [("resamples", 0), ("resamples", 1), ("seed", -1)])
def test_intervals_that_cannot_be_drawn_are_refused(
    studied: Studied, setting: str, value: int
) -> None:
    """It is said which setting is wrong, before anything is worked out."""
    given: dict[str, Any] = {setting: value}
    with pytest.raises(CannotTune, match=f"{setting}.* {value}:"):
        what_if(studied, preset("jiule"), rules="jiule", **given)


@pytest.mark.parametrize("house", ["huopin-points", "jiule", "baibian"])
def test_nets_of_players_are_exact(studied: Studied, house: str) -> None:
    """Class (b) gives every player what his games come to, of several tables in turn."""
    groups = group_games(studied, rules=house, with_players=True)
    players = PlayerEvaluator(groups, Evaluator(groups, preset(house)))
    tables = [preset(house), rules(house, fee=9, doubling={5: 3}), rules(house, contribution={})]
    for table in tables:
        pair = pair_of(groups, table)
        sat = pair.seatings
        expected = [0] * len(sat.players)
        amounts = pair.candidate.result[sat.group, sat.position] * sat.count
        for player, amount in zip(sat.player.tolist(), amounts.tolist(), strict=True):
            expected[player] += amount
        assert players.nets(table).tolist() == expected
    frame = players.evaluate(tables)
    assert frame["winners"][0] + frame["losers"][0] <= frame["players"][0] == len(sat.players)


def test_players_without_amounts_do_not_count(studied: Studied) -> None:
    """Only who sits at a table whose lowest balance has a level is a player of such a table."""
    lofty = rules("huopin-wealth", base=[[10**6, 5]])
    groups = group_games(studied, rules="huopin-wealth", thresholds=(10**6,), with_players=True)
    evaluator = PlayerEvaluator(groups, Evaluator(groups, preset("huopin-wealth")))
    expected, every = set(), set()
    for game in games_of("huopin-wealth"):
        names = {seat["player"] for seat in game["seats"]}
        every |= names
        if all(seat["balance"] >= 10**6 for seat in game["seats"]):
            expected |= names
    found = evaluator.evaluate([lofty, preset("huopin-wealth")])
    assert found["players"].tolist() == [len(expected), len(every)]
    assert 0 < len(expected) < len(every)


def test_players_must_be_known(studied: Studied) -> None:
    """Groups without players cannot tell who won."""
    groups = group_games(studied, rules="jiule")
    with pytest.raises(CannotTune, match="who sat"):
        PlayerEvaluator(groups, Evaluator(groups, preset("jiule")))
    with pytest.raises(CannotTune, match="who sat"):
        pair_of(groups, preset("jiule"))


def test_metrics_of_players_by_hand() -> None:
    """Winners of 1, 1 and 8; losers of 4 and 6; one who is even."""
    found = player_metrics(np.array([1, -4, 0, 8, -6, 1]))
    assert (found["players"], found["winners"], found["losers"]) == (6, 3, 2)
    assert found["gini_gains"] == pytest.approx((-2 * 1 + 0 * 1 + 2 * 8) / (3 * 10))
    assert found["gini_losses"] == pytest.approx((-1 * 4 + 1 * 6) / (2 * 10))
    assert found["top10_gains"] == pytest.approx(0.8)
    assert math.isnan(player_metrics(np.array([0]))["gini_gains"])


def test_games_that_only_one_table_settles_are_no_difference(wealth: Groups) -> None:
    """Without a level under the candidate a game is not compared."""
    lofty = rules("huopin-wealth", base=[[10**6, 5]])
    pair = pair_of(wealth, lofty)
    has_level = wealth.balances() >= 10**6
    assert pair.compared.sum() == wealth.count[has_level].sum() < wealth.games
    assert replace(pair, candidate=pair.baseline).difference.any() is np.False_
