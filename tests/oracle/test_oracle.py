"""The oracle against the cases with known answers, and against the clauses one by one."""

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from . import trustee
from .melds import (
    KINDS,
    Cards,
    PlayRules,
    Reading,
    answer,
    assignments,
    beats,
    beats_under,
    best,
    classify,
    count,
    cut,
    play_rules,
    read,
    readings,
    with_ranks,
)
from .presets import PRESETS
from .random_cases import random_cards, random_game, random_rules
from .replay import Game, GameError, Replayed, Table, parse, replay
from .settle import (
    Judgement,
    base_of,
    cap,
    effective_xiang,
    judge,
    net_contributions,
    seats_without_level,
    settle,
)

CASES = Path(__file__).parent.parent / "cases"
POINTS = PRESETS["huopin-points"]
WEALTH = PRESETS["huopin-wealth"]
JIULE = PRESETS["jiule"]
BAIBIAN = PRESETS["baibian"]

CODES = {
    "deal.face",
    "deal.size",
    "deal.copies",
    "deal.shown",
    "deal.partner",
    "play.lead",
    "play.syntax",
    "play.after_end",
    "play.turn",
    "play.pass",
    "play.held",
    "play.meld",
    "play.declared",
    "play.beat",
    "play.unfinished",
    "auto.pass",
    "auto.play",
    "auto.timeout",
    "settle.end",
    "settle.winner",
    "settle.places",
    "settle.kou",
    "settle.xiang",
    "settle.doubling",
    "settle.contribution",
    "settle.base",
    "settle.delta",
    "settle.fee",
    "settle.balance",
    "base.level",
    "ledger.sum",
}


