"""Who of the players gained and lost in all: against the studies, and by hand."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from analytics.studies import Studied
from analytics.tuning.inequality import lorenz, top_share
from analytics.tuning.wealth import lorenz_curves
from analytics.tuning.whatif import WhatIf, what_if
from tests.rulebook.builder import rules
from tests.tuning.conftest import preset
from tests.tuning.singly import games_of, settled_one_by_one


def compared(studied: Studied, house: str, **settings: Any) -> WhatIf:
    """A house beside the same with other settings."""
    return what_if(studied, rules(house, **settings), rules=house, resamples=50)


@pytest.mark.parametrize("house", ["huopin-points", "huopin-wealth", "baibian"])
def test_inequality_is_that_of_the_study(studied: Studied, house: str) -> None:
    """Players, total, Gini and top shares of gains and of losses, to the last figure."""
    frame = compared(studied, house, fee=7).economy
    rows = frame[frame["study"] == "economy.inequality"].set_index(["item", "figure"])["baseline"]
    study = studied.study("economy.inequality", where=f"rules = '{house}'").set_index("of")
    for of in ("gains", "losses"):
        assert rows[of, "players"] == study.loc[of, "players"]
        assert rows[of, "total"] == study.loc[of, "total"]
        for name in ("gini", "top1", "top10"):
            assert rows[of, name] == pytest.approx(study.loc[of, name])


def test_lorenz_curves_are_those_of_the_study(studied: Studied) -> None:
    """Every point of both curves; a table against itself has no difference."""
    house = "huopin-wealth"
    found = what_if(studied, preset(house), rules=house, resamples=50).lorenz
    study = studied.study("economy.lorenz", where=f"rules = '{house}'").set_index(["of", "percent"])
    assert len(found) == 2 * 101
    for row in found.itertuples():
        assert row.baseline == pytest.approx(study.loc[(row.of, row.percent), "share"])
    assert (found["difference"] == 0).all()


def test_players_are_counted_by_what_they_get_in_all(studied: Studied) -> None:
    """Winners and losers under both tables, each game settled by itself."""
    house, table = "huopin-points", rules("huopin-points", fee=40)
    frame = what_if(studied, table, rules=house, resamples=50).of_players.set_index("metric")
    names = [seat["player"] for game in games_of(house) for seat in game["seats"]]
    for side, ruleset in (("baseline", preset(house)), ("candidate", table)):
        nets: Counter[str] = Counter()
        for name, amount in zip(
            names, settled_one_by_one(house, ruleset).items.sum(axis=1).tolist(), strict=True
        ):
            nets[name] += amount
        assert frame.loc["players", side] == len(set(names))
        assert frame.loc["winners", side] == sum(net > 0 for net in nets.values())
        assert frame.loc["losers", side] == sum(net < 0 for net in nets.values())
        gains = sorted(net for net in nets.values() if net > 0)
        apart = sum(abs(one - other) for one in gains for other in gains)
        gini = apart / (2 * len(gains) * sum(gains))  # half the mean difference ÷ the mean
        assert frame.loc["gini_gains", side] == pytest.approx(gini)
        top = gains[-math.ceil(len(gains) / 10) :]
        assert frame.loc["top10_gains", side] == pytest.approx(sum(top) / sum(gains))
    assert frame.loc["winners", "difference"] < 0
    assert frame.loc["winners", "low"] <= frame.loc["winners", "difference"]
    assert frame.loc["winners", "difference"] <= frame.loc["winners", "high"]
    assert (frame.loc["players", "low"], frame.loc["players", "high"]) == (0, 0)
    assert (
        frame.loc[["gini_gains", "gini_losses", "top10_gains"], ["low", "high"]]
        .isna()
        .all(axis=None)
    )


def test_curves_of_large_balances_are_exact() -> None:
    """Ten thousand players with 10^15 each (clause 12): a straight line."""
    rich = np.full(10_000, 10**15)
    curves = lorenz_curves({"balances": (rich, rich // 2)})
    assert (curves["baseline"] == curves["percent"] / 100).all()
    assert (curves["difference"] == 0).all()


def test_nobody_has_no_share() -> None:
    """Without a player there is nothing to share; of three the poorest 66 % are one."""
    nobody = np.zeros(0, np.int64)
    assert math.isnan(top_share(nobody, 10))
    assert np.isnan(lorenz(nobody)).all()
    curve = lorenz(np.array([2, 5, 3]))
    assert [curve[p] for p in (0, 66, 67, 99, 100)] == pytest.approx([0, 0.2, 0.5, 0.5, 1])
