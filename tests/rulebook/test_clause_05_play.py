"""Rules clause 5: turns, rounds, ends and places."""

from __future__ import annotations

import pytest

from analytics.rules import Ruleset
from analytics.shuangkou import desk as D
from tests.rulebook.builder import (
    BAIBIAN,
    DECK,
    POINTS,
    Table,
    book_of,
    play,
    rules,
    verify,
)

FOUR = ["34", "45", "56", "67"]


# 1. Turns.


def test_5_1_two_players_alternate() -> None:
    """After each play it is the other's turn."""
    hands = ["3 5 7 9", "4 6 8"]
    assert play(POINTS, hands, "0 3", "1 4", "0 5", "1 6").turns == [1, 0, 1, 0]
    assert play(POINTS, hands, "0 3", "0 5").found == ["play.turn@1"]


def test_5_1_four_play_in_ascending_seat_number() -> None:
    """Counter-clockwise is the order in which the log lists the seats."""
    hands = ["3 T", "4 T", "5 T", "6 T"]
    assert play(BAIBIAN, hands, "0 3", "1 4", "2 5", "3 6").turns == [1, 2, 3, 0]
    assert play(BAIBIAN, hands, "0 3", "2 5").found == ["play.turn@1"]
    assert play(BAIBIAN, hands, "0 3", "3 6").found == ["play.turn@1"]


def test_5_1_a_pass_passes_the_turn_on_as_well() -> None:
    """Whoever passes out of turn is out of turn."""
    assert play(BAIBIAN, FOUR, "0 3", "1 -", "2 -").turns == [1, 2, 3]
    assert play(BAIBIAN, FOUR, "0 3", "2 -").found == ["play.turn@1"]


# 2. The shown card.


def _opening(
    house: str | Ruleset, holders: dict[str, list[int]], first: int, shown: str | None, seats: int
) -> list[str]:
    """The findings where ``first`` leads and these faces lie in the hands of these seats."""
    table = Table(house, ["3"] * seats, whole=True)
    rest = [face for face in DECK if face not in holders]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for face, owners in holders.items():
        for owner in owners:
            hands[owner].append(face)
    for hand in hands:
        while len(hand) < 27:
            hand.append(rest.pop())
    log = table.log(first=first, shown=shown, hands=["".join(hand) for hand in hands], actions=[])
    return verify(log, book_of(house)).found


FINE = ["play.unfinished"]


@pytest.mark.parametrize(
    ("holders", "first", "found"),
    [
        ([0], 0, FINE),
        ([0], 1, ["play.lead#1"]),
        ([1], 1, FINE),
        ([1], 0, ["play.lead#0"]),
        ([0, 0], 0, FINE),
        ([0, 0], 1, ["play.lead#1"]),
        ([0, 1], 0, FINE),  # either holder
        ([0, 1], 1, FINE),
        ([], 0, ["deal.shown"]),
    ],
)
def test_5_2_the_holder_of_the_shown_card_leads(
    holders: list[int], first: int, found: list[str]
) -> None:
    """Where both copies were dealt to two players, either of them may lead."""
    assert _opening(POINTS, {"7H": holders}, first, "7H", 2) == found


@pytest.mark.parametrize(
    ("holders", "first", "found"),
    [
        ([0, 2], 0, FINE),
        ([0, 2], 2, FINE),
        ([1, 3], 3, FINE),
        ([0, 2], 1, ["play.lead#1"]),
        ([1, 1], 1, FINE),  # the seat opposite is the partner
        ([1, 1], 3, ["play.lead#3"]),
        ([0, 1], 0, ["deal.partner"]),
        ([1, 2], 1, ["deal.partner"]),
        ([0, 3], 3, ["deal.partner"]),
        ([2, 3], 2, ["deal.partner"]),
    ],
)
def test_5_2_with_four_the_holders_of_the_shown_card_are_partners(
    holders: list[int], first: int, found: list[str]
) -> None:
    """One copy leads, the other sits opposite; both in one hand, and the seat opposite it is."""
    assert _opening(BAIBIAN, {"7H": holders}, first, "7H", 4) == found


