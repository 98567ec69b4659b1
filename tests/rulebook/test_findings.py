"""The log format: actions, the findings table, and the order of judging."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analytics.collect import Collector
from analytics.findings import F_ACTION, F_SEAT, Code, Finding, severity_of
from analytics.jobs import verify_logs
from analytics.logs import Source, find_sources, read
from analytics.rules import load_rulesets
from analytics.verify import describe
from tests.rulebook.builder import (
    BAIBIAN,
    DECK,
    JIULE,
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

# Severity.

ERRORS = [
    "format.json", "format.field", "format.version", "format.time", "format.encoding",
    "format.duplicate", "format.rules",
    "deal.face", "deal.size", "deal.copies", "deal.shown", "deal.partner",
    "play.lead", "play.turn", "play.held", "play.meld", "play.declared", "play.beat",
    "play.pass", "play.after_end", "play.unfinished", "play.syntax",
    "settle.end", "settle.winner", "settle.places", "settle.kou", "settle.xiang",
    "settle.doubling", "settle.contribution", "settle.base", "settle.delta", "settle.fee",
    "settle.balance", "base.level", "ledger.sum",
]  # fmt: skip
WARNINGS = ["format.torn", "ledger.continuity"]
INFOS = ["format.unknown", "auto.pass", "auto.play", "auto.timeout"]


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        *((code, "error") for code in ERRORS),
        *((code, "warning") for code in WARNINGS),
        *((code, "info") for code in INFOS),
    ],
)
def test_severity(code: str, severity: str) -> None:
    """Errors make a verification fail; warnings and infos do not."""
    assert severity_of(Code.of(code)) == severity


def test_these_are_all_codes() -> None:
    """The table lists every code that there is."""
    assert sorted(code.text for code in Code) == sorted([*ERRORS, *WARNINGS, *INFOS])


# The line.


def _line(**fields: Any) -> str:
    return json.dumps(Table(POINTS, ["3", "4"]).play("0 3").log(**fields))


def _read(tmp_path: Path, data: bytes) -> list[Finding]:
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    found = read(Source(str(path), 0), load_rulesets())
    return [finding for finding in found if isinstance(finding, Finding)]


BAD_LINES = [
    ("format.json", "{"),
    ("format.field", _line(seats=[{"player": "u"}])),
    ("format.field", _line(first=2)),
    ("format.field", _line(result={"delta": [1]})),
    ("format.version", _line(v=2)),
    ("format.time", _line(start="2026-11-28T20:15:00")),
    ("format.rules", _line(rules="nobody's")),
    ("format.rules", _line(rules="huopin-points@7")),
]


@pytest.mark.parametrize(("code", "line"), BAD_LINES)
def test_a_line_that_cannot_be_read(code: str, line: str, tmp_path: Path) -> None:
    """One finding with file and line; the neighbours are read all the same."""
    data = "\n".join([_line(), line, _line(), ""]).encode()
    [finding] = _read(tmp_path, data)
    assert (finding.code.text, finding.line) == (code, 2)
    assert (finding.action, finding.seat) == (None, None)


def test_format_encoding(tmp_path: Path) -> None:
    """A line that is not UTF-8."""
    data = _line().encode() + b"\n" + _line(room="x").replace('"x"', '"房"').encode("gbk") + b"\n"
    assert [(f.code.text, f.line) for f in _read(tmp_path, data)] == [("format.encoding", 2)]


def test_format_torn(tmp_path: Path) -> None:
    """The last line of a plain file may be torn: a warning."""
    [finding] = _read(tmp_path, (_line() + "\n" + _line()[:90]).encode())
    assert (finding.code.text, finding.severity) == ("format.torn", "warning")


def test_format_unknown(tmp_path: Path) -> None:
    """Fields that this version does not know, once a file: an info."""
    data = "\n".join([_line(vip=1), _line(vip=2, club="x"), ""]).encode()
    [finding] = _read(tmp_path, data)
    assert (finding.code.text, finding.severity) == ("format.unknown", "info")
    assert finding.params["names"] == {"club": 1, "vip": 2}


# What one game cannot tell: the same id again, and balances that do not follow.


def _reported(folder: Path, games: list[dict[str, Any]]) -> list[str]:
    """Code, line and seat of all findings on a log of these games."""
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, games)) + "\n", encoding="utf-8")
    with Collector(load_rulesets(), 1000) as collector:
        reconciler = verify_logs(find_sources([str(folder)]), collector)
        reconciler.finish()
        found = list(reconciler.findings())
    return [f"{f.code.text}@{f.line}" + ("" if f.seat is None else f"#{f.seat}") for f in found]


def _game(game: str, minute: int | None = 0, house: str = POINTS, **fields: Any) -> dict[str, Any]:
    """A game that u0 wins with his only card: 60 points where both have 1000."""
    if minute is not None:
        fields["start"] = f"2026-11-28T20:{minute:02}:00+08:00"
    return Table(house, ["3", "4"]).play("0 3").log(id=game, **fields)


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (_game("a"), []),  # the same content: only counted
        (_game("a", room="x"), ["format.duplicate@2"]),
        (_game("a", result={"winner": 1}), ["format.duplicate@2"]),  # and not verified
        (_game("b", result={"winner": 1}), ["settle.winner@2"]),
    ],
)
def test_format_duplicate(second: dict[str, Any], found: list[str], tmp_path: Path) -> None:
    """The first game with an id counts; a later one with other content is an error."""
    assert _reported(tmp_path, [_game("a"), second]) == found


BOTH = ["ledger.continuity@2#0", "ledger.continuity@2#1"]
RECORDED: dict[str, Any] = {"result": {"balance": [1060, 940]}}


@pytest.mark.parametrize(
    ("games", "found"),
    [
        ([_game("a", 0, **RECORDED), _game("b", 1, balances=[1060, 940])], []),
        ([_game("a", 0, **RECORDED), _game("b", 1)], BOTH),
        ([_game("a", 0, **RECORDED), _game("b", 1, balances=[1060, 941])], BOTH[1:]),
        # After is the recorded balance, else before plus the recorded delta, else unknown.
        ([_game("a", 0, result={"delta": [60, -60]}), _game("b", 1)], BOTH),
        ([_game("a", 0), _game("b", 1, balances=[5, 5])], []),
        # By start, not by line; at the same start by id.
        ([_game("b", 1, balances=[1060, 940]), _game("a", 0, **RECORDED)], []),
        ([_game("a", 0, balances=[1060, 940]), _game("b", 0, **RECORDED)], []),
        ([_game("b", 0, balances=[1060, 940]), _game("a", 0, **RECORDED)], []),
        # Games without a start are left out; other units are other purses.
        ([_game("a", 0, **RECORDED), _game("b", None)], []),
        ([_game("a", 0, **RECORDED), _game("b", 1, WEALTH)], []),
    ],
)
def test_ledger_continuity(games: list[dict[str, Any]], found: list[str], tmp_path: Path) -> None:
    """A player's balance before a game is the one after his previous game in that unit."""
    assert _reported(tmp_path, games) == found


