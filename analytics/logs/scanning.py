"""The reading kernel: lines of JSON straight into columns.

It is the fast path beside ``explaining``: it takes a line only where it is
beyond doubt that the explaining path takes it too, with the same columns. On
any other line it stops, and that line is explained.

Every function that reads gives the place behind what it read, or -1 where the
line is better explained. ``g`` and ``s`` are where the row of a game or seat
begins in ``games`` or ``seats`` (see ``layout``); ``t`` is the array of ``tables``.
"""

from __future__ import annotations

from typing import Final

from analytics.compiled import Ints, called_kernel, kernel
from analytics.logs import layout, tables
from analytics.logs.batch import ABSENT
from analytics.logs.flaws import MAX_BALANCE, MAX_BASE, MAX_TIME
from analytics.logs.moments import RIGHT, read_moment
from analytics.logs.tables import LIST_STOPS, STOPS, equals, find_word
from analytics.logs.tokens import (
    after_blank,
    after_null,
    after_plain,
    after_value,
    copy_string,
    copy_strings,
    eight_bytes,
    read_int,
)

_TEXTS: Final = (1 << layout.PLAYER) - 1  # bits of the words that are texts of a game
_NEEDED: Final = (
    1 << layout.ID
    | 1 << layout.RULES
    | 1 << tables.HANDS
    | 1 << tables.ACTIONS
    | 1 << tables.V
    | 1 << tables.GAME
    | 1 << tables.SEATS
    | 1 << tables.FIRST
)
_SEAT_NEEDED: Final = 1 << tables.PLAYER | 1 << tables.BALANCE
_PART: Final = layout.PLACES - tables.PLACES  # from a word's number to its place in a row


@kernel
def scan_lines(
    block: Ints,
    at: int,
    line: int,
    offset: int,
    n: int,
    most: int,
    t: Ints,
    games: Ints,
    seats: Ints,
    text: Ints,
    times: Ints,
) -> tuple[int, int, int]:
    """Reads lines into columns, up to the first that is better explained.

    Args:
        block: whole lines; the last byte is a newline.
        at: where to begin.
        line: number of the line before.
        offset: of the block's first byte.
        n: how many games there are.
        most: how many games there may be.
        t: see ``tables``; what is known of keys and unknown fields is kept there.
        games, seats, text, times: see ``layout``; room for all that the block holds.

    Returns:
        (where the next line begins, number of the line before it, games).
    """
    end = len(block)
    room = len(seats) // layout.SEAT - 1 - layout.MOST_SEATS
    while at < end and n < most and games[n * layout.GAME + layout.SEATS_AT] <= room:
        i = after_blank(block, at)
        if block[i] != 10:
            g = n * layout.GAME
            _begin(g, t, games)
            i = _read_game(block, i, g, t, games, seats, text, times)
            if i < 0 or not _finish(g, t, games, seats, text):
                break
            games[g + layout.LINE] = line + 1
            games[g + layout.OFFSET] = offset + at
            n += 1
        at = i + 1
        line += 1
    return at, line, n


@kernel
def _begin(g: int, t: Ints, games: Ints) -> None:
    """Makes the game at ``g`` one that says nothing."""
    for field in range(layout.PRESENT):
        games[g + layout.GAME + field] = games[g + field]
    for field in range(layout.START, layout.GAME):
        games[g + field] = ABSENT
    games[g + layout.START_ZONE] = 0
    games[g + layout.END_ZONE] = 0
    games[g + layout.RECORDED_END] = 0
    games[g + layout.KOU] = -1
    for note in range(tables.NOTES):
        t[note] = 0
    t[tables.PER_SEAT] = -1


@kernel
def _read_game(
    block: Ints, i: int, g: int, t: Ints, games: Ints, seats: Ints, text: Ints, times: Ints
) -> int:
    """Reads one game; returns where its newline is."""
    if block[i] != 123:
        return -1
    i = after_blank(block, i + 1)
    seen = 0
    word = -1
    has_more = True
    while has_more:
        start = i + 1
        i, word, stop = _read_key(block, i, tables.FOLLOW + word + 1, t)
        if i < 0:
            return -1
        if word < 0 or word > tables.RESULT:
            i = _pass_unknown(block, i, start, stop, tables.IN_GAME, tables.MET, t)
        elif seen >> word & 1:
            return -1
        else:
            seen |= 1 << word
            if block[i] == 110:  # "n" of null
                i = after_null(block, i)
            else:
                t[tables.GIVEN] |= 1 << word
                i = _read_field(block, i, g, word, t, games, seats, text, times)
        i, has_more = _after_member(block, i)
        if i < 0:
            return -1
    i = after_blank(block, i)
    return i if block[i] == 10 else -1


