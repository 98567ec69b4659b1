"""The order of melds: irreflexive, asymmetric, transitive within a kind."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from analytics.cards import parse_faces, rank_of
from analytics.shuangkou.melds import NO_MELD, Meld, beats, is_bomb, strongest
from tests.oracle.random_cases import random_cards, random_rules
from tests.properties.random_play import examples, rulebook
from tests.rulebook import builder

MELDS = 50


@cache
def _melds(seed: int, irregular_equal: bool) -> tuple[list[int], list[Meld]]:
    """A ruleset's row, and different melds as they are read under it."""
    rng = Random(f"order {seed}")
    rules = random_rules(rng)
    if rules["play"]["bomb_order"] == "fewest-cards":
        rules["play"]["irregular_equal"] = irregular_equal
    row = rulebook([rules]).rows[0].tolist()
    found: set[Meld] = set()
    for _ in range(8 * MELDS):
        counts = [0] * 15
        for face in parse_faces(random_cards(rng, rules)[0]):
            counts[rank_of(face)] += 1
        found.add(strongest(counts, row, NO_MELD))
    melds = sorted(found - {NO_MELD})
    rng.shuffle(melds)
    return row, sorted(melds[:MELDS], key=lambda meld: not is_bomb(meld.kind))


seeds = st.integers(0, 11)


@examples(12)
@given(seeds, st.booleans())
def test_no_meld_beats_itself_or_what_beats_it(seed: int, irregular_equal: bool) -> None:
    """beats is irreflexive and asymmetric."""
    row, melds = _melds(seed, irregular_equal)
    for a, b in product(melds, repeat=2):
        assert not (beats(a, b, row) and beats(b, a, row)), (a, b)


@examples(12)
@given(seeds)
def test_beating_is_transitive(seed: int) -> None:
    """What beats a meld beats whatever that beats, of the same kind and size, or by a bomb.

    Only with ``irregular_equal = false``: where irregular chains of the same X and Y are
    equal whatever their cards, a regular chain may stand between two of them.
    """
    row, melds = _melds(seed, irregular_equal=False)
    beaten = {a: {b for b in melds if beats(a, b, row)} for a in melds}
    for a in melds:
        for b in beaten[a]:
            assert beaten[b] <= beaten[a], (a, b)


def test_beating_is_not_transitive_where_irregular_chains_are_equal() -> None:
    """Sixteen cards of 5, 5 and 6 beat four fours, those beat seventeen cards of 5, 5 and 7."""
    high, middle, low = "55555 66666 777777", "3333 4444 5555 6666", "55555 66666 7777777"
    assert builder.beats(high, middle)
    assert builder.beats(middle, low)
    assert not builder.beats(high, low)


@examples(12)
@given(seeds)
def test_all_bombs_stand_in_one_line(seed: int) -> None:
    """Of two bombs one beats the other, or they are equal to every third one alike."""
    row, melds = _melds(seed, irregular_equal=False)
    bombs = [meld for meld in melds if is_bomb(meld.kind)]
    for a, b in product(bombs, repeat=2):
        if not beats(a, b, row) and not beats(b, a, row):
            for c in bombs:
                assert beats(a, c, row) == beats(b, c, row)
                assert beats(c, a, row) == beats(c, b, row)
