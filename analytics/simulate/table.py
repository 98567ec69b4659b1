"""The table: plays games from the deal to their ends.

``play_games`` is the entry kernel. What cards are and what they beat, whose turn it is,
when a round and the game end is decided by the replay's own kernels on the replay's own
desk; here is only who does what, and when. Source: rules clause 5.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from analytics.cards import BIG_JOKER, FACES, HAND_SIZE, RANKS, SMALL_JOKER, rank_of
from analytics.compiled import Ints, Rows, called_kernel, kernel
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.melds import NO_KIND, NO_MELD, Meld, strongest
from analytics.shuangkou.replaying import (
    carry_out,
    clear_desk,
    on_table,
    pass_on,
    take_event,
    take_faces,
)
from analytics.shuangkou.trustee import smallest_play
from analytics.simulate import pad as P
from analytics.simulate.chance import below, happens
from analytics.simulate.policies import PASS, SMALLEST, choose, fewest_of_opponents
from analytics.simulate.scribe import declare, lay_out, write_action
from analytics.simulate.taking import take_meld

_TURN_MS: Final = 15_000  # after which the system plays for a seat
_SYSTEM_MS: Final = 50
_FASTEST_MS: Final = 400
_SPREAD_MS: Final = 3_000
_BACK: Final = 250_000  # in a million turns: who is under the trustee takes back
_AUTO_PASS: Final = 850_000  # in a million: a pass without an answer is the system's


class Tables(NamedTuple):
    """The games that are to be played.

    Attributes:
        dice: int64 ``(n,)``, see ``chance``; they move on.
        faces: int64, flat, ``(n, seats, 27)``: the hands.
        first: int64 ``(n,)``: who leads.
        traits: int64, flat, ``(n, seats, TRAITS)``.
        rules: int64 ``(rulesets, WIDTH)``.
        rules_ix: int64 ``(n,)``; all of one number of seats.
    """

    dice: Ints
    faces: Ints
    first: Ints
    traits: Ints
    rules: Rows
    rules_ix: Ints


class Courses(NamedTuple):
    """What happened.

    Attributes:
        text: uint8: actions of all games, those of a game joined by ``;``.
        text_at: int64 ``(n + 1,)``.
        times: int64: milliseconds from the start of its game, one an action.
        times_at: int64 ``(n + 1,)``.
    """

    text: Ints
    text_at: Ints
    times: Ints
    times_at: Ints


@kernel
def play_games(tables: Tables, desk: Ints, pad: Ints, courses: Courses) -> None:
    """Plays every game to its end (entry kernel)."""
    pad[P.CHARS_AT] = 0
    pad[P.TIMES_AT] = 0
    for game in range(len(tables.dice)):
        row = tables.rules[tables.rules_ix[game]]
        _sit_down(game, tables, desk, pad, row[R.SEATS])
        is_good = True
        while desk[D.ENDED] == 0 and is_good:
            is_good = _turn(desk, pad, tables.dice, row, courses.text, courses.times)
        courses.text_at[game + 1] = pad[P.CHARS_AT]
        courses.times_at[game + 1] = pad[P.TIMES_AT]


@called_kernel
def _sit_down(game: int, tables: Tables, desk: Ints, pad: Ints, seats: int) -> None:
    """Deals the hands onto the desk and puts the players' traits on the pad."""
    clear_desk(desk, game)
    desk[D.TURN] = tables.first[game]
    for at in range(seats * HAND_SIZE):
        seat, face = at // HAND_SIZE, tables.faces[game * seats * HAND_SIZE + at]
        desk[D.FACES_HELD + seat * FACES + face] += 1
        desk[D.RANKS_HELD + seat * RANKS + rank_of(face)] += 1
    for seat in range(seats):
        desk[D.LEFT + seat] = HAND_SIZE
        pad[P.TURNS + seat] = 0
    for at in range(seats * P.TRAITS):
        pad[P.PLAYERS + at] = tables.traits[game * seats * P.TRAITS + at]
    for rank in range(RANKS):
        pad[P.OUT + rank] = 0
    pad[P.GAME] = game
    pad[P.NOW] = 0
    pad[P.IS_BEGUN] = 0