@kernel
def _read_field(
    block: Ints,
    i: int,
    g: int,
    word: int,
    t: Ints,
    games: Ints,
    seats: Ints,
    text: Ints,
    times: Ints,
) -> int:
    """Reads the value of a field of the game."""
    if word <= tables.ACTIONS:
        return _read_text(block, i, g, word, t, games, text)
    if word == tables.SEATS:
        return _read_seats(block, i, g, t, games, seats, text)
    if word == tables.RESULT:
        return _read_result(block, i, g, t, games, seats)
    if word == tables.TIMES:
        return _read_times(block, i, g, games, times)
    if word == tables.START:
        return _read_moment(block, i, g + layout.START, t, games)
    if word == tables.END:
        return _read_moment(block, i, g + layout.END, t, games)
    if word == tables.GAME:
        i, value = _read_word(block, i, t)
        return i if value == tables.SHUANGKOU else -1
    return _read_number(block, i, g, word, games)


@kernel
def _read_text(block: Ints, i: int, g: int, word: int, t: Ints, games: Ints, text: Ints) -> int:
    """Reads a string, or a list of strings, into the text row of the same number."""
    row = word * t[tables.WIDTH]
    to = row + games[g + word]
    if word <= layout.CLIENT:
        i, to = copy_string(block, i, t, STOPS, text, to)
    else:
        i, to, count = copy_strings(block, i, t, LIST_STOPS, text, to)
        if word == tables.ACTIONS:
            t[tables.ACTION_COUNT] = count
    games[g + layout.GAME + word] = to - row
    return i


@kernel
def _read_number(block: Ints, i: int, g: int, word: int, games: Ints) -> int:
    """Reads v, first or base."""
    i, value = read_int(block, i)
    if word == tables.V:
        return i if value == 1 else -1
    if word == tables.FIRST:
        games[g + layout.FIRST] = value
        return i
    games[g + layout.BASE] = value
    return i if 1 <= value <= MAX_BASE else -1


@kernel
def _read_moment(block: Ints, i: int, at: int, t: Ints, games: Ints) -> int:
    """Reads a time into ``games[at]`` and its zone into the next place."""
    stop = after_plain(block, i, t, STOPS)
    if stop < 0:
        return -1
    state, games[at], games[at + 1] = read_moment(block, i + 1, stop - 1)
    return stop if state == RIGHT else -1


@kernel
def _read_word(block: Ints, i: int, t: Ints) -> tuple[int, int]:
    """(place behind a string, its number among the words)."""
    stop = after_plain(block, i, t, STOPS)
    if stop < 0:
        return -1, -1
    return stop, find_word(block, i + 1, stop - 1, t)


@kernel
def _read_times(block: Ints, i: int, g: int, games: Ints, times: Ints) -> int:
    """Reads a list of ints that never fall."""
    if block[i] != 91:
        return -1
    at = games[g + layout.TIMES_AT]
    i = after_blank(block, i + 1)
    if block[i] == 93:
        return i + 1
    least = 0
    while True:
        i, value = read_int(block, i)
        if i < 0 or value < least or value > MAX_TIME:
            return -1
        least = value
        times[at] = value
        at += 1
        i = after_blank(block, i)
        if block[i] != 44:
            break
        i = after_blank(block, i + 1)
    games[g + layout.GAME + layout.TIMES_AT] = at
    return i + 1 if block[i] == 93 else -1


@kernel
def _read_seats(block: Ints, i: int, g: int, t: Ints, games: Ints, seats: Ints, text: Ints) -> int:
    """Reads a list of at least one and at most MOST_SEATS seats."""
    if block[i] != 91:
        return -1
    k = games[g + layout.SEATS_AT]
    most = k + layout.MOST_SEATS
    while k < most:
        i = after_blank(block, i + 1)
        i = _read_seat(block, i, k * layout.SEAT, t, seats, text)
        if i < 0:
            return -1
        k += 1
        i = after_blank(block, i)
        if block[i] == 93:
            games[g + layout.GAME + layout.SEATS_AT] = k
            return i + 1
        if block[i] != 44:
            return -1
    return -1


