"""Random card sets: melds of every kind, with wild jokers and without, and near misses."""

from random import Random
from typing import Any

from .melds import FACES, JOKERS, RANKS, SUITS, TWO, PlayRules, arcs, play_rules, read
from .replay import HAND

Shape = tuple[str, tuple[int, ...]]  # A kind, and the cards of each rank of its run.


def random_cards(rng: Random, rules: dict[str, Any]) -> tuple[str, str | None]:
    """Return a set of cards, often a meld or nearly one, and often a meld on the table."""
    shape = random_shape(rng, play_rules(rules))
    cards = _meld_or_not(rng, shape, rules)
    if rng.random() < 0.35:
        cards = _near_miss(rng, cards)
    over = None
    while over is None and rng.random() < 0.65:
        # Often the same kind and length, which is when the ranks decide.
        other = shape if rng.random() < 0.6 else random_shape(rng, play_rules(rules))
        found = _meld_or_not(rng, other, rules)
        if not isinstance(read(found, rules), str):
            over = "".join(found)
    return "".join(cards), over


def random_shape(rng: Random, play: PlayRules) -> Shape:
    """Return a random kind with group sizes; a few break the rules on the number of ranks."""
    kind = rng.choices(
        ["rank", "straight", "pair_run", "triple_run", "bomb", "chain", "jokers"],
        [20, 12, 12, 10, 18, 30, 8],
    )[0]
    if kind == "rank":
        return kind, (rng.randint(1, 3),)
    if kind == "straight":
        return kind, (1,) * rng.randint(4, 12)
    if kind == "pair_run":
        return kind, (2,) * rng.randint(2, 12)
    if kind == "triple_run":
        return kind, (3,) * rng.randint(2, 9)
    if kind == "bomb":
        return kind, (rng.choice([4, 4, 5, 5, 6, 7, 8, 9, 10, 12]),)
    if kind == "jokers":
        return kind, (rng.randint(1, 4),)
    return kind, _chain_sizes(rng, play)


def _chain_sizes(rng: Random, play: PlayRules) -> tuple[int, ...]:
    """Return the group sizes of a chain of at most 27 cards."""
    ranks = rng.choice([play.chain_min, play.chain_min, play.chain_min + 1, rng.randint(2, 6)])
    even = rng.randint(4, max(4, HAND // ranks))
    sizes = [even] * ranks
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 4)):
            sizes[rng.randrange(ranks)] += rng.choice([-1, 1])
    while sum(sizes) > HAND:
        sizes[sizes.index(max(sizes))] -= 1
    return tuple(max(4, size) for size in sizes)


def _meld_or_not(rng: Random, shape: Shape, rules: dict[str, Any]) -> list[str]:
    """Return cards of a shape at a random place, some of them replaced by wild jokers."""
    kind, sizes = shape
    jokers = list(JOKERS) * 2
    if kind == "jokers":
        return rng.sample(jokers, sizes[0])
    arc = rng.choice(arcs(len(sizes)))
    # Runs with a 2 are chains in some rules, near misses elsewhere; do not make too many.
    while TWO in arc and len(arc) > 1 and rng.random() < (0.5 if kind == "chain" else 0.9):
        arc = rng.choice(arcs(len(sizes)))
    ranks = [rank for rank, size in zip(arc, sizes, strict=True) for _ in range(size)]
    wild = [face for face in jokers if _name(face) in rules["play"]["wild"]]
    rng.shuffle(wild)
    replaced = min(len(wild), len(ranks) - 1, rng.choice([0, 0, 0, 1, 1, 2, 2, 3, 4, 4]))
    rng.shuffle(ranks)
    faces = wild[:replaced]
    for rank in ranks[replaced:]:
        # A pack has each rank eight times; what is more becomes jokers, or is left out.
        free = [face for face in _faces_of(rank) if faces.count(face) < 2]
        more = [face for face in wild if faces.count(face) < 2]
        if free or more:
            faces.append(rng.choice(free or more))
    if kind == "rank" and len(faces) == 1 and rng.random() < 0.2:
        faces = [rng.choice(jokers)]
    rng.shuffle(faces)
    return faces


def _name(joker: str) -> str:
    """Return the word that the rulesets use for a joker."""
    return {"SJ": "small", "BJ": "big"}[joker]


def _faces_of(rank: int) -> list[str]:
    """Return the four faces of a natural rank."""
    return [RANKS[rank] + suit for suit in SUITS]


def _near_miss(rng: Random, cards: list[str]) -> list[str]:
    """Return the cards with one or two taken away, added or exchanged."""
    cards = list(cards)
    for _ in range(rng.choice([1, 1, 2])):
        what = rng.choice(["drop", "add", "exchange", "joker"])
        if what in ("drop", "exchange") and len(cards) > 1:
            cards.pop(rng.randrange(len(cards)))
        if what in ("add", "exchange", "joker") and len(cards) < HAND:
            near = [face for face in FACES if face[0] in {card[0] for card in cards}]
            pool = list(JOKERS) if what == "joker" else rng.choice([near, list(FACES)])
            free = [face for face in pool if cards.count(face) < 2]
            cards += rng.sample(free, 1) if free else []
    return cards
