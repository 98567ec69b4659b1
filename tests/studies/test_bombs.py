"""Bombs: every figure against games that the oracle replays, and against exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from analytics import odds
from analytics.studies import Studied
from tests.oracle.presets import PRESETS
from tests.oracle.replay import replay
from tests.studies.conftest import Game
from tests.studies.recount import events, wilson

WILD = frozenset(("SJ", "BJ"))


@pytest.fixture(scope="module")
def played(games: list[Game]) -> list[tuple[Game, list[list[Any]]]]:
    """Every tenth game with the bombs of its seats, replayed by the oracle."""
    chosen = games[::10]
    return [(game, replay(game, PRESETS[game["rules"]]).bombs) for game in chosen]


@pytest.fixture(scope="module")
def chosen(played: list[tuple[Game, list[list[Any]]]]) -> str:
    """An expression that chooses these games."""
    return "id IN (" + ", ".join(f"'{game['id']}'" for game, _ in played) + ")"


def hands_of(played: list[tuple[Game, list[list[Any]]]]) -> Iterator[list[Any]]:
    """The bombs of each hand."""
    for _, seats in played:
        yield from seats


def test_frequencies_by_xiang_are_those_of_the_oracle(
    studied: Studied, played: list[tuple[Game, list[list[Any]]]], chosen: str
) -> None:
    """Counts, hands with one, means per hand and game, all with their intervals."""
    frame = studied.study("bombs", where=chosen).set_index("xiang")
    hands = list(hands_of(played))
    assert set(frame.index) == {bomb.xiang for bombs in hands for bomb in bombs}
    for xiang, row in frame.iterrows():
        each = [sum(bomb.xiang == xiang for bomb in bombs) for bombs in hands]
        games = [sum(bomb.xiang == xiang for b in seats for bomb in b) for _, seats in played]
        assert (row["bombs"], row["hands"], row["games"]) == (sum(each), len(each), len(played))
        assert row["hands_with"] == sum(map(bool, each))
        assert row["share"] == pytest.approx(row["hands_with"] / len(each))
        ends = wilson(int(row["hands_with"]), len(each))
        assert (row["share_low"], row["share_high"]) == pytest.approx(ends)
        assert row["per_hand"] == pytest.approx(sum(each) / len(each))
        assert (row["per_hand_low"], row["per_hand_high"]) == pytest.approx(events(each))
        assert row["per_game"] == pytest.approx(sum(games) / len(games))
        assert (row["per_game_low"], row["per_game_high"]) == pytest.approx(events(games))


def test_kinds_and_tops_are_those_of_the_oracle(
    studied: Studied, played: list[tuple[Game, list[list[Any]]]], chosen: str
) -> None:
    """Bombs by ruleset, kind and highest rank; a joker bomb has none."""
    found = Counter(
        (game["rules"], bomb.kind, bomb.top or "")
        for game, seats in played
        for bombs in seats
        for bomb in bombs
    )
    frame = studied.study("bombs", by=["ruleset", "kind", "top"], where=chosen)
    counts = {
        (row.ruleset.partition("@")[0], row.kind, row.top if isinstance(row.top, str) else ""):
        row.bombs for row in frame.itertuples() if row.bombs
    }  # fmt: skip
    assert counts == found


def test_a_bomb_that_was_not_played_is_zero_where_it_could_have_been(studied: Studied) -> None:
    """Groups are crossed with the bombs that any of them has."""
    frame = studied.study("bombs", by=["room", "xiang"])
    rooms, kinds = frame["room"].nunique(), frame["xiang"].nunique()
    assert len(frame) == rooms * kinds
    none = frame[frame["bombs"] == 0]
    assert len(none)
    assert (none["per_hand"] == 0).all()
    assert (none["per_hand_high"] > 0).all()
    assert none["beaten_share"].isna().all()


def test_beaten_bombs_are_those_that_another_play_follows(
    studied: Studied, games: list[Game]
) -> None:
    """Of two-player games without jokers in bombs: a bomb is beaten when the next act is a play."""
    found: Counter[bool] = Counter()
    for game in games:
        if len(game["seats"]) == 2:
            found.update(beaten_of(game))
    frame = studied.study("bombs", by=["kind", "jokers"], where="seats = 2")
    row = frame[(frame["kind"] == "bomb") & (frame["jokers"] == 0)].iloc[0]
    assert (row["bombs"], row["beaten"]) == (found.total(), found[True])
    assert (row["beaten_share_low"], row["beaten_share_high"]) == pytest.approx(
        wilson(found[True], found.total())
    )


def beaten_of(game: Game) -> Iterator[bool]:
    """Whether each bomb of one rank without jokers was beaten."""
    acts = [action.split()[1].rstrip("*") for action in game["actions"] if "!" not in action]
    for place, act in enumerate(acts):
        ranks = {face[0] for face in faces(act)}
        if len(act) >= 8 and len(ranks) == 1 and not WILD & set(faces(act)):
            yield place + 1 < len(acts) and acts[place + 1] != "-"


def faces(text: str) -> list[str]:
    """The faces of a play or of a hand, declarations left out."""
    shown = text.partition("=")[0].replace(" ", "")
    return [shown[i : i + 2] for i in range(0, len(shown) - 1, 2)]


def natural_bombs(hand: str) -> int:
    """Ranks that were dealt four times or more."""
    counts = Counter(face[0] for face in faces(hand) if face not in WILD)
    return sum(count >= 4 for count in counts.values())


def test_natural_bombs_dealt_are_counted_from_hands(studied: Studied, games: list[Game]) -> None:
    """Hands by dealing mode and natural bombs, with shares and intervals."""
    found = Counter((game["deal"], natural_bombs(hand)) for game in games for hand in game["hands"])
    frame = studied.study("bombs.dealt")
    assert set(frame["dealt"]) == set(range(7))
    for row in frame.itertuples():
        whole = sum(n for (deal, _), n in found.items() if deal == row.deal)
        assert (row.hands, row.opportunities) == (found[row.deal, row.dealt], whole)
        assert (row.share_low, row.share_high) == pytest.approx(wilson(row.hands, whole))


def test_only_uniform_deals_are_held_against_uniform_odds(studied: Studied) -> None:
    """The exact odds stand beside uniform deals, and null beside others and mixtures."""
    frame = studied.study("bombs.dealt")
    uniform = frame[frame["deal"] == "uniform"]
    exact = [float(share) for share in odds.bombs().values()]
    assert list(uniform["expected_share"]) == pytest.approx(exact)
    assert list(uniform["expected_hands"]) == pytest.approx(
        [share * uniform["opportunities"].iloc[0] for share in exact]
    )
    assert frame[frame["deal"] != "uniform"]["expected_share"].isna().all()
    assert studied.study("bombs.dealt", by=[])["expected_share"].isna().all()
    natural = studied.study("bombs.natural", where="deal = 'uniform'")
    assert list(natural["dealt_per_hand"]) == pytest.approx(
        [float(mean) for mean in odds.bombs_of_size().values()]
    )
    assert studied.study("bombs.natural", by=[])["played_per_dealt"].isna().all()


def test_natural_bombs_played_are_those_of_one_rank_without_jokers(
    studied: Studied, games: list[Game]
) -> None:
    """Counted from the actions, by size."""
    found: Counter[int] = Counter()
    for game in games:
        for action in game["actions"]:
            own = faces(action.split()[1].rstrip("*"))
            if len(own) >= 4 and len({face[0] for face in own}) == 1 and not WILD & set(own):
                found[len(own)] += 1
    frame = studied.study("bombs.natural", by=[])
    assert dict(zip(frame["xiang"], frame["bombs"], strict=True)) == {
        size: found[size] for size in range(4, 9)
    }
