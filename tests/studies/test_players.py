"""What players won, lost and did, and what was dealt: against a plain recount of the logs."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from analytics.studies import Studied
from analytics.warehouse import WarehouseError
from tests.studies.conftest import Game
from tests.studies.recount import wilson


def winners(game: Game) -> set[int]:
    """The seats that won: that of the winner, and the one opposite."""
    seats = len(game["seats"])
    return {game["result"]["winner"], (game["result"]["winner"] + 2) % seats if seats == 4
            else game["result"]["winner"]}  # fmt: skip


def test_what_players_won_and_lost(studied: Studied, games: list[Game]) -> None:
    """Games, net, wins, kou given and taken, escapes: of every player."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    net: Counter[str] = Counter()
    kou: Counter[tuple[str, str]] = Counter()
    for game in games:
        result = game["result"]
        for seat, given in enumerate(game["seats"]):
            player, is_winner = given["player"], seat in winners(game)
            played[player] += 1
            won[player] += is_winner
            net[player] += result["delta"][seat]
            if result["end"] == "out":
                kou[player, f"{result['kou']}_{'given' if is_winner else 'taken'}"] += 1
    frame = studied.study("players")
    assert set(frame["player"]) == set(played)
    for row in frame.itertuples():
        assert row.games == row.decided == played[row.player]
        assert row.won == won[row.player]
        assert (row.win_low, row.win_high) == pytest.approx(wilson(row.won, row.decided))
        assert row.net == net[row.player]
        for name in ("ping", "dan", "shuang"):
            for side in ("given", "taken"):
                assert getattr(row, f"{name}_{side}") == kou[row.player, f"{name}_{side}"]


def test_what_players_did(studied: Studied, games: list[Game]) -> None:
    """Escapes and timeouts add up to those of the logs."""
    escapes = sum(any(a.endswith("!escape") for a in game["actions"]) for game in games
                  if game["result"]["end"] == "escape")  # fmt: skip
    timeouts = sum(a.endswith("!timeout") for game in games for a in game["actions"])
    frame = studied.study("players")
    assert frame["escapes"].sum() == escapes > 0
    assert frame["timeouts"].sum() == timeouts > 0
    assert (frame["declined"] <= frame["passes"]).all()
    assert frame["bombs"].sum() == studied.sql("SELECT count(*) n FROM shuangkou_bombs")["n"][0]


def test_what_was_dealt(studied: Studied, games: list[Game]) -> None:
    """All measures of all seats are those of the hands in the logs."""
    found: defaultdict[tuple[str, int, int], Counter[str]] = defaultdict(Counter)
    for game in games:
        for seat, hand in enumerate(game["hands"]):
            cards = [hand[at : at + 2] for at in range(0, len(hand), 2)]
            faces, ranks = Counter(cards), Counter(card[0] for card in cards if card[1] != "J")
            jokers = sum(card in ("SJ", "BJ") for card in cards)
            found[game["room"], len(game["hands"]), seat].update(
                bombs=sum(n >= 4 for n in ranks.values()),
                jokers=jokers,
                joker_bombs=jokers >= 3,
                repeated=sum(n == 2 for n in faces.values()),
                **{name: sum(card[1] == suit and card not in ("SJ", "BJ") for card in cards)
                   for name, suit in zip(("spades", "hearts", "clubs", "diamonds"), "SHCD",
                                         strict=True)},
            )  # fmt: skip
    frame = studied.study("deals", by=["room"])
    for row in frame[frame["seat"].notna()].itertuples():
        assert row.observed == found[row.room, row.seats, row.seat][row.measure], row
    whole = frame[frame["seat"].isna()].set_index(["room", "seats", "measure"])["observed"]
    parts = frame[frame["seat"].notna()].groupby(["room", "seats", "measure"])["observed"].sum()
    assert whole.to_dict() == parts.to_dict()


def test_sample_deals_are_no_alarm(studied: Studied) -> None:
    """The samples are dealt as their logs say.

    By ruleset: samples of several rulesets begin with the same deals, which is no chance.
    """
    verdicts = set(studied.study("deals", by=["ruleset"])["verdict"])
    assert verdicts == {"as expected", "always the same"}


def test_an_unknown_study_is_named(studied: Studied) -> None:
    """A near name is suggested."""
    with pytest.raises(WarehouseError, match=r"players\.pairs"):
        studied.study("players.pair")
