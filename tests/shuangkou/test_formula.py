"""Worked-out settlements: every expression is true, and says what differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.findings import Code
from analytics.logs import batch_of
from analytics.rules import Rulebook, load_rulesets
from analytics.rules.model import plain
from analytics.shuangkou import desk as D
from analytics.shuangkou import replay
from analytics.shuangkou.formula import Formula, work_out
from analytics.shuangkou.story import tell
from analytics.shuangkou.terms import Line
from tests.games import fixture_game, fixture_games
from tests.oracle.as_toml import as_toml
from tests.oracle.random_cases import random_game, random_rules

GAMES = fixture_games()
PRESETS = load_rulesets()
# The code of the finding that says of an item that it was recorded otherwise.
CODES = {
    "end": Code.SETTLE_END,
    "winner": Code.SETTLE_WINNER,
    "place": Code.SETTLE_PLACES,
    "base": Code.SETTLE_BASE,
    "kou": Code.SETTLE_KOU,
    "xiang": Code.SETTLE_XIANG,
    "doubling": Code.SETTLE_DOUBLING,
    "contribution": Code.SETTLE_CONTRIBUTION,
    "fee": Code.SETTLE_FEE,
    "delta": Code.SETTLE_DELTA,
    "balance": Code.SETTLE_BALANCE,
    "system": Code.LEDGER_SUM,
}

House = Callable[..., Rulebook]


def evaluate(expression: str) -> int:
    """What an expression comes to: · is times, - minus, ⌊a / b⌋ rounds down."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", expression)
    text = text.translate(str.maketrans({"·": "*", "⌊": "(", "⌋": ")", "/": "//"}))
    assert re.fullmatch(r"[-+*/(), \d]*((max|min)\([-+*/(), \d]*)*", text), expression
    value: int = eval(text, {"max": max, "min": min})
    return value


def assert_true(formula: Formula) -> None:
    """Every expression evaluates to its value, and every amount has one."""
    for line in formula.lines:
        if line.expression:
            assert evaluate(line.expression) == line.value, line
        elif line.item in ("xiang", "contribution", "delta", "balance", "system"):
            assert line.value is None, line


def worked(game: dict[str, Any], rulebook: Rulebook = PRESETS) -> Formula:
    """The settlement of one game."""
    formula = work_out(batch_of([game], rulebook), 0, rulebook)
    assert formula is not None
    assert_true(formula)
    return formula


def line_of(formula: Formula, item: str, seat: int | None = None) -> Line:
    """The line of an item."""
    return next(x for x in formula.lines if (x.item, x.seat) == (item, seat))


def expression_of(formula: Formula, item: str, seat: int | None = None) -> str:
    """The expression of an item."""
    return line_of(formula, item, seat).expression


def rows_of(formula: Formula, item: str, seat: int | None = None) -> list[tuple[str, str, str]]:
    """The rows of tables that an item uses."""
    return [tuple(used) for used in line_of(formula, item, seat).used]


def reasons_of(formula: Formula, item: str, seat: int | None = None) -> list[str]:
    """The reasons of an item, by their keys."""
    return [why.key for why in line_of(formula, item, seat).why]


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A rulebook with the ruleset ``house``: a preset with other settings."""

    def make(extends: str, **sections: dict[str, Any]) -> Rulebook:
        rules = {"name": "house", "version": "1", "extends": extends, **sections}
        (tmp_path / "house.toml").write_text(as_toml(rules), encoding="utf-8")
        return load_rulesets([tmp_path])

    return make


# All games


@pytest.mark.parametrize("game", GAMES, ids=[game["id"] for game in GAMES])
def test_every_fixture_game_is_worked_out(game: dict[str, Any]) -> None:
    """Every expression is true, and what was recorded agrees."""
    formula = worked(game)
    assert not formula.differing
    deltas = [x for x in formula.lines if x.item == "delta"]
    assert [x.recorded for x in deltas] == game["result"]["delta"]
    assert all(line.agrees for line in deltas)


def rules_for(game: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Random [xiang] and [scoring] for a game whose [play] stays as it is."""
    play = PRESETS.rulesets[PRESETS.find(game["rules"], None)].play
    while True:
        rules = random_rules(rng)
        if rules["play"]["seats"] == play.seats:
            rules["scoring"] = {k: v for k, v in rules["scoring"].items() if _applies(k, play)}
            return {**rules, "play": plain(play)}


