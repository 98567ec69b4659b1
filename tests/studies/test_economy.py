"""Money: every figure against a plain recount of what the logs record."""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction

import pytest

from analytics.studies import Studied
from tests.studies.conftest import Game
from tests.studies.recount import Z, gini, gini_error, quantile, ratio, wilson, without_one

UNITS = {"huopin-points": "points", "huopin-wealth": "wealth", "jiule": "coins",
         "baibian": "points", "baibian-zerosum": "points", "tongcheng": "silver"}  # fmt: skip
KOU = {"ping": 1, "dan": 2, "shuang": 3}  # rules clause 8: multipliers of two players


def two(games: list[Game]) -> Iterator[Game]:
    """The games of two players."""
    return (game for game in games if len(game["seats"]) == 2)


def moved(game: Game) -> dict[str, int]:
    """What a game of two moves by item, from its recorded result."""
    result = game["result"]
    if result["end"] == "escape":
        return {"escape": max(map(abs, result["delta"]))}
    base = game["base"] * KOU[result["kou"]]
    parts = {"base": base, "doubling": base * (result["doubling"] - 1),
             "contribution": game["base"] * max(result["contribution"])}  # fmt: skip
    return {item: amount for item, amount in parts.items() if amount}


def test_items_of_two_players_are_worked_out_from_results(
    studied: Studied, games: list[Game]
) -> None:
    """Amounts, shares and intervals of every item and ruleset."""
    own = [game for game in two(games) if any(game["result"]["delta"])]
    frame = studied.study("economy", by=["ruleset"], where="seats = 2")
    for rules in sorted({game["rules"] for game in own}):
        items = [moved(game) for game in two(games) if game["rules"] == rules]
        wholes = [sum(each.values()) for each in items]
        rows = frame[frame["ruleset"] == f"{rules}@1"].set_index("item")
        assert set(rows.index) == {item for each in items for item in each}
        assert set(rows["unit"]) == {UNITS[rules]}
        for item, row in rows.iterrows():
            amounts = [each.get(item, 0) for each in items]
            assert row["moved"] == -row["paid"] == sum(amounts)
            assert row["received"] + row["system"] == row["moved"]
            assert (row["games_with"], row["games"]) == (sum(map(bool, amounts)), len(items))
            assert row["share"] == pytest.approx(sum(amounts) / sum(wholes))
            assert (row["share_low"], row["share_high"]) == pytest.approx(ratio(amounts, wholes))


def test_accounts_of_all_items_add_up_to_zero(studied: Studied) -> None:
    """What seats receive, what they pay and what the system gets is nothing in all."""
    frame = studied.study("economy")
    sums = frame[["received", "paid", "system"]].sum(axis=1).groupby(frame["unit"]).sum()
    assert (sums == 0).all()


def test_turnover_faucets_and_sinks_are_those_of_the_logs(
    studied: Studied, games: list[Game]
) -> None:
    """By ruleset: what was lost, what the system got and gave, who went broke."""
    frame = studied.study("economy.turnover", by=["ruleset"]).set_index("ruleset")
    for rules, unit in UNITS.items():
        own = [game for game in games if game["rules"] == rules]
        row = frame.loc[f"{rules}@1"]
        system = [-sum(game["result"]["delta"]) for game in own]
        lost = sum(max(-delta, 0) for game in own for delta in game["result"]["delta"])
        assert (row["unit"], row["games"], row["turnover"]) == (unit, len(own), lost)
        assert row["sinks"] == sum(max(each, 0) for each in system)
        assert row["faucets"] == sum(max(-each, 0) for each in system)
        assert row["drain"] == sum(system)
        assert (row["fees"], row["fee_share"]) == (0, 0)
        before = [(seat["balance"], delta) for game in own
                  for seat, delta in zip(game["seats"], game["result"]["delta"], strict=True)
                  if seat["balance"] > 0]  # fmt: skip
        broke = sum(balance + delta <= 0 for balance, delta in before)
        assert (row["bankruptcies"], row["solvent"]) == (broke, len(before))
        ends = wilson(broke, len(before))
        assert (row["bankruptcy_low"], row["bankruptcy_high"]) == pytest.approx(ends, abs=1e-12)
        held = last_balances(own)
        assert (row["players"], row["held"]) == (len(held), sum(held.values()))
        assert row["velocity"] == pytest.approx(lost / sum(held.values()))


def last_balances(games: list[Game]) -> dict[str, int]:
    """What each player has after his last game."""
    held = {}
    for game in sorted(games, key=lambda game: game["start"]):
        for seat, delta in zip(game["seats"], game["result"]["delta"], strict=True):
            held[seat["player"]] = seat["balance"] + delta
    return held