@pytest.mark.parametrize(
    ("shown", "holders", "found"),
    [
        ("7H", [1, 2], FINE),
        ("7H", [2, 2], FINE),
        ("7X", [1, 2], ["deal.face"]),
    ],
)
def test_5_2_with_lead_policy_any_neither_leader_nor_partner_is_checked(
    shown: str, holders: list[int], found: list[str]
) -> None:
    """The house has another rule; that the shown card is a face is still checked."""
    house = rules(BAIBIAN, lead_policy="any")
    assert _opening(house, {"7H": holders}, 0, shown, 4) == found


def test_5_2_with_lead_policy_any_the_shown_card_has_to_be_dealt() -> None:
    """Nobody was dealt it: deal.shown, whatever the policy."""
    house = rules(POINTS, lead_policy="any")
    assert _opening(house, {"7H": []}, 0, "7H", 2) == ["deal.shown"]
    assert _opening(house, {"7H": [1]}, 0, "7H", 2) == FINE


def test_5_2_a_log_without_a_shown_card_is_not_checked() -> None:
    """Neither the leader nor the partner can be."""
    assert _opening(POINTS, {"7H": [1]}, 0, None, 2) == FINE
    assert _opening(BAIBIAN, {"7H": [0, 1]}, 3, None, 4) == FINE


def test_5_2_teams_are_seats_0_and_2_against_1_and_3() -> None:
    """Out together, 0 and 2 win a 双扣, and so do 1 and 3."""
    seen = play(BAIBIAN, ["3", "5", "4", "6"], "0 3", "1 -", "2 4")
    assert (seen.kou, seen.delta) == ("shuang", [4, -4, 4, -4])
    seen = play(BAIBIAN, ["5", "3", "6", "4"], "1 3", "2 -", "3 4", leader=1)
    assert (seen.kou, seen.delta) == ("shuang", [-4, 4, -4, 4])


def test_5_2_the_leader_is_the_first_to_act() -> None:
    """A first action by another seat is out of turn."""
    assert play(POINTS, ["3", "4"], "1 4", whole=True).found == ["play.turn@0"]
    assert play(POINTS, ["3", "4"], "0 3", whole=True).at_actions == []


# 3. Leading and following.


@pytest.mark.parametrize("cards", ["3", "33", "333", "34567", "334455", "3333", "ssb", "ssbb"])
def test_5_3_a_leader_plays_any_meld(cards: str) -> None:
    """On the lead there is nothing to beat."""
    assert play(POINTS, [cards + "2", "4"], f"0 {cards}").at_actions == []


def test_5_3_a_leader_may_not_pass() -> None:
    """Neither at the beginning nor after a round that he has won, himself or by the system."""
    assert play(POINTS, ["3", "4"], "0 -", whole=True).found == ["play.pass@0"]
    assert play(POINTS, ["35", "4"], "0 3", "1 -", "0 -").found == ["play.pass@2"]
    assert play(POINTS, ["35", "4"], "0 3", "1 -", "0 -*").found == ["play.pass@2"]


@pytest.mark.parametrize(
    ("table", "cards", "found"),
    [
        ("44", "55", []),
        ("44", "33", ["play.beat@1"]),
        ("44", "555", ["play.beat@1"]),
        ("44", "5", ["play.beat@1"]),
        ("44", "3333", []),
        ("4444", "55", ["play.beat@1"]),
        ("4444", "5555", []),
        ("4444", "3333", ["play.beat@1"]),
        ("4444", "33333", []),
        ("44", "-", []),
        ("4444", "-", []),
        ("44", "56", ["play.meld@1"]),
    ],
)
def test_5_3_a_follower_beats_or_bombs_or_passes(table: str, cards: str, found: list[str]) -> None:
    """The same kind and size and higher, or a bomb that beats, or a pass."""
    hand = cards.replace("-", "") + "7"
    assert play(POINTS, [table + "3", hand], f"0 {table}", f"1 {cards}").at_actions == found


def test_5_3_having_passed_does_not_bar_a_seat_from_playing_later() -> None:
    """In the same round, when the turn comes again (decided)."""
    hands = ["3 T", "9 T", "4 T", "5 T"]
    seen = play(BAIBIAN, hands, "0 3", "1 -", "2 4", "3 -", "0 -", "1 9")
    assert seen.at_actions == []
    assert seen.turns == [1, 2, 3, 0, 1, 2]
    assert not seen.leads