def test_ledger_continuity_goes_on_from_a_game_that_broke(tmp_path: Path) -> None:
    """What the house recorded of it still counts."""
    broken = _game("a", 0, actions=[], **RECORDED)
    assert _reported(tmp_path, [broken, _game("b", 1)]) == ["play.unfinished@1", *BOTH]


# The deal, in its order.


def _dealt(house: str = POINTS, **fields: Any) -> Seen:
    seats = 4 if house == BAIBIAN else 2
    table = Table(house, ["3"] * seats, whole=True)
    hands = ["".join(DECK[27 * seat : 27 * seat + 27]) for seat in range(seats)]
    return verify(table.log(**{"hands": hands, "actions": ["0 -"], **fields}), book_of(house))


FULL = "".join(DECK[:27])
OTHER = "".join(DECK[54:81])
SHORT = "".join(DECK[:26])
THRICE = "".join(DECK[54:80]) + DECK[0]  # its first face is there twice by now


@pytest.mark.parametrize(
    ("hands", "found"),
    [
        ([FULL, "3s" + OTHER[2:]], ["deal.face#1"]),  # lower case
        ([FULL, OTHER[:-1]], ["deal.face#1"]),  # odd length
        ([FULL, "1S" + OTHER[2:]], ["deal.face#1"]),  # no such face
        ([SHORT, "??"], ["deal.face#1"]),
        (["??", "!!"], ["deal.face#0"]),
        ([FULL], ["deal.size"]),
        ([FULL, OTHER, FULL], ["deal.size"]),
        ([FULL, OTHER, "??"], ["deal.face#2"]),
        ([SHORT, OTHER], ["deal.size#0"]),
        ([FULL, OTHER + "3S"], ["deal.size#1"]),
        ([SHORT, SHORT], ["deal.size#0"]),
        ([SHORT, THRICE], ["deal.size#0"]),
        ([FULL, THRICE], ["deal.copies"]),
    ],
)
def test_deal_face_size_copies(hands: list[str], found: list[str]) -> None:
    """The first that applies ends the replay; a shown card that is dealt nowhere waits."""
    assert _dealt(hands=hands, shown="2D" if found != ["deal.copies"] else "BJ").found == found


