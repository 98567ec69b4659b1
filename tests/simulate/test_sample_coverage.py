"""What occurs in the valid samples: every meld, every ending, every mishap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from analytics import shuangkou
from analytics.findings import Finding
from analytics.logs import GameBatch, find_sources, read
from analytics.logs.batch import END_ESCAPE
from analytics.rules.row import KOU_NAMES
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou import settlement as S
from analytics.shuangkou.melds import BOMB, CHAIN, KIND_NAMES
from tests.simulate.verification import presets

VALID = Path(__file__).parents[2] / "sample_logs" / "valid"
EXPECTED = (
    *(name for name in KIND_NAMES if name),
    *(f"{name} kou" for name in KOU_NAMES),
    *(f"{wild} wild jokers in a bomb" for wild in range(5)),
    *("regular chain", "irregular chain", "cyclic chain"),
    *("linked bombs decide", "unlinked bombs decide", "capped xiang"),
    *("escape after a card", "escape without a card", "escape that goes on"),
    *("timeout", "third timeout", "trustee", "drop", "return", "system turn", "auto-pass"),
    *("declared reading", "jiefeng", "winner pays", "mint", "debt"),
)


@pytest.fixture(scope="module")
def occurring() -> Counter[str]:
    """How often each thing occurs in all valid samples together."""
    counts: Counter[str] = Counter()
    for source in find_sources([str(VALID)]):
        for batch in read(source, presets()):
            assert not isinstance(batch, Finding), batch
            counts.update(_occurrences(batch))
    return counts


@pytest.mark.parametrize("thing", EXPECTED)
def test_it_occurs(thing: str, occurring: Counter[str]) -> None:
    """There is at least one game to try each rule on."""
    assert occurring[thing] > 0


def _occurrences(batch: GameBatch) -> Iterator[str]:
    facts = shuangkou.replay(batch, presets(), with_plays=True)
    settled = shuangkou.settle(facts, batch, presets())
    yield from _of_plays(facts.plays.tolist())
    yield from _of_bombs(facts.bombs.tolist())
    yield from _of_seats(batch, facts, settled)
    yield from _of_games(batch, facts, settled)


def _of_plays(plays: list[list[int]]) -> Iterator[str]:
    for play in plays:
        yield str(N.WHAT_NAMES[play[D.P_WHAT]])
        if play[D.P_WHAT] == N.PLAY:
            yield str(KIND_NAMES[play[D.P_KIND]])
        if play[D.P_DECLARED]:
            yield "declared reading"
        if play[D.P_STARRED]:
            yield "auto-pass" if play[D.P_WHAT] == N.PASS else "system turn"
    for _, game in groupby(plays, key=lambda play: play[D.P_GAME]):
        yield from _jiefengs(list(game))


def _jiefengs(plays: list[list[int]]) -> Iterator[str]:
    """Rounds whose author does not lead the next one: he is out, and his partner leads."""
    author = -1
    for play in plays:
        if play[D.P_WHAT] == N.PLAY:
            author = play[D.P_SEAT]
        if play[D.P_WHAT] == N.PASS and not play[D.P_TABLE] and play[D.P_TURN] != author:
            yield "jiefeng"


def _of_bombs(bombs: list[list[int]]) -> Iterator[str]:
    for bomb in bombs:
        if bomb[D.B_KIND] in (BOMB, CHAIN):
            yield f"{bomb[D.B_JOKERS]} wild jokers in a bomb"
        if bomb[D.B_KIND] == CHAIN:
            groups, top = bomb[D.B_GROUPS], bomb[D.B_TOP]
            is_regular = (bomb[D.B_XIANG] - groups) * groups == bomb[D.B_CARDS]
            yield "regular chain" if is_regular else "irregular chain"
            if top == 12 or top - groups + 1 < 0:
                yield "cyclic chain"


def _of_seats(batch: GameBatch, facts: Any, settled: Any) -> Iterator[str]:
    for seat, effective, balance in zip(
        facts.seats.tolist(), settled.seats[:, S.Y_XIANG].tolist(), batch.balance, strict=True
    ):
        best = seat[D.S_BEST]
        linked = seat[D.S_LINKED] + 1 if seat[D.S_LINKED] else 0
        if effective > best:
            yield "linked bombs decide" if effective == linked else "unlinked bombs decide"
        if effective < best:
            yield "capped xiang"
        if seat[D.S_TIMEOUTS] >= 3:
            yield "third timeout"
        if balance < 0:
            yield "debt"


def _of_games(batch: GameBatch, facts: Any, settled: Any) -> Iterator[str]:
    for game, row in enumerate(facts.games.tolist()):
        seats = slice(batch.seats_at[game], batch.seats_at[game + 1])
        if row[D.G_END] == END_ESCAPE:
            has_played = facts.seats[seats][row[D.G_FLEER], D.S_PLAYED]
            yield "escape after a card" if has_played else "escape without a card"
            continue
        yield f"{KOU_NAMES[settled.games[game, S.X_KOU]]} kou"
        if len(settled.seats[seats]) == 4 and b"!escape" in batch.actions.raw(game):
            yield "escape that goes on"
        if settled.seats[seats][row[D.G_WINNER], S.Y_DELTA] < 0:
            yield "winner pays"
        if settled.system[game, S.MINT]:
            yield "mint"