def _applies(key: str, play: Any) -> bool:
    return play.on_escape == "settle" or key not in ("escape_times", "escape_parts", "share")


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), at=st.integers(0, len(GAMES) - 1))
def test_expressions_are_true_under_any_table(seed: int, at: int) -> None:
    """Other tables, other balances: a line is still what its expression says."""
    rng, game = Random(seed), fixture_games()[at]
    rules = rules_for(game, rng)
    for seat in game["seats"]:
        seat["balance"] = rng.choice([-5, 0, 3, 70, rng.randrange(2_000), seat["balance"]])
    game |= {"rules": rules["name"], "base": rng.randint(1, 2_000)}
    with TemporaryDirectory() as folder:
        Path(folder, "house.toml").write_text(as_toml(rules), encoding="utf-8")
        rulebook = load_rulesets([folder])
    formula = worked(game, rulebook)
    left_over = [
        x.expression.rpartition("⌋ + ")[2] for x in formula.lines if "⌋ + " in x.expression
    ]
    assert set(left_over) <= {"1"}  # clause 8.3: one unit each


@pytest.mark.parametrize("seed", range(60))
def test_what_differs_is_what_is_found(seed: int, tmp_path: Path) -> None:
    """The lines that disagree are those of the findings, no more and no fewer."""
    rng = Random(f"differs {seed}")
    rules = random_rules(rng)
    (tmp_path / "rules.toml").write_text(as_toml(rules), encoding="utf-8")
    rulebook = load_rulesets([tmp_path])
    for _ in range(3):
        batch = batch_of([random_game(rng, rules)], rulebook)
        formula, story = work_out(batch, 0, rulebook), tell(batch, 0, rulebook)
        is_broken = bool(replay(batch, rulebook).games[0, D.G_ERROR])
        assert (formula is None) == is_broken
        if formula is not None:
            assert_true(formula)
            told = {(CODES[line.item], line.seat) for line in formula.differing}
            found = {(x.code, x.seat) for x in story.findings if x.code in CODES.values()}
            assert told == found


# Two seats


def test_two_seats_have_the_formula_with_its_numbers() -> None:
    """X·a·b + X·(C - C) for the winner, the same with a minus for the loser."""
    formula = worked(fixture_game("huopin-wealth"))
    assert expression_of(formula, "delta", 0) == "100·1·2 + 100·(2 - 0)"
    assert expression_of(formula, "delta", 1) == "-(100·1·2 + 100·(2 - 0))"
    assert [reasons_of(formula, "delta", seat) for seat in (0, 1)] == [["law_two"], []]
    assert expression_of(formula, "balance", 1) == "25,038 + (-400)"


def test_the_rows_of_the_tables_are_named() -> None:
    """Level, kou, doubling and contribution say which row they are."""
    formula = worked(fixture_game("huopin-wealth"))
    assert rows_of(formula, "base") == [("levels", "10,000", "100")]
    assert line_of(formula, "base").why[0].values == {
        "seat": 1,
        "balance": 25038,
        "required": 10000,
    }
    assert rows_of(formula, "kou") == [("kou", "ping", "1")]
    assert rows_of(formula, "doubling") == [("doubling", "6", "2")]
    assert rows_of(formula, "contribution", 0) == [("contribution", "6", "2")]


def test_what_stands_below_the_first_row_is_named_so(house: House) -> None:
    """Below the first row the doubling is 1, also where the table is empty."""
    game = fixture_game("jiule")
    assert rows_of(worked(game), "doubling") == [("doubling", "<5", "1")]
    game["rules"] = "house"
    formula = worked(game, house("jiule", scoring={"doubling": {}}))
    assert rows_of(formula, "doubling") == [("doubling", "", "1")]


