"""The six presets of clause 11, written out as an operator would write them in TOML."""

from typing import Any

BOTH_PLAY: dict[str, Any] = {
    "seats": 2,
    "wild": ["big", "small"],
    "mixed_joker_pair": "big",
    "chain_min": 3,
    "chain_irregular": True,
    "lead_policy": "shown",
    "trustee_policy": "smallest",
    "on_escape": "settle",
}
HUOPIN_PLAY: dict[str, Any] = {
    **BOTH_PLAY,
    "chain_two": "no",
    "bomb_order": "fewest-cards",
    "irregular_equal": True,
    "four_jokers": "highest",
}
JIULE_PLAY: dict[str, Any] = {
    **BOTH_PLAY,
    "chain_two": "cyclic",
    "bomb_order": "most-groups",
    "four_jokers": "lowest",
}
FOUR_PLAY: dict[str, Any] = {
    "seats": 4,
    "wild": ["big"],
    "mixed_joker_pair": "small",
    "chain_min": 3,
    "chain_irregular": False,
    "chain_two": "no",
    "bomb_order": "fewest-cards",
    "irregular_equal": True,
    "four_jokers": "highest",
    "lead_policy": "shown",
    "trustee_policy": "smallest",
    "on_escape": "trustee",
}

HUOPIN_XIANG: dict[str, Any] = {
    "linked": True,
    "linked_bonus": 1,
    "unlinked": True,
    "unlinked_count": "independent",
}

# Clause 8.1: required balance, base.
POINTS_LEVELS = [
    [0, 5],
    [50, 5],
    [100, 10],
    [200, 20],
    [500, 40],
    [1000, 60],
    [2000, 80],
    [4000, 100],
    [8000, 150],
    [16000, 200],
    [32000, 260],
    [64000, 300],
    [128000, 400],
    [262000, 500],
    [500000, 600],
    [1000000, 700],
    [2000000, 800],
]
WEALTH_LEVELS = [
    [100, 5],
    [1000, 10],
    [10000, 100],
    [100000, 500],
    [500000, 1000],
    [1000000, 1500],
    [2500000, 2000],
    [5000000, 2500],
    [10000000, 3000],
    [25000000, 3500],
    [50000000, 4000],
]

# Clause 8: xiang, multiplier.
POINTS_DOUBLING = {
    "5": 2,
    "6": 4,
    "7": 8,
    "8": 16,
    "9": 32,
    "10": 64,
    "11": 128,
    "12": 256,
}
WEALTH_DOUBLING = {
    "5": 1,
    "6": 2,
    "7": 4,
    "8": 8,
    "9": 16,
    "10": 32,
    "11": 64,
    "12": 128,
}
TWO_CONTRIBUTION = {"6": 2, "7": 4, "8": 8, "9": 16, "10": 32, "11": 64, "12": 128}
FOUR_DOUBLING = {"5": 2, "6": 4, "7": 8, "8": 16}
BAIBIAN_CONTRIBUTION = {"6": 6, "7": 12, "8": 18}

TWO_SEATS: dict[str, Any] = {
    "kou_cards": {"dan": 7, "shuang": 12},
    "kou": {"ping": 1, "dan": 2, "shuang": 3},
    "contribution": TWO_CONTRIBUTION,
    "contribution_mode": "max",
    "fee": 0,
    "cap_at_balance": False,
}
PRINTED_PLACES = {"shuang": [4, 4, -4, -4], "dan": [2, -2, 2, -2], "ping": [1, 0, 0, 1]}
ZERO_SUM_PLACES = {**PRINTED_PLACES, "ping": [1, -1, -1, 1]}

FOUR_SEATS: dict[str, Any] = {
    "doubling": FOUR_DOUBLING,
    "contribution_mode": "each",
    "doubling_scope": "team",
    "fee": 0,
    "cap_at_balance": False,
}


def _baibian(name: str, places: dict[str, list[int]]) -> dict[str, Any]:
    """Return `baibian` with one of the two place tables of clause 8.2."""
    return {
        "name": name,
        "version": "1",
        "play": FOUR_PLAY,
        "xiang": {"linked": False, "unlinked": False},
        "scoring": {
            **FOUR_SEATS,
            "unit": "points",
            "base": {"fixed": 1},
            "places": places,
            "contribution": BAIBIAN_CONTRIBUTION,
        },
    }


PRESETS: dict[str, dict[str, Any]] = {
    "huopin-points": {
        "name": "huopin-points",
        "version": "1",
        "play": HUOPIN_PLAY,
        "xiang": HUOPIN_XIANG,
        "scoring": {
            **TWO_SEATS,
            "unit": "points",
            "base": {"levels": POINTS_LEVELS},
            "doubling": POINTS_DOUBLING,
            "escape_times": 12,
            "escape_parts": "points",
            "share": 0,
        },
    },
    "huopin-wealth": {
        "name": "huopin-wealth",
        "version": "1",
        "play": HUOPIN_PLAY,
        "xiang": HUOPIN_XIANG,
        "scoring": {
            **TWO_SEATS,
            "unit": "wealth",
            "base": {"levels": WEALTH_LEVELS},
            "doubling": WEALTH_DOUBLING,
            "escape_times": 12,
            "escape_parts": "wealth",
            "share": 70,
        },
    },
    "jiule": {
        "name": "jiule",
        "version": "1",
        "play": JIULE_PLAY,
        "xiang": {"linked": False, "unlinked": False, "xiang_cap": 9},
        "scoring": {
            **TWO_SEATS,
            "unit": "coins",
            "base": "given",
            "doubling": POINTS_DOUBLING,
            "escape_times": 128,
            "escape_parts": "none",
            "share": 0,
        },
    },
    "baibian": _baibian("baibian", PRINTED_PLACES),
    "baibian-zerosum": _baibian("baibian-zerosum", ZERO_SUM_PLACES),
    "tongcheng": {
        "name": "tongcheng",
        "version": "1",
        "play": FOUR_PLAY,
        "xiang": {"linked": False, "unlinked": False},
        "scoring": {
            **FOUR_SEATS,
            "unit": "silver",
            "base": {"fixed": 100},
            "places": PRINTED_PLACES,
            "contribution": {},
        },
    },
}
