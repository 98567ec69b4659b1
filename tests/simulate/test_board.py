"""The board: turns, rounds and 接风, clause by clause."""

from __future__ import annotations

from analytics.shuangkou.melds import NO_MELD, SINGLE, Meld
from analytics.simulate.board import Board

LOW = Meld(SINGLE, 1, 3, 0, 0, 3)
WHOLE = Meld(SINGLE, 27, 3, 0, 0, 3)  # the board counts cards and looks at nothing else


def test_turns_go_round_in_ascending_seats() -> None:
    """Clause 5.1: the next seat number is next."""
    board = Board(4, first=2)
    turns = []
    for _ in range(5):
        turns.append(board.turn)
        board.play(LOW)
    assert turns == [2, 3, 0, 1, 2]


def test_a_round_ends_when_all_others_have_passed() -> None:
    """Clause 5.4: the author of the last play leads."""
    board = Board(4, first=0)
    board.play(LOW)
    for _ in range(3):
        assert board.is_led
        board.play_pass()
    assert (board.turn, board.over) == (0, NO_MELD)


def test_the_partner_leads_for_who_is_out() -> None:
    """Clause 5.4, 接风: the author played his last card."""
    board = Board(4, first=1)
    board.play(WHOLE)
    for _ in range(3):
        board.play_pass()
    assert board.turn == 3


def test_who_is_out_is_passed_over() -> None:
    """A seat without cards has no turn."""
    board = Board(4, first=0)
    board.play(WHOLE)
    for _ in range(3):
        board.play(LOW)
    assert board.turn == 1


def test_two_players_end_with_the_first_out() -> None:
    """Clause 5.5: one out of cards."""
    board = Board(2, first=0)
    board.play(WHOLE)
    assert board.is_over


def test_four_players_end_with_a_team_out() -> None:
    """Clause 5.5: both of a team."""
    board = Board(4, first=0)
    board.play(WHOLE)
    board.play(WHOLE)
    assert not board.is_over
    board.play(WHOLE)
    assert board.is_over


def test_only_opponents_are_feared() -> None:
    """The partner's cards do not count, nor those of who is out."""
    board = Board(4, first=0)
    board.left = [9, 0, 2, 7]
    assert board.fewest_of_others(0) == 7