def test_deal_size_counts_seats_and_hands() -> None:
    """The number of seats, or of hands, is not that of the ruleset."""
    seats = [{"player": f"u{seat}", "balance": 0} for seat in range(5)]
    hands = ["".join(DECK[27 * at : 27 * at + 27]) for at in range(4)]
    assert _dealt(seats=seats[:3]).found == ["deal.size"]
    assert _dealt(seats=seats[:1]).found == ["deal.size"]
    assert _dealt(BAIBIAN, seats=seats).found == ["deal.size"]
    assert _dealt(BAIBIAN, hands=hands[:3]).found == ["deal.size"]
    assert _dealt(BAIBIAN, hands=[*hands, hands[0]]).found == ["deal.size"]
    assert _dealt(BAIBIAN, hands=[]).found == ["deal.size"]


def test_blanks_between_faces_are_allowed() -> None:
    """Also before and after them, but not inside."""
    spaced = " " + " ".join(DECK[:27]) + "  "
    assert _dealt(hands=[spaced, OTHER], actions=[]).found == ["play.unfinished"]
    assert _dealt(hands=["3 S" + FULL[2:], OTHER]).found == ["deal.face#0"]


@pytest.mark.parametrize(
    ("shown", "first", "found"),
    [
        ("XX", 0, ["deal.face"]),
        ("", 0, ["deal.face"]),
        ("3S4S", 0, ["deal.face"]),
        ("9H", 1, ["play.lead#1"]),
    ],
)
def test_deal_shown_and_lead(shown: str, first: int, found: list[str]) -> None:
    """A shown card that is no face; a leader who does not hold it."""
    assert _dealt(hands=[FULL, "".join(DECK[27:54])], shown=shown, first=first).found == found


def test_a_shown_card_that_is_no_face_comes_before_a_wrong_size() -> None:
    """deal.face is judged before deal.size."""
    assert _dealt(hands=[SHORT, OTHER], shown="XX").found == ["deal.face"]


def test_deal_shown_comes_before_the_lead_and_ends_the_replay() -> None:
    """Nobody was dealt 2D here; who leads is no question then."""
    assert _dealt(hands=[FULL, OTHER], shown="2D", first=1).found == ["deal.shown"]


def test_deal_partner_comes_before_the_lead() -> None:
    """Whoever leads."""
    hands = ["".join(DECK[27 * at : 27 * at + 27]) for at in range(4)]
    hands[1], hands[2] = hands[2], hands[1]  # 3S lies in hands 0 and 1
    for first in range(4):
        assert _dealt(BAIBIAN, hands=hands, shown="3S", first=first).found == ["deal.partner"]


