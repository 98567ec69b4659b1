"""Positions on the desk, on the sheets and in the books: nothing lies on anything else."""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType

import pytest

from analytics import findings
from analytics.cards import FACE_TABLE, FACES, RANKS
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S

PLAIN = (
    "BOMBS_WRITTEN", "FINDINGS_WRITTEN", "PLAYS_WRITTEN", "CHOICES_WRITTEN", "GAME", "ACTION",
    "SEAT", "STARRED", "PLAYED", "NAMED_RANKS", "FACES_NAMED", "TURN", "AUTHOR", "PASSES",
    "SEATS_OUT", "LAST_OUT", "ENDED", "FLEER", "LAST_BOMB", "BOMB_COUNT", "PLIES", "WATCHED",
)  # fmt: skip
LONG = {
    "TABLE": 6,
    "LEFT": D.MAX_SEATS,
    "PLACE": D.MAX_SEATS,
    "TIMEOUTS": D.MAX_SEATS,
    "PENDING": D.MAX_SEATS,
    "TRUSTEE": D.MAX_SEATS,
    "FACES_HELD": D.MAX_SEATS * FACES,
    "RANKS_HELD": D.MAX_SEATS * RANKS,
    "SEAT_FACTS": D.MAX_SEATS * D.SEAT_WIDTH,
    "BOMBS": D.MAX_BOMBS * D.BOMB_WIDTH,
    "PLAYED_FACES": D.MAX_PLAYED,
    "NAMED": D.MAX_NAMED,
    "COUNTS": RANKS,
    "DECLARED": RANKS,
    "LOW": 1,
    "HIGH": 1,
    "NATURAL": 1,
    "SCRATCH": RANKS,
    "CHARS": len(FACE_TABLE),
}
LENGTHS = {**dict.fromkeys(PLAIN, 1), **LONG}


def test_the_desk_is_filled_without_gap_or_overlap() -> None:
    """Each field ends where the next one begins, the last at the end of the desk."""
    begins = sorted((getattr(D, name), length, name) for name, length in LENGTHS.items())
    assert begins[0][0] == 0
    for (at, length, name), (following, _, other) in pairwise(begins):
        assert at + length == following, (name, other)
    assert begins[-1][0] + begins[-1][1] == D.DESK == len(D.new_desk())


def test_only_the_state_of_a_game_is_cleared() -> None:
    """Everything between the counts of rows and the bombs of the game."""
    cleared = [n for n in LENGTHS if D.GAME_STATE <= getattr(D, n) < D.GAME_STATE_END]
    kept = ["BOMBS_WRITTEN", "FINDINGS_WRITTEN", "PLAYS_WRITTEN", "CHOICES_WRITTEN", "WATCHED"]
    worked_in = ["BOMBS", "PLAYED_FACES", "NAMED", "COUNTS", "DECLARED", "LOW", "HIGH", "NATURAL"]
    worked_in += ["SCRATCH", "CHARS"]
    assert sorted(cleared) == sorted(set(LENGTHS) - {*kept, *worked_in})


def test_a_new_desk_knows_its_characters() -> None:
    """The table of faces, and nothing else."""
    desk = D.new_desk()
    assert desk[D.CHARS : D.WATCHED].tolist() == list(FACE_TABLE)
    assert not desk[: D.CHARS].any()
    assert not desk[D.WATCHED :].any()


@pytest.mark.parametrize(
    ("module", "prefix", "width"),
    [
        (D, "G_", D.GAME_WIDTH),
        (D, "B_", D.BOMB_WIDTH),
        (D, "P_", D.PLAY_WIDTH),
        (S, "X_", S.BOOK_GAME_WIDTH),
        (S, "Y_", S.BOOK_SEAT_WIDTH),
        (findings, "F_", findings.FINDING_WIDTH),
    ],
)
def test_the_columns_of_a_row(module: ModuleType, prefix: str, width: int) -> None:
    """Numbered from 0, each once, as many as the row is wide."""
    positions = [value for name, value in vars(module).items() if name.startswith(prefix)]
    assert sorted(positions) == list(range(width))


def test_the_columns_of_a_choice() -> None:
    """Six places for each meld, and the hand to the end of the row."""
    assert (D.C_GAME, D.C_ACTION, D.C_SEAT, D.C_STARRED) == (0, 1, 2, 3)
    assert (4, 4 + LONG["TABLE"], 4 + 2 * LONG["TABLE"]) == (D.C_OVER, D.C_PLAYED, D.C_HAND)
    assert D.CHOICE_WIDTH == D.C_HAND + RANKS


def test_the_columns_of_a_seat() -> None:
    """The last ones are the numbers of bombs, one for each xiang of a table."""
    positions = [value for name, value in vars(D).items() if name.startswith("S_")]
    assert sorted(positions) == list(range(D.S_BOMBS + 1))
    assert D.SEAT_WIDTH == D.S_BOMBS + R.MAX_XIANG


def test_the_items_of_the_ledger() -> None:
    """Numbered from 0, each once."""
    items = [S.BASE, S.DOUBLING, S.CONTRIBUTION, S.ESCAPE, S.FEE, S.CAP, S.MINT]
    assert items == list(range(S.ITEMS))