@kernel
def _read_seat(block: Ints, i: int, s: int, t: Ints, seats: Ints, text: Ints) -> int:
    """Reads one seat."""
    if block[i] != 123:
        return -1
    i = after_blank(block, i + 1)
    t[tables.MET_IN_SEAT] = 0
    seen = 0
    word = -1
    has_more = True
    while has_more:
        start = i + 1
        i, word, stop = _read_key(block, i, tables.FOLLOW_IN_SEAT + word + 1, t)
        if i < 0 or (word >= 0 and seen >> word & 1):
            return -1
        if word == tables.PLAYER:
            seen |= 1 << word
            row = layout.PLAYER * t[tables.WIDTH]
            i, to = copy_string(block, i, t, STOPS, text, row + seats[s + layout.PLAYER_AT])
            seats[s + layout.SEAT + layout.PLAYER_AT] = to - row
        elif word == tables.BALANCE:
            seen |= 1 << word
            i, value = read_int(block, i)
            seats[s + layout.BALANCE] = value
            if value < -MAX_BALANCE or value > MAX_BALANCE:
                return -1
        else:
            i = _pass_unknown(block, i, start, stop, tables.IN_SEAT, tables.MET_IN_SEAT, t)
        i, has_more = _after_member(block, i)
    t[tables.MET] |= t[tables.MET_IN_SEAT]
    return i if seen == _SEAT_NEEDED else -1


@kernel
def _read_result(block: Ints, i: int, g: int, t: Ints, games: Ints, seats: Ints) -> int:
    """Reads what the house recorded."""
    if block[i] != 123:
        return -1
    i = after_blank(block, i + 1)
    if block[i] == 125:
        return i + 1
    seen = 0
    word = -1
    has_more = True
    while has_more:
        start = i + 1
        i, word, stop = _read_key(block, i, tables.FOLLOW_IN_RESULT + word + 1, t)
        if i < 0 or (word >= 0 and seen >> word & 1):
            return -1
        if word != tables.END and (word < tables.WINNER or word > tables.DOUBLING):
            i = _pass_unknown(block, i, start, stop, tables.IN_RESULT, tables.MET, t)
        else:
            seen |= 1 << word
            if block[i] == 110:  # "n" of null
                i = after_null(block, i)
            else:
                t[tables.PARTS] |= 1 << word
                i = _read_part(block, i, g, word, t, games, seats)
        i, has_more = _after_member(block, i)
    return i


@kernel
def _read_part(block: Ints, i: int, g: int, word: int, t: Ints, games: Ints, seats: Ints) -> int:
    """Reads one part of the result."""
    if tables.PLACES <= word <= tables.BALANCE:
        s = games[g + layout.SEATS_AT] * layout.SEAT
        return _read_per_seat(block, i, s + word + _PART, t, seats)
    if word == tables.WINNER or word == tables.DOUBLING:
        i, value = read_int(block, i)
        games[g + (layout.WINNER if word == tables.WINNER else layout.DOUBLING)] = value
        return i
    i, value = _read_word(block, i, t)
    if word == tables.END:
        games[g + layout.RECORDED_END] = value - tables.OUT + 1
        return i if value == tables.OUT or value == tables.ESCAPE else -1
    games[g + layout.KOU] = value - tables.PING
    return i if tables.PING <= value <= tables.SHUANG else -1


@called_kernel
def _read_per_seat(block: Ints, i: int, at: int, t: Ints, seats: Ints) -> int:
    """Reads a list of ints, one a seat, the first into ``seats[at]``."""
    if block[i] != 91:
        return -1
    count = 0
    while count < layout.MOST_SEATS:
        i = after_blank(block, i + 1)
        i, value = read_int(block, i)
        if i < 0:
            return -1
        seats[at + count * layout.SEAT] = value
        count += 1
        i = after_blank(block, i)
        if block[i] != 44:
            break
    if t[tables.PER_SEAT] < 0:
        t[tables.PER_SEAT] = count
    return i + 1 if block[i] == 93 and t[tables.PER_SEAT] == count else -1


