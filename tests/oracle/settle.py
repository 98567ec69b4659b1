"""What one finished game is worth, and all findings of one game: clauses 6 to 9."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .melds import RANKS, Reading, Rules
from .replay import Error, Replayed, replay

# Clause 7: bombs of four counted, and the xiang that they are worth.
UNLINKED_FOURS = ((3, 5), (4, 6), (5, 7), (6, 8))
UNLINKED_FIVES = ((2, 6),)


@dataclass(frozen=True)
class Settlement:
    """The result of one game; None where its ending has no such part, or no base is known."""

    end: str
    winner: int
    places: list[int] | None
    kou: str | None
    xiang: list[int]
    base: int | None
    doubling: int | None
    contribution: list[int] | None
    delta: list[int] | None
    fee: list[int]
    system: int | None


@dataclass(frozen=True)
class Judgement:
    """Everything that is said about one game."""

    error: Error | None
    infos: list[tuple[str, int, int]]
    settlement: Settlement | None
    findings: list[Error]


# Clause 7: xiang that scoring sees.


def adjacent(a: Reading, b: Reading) -> bool:
    """Tell whether two bombs have neighbouring ranks of 3..A; 2 has no neighbour (clause 7)."""
    if "2" in (a.top, b.top):
        return False
    return abs(RANKS.index(str(a.top)) - RANKS.index(str(b.top))) == 1


def linked_xiang(bombs: list[Reading], xiang: Mapping[str, Any]) -> int:
    """Return what the best linked pair counts, 0 without one (clause 7)."""
    pairs = [
        a.xiang + xiang.get("linked_bonus", 1)
        for a, b in combinations(bombs, 2)
        if a.xiang == b.xiang and adjacent(a, b)
    ]
    return max(pairs, default=0)


def unlinked_count(bombs: list[Reading], how: str) -> int:
    """Return how many of these bombs of one xiang count as unlinked (clause 7)."""
    if how == "all":
        return len(bombs)
    sizes = [
        size
        for size in range(len(bombs) + 1)
        for chosen in combinations(bombs, size)
        if not any(adjacent(a, b) for a, b in combinations(chosen, 2))
    ]
    return max(sizes)


def unlinked_xiang(bombs: list[Reading], how: str) -> int:
    """Return what unlinked bombs count, 0 where there are too few (clause 7)."""
    worth = [0]
    for each, table in ((4, UNLINKED_FOURS), (5, UNLINKED_FIVES)):
        counted = unlinked_count([bomb for bomb in bombs if bomb.xiang == each], how)
        worth += [xiang for needed, xiang in table if counted >= needed]
    return max(worth)


def capped(xiang: int, rules: Rules) -> int:
    """Return the xiang as scoring sees it (clauses 4 and 8.3)."""
    cap = rules["xiang"].get("xiang_cap")
    return xiang if cap is None else min(xiang, cap)


def effective_xiang(bombs: list[Reading], rules: Rules) -> int:
    """Return one seat's effective xiang from all bombs it played, capped (clause 7)."""
    settings = rules["xiang"]
    of_one_rank = [bomb for bomb in bombs if bomb.kind == "bomb"]
    worth = [0] + [bomb.xiang for bomb in bombs]
    if settings["linked"]:
        worth.append(linked_xiang(of_one_rank, settings))
    if settings["unlinked"]:
        worth.append(unlinked_xiang(of_one_rank, settings.get("unlinked_count", "independent")))
    return capped(max(worth), rules)


# Clause 8: tables and the base.


def look_up(table: Mapping[str, int], xiang: int, below: int) -> int:
    """Return the last row that the xiang reaches; `below` where it reaches none (clause 8)."""
    reached = [int(row) for row in table if int(row) <= xiang]
    return table[str(max(reached))] if reached else below


def doubling_of(xiang: int, rules: Rules) -> int:
    """Return b(E)."""
    return look_up(rules["scoring"]["doubling"], xiang, 1)


def contribution_of(bombs: list[Reading], rules: Rules) -> int:
    """Return C of one seat: what it earns by its bombs, in multiples of the base (clause 8.3)."""
    table = rules["scoring"]["contribution"]
    if rules["scoring"]["contribution_mode"] == "max":
        return look_up(table, effective_xiang(bombs, rules), 0)
    return sum(look_up(table, capped(bomb.xiang, rules), 0) for bomb in bombs)


def level_of(balance: int, levels: list[list[int]]) -> int | None:
    """Return the number of the highest row that a balance meets (clause 8.1)."""
    met = [row for row, (required, _) in enumerate(levels) if balance >= required]
    return max(met) if met else None


def seats_without_level(game: dict[str, Any], rules: Rules) -> list[int]:
    """Return the seats whose balance is below the first row (clause 8.1)."""
    base = rules["scoring"]["base"]
    if base == "given" or "fixed" in base:
        return []
    return [
        seat
        for seat, entry in enumerate(game["seats"])
        if level_of(entry["balance"], base["levels"]) is None
    ]


