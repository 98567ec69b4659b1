"""Replaying a game action by action: turns, rounds, melds, ends.

``replay_games`` is the entry kernel: it goes through all games of a batch and
writes facts, bombs and findings into sheets. The first error ends a game's replay.
Source: rules clauses 5 and 10; log format, section Findings, for the order of judging.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import BIG_JOKER, FACES, NATURAL_RANKS, RANKS, SMALL_JOKER, rank_of
from analytics.compiled import Ints, called_kernel, kernel
from analytics.findings import Code
from analytics.logs.batch import END_ESCAPE, END_OUT
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.deal import judge_deal, partner_of
from analytics.shuangkou.desk import Logs, Sheets
from analytics.shuangkou.melds import (
    NO_KIND,
    NO_MELD,
    NO_RANK,
    Meld,
    beats,
    is_bomb,
    strongest,
    strongest_of,
    wild_jokers,
)
from analytics.shuangkou.sheets import (
    add_finding,
    count_seat,
    meld_at,
    note_bomb,
    note_choice,
    pack,
    put_meld,
    write_game,
    write_play,
)

TRUSTEE_TIMEOUTS: Final = 3  # clause 5.1: the third timeout puts a seat under the trustee

# Details of finding auto.timeout.
TIMED_OUT: Final = 0
UNDER_TRUSTEE: Final = 1

_PLAY_SYNTAX: Final = int(Code.PLAY_SYNTAX)
_PLAY_AFTER_END: Final = int(Code.PLAY_AFTER_END)
_PLAY_TURN: Final = int(Code.PLAY_TURN)
_PLAY_PASS: Final = int(Code.PLAY_PASS)
_PLAY_HELD: Final = int(Code.PLAY_HELD)
_PLAY_MELD: Final = int(Code.PLAY_MELD)
_PLAY_DECLARED: Final = int(Code.PLAY_DECLARED)
_PLAY_BEAT: Final = int(Code.PLAY_BEAT)
_PLAY_UNFINISHED: Final = int(Code.PLAY_UNFINISHED)
_AUTO_TIMEOUT: Final = int(Code.AUTO_TIMEOUT)


@kernel
def replay_games(logs: Logs, first: int, after: int, desk: Ints, sheets: Sheets) -> None:
    """Replays the games ``first`` .. ``after - 1`` of the logs into the sheets (entry kernel)."""
    for game in range(first, after):
        row = logs.rules[logs.rules_ix[game]]
        clear_desk(desk, game)
        error = judge_deal(game, logs, desk, sheets.findings, row)
        if error == 0:
            desk[D.TURN] = logs.first[game]
            error = _judge_actions(game, logs, desk, sheets, row)
        first_seat = logs.seats_at[game]
        seats = logs.seats_at[game + 1] - first_seat
        winner = _settle_places(desk, seats)
        write_game(game, first_seat, seats, winner, error, desk, sheets)


@kernel
def clear_desk(desk: Ints, game: int) -> None:
    """Clears the desk for the next game."""
    for at in range(D.GAME_STATE, D.GAME_STATE_END):
        desk[at] = 0
    desk[D.GAME] = game
    desk[D.ACTION] = -1
    desk[D.FLEER] = -1
    desk[D.LAST_BOMB] = -1


@kernel
def _judge_actions(game: int, logs: Logs, desk: Ints, sheets: Sheets, row: Ints) -> int:
    """Judges the actions one by one; returns the code of the first error, or 0."""
    text, joined, end = logs.actions, logs.actions_joined, logs.actions_at[game + 1]
    at = N.first_string(text, logs.actions_at[game], end, joined)
    while at <= end:
        desk[D.ACTION] += 1
        what, stop = N.scan_action(text, at, end, joined, row[R.SEATS], desk)
        error = _judge_action(what, desk, sheets, row)
        if error != 0:
            return error
        if len(sheets.plays) > 0:
            write_play(what, desk, sheets.plays)
        at = N.next_string(text, stop, end, joined)
    if desk[D.ENDED] == 0:
        return add_finding(desk, sheets.findings, game, _PLAY_UNFINISHED, -1, -1, 0, 0, 0)
    return 0


@kernel
def _judge_action(what: int, desk: Ints, sheets: Sheets, row: Ints) -> int:
    """Judges one action and carries it out; returns the code of its error, or 0."""
    if what == N.NONSENSE:
        return _note(desk, sheets.findings, _PLAY_SYNTAX, 0, 0)
    if desk[D.ENDED] != 0:
        if what == N.PASS or what == N.PLAY or what == N.ESCAPE:
            return _note(desk, sheets.findings, _PLAY_AFTER_END, 0, 0)
        return 0
    seat = desk[D.SEAT]
    if what != N.PASS and what != N.PLAY:
        take_event(what, seat, desk, row)
        return 0
    if seat != desk[D.TURN]:
        return _note(desk, sheets.findings, _PLAY_TURN, desk[D.TURN], 0)
    if what == N.PASS:
        return _judge_pass(seat, desk, sheets, row)
    return _judge_play(seat, desk, sheets, row)


@called_kernel
def _note(desk: Ints, findings: Ints, code: int, recomputed: int, detail: int) -> int:
    """Writes down a finding on the action at hand; returns its code."""
    game, action, seat = desk[D.GAME], desk[D.ACTION], desk[D.SEAT]
    return add_finding(desk, findings, game, code, action, seat, seat, recomputed, detail)


@kernel
def take_event(what: int, seat: int, desk: Ints, row: Ints) -> None:
    """Clause 5.1: timeouts, trustee, return, disconnect, escape. No turn is used up."""
    if what == N.RETURN:
        desk[D.TRUSTEE + seat] = 0
        desk[D.PENDING + seat] = 0
        desk[D.TIMEOUTS + seat] = 0
    elif what == N.TIMEOUT:
        count_seat(desk, seat, D.S_TIMEOUTS)
        desk[D.PENDING + seat] = 1
        desk[D.TIMEOUTS + seat] += 1
        if desk[D.TIMEOUTS + seat] >= TRUSTEE_TIMEOUTS:
            desk[D.TRUSTEE + seat] = 1
    elif what == N.ESCAPE and row[R.ESCAPE_SETTLES] != 0:
        desk[D.ENDED] = END_ESCAPE
        desk[D.FLEER] = seat
    else:
        desk[D.TRUSTEE + seat] = 1


@kernel
def on_table(desk: Ints) -> Meld:
    """The meld to beat; ``NO_KIND`` when leading."""
    return meld_at(desk, D.TABLE)


@kernel
def _use_turn(seat: int, desk: Ints, findings: Ints) -> None:
    """Uses up the turn; notes where a seat acts for which the system should play."""
    desk[D.PLIES] += 1
    if desk[D.STARRED] != 0:
        count_seat(desk, seat, D.S_SYSTEM_TURNS)
    elif desk[D.TRUSTEE + seat] != 0:
        _note(desk, findings, _AUTO_TIMEOUT, 0, UNDER_TRUSTEE)
    elif desk[D.PENDING + seat] != 0:
        _note(desk, findings, _AUTO_TIMEOUT, 0, TIMED_OUT)
    desk[D.PENDING + seat] = 0


@kernel
def _judge_pass(seat: int, desk: Ints, sheets: Sheets, row: Ints) -> int:
    """Clause 5.3: a leader may not pass."""
    over = on_table(desk)
    if over.kind == NO_KIND:
        return _note(desk, sheets.findings, _PLAY_PASS, 0, 0)
    if desk[D.STARRED] != 0 or desk[D.WATCHED] != 0:
        note_choice(over, NO_MELD, desk, sheets.choices)
    _use_turn(seat, desk, sheets.findings)
    pass_on(seat, desk, row[R.SEATS])
    return 0


@kernel
def pass_on(seat: int, desk: Ints, seats: int) -> None:
    """Carries out a pass; the last one ends the round (clause 5.4)."""
    count_seat(desk, seat, D.S_PASSES)
    desk[D.PASSES] += 1
    if desk[D.PASSES] >= _others_in(desk, desk[D.AUTHOR], seats):
        _end_round(desk)
    else:
        desk[D.TURN] = _next_in(desk, seat, seats)


@kernel
def _end_round(desk: Ints) -> None:
    """Clause 5.4: the author of the last play leads; if out, the partner (接风)."""
    author = desk[D.AUTHOR]
    desk[D.PASSES] = 0
    desk[D.LAST_BOMB] = -1
    put_meld(NO_MELD, desk, D.TABLE)
    desk[D.TURN] = author if desk[D.LEFT + author] > 0 else partner_of(author, D.MAX_SEATS)


@kernel
def _others_in(desk: Ints, author: int, seats: int) -> int:
    """How many other seats than the author's are still in the game."""
    return seats - desk[D.SEATS_OUT] - int(desk[D.LEFT + author] > 0)


