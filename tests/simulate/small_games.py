"""Two small games that verify without a finding, to be altered: as JSON has them.

They are written and settled by hand, so that nothing of the simulator is in them.
"""

from __future__ import annotations

import copy
from typing import Any

Fields = dict[str, Any]

CHAIN = "3S3H3D3C4S4H4D4C5S5H5D5C"  # 7相: three groups of four
_RUN = "7S7H7D8S8H8D9S9H9D"
_LONG_RUN = "6S6H6C7S7H7C8S8H8C9S9H9CTSTHTC"

_TWO: Fields = {
    "v": 1,
    "game": "shuangkou",
    "id": "two",
    "rules": "huopin-wealth",
    "room": "财富场",
    "start": "2026-11-28T20:15:00+08:00",
    "seats": [{"player": "甲", "balance": 125_000}, {"player": "乙", "balance": 99_000}],
    "shown": "2S",
    "first": 0,
    "base": 100,
    "hands": [
        f"{CHAIN}{_RUN}TSJSQSKSAS2S",
        "QH2HADSJTDTHBJ3HKDKCKHKDJHJD8C9C6S6HQDAHAC2D3DTC4H5H7C",
    ],
    "actions": [
        "0 TS", "1 QH", "0 KS", "1 -",
        f"0 {_RUN}", "1 -",
        "0 JS", "1 2H", f"0 {CHAIN}", "1 -*",
        "0 QS", "1 AD", "0 2S", "1 SJ", "0 -*",
        "1 TDTHBJ=T", "0 -*",
        "1 3H", "0 AS",
    ],
    "times": list(range(1000, 20_000, 1000)),
    # Nineteen cards left: 双扣, 3; b(7) = 4; c(7) = 4: (3·4 + 4)·100.
    "result": {
        "end": "out", "winner": 0, "kou": "shuang", "xiang": [7, 0], "doubling": 4,
        "contribution": [4, -4], "delta": [1600, -1600], "fee": [0, 0],
        "balance": [126_600, 97_400],
    },
}  # fmt: skip

_FOUR: Fields = {
    "v": 1,
    "game": "shuangkou",
    "id": "four",
    "rules": "baibian",
    "start": "2026-11-28T20:15:00+08:00",
    "seats": [{"player": name, "balance": 100} for name in ("东", "南", "西", "北")],
    "shown": "3S",
    "first": 0,
    "base": 1,
    "hands": [
        f"{CHAIN}{_LONG_RUN}",
        "6D6D7D7D8D8D9D9DTDTD" + "JSJHJDJC" * 2 + "QSQHQDQC" * 2 + "BJ",
        f"{CHAIN}{_LONG_RUN}",
        "KSKHKDKC" * 2 + "ASAHADAC" * 2 + "2S2H2D2C" * 2 + "BJSJSJ",
    ],
    "actions": [
        f"0 {CHAIN}", "1 -", "2 -*", "3 -",
        f"0 {_LONG_RUN}", "1 -", "2 -", "3 -",
        f"2 {CHAIN}", "3 -", "1 -",
        f"2 {_LONG_RUN}",
    ],
    # 双扣: 4·8 for the team, and each chain is worth 12, a third of it from each other.
    "result": {
        "end": "out", "winner": 0, "places": [1, 4, 2, 3], "kou": "shuang",
        "xiang": [7, 0, 7, 0], "doubling": 8, "contribution": [8, -8, 8, -8],
        "delta": [40, -40, 40, -40], "balance": [140, 60, 140, 60],
    },
}  # fmt: skip


def two(**changes: Any) -> Fields:
    """The game of two, with other fields."""
    return {**copy.deepcopy(_TWO), **changes}


def four(**changes: Any) -> Fields:
    """The game of four, with other fields."""
    return {**copy.deepcopy(_FOUR), **changes}


def without(game: Fields, *names: str) -> Fields:
    """The game without some fields."""
    return {name: value for name, value in game.items() if name not in names}


def acted(game: Fields, at: int, *texts: str, instead: int = 1) -> Fields:
    """The game with other actions from a place on, and without times."""
    actions = game["actions"]
    changed = [*actions[:at], *texts, *actions[at + instead :]]
    return {**without(game, "times"), "actions": changed}


def paid(game: Fields, **parts: Any) -> Fields:
    """The game with other parts of the result."""
    return {**game, "result": {**game["result"], **parts}}


def fled(**changes: Any) -> Fields:
    """The game of two, which seat 1 leaves after its first card.

    The penalty is (12 + b(0) + c(0))·100, of which b counts only above 1; 70 % go to seat 0.
    """
    game = acted(two(**changes), 2, "1 !escape", instead=99)
    game["result"] = {
        "end": "escape", "winner": 0, "xiang": [0, 0], "delta": [840, -1200], "fee": [0, 0],
        "balance": [125_840, 97_800],
    }  # fmt: skip
    return game
