"""What a fair deal gives all hands of a game, held against sums and shuffled decks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from analytics.studies.dealing_models import counted
from analytics.studies.fair import CARDS, draws, measures
from tests.studies.hands import shuffled

NAMES = tuple(measures())


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_is_whole(name: str) -> None:
    """Every hand has some number of each measure."""
    assert sum(measures()[name].hand.values()) == 1


@pytest.mark.parametrize(
    ("name", "seats"),
    [(name, 2) for name in NAMES]
    + [(name, 4) for name in NAMES if name != "bombs"]
    + [pytest.param("bombs", 4, marks=pytest.mark.slow)],
)
def test_totals_have_the_exact_mean_and_variance(name: str, seats: int) -> None:
    """The distribution over all hands, and the covariance of two, are found in two ways."""
    measure = measures()[name]
    odds = measure.totals(seats)
    values = np.arange(len(odds))
    mean = values @ odds
    assert odds.sum() == pytest.approx(1)
    assert mean == pytest.approx(float(seats * measure.mean))
    variance = float(measure.variance_of_all(seats))
    assert values**2 @ odds - mean**2 == pytest.approx(variance, abs=1e-9)


@pytest.mark.parametrize("name", ["jokers", "spades"])
def test_four_hands_have_all_cards(name: str) -> None:
    """With four players all cards are dealt, so the sum of a sort never varies."""
    assert measures()[name].variance_of_all(4) == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_roles_share_what_there_is(name: str, seats: int) -> None:
    """Clause 5.2 says who sits where; what all seats get together stays the same."""
    measure = measures()[name]
    lead, opposite, other = measure.by_role(seats)
    assert lead + opposite + (seats - 2) * other == seats * measure.mean


def test_draws_from_all_cards_are_a_hand() -> None:
    """The general law gives what the odds of a hand give."""
    assert draws(4, CARDS, 27) == dict(measures()["jokers"].hand)
    assert sum(draws(6, 106, 25).values()) == Fraction(1)


@pytest.mark.parametrize("seats", [2, 4])
def test_shuffled_decks_agree(seats: int) -> None:
    """Means, variances and covariances of decks that numpy shuffled are near, within 5 sigma."""
    games = 20_000
    for name, values in counted(shuffled(games, seats, 7)).items():
        measure = measures()[name]
        spread = float(measure.variance) ** 0.5
        assert abs(values[:, 0].mean() - float(measure.mean)) < 5 * spread / games**0.5, name
        found = np.cov(values[:, 0], values[:, 1])
        bound = 5 * 2 * spread**2 / games**0.5 * max(1, 1 / spread)
        assert abs(found[0, 0] - float(measure.variance)) < bound, name
        assert abs(found[0, 1] - float(measure.covariance)) < bound, name


def test_who_sits_opposite_has_fewer_repeated_faces() -> None:
    """The partner of the leader, of four, has at most one copy of the shown card (clause 5.2)."""
    hands = shuffled(20_000, 4, 8)
    repeated = counted(hands)["repeated"]
    shown = hands[:, 0, 0]  # any card of the pack; its holder leads
    holds = (hands == shown[:, None, None]).any(2)
    holds[:, 0] = False
    apart = np.flatnonzero(holds.any(1))
    alone = np.flatnonzero(~holds.any(1))  # the leader has both: anybody sits opposite
    opposite = np.concatenate([repeated[apart, holds[apart].argmax(1)], repeated[alone, 2]])
    lead, expected, _ = (float(mean) for mean in measures()["repeated"].by_role(4))
    error = opposite.std() / len(opposite) ** 0.5
    assert abs(opposite.mean() - expected) < 5 * error
    assert abs(repeated[:, 0].mean() - lead) < 5 * error
    assert lead - expected > 5 * error