@kernel
def _next_in(desk: Ints, seat: int, seats: int) -> int:
    """The next seat in play order that is still in the game (clause 5.1)."""
    after = _after(seat, seats)
    while desk[D.LEFT + after] == 0:
        after = _after(after, seats)
    return after


@kernel
def _after(seat: int, seats: int) -> int:
    """The next seat in play order; a division takes ten times as long."""
    return seat + 1 if seat + 1 < seats else 0


@kernel
def _judge_play(seat: int, desk: Ints, sheets: Sheets, row: Ints) -> int:
    """Judges a play in the order held, meld, declared, beat; then carries it out."""
    over = on_table(desk)
    counts = desk[D.COUNTS : D.COUNTS + RANKS]
    lacking = take_faces(seat, desk)
    if lacking >= 0:
        return _note(desk, sheets.findings, _PLAY_HELD, 0, lacking)
    low, high, natural = desk[D.LOW], desk[D.HIGH], desk[D.NATURAL]
    undeclared = strongest_of(counts, low, high, natural, row, over)
    if undeclared.kind == NO_KIND and not _is_meld(counts, desk, row):
        return _note(desk, sheets.findings, _PLAY_MELD, 0, 0)
    meld = undeclared
    if desk[D.FACES_NAMED] != 0:
        meld = as_declared(counts, desk, row)
        if meld.kind == NO_KIND:
            return _note(desk, sheets.findings, _PLAY_DECLARED, 0, 0)
    if not beats(meld, over, row):
        return _note(desk, sheets.findings, _PLAY_BEAT, 0, pack(over))
    if desk[D.STARRED] != 0 and row[R.TRUSTEE_SMALLEST] != 0:
        note_choice(over, undeclared, desk, sheets.choices)
    _use_turn(seat, desk, sheets.findings)
    carry_out(seat, meld, desk, row[R.SEATS])
    return 0