# 4. Rounds.


def test_5_4_a_round_ends_when_every_other_seat_has_passed() -> None:
    """Then the author of the last play leads, with any meld."""
    seen = play(POINTS, ["K 33", "4"], "0 K", "1 -")
    assert (seen.turns[-1], seen.leads) == (0, True)
    seen = play(BAIBIAN, ["3 9", "4 9", "5 9", "6 9"], "0 3", "1 4", "2 -", "3 -")
    assert (seen.turns[-1], seen.leads) == (0, False)
    seen = play(BAIBIAN, ["3 9", "4 9", "5 9", "6 9"], "0 3", "1 4", "2 -", "3 -", "0 -")
    assert (seen.turns[-1], seen.leads) == (1, True)


def test_5_4_passes_before_the_last_play_do_not_count() -> None:
    """A round goes on until all others have passed since the last play."""
    hands = ["3 9", "9 9", "9 9", "4 9"]
    seen = play(BAIBIAN, hands, "0 3", "1 -", "2 -", "3 4", "0 -", "1 -")
    assert (seen.turns[-1], seen.leads) == (2, False)
    seen = play(BAIBIAN, hands, "0 3", "1 -", "2 -", "3 4", "0 -", "1 -", "2 -")
    assert (seen.turns[-1], seen.leads) == (3, True)


def test_5_4_jiefeng() -> None:
    """接风: the author has played his last card, so his partner leads."""
    hands = ["3", "4 5", "5 6", "6 7"]
    seen = play(BAIBIAN, hands, "0 3", "1 -", "2 -", "3 -")
    assert seen.at_actions == []
    assert seen.turns == [1, 2, 3, 2]
    assert seen.leads
    seen = play(BAIBIAN, ["4 5", "5 6", "6 7", "3"], "3 3", "0 -", "1 -", "2 -", leader=3)
    assert seen.turns == [0, 1, 2, 1]


def test_5_4_no_jiefeng_where_somebody_beats_the_last_card() -> None:
    """Then that seat is the author, and leads if it is not beaten."""
    hands = ["3", "4 5", "5 6", "6 7"]
    seen = play(BAIBIAN, hands, "0 3", "1 4", "2 -", "3 -")
    assert seen.turns == [1, 2, 3, 1]
    assert seen.leads


def test_5_4_a_seat_that_is_out_is_passed_over() -> None:
    """Only seats still in the game take turns, and only they have to pass."""
    hands = ["3", "4 8", "5 9", "6 T"]
    seen = play(BAIBIAN, hands, "0 3", "1 4", "2 5", "3 6", "1 -", "2 -")
    assert seen.turns == [1, 2, 3, 1, 2, 3]
    assert seen.leads


def test_5_4_with_two_seats_out_two_go_on() -> None:
    """One of each team is out: the other two alternate, and one pass ends a round."""
    hands = ["3", "4", "5 7", "6 8"]
    seen = play(BAIBIAN, hands, "0 3", "1 4", "2 5", "3 6", "2 -")
    assert seen.turns == [1, 2, 3, 2, 3]
    assert seen.leads


def test_5_4_jiefeng_after_the_second_seat_is_out() -> None:
    """1 has played its last card on 0's, and nobody beats it: 3 leads."""
    hands = ["3", "4", "5 7", "6 8"]
    seen = play(BAIBIAN, hands, "0 3", "1 4", "2 -", "3 -")
    assert seen.turns == [1, 2, 3, 3]
    assert seen.leads


# 5. The end.


def test_5_5_two_players_play_until_one_is_out_of_cards() -> None:
    """The one who is out has won."""
    seen = play(POINTS, ["3", "45"], "0 3")
    assert (seen.found, seen.end, seen.winner, seen.turns) == ([], "out", 0, [-1])
    assert play(POINTS, ["35", "4"], "0 3", "1 4").winner == 1