def lines(name: str) -> list[Any]:
    """Return the JSON values of one of the files of cases."""
    text = (CASES / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def changed(rules: dict[str, Any], section: str, **settings: Any) -> dict[str, Any]:
    """Return a ruleset with some settings of one section changed."""
    other = deepcopy(rules)
    other[section] |= settings
    return other


def faces(text: str) -> list[str]:
    """Cut faces."""
    found = cut(text)
    assert found is not None, text
    return found


def cards(ranks: str, jokers: str = "") -> list[str]:
    """Return faces of some ranks, suits in turn, and jokers: b is big, s is small."""
    seen: Counter[str] = Counter()
    found = []
    for rank in ranks:
        found.append(rank + "SHCD"[seen[rank] % 4])
        seen[rank] += 1
    return found + [{"b": "BJ", "s": "SJ"}[joker] for joker in jokers]


def meld(ranks: str, jokers: str = "", rules: dict[str, Any] = POINTS) -> Reading:
    """Return what cards are on the lead."""
    reading = read(cards(ranks, jokers), rules)
    assert isinstance(reading, Reading), (ranks, jokers, reading)
    return reading


# Known answers.


def test_known_readings() -> None:
    """All card sets with a known reading have it."""
    known = lines("melds.jsonl")
    assert len(known) == 240
    for case in known:
        found = answer(case["cards"], case.get("over"), PRESETS[case["rules"]])
        assert found["error"] == case.get("error"), case
        if found["meld"] is None:
            assert case["meld"] is None, case
            continue
        names = ("kind", "size", "top", "groups", "xiang")
        assert found["meld"] == {name: case["meld"].get(name) for name in names}, case


def test_known_games() -> None:
    """All games with a known outcome have it, and nothing is found in them."""
    games = lines("games.jsonl")
    truths = lines("games.jsonl.truth")
    assert len(games) == len(truths) == 36
    for game, truth in zip(games, truths, strict=True):
        rules = PRESETS[game["rules"]]
        judgement = judge(game, rules)
        assert judgement.findings == [], game["id"]
        assert judgement.settlement is not None
        assert game["id"] == truth["id"]
        assert replay(game, rules).cards_left == truth["cards_left"], game["id"]
        for name in truth.keys() - {"id", "cards_left"}:
            assert getattr(judgement.settlement, name) == truth[name], (game["id"], name)


# The shortcuts of the oracle against no shortcuts at all.


def naive_readings(held: Cards, play: PlayRules) -> set[Reading]:
    """Return the readings by giving every wild joker every rank."""
    wild = held.wild(play)
    if held.natural() == 0 or held.natural() + wild < held.size():
        return {reading for _, reading in assignments(held, play)}
    found = set()
    for stand_for in combinations_with_replacement(range(13), wild):
        reading = classify(with_ranks(held.ranks, stand_for), play)
        if reading is not None:
            found.add(reading)
    return found


def test_only_runs_need_be_filled() -> None:
    """Filling runs with wild jokers finds what trying all ranks finds."""
    rng = Random(31)
    for _ in range(40):
        rules = random_rules(rng)
        play = play_rules(rules)
        for _ in range(15):
            text, _ = random_cards(rng, rules)
            found = readings(faces(text), rules)
            assert set(found) == naive_readings(count(faces(text)), play), text
            assert len(set(found)) == len(found)


def sub_hands(hand: Cards) -> Iterator[Cards]:
    """Yield every set of cards in a hand."""
    choices = [range(number + 1) for number in (*hand.ranks, hand.small, hand.big)]
    for taken in product(*choices):
        if any(taken):
            yield Cards(taken[:13], taken[13], taken[14])


def naive_smallest(played: Cards, hand: Cards, over: Reading | None, play: PlayRules) -> bool:
    """Judge a play by the system by reading every set of cards in the hand (clause 5.1)."""
    mine = best(played, over, play)
    assert mine is not None
    if over is None:
        return mine.kind == "single" and mine.top == trustee.lowest_single(hand)
    found = [best(some, over, play) for some in sub_hands(hand)]
    beating = [reading for reading in found if reading is not None]
    same_kind = [reading for reading in beating if not reading.is_bomb()]
    if same_kind:
        lowest = min(reading.height for reading in same_kind)
        return not mine.is_bomb() and mine.height == lowest
    return not any(beats_under(mine, reading, play) for reading in beating)


def small_hand(rng: Random) -> list[str]:
    """Return a hand of few ranks, such that chains and bombs are common."""
    start = rng.randrange(13)
    ranks = ["3456789TJQKA2"[(start + step) % 13] for step in range(rng.choice([2, 3, 5]))]
    pack = [rank + suit for rank in ranks for suit in "SHCD" * 2]
    pack += ["SJ", "SJ", "BJ", "BJ"] * 2
    return sorted(rng.sample(pack, min(len(pack), rng.randint(3, 13))))


def test_trustee_against_every_set_of_cards() -> None:
    """What can be beaten, and what is the smallest, is so among all sets of cards in a hand."""
    rng = Random(51)
    outcomes: Counter[tuple[str, bool]] = Counter()
    for _ in range(250):
        rules = random_rules(rng)
        play = play_rules(rules)
        hand = small_hand(rng)
        if hand.count("SJ") > 2 or hand.count("BJ") > 2:
            continue
        held = count(hand)
        if rng.random() < 0.5:
            text = random_cards(rng, rules)[1]
            over = read(faces(text), rules) if text else None
        else:
            other = count(rng.sample(hand, rng.randint(1, len(hand))))
            over = best(other, None, play)
        assert not isinstance(over, str)
        beating = [some for some in sub_hands(held) if best(some, over, play) is not None]
        if over is not None:
            assert trustee.can_beat(held, over, play) == bool(beating)
            outcomes["beat", bool(beating)] += 1
            found = set(trustee.beating_plays(held, over, play))
            assert {naturally(some, play) for some in found} == {
                naturally(some, play) for some in beating
            }
        for some in rng.sample(beating, min(len(beating), 8)):
            reading = best(some, over, play)
            assert reading is not None
            smallest = trustee.is_smallest(reading, held, over, play)
            assert smallest == naive_smallest(some, held, over, play)
            outcomes["smallest", smallest] += 1
    assert len(outcomes) == 4, outcomes
    assert min(outcomes.values()) > 20, outcomes


def naturally(some: Cards, play: PlayRules) -> tuple[int, ...]:
    """Return a set of cards such that wild jokers beside natural cards are alike."""
    if some.natural() and some.wild(play) == some.small + some.big:
        return (*some.ranks, some.small + some.big)
    return (*some.ranks, some.small, some.big)


# Clause 3.


@pytest.mark.parametrize(
    ("ranks", "jokers", "kind", "top"),
    [
        ("5678", "b", "straight", "9"),
        ("45678", "b", "straight", "9"),
        ("JQKA", "b", "straight", "A"),
        ("7777", "b", "bomb", "7"),
        ("2", "b", "pair", "2"),
        ("22", "s", "triple", "2"),
        ("3", "ssbb", "bomb", "3"),
        ("3456789TJQKA", "", "straight", "A"),
        ("3456789TJQK", "b", "straight", "A"),
        ("334455667788", "", "pair_run", "8"),
        ("33445", "b", "pair_run", "5"),
        ("333444", "sbb", "triple_run", "5"),
        ("JJQQKKAA", "ssbb", "triple_run", "A"),
        ("", "b", "single", "BJ"),
        ("", "ss", "pair", "SJ"),
        ("", "sb", "pair", "BJ"),
        ("", "ssb", "three_jokers", None),
        ("", "ssbb", "four_jokers", None),
    ],
)
def test_leading(ranks: str, jokers: str, kind: str, top: str | None) -> None:
    """On the lead the strongest reading counts (clauses 3.1 to 3.3)."""
    reading = meld(ranks, jokers)
    assert (reading.kind, reading.top) == (kind, top)


@pytest.mark.parametrize(
    ("ranks", "jokers", "rules"),
    [
        ("34567", "s", BAIBIAN),  # A joker that is not wild beside natural cards.
        ("3", "s", BAIBIAN),
        ("JQKA2", "", POINTS),
        ("A2345", "", POINTS),
        ("KKAA22", "", POINTS),
        ("3344", "", POINTS),
        ("333444", "", POINTS),
        ("33334444", "", POINTS),
        ("KKKKAAAA2222", "", POINTS),
        ("3333444455555", "", BAIBIAN),  # Irregular.
        ("33344", "", POINTS),
        ("345", "b", POINTS),
        ("3456789TJQKA", "b", POINTS),  # Nothing is left for the joker.
        ("", "sb", changed(POINTS, "play", mixed_joker_pair="none")),
    ],
)
def test_no_meld(ranks: str, jokers: str, rules: dict[str, Any]) -> None:
    """What is no meld is `play.meld`, on the lead and over anything (clause 3)."""
    assert read(cards(ranks, jokers), rules) == "play.meld"
    assert read(cards(ranks, jokers), rules, meld("3", rules=rules)) == "play.meld"


def test_joker_pairs() -> None:
    """A mixed pair has the rank that the setting says (clause 3.2)."""
    assert meld("", "sb", BAIBIAN).top == "SJ"
    assert meld("", "sb", POINTS).top == "BJ"
    assert not beats(meld("", "sb", POINTS), meld("", "bb", POINTS), POINTS)
    assert beats(meld("", "ss", POINTS), meld("22", "", POINTS), POINTS)


def test_full_xiang_with_jokers() -> None:
    """Eight of a rank with four wild jokers is 12相 (clause 3.1)."""
    assert meld("33333333", "ssbb").xiang == 12
    assert meld("33333333", "bb", BAIBIAN).xiang == 10


def test_following_takes_the_strongest_that_beats() -> None:
    """Following, only readings that beat the table count (clause 3.3)."""
    low_pairs = meld("33445566778899")
    held = cards("9TTJJQQKKAA", "ssb")
    reading = read(held, POINTS, low_pairs)
    assert isinstance(reading, Reading)
    assert (reading.kind, reading.top) == ("pair_run", "A")
    # On the lead these are a triple run; over pairs they are pairs.
    both = cards("JJQQKKAA", "ssbb")
    reading = read(both, POINTS, meld("334455667788"))
    assert isinstance(reading, Reading)
    assert (reading.kind, reading.top) == ("pair_run", "A")
    assert read(both, POINTS, meld("99TTJJQQKKAA")) == "play.beat"
    assert read(cards("5678", "b"), POINTS, meld("56789")) == "play.beat"
    # Five different cards over a straight are a bomb where jokers make them one.
    reading = read(cards("3", "ssbb"), POINTS, meld("34567"))
    assert isinstance(reading, Reading)
    assert reading.kind == "bomb"


def test_declared_readings() -> None:
    """A declared reading is used as declared or is an error (clause 3.3; log format)."""
    held = cards("5678", "b")
    reading = read(held, POINTS, None, "4")
    assert isinstance(reading, Reading)
    assert reading.top == "8"
    assert read(held, POINTS, meld("34567"), "4") == read(held, POINTS, None, "4")
    assert read(held, POINTS, meld("45678"), "4") == "play.beat"
    assert read(held, POINTS, None, "T") == "play.declared"
    assert read(held, POINTS, None, "49") == "play.declared"
    assert read(cards("34567"), POINTS, None, "3") == "play.declared"
    assert read(cards("", "b"), POINTS, None, "3") == "play.declared"
    assert read(cards("", "sb"), POINTS, None, "33") == "play.declared"
    assert read(cards("35", "b"), POINTS, None, "3") == "play.meld"
    assert read(cards("JQKA", "b"), POINTS, None, "2") == "play.declared"
    # A declaration may choose what is no bomb.
    reading = read(cards("3", "ssbb"), POINTS, None, "7456")
    assert isinstance(reading, Reading)
    assert reading.kind == "straight"


# Clause 4.


def in_order(rules: dict[str, Any], *melds: tuple[str, str]) -> None:
    """Assert that each bomb beats all before it and none after it."""
    bombs = [meld(ranks, jokers, rules) for ranks, jokers in melds]
    for low, a in enumerate(bombs):
        for high, b in enumerate(bombs):
            assert beats(b, a, rules) == (low < high), (melds[low], melds[high])


def test_fewest_cards() -> None:
    """Xiang, then fewer cards, then the top rank (clause 4)."""
    in_order(
        POINTS,
        ("3333", ""),
        ("2222", ""),
        ("33333", ""),
        ("", "ssb"),
        ("333333", ""),
        ("22222", "b"),
        ("3333444455555", ""),
        ("333344445555", ""),
        ("QQQQKKKKAAAA", ""),
        ("3333333", ""),
        ("", "ssbb"),
        ("3333444455556666", ""),
        ("333334444455555", ""),
        ("33333333", ""),
    )


def test_four_jokers_lowest() -> None:
    """`four_jokers = "lowest"` puts them below a chain of three fours too (clause 4)."""
    rules = changed(POINTS, "play", four_jokers="lowest")
    in_order(rules, ("222222", ""), ("", "ssbb"), ("333344445555", ""), ("3333333", ""))
    in_order(JIULE, ("222222", ""), ("", "ssbb"), ("333344445555", ""), ("3333333", ""))


def test_irregular_chains_are_equal() -> None:
    """Irregular chains of the same X and Y do not beat one another (clause 4)."""
    low, high = meld("3333444455555"), meld("66666777788888")
    assert not beats(low, high, POINTS)
    assert not beats(high, low, POINTS)
    general = changed(POINTS, "play", irregular_equal=False)
    assert beats(low, high, general)
    assert not beats(high, low, general)
    # One regular and one irregular compare like any others.
    assert beats(meld("333344445555"), high, POINTS)
    # Another Y with the same xiang is not equal: 5 + 3 and 4 + 4, 16 cards and 17.
    assert beats(meld("3333344444555555"), meld("66667777888899999"), POINTS)


def test_most_groups() -> None:
    """Bombs before chains, more ranks, more cards, then the largest groups (clause 4)."""
    in_order(
        JIULE,
        ("222222", ""),
        ("AAAA22223333", ""),  # A-2-3 is the lowest run of three.
        ("222233334444", ""),
        ("333344445555", ""),
        ("QQQQKKKKAAAA", ""),
        ("KKKKAAAA2222", ""),
        ("3333344445555", ""),  # More cards; the largest group has the rank 3.
        ("3333444455555", ""),
        ("3333333", ""),
        ("333334444455555", ""),
        ("3333444455556666", ""),
        ("33333333", ""),
    )


def test_cyclic_positions() -> None:
    """In a run with 2 and 3 what stands below the 2 is low, the largest group first (clause 4)."""
    in_order(
        JIULE,
        ("AAAAA22223333", ""),  # 5 at position 1.
        ("AAAA222223333", ""),  # 5 at position 2.
        ("AAAA222233333", ""),  # 5 at position 3, then 2 and 1.
        ("2222333334444", ""),  # 5 at position 3, then 4.
        ("3333344445555", ""),  # 5 at position 3, then 5.
        ("KKKKKAAAA2222", ""),
        ("KKKKAAAA22222", ""),
    )
    top = meld("KKKKAAAA22223333", rules=JIULE)
    assert (top.top, top.groups, top.order) == ("3", 4, (3, 2, 1, 0))


def test_chain_readings() -> None:
    """The highest xiang counts, then the order, then more groups (clauses 3.3 and 4)."""
    # 4-4-4 with four jokers is 5-5-6 or four groups of four: 8相, 16 cards, top A.
    reading = meld("QQQQKKKKAAAA", "ssbb")
    assert (reading.xiang, reading.top, reading.groups) == (8, "A", 4)
    # One joker cannot raise the smallest group of three; two of three sizes can.
    assert meld("333344445555", "b").xiang == 7
    assert meld("3333444455555", "sb").xiang == 8
    # Three groups of five beat four groups of four only where fewer cards win.
    assert meld("333344445555", "ssbb").groups == 4
    assert meld("333344445555", "ssbb").top == "6"
    # Regular chains only: no place for one joker, but for three.
    assert read(cards("333344445555", "b"), BAIBIAN) == "play.meld"


def test_chain_min_two() -> None:
    """Two ranks are a chain only with `chain_min = 2` (clause 4)."""
    rules = changed(JIULE, "play", chain_min=2)
    assert meld("AAAA2222", rules=rules).xiang == 6
    in_order(rules, ("22223333", ""), ("33334444", ""), ("AAAA2222", ""), ("333333", ""))
    assert read(cards("33334444"), POINTS) == "play.meld"
    assert read(cards("333344445555"), changed(POINTS, "play", chain_min=4)) == "play.meld"


# Clause 5.


def run(hands: list[str], actions: list[str], rules: dict[str, Any], first: int = 0) -> Game:
    """Play actions from short hands, without a deal."""
    game = Game([faces(hand) for hand in hands], first, rules)
    for index, text in enumerate(actions):
        game.act(index, text)
    return game


def fails(hands: list[str], actions: list[str], rules: dict[str, Any]) -> tuple[str, int | None]:
    """Return the code and the seat of the error of the last action."""
    game = run(hands, actions[:-1], rules)
    with pytest.raises(GameError) as caught:
        game.act(len(actions) - 1, actions[-1])
    return caught.value.code, caught.value.seat


def test_rounds_of_two() -> None:
    """A pass ends the round; passing does not bar from the next (clause 5)."""
    game = run(["3S4S5S", "6S7S8S"], ["0 3S", "1 6S", "0 -", "1 7S", "0 -", "1 8S"], POINTS)
    assert game.ended()
    assert game.result().winner == 1
    assert game.result().cards_left == [2, 0]


def test_errors_of_one_action() -> None:
    """The checks come in their order (log format, Findings)."""
    hands = ["3S4S5SBJ", "6S7S8S8S"]
    assert fails(hands, ["1 6S"], POINTS) == ("play.turn", 1)
    assert fails(hands, ["1 -"], POINTS) == ("play.turn", 1)
    assert fails(hands, ["0 -"], POINTS) == ("play.pass", 0)
    assert fails(hands, ["0 3S3S"], POINTS) == ("play.held", 0)
    assert fails(hands, ["0 6S"], POINTS) == ("play.held", 0)
    assert fails(hands, ["0 3S5S"], POINTS) == ("play.meld", 0)
    assert fails(hands, ["0 3S=3"], POINTS) == ("play.declared", 0)
    assert fails(hands, ["0 3S", "1 8S8S"], POINTS) == ("play.beat", 1)
    assert fails(hands, ["0 3S", "1 6S", "0 5S"], POINTS) == ("play.beat", 0)
    assert fails(hands, ["0 3S", "1 -", "0 !escape", "1 6S"], POINTS) == ("play.after_end", 1)
    assert fails(hands, ["0 !escape", "1 !escape"], POINTS) == ("play.after_end", 1)
    assert fails(["3S", "4S"], ["0 3S", "1 !escape"], BAIBIAN) == ("play.after_end", 1)
    assert run(["3S", "4S"], ["0 3S", "1 !drop", "0 !timeout"], POINTS).ended()
    assert fails(["3S", "4S"], ["0 3S", "1 !nothing"], POINTS)[0] == "play.syntax"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0 ",
        "0  -",
        "00 -",
        "2 -",
        "0 - ",
        " 0 -",
        "0 -\n",
        "0 3s",
        "0 3X",
        "0 3S=",
        "0 3S=SJ",
        "0 3S*=3",
        "0 =3",
        "0 *",
        "0 -=3",
        "0 !timeout*",
        "0 !x",
        "0 3S 4S",
        "\u0660 -",
    ],
)
def test_syntax(text: str) -> None:
    """What the grammar of the log format does not have is `play.syntax`."""
    with pytest.raises(GameError, match=r"^play\.syntax$"):
        parse(text, 2)