@called_kernel
def _is_meld(counts: Ints, desk: Ints, row: Ints) -> bool:
    """Whether the cards on the desk are a meld at all."""
    low, high, natural = desk[D.LOW], desk[D.HIGH], desk[D.NATURAL]
    return strongest_of(counts, low, high, natural, row, NO_MELD).kind != NO_KIND


@kernel
def take_faces(seat: int, desk: Ints) -> int:
    """Takes the played faces from the seat and counts them; the first lacking, or -1.

    Where one is lacking the replay ends, so that nothing is put back. Of more faces
    than a hand has, the first 28 are looked at: one of them is lacking.
    """
    for rank in range(RANKS):
        desk[D.COUNTS + rank] = 0
    low, high, natural = NATURAL_RANKS, NO_RANK, 0
    for at in range(min(desk[D.PLAYED], D.MAX_PLAYED)):
        face = desk[D.PLAYED_FACES + at]
        held = D.FACES_HELD + seat * FACES + face
        if desk[held] == 0:
            return face
        desk[held] -= 1
        rank = rank_of(face)
        desk[D.COUNTS + rank] += 1
        if rank < NATURAL_RANKS:
            low, high, natural = min(low, rank), max(high, rank), natural + 1
    desk[D.LOW] = low
    desk[D.HIGH] = high
    desk[D.NATURAL] = natural
    return -1


@called_kernel
def as_declared(counts: Ints, desk: Ints, row: Ints) -> Meld:
    """The reading with the wild jokers as declared, or ``NO_MELD`` (clause 3.3)."""
    jokers = counts[SMALL_JOKER] + counts[BIG_JOKER]
    named = desk[D.NAMED_RANKS]
    if jokers == desk[D.PLAYED] or named != jokers or named != wild_jokers(counts, row):
        return NO_MELD
    declared = desk[D.DECLARED : D.DECLARED + RANKS]
    for rank in range(NATURAL_RANKS):
        declared[rank] = counts[rank]
    for at in range(named):
        declared[desk[D.NAMED + at]] += 1
    return strongest(declared, row, NO_MELD)


@kernel
def carry_out(seat: int, meld: Meld, desk: Ints, seats: int) -> None:
    """Takes the cards from the hand, puts the meld on the table, passes the turn on."""
    for at in range(desk[D.PLAYED]):
        desk[D.RANKS_HELD + seat * RANKS + rank_of(desk[D.PLAYED_FACES + at])] -= 1
    desk[D.LEFT + seat] -= meld.size
    desk[D.SEAT_FACTS + seat * D.SEAT_WIDTH + D.S_PLAYED] = 1
    if desk[D.LAST_BOMB] >= 0:
        desk[D.BOMBS + desk[D.LAST_BOMB] * D.BOMB_WIDTH + D.B_BEATEN] = 1
    if is_bomb(meld.kind):
        note_bomb(seat, meld, desk)
    desk[D.AUTHOR] = seat
    desk[D.PASSES] = 0
    put_meld(meld, desk, D.TABLE)
    if desk[D.LEFT + seat] == 0:
        _go_out(seat, desk, seats)
    desk[D.TURN] = _next_in(desk, seat, seats)


@kernel
def _go_out(seat: int, desk: Ints, seats: int) -> None:
    """Clause 5.5: one seat of two out, or both of a team of four, ends the game."""
    desk[D.SEATS_OUT] += 1
    desk[D.LAST_OUT] = seat
    desk[D.PLACE + seat] = desk[D.SEATS_OUT]
    if seats == 2 or desk[D.LEFT + partner_of(seat, seats)] == 0:
        desk[D.ENDED] = END_OUT


@kernel
def _settle_places(desk: Ints, seats: int) -> int:
    """Gives the places (clause 5.6) and returns the winner, or -1 where there is none.

    Four players: who still holds cards takes the remaining places in play order.
    """
    if desk[D.ENDED] == END_ESCAPE:
        return 1 - desk[D.FLEER]  # clause 9: the seat that stayed
    if desk[D.ENDED] != END_OUT:
        return -1
    winner = 0
    for seat in range(seats):
        if desk[D.PLACE + seat] == 1:
            winner = seat
        if seats == 2:
            desk[D.PLACE + seat] = 0  # two players have no places
    place = desk[D.SEATS_OUT]
    for step in range(1, seats + 1):
        seat = (desk[D.LAST_OUT] + step) % 4
        if seats == 4 and desk[D.PLACE + seat] == 0:
            place += 1
            desk[D.PLACE + seat] = place
    return winner