def test_kou_says_how_many_cards_were_left(house: House) -> None:
    """The limits stand beside the number, and the row that was reached."""
    game = {**fixture_game("huopin-wealth"), "rules": "house"}
    rulebook = house("huopin-wealth", scoring={"kou_cards": {"dan": 4, "shuang": 9}})
    line = line_of(worked(game, rulebook), "kou")
    assert (line.value, line.recorded, line.agrees) == ("dan", "ping", False)
    assert line.used == (("kou_cards", "dan", "4"), ("kou", "dan", "2"))
    assert line.why[0].values == {"seat": 1, "cards": 4, "dan": 4, "shuang": 9}


def test_a_given_base_says_so() -> None:
    """The log gives it; it agrees with itself."""
    formula = worked(fixture_game("jiule"))
    assert reasons_of(formula, "base") == ["given"]
    assert line_of(formula, "base").agrees


def test_contributions_of_every_bomb_are_added_up(house: House) -> None:
    """Mode each: a term a bomb."""
    game = {**fixture_game("huopin-wealth"), "rules": "house"}
    scoring = {"contribution_mode": "each", "contribution": {"4": 3, "5": 10}}
    formula = worked(game, house("huopin-wealth", scoring=scoring))
    assert expression_of(formula, "contribution", 0) == "(3 + 10 + 10) - 6"
    assert expression_of(formula, "contribution", 1) == "(3 + 3) - 23"
    assert rows_of(formula, "contribution", 0) == [
        ("contribution", "4", "3"),
        ("contribution", "5", "10"),
    ]


def test_a_fee_is_taken_off(house: House) -> None:
    """From every seat, to the system."""
    game = {**fixture_game("huopin-wealth"), "rules": "house"}
    formula = worked(game, house("huopin-wealth", scoring={"fee": 1500}))
    assert expression_of(formula, "delta", 0) == "100·1·2 + 100·(2 - 0) - 1,500"
    assert rows_of(formula, "fee", 1) == [("fee", "", "1,500")]
    assert expression_of(formula, "system") == "2·1,500"


def test_the_cap_is_worked_out_where_it_is_reached(house: House) -> None:
    """What is due, what can be paid, what is shared."""
    game = {**fixture_game("huopin-wealth"), "rules": "house"}
    game["seats"][1]["balance"] = 150
    rulebook = house("huopin-wealth", scoring={"cap_at_balance": True, "base": {"fixed": 100}})
    formula = worked(game, rulebook)
    assert expression_of(formula, "wanted", 0) == "100·1·2 + 100·(2 - 0)"
    assert expression_of(formula, "capped", 1) == "-min(400, 150)"
    assert expression_of(formula, "capped", 0) == "⌊150·400 / 400⌋"
    assert [line_of(formula, "delta", seat).value for seat in (0, 1)] == [150, -150]
    assert rows_of(formula, "pool") == [("cap_at_balance", "", "true")]


def test_a_cap_that_is_not_reached_is_not_mentioned(house: House) -> None:
    """The formula stays as it is without it."""
    game = {**fixture_game("huopin-wealth"), "rules": "house"}
    formula = worked(game, house("huopin-wealth", scoring={"cap_at_balance": True}))
    assert not {"wanted", "pool", "capped"} & {line.item for line in formula.lines}


def test_the_law_stands_where_it_is_true() -> None:
    """In letters it is what the winner gets; with four seats it is said once."""
    for game in GAMES:
        lines = [x for x in worked(game).lines if any("law" in why.key for why in x.why)]
        if game["result"]["end"] == "out":
            winner = game["result"]["winner"] if len(game["seats"]) == 2 else 0
            assert [line.seat for line in lines] == [winner]


# Effective xiang


def test_every_way_to_the_xiang_is_named(house: House) -> None:
    """Best bomb and unlinked bombs: the larger counts."""
    formula = worked(fixture_game("huopin-wealth"))
    assert expression_of(formula, "xiang", 0) == "max(5, 6)"
    best, unlinked = line_of(formula, "xiang", 0).why
    assert (best.key, best.values["kind"], best.values["top"]) == ("best", "bomb", "5")
    assert (unlinked.key, dict(unlinked.values)) == ("unlinked", {"count": 2, "xiang": 5})