def test_faults_of_the_deal_have_no_action_and_no_settlement() -> None:
    """The replay has not begun."""
    seen = _dealt(hands=[FULL, OTHER], shown="2D", result={"end": "escape", "delta": [5, 5]})
    assert seen.verdict.findings[0, F_ACTION] == -1
    assert (seen.end, seen.winner) == (None, -1)


# The grammar of actions.


@pytest.mark.parametrize(
    "action",
    [
        "", "0", "0 ", " ", "-", "3S", "0-", "0  3S", " 0 3S", "0 3S ", "0\t3S", "00 3S", "01 3S",
        "2 3S", "4 3S", "9 3S", "-1 3S", "a 3S", "0 3", "0 3s", "0 3S3", "0 3SX", "0 S3", "0 10S",
        "0 3S 3H", "0 --", "0 - *", "0 *", "0 3S**", "0 *3S", "0 -=3", "0 =3", "0 3S=", "0 3SBJ=",
        "0 3SBJ=1", "0 3SBJ=x", "0 3SBJ=S", "0 3SBJ=3 ", "0 3SBJ=3=3", "0 3SBJ*=3", "0 3SBJ=3**",
        "0 3SBJ=sj", "0 !", "0 !timeout*", "0 !Timeout", "0 !timeouts", "0 !drop ", "0 !leave",
        "0 timeout", "0 !return!", "2 !drop", "0 sj", "0 bj", "0 Bj", "0 3S,3H", "0 3S-",
    ],
)  # fmt: skip
def test_play_syntax(action: str) -> None:
    """An action that cannot be read: no face, another blank, an unknown event or seat."""
    seen = Table(POINTS, ["3S 3H b", "4"]).say(action).seen()
    assert seen.found == ["play.syntax@0"]


@pytest.mark.parametrize(
    "action", ["0 3S", "0 3S*", "0 3SBJ", "0 3SBJ=3", "0 3SBJ=3*", "0 BJ", "0 BJ*", "0 3S3H"]
)
def test_actions_that_can_be_read(action: str) -> None:
    """Faces, ``=ranks`` and ``*``, in this order."""
    seen = Table(POINTS, ["3S 3H b", "4"]).say(action).seen()
    assert not [text for text in seen.at_actions if text.startswith("play")]


@pytest.mark.parametrize("seat", ["2", "3"])
def test_a_seat_exists_with_four_that_does_not_with_two(seat: str) -> None:
    """The ruleset says how many there are."""
    assert play(POINTS, ["3", "4"], f"{seat} !drop").found == ["play.syntax@0"]
    assert play(BAIBIAN, ["3", "4", "5", "6"], f"{seat} !drop").at_actions == []


# Within one action, in this order: syntax, after_end, turn, pass, held, meld, declared, beat.


@pytest.mark.parametrize(
    ("before", "action", "code"),
    [
        (["0 7"], "0 1S", "play.syntax"),  # the game is over, too
        (["0 7"], "0 !what", "play.syntax"),
        (["0 7"], "0 7S", "play.after_end"),  # nor is it that seat's turn
        (["0 7"], "1 -", "play.after_end"),
        (["0 7"], "0 !escape", "play.after_end"),
        ([], "1 -", "play.turn"),  # nobody may pass there
        ([], "1 KS", "play.turn"),  # not held, either
        ([], "0 -", "play.pass"),
        ([], "0 KSQD", "play.held"),  # no meld, either
        ([], "0 KSKS", "play.held"),
        ([], "0 7SBJ8S=2", "play.meld"),  # nor could it be declared so
        ([], "0 7SBJ=8", "play.declared"),
    ],
)
def test_the_order_within_one_action(before: list[str], action: str, code: str) -> None:
    """The first thing that is wrong is said, and nothing else."""
    hand = "7S" if before else "7S8S BJ"
    seen = play(POINTS, [hand, "4 5"], *before, action)
    assert seen.found == [f"{code}@{len(before)}"]


