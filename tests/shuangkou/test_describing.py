"""Every finding of the game: its place, its values, what its sentence needs."""

from __future__ import annotations

from typing import Any

import pytest

from analytics.findings import F_CODE, F_RECORDED, F_SEAT, Code, Finding
from analytics.verify import describe
from tests.rulebook.builder import (
    BAIBIAN,
    DECK,
    POINTS,
    WEALTH,
    Seen,
    Table,
    book_of,
    duel,
    flight,
    play,
    rules,
    verify,
)


def told(seen: Seen, code: Code) -> list[Finding]:
    """The findings of a code."""
    rows = range(len(seen.verdict.findings))
    return [
        describe(seen.verdict, row, seen.book)
        for row in rows
        if seen.verdict.findings[row, F_CODE] == code
    ]


def values(seen: Seen, code: str) -> list[tuple[Any, ...]]:
    """Seat, recorded, recomputed and params."""
    found = told(seen, Code.of(code))
    return [(f.seat, f.recorded, f.recomputed, dict(f.params)) for f in found]


def as_json(
    kind: str, size: int, top: str | None, xiang: int = 0, groups: int | None = None
) -> dict[str, Any]:
    """A meld as findings carry it."""
    return {"kind": kind, "size": size, "top": top, "groups": groups, "xiang": xiang}


def dealt(house: str = POINTS, **fields: Any) -> Seen:
    seats = 4 if house == BAIBIAN else 2
    table = Table(house, ["3"] * seats, whole=True)
    hands = ["".join(DECK[27 * seat : 27 * seat + 27]) for seat in range(seats)]
    return verify(table.log(**{"hands": hands, "actions": [], **fields}), book_of(house))


FULL, OTHER = "".join(DECK[:27]), "".join(DECK[27:54])
THRICE = "".join(DECK[54:80]) + "4S"  # 4S is there twice by now, and 3S
SWAPPED = ["".join(DECK[27 * at : 27 * at + 27]) for at in (0, 2, 1, 3)]


@pytest.mark.parametrize(
    ("seen", "code", "expected"),
    [
        (
            dealt(hands=[FULL, "xx" + OTHER]),
            "deal.face",
            (1, "xx" + OTHER, None, {"where": "hand"}),
        ),
        (dealt(shown="10"), "deal.face", (None, "10", None, {"where": "shown"})),
        (
            dealt(seats=[{"player": "u", "balance": 0}] * 3),
            "deal.size",
            (None, 3, 2, {"what": "seats"}),
        ),
        (dealt(hands=[FULL]), "deal.size", (None, 1, 2, {"what": "hands"})),
        (dealt(hands=[FULL, OTHER + "3S"]), "deal.size", (1, 28, 27, {"what": "cards"})),
        (dealt(hands=[FULL, THRICE]), "deal.copies", (None, 3, 2, {"face": "4S"})),
        (dealt(hands=[FULL, FULL], shown="2D"), "deal.shown", (None, "2D", None, {})),
        (
            dealt(BAIBIAN, hands=SWAPPED, shown="3S"),
            "deal.partner",
            (None, "3S", None, {"face": "3S", "holders": [0, 1]}),
        ),
        (dealt(shown="2D", first=0), "play.lead", (0, 0, 1, {"face": "2D"})),
        (play(POINTS, ["3 4", "5"], "0 X"), "play.syntax", (0, "0 X", None, {})),
        (play(POINTS, ["3", "5"], "0 3", "1 -"), "play.after_end", (1, "1 -", None, {})),
        (play(POINTS, ["3", "5"], "1 5"), "play.turn", (1, 1, 0, {})),
        (play(POINTS, ["3", "5"], "0 -"), "play.pass", (0, "0 -", None, {})),
        (play(POINTS, ["3S", "5"], "0 3S2D"), "play.held", (0, "0 3S2D", None, {"face": "2D"})),
        (play(POINTS, ["3S4S", "5"], "0 34"), "play.meld", (0, "0 3S4S", None, {"rules": POINTS})),
        (play(POINTS, ["3S bb", "5"], "0 BJ=4"), "play.declared", (0, "0 BJ=4", None, {})),
        (
            play(POINTS, ["55 3", "4S4H"], "0 55", "1 44"),
            "play.beat",
            (1, "1 4S4H", None, {"table": as_json("pair", 2, "5")}),
        ),
        (
            play(POINTS, ["55 3", "444"], "0 55", "1 -"),
            "play.unfinished",
            (None, None, None, {"cards_left": [1, 3]}),
        ),
        (play(POINTS, ["5 3", "6"], "0 5", "1 -*"), "auto.pass", (1, "1 -*", None, {})),
        (
            play(POINTS, ["5 3", "6 9S"], "0 5", "1 9*"),
            "auto.play",
            (1, "1 9S*", "single", {"smallest": as_json("single", 1, "6")}),
        ),
        (
            play(POINTS, ["5 3S", "6 9S"], "0 !drop", "0 3"),
            "auto.timeout",
            (0, "0 3S", None, {"reason": "trustee"}),
        ),
        (
            play(POINTS, ["5 3S", "6 9S"], "0 !timeout", "0 3"),
            "auto.timeout",
            (0, "0 3S", None, {"reason": "timeout"}),
        ),
        (duel(POINTS, result={"end": "escape"}), "settle.end", (None, "escape", "out", {})),
        (flight(POINTS, result={"end": "out"}), "settle.end", (None, "out", "escape", {})),
        (duel(POINTS, result={"winner": 1}), "settle.winner", (None, 1, 0, {})),
        (duel(POINTS, result={"kou": "shuang"}), "settle.kou", (None, "shuang", "ping", {})),
        (duel(POINTS, left=9, result={"kou": "ping"}), "settle.kou", (None, "ping", "dan", {})),
        (duel(POINTS, result={"xiang": [0, 5]}), "settle.xiang", (1, 5, 0, {})),
        (duel(POINTS, result={"doubling": 3}), "settle.doubling", (None, 3, 1, {})),
        (duel(POINTS, result={"contribution": [9, 0]}), "settle.contribution", (0, 9, 0, {})),
        (duel(POINTS, base=61), "settle.base", (None, 61, 60, {})),
        (duel(POINTS, result={"delta": [60, -61]}), "settle.delta", (1, -61, -60, {})),
        (duel(POINTS, result={"fee": [1, 0]}), "settle.fee", (0, 1, 0, {})),
        (duel(POINTS, result={"balance": [1060, 0]}), "settle.balance", (1, 0, 940, {})),
        (duel(WEALTH, balances=[100, -7]), "base.level", (1, -7, None, {"lowest": 100})),
        (
            duel(rules(POINTS, fee=1), result={"delta": [60, -60]}),
            "ledger.sum",
            (None, 0, -2, {}),
        ),
    ],
)
def test_what_a_finding_says(seen: Seen, code: str, expected: tuple[Any, ...]) -> None:
    """Seat, recorded, recomputed and params, for every code of the game."""
    assert values(seen, code) == [expected]


