"""Candidates: many tables at once come to what each comes to alone."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from analytics.rules import Row, Ruleset
from analytics.studies import Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.errors import CannotTune, NeedsReplay, NotFromGroups
from analytics.tuning.groups import Groups, group_games, thresholds_of
from analytics.tuning.measuring import accounts_of, measure, quantiles
from analytics.tuning.metrics import METRICS, Class, names_of
from analytics.tuning.products import matrix_product
from analytics.tuning.settling import settle_groups
from tests.rulebook.builder import rules
from tests.tuning.conftest import HOUSES, preset
from tests.tuning.random_tables import random_table


def measured(groups: Groups, table: Ruleset, baseline: Ruleset) -> dict[str, object]:
    """What a table comes to when every group is settled by itself."""
    own, other = (accounts_of(groups, settle_groups(groups, each)) for each in (table, baseline))
    return measure(groups, own, other)


def assert_same(found: dict[str, object], expected: dict[str, object]) -> None:
    """Sums to the coin, anything else as exactly as floating point can say."""
    for name in names_of(Class.A):
        one, other = found[name], expected[name]
        if METRICS[name].is_sum:
            assert isinstance(one, int), name
            assert one == other, name
        else:
            assert one == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize("house", HOUSES)
def test_many_tables_come_to_what_each_comes_to(studied: Studied, house: str) -> None:
    """Random settings of [xiang] and [scoring], all at once, beside settling group by group."""
    baseline = preset(house)
    tables = [random_table(baseline, Random(1_000 + seed)) for seed in range(8)]
    tables += [baseline, *(twisted(table, seed) for seed, table in enumerate(tables[:4]))]
    groups = group_games(studied, rules=house, thresholds=thresholds_of(*tables), with_given=True)
    frame = Evaluator(groups, baseline).evaluate(tables)
    for table, row in zip(tables, frame.to_dict("records"), strict=True):
        assert_same(row, measured(groups, table, baseline))


def twisted(table: Ruleset, seed: int) -> Ruleset:
    """The same look with other entries, and with rows of other xiang."""
    rng = Random(seed)
    step = table.play.seats - 1
    contribution = tuple(
        Row(x, step * rng.randint(-3, 9)) for x in sorted(rng.sample(range(4, 13), 4))
    )
    doubling = tuple(Row(x, rng.randint(-2, 40)) for x in sorted(rng.sample(range(4, 13), 5)))
    scoring = replace(table.scoring, contribution=contribution, doubling=doubling, fee=seed)
    return replace(table, scoring=scoring)


def test_sums_of_the_baseline_are_those_of_the_studies(studied: Studied, wealth: Groups) -> None:
    """What the warehouse says in SQL about its own postings."""
    row = Evaluator(wealth, wealth.ruleset).evaluate([wealth.ruleset]).to_dict("records")[0]
    where = "ruleset = 'huopin-wealth@1'"
    items = studied.study("economy", by=[], where=where).set_index("item")
    turnover = studied.study("economy.turnover", by=[], where=where).iloc[0]
    results = studied.study("economy.results", by=[], where=where).iloc[0]
    for item in items.index:
        assert row[f"moved.{item}"] == items.loc[item, "moved"]
        assert row[f"share.{item}"] == pytest.approx(items.loc[item, "share"])
    for name in ("games", "turnover", "fees", "sinks", "faucets"):
        assert row[name] == turnover[name]
    for name in ("mean", "worst", "p1", "p5", "p25", "p50", "p75", "p95", "p99", "best"):
        assert row[name] == pytest.approx(results[name])
    assert row["sigma"] == pytest.approx(results["deviation"])
    assert row["net_issue"] == -turnover["drain"]
    assert row["flips"] == 0


def test_a_row_does_not_depend_on_what_else_is_evaluated(wealth: Groups) -> None:
    """A table alone, and among forty of other shapes before and after it."""
    table = rules("huopin-wealth", doubling={5: 3, 8: 9}, fee=7)
    others = [rules("huopin-wealth", contribution={x: 2 * x}) for x in range(5, 13)]
    alone = Evaluator(wealth, wealth.ruleset).evaluate([table]).iloc[0]
    among = Evaluator(wealth, wealth.ruleset).evaluate([*others, table, *others * 4]).iloc[8]
    assert alone.to_dict() == among.to_dict()


def test_sums_may_pass_64_bits(wealth: Groups) -> None:
    """The dearest table that clause 12 allows is added up exactly."""
    dear = rules(
        "huopin-wealth", base=10**9, kou=(10**4,) * 3, doubling={5: 10**4}, contribution={5: 10**4}
    )
    many = replace(wealth, count=wealth.count * 10**6)
    row = Evaluator(many, wealth.ruleset).evaluate([dear]).to_dict("records")[0]
    assert row["moved.doubling"] > 2**64
    assert_same(row, measured(many, dear, wealth.ruleset))


def test_flips_are_counted_by_hand(wealth: Groups) -> None:
    """Negative kou turn every game played to the end around that no contribution decides."""
    silent = {"doubling": {}, "contribution": {}}
    backwards = rules("huopin-wealth", kou=(-1, -2, -3), **silent)
    plain = rules("huopin-wealth", **silent)
    row = Evaluator(wealth, plain).evaluate([backwards]).iloc[0]
    out = int(wealth.count[wealth.end == 1].sum())
    assert row["flips"] == pytest.approx(out / wealth.games)


def test_what_groups_cannot_tell_is_refused(wealth: Groups) -> None:
    """An evaluator says why it cannot evaluate."""
    evaluator = Evaluator(wealth, wealth.ruleset)
    for table, kind in (
        (rules("huopin-wealth", cap_at_balance=True), NotFromGroups),
        (rules("huopin-wealth", base=[[1, 5]]), NotFromGroups),
        (rules("huopin-wealth", wild=("big",)), NeedsReplay),
    ):
        with pytest.raises(kind):
            evaluator.evaluate([wealth.ruleset, table])
        assert issubclass(kind, CannotTune)


def test_no_games_have_no_figures(wealth: Groups) -> None:
    """Without a level nothing is settled: sums are 0, and what divides by them is nan."""
    lofty = rules("huopin-wealth", base=[[10**15, 5]])
    groups = replace(wealth, thresholds=(10**15,), met=np.zeros(len(wealth), np.int64))
    row = Evaluator(groups, lofty).evaluate([lofty]).to_dict("records")[0]
    assert (row["games"], row["unsettled"], row["moved"]) == (0, groups.games, 0)
    assert all(math.isnan(row[name]) for name in ("mean", "p50", "flips", "share.base"))


def test_quantiles_are_values_that_occurred() -> None:
    """By weight, as if each value stood there so many times."""
    rng = np.random.default_rng(1)
    values, count = rng.integers(-5, 5, 40), rng.integers(0, 4, 40)
    every = np.sort(np.repeat(values, count))
    found = quantiles(values, count, [1, 30, 50, 99])
    expected = [every[max(0, math.ceil(len(every) * p / 100) - 1)] for p in (1, 30, 50, 99)]
    assert found == [every[0], *expected, every[-1]]


@pytest.mark.parametrize("size", [10**3, 2 * 10**8, 10**12])
def test_products_are_exact_whatever_their_size(size: int) -> None:
    """Through floating point, int64 and Python ints alike."""
    rng = np.random.default_rng(size)
    left, right = rng.integers(-size, size, (3, 4)), rng.integers(-size, size, (4, 2))
    expected = [[sum(int(a) * int(b) for a, b in zip(row, column, strict=True))
                 for column in right.T] for row in left]  # fmt: skip
    assert matrix_product(left, right).tolist() == expected


def test_metrics_say_what_they_are() -> None:
    """Each has a class, a meaning and a name of its own."""
    assert {metric.kind for metric in METRICS.values()} == set(Class)
    assert all(metric.meaning and name == metric.name for name, metric in METRICS.items())
    assert set(names_of(Class.A)) & set(names_of(Class.C)) == set()