def test_declared_comes_before_beat() -> None:
    """A declaration that the cards cannot have is said even where they do not beat."""
    hands = ["99 3", "7S BJ 4"]
    assert play(POINTS, hands, "0 99", "1 7SBJ=8").found == ["play.declared@1"]
    assert play(POINTS, hands, "0 99", "1 7SBJ=7").found == ["play.beat@1"]
    assert play(POINTS, hands, "0 99", "1 7SBJ").found == ["play.beat@1"]


def test_a_declared_meld_of_cards_that_do_not_beat_undeclared() -> None:
    """Whether cards are a meld does not depend on the table."""
    hands = ["99 3", "34 4"]
    assert play(POINTS, hands, "0 99", "1 34").found == ["play.meld@1"]


# What follows an error.


def test_the_first_error_ends_the_replay() -> None:
    """Later actions are not judged, and nothing of the settlement is."""
    result = {"end": "escape", "winner": 0, "kou": "dan", "delta": [1, 1], "balance": [0, 0]}
    seen = play(WEALTH, ["3 7", "4 5"], "1 4", "0 zzz", "0 3", result=result, base=3,
                balances=[0, 0])  # fmt: skip
    assert seen.found == ["play.turn@0"]


def test_what_was_found_before_an_error_is_kept() -> None:
    """Earlier auto findings are reported."""
    seen = play(POINTS, ["3 7", "4 5"], "0 !drop", "0 7*", "1 -", "0 KS")
    assert seen.found == ["auto.play@1", "play.held@3"]
    seen = play(POINTS, ["3 7", "8 5"], "0 7", "1 -*", "0 KS")
    assert seen.found == ["auto.pass@1", "play.held@2"]


def test_an_action_that_is_an_error_has_no_auto_finding() -> None:
    """It is not carried out, so nothing is said of who should have played it."""
    assert play(POINTS, ["3 7", "4"], "0 !drop", "0 KS").found == ["play.held@1"]
    assert play(POINTS, ["3 7", "4"], "0 !drop", "0 -").found == ["play.pass@1"]


def test_play_unfinished_stands_alone() -> None:
    """A log that stops before the end, whatever its result says; no action, no seat."""
    result = {"end": "out", "winner": 0, "delta": [60, -60]}
    seen = play(POINTS, ["3 7", "4"], "0 3", result=result)
    assert seen.found == ["play.unfinished"]
    assert seen.verdict.findings[0, [F_ACTION, F_SEAT]].tolist() == [-1, -1]
    assert play(POINTS, ["3 7", "4"]).found == ["play.unfinished"]
    assert play(POINTS, ["3 7", "4"], "0 !drop").found == ["play.unfinished"]


def test_events_after_the_end_are_ignored() -> None:
    """But an escape then is play.after_end."""
    for house in (POINTS, rules(POINTS, on_escape="trustee")):
        for event in ("timeout", "trustee", "return", "drop"):
            assert play(house, ["3", "4"], "0 3", f"1 !{event}").found == []
        assert play(house, ["3", "4"], "0 3", "1 !escape").found == ["play.after_end@1"]
    assert play(POINTS, ["3", "4"], "0 !escape", "1 !drop").found == []
    assert play(POINTS, ["3", "4"], "0 !escape", "0 3").found == ["play.after_end@1"]
    assert play(POINTS, ["3", "4"], "0 !escape", "0 !escape").found == ["play.after_end@1"]


# Who and where.


