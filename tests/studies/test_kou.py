"""How games end: every figure against a plain recount of the logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from analytics.studies import Studied
from tests.oracle.presets import PRESETS
from tests.oracle.replay import replay
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


def left(game: Game) -> list[int]:
    """Cards that each seat has left, counted from its hand and its plays."""
    cards = [len(hand.replace(" ", "")) // 2 for hand in game["hands"]]
    for action in game["actions"]:
        seat, play = action.split()
        if play[0] not in "-!":
            cards[int(seat)] -= len(play.rstrip("*").partition("=")[0]) // 2
    return cards


def test_cards_left_are_those_that_were_not_played(studied: Studied, games: list[Game]) -> None:
    """Hands with cards left, by number of seats; every number from 1 to 27 has its row."""
    found = Counter(
        (len(game["seats"]), cards) for game in ended(games, "out") for cards in left(game) if cards
    )
    frame = studied.study("kou.cards_left")
    assert len(frame) == 2 * 27
    for row in frame.itertuples():
        whole = sum(n for (seats, _), n in found.items() if seats == row.seats)
        assert (row.hands, row.opportunities) == (found[row.seats, row.cards_left], whole)
        assert (row.share_low, row.share_high) == pytest.approx(wilson(row.hands, whole), abs=1e-12)


def test_places_are_those_that_logs_record(studied: Studied, games: list[Game]) -> None:
    """By whether the seat led, and by seat."""
    found = Counter(
        (seat == game["first"], seat, place)
        for game in ended(games, "out")
        if len(game["seats"]) == 4
        for seat, place in enumerate(game["result"]["places"])
    )
    frame = studied.study("kou.places", by=["led", "seat"])
    counts = {(r.led, r.seat, r.place): r.hands for r in frame.itertuples() if r.hands}
    assert counts == found


def test_kou_by_who_led(studied: Studied, games: list[Game]) -> None:
    """The leader, of four his team, won or lost."""
    found = Counter(
        ("winner" if (game["first"] - game["result"]["winner"]) % 2 == 0 else "loser",
         game["result"]["kou"])
        for game in ended(games, "out")
    )  # fmt: skip
    frame = studied.study("kou", by=["lead"], where="ending = 'out'")
    assert {(row.lead, row.kou): row.games for row in frame.itertuples()} == found


def test_kou_by_bombs_is_that_of_the_oracle(studied: Studied, games: list[Game]) -> None:
    """Bombs of both sides, and the best of each, of every tenth game."""
    found: Counter[tuple[int, ...]] = Counter()
    chosen = ended(games[::10], "out")
    for game in chosen:
        bombs = replay(game, PRESETS[game["rules"]]).bombs
        sides = [[b.xiang for seat in (side, side + 2)[: len(bombs) // 2] for b in bombs[seat]]
                 for side in (0, 1)]  # fmt: skip
        winner = game["result"]["winner"] % 2
        found[len(sides[winner]), len(sides[1 - winner]),
              max(sides[winner], default=0), max(sides[1 - winner], default=0)] += 1  # fmt: skip
    by = ["winner_bombs", "loser_bombs", "winner_best", "loser_best"]
    ids = ", ".join(f"'{game['id']}'" for game in chosen)
    frame = studied.study("kou", by=by, where=f"id IN ({ids})")
    rows = frame[frame["kou"] == "ping"]
    assert {tuple(row[1:5]): row.opportunities for row in rows.itertuples()} == found


def test_skill_is_told_by_other_games(studied: Studied, games: list[Game]) -> None:
    """A side is low, middle or high by what its players won of at least 20 other games."""
    out = ended(games, "out")
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for game in out:
        for seat, player in enumerate(game["seats"]):
            played[player["player"]] += 1
            won[player["player"]] += (seat - game["result"]["winner"]) % 2 == 0
    found: Counter[tuple[str | None, str | None]] = Counter()
    for game in out:
        tiers = []
        for is_winner in (True, False):
            side = [p["player"] for seat, p in enumerate(game["seats"])
                    if ((seat - game["result"]["winner"]) % 2 == 0) == is_winner]  # fmt: skip
            known = [name for name in side if played[name] - 1 >= 20]
            others = sum(played[name] - 1 for name in known)
            share = sum(won[name] - is_winner for name in known) / others if known else None
            tiers.append(tier(share))
        found[tiers[0], tiers[1]] += 1
    frame = studied.study("kou", by=["winner_tier", "loser_tier"])
    rows = frame[frame["kou"] == "ping"].astype(object)
    counts = {
        tuple(None if value != value else value for value in row[1:3]): row.opportunities
        for row in rows.itertuples()
    }
    assert counts == found
    assert len(found) > 3


def tier(share: float | None) -> str | None:
    """The word for a share of games won."""
    if share is None:
        return None
    return "low" if share < 0.45 else "high" if share > 0.55 else "middle"
