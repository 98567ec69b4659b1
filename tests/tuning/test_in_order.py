"""Two tables on games in order, against themselves, groups, and one another by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from analytics.shuangkou import carrying as C
from analytics.studies import Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.comparing import PAIRED_COLUMNS
from analytics.tuning.economy import resettle_in_order
from analytics.tuning.errors import CannotTune, NeedsReplay
from analytics.tuning.groups import group_games
from analytics.tuning.in_order import IN_ORDER_COLUMNS, compare_in_order
from analytics.tuning.ordered import order_games
from tests.rulebook.builder import POINTS, WEALTH, rules

BASELINE = rules(WEALTH)
CHOSEN = {"rules": WEALTH, "where": "unit = 'wealth'"}


def test_a_table_against_itself_is_zero_everywhere(studied: Studied) -> None:
    """Metrics, results and days: nothing differs."""
    found = compare_in_order(studied, BASELINE, **CHOSEN)
    assert tuple(found.metrics.columns) == IN_ORDER_COLUMNS
    assert (found.metrics["difference"] == 0).all()
    assert tuple(found.paired.columns) == PAIRED_COLUMNS
    paired = found.paired.set_index("figure")["value"]
    assert paired["seat_games"] == 440
    assert (paired.drop("seat_games") == 0).all()
    sides = [found.over_time[found.over_time["table"] == x] for x in ("baseline", "candidate")]
    assert np.array_equal(*(side["value"].to_numpy() for side in sides), equal_nan=True)


def test_what_players_hold_in_the_end_is_told_in_shares(studied: Studied) -> None:
    """A fee of 9: top shares and the Lorenz curve, from the purses; debts count as nothing."""
    dear = replace(BASELINE, scoring=replace(BASELINE.scoring, fee=9))
    found = compare_in_order(studied, dear, **CHOSEN)
    ordered = order_games(studied, studied.asked(where=CHOSEN["where"]))
    metrics = found.metrics.set_index("metric")
    curves = found.lorenz.set_index("percent")
    for side, table in (("baseline", BASELINE), ("candidate", dear)):
        purses = resettle_in_order(ordered, [table]).purses[:, C.BALANCE].tolist()
        held = sorted(max(amount, 0) for amount in purses)
        for percent in (1, 10):
            richest = held[len(held) - math.ceil(len(held) * percent / 100) :]
            expected = sum(richest) / sum(held)
            assert metrics.loc[f"top{percent}_balances", side] == pytest.approx(expected)
        half = sum(held[: len(held) // 2]) / sum(held)
        assert curves.loc[50, side] == pytest.approx(half)
    assert set(found.lorenz["of"]) == {"balances"}
    days = found.over_time.set_index(["table", "figure"])["value"]
    assert days["candidate", "held"].iloc[-1] == metrics.loc["held", "candidate"]
    assert days["candidate", "players"].iloc[-1] == len(ordered.players)


def test_money_changes_hands_as_often_as_the_study_says(studied: Studied) -> None:
    """By the recorded table turnover, held money and velocity are those of economy.turnover."""
    own = compare_in_order(studied, BASELINE, **CHOSEN).metrics.set_index("metric")["baseline"]
    [row] = studied.study("economy.turnover", where=CHOSEN["where"], by=[]).to_dict("records")
    assert (own["turnover"], own["held"]) == (row["turnover"], row["held"])
    assert own["velocity"] == pytest.approx(row["velocity"])


def test_what_moves_is_what_groups_say(studied: Studied) -> None:
    """By the recorded table games in order and games in groups come to the same, to the coin."""
    own = compare_in_order(studied, BASELINE, **CHOSEN).metrics.set_index("metric")["baseline"]
    groups = group_games(studied, **CHOSEN)
    [row] = Evaluator(groups, groups.ruleset).evaluate([groups.ruleset]).to_dict("records")
    shared = [name for name in own.index if name in row]
    assert {"moved.base", "moved.escape", "turnover", "fee_share", "system"} <= set(shared)
    assert {name: own[name] for name in shared} == {name: row[name] for name in shared}


def test_a_cap_can_be_told_in_order(studied: Studied) -> None:
    """Groups refuse it; in order the seats together get what the system gets less."""
    capped = replace(BASELINE, scoring=replace(BASELINE.scoring, cap_at_balance=True))
    found = compare_in_order(studied, capped, **CHOSEN).metrics.set_index("metric")
    difference = found["difference"]
    assert difference["held"] == -difference["system"]
    assert found["candidate"]["bankruptcies"] <= found["baseline"]["bankruptcies"]


def test_a_base_twice_as_large_pays_twice_where_no_level_moves(studied: Studied) -> None:
    """One level for everybody: all amounts double, and every result is doubled."""
    flat = rules(WEALTH, base=7)
    double = rules(WEALTH, base=14)
    one, two = (
        compare_in_order(studied, table, **CHOSEN).metrics.set_index("metric")["candidate"]
        for table in (flat, double)
    )
    for name in ("moved.base", "moved.doubling", "moved.contribution"):
        assert two[name] == 2 * one[name] > 0


def test_games_of_other_rulesets_are_carried_and_not_told_of(studied: Studied) -> None:
    """huopin-points beside both baibian: what moves is that of its own 220 games."""
    found = compare_in_order(studied, rules(POINTS, fee=1), rules=POINTS, where="unit = 'points'")
    groups = group_games(studied, rules=POINTS)
    tables = [groups.ruleset, rules(POINTS, fee=1)]
    alone, dear = Evaluator(groups, groups.ruleset).evaluate(tables).to_dict("records")
    metrics = found.metrics.set_index("metric")
    for name in ("moved.base", "moved.mint", "moved.contribution", "fees", "system"):
        assert metrics["baseline"][name] == alone[name], name
    unplayable = metrics["candidate"]["unplayable"]  # of whom the fee left without a level
    assert dear["fees"] - 2 * unplayable <= metrics["candidate"]["fees"] <= dear["fees"]
    paired = found.paired.set_index("figure")["value"]
    assert found.games == groups.games == 220
    assert paired["seat_games"] == 2 * (found.games - unplayable) > 0
    # What everybody holds comes from all games: the fees, and levels that they have changed.
    [held] = studied.sql(
        """SELECT sum(last)::BIGINT AS held FROM (
            SELECT arg_max(recorded_balance, (started, game_key)) AS last
            FROM seats JOIN games USING (game_key) JOIN verdicts USING (game_key)
            JOIN settlements USING (settlement_key) WHERE unit = 'points' GROUP BY player)"""
    )["held"]
    assert metrics["baseline"]["held"] == held


def test_what_cannot_be_compared_is_refused(studied: Studied) -> None:
    """Another unit, other legal plays."""
    with pytest.raises(CannotTune, match="another unit"):
        compare_in_order(studied, rules(POINTS), **CHOSEN)
    with pytest.raises(NeedsReplay):
        compare_in_order(studied, rules(WEALTH, chain_min=2), **CHOSEN)
