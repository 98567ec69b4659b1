"""Models of ways of dealing that are kept in a file."""

from __future__ import annotations

import numpy as np
import pytest

from analytics.simulate.dealing import deal_of
from analytics.studies.dealing_models import (
    DEALT,
    KEPT,
    Kept,
    dealt,
    digest_of,
    kept,
    model_of,
)


def test_the_ways_that_are_met_most_are_kept() -> None:
    """For two seats and four, all of as many games."""
    there = [(each.deal, each.seats, each.games) for each in kept()]
    assert there == [(name, seats, DEALT) for name in KEPT for seats in (2, 4)]


@pytest.mark.parametrize("each", kept(), ids=lambda each: f"{each.deal} {each.seats}")
def test_cards_are_still_dealt_as_when_the_model_was_kept(each: Kept) -> None:
    """Else ``python -m analytics.studies.keeping_models`` has to keep it anew."""
    assert digest_of(deal_of(each.deal), each.seats) == each.first


@pytest.mark.slow
@pytest.mark.parametrize("each", kept(), ids=lambda each: f"{each.deal} {each.seats}")
def test_what_is_kept_is_what_is_dealt(each: Kept) -> None:
    """To the last digit: the same seed deals the same cards."""
    found = dealt(deal_of(each.deal), each.seats)
    assert {name: model.means.tolist() for name, model in found.items()} == each.means
    assert {name: model.variances.tolist() for name, model in found.items()} == each.variances


def test_a_kept_model_is_asked_by_name() -> None:
    """Blocks of four make two to three times as many bombs as shuffling."""
    blocks, shuffled = (model_of(name, 2, "bombs") for name in ("blocks-4-9", "uniform"))
    assert blocks is not None
    assert shuffled is not None
    assert blocks.games == DEALT
    assert np.all((2 * shuffled.means < blocks.means) & (blocks.means < 3 * shuffled.means))


def test_another_way_is_dealt_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that rooms may deal as they like."""
    monkeypatch.setattr("analytics.studies.dealing_models.DEALT", 50)
    dealt.cache_clear()
    model = model_of("blocks-6-27", 2, "jokers")
    dealt.cache_clear()
    assert model is not None
    assert model.games == 50
    assert 0 < model.means[2] < 4