def test_linked_bombs_are_named_by_their_ranks() -> None:
    """X and the bonus, and which two ranks."""
    lines = [x for game in GAMES for x in worked(game).lines if x.item == "xiang"]
    linked = [(x, why) for x in lines for why in x.why if why.key == "linked"]
    assert linked
    for line, why in linked:
        assert f"{why.values['xiang']} + 1" in line.expression
        ranks = "3456789TJQKA"
        low, high = (ranks.index(str(why.values[name])) for name in ("low", "high"))
        assert high - low == 1


def test_a_xiang_cap_is_shown_where_it_cuts(house: House) -> None:
    """The cap stands around what it cuts, and only there."""
    game = {**fixture_game("huopin-wealth"), "rules": "house"}
    formula = worked(game, house("huopin-wealth", xiang={"xiang_cap": 5}))
    assert expression_of(formula, "xiang", 0) == "min(max(5, 6), 5)"
    assert rows_of(formula, "xiang", 0) == [("xiang_cap", "", "5")]
    assert expression_of(formula, "xiang", 1) == "4"


def test_no_bomb_is_zero() -> None:
    """A seat that played no bomb has no reason, and xiang 0."""
    formula = worked(fixture_game("baibian"))
    assert expression_of(formula, "xiang", 2) == "0"
    assert not reasons_of(formula, "xiang", 2)


# Four seats


def test_four_seats_are_paid_by_place() -> None:
    """X·P·b + X·C, with the row of the table of places."""
    formula = worked(fixture_game("baibian-zerosum"))
    assert expression_of(formula, "delta", 0) == "1·(-4)·4 + 1·(-2)"
    assert expression_of(formula, "contribution", 0) == "0 - 6/3"
    assert rows_of(formula, "delta", 0) == [("places", "shuang", "4 4 -4 -4")]
    assert expression_of(formula, "system") == "0"


def test_the_best_of_the_winning_team_doubles(house: House) -> None:
    """Or the first out alone; the line says whose xiang it was."""
    team = next(x for x in GAMES if x["rules"] == "baibian" and _partner_is_better(x))
    first = {**team, "rules": "house"}
    winner = team["result"]["winner"]
    by_team = line_of(worked(team), "doubling").why[0].values["seat"]
    rulebook = house("baibian", scoring={"doubling_scope": "first"})
    by_first = line_of(worked(first, rulebook), "doubling").why[0].values["seat"]
    assert (by_team, by_first) == ((winner + 2) % 4, winner)


def _partner_is_better(game: dict[str, Any]) -> bool:
    xiang, winner = game["result"].get("xiang"), game["result"].get("winner")
    return xiang and winner is not None and xiang[(winner + 2) % 4] > xiang[winner]


def test_what_a_table_mints_is_the_systems() -> None:
    """The printed row of 平扣 is not zero-sum."""
    game = next(x for x in GAMES if x["rules"] == "baibian" and x["result"]["kou"] == "ping")
    assert expression_of(worked(game), "system") == "-1·2·(1 + 0 + 0 + 1)"


# Escape


def test_an_escape_for_points() -> None:
    """escape_times, the doubling times dan, the contribution."""
    formula = worked(fixture_game("huopin-points", end="escape"))
    assert expression_of(formula, "penalty", 0) == "5·(12 + 2·4 + 2)"
    assert rows_of(formula, "penalty", 0) == [
        ("escape_times", "", "12"),
        ("kou", "dan", "2"),
        ("doubling", "6", "4"),
        ("contribution", "6", "2"),
    ]
    assert expression_of(formula, "system") == "110 - 0"


def test_an_escape_for_wealth(house: House) -> None:
    """The doubling alone, and a share for the seat that stayed."""
    game = {**fixture_game("huopin-points", end="escape"), "rules": "house"}
    scoring = {"escape_parts": "wealth", "share": 70}
    formula = worked(game, house("huopin-points", scoring=scoring))
    assert expression_of(formula, "penalty", 0) == "5·(12 + 4 + 2)"
    assert expression_of(formula, "delta", 1) == "⌊90·70 / 100⌋"
    assert rows_of(formula, "delta", 1) == [("share", "", "70%")]