def test_5_5_four_players_play_until_both_of_a_team_are_out() -> None:
    """One of each team out is not the end."""
    hands = ["3", "4 9", "5", "6 7"]
    assert play(BAIBIAN, hands, "0 3", "1 4").end is None
    assert play(BAIBIAN, ["3", "4", "5 9", "6 9"], "0 3", "1 4").end is None
    seen = play(BAIBIAN, hands, "0 3", "1 4", "2 5")
    assert (seen.found, seen.end, seen.winner) == ([], "out", 0)
    seen = play(BAIBIAN, ["3", "4", "5 9", "6"], "0 3", "1 4", "2 5", "3 6")
    assert (seen.found, seen.end, seen.winner) == ([], "out", 0)


# 6. Places.


@pytest.mark.parametrize(
    ("hands", "actions", "places"),
    [
        (["3", "5 5", "4", "6 6"], ["0 3", "1 -", "2 4"], [1, 4, 2, 3]),
        (["4", "5 5", "3", "6 6"], ["2 3", "3 -", "0 4"], [2, 3, 1, 4]),
        (["3", "4", "5", "6 6"], ["0 3", "1 4", "2 5"], [1, 2, 3, 4]),
        (["3", "4", "5 5", "6"], ["0 3", "1 4", "2 5", "3 6"], [1, 2, 4, 3]),
        (["6 6", "3", "5 5", "4"], ["1 3", "2 -", "3 4"], [3, 1, 4, 2]),
        (["6 6", "4", "5 5", "3"], ["3 3", "0 -", "1 4"], [4, 2, 3, 1]),
    ],
)
def test_5_6_places_are_the_order_of_going_out(
    hands: list[str], actions: list[str], places: list[int]
) -> None:
    """Who still holds cards follows in play order, after the last one out (decided)."""
    seen = play(BAIBIAN, hands, *actions, leader=int(actions[0][0]))
    assert (seen.found, seen.places, seen.winner) == ([], places, places.index(1))


def test_5_6_two_players_have_no_places() -> None:
    """A recorded place is not compared with anything."""
    seen = play(POINTS, ["3", "4"], "0 3", result={"places": [2, 1]})
    assert (seen.found, seen.places) == ([], [0, 0])


# 5.1 What the system does for a player: auto-pass.


@pytest.mark.parametrize(
    ("table", "hand", "can_beat"),
    [
        ("8", "3 7 8", False),
        ("8", "3 9", True),
        ("2", "33 AA", False),
        ("2", "3 s", True),
        ("88", "3 9 A", False),
        ("88", "99", True),
        ("88", "9 s", True),
        ("88", "7 s", False),
        ("22", "s b", True),
        ("88", "3333", True),
        ("88", "333 s", True),
        ("88", "3 ssb", True),  # three jokers
        ("88", "ssb", True),
        ("3333333bb", "4444 5555 6666 7777 8888 9999", True),
        ("34567", "4567", False),
        ("34567", "45678", True),
        ("34567", "4567 b", True),
        ("8888", "7777", False),
        ("8888", "77777", True),
        ("8888", "9999", True),
        ("888888", "ssb 9", False),
        ("8888888", "33334444 5555", False),
        ("888888", "3333 4444 5555", True),
        ("888888", "3333 444 555 bs", True),
    ],
)
@pytest.mark.parametrize("policy", ["smallest", "any"])
def test_5_1_auto_pass(table: str, hand: str, can_beat: bool, policy: str) -> None:
    """The system passes when nothing in the hand beats; otherwise auto.pass."""
    house = rules(POINTS, trustee_policy=policy)
    found = play(house, [table + "3", hand], f"0 {table}", "1 -*").at_actions
    assert found == (["auto.pass@1"] if can_beat else [])


def test_5_1_a_pass_without_the_mark_is_always_fine() -> None:
    """A player may pass whatever he holds."""
    assert play(POINTS, ["3 4", "5 9999"], "0 3", "1 -").at_actions == []


# 5.1: the trustee.


def _starred(
    over: str, hand: str, cards: str, house: str | Ruleset = POINTS, at: int = 1
) -> list[str]:
    """The findings where the system plays ``cards`` from a hand over ``over``."""
    return play(house, [over + "3", hand], f"0 {over}", f"{at} {cards}*").at_actions


NOT_SMALLEST = ["auto.play@1"]


