"""What a set of cards can be read as, and what beats what: clauses 2, 3 and 4.

The method: give every wild joker every rank (clause 3.1), look at the natural ranks that result,
and keep the assignments that are a meld.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

Rules = Mapping[str, Any]

RANKS = "3456789TJQKA2"
SUITS = "SHCD"
NATURALS = tuple(rank + suit for rank in RANKS for suit in SUITS)
JOKERS = ("SJ", "BJ")
FACES = NATURALS + JOKERS

TWO = RANKS.index("2")
SMALL_HEIGHT = 16
BIG_HEIGHT = 17
HIGH = {rank: index + 3 for index, rank in enumerate(RANKS)} | {
    "SJ": SMALL_HEIGHT,
    "BJ": BIG_HEIGHT,
}

# The kinds in the order of the table in clause 3.
KINDS = (
    "single",
    "pair",
    "triple",
    "straight",
    "pair_run",
    "triple_run",
    "bomb",
    "chain",
    "three_jokers",
    "four_jokers",
)
BOMBS = frozenset({"bomb", "chain", "three_jokers", "four_jokers"})
# The runs of clause 3: cards per rank, fewest ranks, kind.
RUNS = ((1, 5, "straight"), (2, 3, "pair_run"), (3, 3, "triple_run"))


@dataclass(frozen=True)
class PlayRules:
    """The settings of `[play]` that melds depend on (clause 11)."""

    wild_small: bool
    wild_big: bool
    mixed_joker_pair: str
    chain_min: int
    chain_irregular: bool
    chain_cyclic: bool
    most_groups: bool
    irregular_equal: bool
    four_jokers_highest: bool


def play_rules(rules: Rules) -> PlayRules:
    """Pick the meld settings out of a whole ruleset."""
    play = rules["play"]
    return PlayRules(
        wild_small="small" in play["wild"],
        wild_big="big" in play["wild"],
        mixed_joker_pair=play["mixed_joker_pair"],
        chain_min=play["chain_min"],
        chain_irregular=play["chain_irregular"],
        chain_cyclic=play["chain_two"] == "cyclic",
        most_groups=play["bomb_order"] == "most-groups",
        irregular_equal=play.get("irregular_equal", True),
        four_jokers_highest=play["four_jokers"] == "highest",
    )


class Cards(NamedTuple):
    """A set of cards without its suits: how many of each natural rank (3..2) and of each joker."""

    ranks: tuple[int, ...]
    small: int
    big: int

    def natural(self) -> int:
        """Return the number of cards that are no jokers."""
        return sum(self.ranks)

    def size(self) -> int:
        """Return the number of cards."""
        return sum(self.ranks) + self.small + self.big

    def wild(self, play: PlayRules) -> int:
        """Return the number of jokers that are wild beside natural cards (clause 3.1)."""
        return self.small * play.wild_small + self.big * play.wild_big


@dataclass(frozen=True)
class Reading:
    """One meld that a set of cards can be.

    `height` is the place of the top rank from low to high: 3..15 for 3..2, then the jokers.
    `smallest`, `regular` and `order` are for chains and bombs: the cards of the smallest group,
    whether all groups have one size, and the heights of the groups, largest group first, among
    groups of equal size the higher first (clause 4).
    """

    kind: str
    size: int
    top: str | None
    xiang: int
    groups: int | None
    height: int
    smallest: int = 0
    regular: bool = True
    order: tuple[int, ...] = ()

    def is_bomb(self) -> bool:
        """Tell whether the meld is a bomb of any kind (clause 4)."""
        return self.kind in BOMBS


def cut(text: str) -> list[str] | None:
    """Cut a text into faces of two characters; None where it is no list of faces (clause 2)."""
    faces = [text[start : start + 2] for start in range(0, len(text), 2)]
    return faces if all(face in FACES for face in faces) else None


def count(faces: list[str]) -> Cards:
    """Forget the suits of a list of faces."""
    ranks = [face[0] for face in faces if face not in JOKERS]
    return Cards(tuple(ranks.count(rank) for rank in RANKS), faces.count("SJ"), faces.count("BJ"))


def run_of(ranks: tuple[int, ...]) -> list[int] | None:
    """Return the ranks that occur as one run of neighbours, where 2 is next to A and to 3.

    None when they are no such run. What may stand in which meld is judged elsewhere.
    """
    # In Python ranks[-1] is the last entry: the neighbour below 3 is the 2.
    starts = [index for index in range(13) if ranks[index] and not ranks[index - 1]]
    if len(starts) != 1:
        return None
    run = [starts[0]]
    while ranks[(run[-1] + 1) % 13]:
        run.append((run[-1] + 1) % 13)
    return run


def classify(ranks: tuple[int, ...], play: PlayRules) -> Reading | None:
    """Return the meld that natural cards are (clause 3); None when they are none.

    A multiset of ranks is never two melds at once: the kinds differ in the cards per rank.
    """
    run = run_of(ranks)
    if run is None:
        return None
    if len(run) == 1:
        return _of_one_rank(run[0], ranks[run[0]])
    sizes = [ranks[rank] for rank in run]
    if min(sizes) >= 4:
        return _chain(run, sizes, play)
    for each, fewest, kind in RUNS:
        if set(sizes) == {each} and len(run) >= fewest and TWO not in run:
            top = RANKS[run[-1]]
            return Reading(kind, sum(sizes), top, 0, None, HIGH[top])
    return None


def _of_one_rank(rank: int, size: int) -> Reading:
    """Return the meld that cards of one rank are; the xiang of a bomb is its size (clause 4)."""
    top = RANKS[rank]
    if size <= 3:
        return Reading(KINDS[size - 1], size, top, 0, None, HIGH[top])
    return Reading("bomb", size, top, size, None, HIGH[top], size, True, (HIGH[top],))


def _chain(run: list[int], sizes: list[int], play: PlayRules) -> Reading | None:
    """Return the chain of a run of groups of four or more, if the rules allow it (clause 4)."""
    regular = len(set(sizes)) == 1
    if len(run) < play.chain_min or not (regular or play.chain_irregular):
        return None
    if TWO in run and not play.chain_cyclic:
        return None
    heights = _heights(run)
    largest_first = sorted(zip(sizes, heights, strict=True), reverse=True)
    return Reading(
        kind="chain",
        size=sum(sizes),
        top=RANKS[run[-1]],
        xiang=min(sizes) + len(run),
        groups=len(run),
        height=heights[-1],
        smallest=min(sizes),
        regular=regular,
        order=tuple(height for _, height in largest_first),
    )


def _heights(run: list[int]) -> list[int]:
    """Return the positions of a run's ranks; below a 3 the 2, then the A, are low (clause 4).

    The last rank of a run has its usual height, and each one before it stands one lower, so that
    A-2-3 is 1, 2, 3 and K-A-2 is 13, 14, 15.
    """
    top = HIGH[RANKS[run[-1]]]
    return [top - steps for steps in reversed(range(len(run)))]


def _of_jokers(small: int, big: int, play: PlayRules) -> Reading | None:
    """Return the meld that jokers alone are: none of them is wild (clauses 3.1, 3.2 and 4)."""
    size = small + big
    if size == 3:
        return Reading("three_jokers", 3, None, 6, None, 0)
    if size == 4:
        return Reading("four_jokers", 4, None, 7, None, 0)
    if size > 4:
        return None
    if small and big:
        if play.mixed_joker_pair == "none":
            return None
        top = {"small": "SJ", "big": "BJ"}[play.mixed_joker_pair]
    else:
        top = "SJ" if small else "BJ"
    return Reading(KINDS[size - 1], size, top, 0, None, HIGH[top])


def arcs(length: int) -> list[tuple[int, ...]]:
    """Return the runs of so many neighbouring ranks on the circle 3..A-2-3."""
    return [tuple((start + step) % 13 for step in range(length)) for start in range(13)]


ALL_ARCS = tuple((arc, frozenset(arc)) for length in range(1, 13) for arc in arcs(length))


def with_ranks(ranks: tuple[int, ...], added: tuple[int, ...]) -> tuple[int, ...]:
    """Return the counts with one more card of each of the added ranks."""
    counts = list(ranks)
    for rank in added:
        counts[rank] += 1
    return tuple(counts)


def fillings(ranks: tuple[int, ...], wild: int) -> Iterator[tuple[int, ...]]:
    """Yield the ranks that wild jokers may stand for, such that all cards make one run.

    This is every assignment that can be a meld: the ranks of a meld with a natural card are one
    run of neighbours (a run of one rank included), so the run contains all natural ranks, and
    the jokers fill its empty ranks first and then stand anywhere inside it.
    """
    held = {rank for rank in range(13) if ranks[rank]}
    for arc, inside in ALL_ARCS:
        if not held <= inside or len(arc) - len(held) > wild:
            continue
        empty = tuple(rank for rank in arc if rank not in held)
        for rest in combinations_with_replacement(arc, wild - len(empty)):
            yield empty + rest


@lru_cache(maxsize=5_000)
def _natural_readings(
    ranks: tuple[int, ...], wild: int, play: PlayRules
) -> tuple[tuple[tuple[int, ...], Reading], ...]:
    """Return what the wild jokers stand for, and the meld that results, for every way."""
    found = []
    for stand_for in fillings(ranks, wild):
        reading = classify(with_ranks(ranks, stand_for), play)
        if reading is not None:
            found.append((stand_for, reading))
    return tuple(found)


def assignments(cards: Cards, play: PlayRules) -> tuple[tuple[tuple[int, ...], Reading], ...]:
    """Return all readings of a set of cards with the ranks that its wild jokers stand for."""
    if cards.natural() == 0:
        reading = _of_jokers(cards.small, cards.big, play)
        return () if reading is None else (((), reading),)
    wild = cards.wild(play)
    if cards.natural() + wild < cards.size():
        return ()  # A joker that is not wild never stands beside natural cards (clause 3.1).
    return _natural_readings(cards.ranks, wild, play)


def bomb_key(bomb: Reading, play: PlayRules) -> tuple[int, ...]:
    """Return the key by which bombs compare, irregular chains being never equal (clause 4)."""
    special = 0
    if bomb.kind == "three_jokers":
        special = -1
    if bomb.kind == "four_jokers":
        special = 1 if play.four_jokers_highest else -1
    if not play.most_groups:
        return (bomb.xiang, special, -bomb.size, bomb.height)
    one_rank = int(bomb.kind == "bomb")
    return (bomb.xiang, special, one_rank, bomb.groups or 0, bomb.size, *bomb.order)


def strength(reading: Reading, play: PlayRules) -> tuple[int, tuple[int, ...], int]:
    """Return the key by which the strongest reading of one set of cards is found (clause 3.3)."""
    if reading.is_bomb():
        return (1, bomb_key(reading, play), reading.groups or 0)
    return (0, (reading.height,), KINDS.index(reading.kind))


def strongest(found: list[Reading], play: PlayRules) -> Reading:
    """Return the strongest of some readings (clause 3.3)."""
    return max(found, key=lambda reading: strength(reading, play))


def beats_under(a: Reading, b: Reading, play: PlayRules) -> bool:
    """Tell whether `a` beats `b` on the table (clauses 4 and 5, point 3)."""
    if a.is_bomb() != b.is_bomb():
        return a.is_bomb()
    if not a.is_bomb():
        return (a.kind, a.size) == (b.kind, b.size) and a.height > b.height
    if _equal_chains(a, b, play):
        return False
    return bomb_key(a, play) > bomb_key(b, play)


def _equal_chains(a: Reading, b: Reading, play: PlayRules) -> bool:
    """Tell whether two irregular chains are equal for having the same X and Y (clause 4)."""
    if play.most_groups or not play.irregular_equal or a.regular or b.regular:
        return False
    return (a.smallest, a.groups) == (b.smallest, b.groups)


@lru_cache(maxsize=50_000)
def best(cards: Cards, over: Reading | None, play: PlayRules) -> Reading | None:
    """Return the undeclared reading: the strongest, of those that beat the table (clause 3.3)."""
    found = [reading for _, reading in assignments(cards, play)]
    if over is not None:
        found = [reading for reading in found if beats_under(reading, over, play)]
    return strongest(found, play) if found else None


def declared_reading(cards: Cards, declared: str, play: PlayRules) -> Reading | None:
    """Return the reading with the declared ranks, or None (clause 3.3; log format, Actions)."""
    wild = cards.wild(play) if cards.natural() else 0
    if wild == 0 or wild != len(declared) or cards.natural() + wild < cards.size():
        return None
    stand_for = tuple(RANKS.index(rank) for rank in declared)
    return classify(with_ranks(cards.ranks, stand_for), play)


def readings(faces: list[str], rules: Rules) -> list[Reading]:
    """Return all different melds that the faces can be; empty when they are none."""
    found = assignments(count(faces), play_rules(rules))
    return list(dict.fromkeys(reading for _, reading in found))


def read(
    faces: list[str], rules: Rules, over: Reading | None = None, declared: str | None = None
) -> Reading | str:
    """Return the reading that counts (clause 3.3), or the code of the error.

    `over` is the meld on the table, None on the lead. The order of the checks is the log
    format's: `play.meld`, `play.declared`, `play.beat`.
    """
    play = play_rules(rules)
    cards = count(faces)
    if not assignments(cards, play):
        return "play.meld"
    if declared is None:
        reading = best(cards, over, play)
        return "play.beat" if reading is None else reading
    reading = declared_reading(cards, declared, play)
    if reading is None:
        return "play.declared"
    if over is not None and not beats_under(reading, over, play):
        return "play.beat"
    return reading


def beats(a: Reading, b: Reading, rules: Rules) -> bool:
    """Tell whether `a` beats `b` (clause 4)."""
    return beats_under(a, b, play_rules(rules))


def answer(cards: str, over: str | None, rules: Rules) -> dict[str, Any]:
    """Return the reading of `cards`, on the lead or over the meld `over`, as plain data."""
    table = None if over is None else read(_faces(over), rules)
    if isinstance(table, str):
        raise ValueError(f"no meld on the table: {over}")
    reading = read(_faces(cards), rules, table)
    if isinstance(reading, str):
        return {"meld": None, "error": reading}
    names = ("kind", "size", "top", "groups", "xiang")
    return {"meld": {name: getattr(reading, name) for name in names}, "error": None}


def _faces(text: str) -> list[str]:
    """Cut a text that is known to be faces."""
    faces = cut(text)
    if faces is None:
        raise ValueError(f"no list of faces: {text}")
    return faces
