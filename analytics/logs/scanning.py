"""The reading kernel: lines of JSON straight into columns.

It is the fast path beside ``explaining``: it takes a line only where it is
beyond doubt that the explaining path takes it too, with the same columns. On
any other line it stops, and that line is explained.

Every function that reads gives the place behind what it read, or -1 where the
line is better explained. ``notes`` holds what is known of the line at hand.
"""

from __future__ import annotations

from typing import Final

from analytics.compiled import kernel
from analytics.logs import layout, words
from analytics.logs.batch import ABSENT
from analytics.logs.flaws import MAX_BALANCE, MAX_BASE, MAX_TIME
from analytics.logs.moments import RIGHT, read_moment
from analytics.logs.tokens import (
    after_blank,
    after_null,
    after_plain,
    after_value,
    copy_string,
    copy_strings,
    read_int,
)
from analytics.logs.words import equals, find_word

MOST_UNKNOWN: Final = 60  # names of unknown fields that are told apart: bits of an int

# Where an unknown field stands.
IN_GAME: Final = 0
IN_SEAT: Final = 1
IN_RESULT: Final = 2

# What the rows of unknown names say, beside FROM and TO.
WHERE: Final = 2
COUNT: Final = 3

# What the rows of rulesets say, beside FROM and TO.
SINCE: Final = 2
UNTIL: Final = 3
RULES_IX: Final = 4
IS_GIVEN: Final = 5

# Places in ``notes``.
GIVEN: Final = 0  # bit w: word w has a value
ACTIONS: Final = 1  # how many
PARTS: Final = 2  # bit w: part w of the result has a value
PER_SEAT: Final = 3  # entries of each list in the result; -1 before the first
UNKNOWN: Final = 4  # bit u: unknown name u was met
NOTES: Final = 5

_TEXTS: Final = (1 << layout.PLAYER) - 1  # bits of the words that are texts of a game
_NEEDED: Final = (
    1 << layout.ID
    | 1 << layout.RULES
    | 1 << words.HANDS
    | 1 << words.ACTIONS
    | 1 << words.V
    | 1 << words.GAME
    | 1 << words.SEATS
    | 1 << words.FIRST
)
_PART: Final = layout.PLACES - words.PLACES  # from a word's number to its place in a row