def test_results_have_mean_scatter_and_quantiles(studied: Studied, games: list[Game]) -> None:
    """Per seat and game: mean with its interval, σ, 1 % to 99 %, worst and best."""
    frame = studied.study("economy.results").set_index("ruleset")
    for rules in UNITS:
        own = [game["result"]["delta"] for game in games if game["rules"] == rules]
        deltas = [delta for each in own for delta in each]
        row = frame.loc[f"{rules}@1"]
        assert (row["games"], row["seat_games"], row["total"]) == (
            len(own), len(deltas), sum(deltas),
        )  # fmt: skip
        assert row["mean"] == pytest.approx(statistics.fmean(deltas))
        ends = ratio([sum(each) for each in own], [len(each) for each in own])
        assert (row["mean_low"], row["mean_high"]) == pytest.approx(ends, abs=1e-9)
        assert row["deviation"] == pytest.approx(statistics.stdev(deltas))
        assert (row["worst"], row["best"]) == (min(deltas), max(deltas))
        for point in (1, 5, 25, 50, 75, 95, 99):
            assert row[f"p{point}"] == quantile(deltas, point / 100), point


def amounts_of(games: list[Game]) -> dict[tuple[str, str], list[int]]:
    """Balances, gains and losses by unit, in order."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for unit in set(UNITS.values()):
        own = [game for game in games if UNITS[game["rules"]] == unit]
        found[unit, "balances"] = sorted(b for b in last_balances(own).values() if b > 0)
        nets: Counter[str] = Counter()
        for game in own:
            for seat, delta in zip(game["seats"], game["result"]["delta"], strict=True):
                nets[seat["player"]] += delta
        found[unit, "gains"] = sorted(net for net in nets.values() if net > 0)
        found[unit, "losses"] = sorted(-net for net in nets.values() if net < 0)
    return found


def test_inequality_is_that_of_all_pairs(studied: Studied, games: list[Game]) -> None:
    """Gini coefficients by the definition, top shares by sorting."""
    frame = studied.study("economy.inequality").set_index(["unit", "of"])
    found = amounts_of(games)
    assert len(frame) == len(found)
    for key, amounts in found.items():
        row, n = frame.loc[key], len(amounts)
        assert (row["players"], row["total"]) == (n, sum(amounts))
        assert row["gini"] == pytest.approx(gini(amounts))
        for percent in (1, 10):
            top = sum(amounts[n - math.ceil(n * percent / 100) :])
            assert row[f"top{percent}"] == pytest.approx(top / sum(amounts))


def test_the_error_of_the_gini_is_the_linearised_one(studied: Studied, games: list[Game]) -> None:
    """The interval is that of Davidson's formula, cut at 0 and 1."""
    frame = studied.study("economy.inequality").set_index(["unit", "of"])
    for key, amounts in amounts_of(games).items():
        row, half = frame.loc[key], Z * gini_error(amounts)
        assert row["gini_low"] == pytest.approx(max(gini(amounts) - half, 0), rel=1e-4)
        assert row["gini_high"] == pytest.approx(min(gini(amounts) + half, 1), rel=1e-4)


def test_the_linearised_error_is_that_of_the_jackknife() -> None:
    """On two hundred lognormal amounts both agree within some per cent."""
    chance = random.Random(5)
    amounts = [int(1000 * chance.lognormvariate(0, 1)) for _ in range(200)]
    assert gini_error(amounts) == pytest.approx(without_one(amounts), rel=0.1)


def test_the_lorenz_curve_goes_through_every_per_cent(studied: Studied, games: list[Game]) -> None:
    """101 points a curve, each the sum of the poorest so many."""
    frame = studied.study("economy.lorenz")
    for key, amounts in amounts_of(games).items():
        rows = frame[(frame["unit"] == key[0]) & (frame["of"] == key[1])]
        assert list(rows["percent"]) == list(range(101))
        for row in rows.itertuples():
            counted = len(amounts) * row.percent // 100
            assert (row.counted, row.below) == (counted, sum(amounts[:counted]))
            assert row.share == pytest.approx(float(Fraction(row.below, sum(amounts))))


def test_balances_of_a_day_are_those_after_its_last_games(
    studied: Studied, games: list[Game]
) -> None:
    """Every day of the samples, with quantiles."""
    frame = studied.study("economy.balances").set_index(["unit", "day"])
    days = {(UNITS[game["rules"]], game["start"][:10]) for game in games}  # all in the home zone
    assert len(frame) == len(days)
    for unit, day in days:
        own = [g for g in games if (UNITS[g["rules"]], g["start"][:10]) == (unit, day)]
        held, row = list(last_balances(own).values()), frame.loc[(unit, day)]
        assert (row["players"], row["held"]) == (len(held), sum(held))
        for point in (5, 25, 50, 75, 95):
            assert row[f"p{point}"] == quantile(held, point / 100)


def test_units_are_never_mixed(studied: Studied) -> None:
    """Whatever money is grouped by, its unit is among it."""
    for name in ("economy", "economy.turnover", "economy.results", "economy.inequality",
                 "economy.lorenz", "economy.balances"):  # fmt: skip
        assert studied.study(name, by=[])["unit"].nunique() == len(set(UNITS.values()))
