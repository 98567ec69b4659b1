"""Rules clause 3: the melds (牌型), wild jokers, and what cards are read as."""

from __future__ import annotations

from itertools import permutations

import pytest

from analytics.rules import Ruleset
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    NATURALS,
    POINTS,
    TONGCHENG,
    WEALTH,
    assert_equal,
    assert_ladder,
    beats,
    play,
    read,
    rules,
)

ALL_RANKS = "3456789TJQKA"  # what a sequence may be made of


# The table of kinds.


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("3", "single 3"),
        ("2", "single 2"),
        ("s", "single SJ"),
        ("b", "single BJ"),
        ("77", "pair 7"),
        ("22", "pair 2"),
        ("ss", "pair SJ"),
        ("bb", "pair BJ"),
        ("777", "triple 7"),
        ("222", "triple 2"),
        ("34567", "straight 7"),
        ("TJQKA", "straight A"),
        ("334455", "pair_run 5"),
        ("QQKKAA", "pair_run A"),
        ("333444555", "triple_run 5"),
        ("QQQKKKAAA", "triple_run A"),
        ("3333", "bomb 3, 4相"),
        ("2222", "bomb 2, 4相"),
        ("88888888", "bomb 8, 8相"),
        ("333344445555", "chain 5, 3 ranks, 7相"),
        ("ssb", "three_jokers, 6相"),
        ("sbb", "three_jokers, 6相"),
        ("ssbb", "four_jokers, 7相"),
    ],
)
def test_3_the_kinds_of_melds(cards: str, meld: str) -> None:
    """Single, pair, triple, straight, pair run, triple run, bomb, chain and joker bombs."""
    assert read(cards, POINTS) == read(cards, BAIBIAN) == meld


@pytest.mark.parametrize(
    ("enough", "too_few", "meld"),
    [
        ("34567", "3456", "straight 7"),
        ("334455", "3344", "pair_run 5"),
        ("333444555", "333444", "triple_run 5"),
        ("333344445555", "33334444", "chain 5, 3 ranks, 7相"),
    ],
)
def test_3_the_fewest_ranks_of_a_run(enough: str, too_few: str, meld: str) -> None:
    """A straight has five ranks or more; pairs, triples and fours make a run from three on."""
    assert read(enough) == meld
    assert read(too_few) == "play.meld"


@pytest.mark.parametrize(
    ("rungs", "house"),
    [
        (["34567", "45678", "9TJQK", "TJQKA"], POINTS),
        (["334455", "445566", "QQKKAA"], POINTS),
        (["333444555", "444555666", "QQQKKKAAA"], POINTS),
        (["3", "4", "A", "2", "s", "b"], POINTS),
        (["33", "44", "AA", "22", "ss", "bb"], POINTS),
        (["333", "444", "AAA", "222"], POINTS),
    ],
)
def test_3_the_key_that_orders_a_kind(rungs: list[str], house: str) -> None:
    """Equal cards are ordered by rank, runs by their top rank."""
    assert_ladder(house, *rungs)


@pytest.mark.parametrize(
    ("cards", "over"),
    [
        ("456789", "34567"),
        ("56789", "345678"),
        ("44556677", "334455"),
        ("556677", "33445566"),
        ("444555666777", "333444555"),
    ],
)
def test_3_runs_are_compared_at_the_same_length_only(cards: str, over: str) -> None:
    """A run of another length does not beat, however high."""
    assert not beats(cards, over)
    assert not beats(over, cards)


@pytest.mark.parametrize(
    ("cards", "over"),
    [
        ("44", "3"),
        ("444", "33"),
        ("2", "33"),
        ("445566", "345678"),
        ("456789TJQ", "333444555"),
        ("444555666777", "334455667788"),
    ],
)
def test_3_melds_of_different_kinds_do_not_beat_one_another(cards: str, over: str) -> None:
    """Only the same kind and size is compared, bombs apart."""
    assert not beats(cards, over)
    assert not beats(over, cards)


@pytest.mark.parametrize(
    "cards", ["JQKA2", "A2345", "23456", "KKAA22", "223344", "KKKAAA222", "222333444"]
)
def test_3_no_2_in_a_sequence(cards: str) -> None:
    """Straights, pair runs and triple runs use 3 to A only, never a 2."""
    assert read(cards) == "play.meld"