def base_of(game: dict[str, Any], rules: Rules) -> int | None:
    """Return the base X of the game; None where a balance has no level (clauses 8, 8.1)."""
    base = rules["scoring"]["base"]
    if base == "given":
        return int(game["base"])
    if "fixed" in base:
        return int(base["fixed"])
    levels = base["levels"]
    at_table = [level_of(entry["balance"], levels) for entry in game["seats"]]
    known = [level for level in at_table if level is not None]
    if len(known) < len(at_table):
        return None
    return int(levels[min(known)][1])


# Clauses 6 and 8.3: a game that was played to its end.


def kou_of(replayed: Replayed, rules: Rules) -> str:
    """Return how badly the losers are caught (clause 6)."""
    if replayed.places is None:
        left = sum(replayed.cards_left)  # The winner has none.
        cards = rules["scoring"]["kou_cards"]
        if left >= cards["shuang"]:
            return "shuang"
        return "dan" if left >= cards["dan"] else "ping"
    partner = (replayed.places.index(1) + 2) % 4
    return {2: "shuang", 3: "dan", 4: "ping"}[replayed.places[partner]]


def net_contributions(bombs: list[list[Reading]], rules: Rules) -> list[int]:
    """Return what each seat gains by all contributions, in multiples of the base (clause 8.3)."""
    own = [contribution_of(played, rules) for played in bombs]
    if len(own) == 2:
        return [own[0] - own[1], own[1] - own[0]]
    return [own[seat] - sum(own[:seat] + own[seat + 1 :]) // 3 for seat in range(4)]


def doubling_of_game(replayed: Replayed, xiang: list[int], rules: Rules) -> int:
    """Return b of a game that was played to its end (clause 8.3)."""
    winner = replayed.winner
    assert winner is not None
    if len(xiang) == 4 and rules["scoring"]["doubling_scope"] == "team":
        return doubling_of(max(xiang[winner], xiang[(winner + 2) % 4]), rules)
    return doubling_of(xiang[winner], rules)


def place_points(replayed: Replayed, kou: str, rules: Rules) -> list[int]:
    """Return what the seats win before base and doubling: a, or P (clause 8.3)."""
    if replayed.places is None:
        factor = rules["scoring"]["kou"][kou]
        return [factor if seat == replayed.winner else -factor for seat in range(2)]
    row = rules["scoring"]["places"][kou]
    return [row[place - 1] for place in replayed.places]


def cap(amounts: list[int], balances: list[int]) -> list[int]:
    """Return the amounts with `cap_at_balance` (clause 8.3, last point), before any fee."""
    pays = [
        min(-amount, max(0, balance)) if amount < 0 else 0
        for amount, balance in zip(amounts, balances, strict=True)
    ]
    wanted = [max(0, amount) for amount in amounts]
    system = -sum(amounts)  # What the system receives; negative where it mints.
    pool = max(0, sum(pays) - system)
    gets = share_out(pool, wanted)
    return [got - paid for got, paid in zip(gets, pays, strict=True)]


def share_out(pool: int, wanted: list[int]) -> list[int]:
    """Return the pool in proportion to what is wanted, by largest remainder (clause 8.3)."""
    total = sum(wanted)
    if total == 0:
        return [0] * len(wanted)
    gets = [pool * want // total for want in wanted]
    by_remainder = sorted(
        range(len(wanted)), key=lambda seat: (-(pool * wanted[seat] % total), seat)
    )
    for seat in by_remainder[: pool - sum(gets)]:
        gets[seat] += 1
    return gets


def settle_out(game: dict[str, Any], replayed: Replayed, rules: Rules) -> Settlement:
    """Settle a game that was played to its end (clause 8.3)."""
    scoring = rules["scoring"]
    xiang = [effective_xiang(bombs, rules) for bombs in replayed.bombs]
    kou = kou_of(replayed, rules)
    doubling = doubling_of_game(replayed, xiang, rules)
    contribution = net_contributions(replayed.bombs, rules)
    points = place_points(replayed, kou, rules)
    base = base_of(game, rules)
    fee = [scoring["fee"]] * len(xiang)
    delta = None
    if base is not None:
        amounts = [
            base * point * doubling + base * extra
            for point, extra in zip(points, contribution, strict=True)
        ]
        if scoring["cap_at_balance"]:
            amounts = cap(amounts, [entry["balance"] for entry in game["seats"]])
        delta = [amount - paid for amount, paid in zip(amounts, fee, strict=True)]
    assert replayed.winner is not None
    return Settlement(
        end="out",
        winner=replayed.winner,
        places=replayed.places,
        kou=kou,
        xiang=xiang,
        base=base,
        doubling=doubling,
        contribution=contribution,
        delta=delta,
        fee=fee,
        system=None if delta is None else -sum(delta),
    )


# Clause 9: an escape.


def escape_multiple(replayed: Replayed, rules: Rules) -> int:
    """Return the whole penalty in multiples of the base, without a fee (clause 9)."""
    scoring = rules["scoring"]
    assert replayed.winner is not None
    bombs = replayed.bombs[replayed.winner]
    doubling = doubling_of(effective_xiang(bombs, rules), rules)
    if doubling == 1:
        doubling = 0  # A doubling part counts only if it doubles.
    parts = 0
    if scoring["escape_parts"] == "points":
        parts = contribution_of(bombs, rules) + scoring["kou"]["dan"] * doubling
    if scoring["escape_parts"] == "wealth" and replayed.fleer_had_played:
        parts = contribution_of(bombs, rules) + doubling
    return int(scoring["escape_times"] + parts)


def escape_delta(base: int, game: dict[str, Any], replayed: Replayed, rules: Rules) -> list[int]:
    """Return what the two seats pay and get in an escape (clause 9)."""
    scoring = rules["scoring"]
    fleer = replayed.fleer
    assert fleer is not None
    penalty = base * escape_multiple(replayed, rules)
    if scoring["cap_at_balance"]:
        penalty = min(penalty, max(0, game["seats"][fleer]["balance"]))
    to_other = penalty * scoring["share"] // 100
    if scoring["escape_parts"] == "none":
        penalty += scoring["fee"]
        to_other = 0
    return [-penalty if seat == fleer else to_other for seat in range(2)]


def settle_escape(game: dict[str, Any], replayed: Replayed, rules: Rules) -> Settlement:
    """Settle a game that ended by an escape (clause 9)."""
    scoring = rules["scoring"]
    base = base_of(game, rules)
    delta = None if base is None else escape_delta(base, game, replayed, rules)
    charged = scoring["fee"] if scoring["escape_parts"] == "none" else 0
    assert replayed.winner is not None
    return Settlement(
        end="escape",
        winner=replayed.winner,
        places=None,
        kou=None,
        xiang=[effective_xiang(bombs, rules) for bombs in replayed.bombs],
        base=base,
        doubling=None,
        contribution=None,
        delta=delta,
        fee=[charged if seat == replayed.fleer else 0 for seat in range(2)],
        system=None if delta is None else -sum(delta),
    )


def settle(game: dict[str, Any], replayed: Replayed, rules: Rules) -> Settlement:
    """Settle a game that was replayed without an error (clauses 6 to 9)."""
    if replayed.end == "escape":
        return settle_escape(game, replayed, rules)
    return settle_out(game, replayed, rules)


# Log format, Findings.


def compare(code: str, recorded: Any, recomputed: Any) -> list[Error]:
    """Return the findings of one component, for each seat that differs where it is per seat.

    Absent and null parts are no findings, nor are parts that the ending does not have.
    """
    if recorded is None or recomputed is None:
        return []
    if isinstance(recomputed, list):
        pairs = zip(recorded, recomputed, strict=True)
        return [(code, None, seat) for seat, (left, right) in enumerate(pairs) if left != right]
    return [] if recorded == recomputed else [(code, None, None)]


def settle_findings(game: dict[str, Any], settlement: Settlement, rules: Rules) -> list[Error]:
    """Return `settle.*`, `base.level` and `ledger.sum` of one game."""
    result = game.get("result") or {}
    found: list[Error] = [("base.level", None, seat) for seat in seats_without_level(game, rules)]
    found += compare("settle.base", game.get("base"), settlement.base)
    for name in ("end", "winner", "places", "kou", "xiang", "doubling", "contribution", "fee"):
        found += compare(f"settle.{name}", result.get(name), getattr(settlement, name))
    if settlement.delta is None or settlement.system is None:
        return found
    before = [entry["balance"] for entry in game["seats"]]
    after = [balance + won for balance, won in zip(before, settlement.delta, strict=True)]
    found += compare("settle.delta", result.get("delta"), settlement.delta)
    found += compare("settle.balance", result.get("balance"), after)
    recorded = result.get("delta")
    if recorded is not None and sum(recorded) != -settlement.system:
        found.append(("ledger.sum", None, None))
    return found


def judge(game: dict[str, Any], rules: Rules) -> Judgement:
    """Return everything that is said about one game, `format.*` and continuity left out."""
    replayed = replay(game, rules)
    findings: list[Error] = list(replayed.infos)
    if replayed.error is not None:
        return Judgement(replayed.error, replayed.infos, None, [*findings, replayed.error])
    settlement = settle(game, replayed, rules)
    findings += settle_findings(game, settlement, rules)
    return Judgement(None, replayed.infos, settlement, findings)