def test_a_readable_action() -> None:
    """Faces, ranks and star come in this order (log format, Actions)."""
    action = parse("1 3SBJ=3*", 2)
    assert (action.seat, action.faces, action.declared) == (1, ["3S", "BJ"], "3")
    assert action.starred
    assert action.event is None
    assert parse("0 -*", 2).starred
    assert parse("0 -", 2).faces is None
    assert parse("1 !drop", 2).event == "drop"


def test_jiefeng_and_places() -> None:
    """The partner of a finished author leads; the rest take places in play order (clause 5)."""
    hands = ["3S", "4S5S6S", "7S8S", "9STS"]
    # Seat 0 is out; all three pass, so that seat 2 leads.
    game = run(hands, ["0 3S", "1 -", "2 -", "3 -", "2 7S"], BAIBIAN)
    assert game.table.turn == 3
    for index, text in enumerate(["3 9S", "1 -", "2 -", "3 TS"], 5):
        game.act(index, text)
    assert not game.ended()
    # Seat 3 is out as well: seat 1, its partner, leads after the passes of 1 and 2.
    for index, text in enumerate(["1 -", "2 -", "1 4S", "2 8S"], 9):
        game.act(index, text)
    assert game.ended()
    # Out: 0, 3, 2; seat 1 is left.
    assert game.result().places == [1, 4, 3, 2]
    assert game.result().winner == 0