@pytest.mark.parametrize("cards", ["QKA34", "KA345", "A3456", "KKAA33", "AA3344", "AAA333444"])
@pytest.mark.parametrize("house", [POINTS, JIULE, BAIBIAN])
def test_3_no_wrap_around(cards: str, house: str) -> None:
    """A is the top of a sequence and 3 the bottom; they are not neighbours."""
    assert read(cards, house) == "play.meld"


def test_3_a_joker_is_not_the_next_rank_of_a_sequence() -> None:
    """A joker stands in a sequence for another rank, never by itself."""
    assert read("QKA2sb") == "play.meld"
    assert read("JQKAs", BAIBIAN) == "play.meld"
    assert read("KKAAss", BAIBIAN) == "play.meld"


def test_3_a_run_of_12_ranks_is_the_longest() -> None:
    """All of 3 to A is a run; there is no thirteenth rank."""
    assert read(ALL_RANKS) == "straight A"
    assert read("".join(rank * 2 for rank in ALL_RANKS)) == "pair_run A"
    assert read(NATURALS) == "play.meld"
    assert read(ALL_RANKS + "b") == "play.meld"


def test_3_triple_runs_are_as_long_as_a_hand() -> None:
    """Nine triples are 27 cards."""
    assert read("".join(rank * 3 for rank in "6789TJQKA")) == "triple_run A"


@pytest.mark.parametrize(
    "cards",
    [
        "34",
        "334",
        "33344",  # 三带二
        "3334",  # 三带一
        "333345",  # 四带二
        "333344",
        "34568",
        "3344556",
        "334466",
        "33445",
        "33344455",
        "333444666",
        "3334445556",
        "3333444",
        "3333555577779999",
        "2b2sK",
    ],
)
@pytest.mark.parametrize("house", [POINTS, BAIBIAN])
def test_3_nothing_else_is_a_meld(cards: str, house: str) -> None:
    """No 三带二, no cards beside a bomb, no gaps, no mixture of group sizes below four."""
    assert read(cards, house) == "play.meld"


def test_3_a_chain_of_two_ranks_only_where_chain_min_is_2() -> None:
    """33334444 is no meld, except where the house allows chains of two."""
    assert read("33334444", POINTS) == "play.meld"
    assert read("33334444", rules(POINTS, chain_min=2)) == "chain 4, 2 ranks, 6相"


# 3.1 Wild jokers.


@pytest.mark.parametrize(
    ("house", "small", "big"),
    [
        (POINTS, "pair 7", "pair 7"),
        (WEALTH, "pair 7", "pair 7"),
        (JIULE, "pair 7", "pair 7"),
        (BAIBIAN, "play.meld", "pair 7"),
        (TONGCHENG, "play.meld", "pair 7"),
        (rules(POINTS, wild=("small",)), "pair 7", "play.meld"),
        (rules(POINTS, wild=()), "play.meld", "play.meld"),
    ],
)
def test_3_1_which_jokers_are_wild(house: str | Ruleset, small: str, big: str) -> None:
    """With wild = big only 大王 is wild (S1), with both 小王 is as well (S0, S4)."""
    assert read("7s", house) == small
    assert read("7b", house) == big


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("7b", "pair 7"),
        ("2b", "pair 2"),
        ("77b", "triple 7"),
        ("7bb", "triple 7"),
        ("22b", "triple 2"),
        ("3467b", "straight 7"),
        ("33455b", "pair_run 5"),
        ("33344555b", "triple_run 5"),
        ("3335bbss", "play.meld"),
        ("777b", "bomb 7, 4相"),
        ("222b", "bomb 2, 4相"),
        ("33334444555b", "chain 5, 3 ranks, 7相"),
    ],
)
def test_3_1_a_wild_joker_stands_for_a_rank_in_every_kind_of_meld(cards: str, meld: str) -> None:
    """Beside a natural card it is any rank 3 to 2, in pairs and triples too (decided)."""
    assert read(cards) == meld


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("JQKAb", "straight A"),
        ("JQKA2b", "play.meld"),
        ("KKAAbb", "pair_run A"),
        ("KKKAAAbbs", "triple_run A"),
        ("KA2bs", "play.meld"),
        ("KKAA2b", "play.meld"),
    ],
)
def test_3_1_a_wild_joker_is_never_a_2_in_a_sequence(cards: str, meld: str) -> None:
    """It follows the rules of the meld that it stands in."""
    assert read(cards) == meld


