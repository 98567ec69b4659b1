"""The dynamic economy: balances are carried forward, to the coin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analytics.rules import Ruleset
from analytics.shuangkou import carrying as C
from analytics.shuangkou.settlement import NOTHING
from analytics.studies import Asked, Studied
from analytics.tuning.economy import economy_metrics, evaluate_in_order, resettle_in_order
from analytics.tuning.errors import CannotCarry, CannotTune, NeedsReplay
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.ordered import Ordered, order_games
from tests.rulebook.builder import BAIBIAN, POINTS, WEALTH, rules
from tests.tuning.orders import Duel, duels

UNITS = ("points", "wealth", "coins", "silver")
HUNDRED = {"base": 100}  # fixed, so that amounts are easily said


def ordered_of(studied: Studied, where: str) -> Ordered:
    """Some games of the samples, in order."""
    return order_games(studied, Asked(where=where, zone=studied.zone, home=studied.zone))


def wealth(**settings: object) -> Ruleset:
    """The preset of wealth with some settings changed."""
    return rules(WEALTH, **settings)


@pytest.mark.parametrize("unit", UNITS)
def test_the_recorded_table_gives_every_recorded_balance(studied: Studied, unit: str) -> None:
    """Settled by the rulesets that they were paid by, games reproduce each balance and delta."""
    ordered = ordered_of(studied, f"unit = '{unit}'")
    dynamic = resettle_in_order(ordered)
    assert np.array_equal(dynamic.before, ordered.recorded)
    query = f"""SELECT sum(recorded_delta)::BIGINT AS paid, sum(recorded_balance)::BIGINT AS held
        FROM seats SEMI JOIN (SELECT game_key FROM verdicts
        JOIN settlements USING (settlement_key) WHERE unit = '{unit}') USING (game_key)"""
    [(paid, held)] = studied.sql(query).itertuples(index=False, name=None)
    assert int(dynamic.delta.sum()) == paid
    assert int((dynamic.before + dynamic.delta).sum()) == held


def test_items_are_the_postings_of_the_warehouse(studied: Studied) -> None:
    """What each item moves, and what the system gets, is what is posted."""
    dynamic = resettle_in_order(ordered_of(studied, "unit = 'wealth'"))
    posted = studied.sql(
        """SELECT item, sum(amount) FILTER (account >= 0 AND amount > 0)::BIGINT AS received,
            sum(amount) FILTER (account >= 0 AND amount < 0)::BIGINT AS paid,
            coalesce(sum(amount) FILTER (account < 0), 0)::BIGINT AS system
        FROM postings JOIN settlements USING (settlement_key)
        WHERE unit = 'wealth' GROUP BY item ORDER BY item"""
    )
    own = dynamic.items.drop(columns="moved")
    own = own[(own[["received", "paid", "system"]] != 0).any(axis=1)]
    assert own.sort_values("item").to_numpy().tolist() == posted.to_numpy().tolist()


def test_money_is_what_was_brought_less_what_the_system_got(studied: Studied) -> None:
    """At the end of every day, nothing comes from nowhere."""
    days = resettle_in_order(ordered_of(studied, "unit = 'points'")).days
    assert (days["held"] == days["brought"] + days["outside"] - days["system"]).all()
    assert days["games"].tolist()[-1] == 660


def test_games_that_are_left_out_are_flows_from_outside(studied: Studied) -> None:
    """A choice of games still has every recorded balance; what lies between is stated."""
    ordered = ordered_of(studied, "unit = 'wealth' AND hour % 2 = 0")
    dynamic = resettle_in_order(ordered)
    assert np.array_equal(dynamic.before, ordered.recorded)
    assert (dynamic.days["outside"] != 0).any()


def test_a_loss_leads_to_a_lower_level() -> None:
    """Level 1000 → 10: 3 × 10 are lost; then the loser has 970, and its level pays 5."""
    dynamic = resettle_in_order(duels(wealth(), [1_000, 1_000], [Duel(0, 1), Duel(0, 1)]))
    assert dynamic.base.tolist() == [10, 5]
    assert dynamic.delta.tolist() == [30, -30, 15, -15]
    assert dynamic.before.tolist() == [1_000, 1_000, 1_030, 970]
    assert dynamic.purses[:, C.BALANCE].tolist() == [1_045, 955]
    assert dynamic.purses[:, C.FALLS].tolist() == [0, 1]
    assert dynamic.purses[:, C.LEVEL].tolist() == [1, 0]


def test_a_gain_leads_to_a_higher_level() -> None:
    """990 + 3 × 5 reaches the level of 1000; the base stays that of the lowest at the table."""
    dynamic = resettle_in_order(duels(wealth(), [990, 500], [Duel(0, 1), Duel(0, 1)]))
    assert dynamic.purses[:, C.RISES].tolist() == [1, 0]
    assert dynamic.base.tolist() == [5, 5]


def test_who_has_no_level_left_is_bankrupt_and_its_games_pay_nothing() -> None:
    """110 − 3 × 5 = 95 is below the lowest level of 100: the next game has no base."""
    games = [Duel(0, 1), Duel(0, 1), Duel(2, 0)]
    dynamic = resettle_in_order(duels(wealth(), [5_000, 110, 5_000], games))
    assert dynamic.base.tolist() == [5, NOTHING, 10]
    assert dynamic.delta.tolist() == [15, -15, NOTHING, NOTHING, 30, -30]
    assert dynamic.purses[:, C.BANKRUPTCIES].tolist() == [0, 1, 0]
    assert dynamic.purses[:, C.IS_BROKE].tolist() == [0, 1, 0]
    assert dynamic.purses[:, C.UNSETTLED].tolist() == [1, 1, 0]
    assert dynamic.purses[:, C.BALANCE].tolist() == [5_000 + 15 - 30, 95, 5_030]


def test_a_deposit_brings_a_bankrupt_back() -> None:
    """What came from outside before the second game is there, and is stated."""
    ordered = duels(wealth(), [5_000, 110], [Duel(0, 1), Duel(0, 1)], flows=[(1, 1, 1_000)])
    dynamic = resettle_in_order(ordered)
    assert dynamic.before.tolist() == [5_000, 110, 5_015, 1_095]
    assert dynamic.base.tolist() == [5, 10]
    assert dynamic.purses[1, C.IS_BROKE] == 0
    assert dynamic.days[["brought", "outside", "held"]].to_numpy().tolist() == [
        [5_110, 1_000, 6_110]
    ]


def test_a_cap_takes_what_there_is_and_then_nothing() -> None:
    """Of 300 a seat with 150 pays 150; with nothing it pays nothing, and is bankrupt once."""
    ruleset = wealth(**HUNDRED, cap_at_balance=True)
    dynamic = resettle_in_order(duels(ruleset, [1_000, 150], [Duel(0, 1), Duel(0, 1)]))
    assert dynamic.delta.tolist() == [150, -150, 0, 0]
    assert dynamic.purses[:, C.BANKRUPTCIES].tolist() == [0, 1]
    caps = dynamic.items.set_index("item").loc["cap"].tolist()
    assert caps == [150 + 300, -150 - 300, 0, 450]  # payers pay less, receivers get less
    without = resettle_in_order(duels(wealth(**HUNDRED), [1_000, 150], [Duel(0, 1), Duel(0, 1)]))
    assert without.delta.tolist() == [300, -300, 300, -300]


def test_another_table_leads_to_other_balances() -> None:
    """Twice the multiplier: 60 instead of 30 fall to the level below; then 30 instead of 15."""
    ordered = duels(wealth(), [1_000, 1_050], [Duel(0, 1), Duel(0, 1)])
    assert resettle_in_order(ordered).base.tolist() == [10, 10]
    dear = resettle_in_order(ordered, [wealth(kou=[1, 2, 6])])
    assert dear.base.tolist() == [10, 5]
    assert dear.delta.tolist() == [60, -60, 30, -30]


def test_days_tell_how_everybody_stood() -> None:
    """Two days: who has played by then, what they hold, who is broke, and how unequally."""
    ordered = duels(
        wealth(**HUNDRED), [500, 500, 700], [Duel(0, 1, 7), Duel(0, 1), Duel(2, 0, 1, day=1)]
    )
    days = resettle_in_order(ordered).days
    assert days["players"].tolist() == [2, 3]
    assert days["held"].tolist() == [1_000, 1_700]
    assert days["bankruptcies"].tolist() == [1, 1]  # 500 − 200 − 300 = 0
    assert days["gini"].tolist() == [0.5, pytest.approx(2 * 900 / (3 * 1_700))]  # 0, 800, 900
    assert days["p50"].tolist() == [0, 800]
    assert days["level"].isna().all()


def test_a_table_of_other_legal_plays_is_refused(studied: Studied) -> None:
    """[play] decides which games there are: that takes a replay."""
    ordered = duels(wealth(), [1_000, 1_000], [Duel(0, 1)])
    with pytest.raises(NeedsReplay, match=r"another \[play\]"):
        resettle_in_order(ordered, [wealth(chain_min=2)])
    with pytest.raises(CannotTune, match="another unit"):
        resettle_in_order(ordered, [wealth(unit="points")])
    with pytest.raises(CannotTune, match=r"several units.*unit = 'coins'"):
        ordered_of(studied, "true")
    with pytest.raises(CannotTune, match="no such games"):
        ordered_of(studied, "false")


def test_a_balance_beyond_what_may_be_is_refused() -> None:
    """10^15 is the most (clause 12): 10^9 × 10^4 × 10^4 a game passes it at once."""
    ruleset = wealth(base=10**9, kou=[1, 2, 10**4], doubling={5: 10**4})
    ordered = duels(ruleset, [10**6, 10**6], [Duel(0, 1, xiang=5)])
    with pytest.raises(CannotCarry, match=r"2026-11-02 a balance passes 10\^15"):
        resettle_in_order(ordered)


def test_a_table_that_cannot_be_carried_leaves_the_others_told() -> None:
    """Its own metrics are null; a table beside it is told as if it were alone."""
    ordered = duels(wealth(base=5), [10**6, 10**6], [Duel(0, 1, xiang=5)])
    [own] = ordered.rulesets
    beyond = wealth(base=10**9, kou=[1, 2, 10**4], doubling={5: 10**4})
    frame = evaluate_in_order(ordered, own)([beyond, own])
    assert frame.iloc[0].isna().all()
    assert frame.columns.tolist() == list(names_of(Class.C))
    assert frame.iloc[1].to_dict() == economy_metrics(resettle_in_order(ordered))


def test_events_are_those_of_the_games_that_are_told_of() -> None:
    """Two games of one loser under two rulesets: the fall and the ruin are told apart."""
    both = duels(wealth(), [5_000, 1_010], [Duel(0, 1), Duel(0, 1)], flows=[(1, 1, -870)])
    dear = replace(wealth(kou=[1, 2, 10]), name="dear")
    ordered = replace(both, rulesets=(wealth(), dear), rules_ix=np.array([0, 1], np.int16))
    dynamic = resettle_in_order(ordered)
    assert dynamic.delta.tolist() == [30, -30, 50, -50]  # 1010 → 980 − 870 = 110 → 60
    first, second = (np.array(told) for told in ([True, False], [False, True]))
    names = ("bankruptcies", "falls", "broke", "held")
    told = [[economy_metrics(dynamic, x)[n] for n in names] for x in (first, second, None)]
    assert told == [[0, 1, 1, 5_140], [1, 1, 1, 5_140], [1, 2, 1, 5_140]]


def test_sums_beyond_int64_are_exact() -> None:
    """Amounts of 10^18 and their opposites, twenty times: more than int64 holds."""
    sums = [[0] * 7 for _ in range(C.SUM_ROWS)]
    for _ in range(20):
        C.add_up([10**18, -(10**18), 1, -1, 0, 0, 0], C.RECEIVED, C.PAID, sums)
    flat = np.array(sums)
    assert C.totals(flat, C.RECEIVED)[:4] == [20 * 10**18, 0, 20, 0]
    assert C.totals(flat, C.PAID)[:4] == [0, -20 * 10**18, 0, -20]


@pytest.mark.slow
def test_compiled_and_uncompiled_always_agree(
    studied: Studied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four seats, levels and all: the same in both modes."""
    ordered = ordered_of(studied, "unit = 'points'")
    slow = resettle_in_order(ordered)
    monkeypatch.setenv("PAIPU_COMPILE", "always")
    fast = resettle_in_order(ordered)
    assert np.array_equal(slow.purses, fast.purses)
    assert np.array_equal(slow.before, fast.before)
    assert slow.items.equals(fast.items)
    assert slow.days.equals(fast.days)


def test_rulesets_are_told_apart(studied: Studied) -> None:
    """Games of several rulesets of one unit share balances; each is settled by its own."""
    ordered = ordered_of(studied, "unit = 'points'")
    names = [ruleset.name for ruleset in ordered.rulesets]
    assert names == [BAIBIAN, "baibian-zerosum", POINTS]
    fee = [replace(r, scoring=replace(r.scoring, fee=1)) if r.name == BAIBIAN else r
           for r in ordered.rulesets]  # fmt: skip
    items = resettle_in_order(ordered, fee).items.set_index("item")
    assert items["system"]["fee"] == 4 * 220
