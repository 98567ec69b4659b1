"""Rules clause 4: xiang (相) and the order of bombs."""

from __future__ import annotations

import pytest

from analytics.rules import Ruleset
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    POINTS,
    assert_equal,
    assert_ladder,
    beats,
    play,
    read,
    rules,
)

EVERY_HOUSE = [POINTS, JIULE, BAIBIAN]
ALL_FOUR = "ssbb"  # 天王炸弹


# Xiang.


@pytest.mark.parametrize("cards", range(4, 9))
def test_4_the_xiang_of_a_bomb_is_its_number_of_cards(cards: int) -> None:
    """Four cards of a rank are 4相, eight are 8相."""
    for house in EVERY_HOUSE:
        assert read("9" * cards, house) == f"bomb 9, {cards}相"


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("3333 4444 5555", "chain 5, 3 ranks, 7相"),
        ("33333 44444 55555", "chain 5, 3 ranks, 8相"),
        ("3333 4444 5555 6666", "chain 6, 4 ranks, 8相"),
        ("333333 444444 555555", "chain 5, 3 ranks, 9相"),
        ("3333 4444 5555 6666 7777", "chain 7, 5 ranks, 9相"),
        ("33333333 44444444 55555555", "chain 5, 3 ranks, 11相"),
        ("3333 4444 5555 6666 7777 8888", "chain 8, 6 ranks, 10相"),
    ],
)
def test_4_the_xiang_of_a_chain_is_cards_of_a_group_and_ranks(cards: str, meld: str) -> None:
    """X + Y: three ranks of four are 7相."""
    for house in EVERY_HOUSE:
        assert read(cards, house) == meld


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("3333 44444 5555", "chain 5, 3 ranks, 7相"),
        ("3333 44444444 55555555", "chain 5, 3 ranks, 7相"),
        ("33333 444444 55555", "chain 5, 3 ranks, 8相"),
        ("33333 4444 5555 6666", "chain 6, 4 ranks, 8相"),
    ],
)
def test_4_the_smallest_group_of_a_chain_counts(cards: str, meld: str) -> None:
    """What a group has above the smallest adds nothing to the xiang."""
    assert read(cards, POINTS) == read(cards, JIULE) == meld


def test_4_three_jokers_are_6_xiang_and_four_are_7() -> None:
    """三王炸弹 is 6相, 天王炸弹 7相."""
    for house in EVERY_HOUSE:
        assert read("sbb", house) == "three_jokers, 6相"
        assert read(ALL_FOUR, house) == "four_jokers, 7相"


def test_4_what_is_no_bomb_has_xiang_0() -> None:
    """A seat that plays no bomb has no xiang."""
    seen = play(POINTS, ["QQKKAA 2", "3"], "0 QQKKAA", "1 -", "0 2")
    assert seen.xiang == [0, 0]


# Which chains are legal.


def test_4_irregular_chains_are_legal_where_the_house_says_so() -> None:
    """S0 grades them, so they are legal there (decided); in S1 they are illegal."""
    cards = "3333 44444 5555"
    assert read(cards, POINTS) == read(cards, JIULE) == "chain 5, 3 ranks, 7相"
    assert read(cards, BAIBIAN) == "play.meld"
    assert read(cards, rules(BAIBIAN, chain_irregular=True)) == "chain 5, 3 ranks, 7相"
    assert read(cards, rules(POINTS, chain_irregular=False)) == "play.meld"


@pytest.mark.parametrize(
    ("fewest", "two", "three", "four"),
    [
        (2, "chain 4, 2 ranks, 6相", "chain 5, 3 ranks, 7相", "chain 6, 4 ranks, 8相"),
        (3, "play.meld", "chain 5, 3 ranks, 7相", "chain 6, 4 ranks, 8相"),
        (4, "play.meld", "play.meld", "chain 6, 4 ranks, 8相"),
        (5, "play.meld", "play.meld", "play.meld"),
    ],
)
def test_4_chain_min_is_the_fewest_ranks(fewest: int, two: str, three: str, four: str) -> None:
    """Three in the presets, S4's among them (decided); two in a few houses."""
    house = rules(POINTS, chain_min=fewest)
    assert read("3333 4444", house) == two
    assert read("3333 4444 5555", house) == three
    assert read("3333 4444 5555 6666", house) == four


