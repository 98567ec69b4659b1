"""The tokens of JSON, for kernels: blanks, strings, ints, and whole values to be skipped.

Each takes a block of bytes whose last byte is a newline, and the place to begin;
each gives the place behind what it took, or -1 where it is not beyond doubt that
a strict reader takes the same. No loop passes a newline, so that none needs to
know where the block ends.

``stops`` is the place of a table of 256 in ``tables``: 0 where a byte stands for
itself inside a string.

Two things make these fast, compiled. Where a loop runs over ``i + j`` and ``i`` is
known not to be negative, the compiler need not let negative indices count from
the end. And each array that a function takes costs seven words a call, so that
all tables are in one.
"""

from __future__ import annotations

from typing import Final

from analytics.compiled import Ints, called_kernel, kernel

_MOST_DIGITS: Final = 18  # every int of 18 digits is an int64; longer ones are left alone
_MOST_NESTED: Final = 50  # below what the explaining path allows (flaws.MAX_DEPTH)


@kernel
def after_blank(block: Ints, i: int) -> int:
    """Where the blanks end that begin here; a newline is none."""
    while block[i] == 32 or block[i] == 9 or block[i] == 13:
        i += 1
    return i


@kernel
def after_null(block: Ints, i: int) -> int:
    """Behind ``null``, or -1."""
    if block[i] == 110 and block[i + 1] == 117 and block[i + 2] == 108 and block[i + 3] == 108:
        return i + 4
    return -1


@called_kernel
def copy_string(
    block: Ints, i: int, tables: Ints, stops: int, out: Ints, to: int
) -> tuple[int, int]:
    """Copies a string, escapes resolved.

    Args:
        i: where its opening quote has to be.
        out, to: where it goes.

    Returns:
        (place behind its closing quote or -1, place behind the copy).
    """
    if block[i] != 34:
        return -1, to
    i += 1
    while True:
        i, to = copy_plain(block, i, tables, stops, out, to)
        if block[i] == 34:
            return i + 1, to
        if block[i] != 92:
            return -1, to
        i, to = _copy_escape(block, i, out, to)
        if i < 0:
            return -1, to


@kernel
def copy_plain(
    block: Ints, i: int, tables: Ints, stops: int, out: Ints, to: int
) -> tuple[int, int]:
    """Copies bytes up to the first that is a stop; returns both places."""
    if i < 0 or to < 0:
        return i, to
    for j in range(len(block) - i):
        c = block[i + j]
        if tables[stops + c] != 0:
            return i + j, to + j
        out[to + j] = c
    return i, to


@kernel
def after_run(block: Ints, i: int, tables: Ints, stops: int) -> int:
    """Where the first byte is that is a stop."""
    if i < 0:
        return i
    for j in range(len(block) - i):
        if tables[stops + block[i + j]] != 0:
            return i + j
    return i


@called_kernel
def _copy_escape(block: Ints, i: int, out: Ints, to: int) -> tuple[int, int]:
    """Writes the UTF-8 of the escape that begins here; returns both places."""
    i, point = read_escape(block, i)
    if i < 0:
        return -1, to
    if point < 0x80:
        out[to] = point
        return i, to + 1
    if point < 0x800:
        out[to] = 0xC0 | point >> 6
        out[to + 1] = 0x80 | point & 63
        return i, to + 2
    if point < 0x10000:
        out[to] = 0xE0 | point >> 12
        out[to + 1] = 0x80 | point >> 6 & 63
        out[to + 2] = 0x80 | point & 63
        return i, to + 3
    out[to] = 0xF0 | point >> 18
    out[to + 1] = 0x80 | point >> 12 & 63
    out[to + 2] = 0x80 | point >> 6 & 63
    out[to + 3] = 0x80 | point & 63
    return i, to + 4


@kernel
def read_escape(block: Ints, i: int) -> tuple[int, int]:
    """(place behind the escape that begins here, or -1; its code point)."""
    c = block[i + 1]
    if c == 34 or c == 92 or c == 47:  # quote, backslash, slash
        return i + 2, c + 0
    if c == 110:  # "n"
        return i + 2, 10
    if c == 116:  # "t"
        return i + 2, 9
    if c == 114:  # "r"
        return i + 2, 13
    if c == 98:  # "b"
        return i + 2, 8
    if c == 102:  # "f"
        return i + 2, 12
    point = _read_hex(block, i + 1)
    if point < 0 or 0xDC00 <= point <= 0xDFFF:
        return -1, 0
    if point < 0xD800 or point > 0xDFFF:
        return i + 6, point
    if block[i + 6] != 92:
        return -1, 0
    low = _read_hex(block, i + 7)
    if low < 0xDC00 or low > 0xDFFF:
        return -1, 0
    return i + 12, 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00)


@kernel
def _read_hex(block: Ints, i: int) -> int:
    """The number that ``uXXXX`` writes, or -1."""
    if block[i] != 117:
        return -1
    value = 0
    for j in range(i + 1, i + 5):
        c = block[j]
        if 48 <= c <= 57:
            value = value * 16 + c - 48
        elif 65 <= c <= 70:
            value = value * 16 + c - 55
        elif 97 <= c <= 102:
            value = value * 16 + c - 87
        else:
            return -1
    return value