def test_places_after_a_quick_end() -> None:
    """Remaining places start from the seat after the last one out (clause 5, point 6)."""
    hands = ["3S", "4S5S", "7S", "9STS"]
    game = run(hands, ["0 3S", "1 -", "2 7S"], BAIBIAN)
    assert game.ended()
    assert game.result().places == [1, 4, 2, 3]


def test_a_round_counts_only_seats_in_the_game() -> None:
    """A round ends when every other seat that still holds cards has passed (clause 5, point 4)."""
    game = run(["3S", "4S5S6S", "8S7S", "9STS"], ["0 3S", "1 4S", "2 -", "3 -"], BAIBIAN)
    assert game.table.over is None
    assert game.table.turn == 1
    table = Table([["3S"], [], ["4S"], ["5S"]], 3)
    table.play(["5S"], meld("5"))
    assert table.turn == 0


# Clause 5.1.


def test_auto_pass() -> None:
    """A starred pass with something that beats is reported, wild jokers included."""
    assert run(["3S4S", "5SKS"], ["0 3S", "1 -*"], POINTS).infos == [("auto.pass", 1, 1)]
    assert run(["ASAH4S", "KSBJ"], ["0 ASAH", "1 -*"], POINTS).infos == []
    assert run(["ASAH4S", "2SBJ"], ["0 ASAH", "1 -*"], POINTS).infos == [("auto.pass", 1, 1)]
    assert run(["ASAH4S", "3SBJBJSJ"], ["0 ASAH", "1 -*"], POINTS).infos == [("auto.pass", 1, 1)]
    assert run(["AS4S", "3SSJ"], ["0 AS", "1 -"], POINTS).infos == []
    silent = changed(POINTS, "play", trustee_policy="any")
    assert run(["3S4S", "5SKS"], ["0 3S", "1 -*"], silent).infos == [("auto.pass", 1, 1)]