@pytest.mark.parametrize(
    ("actions", "code", "action", "seat"),
    [
        (["1 4"], "play.turn", 0, 1),
        (["0 3", "1 8H"], "play.held", 1, 1),
        (["0 34"], "play.meld", 0, 0),
        (["0 4", "1 -*"], "auto.pass", 1, 1),
        (["0 3*", "1 -", "0 4"], "play.unfinished", None, None),
        (["x"], "play.syntax", 0, None),
        (["5 3S"], "play.syntax", 0, None),
        (["1 ?"], "play.syntax", 0, 1),
    ],
)
def test_action_and_seat(
    actions: list[str], code: str, action: int | None, seat: int | None
) -> None:
    """The index of the action from 0, and who acted; of a seat that cannot be read nothing."""
    table = Table(POINTS, ["3 4 K", "4 5"])
    seen = table.play(*actions).seen()
    finding = describe(seen.verdict, -1, seen.book)
    index = None if finding.action is None else finding.action - table.opening
    assert (finding.code.text, index, finding.seat) == (code, action, seat)


def test_findings_are_ordered_by_action_seat_and_code() -> None:
    """The code as text; what concerns the whole game comes first."""
    result = {"winner": 1, "kou": "dan", "xiang": [1, 1], "delta": [1, 1]}
    seen = play(POINTS, ["3 4", "5 6"], "0 3*", "1 -*", "0 !drop", "0 4", result=result)
    assert seen.found == [
        "ledger.sum", "settle.kou", "settle.winner", "settle.delta#0", "settle.xiang#0",
        "settle.delta#1", "settle.xiang#1", "auto.pass@1", "auto.timeout@3",
    ]  # fmt: skip


# The result.

WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"end": "escape"}, ["settle.end"]),
    ({"winner": 1}, ["settle.winner"]),
    ({"kou": "dan"}, ["settle.kou"]),
    ({"xiang": [6, 6]}, ["settle.xiang#0"]),
    ({"xiang": [5, 5]}, ["settle.xiang#1"]),
    ({"xiang": [6, 5]}, ["settle.xiang#0", "settle.xiang#1"]),
    ({"doubling": 1}, ["settle.doubling"]),
    ({"contribution": [0, 0]}, ["settle.contribution#0", "settle.contribution#1"]),
    ({"contribution": [-2, 0]}, ["settle.contribution#1"]),
    ({"delta": [-7, 0]}, ["ledger.sum", "settle.delta#1"]),
    ({"delta": [-6, -8]}, ["settle.delta#0", "settle.delta#1"]),
    ({"fee": [7, 0]}, ["settle.fee#1"]),
    ({"balance": [0, 0]}, ["settle.balance#0", "settle.balance#1"]),
    ({"balance": [993, 0]}, ["settle.balance#1"]),
    ({"places": [2, 1]}, []),  # two players have none
]
RIGHT = {
    "end": "out", "winner": 0, "kou": "ping", "xiang": [5, 6], "doubling": 2,
    "contribution": [-2, 2], "delta": [-7, -7], "fee": [7, 7], "balance": [993, 993],
}  # fmt: skip


def _settled(result: dict[str, Any] | None) -> list[str]:
    """X is 10, a 1, b 2; 6相 of the loser are 2·X: 20 - 20, and the fee of 7."""
    house = rules(POINTS, base=10, fee=7)
    return duel(house, winner="99999", loser="TTTTTT", result=result).found


@pytest.mark.parametrize(("part", "found"), WRONG)
def test_every_part_of_a_result_is_compared_by_itself(
    part: dict[str, Any], found: list[str]
) -> None:
    """One finding for each seat that differs, also where errors cancel out in the total."""
    assert _settled({**RIGHT, **part}) == found
    assert _settled(part) == found


@pytest.mark.parametrize("name", RIGHT)
def test_absent_and_null_parts_are_not_findings(name: str) -> None:
    """Nor is an absent or empty result."""
    assert _settled({**RIGHT, name: None}) == []
    assert _settled({key: value for key, value in RIGHT.items() if key != name}) == []
    assert _settled({name: RIGHT[name]}) == []
    assert _settled(None) == _settled({}) == []