@pytest.mark.parametrize(
    ("hands", "actions", "code"),
    [
        (["3 4", "5"], ["0 X"], Code.PLAY_SYNTAX),
        (["3", "5"], ["0 3", "1 -"], Code.PLAY_AFTER_END),
        (["3", "5"], ["0 -"], Code.PLAY_PASS),
        (["3 4", "5"], ["0 34"], Code.PLAY_MELD),
        (["3 bb", "5"], ["0 BJ=4"], Code.PLAY_DECLARED),
        (["5 3", "6"], ["0 5", "1 -*"], Code.AUTO_PASS),
    ],
)
def test_columns_that_a_code_does_not_need_are_zero(
    hands: list[str], actions: list[str], code: Code
) -> None:
    """Recorded is the seat, which is in the action as well; there is nothing else to say."""
    seen = play(POINTS, hands, *actions)
    [row] = [row for row in seen.verdict.findings.tolist() if row[F_CODE] == code]
    assert row[F_RECORDED:] == [row[F_SEAT], 0, 0]


def test_an_unfinished_game_needs_no_columns() -> None:
    """What its sentence says comes from the facts."""
    [row] = play(POINTS, ["3 4", "5"], "0 3").verdict.findings.tolist()
    assert row == [0, Code.PLAY_UNFINISHED, -1, -1, 0, 0, 0]


def test_settle_places_says_both() -> None:
    """A seat's recorded place and the right one."""
    hands, actions = ["3", "4 4", "5", "6 6"], ["0 3", "1 -", "2 5"]
    seen = play(BAIBIAN, hands, *actions, result={"places": [1, 3, 2, 4]})
    assert values(seen, "settle.places") == [(1, 3, 4, {}), (3, 4, 3, {})]


@pytest.mark.parametrize(
    ("over", "meld"),
    [
        ("9", ("single", 1, "9")),
        ("b", ("single", 1, "BJ")),
        ("ss", ("pair", 2, "SJ")),
        ("222", ("triple", 3, "2")),
        ("56789", ("straight", 5, "9")),
        ("99TTJJ", ("pair_run", 6, "J")),
        ("QQQKKKAAA", ("triple_run", 9, "A")),
        ("9999", ("bomb", 4, "9", 4)),
        ("99999999ssbb", ("bomb", 12, "9", 12)),
        ("99999 TTTT JJJJ", ("chain", 13, "J", 7, 3)),
        ("ssb", ("three_jokers", 3, None, 6)),
        ("ssbb", ("four_jokers", 4, None, 7)),
    ],
)
def test_melds_as_data(over: str, meld: tuple[Any, ...]) -> None:
    """What lies on the table, given where a play does not beat it; words come later."""
    seen = play(POINTS, [over + "3", "4"], f"0 {over}", "1 4")
    finding = told(seen, Code.PLAY_BEAT)
    assert [dict(f.params) for f in finding] == [{"table": as_json(*meld)}]


def test_the_smallest_play_is_data() -> None:
    """What the trustee should have played: a bomb where only a bomb beats."""
    seen = play(POINTS, ["2 3", "4444 5555"], "0 2", "1 5555*")
    assert values(seen, "auto.play")[0][2:] == ("bomb", {"smallest": as_json("bomb", 4, "4", 4)})
    seen = play(POINTS, ["5 3", "6"], "0 5*")
    assert values(seen, "auto.play")[0][2:] == ("single", {"smallest": as_json("single", 1, "3")})


def test_a_finding_knows_its_ruleset() -> None:
    """Whoever puts it into words can look up what its house calls what."""
    finding = told(play(POINTS, ["3", "5"], "0 -"), Code.PLAY_PASS)
    assert [f.ruleset for f in finding] == [f"{POINTS}@1"]