@pytest.mark.parametrize("house", EVERY_HOUSE)
def test_4_chain_min_is_3_in_the_presets(house: str) -> None:
    """No preset has chains of two ranks."""
    assert read("3333 4444", house) == "play.meld"
    assert read("3333 4444 5555", house) != "play.meld"


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("QQQQ KKKK AAAA", "chain A, 3 ranks, 7相"),
        ("KKKK AAAA 2222", "chain 2, 3 ranks, 7相"),
        ("AAAA 2222 3333", "chain 3, 3 ranks, 7相"),
        ("2222 3333 4444", "chain 4, 3 ranks, 7相"),
        ("KKKK AAAA 2222 3333", "chain 3, 4 ranks, 8相"),
    ],
)
def test_4_a_2_in_a_chain_where_it_is_cyclic(cards: str, meld: str) -> None:
    """2 is next to A and next to 3 (S4), or in no chain at all (S1, and S0: decided)."""
    assert read(cards, JIULE) == meld
    for house in (POINTS, BAIBIAN):
        assert read(cards, house) == ("play.meld" if "2222" in cards else meld)


def test_4_a_and_3_are_not_neighbours_even_where_chains_are_cyclic() -> None:
    """Between A and 3 stands the 2."""
    assert read("KKKK AAAA 3333", JIULE) == "play.meld"
    assert read("AAAA 3333 4444", JIULE) == "play.meld"


def test_4_the_top_of_a_chain_is_the_last_rank_of_its_run() -> None:
    """K-A-2 tops at 2, A-2-3 at 3."""
    assert read("KKKK AAAA 2222", JIULE) == "chain 2, 3 ranks, 7相"
    assert read("AAAA 2222 3333", JIULE) == "chain 3, 3 ranks, 7相"


@pytest.mark.parametrize(
    ("cards", "house", "meld"),
    [
        ("3333 4444 555b", POINTS, "chain 5, 3 ranks, 7相"),
        ("3333 4444 ssbb", POINTS, "chain 5, 3 ranks, 7相"),
        ("33333 44444 5555 b", POINTS, "chain 5, 3 ranks, 8相"),
        ("33333 44444 555 bb", BAIBIAN, "chain 5, 3 ranks, 8相"),
        ("33333 44444 5555 ss", BAIBIAN, "play.meld"),
        ("44444 55555 6666 ssb", POINTS, "chain 6, 3 ranks, 8相"),
        ("444444 555555 66 ssbb", rules(POINTS, chain_min=2), "chain 6, 3 ranks, 9相"),
        ("KKKK AAAA ssbb", JIULE, "chain 2, 3 ranks, 7相"),
        ("4444 5555 666 b", BAIBIAN, "chain 6, 3 ranks, 7相"),
    ],
)
def test_4_wild_jokers_in_a_chain_make_the_highest_xiang(
    cards: str, house: str | Ruleset, meld: str
) -> None:
    """The reading with the highest xiang counts, then the strongest."""
    assert read(cards, house) == meld


# The order.


@pytest.mark.parametrize("house", EVERY_HOUSE)
@pytest.mark.parametrize("plain", ["b", "22", "bb", "222", "TJQKA", "QQKKAA", "3456789TJQKA"])
def test_4_any_bomb_beats_any_other_meld(house: str, plain: str) -> None:
    """The lowest bomb, 3333, beats whatever is no bomb, and is not beaten by it."""
    assert beats("3333", plain, house)
    assert not beats(plain, "3333", house)


FEWEST_CARDS = (
    "3333",
    "2222",
    "33333",
    "22222",
    "ssb",  # the lowest of all 6相
    "333333",
    "222222",
    "3333 4444 5555",  # 7相: twelve cards
    "QQQQ KKKK AAAA",
    "3333333",  # 7相: seven cards
    "2222222",
    "ssbb",  # the highest of all 7相
    "3333 4444 5555 6666",  # 8相: sixteen cards, up to 6
    "55555 66666 777777",  # irregular, sixteen cards, up to 7
    "TTTT JJJJ QQQQ KKKK",  # sixteen cards, up to K
    "33333 44444 55555",  # 8相: fifteen cards
    "33333333",
    "22222222",
    "33333333b",
    "33333333ssbb",
)
MOST_GROUPS = (
    "3333",
    "2222",
    "33333",
    "ssb",  # the lowest of all 6相
    "333333",
    "222222",
    "ssbb",  # the lowest of all 7相
    "AAAA 2222 3333",  # 7相: three ranks
    "2222 3333 4444",
    "3333 4444 5555",
    "QQQQ KKKK AAAA",
    "KKKK AAAA 2222",
    "3333 44444 5555",  # more cards
    "3333333",  # a bomb beats a chain
    "2222222",
    "33333 44444 55555",  # 8相: three ranks
    "33333 44444 555555",  # more cards
    "3333 4444 5555 6666",  # more ranks
    "3333 4444 55555 6666",  # more ranks and cards
    "33333333",
    "22222222",
    "33333333b",
    "33333333ssbb",
)


