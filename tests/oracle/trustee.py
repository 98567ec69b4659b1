"""What a hand could play, and whether the system plays it as clause 5.1 says.

Plays are told apart by their rank counts and jokers, never by suits. A play with natural cards
is made with any of the wild jokers in the hand, since wild jokers are all alike beside natural
cards (clause 3.1).
"""

from collections.abc import Iterator
from itertools import product

from .melds import HIGH, KINDS, RANKS, TWO, Cards, PlayRules, Reading, arcs, beats_under, best

CARDS_PER_RANK = {
    "single": 1,
    "pair": 2,
    "triple": 3,
    "straight": 1,
    "pair_run": 2,
    "triple_run": 3,
}


def make(hand: Cards, naturals: dict[int, int], wild: int, play: PlayRules) -> Cards:
    """Return a play of so many natural cards of each rank and so many wild jokers of the hand."""
    small = min(wild, hand.small) if play.wild_small else 0
    return Cards(tuple(naturals.get(rank, 0) for rank in range(13)), small, wild - small)


def picks(held: list[int], needed: int, spare: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take 0 to `held` cards of each rank.

    At most `spare` cards may be missing altogether, where a rank misses `needed` less what is
    taken; jokers would have to fill those.
    """
    if not held:
        yield ()
        return
    for taken in range(held[0] + 1):
        missing = max(0, needed - taken)
        if missing <= spare:
            for rest in picks(held[1:], needed, spare - missing):
                yield (taken, *rest)


def plain_plays(hand: Cards, kind: str, size: int, play: PlayRules) -> Iterator[Cards]:
    """Yield every play that can be read as this kind and size, which is no bomb.

    The ranks of the meld are a run, each with the same number of cards; what is not natural is
    wild jokers. A play may come more than once.
    """
    each = CARDS_PER_RANK[kind]
    wild = hand.wild(play)
    for arc in arcs(size // each):
        if len(arc) > 1 and TWO in arc:
            continue
        held = [min(each, hand.ranks[rank]) for rank in arc]
        for taken in picks(held, each, wild):
            if sum(taken) > 0:
                jokers = size - sum(taken)
                yield make(hand, dict(zip(arc, taken, strict=True)), jokers, play)
    if kind in ("single", "pair"):
        yield from joker_plays(hand, size)


def joker_plays(hand: Cards, size: int) -> Iterator[Cards]:
    """Yield every set of so many jokers and nothing else."""
    for small, big in product(range(hand.small + 1), range(hand.big + 1)):
        if small + big == size:
            yield Cards((0,) * 13, small, big)


def bomb_plays(
    hand: Cards, play: PlayRules, at_least: int = 0, at_most: int = 99
) -> Iterator[Cards]:
    """Yield every play that can be read as a bomb, by the simplest kinds first.

    Chains are left out that cannot have a reading over the same ranks of xiang `at_least`, and
    chains that cannot but have one of more than `at_most`. A play may come more than once.
    """
    wild = hand.wild(play)
    for size in (3, 4):
        yield from joker_plays(hand, size)
    for rank in range(13):
        for taken, jokers in product(range(1, hand.ranks[rank] + 1), range(wild + 1)):
            if taken + jokers >= 4:
                yield make(hand, {rank: taken}, jokers, play)
    for length in range(play.chain_min, hand.size() // 4 + 1):
        # The smallest group of a chain has at least four cards.
        if length + 4 <= at_most:
            yield from _chain_plays(hand, length, at_least, play)


def _chain_plays(hand: Cards, length: int, at_least: int, play: PlayRules) -> Iterator[Cards]:
    """Yield every play that can be read as groups of four or more of so many ranks in a run."""
    wild = hand.wild(play)
    for arc in arcs(length):
        if TWO in arc and not play.chain_cyclic:
            continue
        for taken in picks([hand.ranks[rank] for rank in arc], 4, wild):
            needed = sum(max(0, 4 - cards) for cards in taken)
            for jokers in range(needed, wild + 1):
                # The smallest group is not larger than the average group.
                if sum(taken) > 0 and length + (sum(taken) + jokers) // length >= at_least:
                    yield make(hand, dict(zip(arc, taken, strict=True)), jokers, play)


def beating_plays(hand: Cards, over: Reading, play: PlayRules) -> Iterator[Cards]:
    """Yield every play with a reading that beats the table, plain ones first.

    Only kind and size of the table and bombs can beat (clause 5, point 3), and a bomb of less
    xiang than a bomb on the table does not (clause 4).
    """
    if not over.is_bomb():
        for cards in plain_plays(hand, over.kind, over.size, play):
            if best(cards, over, play) is not None:
                yield cards
    for cards in bomb_plays(hand, play, at_least=over.xiang):
        if best(cards, over, play) is not None:
            yield cards


def can_beat(hand: Cards, over: Reading, play: PlayRules) -> bool:
    """Tell whether anything in the hand beats the table (clause 5.1, auto-pass)."""
    return next(beating_plays(hand, over, play), None) is not None


def lowest_single(hand: Cards) -> str:
    """Return the lowest rank held, a joker being its own rank (clauses 2 and 5.1)."""
    held = [rank for index, rank in enumerate(RANKS) if hand.ranks[index]]
    held += ["SJ"] * hand.small + ["BJ"] * hand.big
    return min(held, key=HIGH.__getitem__)


def same_kind_plays(hand: Cards, over: Reading, play: PlayRules) -> list[Reading]:
    """Return the readings of the plays that beat the table with its own kind and size.

    A play counts by its undeclared reading, so one that can also be a bomb is none of these.
    """
    if over.is_bomb():
        return []
    found = [best(cards, over, play) for cards in plain_plays(hand, over.kind, over.size, play)]
    return [reading for reading in found if reading is not None and not reading.is_bomb()]


def is_smallest(played: Reading, hand: Cards, over: Reading | None, play: PlayRules) -> bool:
    """Tell whether a play by the system is the smallest (clause 5.1, trustee).

    `played` is the undeclared reading of the play, `hand` the hand before it.
    """
    if over is None:
        return played.kind == KINDS[0] and played.top == lowest_single(hand)
    same_kind = same_kind_plays(hand, over, play)
    if same_kind:
        return not played.is_bomb() and played.height == min(r.height for r in same_kind)
    # A play that can be read as a chain of more xiang than `played` need not be looked at: it
    # beats the table in that reading, since `played` does, so its undeclared reading is at least
    # as strong as that, and `played` does not beat it.
    for cards in bomb_plays(hand, play, at_most=played.xiang):
        other = best(cards, over, play)
        if other is not None and other.is_bomb() and beats_under(played, other, play):
            return False
    return True