@pytest.mark.parametrize(
    ("house", "base", "found"),
    [
        (POINTS, 60, []),
        (POINTS, 61, ["settle.base"]),
        (rules(POINTS, base=60), 60, []),
        (rules(POINTS, base=60), 59, ["settle.base"]),
        (JIULE, 59, []),  # given: nothing to compare it with
    ],
)
def test_settle_base(house: Any, base: int, found: list[str]) -> None:
    """Deltas are recomputed with the recomputed base."""
    delta = base if house == JIULE else 60
    assert duel(house, base=base, result={"delta": [delta, -delta]}).found == found


def test_settle_balance_is_against_the_recomputed_delta() -> None:
    """The balance before plus the recomputed delta, whatever delta is recorded."""
    result = {"delta": [61, -61], "balance": [1061, 939]}
    found = ["settle.balance#0", "settle.delta#0", "settle.balance#1", "settle.delta#1"]
    assert duel(POINTS, result=result).found == found
    result["balance"] = [1060, 940]
    assert duel(POINTS, result=result).found == ["settle.delta#0", "settle.delta#1"]


@pytest.mark.parametrize(
    ("house", "delta", "found"),
    [
        (POINTS, [60, -60], []),
        (POINTS, [60, -59], ["ledger.sum", "settle.delta#1"]),
        (rules(POINTS, fee=7), [53, -67], []),
        (rules(POINTS, fee=7), [60, -60], ["ledger.sum", "settle.delta#0", "settle.delta#1"]),
    ],
)
def test_ledger_sum(house: Any, delta: list[int], found: list[str]) -> None:
    """The recorded deltas add up to minus what the system gets, the fee included."""
    assert duel(house, result={"delta": delta}).found == found


def test_ledger_sum_of_a_table_that_mints() -> None:
    """The printed ping row gives the seats 2; recorded deltas of 0 in all are wrong."""
    hands, actions = ["3", "4", "5 9", "6"], ["0 3", "1 4", "2 -", "3 6"]
    right = play(BAIBIAN, hands, *actions, result={"delta": [1, 0, 1, 0]})
    assert right.found == []
    wrong = play(BAIBIAN, hands, *actions, result={"delta": [1, -1, 1, -1]})
    assert wrong.found == ["ledger.sum", "settle.delta#1", "settle.delta#3"]


def test_settle_places() -> None:
    """One finding for each seat that differs."""
    hands, actions = ["3", "4", "5 9", "6"], ["0 3", "1 4", "2 -", "3 6"]
    assert play(BAIBIAN, hands, *actions, result={"places": [1, 2, 4, 3]}).found == []
    seen = play(BAIBIAN, hands, *actions, result={"places": [1, 2, 3, 4]})
    assert seen.found == ["settle.places#2", "settle.places#3"]


def test_parts_that_an_ending_does_not_have_are_not_compared() -> None:
    """No kou, doubling, contribution or places after an escape."""
    result = {"kou": "ping", "doubling": 9, "contribution": [9, 9], "places": [1, 2]}
    assert flight(POINTS, result=result).found == []
    assert duel(POINTS, result={"places": [3, 3]}).found == []


def test_base_level_names_the_seat() -> None:
    """A balance that has no level, for each seat; the play is judged all the same."""
    seen = duel(WEALTH, balances=[5, 99])
    assert seen.found == ["base.level#0", "base.level#1"]
    assert seen.kou == "ping"


# The system's plays: infos, one by one.


def test_auto_findings_do_not_end_the_replay() -> None:
    """The game is settled, and every one of them is reported."""
    seen = play(POINTS, ["3 4 9", "5 6 8"], "0 4*", "1 -*", "0 !drop", "0 3", "1 5", "0 9",
                result={"winner": 1})  # fmt: skip
    assert seen.found == [
        "settle.winner", "auto.play@0", "auto.pass@1", "auto.timeout@3", "auto.timeout@5",
    ]  # fmt: skip


def test_auto_timeout_with_a_mark_still_pending_under_the_trustee() -> None:
    """One finding an action, however many reasons there are."""
    assert play(POINTS, ["3 4", "5"], "0 !drop", "0 !timeout", "0 3").at_actions == [
        "auto.timeout@2"
    ]
