"""What games came to, as plain records."""

from __future__ import annotations

import json

from analytics.findings import F_CODE, F_GAME, Code
from analytics.logs import batch_of
from analytics.rules import load_rulesets
from analytics.shuangkou.results import PARTS, GameResult, results
from analytics.verify import Verdict, verify_batch
from cli import settle
from tests.cli.running import Game

RULEBOOK = load_rulesets()


def verdict_of(games: list[Game]) -> Verdict:
    """The verdict on games."""
    return verify_batch(batch_of(games, RULEBOOK), RULEBOOK)


def results_of(verdict: Verdict) -> list[GameResult]:
    """The results of a verdict."""
    return list(results(verdict.batch, verdict.facts, verdict.settled, verdict.findings))


def test_a_batch_of_many_is_many_batches_of_one(games: list[Game]) -> None:
    """Games do not know of one another."""
    games[2]["actions"][3] = "0 -*"
    together = results_of(verdict_of(games))
    assert [each.game for each in together] == list(range(len(games)))
    for game, each in zip(games, together, strict=True):
        (alone,) = results_of(verdict_of([game]))
        assert (alone.status, alone.result) == (each.status, each.result)


def test_results_are_plain(games: list[Game]) -> None:
    """JSON can have them: no numpy, no tuples of records."""
    for each in results_of(verdict_of(games)):
        assert each.result is not None
        assert tuple(each.result) == PARTS == settle.PARTS
        assert json.loads(json.dumps(each.result)) == each.result


def test_the_finding_is_the_one_that_ended_the_replay(games: list[Game]) -> None:
    """Earlier findings on what the system did are others."""
    play = games[1]
    play["actions"].insert(1, "1 !trustee")
    play["actions"][-1] = "0 3S3H"
    verdict = verdict_of(games[:3])
    assert (verdict.findings[:, F_GAME] == 1).sum() > 1
    each = results_of(verdict)[1]
    assert (each.status, each.result) == ("bad", None)
    assert each.finding is not None
    assert Code(verdict.findings[each.finding, F_CODE]).text.startswith("play.")


def test_no_games_no_results() -> None:
    """An empty batch has none."""
    assert results_of(verdict_of([])) == []