def test_an_escape_for_wealth_before_the_first_card(house: House) -> None:
    """Bombs add nothing, and the line says why."""
    game = {**fixture_game("huopin-points", end="escape"), "rules": "house"}
    game |= {"actions": ["0 !escape"], "result": None}
    formula = worked(game, house("huopin-points", scoring={"escape_parts": "wealth"}))
    assert expression_of(formula, "penalty", 0) == "5·12"
    assert reasons_of(formula, "penalty", 0) == ["not_played"]


def test_an_escape_without_parts(house: House) -> None:
    """Times and fee alone; the other gets and pays nothing."""
    game = {**fixture_game("huopin-points", end="escape"), "rules": "house"}
    scoring = {"escape_parts": "none", "fee": 3}
    formula = worked(game, house("huopin-points", scoring=scoring))
    assert expression_of(formula, "penalty", 0) == "5·12"
    assert expression_of(formula, "delta", 0) == "-60 - 3"
    assert expression_of(formula, "delta", 1) == "0"
    assert expression_of(formula, "system") == "60 - 0 + 3"


def test_a_penalty_is_capped(house: House) -> None:
    """At the balance of the fleer."""
    game = {**fixture_game("huopin-points", end="escape"), "rules": "house"}
    game["seats"][0]["balance"] = 40
    formula = worked(game, house("huopin-points", scoring={"cap_at_balance": True}))
    assert expression_of(formula, "capped", 0) == "min(110, 40)"
    assert line_of(formula, "delta", 0).value == -40


# Without a base


def test_without_a_level_nothing_is_paid() -> None:
    """No base, no amounts: recorded ones are shown, not compared; the rest is."""
    game = fixture_game("huopin-wealth")
    game["seats"][1]["balance"] = 7
    formula = worked(game)
    base = line_of(formula, "base")
    assert (base.value, base.agrees, reasons_of(formula, "base")) == (None, None, ["no_level"])
    assert base.why[0].values == {"seat": 1, "balance": 7, "required": 100}
    delta = line_of(formula, "delta", 0)
    assert (delta.value, delta.recorded, delta.agrees) == (None, 400, None)
    assert line_of(formula, "doubling").agrees


def test_a_broken_game_has_no_formula() -> None:
    """There is nothing to work out."""
    game = fixture_game("huopin-wealth")
    game["actions"] = game["actions"][:5]
    assert work_out(batch_of([game], PRESETS), 0, PRESETS) is None


def test_there_is_no_game_beyond_the_batch() -> None:
    """A row that the batch does not have is a mistake of the caller."""
    with pytest.raises(IndexError):
        work_out(batch_of(GAMES[:1], PRESETS), 1, PRESETS)


# What the house recorded


def test_the_first_wrong_term_comes_first() -> None:
    """A wrong doubling comes before the amounts that follow from it."""
    game = fixture_game("huopin-wealth")
    game["result"] |= {"doubling": 4, "delta": [600, -600], "balance": [60000623, 24438]}
    differing = [(line.item, line.seat) for line in worked(game).differing]
    assert differing[0] == ("doubling", None)
    assert set(differing[1:]) == {(x, seat) for x in ("delta", "balance") for seat in (0, 1)}


def test_nothing_recorded_agrees_with_nothing() -> None:
    """Without a result no line says yes or no."""
    game = fixture_game("huopin-wealth")
    del game["result"]
    assert all(line.agrees is None for line in worked(game).lines if line.item != "base")


def test_a_sum_that_is_wrong_is_the_systems() -> None:
    """Recorded deltas that do not add up leave something for the system."""
    game = fixture_game("huopin-wealth")
    game["result"]["delta"] = [500, -400]
    line = line_of(worked(game), "system")
    assert (line.value, line.recorded, line.agrees) == (0, -100, False)