@called_kernel
def copy_strings(
    block: Ints, i: int, tables: Ints, stops: int, out: Ints, to: int
) -> tuple[int, int, int]:
    """Copies a list of strings, joined by ``;``.

    Args:
        i: where the list has to begin.
        stops: stops at ``;`` and everything that is not plain text as well.
        out, to: where it goes.

    Returns:
        (place behind the list or -1, place behind the copy, how many strings).
    """
    if block[i] != 91:
        return -1, to, 0
    i = after_blank(block, i + 1)
    if block[i] == 93:
        return i + 1, to, 0
    first = to
    count = 0
    while True:
        if block[i] != 34:
            return -1, to, 0
        i, to = copy_plain(block, i + 1, tables, stops, out, to)
        if block[i] != 34:
            return -1, to, 0
        count += 1
        i = after_blank(block, i + 1)
        if block[i] != 44:
            break
        out[to] = 59
        to += 1
        i = after_blank(block, i + 1)
    if block[i] != 93 or to == first:  # one empty string cannot be joined
        return -1, to, 0
    return i + 1, to, count


@kernel
def read_int(block: Ints, i: int) -> tuple[int, int]:
    """(place behind an int of at most 18 digits, or -1; its value)."""
    is_negative = block[i] == 45
    if is_negative:
        i += 1
    if i < 0:
        return -1, 0
    value = 0
    for j in range(_MOST_DIGITS + 1):
        digit = block[i + j] - 48
        if digit < 0 or digit > 9:
            if j == 0 or (j > 1 and block[i] == 48):
                return -1, 0
            return i + j, -value if is_negative else value
        value = value * 10 + digit
    return -1, 0


@called_kernel
def after_string(block: Ints, i: int, tables: Ints, stops: int) -> int:
    """Behind the string whose opening quote has to be here, or -1."""
    if block[i] != 34:
        return -1
    i += 1
    while True:
        i = after_run(block, i, tables, stops)
        if block[i] == 34:
            return i + 1
        if block[i] != 92:
            return -1
        i, _ = read_escape(block, i)
        if i < 0:
            return -1


@kernel
def after_plain(block: Ints, i: int, tables: Ints, stops: int) -> int:
    """Behind a string without escapes whose opening quote has to be here, or -1."""
    if block[i] != 34:
        return -1
    i = after_run(block, i + 1, tables, stops)
    return i + 1 if block[i] == 34 else -1


@called_kernel
def after_value(block: Ints, i: int, tables: Ints, stops: int) -> int:
    """Behind any value, or -1; so many levels of nesting are left alone."""
    depth = 0
    objects = 0  # bit 0: the innermost open one is an object; bit 1: the one around it ...
    while True:
        is_object = block[i] == 123
        if is_object or block[i] == 91:
            i = after_blank(block, i + 1)
            if block[i] != (125 if is_object else 93):
                depth += 1
                objects = objects << 1 | is_object
                if is_object:
                    i = _after_key(block, i, tables, stops)
                if i < 0 or depth > _MOST_NESTED:
                    return -1
                continue
            i += 1
        else:
            i = _after_scalar(block, i, tables, stops)
        i, depth, objects = _after_ends(block, i, depth, objects, tables, stops)
        if i < 0 or depth == 0:
            return i


@kernel
def _after_ends(
    block: Ints, i: int, depth: int, objects: int, tables: Ints, stops: int
) -> tuple[int, int, int]:
    """Closes what ends behind a value; (place of the next value, depth, objects)."""
    if i < 0:
        return -1, 0, 0
    while depth > 0:
        is_object = objects & 1
        i = after_blank(block, i)
        if block[i] == 44:
            i = after_blank(block, i + 1)
            if is_object:
                i = _after_key(block, i, tables, stops)
            return i, depth, objects
        if block[i] != (125 if is_object else 93):
            return -1, 0, 0
        i += 1
        depth -= 1
        objects >>= 1
    return i, 0, 0


@kernel
def _after_key(block: Ints, i: int, tables: Ints, stops: int) -> int:
    """The place of the value whose key has to begin here, or -1."""
    i = after_string(block, i, tables, stops)
    if i < 0:
        return -1
    i = after_blank(block, i)
    return after_blank(block, i + 1) if block[i] == 58 else -1


@kernel
def _after_scalar(block: Ints, i: int, tables: Ints, stops: int) -> int:
    """Behind a string, number, true, false or null, or -1."""
    c = block[i]
    if c == 34:
        return after_string(block, i, tables, stops)
    if c == 110:
        return after_null(block, i)
    if c == 116:
        is_true = block[i + 1] == 114 and block[i + 2] == 117 and block[i + 3] == 101
        return i + 4 if is_true else -1
    if c == 102:
        is_false = block[i + 1] == 97 and block[i + 2] == 108 and block[i + 3] == 115
        return i + 5 if is_false and block[i + 4] == 101 else -1
    return _after_number(block, i)


@kernel
def _after_number(block: Ints, i: int) -> int:
    """Behind a JSON number, or -1."""
    if block[i] == 45:
        i += 1
    start = i
    i = _after_digits(block, i)
    if i == start or (block[start] == 48 and i - start > 1):
        return -1
    if block[i] == 46:
        start = i + 1
        i = _after_digits(block, start)
        if i == start:
            return -1
    if block[i] == 101 or block[i] == 69:
        start = i + 2 if block[i + 1] == 43 or block[i + 1] == 45 else i + 1
        i = _after_digits(block, start)
        if i == start:
            return -1
    return i


@kernel
def _after_digits(block: Ints, i: int) -> int:
    while 48 <= block[i] <= 57:
        i += 1
    return i


@kernel
def eight_bytes(chars: Ints, i: int) -> int:
    """The eight bytes from ``i`` on as one int64, the first one lowest."""
    if i < 0:
        return 0
    word = 0
    for j in range(8):
        byte = chars[i + j]
        word |= (byte if j < 7 or byte < 128 else byte - 256) << 8 * j
    return word