@pytest.mark.parametrize("jokers", ["s", "b", "sb", "ssb", "ssbb"])
def test_3_1_up_to_four_wild_jokers_may_be_used_together(jokers: str) -> None:
    """Seven natural 8s and all four jokers are eleven of a kind."""
    assert read("8888888" + jokers) == f"bomb 8, {7 + len(jokers)}相"


def test_3_1_four_wild_jokers_in_a_run() -> None:
    """3 and 8 make a straight of six with four jokers between them."""
    assert read("38ssbb") == "straight 8"


@pytest.mark.parametrize("cards", ["7s", "77s", "777s", "7777s", "5678s", "3344s5", "7sb", "777ss"])
def test_3_1_a_joker_that_is_not_wild_is_illegal_with_natural_cards(cards: str) -> None:
    """小王 beside natural cards is no meld in S1, with or without 大王."""
    assert read(cards, BAIBIAN) == "play.meld"


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("s", "single SJ"),
        ("ss", "pair SJ"),
        ("sb", "pair SJ"),
        ("ssb", "three_jokers, 6相"),
        ("sbb", "three_jokers, 6相"),
        ("ssbb", "four_jokers, 7相"),
    ],
)
def test_3_1_what_a_joker_that_is_not_wild_can_be(cards: str, meld: str) -> None:
    """A single, part of a joker pair, or part of a joker bomb."""
    assert read(cards, BAIBIAN) == meld


@pytest.mark.parametrize("house", [POINTS, JIULE, BAIBIAN])
@pytest.mark.parametrize("jokers", sorted(set(permutations("ssbb", 3))), ids="".join)
def test_3_1_jokers_alone_are_three_jokers_in_any_order(
    house: str, jokers: tuple[str, ...]
) -> None:
    """Three jokers are three jokers, never a triple of some rank."""
    assert read("".join(jokers), house) == "three_jokers, 6相"


@pytest.mark.parametrize("house", [POINTS, JIULE, BAIBIAN])
@pytest.mark.parametrize("jokers", sorted(set(permutations("ssbb"))), ids="".join)
def test_3_1_jokers_alone_are_four_jokers_in_any_order(house: str, jokers: tuple[str, ...]) -> None:
    """Four jokers are four jokers, never a bomb of some rank."""
    assert read("".join(jokers), house) == "four_jokers, 7相"


def test_3_1_jokers_alone_are_never_wild() -> None:
    """A pair of 大王 is no pair of 2, and does not stand for one: it is higher."""
    assert read("bb") == "pair BJ"
    assert read("b") == "single BJ"
    assert play(POINTS, ["bb 3", "4"], "0 bb=22").found == ["play.declared@0"]


@pytest.mark.parametrize(
    ("cards", "house", "meld"),
    [
        ("7777b", POINTS, "bomb 7, 5相"),
        ("7777b", BAIBIAN, "bomb 7, 5相"),
        ("77777777 ssbb", POINTS, "bomb 7, 12相"),
        ("77777777 ssbb", JIULE, "bomb 7, 12相"),
        ("77777777 bb", BAIBIAN, "bomb 7, 10相"),
        ("8888888 bb", POINTS, "bomb 8, 9相"),
    ],
)
def test_3_1_a_wild_joker_counts_fully_towards_xiang(cards: str, house: str, meld: str) -> None:
    """7777 and 大王 are 5相, eight and four jokers 12相, in S1 eight and two 10相 (decided)."""
    assert read(cards, house) == meld


# 3.2 Joker pairs.


@pytest.mark.parametrize(
    ("mixed", "meld"), [("small", "pair SJ"), ("big", "pair BJ"), ("none", "play.meld")]
)
def test_3_2_the_rank_of_a_mixed_joker_pair(mixed: str, meld: str) -> None:
    """大王 and 小王 are a pair (decided) of the rank that the house says, or no pair."""
    for house in (POINTS, BAIBIAN):
        assert read("sb", rules(house, mixed_joker_pair=mixed)) == meld


