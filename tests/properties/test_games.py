"""What holds for every game, whatever the rules: random games, whole or with one fault."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics import shuangkou
from analytics.cards import SUIT_TEXT, face_of, parse_faces
from analytics.findings import (
    F_ACTION,
    F_CODE,
    F_DETAIL,
    F_GAME,
    F_RECOMPUTED,
    F_RECORDED,
    F_SEAT,
    Code,
)
from analytics.ledger import balance_of
from analytics.logs import batch_of
from analytics.logs.batch import TextColumn
from analytics.rules import Rulebook
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou import settlement as S
from analytics.verify import Verdict, verify_batch
from tests.properties.random_play import GAMES, Case, case, cases, cases_of_four, examples

Log = dict[str, Any]


def _columns(verdict: Verdict) -> list[list[Any]]:
    """Everything that a verdict says of what was played and what it is worth."""
    facts, settled = verdict.facts, verdict.settled
    of_facts = [facts.games, facts.seats, facts.bombs]
    return [x.tolist() for x in [*of_facts, settled.games, settled.seats, settled.items]]


# Conservation.


@examples(GAMES)
@given(cases)
def test_cards_are_conserved(case: Case) -> None:
    """Played and left are dealt, face by face, as far as a game was replayed."""
    batch = case.batch()
    facts = shuangkou.replay(batch, case.book, with_plays=True)
    played: list[Counter[int]] = [Counter() for _ in range(case.seats)]
    for row in facts.plays.tolist():
        if row[D.P_WHAT] == N.PLAY:
            played[row[D.P_SEAT]].update(_faces(case.game["actions"][row[D.P_ACTION]]))
    if facts.games[0, D.G_ACTIONS]:  # otherwise the deal is at fault
        for seat, cards in enumerate(played):
            dealt = Counter(parse_faces(case.game["hands"][seat]))
            assert cards <= dealt
            assert facts.seats[seat, D.S_LEFT] == dealt.total() - cards.total()


def _faces(action: str) -> list[int]:
    return parse_faces(action.split()[1].rstrip("*").partition("=")[0])


@examples(GAMES)
@given(cases)
def test_the_ledger_adds_up_to_zero(case: Case) -> None:
    """The seats and the system, in all postings and in every item by itself."""
    verdict = verify_batch(case.batch(), case.book)
    assert balance_of(verdict.postings, 1).tolist() == [0]
    settled = verdict.settled
    totals = settled.items.sum(axis=0) + settled.system[0]
    played_for = totals[[S.BASE, S.DOUBLING, S.MINT]].sum()  # a table mints what it stakes
    assert [played_for, *totals[[S.CONTRIBUTION, S.ESCAPE, S.FEE, S.CAP]]] == [0] * 5


# One game after another.


def test_a_batch_is_its_games_one_by_one() -> None:
    """What stands before a game in its batch changes nothing."""
    alone = [verify_batch(case(seed).batch(), case(seed).book) for seed in range(GAMES)]
    for verdict in _together(range(GAMES)), _together(reversed(range(GAMES))):
        for place, game in enumerate(verdict.batch.id):
            seed = next(s for s in range(GAMES) if case(s).game["id"] == game)
            assert _part(verdict, place) == _part(alone[seed], 0), game


def _together(seeds: Any) -> Verdict:
    """All games in one batch, under all their rulesets."""
    chosen = [case(seed) for seed in seeds]
    named = {c.book.rulesets[0].name: c.book.rulesets[0] for c in chosen}
    book = Rulebook.of(named.values())
    return verify_batch(batch_of([c.game for c in chosen], book), book)


def _part(verdict: Verdict, game: int) -> list[Any]:
    """What a verdict says of one game."""
    facts, settled = verdict.facts, verdict.settled
    seats = slice(verdict.batch.seats_at[game], verdict.batch.seats_at[game + 1])
    findings = verdict.findings[verdict.findings[:, F_GAME] == game][:, F_GAME + 1 :]
    bombs = facts.bombs[facts.bombs[:, D.B_GAME] == game][:, D.B_GAME + 1 :]
    columns = [facts.games[game], facts.seats[seats], bombs, settled.games[game]]
    return [x.tolist() for x in [*columns, settled.seats[seats], settled.items[seats], findings]]


@examples(GAMES)
@given(cases)
def test_findings_are_ordered(case: Case) -> None:
    """By action, seat and code as text; what concerns the whole game comes first."""
    findings = verify_batch(case.batch(), case.book).findings.tolist()
    keys = [(row[F_ACTION], row[F_SEAT], Code(row[F_CODE]).text) for row in findings]
    assert keys == sorted(keys)


# What does not matter.


@examples(GAMES)
@given(cases)
def test_the_layout_of_texts_changes_nothing(case: Case) -> None:
    """Hands and actions joined by ``;`` or as JSON arrays, with blanks or without."""
    batch = case.batch()
    hands, actions = batch.hands.strings(0), batch.actions.strings(0)
    tight, wide = (
        replace(batch, hands=_as_json(hands, indent), actions=_as_json(actions, indent))
        for indent in (None, 1)
    )
    first = verify_batch(tight, case.book)
    others = [verify_batch(wide, case.book)]
    if not any(";" in text for text in (*hands, *actions)) and ("",) not in (hands, actions):
        joined = replace(batch, hands=_as_joined(hands), actions=_as_joined(actions))
        others.append(verify_batch(joined, case.book))
    for other in others:
        assert _columns(first) == _columns(other)
        assert first.findings.tolist() == other.findings.tolist()


def _as_json(strings: tuple[str, ...], indent: int | None) -> TextColumn:
    return _column(json.dumps(strings, indent=indent), joined=False)


def _as_joined(strings: tuple[str, ...]) -> TextColumn:
    return _column(";".join(strings), joined=True)


def _column(text: str, *, joined: bool) -> TextColumn:
    raw = text.encode()
    return TextColumn(raw, np.array([0, len(raw)]), joined)


@examples(60)
@given(cases, st.permutations(SUIT_TEXT))
def test_permuting_suits_changes_nothing(case: Case, suits: list[str]) -> None:
    """Suits tell cards apart and do nothing else; how many of each were dealt goes along."""
    new = dict(zip(SUIT_TEXT, suits, strict=True))
    log = case.game
    other = {
        **log,
        "hands": [_with_suits(hand, new) for hand in log["hands"]],
        "actions": [_action_with_suits(action, new) for action in log["actions"]],
    }
    if log.get("shown"):
        other["shown"] = _with_suits(log["shown"], new)
    before, after = (verify_batch(case.batch(each), case.book) for each in (log, other))
    dealt = before.facts.seats[:, D.S_SPADES : D.S_REPEATED]
    dealt[:, [SUIT_TEXT.index(suit) for suit in suits]] = dealt.copy()
    assert _columns(before) == _columns(after)
    assert _without_faces(before) == _without_faces(after)


def _with_suits(text: str, new: dict[str, str]) -> str:
    """Faces with other suits; what is no face stays as it is."""
    words = []
    for word in text.split(" "):
        pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
        words.append("".join(_face_with_suit(pair, new) for pair in pairs))
    return " ".join(words)


def _face_with_suit(face: str, new: dict[str, str]) -> str:
    is_natural = face_of(face) >= 0 and face not in ("SJ", "BJ")
    return face[0] + new[face[1]] if is_natural else face


def _action_with_suits(action: str, new: dict[str, str]) -> str:
    seat, blank, play = action.partition(" ")
    faces, equals, rest = play.partition("=")
    if not equals:
        faces, rest = faces.rstrip("*"), faces[len(faces.rstrip("*")) :]
    return seat + blank + _with_suits(faces, new) + equals + rest


def _without_faces(verdict: Verdict) -> list[list[int]]:
    """The findings, less the face that they may name."""
    findings = verdict.findings.copy()
    names_face = np.isin(findings[:, F_CODE], [Code.PLAY_HELD, Code.DEAL_COPIES])
    findings[names_face, F_DETAIL] = 0
    rows: list[list[int]] = findings.tolist()
    return rows


@examples(40)
@given(cases, st.lists(st.text(max_size=9), min_size=4, max_size=4))
def test_renaming_players_changes_nothing(case: Case, names: list[str]) -> None:
    """A player is opaque to the rules."""
    seats = [
        {**seat, "player": name}
        for seat, name in zip(case.game["seats"], names + names, strict=False)
    ]
    before = verify_batch(case.batch(), case.book)
    after = verify_batch(case.batch({**case.game, "seats": seats}), case.book)
    assert _columns(before) == _columns(after)
    assert before.findings.tolist() == after.findings.tolist()


# Symmetry of four seats.

PER_SEAT = ("places", "xiang", "contribution", "delta", "fee", "balance")


@examples(GAMES // 3)
@given(cases_of_four)
def test_rotating_four_seats_by_two_permutes_results(case: Case) -> None:
    """Partners change places, and with them all that is said of a seat.

    Left-over units go to the lower seat, so the cap is taken out of the rules here; and
    where several seats share a fault of the deal, the first one is named.
    """
    log = case.game
    if len(log["seats"]) != 4 or len(log["hands"]) != 4:
        return
    book = _altered(case.book, {R.CAP_AT_BALANCE: 0})
    before = verify_batch(batch_of([log], book), book)
    after = verify_batch(batch_of([_rotated(log)], book), book)
    turn = [2, 3, 0, 1]
    assert before.facts.seats[turn].tolist() == after.facts.seats.tolist()
    for name in ("seats", "items"):
        values = getattr(before.settled, name)
        assert values[turn].tolist() == getattr(after.settled, name).tolist()
    assert before.settled.games.tolist() == after.settled.games.tolist()
    assert _turned(before) == _turned(after, by=2)


def _rotated(log: Log) -> Log:
    other = {**log, "first": (log["first"] + 2) % 4}
    for name in ("seats", "hands"):
        other[name] = log[name][2:] + log[name][:2]
    other["actions"] = [_action_of_other(action) for action in log["actions"]]
    if log.get("result"):
        result = dict(log["result"])
        for name in PER_SEAT:
            if result.get(name) is not None:
                result[name] = result[name][2:] + result[name][:2]
        if result.get("winner") is not None:
            result["winner"] = (result["winner"] + 2) % 4
        other["result"] = result
    return other


def _action_of_other(action: str) -> str:
    is_seat = action[:1] in list("0123")
    return f"{(int(action[0]) + 2) % 4}{action[1:]}" if is_seat else action


def _turned(verdict: Verdict, by: int = 0) -> list[tuple[int, ...]]:
    """The findings with seats turned back; of the deal only the code."""
    turned: list[tuple[int, ...]] = []
    for row in verdict.findings.tolist():
        code, action, seat = row[F_CODE], row[F_ACTION], row[F_SEAT]
        if code <= Code.PLAY_LEAD:
            turned.append((code,))
            continue
        seat = (seat + by) % 4 if seat >= 0 else seat
        values = (row[F_RECORDED], row[F_RECOMPUTED], row[F_DETAIL])
        if code < Code.SETTLE_END or code == Code.SETTLE_WINNER:  # these are seats
            values = (0, 0, row[F_DETAIL])
        turned.append((code, action, seat, *values))
    return sorted(turned)


def _altered(book: Rulebook, columns: dict[int, int]) -> Rulebook:
    """The same rules but for some columns of their row."""
    rows = book.rows.copy()
    for column, value in columns.items():
        rows[:, column] = value
    return replace(book, rows=rows)


# Scale.


@examples(60)
@given(cases, st.integers(2, 10**6))
def test_a_larger_base_scales_all_amounts(case: Case, times: int) -> None:
    """Base and fee times k: every amount times k, where nothing is rounded."""
    plain = {R.BASE_KIND: R.BASE_FIXED, R.CAP_AT_BALANCE: 0, R.SHARE: 100}
    base, fee = 7, int(case.book.rows[0, R.FEE])
    small = _settled(case, {**plain, R.BASE_FIXED_AT: base})
    large = _settled(case, {**plain, R.BASE_FIXED_AT: base * times, R.FEE: fee * times})
    for name in ("items", "system"):
        assert (getattr(small, name) * times).tolist() == getattr(large, name).tolist()


def _settled(case: Case, columns: dict[int, int]) -> shuangkou.Settled:
    book = _altered(case.book, columns)
    batch = case.batch()
    return shuangkou.settle(shuangkou.replay(batch, book), batch, book)


# Compiled and not.


@pytest.mark.slow
def test_compiled_and_uncompiled_agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Every column of random games under random rules is the same in both modes."""
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    chosen = [case(seed) for seed in range(600)]
    book = Rulebook.of(c.book.rulesets[0] for c in chosen)
    batch = batch_of([c.game for c in chosen], book)
    results = []
    for mode in ("never", "always"):
        monkeypatch.setenv("PAIPU_COMPILE", mode)
        verdict = verify_batch(batch, book)
        plays = shuangkou.replay(batch, book, with_plays=True).plays
        results.append([*_columns(verdict), verdict.findings.tolist(), plays.tolist()])
    assert results[0] == results[1]