def auto_play(hand: str, over: str, play: str, rules: dict[str, Any] = POINTS) -> bool:
    """Tell whether a starred play over a meld is reported."""
    infos = run([over + "3S", hand + "3H"], [f"0 {over}", f"1 {play}*"], rules).infos
    assert infos in ([], [("auto.play", 1, 1)])
    return infos != []


def test_auto_play_leading() -> None:
    """The system leads a single of the lowest rank (clause 5.1)."""
    assert run(["3S3H4S", "5S"], ["0 3H*"], POINTS).infos == []
    assert run(["3S3H4S", "5S"], ["0 4S*"], POINTS).infos == [("auto.play", 0, 0)]
    assert run(["3S3H4S", "5S"], ["0 3S3H*"], POINTS).infos == [("auto.play", 0, 0)]
    assert run(["SJBJ", "5S"], ["0 SJ*"], POINTS).infos == []
    assert run(["SJBJ", "5S"], ["0 BJ*"], POINTS).infos == [("auto.play", 0, 0)]
    silent = changed(POINTS, "play", trustee_policy="any")
    assert run(["3S3H4S", "5S"], ["0 4S*"], silent).infos == []


def test_auto_play_following() -> None:
    """The lowest of the kind, else the least bomb (clause 5.1)."""
    assert not auto_play("5S6S", "4S", "5S")
    assert auto_play("5S6S", "4S", "6S")
    assert not auto_play("6SBJ7S7H", "5S5H", "6SBJ")
    assert auto_play("6SBJ7S7H", "5S5H", "7S7H")
    # Any way to the same key will do: TJQKA with a joker anywhere.
    assert not auto_play("TSJSQSKSASBJ", "9STSJSQSKS", "TSBJQSKSAS")
    # A bomb although a plain meld beats.
    assert auto_play("6S6H7S7H7C7D", "5S5H", "7S7H7C7D")
    # A bomb must beat no other bomb at hand that beats.
    bombs = "6S6H6C6D7S7H7C7D"
    assert not auto_play(bombs, "ASAHACKSKHKCQSQHQC", "6S6H6C6D")
    assert auto_play(bombs, "ASAHACKSKHKCQSQHQC", "7S7H7C7D")
    assert auto_play(bombs + "BJ", "ASAHACKSKHKCQSQHQC", "6S6H6C6DBJ")
    assert auto_play(bombs, "5S5H5C5D", "7S7H7C7D")
    assert not auto_play(bombs, "6S6H6C6D", "7S7H7C7D")


def test_auto_play_is_read_undeclared() -> None:
    """Cards whose undeclared reading is a bomb count as a bomb only (clause 5.1)."""
    over = "3S4S5S6S7S"
    hands = [over + "3H", "8SSJSJBJBJ2H"]
    # 8 and four jokers are a bomb unless declared, so this hand has no straight: the least bomb
    # that beats is 8 with three jokers.
    declared = run(hands, [f"0 {over}", "1 8SSJSJBJBJ=4567*"], POINTS)
    assert declared.infos == [("auto.play", 1, 1)]
    assert run(hands, [f"0 {over}", "1 8SSJSJBJ*"], POINTS).infos == []
    assert run(hands, [f"0 {over}", "1 2HSJSJBJ*"], POINTS).infos == [("auto.play", 1, 1)]
    assert run(hands, [f"0 {over}", "1 SJSJBJ*"], POINTS).infos == [("auto.play", 1, 1)]
    # The key is that of the undeclared reading: 5678 and a joker are 56789 although declared as
    # 45678, and 6789 and a joker are 6789T although declared as 56789.
    hands = [over + "3H", "5S6S7S8S9SBJ3D"]
    assert run(hands, [f"0 {over}", "1 5S6S7S8SBJ=4*"], POINTS).infos == []
    assert run(hands, [f"0 {over}", "1 6S7S8S9SBJ=5*"], POINTS).infos == [("auto.play", 1, 1)]


def test_auto_play_among_equal_bombs() -> None:
    """Irregular chains that are equal do not beat one another, so either is smallest."""
    low, high = "".join(cards("3333444455555")), "".join(cards("6666777788888"))
    over = "".join(cards("222222"))
    hands = [over + "3S", low + high]
    assert run(hands, [f"0 {over}", f"1 {low}*"], POINTS).infos == []
    assert run(hands, [f"0 {over}", f"1 {high}*"], POINTS).infos == []
    general = changed(POINTS, "play", irregular_equal=False)
    assert run(hands, [f"0 {over}", f"1 {low}*"], general).infos == []
    assert run(hands, [f"0 {over}", f"1 {high}*"], general).infos == [("auto.play", 1, 1)]


def test_timeouts() -> None:
    """A timeout marks one turn, the third all turns until a return (clause 5.1)."""
    hands = ["3S4S5S6S7S8S", "9STSJSQSKSAS"]
    assert run(hands, ["0 !timeout", "0 3S"], POINTS).infos == [("auto.timeout", 1, 0)]
    assert run(hands, ["0 !timeout", "0 3S*", "1 -", "0 5S"], POINTS).infos == []
    assert run(hands, ["0 !timeout", "0 3S", "1 -", "0 5S"], POINTS).infos == [
        ("auto.timeout", 1, 0)
    ]
    assert run(hands, ["0 !timeout", "0 !return", "0 3S"], POINTS).infos == []
    # A timeout counts whoever is to move.
    assert run(hands, ["1 !timeout", "0 3S", "1 9S"], POINTS).infos == [("auto.timeout", 2, 1)]
    third = ["0 !timeout"] * 3 + ["0 3S*", "1 -", "0 5S", "1 -", "0 !return", "0 6S"]
    assert run(hands, third, POINTS).infos == [("auto.timeout", 5, 0)]
    afresh = ["0 !timeout"] * 2 + ["0 !return", "0 !timeout", "0 3S*", "1 -", "0 5S"]
    assert run(hands, afresh, POINTS).infos == []
    for event in ("trustee", "drop", "escape"):
        rules = changed(POINTS, "play", on_escape="trustee")
        assert run(hands, [f"0 !{event}", "0 3S*", "1 -", "0 5S"], rules).infos == [
            ("auto.timeout", 3, 0)
        ]


# Clauses 6 to 9.


def played(*bombs: str, rules: dict[str, Any] = POINTS) -> list[Reading]:
    """Return bombs, each written as its ranks."""
    return [meld(bomb, rules=rules) for bomb in bombs]