@kernel
def _read_key(block: Ints, i: int, context: int, t: Ints) -> tuple[int, int, int]:
    """(place of the value or -1, number of the key, where the key ends).

    Logs have the same keys in the same order in every line: the one that came last
    time in this context, ``t[context]``, is tried first.
    """
    word = t[context]
    stop = i + 1 + t[tables.LENGTH + word]
    is_foretold = (
        i + 8 < len(block)
        and block[i] == 34
        and eight_bytes(block, i + 1) & t[tables.MASK + word] == t[tables.MARK + word]
    )
    if not is_foretold:
        stop = after_plain(block, i, t, STOPS) - 1
        if stop < 0:
            return -1, -1, 0
        word = find_word(block, i + 1, stop, t)
        if word >= 0:
            t[context] = word
    i = after_blank(block, stop + 1)
    if block[i] != 58:
        return -1, -1, 0
    return after_blank(block, i + 1), word, stop


@kernel
def _after_member(block: Ints, i: int) -> tuple[int, bool]:
    """(place behind a comma, True) or (place behind the object, False) or (-1, False)."""
    if i < 0:
        return -1, False
    i = after_blank(block, i)
    if block[i] == 44:
        return after_blank(block, i + 1), True
    return i + 1 if block[i] == 125 else -1, False


@called_kernel
def _pass_unknown(
    block: Ints, i: int, start: int, stop: int, where: int, note: int, t: Ints
) -> int:
    """Passes over the value of an unknown field that was met before, and notes it."""
    at = t[tables.UNKNOWN]
    for u in range(t[tables.UNKNOWN_COUNT]):
        if t[at + tables.WHERE] == where and equals(
            block, start, stop, t, t[at + tables.NAME], t[at + tables.NAME_END]
        ):
            if t[note] >> u & 1:
                return -1
            t[note] |= 1 << u
            return after_value(block, i, t, STOPS)
        at += tables.FIELD
    return -1


@kernel
def _finish(g: int, t: Ints, games: Ints, seats: Ints, text: Ints) -> bool:
    """Whether the fields of a game fit together; if so, writes what is left of its row."""
    given = t[tables.GIVEN]
    after = g + layout.GAME
    first = games[g + layout.SEATS_AT]
    count = games[after + layout.SEATS_AT] - first
    if given & _NEEDED != _NEEDED or not 0 <= games[g + layout.FIRST] < count:
        return False
    if games[g + layout.ID] == games[after + layout.ID]:
        return False
    times = games[after + layout.TIMES_AT] - games[g + layout.TIMES_AT]
    if given >> tables.TIMES & 1 and times != t[tables.ACTION_COUNT]:
        return False
    if t[tables.PER_SEAT] >= 0 and t[tables.PER_SEAT] != count:
        return False
    rule = _find_rule(g, t, games, text)
    if rule < 0 or (t[rule + tables.IS_GIVEN] == 1 and given >> tables.BASE & 1 == 0):
        return False
    games[g + layout.RULES_IX] = t[rule + tables.RULES_IX]
    games[g + layout.PRESENT] = given & _TEXTS
    for word in range(tables.PLACES, tables.BALANCE + 1):
        if t[tables.PARTS] >> word & 1 == 0:
            for seat in range(first, first + count):
                seats[seat * layout.SEAT + word + _PART] = ABSENT
    _count_unknown(t)
    return True


@called_kernel
def _find_rule(g: int, t: Ints, games: Ints, text: Ints) -> int:
    """Where in ``t`` the ruleset stands that a game names at its start, or -1."""
    start = games[g + layout.START]
    row = layout.RULES * t[tables.WIDTH]
    name = row + games[g + layout.RULES]
    name_end = row + games[g + layout.GAME + layout.RULES]
    rule = t[tables.RULES]
    for _ in range(t[tables.RULES_COUNT]):
        since = t[rule + tables.SINCE]
        is_then = since <= start and (start < t[rule + tables.UNTIL] or start == since)
        if is_then and equals(
            text, name, name_end, t, t[rule + tables.NAME], t[rule + tables.NAME_END]
        ):
            return rule
        rule += tables.RULE
    return -1


@called_kernel
def _count_unknown(t: Ints) -> None:
    """Counts the unknown fields that were met in a game."""
    met = t[tables.MET]
    at = t[tables.UNKNOWN] + tables.COUNT
    while met:
        t[at] += met & 1
        met >>= 1
        at += tables.FIELD