def test_4_the_ladder_of_fewest_cards() -> None:
    """Higher xiang wins; of the same xiang fewer cards, then the higher top rank."""
    assert_ladder(POINTS, *FEWEST_CARDS)


def test_4_the_ladder_of_most_groups() -> None:
    """Higher xiang wins; of the same a bomb, then more ranks, more cards, higher groups."""
    assert_ladder(JIULE, *MOST_GROUPS)


@pytest.mark.parametrize("order", ["fewest-cards", "most-groups"])
def test_4_higher_xiang_wins_whatever_it_is_made_of(order: str) -> None:
    """Nine cards of a rank beat any 8相, and a chain of 8相 beats any 7相."""
    house = rules(POINTS, bomb_order=order)
    assert_ladder(house, "2222222", "33333 44444 55555", "33333333b")
    assert_ladder(house, "222222", "3333 4444 5555")


@pytest.mark.parametrize("order", ["fewest-cards", "most-groups"])
def test_4_three_jokers_are_the_lowest_6_xiang(order: str) -> None:
    """They beat 5相, and lose to 333333 and to a chain of two fours."""
    house = rules(POINTS, bomb_order=order, chain_min=2)
    assert_ladder(house, "22222", "sbb", "3333 4444", "222222")
    assert_ladder(house, "sbb", "333333")


@pytest.mark.parametrize("order", ["fewest-cards", "most-groups"])
@pytest.mark.parametrize(
    ("place", "rungs"),
    [
        ("highest", ["222222", "3333 4444 5555", "2222222", "ssbb", "33333 44444 55555"]),
        ("lowest", ["222222", "ssbb", "3333 4444 5555", "2222222", "33333 44444 55555"]),
    ],
)
def test_4_four_jokers_are_the_highest_or_lowest_7_xiang(
    order: str, place: str, rungs: list[str]
) -> None:
    """As the setting says; lowest is below a chain of three fours too."""
    assert_ladder(rules(POINTS, bomb_order=order, four_jokers=place), *rungs)


@pytest.mark.parametrize(("house", "is_higher"), [(POINTS, True), (BAIBIAN, True), (JIULE, False)])
def test_4_four_jokers_in_the_presets(house: str, is_higher: bool) -> None:
    """Highest in S0 and S1 (decided), lowest in S4."""
    assert beats("ssbb", "2222222", house) == is_higher
    assert beats("2222222", "ssbb", house) != is_higher


# Irregular chains under fewest-cards.

FOUR_AND_THREE = ("3333 44444 5555", "3333 44444 55555", "44444 5555 6666", "QQQQ KKKK AAAAAA")


def test_4_irregular_chains_of_the_same_x_and_y_are_equal() -> None:
    """Whatever their cards, and before the number of cards is looked at (decided)."""
    assert_equal(POINTS, *FOUR_AND_THREE)


def test_4_irregular_equal_may_be_off() -> None:
    """Then fewer cards win, then the higher top."""
    house = rules(POINTS, irregular_equal=False)
    more, few = "3333 44444 55555", "3333 44444 5555"
    assert_ladder(house, more, "QQQQ KKKK AAAAAA", few, "44444 5555 6666")


def test_4_only_the_same_x_and_y_are_equal() -> None:
    """Four and four ranks are 8相, five and three as well: the cards decide."""
    assert_ladder(POINTS, "33333 4444 5555 6666", "33333 44444 555555")
    assert_equal(POINTS, "33333 44444 5555555", "33333 44444 555555")


def test_4_a_regular_and_an_irregular_chain_compare_like_any_others() -> None:
    """Twelve cards beat thirteen of the same xiang (decided)."""
    assert_ladder(POINTS, "QQQQ KKKKK AAAA", "3333 4444 5555")
    assert_ladder(JIULE, "QQQQ KKKK AAAA", "3333 44444 5555")


# Chains under most-groups.


