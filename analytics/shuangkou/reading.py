"""Reading cards for people: text in, what they are read as out.

The kernels of ``melds`` do the work; this is their door for the command line and
for notebooks. Source: rules clause 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    is_bomb,
    strongest,
    wild_jokers,
)

Int64s = npt.NDArray[np.int64]


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
    """Every meld that the cards can be declared as, with the ranks of the wild jokers.

    Strongest first; of several declarations of one meld the first in order of ranks.
    Cards without wild jokers have one reading at most, with "" for the ranks.
    """
    row = rulebook.rows[rules_ix]
    counts = _counts(cards)
    led = _strongest(counts, row, NO_MELD)
    wild = int(wild_jokers(counts, row))
    if led.kind == NO_KIND:
        return []
    if wild == 0 or not counts[:NATURAL_RANKS].any():
        return [(led, "")]
    found: dict[Meld, str] = {}
    for ranks in _rank_sets(wild):
        declared = counts.copy()
        declared[SMALL_JOKER] = declared[BIG_JOKER] = 0
        for rank in ranks:
            declared[rank] += 1
        meld = _strongest(declared, row, NO_MELD)
        if meld.kind != NO_KIND:
            found.setdefault(meld, "".join(rank_text(rank) for rank in ranks))
    return sorted(found.items(), key=lambda item: _rank_of_reading(item[0]), reverse=True)


def _rank_of_reading(meld: Meld) -> tuple[bool, int, int, int]:
    """Clause 3.3: bombs first, the stronger, more groups; else higher top, later kind."""
    return (is_bomb(meld.kind), meld.strength, meld.groups, meld.kind)


def _rank_sets(wild: int) -> list[tuple[int, ...]]:
    """The ranks that so many wild jokers can stand for, order left out (clause 3.1)."""
    from itertools import combinations_with_replacement

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
