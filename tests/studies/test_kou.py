"""How games end: every figure against a plain recount of the logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from analytics.studies import Studied
from tests.studies.conftest import Game
from tests.studies.recount import normal, quantile, wilson


def ended(games: Iterable[Game], *ends: str) -> list[Game]:
    """The games with one of these endings."""
    return [game for game in games if game["result"]["end"] in ends]


def plies(game: Game) -> int:
    """Plays and passes of a game."""
    return sum("!" not in action for action in game["actions"])


def test_kou_by_ruleset_is_what_logs_record(studied: Studied, games: list[Game]) -> None:
    """Counts, opportunities, shares and intervals of every ruleset."""
    out = ended(games, "out")
    found = Counter((game["rules"], game["result"]["kou"]) for game in out)
    whole = Counter(game["rules"] for game in out)
    frame = studied.study("kou", by=["ruleset"])
    assert len(frame) == 3 * len(whole)
    for row in frame.itertuples():
        rules = row.ruleset.partition("@")[0]
        assert row.games == found[rules, row.kou]
        assert row.opportunities == whole[rules]
        assert row.share == pytest.approx(row.games / row.opportunities)
        assert (row.share_low, row.share_high) == pytest.approx(wilson(row.games, whole[rules]))


def test_kou_stands_in_the_order_of_how_bad_it_is(studied: Studied) -> None:
    """ping, dan, shuang in every group, whatever comes before in the alphabet."""
    frame = studied.study("kou", by=["room"])
    assert list(frame["kou"][:6]) == ["ping", "dan", "shuang"] * 2


def test_what_did_not_happen_is_zero_and_what_could_not_is_null(studied: Studied) -> None:
    """Escapes have no kou: no opportunity; a kou that never came has its row."""
    none = studied.study("kou", where="ending = 'escape'")
    assert list(none["opportunities"]) == [0, 0, 0]
    assert none["share"].isna().all()
    only = studied.study(
        "kou", where="game_key IN (SELECT game_key FROM shuangkou_settled WHERE kou = 'dan')"
    )
    assert list(only["share"]) == [0, 1, 0]
    assert list(only["share_low"])[::2] == [0, 0]
    assert only["share_high"][1] == 1


def test_length_is_that_of_the_logs(studied: Studied, games: list[Game]) -> None:
    """Plies and minutes: means, intervals, quantiles."""
    frame = studied.study("kou.length", by=["ending"]).set_index("ending")
    for ending in ("out", "escape"):
        own, row = ended(games, ending), frame.loc[ending]
        counts, times = [plies(game) for game in own], [game["times"][-1] for game in own]
        assert row["games"] == row["timed"] == len(own)
        assert row["plies"] == pytest.approx(sum(counts) / len(own))
        assert (row["plies_low"], row["plies_high"]) == pytest.approx(normal(counts))
        assert row["plies_p5"] == quantile(counts, 0.05)
        assert row["plies_p50"] == quantile(counts, 0.5)
        assert row["plies_p95"] == quantile(counts, 0.95)
        assert row["minutes"] == pytest.approx(sum(times) / len(own) / 60_000)
        low, high = normal(times)
        assert (row["minutes_low"], row["minutes_high"]) == pytest.approx(
            (low / 60_000, high / 60_000)
        )
        assert row["minutes_p50"] == pytest.approx(quantile(times, 0.5) / 60_000)
        assert row["minutes_p95"] == pytest.approx(quantile(times, 0.95) / 60_000)