@pytest.mark.parametrize(
    ("hand", "lead", "found"),
    [
        ("4 5 66", "4", []),
        ("4 5 66", "5", ["auto.play@0"]),
        ("44 5", "4", []),
        ("44 5", "44", ["auto.play@0"]),
        ("3333 4", "3", []),
        ("3333 4", "3333", ["auto.play@0"]),
        ("2 s", "2", []),
        ("s b", "s", []),
        ("s b", "b", ["auto.play@0"]),
        ("A 2", "2", ["auto.play@0"]),
    ],
)
def test_5_1_the_trustee_leads_a_single_of_the_lowest_rank(
    hand: str, lead: str, found: list[str]
) -> None:
    """A joker is its own rank."""
    assert play(POINTS, [hand, "4"], f"0 {lead}*").at_actions == found


@pytest.mark.parametrize(
    ("over", "hand", "smallest", "others"),
    [
        ("8", "7 9 T 2", "9", ["T", "2"]),
        ("8", "7 s 2", "2", ["s"]),
        ("2", "3 s b", "s", ["b"]),
        ("88", "99 TT 4", "99", ["TT"]),
        ("88", "9 T s 4", "9s", ["Ts"]),
        ("AA", "3 ss b", "ss", ["sb"]),
        ("888", "999 TTT 4", "999", ["TTT"]),
        ("34567", "456789 J", "45678", ["56789"]),
        ("334455", "445566 77", "445566", ["556677"]),
        ("333444555", "444555666777", "444555666", ["555666777"]),
        ("8888", "7777 9999 TTTT", "9999", ["TTTT"]),
    ],
)
def test_5_1_the_trustee_follows_with_the_lowest_that_beats(
    over: str, hand: str, smallest: str, others: list[str]
) -> None:
    """The lowest meld of the same kind and size."""
    assert _starred(over, hand, smallest) == []
    for other in others:
        assert _starred(over, hand, other) == NOT_SMALLEST


@pytest.mark.parametrize(
    ("over", "hand", "bomb"), [("8", "9 3333", "3333"), ("88", "9 s 3333", "3333")]
)
def test_5_1_the_trustee_does_not_bomb_without_need(over: str, hand: str, bomb: str) -> None:
    """A bomb only where nothing of the same kind and size beats."""
    assert _starred(over, hand, bomb) == NOT_SMALLEST


@pytest.mark.parametrize(
    ("over", "hand", "smallest", "others"),
    [
        ("2", "3333 4444 J", "3333", ["4444"]),
        ("2", "3333 44444", "3333", ["4444", "44444"]),
        ("2", "44444 5", "4444", ["44444"]),
        ("8888", "7777 99999", "9999", ["99999"]),
        ("8888", "77777 3", "77777", []),
        ("22222", "ssb 333333", "ssb", ["333333", "33333s"]),
        ("222222", "3333 4444 5555 7777777", "333344445555", ["7777777"]),
        ("222222", "777777 s b", "777777s", ["777777sb"]),
        ("222222", "777777 s b", "777777b", []),
        ("222222", "5555555 ssbb", "5555555", ["ssbb", "5555555b"]),
        ("8", "3 4 5 7777", "7777", []),
    ],
)
def test_5_1_else_the_trustee_plays_the_lowest_bomb(
    over: str, hand: str, smallest: str, others: list[str]
) -> None:
    """A bomb that beats, and that beats no other bomb at hand that would do."""
    assert _starred(over, hand, smallest) == []
    for other in others:
        assert _starred(over, hand, other) == NOT_SMALLEST


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("3333444445555", []),
        ("4444455556666", []),
        ("4444555566666", []),
        ("44444555566666", []),
        ("333344445555", NOT_SMALLEST),  # fewer cards, so it is higher than any of them
    ],
)
def test_5_1_of_equal_irregular_chains_any_will_do(cards: str, found: list[str]) -> None:
    """None of them beats another one, so each is the lowest."""
    assert _starred("222222", "3333 44444 5555 66666", cards) == found


