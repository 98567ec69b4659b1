"""Facts and settlements as columns: shapes, types, and what each column holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from analytics import shuangkou
from analytics.findings import F_ACTION, F_CODE, F_GAME, F_SEAT, FINDING_WIDTH, Code
from analytics.logs import batch_of
from analytics.rules import load_rulesets
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou import settlement as S
from analytics.shuangkou.melds import BOMB, CHAIN, FOUR_JOKERS, STRAIGHT, THREE_JOKERS
from tests.games import fixture_games
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    POINTS,
    WEALTH,
    Seen,
    Table,
    duel,
    flight,
    play,
    rules,
)

BOOK = load_rulesets()


@pytest.mark.parametrize("count", [0, 1, 36])
@pytest.mark.parametrize("with_plays", [False, True])
def test_shapes(count: int, with_plays: bool) -> None:
    """One row a game, a seat, a bomb, a finding; actions only if they are asked for."""
    batch = batch_of(fixture_games()[:count], BOOK)
    facts = shuangkou.replay(batch, BOOK, with_plays=with_plays)
    settled = shuangkou.settle(facts, batch, BOOK)
    seats = len(batch.player)
    assert facts.games.shape == (count, D.GAME_WIDTH)
    assert facts.seats.shape == (seats, D.SEAT_WIDTH)
    assert facts.bombs.shape == (facts.seats[:, D.S_BOMBS :].sum(), D.BOMB_WIDTH)
    actions = facts.games[:, D.G_ACTIONS].sum() if with_plays else 0
    assert facts.plays.shape == (actions, D.PLAY_WIDTH)
    assert facts.findings.shape[1:] == (FINDING_WIDTH,)
    assert settled.games.shape == (count, S.BOOK_GAME_WIDTH)
    assert settled.seats.shape == (seats, S.BOOK_SEAT_WIDTH)
    assert settled.items.shape == (seats, S.ITEMS)
    assert settled.system.shape == (count, S.ITEMS)
    differences = shuangkou.compare(batch, facts, settled, BOOK)
    assert differences.shape[1:] == (FINDING_WIDTH,)


def test_every_column_is_int64() -> None:
    """Amounts never pass through floating point."""
    batch = batch_of(fixture_games(), BOOK)
    facts = shuangkou.replay(batch, BOOK, with_plays=True)
    settled = shuangkou.settle(facts, batch, BOOK)
    for record in (facts, settled):
        for name in record.__dataclass_fields__:
            assert getattr(record, name).dtype == np.int64, name


def test_a_batch_may_hold_broken_games() -> None:
    """Facts up to the fault, no end, no winner, no settlement."""
    games = fixture_games()[:3]
    games[1]["actions"] = games[1]["actions"][:4]
    batch = batch_of(games, BOOK)
    facts = shuangkou.replay(batch, BOOK)
    settled = shuangkou.settle(facts, batch, BOOK)
    assert facts.games[1, [D.G_END, D.G_WINNER, D.G_ACTIONS]].tolist() == [0, -1, 4]
    assert facts.games[[0, 2], D.G_END].all()
    assert not settled.games[1].any()
    assert not settled.items[batch.seats_at[1] : batch.seats_at[2]].any()


COURSE = ["0 44444", "1 55555", "0 -", "1 ssb", "0 666666", "1 -", "0 777888999", "1 !timeout"]


def _course() -> Table:
    hands = ["44444 666666 777888999 K", "55555 ssb 9999 TTTT J 3"]
    return Table(POINTS, hands).play(*COURSE, "1 9999*", "0 -", "1 3", "0 K")


def test_facts_of_a_game() -> None:
    """Its end, winner and fleer, and how many actions, and plays and passes among them."""
    table = _course()
    seen = table.seen()
    facts = seen.verdict.facts.games[0].tolist()
    opening = table.opening
    assert facts[D.G_ERROR] == 0
    assert (facts[D.G_END], facts[D.G_WINNER], facts[D.G_FLEER]) == (1, 0, -1)
    assert (facts[D.G_ACTIONS], facts[D.G_PLIES]) == (opening + 12, opening + 11)


def test_facts_of_seats() -> None:
    """Cards left, what was dealt, and what the system did for a seat."""
    table = _course()
    seen = table.seen()
    assert seen.left == [0, 5]
    assert seen.of_seats(D.S_PLAYED) == [1, 1]
    assert seen.of_seats(D.S_TIMEOUTS) == [0, 1]
    assert seen.of_seats(D.S_SYSTEM_TURNS) == [0, 1]
    passes = [sum(a == f"{seat} -" for a in table.actions) for seat in range(2)]
    assert seen.of_seats(D.S_PASSES) == passes
    bombs = [
        sum(sum(face[0] == rank for face in _faces(hand)) >= 4 for rank in "3456789TJQKA2")
        for hand in table.dealt
    ]
    assert seen.of_seats(D.S_RANK_BOMBS) == bombs
    assert seen.of_seats(D.S_JOKERS) == [0, 3]


def _faces(hand: str) -> list[str]:
    return [hand[at : at + 2] for at in range(0, len(hand), 2)]


def test_what_was_dealt() -> None:
    """Suits, repeated faces and jokers of every seat are those counted from the log."""
    games = fixture_games()
    facts = shuangkou.replay(batch_of(games, BOOK), BOOK)
    hands = [Counter(_faces(hand)) for game in games for hand in game["hands"]]
    suits = [[sum(n for f, n in h.items() if f[1] == s) for s in "SHCD"] for h in hands]
    assert facts.seats[:, D.S_SPADES : D.S_DIAMONDS + 1].tolist() == suits
    repeated = [sum(n == 2 for n in hand.values()) for hand in hands]
    assert facts.seats[:, D.S_REPEATED].tolist() == repeated
    jokers = [hand["SJ"] + hand["BJ"] for hand in hands]
    assert facts.seats[:, D.S_JOKERS].tolist() == jokers


def test_passes_that_were_declined() -> None:
    """An unstarred pass is declined exactly where the same pass, starred, is ``auto.pass``."""
    games = fixture_games()
    facts = shuangkou.replay(batch_of(games, BOOK), BOOK, with_declined=True)
    plain = shuangkou.replay(batch_of(games, BOOK), BOOK)
    passes = [[action.endswith(" -") for action in game["actions"]] for game in games]
    for game in games:
        game["actions"] = [a + "*" if a.endswith(" -") else a for a in game["actions"]]
    batch = batch_of(games, BOOK)
    expected = np.zeros(len(batch.player), np.int64)
    for row in shuangkou.replay(batch, BOOK).findings:
        game, action = row[F_GAME], row[F_ACTION]
        if row[F_CODE] == Code.AUTO_PASS and passes[game][action]:
            expected[batch.seats_at[game] + row[F_SEAT]] += 1
    assert expected.sum() > len(games)
    assert facts.seats[:, D.S_DECLINED].tolist() == expected.tolist()
    assert not plain.seats[:, D.S_DECLINED].any()
    others = np.arange(D.SEAT_WIDTH) != D.S_DECLINED
    assert (plain.seats[:, others] == facts.seats[:, others]).all()
    assert (plain.findings == facts.findings).all()


def test_the_signature_of_seats() -> None:
    """Best bomb, and the number of bombs of each xiang."""
    seen = _course().seen()
    assert seen.of_seats(D.S_BEST) == [6, 6]
    for xiang in range(32):
        expected = {4: [0, 1], 5: [1, 1], 6: [1, 1]}.get(xiang, [0, 0])
        assert seen.of_seats(D.S_BOMBS + xiang) == expected


def test_bombs() -> None:
    """Seat, action, kind, xiang, cards, groups, top, jokers, and whether it was beaten."""
    table = _course()
    bombs = table.seen().verdict.facts.bombs.tolist()
    first = table.opening
    assert bombs == [
        [0, 0, first, BOMB, 5, 5, 0, 1, 0, 1],
        [0, 1, first + 1, BOMB, 5, 5, 0, 2, 0, 0],
        [0, 1, first + 3, THREE_JOKERS, 6, 3, 0, -1, 3, 1],
        [0, 0, first + 4, BOMB, 6, 6, 0, 3, 0, 0],
        [0, 1, first + 8, BOMB, 4, 4, 0, 6, 0, 0],
    ]


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("444sb", [BOMB, 5, 5, 0, 1, 2]),
        ("44445555666b", [CHAIN, 7, 12, 3, 3, 1]),
        ("ssbb", [FOUR_JOKERS, 7, 4, 0, -1, 4]),
    ],
)
def test_jokers_in_a_bomb(cards: str, row: list[int]) -> None:
    """Kind, xiang, cards, groups, top, and the jokers among the cards."""
    seen = play(POINTS, [cards + "7", "8"], f"0 {cards}", "1 -", "0 7")
    columns = [D.B_KIND, D.B_XIANG, D.B_CARDS, D.B_GROUPS, D.B_TOP, D.B_JOKERS]
    assert seen.verdict.facts.bombs[0, columns].tolist() == row


def test_bombs_of_all_games_follow_one_another() -> None:
    """Each names its game by its row in the batch, in order."""
    batch = batch_of(fixture_games(), BOOK)
    facts = shuangkou.replay(batch, BOOK)
    game = facts.bombs[:, D.B_GAME]
    assert (np.diff(game) >= 0).all()
    counts = np.bincount(game, minlength=len(batch))
    seats = facts.seats[:, D.S_BOMBS :].sum(axis=1)
    assert counts.tolist() == np.add.reduceat(seats, batch.seats_at[:-1]).tolist()


def test_plays() -> None:
    """Every action: who, what, with which mark, the meld, and whose turn it is then."""
    table = Table(POINTS, ["5678b 9", "56789 J"])
    table.play("0 5678b=4", "1 !drop", "1 56789*", "0 -", "1 J")
    facts = shuangkou.replay(batch_of([table.log()], table.book), table.book, with_plays=True)
    rows = facts.plays[table.opening :]
    at = range(table.opening, table.opening + 5)
    assert rows[:, D.P_ACTION].tolist() == list(at)
    assert rows[:, D.P_SEAT].tolist() == [0, 1, 1, 0, 1]
    assert rows[:, D.P_WHAT].tolist() == [N.PLAY, N.DROP, N.PLAY, N.PASS, N.PLAY]
    assert rows[:, D.P_STARRED].tolist() == [0, 0, 1, 0, 0]
    assert rows[:, D.P_DECLARED].tolist() == [1, 0, 0, 0, 0]
    assert rows[:, D.P_KIND].tolist() == [STRAIGHT, 0, STRAIGHT, 0, 1]
    assert rows[:, D.P_SIZE].tolist() == [5, 0, 5, 0, 1]
    assert rows[:, D.P_TOP].tolist() == [5, 0, 6, 0, 8]
    assert rows[:, D.P_TURN].tolist() == [1, 1, 0, 1, -1]
    assert rows[:, D.P_TABLE].tolist() == [1, 1, 1, 0, 1]


def test_an_event_after_a_marked_play_has_no_mark() -> None:
    """The mark is that of plays and passes only, the declaration that of plays."""
    table = Table(POINTS, ["5b 9", "6 J"]).play("0 5b=5*", "1 !drop", "1 -*", "0 !return")
    facts = shuangkou.replay(batch_of([table.log()], table.book), table.book, with_plays=True)
    rows = facts.plays[table.opening :]
    assert rows[:, D.P_STARRED].tolist() == [1, 0, 1, 0]
    assert rows[:, D.P_DECLARED].tolist() == [1, 0, 0, 0]


def test_an_action_that_is_an_error_is_not_written() -> None:
    """Only what was carried out is."""
    table = Table(POINTS, ["5 9", "6 J"]).play("0 5", "0 9", "1 6")
    facts = shuangkou.replay(batch_of([table.log()], table.book), table.book, with_plays=True)
    assert len(facts.plays) == table.opening + 1
    assert facts.games[0, D.G_ACTIONS] == table.opening + 2


# The items of a settlement.


def items(seen: Seen) -> list[list[int]]:
    settled = seen.verdict.settled
    rows: list[list[int]] = [*settled.items.tolist(), *settled.system.tolist()]
    return rows


def test_items_of_two() -> None:
    """Base undoubled, doubling the rest of it, contribution, fee; the system has the fee."""
    seen = duel(rules(POINTS, base=10, fee=3), winner="999999", loser="TTTTTTT", left=7)
    # base, doubling, contribution, escape, fee, cap, mint
    assert items(seen) == [
        [20, 60, -20, 0, -3, 0, 0],
        [-20, -60, 20, 0, -3, 0, 0],
        [0, 0, 0, 0, 6, 0, 0],
    ]


def test_items_of_four() -> None:
    """What the table mints stands on the system's account."""
    hands, actions = ["3", "4", "5 9", "6"], ["0 3", "1 4", "2 -", "3 6"]
    seen = play(rules(BAIBIAN, base=10), hands, *actions)
    assert items(seen) == [
        [10, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [10, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, -20],
    ]


def test_items_under_the_cap() -> None:
    """The cap takes off what a seat cannot pay, and what the others do not get then."""
    house = rules(POINTS, base=10, cap_at_balance=True)
    seen = duel(house, winner="99999", balances=[0, 15])
    assert items(seen) == [
        [10, 10, 0, 0, 0, -5, 0],
        [-10, -10, 0, 0, 0, 5, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_items_of_an_escape() -> None:
    """The penalty and its shares; what the cap takes off; the fee of the fleer."""
    seen = flight(rules(WEALTH, base=10, cap_at_balance=True), balances=[50, 0])
    assert items(seen) == [
        [0, 0, 0, -120, 0, 70, 0],
        [0, 0, 0, 84, 0, -49, 0],
        [0, 0, 0, 36, 0, -21, 0],
    ]
    seen = flight(rules(JIULE, fee=7), base=1)
    assert items(seen) == [
        [0, 0, 0, -128, -7, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 128, 7, 0, 0],
    ]
