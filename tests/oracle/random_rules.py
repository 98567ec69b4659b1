"""Random rulesets over all settings of clause 11, inside the limits of clause 12."""

from random import Random
from typing import Any

from .presets import PRINTED_PLACES, ZERO_SUM_PLACES


def random_rules(rng: Random) -> dict[str, Any]:
    """Return a valid ruleset with every setting chosen at random."""
    seats = rng.choice([2, 2, 2, 4, 4])
    return {
        "name": f"random-{rng.getrandbits(32):08x}",
        "version": "1",
        "play": _play(rng, seats),
        "xiang": _xiang(rng),
        "scoring": _scoring(rng, seats),
    }


def _play(rng: Random, seats: int) -> dict[str, Any]:
    """Return `[play]`; `on_escape = "settle"` is for two seats only (clause 9)."""
    wild = rng.choices([["big", "small"], ["big"], ["small"], []], [50, 35, 10, 5])[0]
    play = {
        "seats": seats,
        "wild": wild,
        "mixed_joker_pair": rng.choice(["big", "small", "none"]),
        "chain_min": rng.choice([2, 3, 3, 3, 4]),
        "chain_irregular": rng.random() < 0.7,
        "chain_two": rng.choice(["no", "cyclic"]),
        "bomb_order": rng.choice(["fewest-cards", "most-groups"]),
        "four_jokers": rng.choice(["highest", "lowest"]),
        "lead_policy": rng.choices(["shown", "any"], [75, 25])[0],
        "trustee_policy": rng.choices(["smallest", "any"], [80, 20])[0],
        "on_escape": "settle" if seats == 2 and rng.random() < 0.7 else "trustee",
    }
    if play["bomb_order"] == "fewest-cards":
        play["irregular_equal"] = rng.random() < 0.6
    return play


def _xiang(rng: Random) -> dict[str, Any]:
    """Return `[xiang]` (clause 7)."""
    xiang: dict[str, Any] = {"linked": rng.random() < 0.6, "unlinked": rng.random() < 0.6}
    if xiang["linked"]:
        xiang["linked_bonus"] = rng.choice([1, 2])
    if xiang["unlinked"]:
        xiang["unlinked_count"] = rng.choice(["independent", "all"])
    if rng.random() < 0.4:
        xiang["xiang_cap"] = rng.randint(5, 10)
    return xiang


def _scoring(rng: Random, seats: int) -> dict[str, Any]:
    """Return `[scoring]` (clauses 8 and 9)."""
    scoring: dict[str, Any] = {
        "unit": rng.choice(["points", "wealth", "coins", "silver"]),
        "base": _base(rng),
        "doubling": _doubling(rng),
        "contribution": _contribution(rng, 1 if seats == 2 else 3),
        "contribution_mode": rng.choice(["max", "each"]),
        "fee": rng.choice([0, 0, rng.randint(1, 500)]),
        "cap_at_balance": rng.random() < 0.4,
    }
    if seats == 4:
        scoring["places"] = _places(rng)
        scoring["doubling_scope"] = rng.choice(["team", "first"])
        return scoring
    dan = rng.randint(2, 10)
    kou = sorted(rng.randint(1, 6) for _ in range(3))
    scoring["kou_cards"] = {"dan": dan, "shuang": rng.randint(dan + 1, 16)}
    scoring["kou"] = {"ping": kou[0], "dan": kou[1], "shuang": kou[2]}
    scoring["escape_times"] = rng.randint(0, 130)
    scoring["escape_parts"] = rng.choice(["points", "wealth", "none"])
    scoring["share"] = rng.choice([0, 70, 100, rng.randint(1, 99)])
    return scoring


def _base(rng: Random) -> str | dict[str, Any]:
    """Return one of the three kinds of base (clause 8)."""
    kind = rng.choice(["given", "fixed", "levels", "levels"])
    if kind == "given":
        return "given"
    if kind == "fixed":
        return {"fixed": rng.randint(1, 1000)}
    required = rng.choice([0, 50, 100, 1000])
    base = rng.randint(1, 20)
    levels = []
    for _ in range(rng.randint(1, 8)):
        levels.append([required, base])
        required += rng.randint(1, 10 * required + 100)
        base += rng.randint(1, 100)
    return {"levels": levels}


def _doubling(rng: Random) -> dict[str, int]:
    """Return an ascending table of multipliers without gaps (clause 8)."""
    multiplier = rng.choice([1, 2, 2, 3])
    table = {}
    first = rng.randint(4, 6)
    for xiang in range(first, first + rng.randint(1, 8)):
        table[str(xiang)] = multiplier
        multiplier = min(10_000, multiplier * 2 + rng.choice([0, 0, 1]))
    return table


def _contribution(rng: Random, step: int) -> dict[str, int]:
    """Return an ascending table of multiples of `step`, or an empty one (clause 8)."""
    table: dict[str, int] = {}
    if rng.random() < 0.15:
        return table
    first = rng.randint(4, 7)
    multiple = 0
    for xiang in range(first, first + rng.randint(1, 7)):
        multiple += step * rng.randint(1, 5)
        table[str(xiang)] = multiple
    return table


def _places(rng: Random) -> dict[str, list[int]]:
    """Return a place table: a known one, or one that mints or burns (clause 8.2)."""
    known = rng.choice([PRINTED_PLACES, ZERO_SUM_PLACES, None])
    if known is not None:
        return known
    return {kou: [rng.randint(-6, 6) for _ in range(4)] for kou in ("shuang", "dan", "ping")}
