"""Fields that the format does not know: picked out of a game, counted, kept, put back.

What is unknown of a game is one object that has the shape of the game itself, so that
nothing moves when it is put back: ``{"vip":1,"seats":[{"nick":"a"},{}],"result":{"rake":5}}``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import msgspec

from analytics.logs.checking import NAMES, RESULT_NAMES, SEAT_NAMES
from analytics.logs.flaws import Flaw
from analytics.logs.parsing import parse

# Names of unknown fields that are counted one by one; a log that makes up new ones in
# every line must not fill the memory.
MOST_NAMES: Final = 1000
OTHERS: Final = "…"

_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_SEATS: Final = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])
_RESULT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw] | None)


def unknown_part(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What the format does not know of the fields of a game; empty where that is nothing.

    >>> unknown_part({"vip": 1, "seats": [{"player": "a"}, {"nick": "b"}], "result": {}})
    {'vip': 1, 'seats': [{}, {'nick': 'b'}]}
    """
    found = {name: value for name, value in fields.items() if name not in NAMES}
    seats = [_without(seat, SEAT_NAMES) for seat in fields.get("seats") or ()]
    if any(seats):
        found["seats"] = seats
    if result := _without(fields.get("result") or {}, RESULT_NAMES):
        found["result"] = result
    return found


def names_in(unknown: Mapping[str, Any]) -> set[str]:
    """The general names of the fields in an unknown part.

    >>> sorted(names_in({"vip": 1, "seats": [{"nick": "a"}, {"nick": "b"}], "result": {"x": 1}}))
    ['result.x', 'seats[].nick', 'vip']
    """
    names = unknown.keys() - {"seats", "result"}
    names |= {f"seats[].{name}" for seat in unknown.get("seats", ()) for name in seat}
    return names | {f"result.{name}" for name in unknown.get("result", ())}


def unknown_of_line(line: bytes) -> bytes:
    """The unknown part of a line that ``parse`` takes, every value as it stands there.

    >>> unknown_of_line(b'{"v": 1, "vip": 1.0, "seats": [{"x": [1,  2]}]}')
    b'{"vip":1.0,"seats":[{"x":[1,  2]}]}'
    """
    return msgspec.json.encode(unknown_part(_opened(_OBJECT.decode(line))))


def kept(text: str, seats: int) -> dict[str, Any] | None:
    """The unknown part that was written as text; None: the text is something else.

    Args:
        text: what stands in a column ``extra``, which anybody may have written.
        seats: of the game.

    >>> msgspec.json.encode(kept('{"vip": 1.0}', 2))
    b'{"vip":1.0}'
    >>> kept('{"id": "other"}', 2), kept('{"seats": [{"x": 1}]}', 2), kept("a note", 2)
    (None, None, None)
    """
    raw = text.encode()
    try:
        fields = _opened(_OBJECT.decode(raw))
        if msgspec.json.encode(fields) != raw:  # not written by this program
            parse(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Flaw):
        return None
    is_whole = unknown_part(fields) == fields and len(fields.get("seats", ())) in (0, seats)
    return fields if fields and is_whole else None


def with_unknown(line: bytes, unknown: bytes) -> bytes:
    """A line with its unknown part put back where it stood, behind what is known.

    >>> with_unknown(b'{"v":1,"seats":[{"player":"a"}]}', b'{"seats":[{"x":1}],"result":{"y":2}}')
    b'{"v":1,"seats":[{"player":"a","x":1}],"result":{"y":2}}'
    """
    more = _opened(_OBJECT.decode(unknown))
    seats, result = more.pop("seats", None), more.pop("result", None)
    if seats is None and result is None:  # both are objects: one goes on where the other ends
        return b"%b,%b" % (line[:-1], unknown[1:])
    game = _opened(_OBJECT.decode(line))
    if seats is not None:
        pairs = zip(game["seats"], seats, strict=True)
        game["seats"] = [own | others for own, others in pairs]
    if result is not None:
        game["result"] = (game.get("result") or {}) | result
    return msgspec.json.encode(game | more)


class UnknownNames:
    """How many games have each unknown field; beyond MOST_NAMES, the last by name together.

    Which names are told apart depends on all that was added, not on its order: so the
    counts of parts of a log add up to those of the whole.
    """

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts: Counter[str] = Counter()
        self._others = 0
        self.add_counts(counts or {})

    @property
    def met(self) -> Collection[str]:
        """Names that were met, in the order in which they came; not all of them."""
        return self._counts.keys()

    def add(self, names: Iterable[str]) -> None:
        """One more game has these."""
        self._counts.update(names)
        if len(self._counts) > 2 * MOST_NAMES:
            self._merge()

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """So many more games have each of these; OTHERS stands for any."""
        self._others += counts.get(OTHERS, 0)
        self._counts.update({name: n for name, n in counts.items() if n and name != OTHERS})
        if len(self._counts) > 2 * MOST_NAMES:
            self._merge()

    def counts(self) -> dict[str, int]:
        """The counts in the order of the names; OTHERS is the last."""
        self._merge()
        found = dict(sorted(self._counts.items()))
        return found | {OTHERS: self._others} if self._others else found

    def _merge(self) -> None:
        """Counts together what comes last by name."""
        for name in sorted(self._counts)[MOST_NAMES:]:
            self._others += self._counts.pop(name)


def _opened(fields: Mapping[str, msgspec.Raw]) -> dict[str, Any]:
    """Fields of a game as they stand, those of its seats and its result one by one."""
    found: dict[str, Any] = dict(fields)
    if "seats" in found:
        found["seats"] = _SEATS.decode(found["seats"])
    if "result" in found:
        found["result"] = _RESULT.decode(found["result"])
    return found


def _without(fields: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in known}