def test_5_1_else_the_trustee_passes_also_against_the_partner() -> None:
    """It beats the partner's card if it can (decided), so a pass is one too few."""
    hands = ["8 3", "3 4", "9 T", "3 4"]
    assert play(BAIBIAN, hands, "0 8", "1 -*", "2 9*").at_actions == []
    assert play(BAIBIAN, hands, "0 8", "1 -*", "2 -*").at_actions == ["auto.pass@2"]
    assert play(BAIBIAN, hands, "0 8", "1 -*", "2 T*").at_actions == ["auto.play@2"]


def test_5_1_lowest_is_by_the_undeclared_reading() -> None:
    """Also where the play carries a declaration that makes it lower."""
    # 4567 and 大王 are 45678 at most; 5678 and 大王 count as 56789 even where declared lower.
    assert _starred("34567", "45678 b", "4567b=8") == []
    assert _starred("34567", "45678 b", "5678b") == NOT_SMALLEST
    assert _starred("34567", "45678 b", "5678b=4") == NOT_SMALLEST
    assert _starred("34567", "5678 J b", "5678b=4") == []
    assert _starred("34567", "5678 9 b", "5678b=4") == []


def test_5_1_what_is_read_as_a_bomb_counts_as_a_bomb_only() -> None:
    """4 and four jokers are five 4s, so they are no straight for the trustee."""
    assert _starred("34567", "4 J ssbb", "4ssb") == []
    assert _starred("34567", "4 J ssbb", "4sbb") == []
    assert _starred("34567", "4 J ssbb", "Jssb") == NOT_SMALLEST
    assert _starred("34567", "4 J ssbb", "4ssbb=5678") == NOT_SMALLEST


def test_5_1_suits_and_jokers_are_free() -> None:
    """Any 9 and any wild joker make the same pair."""
    for cards in ("9S9H", "9S9C", "9H9C", "9SSJ", "9SBJ", "9CBJ"):
        assert _starred("88", "9S9H9C sb", cards) == []


def test_5_1_trustee_policy_any_silences_auto_play() -> None:
    """Houses differ; then whatever the system plays is as good."""
    house = rules(POINTS, trustee_policy="any")
    assert _starred("8", "9 T", "T", house) == []
    assert _starred("8", "9 T", "T") == NOT_SMALLEST


# 5.1: timeouts, trustee, return, disconnect, escape.


def _alternating(*actions: str, house: str | Ruleset = POINTS) -> list[str]:
    """The findings where 0 and 1 play 3, 4, 5 ... in turn, with events in between."""
    return play(house, ["3579JK", "468TQA"], *actions).at_actions


def test_5_1_the_turn_that_timed_out_is_played_by_the_system() -> None:
    """So the next action of that seat carries the mark."""
    assert _alternating("0 !timeout", "0 3*", "1 4") == []
    assert _alternating("0 !timeout", "0 3", "1 4") == ["auto.timeout@1"]


def test_5_1_a_timeout_marks_the_next_action_only() -> None:
    """After it the player plays on."""
    assert _alternating("0 !timeout", "0 3*", "1 4", "0 5") == []
    assert _alternating("0 !timeout", "0 3", "1 4", "0 5") == ["auto.timeout@1"]


def test_5_1_a_timeout_marks_that_seat_only() -> None:
    """What the other seat does in between is its own."""
    assert _alternating("0 3", "0 !timeout", "1 4", "0 5*") == []
    assert _alternating("0 3", "0 !timeout", "1 4", "0 5") == ["auto.timeout@3"]


def test_5_1_a_timeout_marks_a_pass_as_well() -> None:
    """A pass by the system carries the mark."""
    assert play(POINTS, ["35", "4"], "0 5", "1 !timeout", "1 -*").at_actions == []
    found = play(POINTS, ["35", "4"], "0 5", "1 !timeout", "1 -").at_actions
    assert found == ["auto.timeout@2"]


def test_5_1_the_third_timeout_puts_a_seat_under_the_trustee() -> None:
    """From then on all its actions carry the mark."""
    three = ["0 !timeout", "0 3*", "1 4", "0 !timeout", "0 5*", "1 6", "0 !timeout", "0 7*"]
    assert _alternating(*three, "1 8", "0 9*") == []
    assert _alternating(*three, "1 8", "0 9", "1 T", "0 J") == ["auto.timeout@9", "auto.timeout@11"]