@kernel
def _turn(desk: Ints, pad: Ints, dice: Ints, row: Ints, text: Ints, times: Ints) -> bool:
    """One turn: what happens to the player, then what it or the system plays.

    Returns:
        False where the cards that were chosen are no answer, which would be a defect: the
        game then stays unfinished.
    """
    seat = desk[D.TURN]
    _events(seat, desk, pad, dice, row, text, times)
    if desk[D.ENDED] != 0:
        return True
    pad[P.TURNS + seat] += 1
    over = on_table(desk)
    hand = desk[D.RANKS_HELD + seat * RANKS : D.RANKS_HELD + (seat + 1) * RANKS]
    smallest = smallest_play(hand, over, NO_MELD, row, pad[P.SCRATCH : P.SCRATCH + RANKS])
    is_systems = desk[D.TRUSTEE + seat] != 0 or desk[D.PENDING + seat] != 0
    if smallest.kind == NO_KIND:
        is_systems = is_systems or happens(dice, pad[P.GAME], _AUTO_PASS)
        decision = PASS
    elif is_systems:
        decision = SMALLEST
    else:
        decision = choose(seat, over, desk, pad, dice, row)
    if decision == SMALLEST:
        take_meld(smallest, hand, over, row, pad[P.SET : P.SET + RANKS])
    _wait(is_systems, pad, dice)
    desk[D.PENDING + seat] = 0
    if decision == PASS:
        write_action(N.PASS, seat, int(is_systems), desk, pad, text, times)
        pass_on(seat, desk, row[R.SEATS])
        return True
    return _play(seat, over, is_systems, desk, pad, dice, row, text, times)


@called_kernel
def _play(
    seat: int, over: Meld, is_systems: bool, desk: Ints, pad: Ints, dice: Ints, row: Ints,
    text: Ints, times: Ints,
) -> bool:  # fmt: skip
    """Plays the chosen cards; False where they do not beat."""
    lay_out(seat, desk, pad)
    take_faces(seat, desk)
    counts = desk[D.COUNTS : D.COUNTS + RANKS]
    meld = strongest(counts, row, over)
    if not is_systems and counts[SMALL_JOKER] + counts[BIG_JOKER] > 0:
        declares = pad[P.PLAYERS + seat * P.TRAITS + P.T_DECLARES]
        if happens(dice, pad[P.GAME], 10_000 * declares):
            declared = declare(over, desk, pad, row)
            meld = declared if declared.kind != NO_KIND else meld
    write_action(N.PLAY, seat, int(is_systems), desk, pad, text, times)
    carry_out(seat, meld, desk, row[R.SEATS])
    return meld.kind != NO_KIND


@called_kernel
def _events(
    seat: int, desk: Ints, pad: Ints, dice: Ints, row: Ints, text: Ints, times: Ints
) -> None:
    """What happens to a player before its turn is used."""
    if desk[D.TRUSTEE + seat] != 0 and happens(dice, pad[P.GAME], _BACK):
        _wait(False, pad, dice)
        write_action(N.RETURN, seat, 0, desk, pad, text, times)
        take_event(N.RETURN, seat, desk, row)
    if desk[D.TRUSTEE + seat] == 0:
        event = _mishap(seat, desk, pad, dice, row)
        if event != N.NONSENSE:
            write_action(event, seat, 0, desk, pad, text, times)
            take_event(event, seat, desk, row)


@kernel
def _mishap(seat: int, desk: Ints, pad: Ints, dice: Ints, row: Ints) -> int:
    """What keeps a player from playing: an event, or NONSENSE for nothing (clause 5.1).

    Who means to escape does so only when it is behind. The clock goes on.
    """
    game, traits = pad[P.GAME], P.PLAYERS + seat * P.TRAITS
    flees_at = pad[traits + P.T_FLEES]
    is_behind = desk[D.LEFT + seat] > fewest_of_opponents(seat, desk, row)
    if is_behind and flees_at >= 0 and pad[P.TURNS + seat] >= flees_at:
        pad[traits + P.T_FLEES] = -1
        _wait(False, pad, dice)
        return N.ESCAPE
    chance = below(dice, game, 1_000_000)
    if chance < pad[traits + P.T_TIMEOUT]:
        pad[P.NOW] += _TURN_MS
        return N.TIMEOUT
    chance -= pad[traits + P.T_TIMEOUT]
    if chance >= pad[traits + P.T_LEAVE]:
        return N.NONSENSE
    _wait(False, pad, dice)
    return N.DROP if 2 * chance < pad[traits + P.T_LEAVE] else N.TRUSTEE


@called_kernel
def _wait(is_systems: bool, pad: Ints, dice: Ints) -> None:
    """The clock goes on. Most plays are quick, a few are not: a product of two chances."""
    if is_systems:
        pad[P.NOW] += _SYSTEM_MS
        return
    spread = below(dice, pad[P.GAME], _SPREAD_MS) * below(dice, pad[P.GAME], _SPREAD_MS)
    pad[P.NOW] += _FASTEST_MS + 2 * spread // _SPREAD_MS