@pytest.mark.parametrize(
    ("bombs", "linked", "unlinked", "count_all"),
    [
        ((), 0, 0, 0),
        (("3333",), 4, 4, 4),
        (("3333", "4444"), 5, 4, 4),
        (("3333", "4444", "5555"), 5, 4, 5),
        (("33333", "4444"), 5, 5, 5),
        (("AAAA", "2222"), 4, 4, 4),
        (("2222", "3333"), 4, 4, 4),
        (("3333", "5555", "7777"), 4, 5, 5),
        (("3333", "3333", "3333"), 4, 5, 5),
        (("3333", "5555", "7777", "9999"), 4, 6, 6),
        (("3333", "5555", "7777", "9999", "JJJJ"), 4, 7, 7),
        (("3333", "5555", "7777", "9999", "JJJJ", "KKKK"), 4, 8, 8),
        (("3333", "4444", "5555", "7777"), 5, 5, 6),
        (("33333", "55555"), 5, 6, 6),
        (("33333", "44444"), 6, 5, 6),
        (("3333", "5555", "77777"), 5, 5, 5),
        (("333333", "444444"), 7, 6, 6),
        (("33333333", "44444444"), 9, 8, 8),
        (("AAAA", "2222", "3333"), 4, 5, 5),
        (("333344445555", "666677778888"), 7, 7, 7),
    ],
)
def test_effective_xiang(
    bombs: tuple[str, ...], linked: int, unlinked: int, count_all: int
) -> None:
    """Linked and unlinked bombs count more, each by itself and both ways (clause 7)."""
    both = changed(POINTS, "xiang", linked=True, unlinked=False)
    assert effective_xiang(played(*bombs), both) == linked
    both["xiang"] |= {"linked": False, "unlinked": True}
    assert effective_xiang(played(*bombs), both) == unlinked
    both["xiang"] |= {"unlinked_count": "all"}
    assert effective_xiang(played(*bombs), both) == count_all


def test_linked_bonus_and_cap() -> None:
    """The bonus is a setting, and the cap comes last (clauses 4 and 7)."""
    rules = changed(POINTS, "xiang", linked_bonus=2, xiang_cap=9)
    assert effective_xiang(played("4444", "3333"), rules) == 6
    assert effective_xiang(played("88888888", "77777777"), rules) == 9


def test_contributions() -> None:
    """`max` takes the effective xiang, `each` every bomb by its own (clause 8.3)."""
    bombs = [played("333333", "444444", "5555"), played("6666666")]
    assert net_contributions(bombs, POINTS) == [0, 0]  # Linked 7相 against 7相.
    each = changed(POINTS, "scoring", contribution_mode="each")
    assert net_contributions(bombs, each) == [0, 0]  # 2 + 2 against 4.
    capped = changed(each, "xiang", xiang_cap=6)
    assert net_contributions(bombs, capped) == [2, -2]
    four = [played("333333", "555555"), [], played("7777777"), []]
    assert net_contributions(four, BAIBIAN) == [12 - 4, -4 - 4, 12 - 4, -4 - 4]
    most = changed(BAIBIAN, "scoring", contribution_mode="max")
    assert net_contributions(four, most) == [6 - 4, -2 - 4, 12 - 2, -2 - 4]


@pytest.mark.parametrize(
    ("amounts", "balances", "after"),
    [
        ([-10, 10], [4, 0], [-4, 4]),
        ([-10, 10], [-4, 0], [0, 0]),
        ([-10, 10], [50, -70], [-10, 10]),
        # 14 are collected for 7 and 13: 4.9 and 9.1, the unit left over goes to 0.9.
        ([-10, 7, -10, 13], [4, 0, 100, 0], [-4, 5, -10, 9]),
        # The remainders are equal: the lower seat.
        ([-10, 5, -10, 15], [1, 0, 1, 0], [-1, 1, -1, 1]),
        # The system takes its 12 first.
        ([-10, 4, -10, 4], [5, 0, 9, 0], [-5, 1, -9, 1]),
        ([-10, 4, -10, 4], [5, 0, 5, 0], [-5, 0, -5, 0]),
        # The system mints.
        ([2, 0, 0, 2], [0, 0, 0, 0], [2, 0, 0, 2]),
        ([4, -2, 0, 2], [0, 1, 0, 0], [3, -1, 0, 2]),
        ([-3, -3, 0, 0], [9, 1, 0, 0], [-3, -1, 0, 0]),
        ([0, 0], [0, 0], [0, 0]),
    ],
)
def test_cap_at_balance(amounts: list[int], balances: list[int], after: list[int]) -> None:
    """Nobody pays more than he has, and receivers share what is left (clause 8.3)."""
    assert cap(amounts, balances) == after


def test_levels() -> None:
    """The base is that of the lowest level at the table (clause 8.1)."""

    def at(rules: dict[str, Any], *balances: int) -> int | None:
        return base_of({"seats": [{"balance": balance} for balance in balances]}, rules)

    assert at(POINTS, 0, 10**9) == 5
    assert at(POINTS, 999, 1000) == 40
    assert at(POINTS, 1000, 1000) == 60
    assert at(POINTS, -1, 1000) is None
    assert at(WEALTH, 99, 1000) is None
    assert at(WEALTH, 100, 10**15) == 5
    poor = {"seats": [{"balance": 99}, {"balance": -5}]}
    assert seats_without_level(poor, WEALTH) == [0, 1]


def test_kou_of_two() -> None:
    """1 to 6 cards left are ping, 7 to 11 dan, more shuang (clause 6)."""
    game = {"seats": [{"balance": 10**4}, {"balance": 10**4}]}
    for left, kou, factor in ((1, "ping", 1), (6, "ping", 1), (7, "dan", 2), (11, "dan", 2)):
        end = Replayed(end="out", winner=1, cards_left=[left, 0], bombs=[[], played("555555")])
        settlement = settle(game, end, WEALTH)
        assert settlement.kou == kou
        # X = 100, b(6) = 2, c(6) = 2.
        assert settlement.delta == [-100 * factor * 2 - 200, 100 * factor * 2 + 200]
    end = Replayed(end="out", winner=1, cards_left=[12, 0], bombs=[[], []])
    assert settle(game, end, WEALTH).kou == "shuang"
    # The winner can lose: b(0) = 1 and c(8) = 8 against him.
    end.bombs[0] = played("55555555")
    assert settle(game, end, WEALTH).delta == [500, -500]


