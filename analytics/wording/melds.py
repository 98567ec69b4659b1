"""A meld in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from analytics.cards import NATURAL_RANKS, RANK_TEXT
from analytics.wording.words import Words

# Cards per rank of the kinds that are runs (rules clause 3).
_PER_RANK: Final = {"straight": 1, "pair_run": 2, "triple_run": 3}


def meld_in_words(meld: Mapping[str, Any] | None, words: Words) -> str:
    """A meld as people call it, for instance ``straight 5–9``.

    Args:
        meld: kind, size, top, groups and xiang, as findings and JSON have them; None is
            a pass.
        words: of the language, and of the house.

    Raises:
        KeyError: a field is missing, or there is no such kind.

    >>> king = {"kind": "bomb", "size": 5, "top": "K", "groups": None, "xiang": 5}
    >>> meld_in_words(king, Words("en")), meld_in_words(king, Words("zh"))
    ('bomb of Ks, 5 xiang', '5相炸弹 K')
    >>> meld_in_words({**king, "kind": "pair_run", "size": 6}, Words("zh", {"pair_run": "双顺"}))
    '双顺 J–K'
    >>> meld_in_words(None, Words("en"))
    'pass'
    """
    if meld is None:
        return words.word("action.pass")
    kind, top = meld["kind"], meld["top"]
    high = rank_in_words(top or "", words)
    low = rank_in_words(_low(meld), words) if _shape(meld) in ("run", "chain") else ""
    return words.said(
        f"meld.{_shape(meld)}",
        kind=words.word(f"kind.{kind}"),
        rank=high,
        low=low,
        high=high,
        size=meld["size"],
        xiang=meld["xiang"],
    )


def rank_in_words(rank: str, words: Words) -> str:
    """A rank as people write it.

    >>> rank_in_words("T", Words("en")), rank_in_words("BJ", Words("zh"))
    ('10', '大王')
    """
    key = f"rank.{rank}"
    return words.word(key) if key in words.texts.words else rank


def _shape(meld: Mapping[str, Any]) -> str:
    """Which text fits."""
    if meld["top"] is None:
        return "jokers"
    if meld["kind"] in _PER_RANK:
        return "run"
    return meld["kind"] if meld["kind"] in ("bomb", "chain") else "rank"


def _low(meld: Mapping[str, Any]) -> str:
    """The first rank of a run; a cyclic chain may begin with a high one (rules clause 4)."""
    ranks = meld["groups"] or meld["size"] // _PER_RANK[meld["kind"]]
    return RANK_TEXT[(RANK_TEXT.index(meld["top"]) - ranks + 1) % NATURAL_RANKS]