def test_5_1_two_timeouts_do_not() -> None:
    """After the second the player still plays for himself."""
    two = ["0 !timeout", "0 3*", "1 4", "0 !timeout", "0 5*", "1 6"]
    assert _alternating(*two, "0 7", "1 8", "0 9") == []


def test_5_1_timeouts_are_counted_for_each_seat() -> None:
    """Two of one seat and one of the other put nobody under the trustee."""
    found = _alternating("0 !timeout", "0 3*", "1 !timeout", "1 4*", "0 !timeout", "0 5*", "1 6")
    assert found == []


def test_5_1_a_timeout_counts_whoever_is_to_move() -> None:
    """Three in a row before the turn are three."""
    events = ["1 !timeout"] * 3
    assert _alternating(*events, "0 3", "1 4*", "0 5", "1 6") == ["auto.timeout@6"]


def test_5_1_return_ends_the_trustee() -> None:
    """After it the player plays for himself."""
    for event in ("trustee", "drop"):
        assert _alternating(f"0 !{event}", "0 3*", "1 4", "0 !return", "0 5") == []
    assert _alternating(*["0 !timeout"] * 3, "0 3*", "1 4", "0 !return", "0 5") == []


def test_5_1_return_lifts_a_pending_mark() -> None:
    """A seat that is back before its turn plays without the mark (decided)."""
    assert _alternating("0 !timeout", "0 !return", "0 3") == []


def test_5_1_return_starts_the_count_afresh() -> None:
    """Two timeouts before and two after it are not three (decided)."""
    events = ["0 !timeout", "0 !timeout", "0 !return", "0 !timeout", "0 !timeout"]
    assert _alternating(*events, "0 3*", "1 4", "0 5") == []
    assert _alternating(*events, "0 !timeout", "0 3*", "1 4", "0 5") == ["auto.timeout@8"]


@pytest.mark.parametrize("event", ["trustee", "drop"])
def test_5_1_hand_over_and_disconnect_put_a_seat_under_the_trustee(event: str) -> None:
    """Until it returns; the other seat is free."""
    assert _alternating(f"0 !{event}", "0 3*", "1 4", "0 5*") == []
    found = _alternating(f"0 !{event}", "0 3", "1 4", "0 5")
    assert found == ["auto.timeout@1", "auto.timeout@3"]


def test_5_1_a_disconnect_does_not_change_the_result() -> None:
    """The trustee plays on, and the result counts as normal."""
    seen = play(POINTS, ["3", "45"], "1 !drop", "0 3", result={"end": "out"})
    assert (seen.found, seen.end, seen.kou) == ([], "out", "ping")


def test_5_1_an_escape_with_trustee_is_an_event_like_a_disconnect() -> None:
    """The trustee plays on and the normal result counts, with two players and with four."""
    for house in (rules(POINTS, on_escape="trustee"), BAIBIAN):
        hands = ["3 4", "5 6 7", "8", "9"][: 2 if house != BAIBIAN else 4]
        seen = play(house, hands, "1 !escape", "0 3", "1 5")
        assert seen.at_actions == ["auto.timeout@2"]
        assert play(house, hands, "1 !escape", "0 3", "1 5*").at_actions == []
        assert play(house, hands, "1 !escape", "1 !return", "0 3", "1 5").at_actions == []


def test_5_1_an_escape_with_settle_ends_the_game_at_once() -> None:
    """Nobody plays on."""
    seen = play(POINTS, ["3 4", "5 6"], "0 3", "1 !escape")
    assert (seen.found, seen.end, seen.winner, seen.fleer) == ([], "escape", 0, 1)


def test_5_1_events_do_not_use_up_the_turn() -> None:
    """They count in the index of actions, no more."""
    events = ["0 !timeout", "1 !timeout", "0 !return", "1 !return", "1 !drop", "1 !return"]
    seen = play(POINTS, ["35", "4"], *events, "0 3")
    assert seen.turns == [0] * 6 + [1]


def test_5_1_all_timeouts_of_a_game_are_facts() -> None:
    """Also those before a return."""
    events = ["0 !timeout", "0 !return", "0 !timeout", "1 !timeout"]
    assert play(POINTS, ["3", "4"], *events, "0 3*").of_seats(D.S_TIMEOUTS) == [2, 1]
