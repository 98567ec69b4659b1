"""Games: seated as the rules say, played to an end, the same for the same seed."""

from __future__ import annotations

from random import Random

import pytest

from analytics.cards import face_of
from analytics.simulate.deals import Blocks, Uniform
from analytics.simulate.games import Mishaps, Table, seated
from analytics.simulate.planning import Taste
from analytics.simulate.players import Habits
from tests.simulate.verification import presets

HABITS = Habits(Taste("bomb", chains=True), boldness=0.4, patience=0.2, declares=0.5)
PRESETS = ("huopin-points", "huopin-wealth", "jiule", "baibian", "baibian-zerosum", "tongcheng")


def _table(rules: str, seed: int, mishaps: Mishaps) -> Table:
    rulebook = presets()
    rules_ix = rulebook.find(rules, None)
    rng = Random(seed)
    seats = rulebook.rulesets[rules_ix].play.seats
    seating = seated(Blocks(5, 10, 9), seats, rng)
    return Table(seating, [HABITS] * seats, rulebook, rules_ix, mishaps, rng)


def test_the_shown_card_seats_partners_opposite() -> None:
    """Clause 5.2: its holder leads, and the holders of both copies do not sit side by side."""
    rng = Random(7)
    for _ in range(200):
        seating = seated(Uniform(), 4, rng)
        holders = [at for at, hand in enumerate(seating.hands) if seating.shown in hand]
        assert seating.first in holders
        assert holders in ([0], [1], [2], [3], [0, 2], [1, 3])
        assert sorted(seating.players) == [0, 1, 2, 3]


def test_two_players_keep_their_seats() -> None:
    """There is nobody to change seats with."""
    for seed in range(50):
        seating = seated(Uniform(), 2, Random(seed))
        assert seating.players == (0, 1)
        assert seating.shown in seating.hands[seating.first]


@pytest.mark.parametrize("rules", PRESETS)
def test_games_end(rules: str) -> None:
    """Also when everything goes wrong at once; times never fall."""
    wild = Mishaps(timeout=0.2, handover=0.05, drop=0.05, back=0.2, escape=0.3)
    for seed in range(8):
        course = _table(rules, seed, wild).play()
        assert len(course.actions) == len(course.times)
        assert list(course.times) == sorted(course.times)


@pytest.mark.parametrize("rules", PRESETS)
def test_a_seed_means_one_game(rules: str) -> None:
    """The same seed plays the same game."""
    assert _table(rules, 3, Mishaps()).play() == _table(rules, 3, Mishaps()).play()


def test_without_mishaps_there_are_no_events() -> None:
    """Only auto-passes are the system's then."""
    calm = Mishaps(timeout=0, handover=0, drop=0, back=0, escape=0)
    actions = [a for seed in range(5) for a in _table("jiule", seed, calm).play().actions]
    assert not [action for action in actions if "!" in action]
    assert {action[2:] for action in actions if action.endswith("*")} == {"-*"}


def test_the_third_timeout_puts_a_seat_under_the_trustee() -> None:
    """Clause 5.1: from then on every turn of the seat is the system's."""
    slow = Mishaps(timeout=1, handover=0, drop=0, back=0, escape=0)
    actions = _table("huopin-points", 1, slow).play().actions
    assert sum(action == "0 !timeout" for action in actions) == 3
    assert all(action.endswith("*") for action in actions if "!" not in action)


def test_declared_readings_name_a_rank_per_joker() -> None:
    """What follows ``=`` are ranks, one for each wild joker."""
    texts = [a for seed in range(60) for a in _table("jiule", seed, Mishaps()).play().actions]
    declared = [text[2:].split("=") for text in texts if "=" in text]
    assert declared
    for faces, ranks in declared:
        jokers = [
            faces[at : at + 2] for at in range(0, len(faces), 2) if face_of(faces[at : at + 2]) > 51
        ]
        assert len(jokers) == len(ranks)