def test_4_of_two_chains_the_largest_group_decides_then_the_next() -> None:
    """The rank of the largest group, of equal ones the higher rank first, and so on."""
    assert_ladder(
        JIULE,
        "33333 4444 5555",  # 3, 5, 4
        "3333 44444 5555",  # 4, 5, 3
        "44444 5555 6666",  # 4, 6, 5
        "3333 4444 55555",  # 5, 4, 3
        "33333 44444 5555",  # fourteen cards: 4, 3, 5
        "33333 4444 55555",  # 5, 3, 4
        "3333 44444 55555",  # 5, 4, 3
        "44444 55555 6666",  # 5, 4, 6
        "44444 5555 66666",  # 6, 4, 5
    )


def test_4_of_the_largest_group_only_the_rank_counts() -> None:
    """Six 3s are the largest group of theirs, and lower than five 4s or five 5s."""
    assert_ladder(JIULE, "333333 4444 5555", "3333 44444 55555")
    assert_ladder(JIULE, "333333 4444 5555", "33333 44444 5555", "444444 5555 6666")


def test_4_two_regular_chains_are_compared_by_their_highest_rank() -> None:
    """In the cyclic run A-2-3 is the lowest and K-A-2 the highest (decided)."""
    runs = ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]
    chains = [" ".join(rank * 4 for rank in run) for run in [*runs, "KA2"]]
    assert_ladder(JIULE, *chains)


def test_4_a_2_ranks_lowest_next_to_3_and_highest_next_to_a() -> None:
    """So does an A that stands before a 2 and a 3."""
    four = ["QKA2", "KA23", "A234", "2345", "3456"]
    chains = [" ".join(rank * 4 for rank in run) for run in four]
    assert_ladder(JIULE, chains[1], chains[2], chains[3], chains[4], chains[0])


def test_4_the_key_of_a_group_is_its_place_in_the_run() -> None:
    """In A-2-3 five 3s are the highest largest group, five aces the lowest."""
    assert_ladder(
        JIULE,
        "AAAAA 2222 3333",
        "AAAA 22222 3333",
        "22222 3333 4444",  # the 2 here is as low; then 4 is above 3
        "AAAA 2222 33333",
        "33333 4444 5555",
        "KKKK AAAAA 2222",
        "KKKK AAAA 22222",
    )


# Both orders.


@pytest.mark.parametrize("house", EVERY_HOUSE)
@pytest.mark.parametrize(
    "cards", ["3", "33", "34567", "3333", "3333333", "333344445555", "ssb", "ssbb"]
)
def test_4_equal_melds_never_beat_one_another(house: str, cards: str) -> None:
    """The same again does not beat."""
    assert not beats(cards, cards, house)


@pytest.mark.parametrize(
    ("natural", "wild"),
    [
        ("7777", "777b"),
        ("77777", "777bs"),
        ("34567", "3456b"),
        ("22", "2b"),
        ("3333 4444 5555", "3333 4444 55 bs"),
        ("3333 4444 55555", "3333 4444 5555 b"),
    ],
)
@pytest.mark.parametrize("house", [POINTS, JIULE])
def test_4_wild_jokers_neither_strengthen_nor_weaken(natural: str, wild: str, house: str) -> None:
    """With a joker in it a meld is equal to the same one of natural cards."""
    assert_equal(house, natural, wild)


def test_4_spare_wild_jokers_stand_where_the_chain_is_strongest() -> None:
    """Under most-groups one joker more makes the highest group the largest."""
    assert_ladder(JIULE, "3333 44444 5555", "3333 4444 5555 b")
    assert_equal(JIULE, "3333 4444 5555 sb", "3333 4444 555555")
    assert_equal(JIULE, "3333 44444 5555 b", "3333 44444 55555")
    assert_equal(JIULE, "33333 4444 5555 b", "33333 4444 55555")
    assert_equal(JIULE, "33333 4444 5555 6666 sb", "33333 4444 55555 66666")
    assert_equal(JIULE, "33333 4444 5555 6666 7777 ssb", "33333 4444 55555 66666 77777")
    assert_equal(JIULE, "33333 4444 5555 ssbb", "33333 4444 5555 6666")


def test_4_xiang_cap_caps_only_what_scoring_sees() -> None:
    """S4's cap of 9 does not make 10相 equal to 9相 (decided)."""
    ten, nine = "77777777 bb", "88888888 s"
    assert_ladder(JIULE, nine, ten)
    seen = play(JIULE, [nine + "3", ten], f"0 {nine}", f"1 {ten}")
    assert (seen.melds[-1], seen.xiang) == ("bomb 7, 10相", [9, 9])