@kernel
def scan_lines(
    block, at, line, offset, n, most, stops, list_stops, word_chars, word_rows,
    rule_chars, rule_rows, unknown_chars, unknown_rows,
    games, seats, text, width, times, notes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Reads lines into columns, up to the first that is better explained.

    Args:
        block: whole lines; the last byte is a newline.
        at: where to begin.
        line: number of the line before.
        offset: of the block's first byte.
        n, most: how many games there are, and how many there may be.
        stops, list_stops: see ``tokens``; the latter stops at ``;`` as well.
        word_chars, word_rows: ``words.word_table()``.
        rule_chars, rule_rows: the rulesets found so far.
        unknown_chars, unknown_rows: the unknown fields met so far; counted here.
        games, seats, text, times: see ``layout``.
        width: of a row of ``text``.
        notes: int64 ``(NOTES,)``, to be used.

    Returns:
        (where the next line begins, number of the line before it, games).
    """
    end = len(block)
    room = len(seats) // layout.SEAT - 1 - layout.MOST_SEATS
    while at < end and n < most and games[n * layout.GAME + layout.SEATS_AT] <= room:
        g = n * layout.GAME
        i = after_blank(block, at)
        if block[i] != 10:
            _begin(games, g, notes)
            i = _scan_game(
                block, i, g, stops, list_stops, word_chars, word_rows,
                unknown_chars, unknown_rows, games, seats, text, width, times, notes,
            )  # fmt: skip
            if i < 0 or not _finish(g, text, width, rule_chars, rule_rows, games, seats, notes):
                break
            _count(unknown_rows, notes)
            games[g + layout.LINE] = line + 1
            games[g + layout.OFFSET] = offset + at
            n += 1
        at = i + 1
        line += 1
    return at, line, n


@kernel
def _begin(games, g, notes):  # type: ignore[no-untyped-def]
    """Makes the game at ``g`` one that says nothing."""
    for field in range(layout.PRESENT):
        games[g + layout.GAME + field] = games[g + field]
    for field in range(layout.START, layout.GAME):
        games[g + field] = ABSENT
    games[g + layout.START_ZONE] = 0
    games[g + layout.END_ZONE] = 0
    games[g + layout.RECORDED_END] = 0
    games[g + layout.KOU] = -1
    for note in range(NOTES):
        notes[note] = 0
    notes[PER_SEAT] = -1


@kernel
def _scan_game(
    block, i, g, stops, list_stops, word_chars, word_rows,
    unknown_chars, unknown_rows, games, seats, text, width, times, notes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Reads one game into the row at ``g``; returns where its newline is."""
    if block[i] != 123:
        return -1
    i = after_blank(block, i + 1)
    seen = 0
    has_more = True
    while has_more:
        i, word, start, stop = _read_key(block, i, stops, word_chars, word_rows)
        if i < 0:
            return -1
        if word < 0 or word > words.RESULT:
            i, notes[UNKNOWN] = _pass_unknown(
                block, i, start, stop, IN_GAME, notes[UNKNOWN], stops, unknown_chars, unknown_rows
            )
        elif seen >> word & 1:
            return -1
        elif block[i] == 110:  # "n" of null
            i = after_null(block, i)
        else:
            notes[GIVEN] |= 1 << word
            i = _read_field(
                block, i, g, word, stops, list_stops, word_chars, word_rows,
                unknown_chars, unknown_rows, games, seats, text, width, times, notes,
            )  # fmt: skip
        if word >= 0:
            seen |= 1 << word
        i, has_more = _after_member(block, i)
        if i < 0:
            return -1
    i = after_blank(block, i)
    return i if block[i] == 10 else -1


@kernel
def _read_field(
    block, i, g, word, stops, list_stops, word_chars, word_rows,
    unknown_chars, unknown_rows, games, seats, text, width, times, notes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Reads the value of a field of the game."""
    if word <= words.ACTIONS:
        return _read_text(block, i, g, word, stops, list_stops, games, text, width, notes)
    if word == words.SEATS:
        return _read_seats(
            block, i, g, stops, word_chars, word_rows, unknown_chars, unknown_rows,
            games, seats, text, width, notes,
        )  # fmt: skip
    if word == words.RESULT:
        return _read_result(
            block, i, g, stops, word_chars, word_rows, unknown_chars, unknown_rows,
            games, seats, notes,
        )  # fmt: skip
    if word == words.TIMES:
        return _read_times(block, i, g, games, times)
    if word == words.START:
        return _read_moment(block, i, g + layout.START, stops, games)
    if word == words.END:
        return _read_moment(block, i, g + layout.END, stops, games)
    if word == words.GAME:
        i, value = _read_word(block, i, stops, word_chars, word_rows)
        return i if value == words.SHUANGKOU else -1
    return _read_number(block, i, g, word, games)


@kernel
def _read_text(block, i, g, word, stops, list_stops, games, text, width, notes):  # type: ignore[no-untyped-def]
    """Reads a string, or a list of strings, into the text row of the same number."""
    row = word * width
    if word <= layout.CLIENT:
        i, to = copy_string(block, i, stops, text, row + games[g + word])
    else:
        i, to, count = copy_strings(block, i, list_stops, text, row + games[g + word])
        if word == words.ACTIONS:
            notes[ACTIONS] = count
    games[g + layout.GAME + word] = to - row
    return i


@kernel
def _read_number(block, i, g, word, games):  # type: ignore[no-untyped-def]
    """Reads v, first or base."""
    i, value = read_int(block, i)
    if word == words.V:
        return i if value == 1 else -1
    if word == words.FIRST:
        games[g + layout.FIRST] = value
        return i
    games[g + layout.BASE] = value
    return i if 1 <= value <= MAX_BASE else -1


@kernel
def _read_moment(block, i, at, stops, games):  # type: ignore[no-untyped-def]
    """Reads a time into ``games[at]`` and its zone into the next place."""
    stop = after_plain(block, i, stops)
    if stop < 0:
        return -1
    state, games[at], games[at + 1] = read_moment(block, i + 1, stop - 1)
    return stop if state == RIGHT else -1


@kernel
def _read_word(block, i, stops, word_chars, word_rows):  # type: ignore[no-untyped-def]
    """(place behind a string, its number among the words)."""
    stop = after_plain(block, i, stops)
    if stop < 0:
        return -1, -1
    return stop, find_word(block, i + 1, stop - 1, word_chars, word_rows)


@kernel
def _read_times(block, i, g, games, times):  # type: ignore[no-untyped-def]
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
def _read_seats(
    block, i, g, stops, word_chars, word_rows, unknown_chars, unknown_rows,
    games, seats, text, width, notes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Reads a list of at least one and at most MOST_SEATS seats."""
    if block[i] != 91:
        return -1
    k = games[g + layout.SEATS_AT]
    most = k + layout.MOST_SEATS
    while k < most:
        i = after_blank(block, i + 1)
        i = _read_seat(
            block, i, k * layout.SEAT, stops, word_chars, word_rows,
            unknown_chars, unknown_rows, seats, text, width, notes,
        )  # fmt: skip
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
def _read_seat(
    block, i, s, stops, word_chars, word_rows, unknown_chars, unknown_rows,
    seats, text, width, notes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Reads one seat into the row at ``s``."""
    if block[i] != 123:
        return -1
    i = after_blank(block, i + 1)
    seen = met = 0
    has_more = True
    while has_more:
        i, word, start, stop = _read_key(block, i, stops, word_chars, word_rows)
        if i < 0 or (word >= 0 and seen >> word & 1):
            return -1
        if word == words.PLAYER:
            row = layout.PLAYER * width
            i, to = copy_string(block, i, stops, text, row + seats[s + layout.PLAYER_AT])
            seats[s + layout.SEAT + layout.PLAYER_AT] = to - row
            seen |= 1 << word
        elif word == words.BALANCE:
            i, value = read_int(block, i)
            if value < -MAX_BALANCE or value > MAX_BALANCE:
                return -1
            seats[s + layout.BALANCE] = value
            seen |= 1 << word
        else:
            i, met = _pass_unknown(
                block, i, start, stop, IN_SEAT, met, stops, unknown_chars, unknown_rows
            )
        i, has_more = _after_member(block, i)
        if i < 0:
            return -1
    notes[UNKNOWN] |= met
    return i if seen == 1 << words.PLAYER | 1 << words.BALANCE else -1


@kernel
def _read_result(
    block, i, g, stops, word_chars, word_rows, unknown_chars, unknown_rows, games, seats, notes
):  # type: ignore[no-untyped-def]
    """Reads what the house recorded."""
    if block[i] != 123:
        return -1
    i = after_blank(block, i + 1)
    if block[i] == 125:
        return i + 1
    seen = 0
    has_more = True
    while has_more:
        i, word, start, stop = _read_key(block, i, stops, word_chars, word_rows)
        if i < 0 or (word >= 0 and seen >> word & 1):
            return -1
        if word != words.END and (word < words.WINNER or word > words.DOUBLING):
            i, notes[UNKNOWN] = _pass_unknown(
                block, i, start, stop, IN_RESULT, notes[UNKNOWN], stops,
                unknown_chars, unknown_rows,
            )  # fmt: skip
        else:
            seen |= 1 << word
            if block[i] == 110:
                i = after_null(block, i)
            else:
                notes[PARTS] |= 1 << word
                i = _read_part(
                    block, i, g, word, stops, word_chars, word_rows, games, seats, notes
                )
        i, has_more = _after_member(block, i)
        if i < 0:
            return -1
    return i


@kernel
def _read_part(
    block, i, g, word, stops, word_chars, word_rows, games, seats, notes
):  # type: ignore[no-untyped-def]
    """Reads one part of the result."""
    if words.PLACES <= word <= words.BALANCE:
        s = games[g + layout.SEATS_AT] * layout.SEAT
        return _read_per_seat(block, i, s + word + _PART, seats, notes)
    if word == words.WINNER:
        i, games[g + layout.WINNER] = read_int(block, i)
        return i
    if word == words.DOUBLING:
        i, games[g + layout.DOUBLING] = read_int(block, i)
        return i
    i, value = _read_word(block, i, stops, word_chars, word_rows)
    if word == words.END:
        games[g + layout.RECORDED_END] = value - words.OUT + 1
        return i if value == words.OUT or value == words.ESCAPE else -1
    games[g + layout.KOU] = value - words.PING
    return i if words.PING <= value <= words.SHUANG else -1


@kernel
def _read_per_seat(block, i, at, seats, notes):  # type: ignore[no-untyped-def]
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
    if notes[PER_SEAT] < 0:
        notes[PER_SEAT] = count
    return i + 1 if block[i] == 93 and notes[PER_SEAT] == count else -1


@kernel
def _read_key(block, i, stops, word_chars, word_rows):  # type: ignore[no-untyped-def]
    """(place of the value or -1, number of the key, where the key begins and ends)."""
    stop = after_plain(block, i, stops)
    if stop < 0:
        return -1, -1, 0, 0
    word = find_word(block, i + 1, stop - 1, word_chars, word_rows)
    start = i + 1
    i = after_blank(block, stop)
    if block[i] != 58:
        return -1, -1, 0, 0
    return after_blank(block, i + 1), word, start, stop - 1


@kernel
def _after_member(block, i):  # type: ignore[no-untyped-def]
    """(place behind a comma, True) or (place behind the object, False) or (-1, False)."""
    if i < 0:
        return -1, False
    i = after_blank(block, i)
    if block[i] == 44:
        return after_blank(block, i + 1), True
    return i + 1 if block[i] == 125 else -1, False


@kernel
def _pass_unknown(
    block, i, start, stop, where, met, stops, unknown_chars, unknown_rows
):  # type: ignore[no-untyped-def]
    """(place behind the value of an unknown field, the names met in this object)."""
    for u in range(len(unknown_rows[WHERE])):
        if unknown_rows[WHERE][u] == where and equals(
            block, start, stop, unknown_chars, unknown_rows[words.FROM][u], unknown_rows[words.TO][u]
        ):
            if met >> u & 1:
                return -1, met
            return after_value(block, i, stops), met | 1 << u
    return -1, met


@kernel
def _finish(g, text, width, rule_chars, rule_rows, games, seats, notes):  # type: ignore[no-untyped-def]
    """Whether the fields of the game at ``g`` fit together; fills what is left to be said."""
    given = notes[GIVEN]
    after = g + layout.GAME
    first = games[g + layout.SEATS_AT]
    count = games[after + layout.SEATS_AT] - first
    if given & _NEEDED != _NEEDED or not 0 <= games[g + layout.FIRST] < count:
        return False
    if games[g + layout.ID] == games[after + layout.ID]:
        return False
    if given >> words.TIMES & 1:
        if games[after + layout.TIMES_AT] - games[g + layout.TIMES_AT] != notes[ACTIONS]:
            return False
    if notes[PER_SEAT] >= 0 and notes[PER_SEAT] != count:
        return False
    rule = _find_rule(g, text, width, rule_chars, rule_rows, games)
    if rule < 0 or (rule_rows[IS_GIVEN][rule] == 1 and given >> words.BASE & 1 == 0):
        return False
    games[g + layout.RULES_IX] = rule_rows[RULES_IX][rule]
    games[g + layout.PRESENT] = given & _TEXTS
    for word in range(words.PLACES, words.BALANCE + 1):
        if notes[PARTS] >> word & 1 == 0:
            for seat in range(first, first + count):
                seats[seat * layout.SEAT + word + _PART] = ABSENT
    return True


@kernel
def _find_rule(g, text, width, rule_chars, rule_rows, games):  # type: ignore[no-untyped-def]
    """Which of the rulesets found so far the game at ``g`` names at its start, or -1."""
    start = games[g + layout.START]
    name = layout.RULES * width + games[g + layout.RULES]
    name_end = layout.RULES * width + games[g + layout.GAME + layout.RULES]
    for rule in range(len(rule_rows[SINCE])):
        since = rule_rows[SINCE][rule]
        if since <= start and (start < rule_rows[UNTIL][rule] or start == since):
            if equals(
                text, name, name_end,
                rule_chars, rule_rows[words.FROM][rule], rule_rows[words.TO][rule],
            ):  # fmt: skip
                return rule
    return -1


@kernel
def _count(unknown_rows, notes):  # type: ignore[no-untyped-def]
    """Counts the unknown names that were met in a game."""
    met = notes[UNKNOWN]
    u = 0
    while met:
        unknown_rows[COUNT][u] += met & 1
        met >>= 1
        u += 1
