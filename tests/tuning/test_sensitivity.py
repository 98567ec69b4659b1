"""Sensitivity: derivatives, differences and interactions, recounted from the games."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analytics.rules import Ruleset
from analytics.studies import Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.errors import CannotTune
from analytics.tuning.groups import Groups
from analytics.tuning.sensing import sense
from analytics.tuning.sensitivity import foremost, interactions, sensitivity, with_effect
from analytics.tuning.table_entries import list_entries, step_of, value_of, with_value
from tests.rulebook.builder import rules
from tests.tuning.conftest import HOUSES, preset
from tests.tuning.singly import games_of

KOU = {"ping": 1, "dan": 2, "shuang": 3}  # rules clause 8: multipliers of two players


@pytest.fixture
def evaluator(wealth: Groups) -> Evaluator:
    """Of the games of huopin-wealth."""
    return Evaluator(wealth, wealth.ruleset)


def out_games() -> list[dict[str, Any]]:
    """Games of huopin-wealth that were played to the end."""
    games: list[dict[str, Any]] = games_of("huopin-wealth")
    return [game for game in games if game["result"]["end"] == "out"]


def test_derivatives_are_those_of_the_formula(evaluator: Evaluator) -> None:
    """Of X·a·(b − 1): Σ X·(b − 1) by each kou, Σ X·a by each doubling, from the logs."""
    frame = sensitivity(evaluator, preset("huopin-wealth"), metrics=["moved.doubling"])
    effects = dict(zip(frame["entry"], frame["effect"], strict=True))
    how = dict(zip(frame["entry"], frame["how"], strict=True))
    for name in KOU:
        expected = sum(game["base"] * (game["result"]["doubling"] - 1) for game in out_games()
                       if game["result"]["kou"] == name)  # fmt: skip
        assert effects[f"scoring.kou.{name}"] == expected
    for xiang in range(6, 12):
        expected = sum(
            game["base"] * KOU[game["result"]["kou"]] for game in out_games()
            if game["result"]["xiang"][game["result"]["winner"]] == xiang
        )  # fmt: skip
        assert effects[f"scoring.doubling.{xiang}"] == expected
        assert how[f"scoring.doubling.{xiang}"] == "derivative"
    assert effects["scoring.fee"] == effects["scoring.contribution.6"] == 0


def test_every_fee_is_paid_by_two_seats(evaluator: Evaluator) -> None:
    """One unit more of a fee of 0 brings two units a game, and has no share of nothing."""
    frame = sensitivity(evaluator, preset("huopin-wealth"), metrics=["fees", "p50"])
    row = frame[(frame["metric"] == "fees") & (frame["entry"] == "scoring.fee")].iloc[0]
    assert (row["effect"], row["how"], row["value"]) == (2 * len(out_games()), "derivative", 0)
    assert row["relative"] != row["relative"]  # nan
    assert set(frame[frame["metric"] == "p50"]["how"]) == {"difference"}


def test_a_difference_is_what_one_unit_makes(evaluator: Evaluator) -> None:
    """Of what is no sum: the metric with one unit more, less the metric as it is."""
    ruleset = preset("huopin-wealth")
    frame = sensitivity(evaluator, ruleset, metrics=["p95", "flips"])
    base = evaluator.evaluate([ruleset])
    for entry in list_entries(ruleset):
        more = evaluator.evaluate([with_value(ruleset, entry, value_of(ruleset, entry) + 1)])
        for name in ("p95", "flips"):
            row = frame[(frame["metric"] == name) & (frame["entry"] == entry.path)].iloc[0]
            assert row["effect"] == more[name][0] - base[name][0]


def test_a_kink_is_no_derivative(evaluator: Evaluator) -> None:
    """Two units make more than twice what one makes, where results change their sign."""
    ruleset = rules("huopin-wealth", kou=(-1, 2, 3), doubling={}, contribution={12: 1})
    frame = sensitivity(evaluator, ruleset, metrics=["moved.base"])
    how = dict(zip(frame["entry"], frame["how"], strict=True))
    assert (how["scoring.kou.ping"], how["scoring.kou.dan"]) == ("difference", "derivative")


@pytest.mark.parametrize(
    ("share", "expected"), [(0, "derivative"), (70, "difference"), (100, "derivative")]
)
def test_a_rounded_share_gives_no_derivative(
    evaluator: Evaluator, share: int, expected: str
) -> None:
    """Of a share of 70 per cent a base that escapes pay works through floors, game by game."""
    frame = sensitivity(evaluator, rules("huopin-wealth", share=share), metrics=["system"])
    how = dict(zip(frame["entry"], frame["how"], strict=True))
    assert how["scoring.base.levels.10000000"] == how["scoring.escape_times"] == expected
    assert how["scoring.kou.dan"] == how["scoring.fee"] == "derivative"
    assert how["scoring.share"] == "difference"


def test_kou_is_part_of_a_penalty_in_points(studied: Studied) -> None:
    """X·a(dan)·b counts there (clause 9), and no other kou; fees are never shared."""
    table = rules("huopin-points", share=30)
    found = sense(studied, table, rules="huopin-points", metrics=["net_issue", "fees"])
    rows = found.sensitivity.set_index(["metric", "entry"])["how"]
    assert rows["net_issue", "scoring.kou.dan"] == "difference"
    assert rows["net_issue", "scoring.kou.ping"] == rows["fees", "scoring.kou.dan"] == "derivative"


class Watched(Evaluator):
    """An evaluator that keeps the tables it was asked for."""

    asked: list[Ruleset]

    def evaluate(self, rulesets: Any, *given: Any) -> Any:
        """What these tables come to."""
        self.asked = [*getattr(self, "asked", []), *rulesets]
        return super().evaluate(rulesets, *given)


def test_no_table_leaves_its_limits(wealth: Groups) -> None:
    """At the upper limit of clause 12 an entry goes down, beside it one up and one down."""
    table = rules("huopin-wealth", share=100, escape_times=10_000, kou=(1, 2, 9_999), fee=10**12)
    watched = Watched(wealth, wealth.ruleset)
    effects = sensitivity(watched, table, metrics=["fees", "moved.base"]).set_index(
        ["metric", "entry"]
    )
    interactions(watched, table, metrics=["moved.base"])
    own = {entry.path: {value_of(each, entry) for each in watched.asked}
           for entry in list_entries(table)}  # fmt: skip
    assert own["scoring.share"] == {98, 99, 100}
    assert own["scoring.escape_times"] == {9_998, 9_999, 10_000}
    assert own["scoring.kou.shuang"] == {9_998, 9_999, 10_000}
    assert own["scoring.fee"] == {10**12 - 2, 10**12 - 1, 10**12}
    assert effects["effect"]["fees", "scoring.fee"] == 2 * len(out_games())
    assert set(effects["how"]) == {"derivative"}
    shuang = sum(game["base"] for game in out_games() if game["result"]["kou"] == "shuang")
    assert effects["effect"]["moved.base", "scoring.kou.shuang"] == shuang


def test_entries_at_their_limit_interact_as_others_do(evaluator: Evaluator) -> None:
    """Kou of 10,000 goes down; with a doubling it makes Σ X of games that had both, as ever."""
    table = rules("huopin-wealth", kou=(1, 2, 10_000))
    frame = interactions(evaluator, table, metrics=["moved.doubling"])
    effects = {(a, b): e for a, b, e in zip(frame["entry"], frame["other"], frame["effect"],
                                            strict=True)}  # fmt: skip
    expected = sum(
        game["base"] for game in out_games()
        if game["result"]["kou"] == "shuang"
        and game["result"]["xiang"][game["result"]["winner"]] == 6
    )  # fmt: skip
    assert effects["scoring.kou.shuang", "scoring.doubling.6"] == expected > 0


def test_entries_that_are_multiplied_interact(evaluator: Evaluator) -> None:
    """Kou and doubling: Σ X over games that had both; a fee with nothing."""
    frame = interactions(evaluator, preset("huopin-wealth"), metrics=["moved.doubling"])
    effects = {(a, b): e for a, b, e in zip(frame["entry"], frame["other"], frame["effect"],
                                            strict=True)}  # fmt: skip
    for kou in KOU:
        for xiang in range(6, 12):
            expected = sum(
                game["base"] for game in out_games()
                if game["result"]["kou"] == kou
                and game["result"]["xiang"][game["result"]["winner"]] == xiang
            )  # fmt: skip
            assert effects.get((f"scoring.kou.{kou}", f"scoring.doubling.{xiang}"), 0) == expected
    assert not any("scoring.fee" in pair for pair in effects)
    sizes = [abs(effect) for effect in frame["effect"]]
    assert sizes == sorted(sizes, reverse=True)


def test_the_largest_effect_of_one_per_cent_stands_first(evaluator: Evaluator) -> None:
    """As a tornado shows them, metric by metric."""
    frame = sensitivity(evaluator, preset("huopin-wealth"))
    for _, own in frame.groupby("metric", sort=False):
        sizes = [abs(e * v) for e, v in zip(own["effect"], own["value"], strict=True)]
        assert sizes == sorted(sizes, reverse=True)
    assert len(frame) == frame["metric"].nunique() * len(list_entries(preset("huopin-wealth")))


@pytest.mark.parametrize("house", HOUSES)
def test_entries_can_be_read_and_written(house: str) -> None:
    """Each number has a path of its own, and can be changed without another one."""
    ruleset: Ruleset = preset(house)
    entries = list_entries(ruleset)
    assert len({entry.path for entry in entries}) == len(entries)
    for entry in entries:
        value = value_of(ruleset, entry)
        changed = with_value(ruleset, entry, value + step_of(ruleset, entry))
        differing = [x for x in entries if value_of(changed, x) != value_of(ruleset, x)]
        assert differing == [entry]
        assert with_value(changed, entry, value) == ruleset


def test_contributions_of_four_change_in_thirds(studied: Studied) -> None:
    """The effect is per unit all the same: all seats of a game get and pay what one earned."""
    found = sense(studied, rules="baibian", metrics=["moved.contribution"])
    effects = dict(zip(found.sensitivity["entry"], found.sensitivity["effect"], strict=True))
    bombs = studied.sql(
        "SELECT count(*) AS n FROM shuangkou_bombs JOIN verdicts USING (game_key) "
        "WHERE ruleset = 'baibian@1' AND xiang >= 8"
    )["n"][0]
    assert 0 <= effects["scoring.contribution.8"] <= bombs
    assert found.games == len(games_of("baibian"))


def test_another_table_on_the_same_games(studied: Studied) -> None:
    """The table need not be that of the games; it must be of their unit."""
    table = rules("huopin-wealth", fee=2)
    found = sense(studied, table, rules="huopin-wealth", metrics=["fees"])
    assert found.ruleset == table
    with pytest.raises(CannotTune, match="counted in"):
        sense(studied, rules("huopin-wealth", unit="gold"), rules="huopin-wealth")


def test_the_foremost_rows_are_the_first_of_each_metric() -> None:
    """Two of each; 0 is all; rows without effect can be left out."""
    frame = pd.DataFrame({"metric": ["a", "a", "a", "b"], "effect": [5, -3, 0, 0]})
    assert foremost(frame, 2).index.tolist() == [0, 1, 3]
    assert foremost(frame, 0).equals(frame)
    assert with_effect(frame).index.tolist() == [0, 1]