@pytest.mark.parametrize(
    ("house", "meld"),
    [(POINTS, "BJ"), (WEALTH, "BJ"), (JIULE, "BJ"), (BAIBIAN, "SJ"), (TONGCHENG, "SJ")],
)
def test_3_2_the_mixed_pair_of_the_presets(house: str, meld: str) -> None:
    """In S1 大王 stands for 小王; S0 and S4 take the strongest reading."""
    assert read("sb", house) == f"pair {meld}"


def test_3_2_two_equal_jokers_are_a_pair_of_their_rank() -> None:
    """They are pairs in every house, above 22, 小王 below 大王."""
    for house in (POINTS, JIULE, BAIBIAN, rules(POINTS, wild=(), mixed_joker_pair="none")):
        assert_ladder(house, "AA", "22", "ss", "bb")


def test_3_2_a_mixed_pair_is_equal_to_the_pair_of_its_rank() -> None:
    """Of rank 小王 it beats 22 and loses to 大王; of rank 大王 it beats 小王."""
    assert_equal(BAIBIAN, "sb", "ss")
    assert_ladder(BAIBIAN, "22", "sb", "bb")
    assert_equal(POINTS, "sb", "bb")
    assert_ladder(POINTS, "22", "ss", "sb")


# 3.3 Several readings.


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("5678b", "straight 9"),
        ("45678b", "straight 9"),
        ("JQKAb", "straight A"),
        ("3456b", "straight 7"),
        ("QKAbs", "straight A"),
    ],
)
def test_3_3_a_leader_has_the_highest_top(cards: str, meld: str) -> None:
    """5678 and 大王 are 56789, 45678 and one are 456789, JQKA and one are 10JQKA."""
    assert read(cards) == read(cards, JIULE) == meld


def test_3_3_a_bomb_comes_before_any_other_reading() -> None:
    """3 and four jokers are five 3s, not 34567; fours before a longer run of triples."""
    assert read("3ssbb") == "bomb 3, 5相"
    assert read("333444555ssb") == "chain 5, 3 ranks, 7相"
    assert read("333444555ssb", rules(POINTS, chain_min=4)) == "triple_run 6"


def test_3_3_of_bombs_the_stronger_reading_counts() -> None:
    """Six fours and six fives before three ranks of four; 4-5-6 before 3-4-5."""
    assert read("44445555ssbb", rules(POINTS, chain_min=2)) == "chain 5, 2 ranks, 8相"
    assert read("44445555ssbb") == "chain 6, 3 ranks, 7相"


def test_3_3_of_equal_irregular_chains_the_higher_counts() -> None:
    """Among readings the equality of irregular chains is left out: the top decides."""
    assert read("444445555ssbb") == "chain 6, 3 ranks, 7相"


def test_3_3_of_bombs_that_are_equal_the_one_with_more_groups_counts() -> None:
    """Q-K-A of 5, 5 and 6 and J-Q-K-A of fours are 8相 of 16 cards up to A (decided)."""
    assert read("QQQQKKKKAAAAssbb") == "chain A, 4 ranks, 8相"


def test_3_3_of_other_melds_the_higher_top_counts_then_the_later_kind() -> None:
    """3 and 4 with four jokers are 345678, not 334455; K and A are QQKKAA, not 9 to A."""
    assert read("34ssbb") == "straight 8"
    assert read("KAssbb") == "pair_run A"
    assert read("JJQQKKAAssbb") == "triple_run A"


