"""Causes of findings: for every code several ways in which a good game comes to have it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import zstandard

from tests.simulate.small_games import CHAIN, Fields, acted, fled, four, paid, two, without


class Cause(NamedTuple):
    """One way to cause a finding.

    Attributes:
        code: of the finding.
        name: of the cause.
        content: of a log that has it.
        action, seat: where the finding is.
        also: other codes that come along.
    """

    code: str
    name: str
    content: bytes
    action: int | None = None
    seat: int | None = None
    also: tuple[str, ...] = ()


def line(game: Fields) -> bytes:
    """A game as one line."""
    return json.dumps(game, ensure_ascii=False).encode() + b"\n"


def _lines(*games: Fields) -> bytes:
    return b"".join(map(line, games))


def _of(code: str, *causes: tuple[Any, ...]) -> Iterator[Cause]:
    """Causes of one code: name, game or content, action, seat, other codes."""
    for name, log, *rest in causes:
        yield Cause(code, name, log if isinstance(log, bytes) else line(log), *rest)


def _balances(*amounts: Any) -> list[Fields]:
    return [{"player": f"p{at}", "balance": amount} for at, amount in enumerate(amounts)]


def _with_hand(game: Fields, seat: int, hand: str) -> Fields:
    hands = list(game["hands"])
    hands[seat] = hand
    return {**game, "hands": hands}


def _dealt_anew(*order: int, first: int) -> Fields:
    """The game of four with its hands in another order."""
    game = four()
    return {**game, "hands": [game["hands"][at] for at in order], "first": first}


def _line_causes() -> Iterator[Cause]:
    text = line(two())
    yield from _of(
        "format.json",
        ("cut line", text[:300] + b"\n" + line(four())),
        ("list", b"[1, 2]\n"),
        ("key twice", b'{"v": 1, ' + text[1:]),
        ("NaN", text.replace(b'"first": 0', b'"first": NaN')),
        ("two games on a line", text.strip() + text),
    )
    yield from _of(
        "format.field",
        ("no first", without(two(), "first")),
        ("first is no seat", two(first=2)),
        ("amount as text", two(seats=_balances("125000", 99_000))),
        ("amount with a fraction", two(seats=_balances(125_000.5, 99_000))),
        ("times fall", two(times=[9, *range(18)])),
        ("times are too few", two(times=[1, 2, 3])),
        ("no base where it is given", without(two(rules="jiule"), "base")),
        ("delta of one seat", paid(two(), delta=[1600])),
        ("unknown kou", paid(two(), kou="triple")),
        ("another game", two(game="mahjong")),
        ("balance beyond the limit", two(seats=_balances(10**15 + 1, 99_000))),
    )
    yield from _of(
        "format.version",
        ("next version", two(v=2)),
        ("text", two(v="1")),
        ("none", without(two(), "v")),
        ("true", two(v=True)),
    )
    yield from _of(
        "format.time",
        ("no offset", two(start="2026-11-28T20:15:00")),
        ("number", two(start=1_795_868_100)),
        ("no such day", two(start="2026-11-31T20:15:00+08:00")),
        ("end without offset", two(end="2026-11-28T20:35:00")),
    )
    yield from _of(
        "format.encoding",
        ("gbk", text.decode().encode("gbk")),
        ("gb18030", two_with_rare_sign().encode("gb18030")),
        ("latin-1", line(two(room="café")).decode().replace("甲", "a").replace("乙", "b")
         .encode("latin-1")),
    )  # fmt: skip
    yield from _of(
        "format.duplicate",
        ("other delta", _lines(two(), paid(two(), delta=[1601, -1601]))),
        ("other player", _lines(two(), two(seats=_balances(125_000, 99_000)))),
        ("another game", _lines(two(), four(id="two"))),
    )
    yield from _of(
        "format.rules",
        ("unknown name", two(rules="huopin")),
        ("unknown version", two(rules="huopin-wealth@9")),
        ("capital letter", two(rules="Huopin-wealth")),
        ("empty name", two(rules="")),
    )
    yield from _of(
        "format.torn",
        ("plain", text + text[:200]),
        ("gzip", gzip.compress(text * 9)[:-20]),
        ("zstd", zstandard.compress(text * 9)[:-20]),
    )
    yield from _of(
        "format.unknown",
        ("of the game", two(vip=3)),
        ("of a seat", two(seats=[{**seat, "nick": "x"} for seat in two()["seats"]])),
        ("of the result", paid(two(), jackpot=0)),
    )


def two_with_rare_sign() -> str:
    """The game of two with a player whose name is in GB18030 but not in GBK."""
    return line(two(room="\U00020000")).decode()


def _deal_causes() -> Iterator[Cause]:
    first, second = two()["hands"]
    yield from _of(
        "deal.face",
        ("lower case", _with_hand(two(), 0, first.lower()), None, 0),
        ("ten in digits", _with_hand(two(), 1, second.replace("T", "10")), None, 1),
        ("odd length", _with_hand(two(), 1, second[:-1]), None, 1),
        ("suit as a sign", _with_hand(two(), 0, first.replace("S", "♠")), None, 0),
        ("shown card", two(shown="2X")),
    )
    yield from _of(
        "deal.size",
        ("26 cards", _with_hand(two(), 1, second[2:]), None, 1),
        ("28 cards", _with_hand(two(), 0, first + "KS"), None, 0),
        ("three hands", two(hands=[first, second, second])),
        ("one hand", two(hands=[first])),
        ("three seats", without(two(seats=_balances(9_999, 9_999, 9_999)), "result")),
        ("ruleset of four", without(two(rules="baibian"), "result")),
    )
    yield from _of(
        "deal.copies",
        ("in one hand", _with_hand(two(), 1, "KD" + second[2:])),
        ("in two hands", _with_hand(two(), 1, second.replace("6S6H", "2S2S"))),
        ("joker", _with_hand(four(), 1, "BJ" + four()["hands"][1][2:])),
    )
    yield from _of(
        "deal.shown",
        ("jack out of play", two(shown="JC")),
        ("two out of play", two(shown="2C")),
        ("joker out of play", _with_hand(two(shown="SJ"), 1, second.replace("SJ", "9D"))),
    )
    yield from _of(
        "deal.partner",
        ("seats 0 and 1", _dealt_anew(0, 2, 1, 3, first=0)),
        ("seats 1 and 2", _dealt_anew(1, 0, 2, 3, first=1)),
        ("seats 0 and 3", _dealt_anew(0, 1, 3, 2, first=0)),
    )
    yield from _of(
        "play.lead",
        ("the other of two", two(first=1), None, 1),
        ("the next of four", four(first=1), None, 1),
        ("the last of four", four(first=3), None, 3),
        ("another card", two(shown="QH"), None, 0),
    )


_NO_SEAT = ("", "0", "00 KS", "7 KS", "x KS")
_NO_ACTION = (
    "0  KS", "0 ks", "0 KS2", "0 10S", "0 KS =K", "0 KSBJ=", "0 KSBJ=1", "0 KSBJ*=K", "0 !sleep",
    "0 !timeout*", "0 --",
)  # fmt: skip


def _play_causes() -> Iterator[Cause]:
    game = two()
    end = len(game["actions"])
    led = acted(game, 0, "0 7S8S9STSJS")
    yield from _of(
        "play.syntax",
        *((text or "nothing", acted(game, 2, text), 2) for text in _NO_SEAT),
        *((text, acted(game, 2, text), 2, 0) for text in _NO_ACTION),
        ("after the end", acted(game, end, "0 !sleep"), end, 0),
        ("seat 4 of four", acted(four(), 1, "4 -"), 1),
    )
    yield from _of(
        "play.after_end",
        ("pass", acted(game, end, "1 -"), end, 1),
        ("pass of the system", acted(game, end, "1 -*"), end, 1),
        ("play", acted(game, end, "1 TC"), end, 1),
        ("escape", acted(game, end, "1 !escape"), end, 1),
        ("after an event", acted(game, end, "1 !drop", "0 -"), end + 1, 0),
        ("after an escape", acted(fled(), 3, "0 KS"), 3, 0),
    )
    yield from _of(
        "play.turn",
        ("other seat first", acted(game, 0, "1 3D", instead=0), 0, 1),
        ("pass left out", acted(game, 3), 3, 0),
        ("same seat twice", acted(game, 1, "0 JS", instead=0), 1, 0),
        ("seat passed over", acted(four(), 1), 1, 2),
        ("lead after the partner is out", acted(four(), 8, "3 KS"), 8, 3),
    )
    yield from _of(
        "play.pass",
        ("first of all", acted(game, 0, "0 -"), 0, 0),
        ("after winning the round", acted(game, 4, "0 -"), 4, 0),
        ("by the system", acted(game, 0, "0 -*"), 0, 0),
        ("in the partner's stead", acted(four(), 8, "2 -"), 8, 2),
    )
    yield from _of(
        "play.held",
        ("never dealt", acted(game, 0, "0 TC"), 0, 0),
        ("played before", acted(game, 6, "0 TS"), 6, 0),
        ("twice in one play", acted(game, 0, "0 TSTS"), 0, 0),
        ("another suit", acted(game, 2, "0 KH"), 2, 0),
        ("more cards than a hand", acted(game, 0, f"0 {'3S3H3D3C' * 7}"), 0, 0),
    )
    yield from _of(
        "play.meld",
        ("two ranks", acted(game, 0, "0 3S4S"), 0, 0),
        ("chain of two ranks", acted(game, 0, f"0 {CHAIN[:16]}"), 0, 0),
        ("three with two", acted(game, 0, "0 7S7H7D3S3H"), 0, 0),
        ("straight with a 2", acted(game, 0, "0 JSQSKSAS2S"), 0, 0),
        ("straight of four", acted(game, 0, "0 TSJSQSKS"), 0, 0),
        ("small joker that is not wild", acted(four(), 3, "3 KSKHSJ"), 3, 3),
    )
    yield from _of(
        "play.declared",
        ("too many ranks", acted(game, 15, "1 TDTHBJ=TT"), 15, 1),
        ("another rank", acted(game, 15, "1 TDTHBJ=Q"), 15, 1),
        ("no joker", acted(game, 15, "1 TDTH=T"), 15, 1),
        ("jokers only", acted(game, 15, "1 BJ=3"), 15, 1),
        ("a 2 in a straight", acted(game, 15, "1 JHQDKDACBJ=2"), 15, 1),
    )
    yield from _of(
        "play.beat",
        ("lower", acted(game, 1, "1 3H"), 1, 1),
        ("equal", acted(game, 1, "1 TH"), 1, 1),
        ("another kind", acted(game, 1, "1 KDKD"), 1, 1),
        ("lower bomb", acted(game, 9, "1 KDKCKHKD"), 9, 1),
        ("equal chain", acted(four(), 2, f"2 {CHAIN}"), 2, 2),
        ("declared too low", acted(led, 1, "1 8C9CTDJHBJ=7"), 1, 1),
    )
    yield from _of(
        "play.unfinished",
        ("last action missing", acted(game, end - 1)),
        ("no action", two(actions=[], times=[])),
        ("an event is last", acted(game, end - 1, "1 !drop")),
        ("one of a team is out", acted(four(), 5, instead=99)),
    )


def _system_causes() -> Iterator[Cause]:
    game = two()
    thrice = ["1 !timeout"] * 3
    yield from _of(
        "auto.pass",
        ("a higher single", acted(game, 3, "1 -*"), 3, 1),
        ("a bomb", acted(game, 5, "1 -*"), 5, 1),
        ("a bomb of four", acted(four(), 1, "1 -*"), 1, 1),
    )
    yield from _of(
        "auto.play",
        ("leads a high single", acted(game, 0, "0 TS*"), 0, 0),
        ("follows too high", acted(game, 1, "1 QH*"), 1, 1),
        ("leads a bomb", acted(four(), 0, f"0 {CHAIN}*"), 0, 0),
        ("declared", acted(game, 15, "1 TDTHBJ=T*"), 15, 1),
    )
    yield from _of(
        "auto.timeout",
        ("timeout", acted(game, 0, "0 !timeout", instead=0), 1, 0),
        ("hand-over", acted(game, 1, "1 !trustee", "1 QH", "1 !return"), 2, 1),
        ("disconnect", acted(game, 1, "1 !drop", "1 QH", "1 !return"), 2, 1),
        ("third timeout", acted(game, 1, *thrice, "1 QH", "1 !return"), 4, 1),
        ("late pass", acted(game, 3, "1 !timeout", instead=0), 4, 1),
        ("escape that goes on", acted(four(), 0, "0 !escape", f"0 {CHAIN}", "0 !return"), 1, 0),
    )


def _settlement_causes() -> Iterator[Cause]:
    escape = {**fled()["result"], "end": "out"}
    yield from _of(
        "settle.end",
        ("escape for out", paid(two(), end="escape")),
        ("out for escape", fled() | {"result": escape}),
        ("escape for out, four", paid(four(), end="escape")),
    )
    yield from _of(
        "settle.winner",
        ("the loser", paid(two(), winner=1)),
        ("counted from 1", paid(four(), winner=1)),
        ("the partner", paid(four(), winner=2)),
        ("the fleer", paid(fled(), winner=1)),
    )
    yield from _of(
        "settle.places",
        ("last two", paid(four(), places=[1, 3, 2, 4]), None, 1),
        ("first two", paid(four(), places=[2, 4, 1, 3]), None, 2),
        ("counted from 0", paid(four(), places=[0, 3, 1, 2]), None, 3),
    )
    yield from _of(
        "settle.kou",
        ("ping", paid(two(), kou="ping")),
        ("dan", paid(two(), kou="dan")),
        ("dan of four", paid(four(), kou="dan")),
    )
    yield from _of(
        "settle.xiang",
        ("too low", paid(two(), xiang=[6, 0]), None, 0),
        ("of the other", paid(two(), xiang=[7, 4]), None, 1),
        ("of the partner", paid(four(), xiang=[7, 0, 0, 0]), None, 2),
        ("after an escape", paid(fled(), xiang=[0, 5]), None, 1),
    )
    yield from _of(
        "settle.doubling",
        ("half", paid(two(), doubling=2)),
        ("none", paid(two(), doubling=1)),
        ("twice, four", paid(four(), doubling=16)),
    )
    yield from _of(
        "settle.contribution",
        ("gross", paid(two(), contribution=[4, 0]), None, 1),
        ("none", paid(two(), contribution=[0, 0]), None, 0),
        ("in coins", paid(two(), contribution=[400, -400]), None, 1),
        ("one bomb of two", paid(four(), contribution=[12, -4, -4, -4]), None, 2),
    )
    yield from _of(
        "settle.base",
        ("higher level", two(base=500)),
        ("lower level", two(base=10)),
        ("of a fixed base", four(base=2)),
    )
    yield from _of(
        "settle.delta",
        ("one unit moved", paid(two(), delta=[1601, -1601]), None, 0),
        ("swapped", paid(two(), delta=[-1600, 1600]), None, 1),
        ("nothing", paid(four(), delta=[0, 0, 0, 0]), None, 3),
        ("after an escape", paid(fled(), delta=[839, -1199]), None, 1),
    )
    yield from _of(
        "settle.fee",
        ("of both", paid(two(), fee=[10, 10]), None, 1),
        ("of one", paid(two(), fee=[0, 5]), None, 1),
        ("of four", paid(four(), fee=[1, 1, 1, 1]), None, 2),
    )
    yield from _of(
        "settle.balance",
        ("not updated", paid(two(), balance=[125_000, 99_000]), None, 0),
        ("one unit", paid(two(), balance=[126_600, 97_401]), None, 1),
        ("never below zero", paid(four(), balance=[140, 60, 140, 0]), None, 3),
    )
    yield from _of(
        "base.level",
        ("one too little", two(seats=_balances(125_000, 99)), None, 1),
        ("nothing", two(seats=_balances(0, 99_000)), None, 0),
        ("debt", two(seats=_balances(125_000, -1)), None, 1),
    )


def _ledger_causes() -> Iterator[Cause]:
    later = {"id": "later", "start": "2026-11-28T21:00:00+08:00"}
    seats = [{"player": "甲", "balance": 126_500}, {"player": "丙", "balance": 99_000}]
    again = without(two(**later, seats=seats), "result")
    booked = without(two()["result"], "balance")
    points = two(id="points", rules="huopin-points", base=10, seats=_balances(100, 100))
    points["result"] = {"balance": [380, -180]}
    richer = without(four(**later, seats=_balances(381, -180, 100, 100)), "result")
    yield from _of(
        "ledger.continuity",
        ("balance before", _lines(two(), again), None, 0),
        ("delta before", _lines({**two(), "result": booked}, again), None, 0),
        ("another ruleset of the unit", _lines(points, richer), None, 0),
    )
    yield from _of(
        "ledger.sum",
        ("for one seat", paid(two(), delta=[1610, -1600]), None, None, ("settle.delta",)),
        ("fee in the deltas", paid(two(), delta=[1590, -1610]), None, None, ("settle.delta",)),
        (
            "a loser does not pay",
            paid(four(), delta=[40, -40, 40, 0]),
            None,
            None,
            ("settle.delta",),
        ),
        ("the system's share", paid(fled(), delta=[1200, -1200]), None, None, ("settle.delta",)),
    )


CAUSES = tuple(
    cause
    for causes in (
        _line_causes(),
        _deal_causes(),
        _play_causes(),
        _system_causes(),
        _settlement_causes(),
        _ledger_causes(),
    )
    for cause in causes
)
