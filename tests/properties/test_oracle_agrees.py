"""The engine against the oracle, over random settings of clause 11.

``PAIPU_ORACLE_CARDS`` and ``PAIPU_ORACLE_GAMES`` set how many card sets and games are
compared, ``PAIPU_ORACLE_SEED`` where the random numbers begin.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analytics import shuangkou
from analytics.findings import F_ACTION, F_CODE, F_GAME, F_SEAT, Code
from analytics.logs import batch_of
from analytics.logs.batch import END_NAMES
from analytics.rules import Rulebook, load_rulesets
from analytics.rules.row import KOU_NAMES, NO_KOU
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.reading import read_cards
from analytics.verify import Verdict, verify_batch
from tests.oracle.as_toml import as_toml
from tests.oracle.melds import answer
from tests.oracle.random_cases import random_cards, random_game, random_rules
from tests.oracle.settle import Judgement, judge

SEED = int(os.environ.get("PAIPU_ORACLE_SEED", "1"))
CARDS = int(os.environ.get("PAIPU_ORACLE_CARDS", "20000"))
GAMES = int(os.environ.get("PAIPU_ORACLE_GAMES", "2000"))
SLICES = 8  # the work is cut up so that it can run side by side
GAMES_A_RULESET = 4


def _rulebook(rulesets: list[dict[str, Any]], folder: Path) -> Rulebook:
    for rules in rulesets:
        (folder / f"{rules['name']}.toml").write_text(as_toml(rules), encoding="utf-8")
    return load_rulesets([folder])


@pytest.mark.parametrize("part", range(SLICES))
def test_cards_are_read_as_the_oracle_reads_them(part: int, tmp_path: Path) -> None:
    """Every random card set is read alike, leading and over other cards."""
    rng = Random(f"cards {SEED} {part}")
    rulesets = [random_rules(rng) for _ in range(CARDS // SLICES // 20)]
    rulebook = _rulebook(rulesets, tmp_path)
    for rules in rulesets:
        rules_ix = rulebook.find(rules["name"], None)
        for _ in range(20):
            cards, over = random_cards(rng, rules)
            got = read_cards(cards, over, rulebook, rules_ix).as_json()
            assert got == answer(cards, over, rules), (rules, cards, over)


@pytest.mark.parametrize("part", range(SLICES))
def test_games_are_judged_as_the_oracle_judges_them(part: int, tmp_path: Path) -> None:
    """Every random game has the same findings, facts and settlement."""
    rng = Random(f"games {SEED} {part}")
    rulesets = [random_rules(rng) for _ in range(GAMES // SLICES // GAMES_A_RULESET)]
    rulebook = _rulebook(rulesets, tmp_path)
    cases = [(rules, random_game(rng, rules)) for rules in rulesets for _ in range(GAMES_A_RULESET)]
    for place, (_, game) in enumerate(cases):
        game["id"] = f"random-{part}-{place}"
    verdict = verify_batch(batch_of([game for _, game in cases], rulebook), rulebook)
    for place, (rules, game) in enumerate(cases):
        judgement = judge(game, rules)
        assert _findings(verdict, place) == sorted(judgement.findings, key=str), (rules, game)
        assert _settlement(verdict, place) == _expected(judgement), (rules, game)


def _findings(verdict: Verdict, place: int) -> list[tuple[str, int | None, int | None]]:
    rows = verdict.findings[verdict.findings[:, F_GAME] == place]
    found = [
        (Code(row[F_CODE]).text, _or_none(row[F_ACTION]), _or_none(row[F_SEAT]))
        for row in rows.tolist()
    ]
    return sorted(found, key=str)


def _or_none(value: int) -> int | None:
    return value if value >= 0 else None


def _expected(judgement: Judgement) -> dict[str, Any] | None:
    settlement = judgement.settlement
    if settlement is None:
        return None
    names = (
        "end", "winner", "places", "kou", "xiang", "base", "doubling",
        "contribution", "delta", "fee", "system",
    )  # fmt: skip
    return {name: getattr(settlement, name) for name in names}


def _settlement(verdict: Verdict, place: int) -> dict[str, Any] | None:
    facts: shuangkou.Facts = verdict.facts
    settled: shuangkou.Settled = verdict.settled
    end = END_NAMES[facts.games[place, D.G_END]]
    if end is None:
        return None
    seats = slice(verdict.batch.seats_at[place], verdict.batch.seats_at[place + 1])
    worth = settled.games[place]
    has_places = end == "out" and seats.stop - seats.start == 4
    kou = int(worth[S.X_KOU])
    return {
        "end": end,
        "winner": int(facts.games[place, D.G_WINNER]),
        "places": facts.seats[seats, D.S_PLACE].tolist() if has_places else None,
        "kou": None if kou == NO_KOU else KOU_NAMES[kou],
        "xiang": settled.seats[seats, S.Y_XIANG].tolist(),
        "base": _amount(worth[S.X_BASE]),
        "doubling": _amount(worth[S.X_DOUBLING]),
        "contribution": _amounts(settled.seats[seats, S.Y_CONTRIBUTION]),
        "delta": _amounts(settled.seats[seats, S.Y_DELTA]),
        "fee": settled.seats[seats, S.Y_FEE].tolist(),
        "system": _amount(worth[S.X_SYSTEM]),
    }


def _amount(value: Any) -> int | None:
    return None if value == S.NOTHING else int(value)


def _amounts(values: Any) -> list[int] | None:
    return None if S.NOTHING in values else values.tolist()