@pytest.mark.parametrize(
    ("cards", "over", "meld"),
    [
        ("5678b", "34567", "straight 9"),
        ("5678b", "45678", "straight 9"),
        ("5678b", "56789", "play.beat"),
        ("KAssbb", "QQJJTT", "pair_run A"),
        ("KAssbb", "345678", "straight A"),
        ("KAssbb", "88", "play.beat"),
        ("34ssbb", "334455", "play.beat"),
        ("34ssbb", "345678", "play.beat"),
        ("45ssbb", "334455", "pair_run 6"),
        ("45ssbb", "345678", "straight 9"),
        ("3ssbb", "34567", "bomb 3, 5相"),
        ("JJQQKKAAssbb", "333444555666", "triple_run A"),
        ("JJQQKKAAssbb", "334455667788", "pair_run A"),
        ("JJQQKKAAssbb", "3456789TJQKA", "play.beat"),
    ],
)
def test_3_3_a_follower_has_the_strongest_reading_that_beats(
    cards: str, over: str, meld: str
) -> None:
    """The strongest reading of those that beat the table; if none does it is illegal."""
    assert read(cards, POINTS, over) == meld


@pytest.mark.parametrize(
    ("over", "meld"),
    [
        ("", "chain A, 4 ranks, 8相"),
        ("333333 444444 55555", "chain A, 4 ranks, 8相"),  # five and three ranks
        ("33333 4444 5555 6666", "chain K, 3 ranks, 8相"),  # four and four ranks
    ],
)
def test_3_3_a_follower_may_need_a_reading_that_is_not_the_strongest(over: str, meld: str) -> None:
    """Where the strongest is an irregular chain equal to the table, another one may beat it."""
    assert read("JJJJJ QQQQ KKKK ssbb", POINTS, over) == meld


# A declared reading.


def test_3_3_a_declared_reading_is_used_as_declared() -> None:
    """5678 and 大王 declared as 4 are 45678, which 56789 beats."""
    hands = ["5678b3", "56789"]
    assert play(POINTS, hands, "0 5678b=4", "1 56789").melds == ["straight 8", "straight 9"]
    assert play(POINTS, hands, "0 5678b", "1 56789").found == ["play.beat@1"]
    assert play(POINTS, hands, "0 5678b=9", "1 56789").found == ["play.beat@1"]


@pytest.mark.parametrize(
    ("declared", "meld"),
    [
        ("KAsbsb=QQKA", "pair_run A"),
        ("KAsbsb=AQKQ", "pair_run A"),
        ("KAsbsb=9TJQ", "straight A"),
        ("3ssbb=4567", "straight 7"),
        ("3ssbb=3333", "bomb 3, 5相"),
        ("44445555ssbb=3333", "chain 5, 3 ranks, 7相"),
        ("7777b=7", "bomb 7, 5相"),
    ],
)
def test_3_3_a_declaration_chooses_the_reading(declared: str, meld: str) -> None:
    """One rank for each wild joker, in any order, weaker or stronger."""
    cards = declared.split("=")[0]
    assert play(POINTS, [cards + "3", "4"], f"0 {declared}").melds == [meld]


@pytest.mark.parametrize(
    "declared",
    [
        "5678b=A",  # no meld
        "5678b=2",
        "5678b=8",
        "56789=9",  # no wild joker
        "5678b=99",  # another number of ranks
        "567sb=8",
        "567sb=889",
        "sb=77",  # of jokers only none is wild
        "b=2",
        "ssbb=3333",
    ],
)
def test_3_3_what_the_cards_cannot_have_is_play_declared(declared: str) -> None:
    """A declared reading that the cards cannot have is finding play.declared."""
    cards = declared.split("=")[0]
    assert play(POINTS, [cards + "3", "4"], f"0 {declared}").found == ["play.declared@0"]


def test_3_3_a_declared_reading_has_to_beat() -> None:
    """Declared too low, cards do not beat what they would beat undeclared."""
    hands = ["45678 3", "5678b 3"]
    assert play(POINTS, hands, "0 45678", "1 5678b=4").found == ["play.beat@1"]
    assert play(POINTS, hands, "0 45678", "1 5678b=9").at_actions == []
    assert play(POINTS, hands, "0 45678", "1 5678b").at_actions == []


def test_3_3_a_declared_bomb_is_weaker_than_the_strongest() -> None:
    """A chain declared lower than it could be read is beaten by what lies between."""
    hands = ["44445555ssbb 3", "444455556666 7"]
    assert play(POINTS, hands, "0 44445555ssbb", "1 444455556666").found == ["play.beat@1"]
    assert play(POINTS, hands, "0 44445555ssbb=3333", "1 444455556666").at_actions == []
