"""Which xiang 27 cards can reach."""

from __future__ import annotations

import pytest

from analytics.rules.reach import bomb_xiang, capped, effective_xiang

BOTH, BIG, NONE = ("big", "small"), ("big",), ()


@pytest.mark.parametrize(
    ("wild", "chain_min", "expected"),
    [
        (BOTH, 3, range(4, 13)),  # eight of a rank and four jokers; three groups of nine
        (BIG, 3, range(4, 12)),  # three groups of eight; a bomb alone ends at ten
        (NONE, 3, range(4, 12)),
        (NONE, 2, range(4, 12)),
        (NONE, 4, range(4, 11)),  # four groups of six
        (NONE, 6, [4, 5, 6, 7, 8, 10]),  # six groups of four; nothing makes nine
        (BIG, 6, range(4, 11)),
    ],
)
def test_single_bombs(wild: tuple[str, ...], chain_min: int, expected: range | list[int]) -> None:
    """Clauses 3.1 and 4: bombs, chains and joker bombs."""
    assert bomb_xiang({"wild": wild, "chain_min": chain_min}) == set(expected)


def test_the_chains_of_the_four_seat_game() -> None:
    """The longest and the thickest chains that its rules list are ten and eleven."""
    assert max(bomb_xiang({"wild": BIG, "chain_min": 3})) == 8 + 3
    assert max(bomb_xiang({"wild": BIG, "chain_min": 4})) == 6 + 4


def test_linked_bombs_reach_higher_by_their_bonus() -> None:
    """Clause 7: two bombs of ten with four jokers among them, and the bonus."""
    plain = {"wild": BOTH, "chain_min": 3}
    assert max(effective_xiang({**plain, "linked": True, "linked_bonus": 1})) == 12
    assert max(effective_xiang({**plain, "linked": True, "linked_bonus": 5})) == 15
    assert effective_xiang({**plain, "linked": False}) == bomb_xiang(plain)


def test_a_cap_cuts_what_scoring_sees() -> None:
    """Clause 4: a capped xiang counts as the cap."""
    assert capped(frozenset((4, 9, 12)), 9) == {4, 9}
    assert capped(frozenset((4, 9, 12)), None) == {4, 9, 12}
