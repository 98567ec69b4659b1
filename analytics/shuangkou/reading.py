"""Reading cards for people: text in, what they are read as out.

The kernels of ``melds`` do the work; this is their door for the command line and
for notebooks. Source: rules clause 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
import numpy.typing as npt

from analytics.cards import (
    BIG_JOKER,
    COPIES,
    HAND_SIZE,
    NATURAL_RANKS,
    RANKS,
    SMALL_JOKER,
    parse_faces,
    rank_of,
    rank_text,
)
from analytics.findings import Code
from analytics.rules import Rulebook
from analytics.shuangkou.melds import (
    KIND_NAMES,
    NO_KIND,
    NO_MELD,
    Meld,
    outranks,
    strongest,
    wild_jokers,
)

Int64s = npt.NDArray[np.int64]

_UNHOLDABLE: Final = (Code.DEAL_FACE, Code.DEAL_SIZE, Code.DEAL_COPIES)


@dataclass(frozen=True, slots=True)
class Reading:
    """What cards are read as.

    Attributes:
        meld: the meld that counts; ``NO_MELD`` where there is none.
        error: None, or why not: ``deal.face``, ``deal.size``, ``deal.copies`` (cards that
            nobody can hold), ``play.meld`` or ``play.beat``.
    """

    meld: Meld
    error: Code | None

    def as_json(self) -> dict[str, object]:
        """``{"meld": {...} | None, "error": code | None}``, fields as in the log."""
        error = self.error.text if self.error else None
        return {"meld": meld_json(self.meld), "error": error}


def meld_json(meld: Meld) -> dict[str, object] | None:
    """A meld as kind, size, top, groups, xiang; None for ``NO_MELD``.

    Top is None for joker bombs, groups is None for what is no chain.
    """
    if meld.kind == NO_KIND:
        return None
    return {
        "kind": KIND_NAMES[meld.kind],
        "size": meld.size,
        "top": rank_text(meld.top) if meld.top >= 0 else None,
        "groups": meld.groups or None,
        "xiang": meld.xiang,
    }


def read_cards(cards: str, over: str | None, rulebook: Rulebook, rules_ix: int) -> Reading:
    """What the cards are read as, leading or over other cards.

    Args:
        cards: faces, for instance "5S6S7S8SBJ".
        over: faces on the table, read as led; None when leading.
        rulebook: holds the ruleset.
        rules_ix: which one.
    """
    row = rulebook.rows[rules_ix]
    table = NO_MELD
    if over:
        under = read_cards(over, None, rulebook, rules_ix)
        if under.error:
            return under
        table = under.meld
    fault = _unholdable(cards)
    if fault:
        return Reading(NO_MELD, fault)
    counts = _counts(cards)
    meld = _strongest(counts, row, table)
    if meld.kind != NO_KIND:
        return Reading(meld, None)
    is_meld = _strongest(counts, row, NO_MELD).kind != NO_KIND
    return Reading(NO_MELD, Code.PLAY_BEAT if is_meld else Code.PLAY_MELD)


def all_readings(cards: str, rulebook: Rulebook, rules_ix: int) -> list[tuple[Meld, str]]:
    """Everything that the cards can be declared as: melds, with the ranks of the wild jokers.

    Strongest first; of equal melds the one with the lower ranks. Several declarations may
    give the same meld: an irregular chain is the same whichever of its groups is the
    largest, where the order of bombs does not look at that (clause 4). Cards without
    wild jokers have one reading at most, with "" for the ranks.
    """
    row = rulebook.rows[rules_ix]
    counts = _counts(cards)
    led = _strongest(counts, row, NO_MELD)
    wild = int(wild_jokers(counts, row))
    if led.kind == NO_KIND:
        return []
    if wild == 0 or not counts[:NATURAL_RANKS].any():
        return [(led, "")]
    found = [(_declared(counts, ranks, row), ranks) for ranks in _rank_sets(wild)]
    named = [(m, "".join(map(rank_text, ranks))) for m, ranks in found if m.kind != NO_KIND]
    return sorted(named, key=cmp_to_key(_strongest_first))


def _declared(counts: Int64s, ranks: tuple[int, ...], row: Int64s) -> Meld:
    """What the cards are with the wild jokers as these ranks."""
    declared = counts.copy()
    declared[SMALL_JOKER] = declared[BIG_JOKER] = 0
    for rank in ranks:
        declared[rank] += 1
    return _strongest(declared, row, NO_MELD)


def readings_json(
    cards: str, reading: Reading, rulebook: Rulebook, rules_ix: int
) -> list[dict[str, object]]:
    """Everything that the cards can be declared as, as JSON has it.

    Fields are those of ``meld_json``, with the ranks of the wild jokers in ``declared``
    (None without any), and in ``counts`` whether it is the one that counts: one of them
    where the reading has no error, else none.

    Args:
        cards: as for ``read_cards``.
        reading: what they were read as, leading or following.
        rulebook: holds the ruleset.
        rules_ix: which one.
    """
    if reading.error in _UNHOLDABLE:
        return []
    found = all_readings(cards, rulebook, rules_ix)
    counted = next((at for at, (meld, _) in enumerate(found) if meld == reading.meld), None)
    return [
        {**(meld_json(meld) or {}), "declared": ranks or None, "counts": at == counted}
        for at, (meld, ranks) in enumerate(found)
    ]


def _strongest_first(a: tuple[Meld, str], b: tuple[Meld, str]) -> int:
    """The order of declarations, for sorting."""
    return int(outranks(b[0], a[0])) - int(outranks(a[0], b[0]))


def _rank_sets(wild: int) -> list[tuple[int, ...]]:
    """The ranks that so many wild jokers can stand for, order left out (clause 3.1)."""
    return list(combinations_with_replacement(range(NATURAL_RANKS), wild))


def _unholdable(cards: str) -> Code | None:
    """Why nobody can hold such cards, or None (clause 2)."""
    try:
        faces = parse_faces(cards)
    except ValueError:
        return Code.DEAL_FACE
    if not 1 <= len(faces) <= HAND_SIZE:
        return Code.DEAL_SIZE
    if max(faces.count(face) for face in faces) > COPIES:
        return Code.DEAL_COPIES
    return None


def _counts(cards: str) -> Int64s:
    counts = np.zeros(RANKS, np.int64)
    for face in parse_faces(cards):
        counts[rank_of(face)] += 1
    return counts


def _strongest(counts: Int64s, row: Int64s, over: Meld) -> Meld:
    """Uncompiled, on memoryviews: Python ints, and no waiting for the compiler."""
    return strongest(memoryview(counts.data), memoryview(row.data), over)
