"""A population under a table: counted again from the log of the very same run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from analytics.rules import Rulebook
from analytics.shuangkou.settlement import NOTHING
from analytics.simulate import CannotSimulate, Wanted, simulate
from analytics.tuning.population import Run, play, populations
from analytics.tuning.standing import Day, days_frame, figure_of, over_time
from tests.rulebook.builder import POINTS, TONGCHENG, rules

START = datetime.fromisoformat("2026-11-02T00:00:00+08:00")
WANTED = Wanted(rules="", games=40, players=16, days=2, seed=5, start=START)
RULESET = rules(POINTS)


def test_days_are_those_of_the_log() -> None:
    """Every figure of every day, from the recorded balances, one game at a time."""
    wanted = replace(WANTED, rules=RULESET.at)
    days = play(Run(RULESET, wanted))
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    ruined = 0
    expected: dict[int, tuple[int, ...]] = {}
    for batch in simulate(wanted, Rulebook.of([RULESET])):
        moment = datetime.fromtimestamp(int(batch.start[0]) / 1e6, START.tzinfo)
        day = (moment - START) // timedelta(days=1)
        after = batch.recorded.balance.tolist()
        for name, before, now in zip(batch.player, batch.balance.tolist(), after, strict=True):
            first.setdefault(str(name), before)
            last[str(name)] = now
            ruined += before >= 0 > now
        held, brought = sum(last.values()), sum(first.values())
        broke = sum(balance < 0 for balance in last.values())
        expected[day] = (len(last), held, brought, brought - held, ruined, broke)
    shown = days[["players", "held", "brought", "system", "bankruptcies", "broke"]]
    assert [tuple(row) for row in shown.to_numpy().tolist()] == list(expected.values())
    assert days["games"].tolist()[-1] == 40
    assert days["day"].dt.strftime("%d").tolist() == ["02", "03"]


def test_runs_differ_by_their_seed_and_by_nothing_else() -> None:
    """Two runs are those of the seeds 5 and 6."""
    [frames] = populations([RULESET], WANTED, runs=2).values()
    again = play(Run(RULESET, replace(WANTED, rules=RULESET.at, seed=6)))
    assert frames[1].equals(again)
    assert not frames[0].equals(frames[1])


@pytest.mark.slow
def test_processes_make_no_difference() -> None:
    """Two processes give what one gives."""
    tables = [RULESET, rules(TONGCHENG)]
    alone = populations(tables, WANTED, runs=2)
    shared = populations(tables, WANTED, runs=2, jobs=2)
    assert alone.keys() == shared.keys()
    for name, frames in alone.items():
        assert all(a.equals(b) for a, b in zip(frames, shared[name], strict=True))


def test_too_few_players_are_a_sentence() -> None:
    """As ``paipu simulate`` says it."""
    with pytest.raises(CannotSimulate, match="players are too few"):
        populations([RULESET], replace(WANTED, games=5_000), runs=1)


def day(balances: list[int], system: int, broke: int, at: str = "2026-11-02") -> pd.DataFrame:
    """The frame of one day."""
    level = np.array([NOTHING, 2, 3][: len(balances)])
    brought = sum(balances) + system
    return days_frame(
        [Day(np.datetime64(at), 9, np.array(balances), level, brought, 0, system, 4, broke)]
    )


def test_a_day_in_figures() -> None:
    """Growth: 50 of 150 were taken; ruin: one of three; levels without a base are left out."""
    frame = day([0, 40, 60], system=50, broke=1)
    assert figure_of(frame, "growth").tolist() == [-50 / 150]
    assert figure_of(frame, "ruin").tolist() == [1 / 3]
    assert figure_of(frame, "level").tolist() == [2.5]
    assert figure_of(frame, "p50").tolist() == [40]
    assert figure_of(frame, "gini").tolist() == [pytest.approx(2 * 60 / (3 * 100))]


def test_bands_of_many_runs_hold_at_least_nine_in_ten() -> None:
    """Of a hundred runs with 1 to 100 five lie beyond each end; of 20 to 39 one does."""
    assert band_of(100) == (50.5, 6, 95)
    assert band_of(20) == (10.5, 2, 19)
    assert band_of(39) == (20, 2, 38)
    assert band_of(40) == (20.5, 3, 38)


def test_days_before_the_first_game_have_no_values() -> None:
    """One game in ten days: nobody holds anything until it is played."""
    wanted = replace(WANTED, games=1, players=8, days=10)
    runs = populations([RULESET], wanted, runs=2)
    [frames] = runs.values()
    before = frames[0][frames[0]["games"] == 0]
    assert 0 < len(before) < 10
    assert before[["p5", "p50", "p95", "gini", "level"]].isna().all(axis=None)
    assert (before[["players", "held", "brought", "system", "broke"]] == 0).all(axis=None)
    for figure in ("growth", "ruin", "p50"):
        assert np.isnan(figure_of(before, figure)).all()
    told = over_time(runs)
    growth = told[told["figure"] == "growth"]["value"].to_numpy()
    played = np.array([frame["games"] for frame in frames], float).max(axis=0) > 0
    assert (np.isfinite(growth) == played).all()


def test_money_from_nowhere_is_no_growth() -> None:
    """Where nothing was brought, what the system gave is no share of it."""
    assert np.isnan(figure_of(day([50], system=-50, broke=0), "growth")).all()


def test_runs_without_a_value_are_left_out() -> None:
    """Of four runs one has nothing, so no Gini coefficient: three stay, around the middle one."""
    frames = [day(own, system=0, broke=0) for own in ([0, 0], [1, 1], [1, 3], [0, 1])]
    told = over_time({"a": frames})
    [row] = told[told["figure"] == "gini"].itertuples(index=False)
    assert (row.value, row.low, row.high) == (0.25, 0, 0.5)
    alone = over_time({"a": frames[:2]})
    [row] = alone[alone["figure"] == "gini"].itertuples(index=False)
    assert row.value == 0
    assert np.isnan([row.low, row.high]).all()


def test_bands_of_few_runs_are_the_least_and_the_greatest() -> None:
    """Two runs with 1 and 2 lie around 1.5; one run has no band."""
    assert band_of(2) == (1.5, 1, 2)
    assert band_of(19) == (10, 1, 19)
    value, low, high = band_of(1)
    assert value == 1
    assert np.isnan([low, high]).all()


def band_of(count: int) -> tuple[float, float, float]:
    """Median and band of so many runs in which the one player holds 1, 2 and so on."""
    frame = over_time({"a": [day([n], system=0, broke=0) for n in range(1, count + 1)]})
    [row] = frame[frame["figure"] == "p50"].itertuples(index=False)
    assert np.isnan(frame[frame["figure"] == "level"]["value"]).all()
    return row.value, row.low, row.high
