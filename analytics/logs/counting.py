"""How many strings there are in texts that are joined by ``;``."""

from __future__ import annotations

from typing import Final

from analytics.compiled import Ints, quick_kernel

_SEPARATOR: Final = ord(";")


@quick_kernel
def count_strings(chars: Ints, at: Ints, counts: Ints) -> None:
    """Counts the strings of texts that are joined by ``;`` (entry kernel).

    Args:
        chars, at: the texts, as in ``Texts``.
        counts: zeros, one a text, to be written.
    """
    for i in range(len(counts)):
        start, length = at[i], at[i + 1] - at[i]
        if start >= 0 and length > 0:  # the compiler is to know that no place is negative
            count = 1
            for j in range(length):
                count += int(chars[start + j] == _SEPARATOR)
            counts[i] = count