def four(places: list[int], bombs: list[list[Reading]]) -> tuple[dict[str, Any], Replayed]:
    """Return a finished game of four."""
    game = {"seats": [{"balance": 1000}] * 4}
    winner = places.index(1)
    end = Replayed(end="out", winner=winner, places=places, cards_left=[0] * 4, bombs=bombs)
    return game, end


def test_four_players() -> None:
    """Places, doubling by the winning team, fee and the minting row (clauses 6, 8.2, 8.3)."""
    game, end = four([1, 2, 4, 3], [[], played("7777777"), played("55555"), []])
    settlement = settle(game, end, BAIBIAN)
    assert (settlement.kou, settlement.doubling) == ("ping", 2)
    assert settlement.contribution == [-4, 12, -4, -4]
    assert settlement.delta == [2 - 4, 12, 2 - 4, -4]
    assert settlement.system == -4
    first = changed(BAIBIAN, "scoring", doubling_scope="first", fee=3)
    settlement = settle(game, end, first)
    assert settlement.doubling == 1
    assert settlement.delta == [1 - 4 - 3, 12 - 3, 1 - 4 - 3, -4 - 3]
    assert settlement.system == -2 + 12
    assert settlement.fee == [3, 3, 3, 3]
    assert settle(*four([4, 1, 3, 2], [[]] * 4), BAIBIAN).kou == "shuang"
    assert settle(*four([2, 1, 4, 3], [[]] * 4), BAIBIAN).kou == "dan"
    assert settle(*four([2, 1, 4, 3], [[]] * 4), BAIBIAN).delta == [-2, 2, -2, 2]


def escape(rules: dict[str, Any], had_played: bool, balance: int = 10**6) -> tuple[list[int], int]:
    """Return delta and system where seat 0, with 6相, flees from seat 1, with 7相."""
    end = Replayed(
        end="escape",
        winner=1,
        cards_left=[9, 9],
        bombs=[played("666666"), played("7777777")],
        fleer=0,
        fleer_had_played=had_played,
    )
    game = {"base": 1000, "seats": [{"balance": balance}, {"balance": 10**6}]}
    fixed = changed(rules, "scoring", base={"fixed": 1000})
    settlement = settle(game, end, fixed)
    assert settlement.kou is None
    assert settlement.doubling is None
    assert settlement.contribution is None
    assert settlement.delta is not None
    assert settlement.system is not None
    return settlement.delta, settlement.system


def test_escape() -> None:
    """The penalty is made of times and parts, and shared (clause 9)."""
    # The example of the source: 12000 + b 4000 + c 4000.
    assert escape(WEALTH, True) == ([-20000, 14000], 6000)
    assert escape(WEALTH, False) == ([-12000, 8400], 3600)
    # Points: 12000 + c 4000 + a(dan) 2 times b 8.
    assert escape(POINTS, True) == ([-32000, 0], 32000)
    assert escape(POINTS, False) == ([-32000, 0], 32000)
    assert escape(JIULE, True) == ([-128000, 0], 128000)
    # A doubling of 1 does not count.
    plain = changed(POINTS, "scoring", doubling={"8": 2})
    assert escape(plain, True) == ([-16000, 0], 16000)
    fee = {"fee": 50, "share": 70}
    assert escape(changed(JIULE, "scoring", **fee), True) == ([-128050, 0], 128050)
    assert escape(changed(WEALTH, "scoring", **fee), True) == ([-20000, 14000], 6000)
    # The cap comes before the share, and not over the fee.
    capping = {"cap_at_balance": True, "fee": 50}
    assert escape(changed(WEALTH, "scoring", **capping), True, 99) == ([-99, 69], 30)
    assert escape(changed(JIULE, "scoring", **capping), True, 99) == ([-149, 0], 149)
    assert escape(changed(JIULE, "scoring", **capping), True, -99) == ([-50, 0], 50)


# The findings of whole games.


def whole_game() -> dict[str, Any]:
    """Return the second known game, which has nothing wrong."""
    game: dict[str, Any] = lines("games.jsonl")[1]
    assert judge(game, WEALTH).findings == []
    return game


def judged(**changes: Any) -> Judgement:
    """Judge the game with some of its fields changed."""
    return judge(whole_game() | changes, WEALTH)


def result_of(**changes: Any) -> list[Any]:
    """Return the findings with some parts of its result changed."""
    return judged(result=whole_game()["result"] | changes).findings


def test_findings_of_the_deal() -> None:
    """The first that applies ends the replay (log format, Findings)."""
    hands = whole_game()["hands"]
    assert judged(hands=[hands[0].lower(), hands[1][2:]]).error == ("deal.face", None, 0)
    assert judged(hands=[hands[0], hands[1][1:]]).error == ("deal.face", None, 1)
    assert judged(shown="qh").error == ("deal.face", None, None)
    assert judged(hands=[hands[0], hands[1][2:]]).error == ("deal.size", None, 1)
    assert judged(hands=hands[:1]).error == ("deal.size", None, None)
    assert judged(hands=[hands[0], "5H" + hands[1][2:]]).error == ("deal.copies", None, None)
    assert judged(shown="9C").error == ("deal.shown", None, None)
    assert judged(first=1).error == ("play.lead", None, 1)
    assert judged(first=1, shown=None).error == ("play.turn", 0, 0)
    assert judged(hands=[" ".join(cut(hands[0]) or []), hands[1]]).findings == []
    any_lead = changed(WEALTH, "play", lead_policy="any")
    assert judge(whole_game() | {"shown": "5D"}, any_lead).findings == []
    assert judge(whole_game() | {"shown": "9C"}, any_lead).error == ("deal.shown", None, None)


def test_partner() -> None:
    """The copies of the shown card lie in one hand or opposite (clause 5, point 2)."""
    game = lines("games.jsonl")[3]
    hands = [cut(hand) or [] for hand in game["hands"]]
    for face in ("8C", "3H", "7H", "BJ", "QS"):
        holders = [seat for seat, hand in enumerate(hands) if face in hand]
        error = judge(game | {"shown": face, "first": holders[0]}, BAIBIAN).error
        apart = len(holders) == 2 and holders != [0, 2] and holders != [1, 3]
        assert (error == ("deal.partner", None, None)) == apart


