"""The study of deals: silent on honest deals, loud on others, and says what it may have missed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analytics.studies.deals import AS_EXPECTED, FIXED, LEVEL, NOT_COMPARABLE, judged
from tests.studies.hands import counts_of, favoured, frame_of
from tests.studies.power import clean_deals, favoured_seat

UNUSED: Any = None


def of(frame: pd.DataFrame, measure: str, seat: int | None) -> Any:
    """The row of a measure and seat."""
    is_seat = frame["seat"].isna() if seat is None else frame["seat"].eq(seat).fillna(False)
    return frame[(frame["measure"] == measure) & is_seat].iloc[0]


def test_clean_deals_seldom_alarm() -> None:
    """Of 20 seeds at 3,000 games none, or by chance one, alarms at the level of 1 %."""
    assert clean_deals(seeds=20, games=3_000) <= 1


def test_a_favoured_seat_is_found() -> None:
    """20 % more natural bombs in one of two seats are found at 3,000 games in 9 of 10 seeds."""
    assert favoured_seat(seeds=10, games=3_000) >= 9


def test_the_verdict_names_the_seat() -> None:
    """Seat 2 of four is favoured; the others are not accused."""
    frame = judged(frame_of(favoured(5_000, 4, 1, seat=2, excess=0.2)), UNUSED)
    assert of(frame, "bombs", 2)["verdict"] == "seat 2 favoured"
    assert {of(frame, "bombs", seat)["verdict"] for seat in (0, 1, 3)} == {AS_EXPECTED}


def test_a_room_called_nan_is_not_the_games_without_a_room() -> None:
    """Two groups with opposite favourites are judged each by itself."""
    rooms = []
    for seat, room in ((0, "nan"), (1, None)):
        counts = counts_of(3_000, 2, 7)
        counts["bombs"][:, seat] += np.arange(3_000) % 5 == 0
        rooms.append(frame_of(counts, room=room))
    frame = judged(pd.concat(rooms, ignore_index=True), UNUSED)
    first, second = (frame[frame["room"].isna() == is_null] for is_null in (False, True))
    assert of(first, "bombs", 0)["verdict"] == "seat 0 favoured"
    assert of(second, "bombs", 1)["verdict"] == "seat 1 favoured"


def test_too_many_for_all_is_not_a_favoured_seat() -> None:
    """Where every hand gets bombs of an unshuffled deck, no seat is favoured."""
    counts = counts_of(3_000, 2, 2)
    counts["bombs"] = counts["bombs"] + (np.arange(3_000) % 5 == 0)[:, None]
    frame = judged(frame_of(counts), UNUSED)
    assert of(frame, "bombs", None)["verdict"] == "too many"
    assert of(frame, "bombs", 0)["verdict"] == of(frame, "bombs", 1)["verdict"] == "too many"


def test_jokers_dealt_evenly_are_too_few_joker_bombs() -> None:
    """One joker for each of four hands has the right mean, and no hand with three."""
    counts = counts_of(2_000, 4, 3)
    counts["jokers"] = np.ones_like(counts["jokers"])
    counts["joker_bombs"] = np.zeros_like(counts["joker_bombs"])
    frame = judged(frame_of(counts), UNUSED)
    assert of(frame, "joker_bombs", None)["verdict"] == "too few"
    assert of(frame, "jokers", None)["verdict"] == FIXED
    assert of(frame, "jokers", 0)["verdict"] == AS_EXPECTED


def test_unknown_dealing_is_not_comparable() -> None:
    """A way of dealing that nobody has a model of is never an alarm."""
    frame = judged(frame_of(counts_of(50, 2, 4), deal="house-shuffle"), UNUSED)
    assert set(frame["verdict"]) == {NOT_COMPARABLE}
    assert frame[["p", "p_corrected", "expected", "missed_80"]].isna().all(axis=None)
    assert frame["model"].isna().all()


def test_dealing_that_is_not_logged_is_taken_for_shuffled() -> None:
    """And the frame says that this is assumed."""
    frame = judged(frame_of(counts_of(50, 2, 4), deal=None), UNUSED)
    assert set(frame["model"]) == {"uniform, assumed"}
    assert of(frame, "bombs", 0)["expected"] == pytest.approx(50 * 1.3708, rel=1e-4)


def test_few_games_are_tested_exactly() -> None:
    """One game with three jokers in a hand: twice the exact chance of that, not a normal tail."""
    counts = {"jokers": np.array([[3, 0]])}
    frame = judged(frame_of(counts), UNUSED)
    exact = 2 * (81 * 4 * 27 * 26 * 25 + 27 * 26 * 25 * 24) / (108 * 107 * 106 * 105)
    assert of(frame, "jokers", 0)["p"] == pytest.approx(exact)


def test_what_may_be_missed_shrinks_with_games() -> None:
    """Four times the games, half the excess that may hide; more power needs more excess."""
    few, many = (judged(frame_of(counts_of(n, 2, 5)), UNUSED) for n in (500, 2_000))
    assert (many["missed_80"] * 2).to_numpy() == pytest.approx(few["missed_80"].to_numpy())
    assert (few["missed_90"] > few["missed_80"]).all()


def test_a_sample_finds_what_it_says_it_finds() -> None:
    """An excess of ``missed_90`` in one seat is found in about nine of ten samples."""
    games, seeds = 2_000, 40
    missed = of(judged(frame_of(counts_of(games, 2, 6)), UNUSED), "bombs", 0)["missed_90"]
    found = 0
    for seed in range(seeds):
        frame = judged(frame_of(favoured(games, 2, 100 + seed, seat=0, excess=missed)), UNUSED)
        found += of(frame, "bombs", 0)["p_corrected"] < LEVEL
    assert found >= 0.75 * seeds


def test_corrected_over_all_rows() -> None:
    """More rooms in a frame make each p-value weigh less."""
    one = frame_of(counts_of(200, 2, 7), room="a")
    two = pd.concat([one, frame_of(counts_of(200, 2, 8), room="b")], ignore_index=True)
    alone, together = judged(one.copy(), UNUSED), judged(two, UNUSED)
    smallest = alone["p"].idxmin()
    assert together["p"][smallest] == alone["p"][smallest]
    assert together["p_corrected"][smallest] >= alone["p_corrected"][smallest]