def test_findings_of_the_end() -> None:
    """A log that stops early has this one finding beside `auto.*` (log format, Findings)."""
    actions = whole_game()["actions"]
    assert judged(actions=actions[:-1]).findings == [("play.unfinished", None, None)]
    assert judged(actions=[]).findings == [("play.unfinished", None, None)]
    marked = ["0 5H5D5H5S5D*", *actions[1:4]]
    assert judged(actions=marked).findings == [
        ("auto.play", 0, 0),
        ("play.unfinished", None, None),
    ]
    assert judged(actions=[*actions, "1 3H"]).findings == [("play.after_end", len(actions), 1)]
    assert judged(actions=[*actions, "1 !return"]).findings == []


def test_findings_of_the_result() -> None:
    """Each component by itself, also where errors cancel out (log format, Findings)."""
    assert judged(result=None).findings == []
    assert judged(result={}).findings == []
    assert judged(base=100).findings == []
    assert judged(base=99).findings == [("settle.base", None, None)]
    assert result_of(end="escape") == [("settle.end", None, None)]
    assert result_of(winner=1) == [("settle.winner", None, None)]
    assert result_of(kou="dan", places=[2, 1]) == [("settle.kou", None, None)]
    assert result_of(xiang=[5, 5]) == [("settle.xiang", None, 0), ("settle.xiang", None, 1)]
    assert result_of(doubling=1) == [("settle.doubling", None, None)]
    assert result_of(contribution=[2, 2]) == [("settle.contribution", None, 1)]
    assert result_of(fee=[0, 1]) == [("settle.fee", None, 1)]
    assert result_of(balance=[0, 24638]) == [("settle.balance", None, 0)]
    assert result_of(delta=[500, -500]) == [("settle.delta", None, 0), ("settle.delta", None, 1)]
    assert result_of(delta=[400, -399]) == [("settle.delta", None, 1), ("ledger.sum", None, None)]
    assert result_of(delta=None, balance=None) == []


def test_findings_without_a_level() -> None:
    """Without a level base, deltas, balances and sum are not compared (clause 8.1)."""
    game = whole_game()
    game["seats"][1]["balance"] = 99
    game["base"] = 77
    game["result"] |= {"delta": [1, 1], "balance": [0, 0], "doubling": 9}
    assert judge(game, WEALTH).findings == [
        ("base.level", None, 1),
        ("settle.doubling", None, None),
    ]


def test_findings_of_an_escape() -> None:
    """Parts that the ending does not have are not compared (clause 9)."""
    game = lines("games.jsonl")[0]
    game["result"] |= {"kou": "dan", "doubling": 7, "contribution": [9, 9]}
    assert judge(game, POINTS).findings == []
    game["result"]["fee"] = [5, 0]
    assert judge(game, POINTS).findings == [("settle.fee", None, 0)]


# The generators.


@lru_cache(maxsize=1)
def some_games() -> tuple[tuple[dict[str, Any], dict[str, Any], Judgement], ...]:
    """Return many random games with their rulesets and judgements."""
    found = []
    for seed in range(500):
        rng = Random(seed)
        rules = random_rules(rng)
        game = random_game(rng, rules)
        found.append((rules, game, judge(game, rules)))
    return tuple(found)


def test_generators_are_deterministic() -> None:
    """The same seed gives the same cases."""
    for seed in range(20):
        drawn = []
        for _ in range(2):
            rng = Random(seed)
            rules = random_rules(rng)
            drawn.append((rules, random_cards(rng, rules), random_game(rng, rules)))
        assert json.dumps(drawn[0]) == json.dumps(drawn[1])


def test_generators_leave_rules_alone() -> None:
    """Making cases of a ruleset does not change it."""
    rules = deepcopy(POINTS)
    for seed in range(20):
        random_game(Random(seed), rules)
        random_cards(Random(seed), rules)
    assert rules == POINTS


def test_random_cards_reach_everything() -> None:
    """Every kind, every error, and chains of every sort occur among random card sets."""
    seen: Counter[str] = Counter()
    for seed in range(300):
        rng = Random(seed)
        rules = random_rules(rng)
        for _ in range(10):
            text, over = random_cards(rng, rules)
            found = answer(text, over, rules)
            seen[found["error"] or found["meld"]["kind"]] += 1
            assert 1 <= len(faces(text)) <= 27
            assert max(Counter(faces(text)).values()) <= 2
            for reading in readings(faces(text), rules):
                if reading.kind == "chain":
                    seen["regular" if reading.regular else "irregular"] += 1
                    seen["cyclic"] += min(reading.order) < 3
                    seen["four wild"] += sum(face in ("SJ", "BJ") for face in faces(text)) == 4
            seen["several"] += len(readings(faces(text), rules)) > 1
    wanted = {*KINDS, "play.meld", "play.beat", "regular", "irregular", "cyclic", "four wild"}
    assert min(seen[name] for name in wanted | {"several"}) >= 20, seen


def test_random_games_reach_everything() -> None:
    """Every finding, ending and kou, 接风 and declared readings occur among random games."""
    seen: Counter[str] = Counter()
    for rules, game, judgement in some_games():
        seen.update({code for code, _, _ in judgement.findings})
        seen["="] += any("=" in text for text in game["actions"])
        seen["clean"] += not judgement.findings
        if judgement.settlement is not None:
            seen[f"{rules['play']['seats']} {judgement.settlement.end}"] += 1
            seen[f"{rules['play']['seats']} {judgement.settlement.kou}"] += 1
    wanted = {"2 out", "2 escape", "4 out", "=", "clean"}
    wanted |= {f"{seats} {kou}" for seats in (2, 4) for kou in ("ping", "dan", "shuang")}
    missing = {name for name in wanted | CODES if seen[name] == 0}
    assert not missing, (missing, seen)


def test_invariants_of_random_games() -> None:
    """Deltas and the system account add up to nothing (clause 10)."""
    for _, game, judgement in some_games():
        settlement = judgement.settlement
        if settlement is None or settlement.delta is None:
            continue
        assert settlement.system is not None
        assert sum(settlement.delta) + settlement.system == 0
        assert len(settlement.delta) == len(game["seats"])
