"""Random games: a skewed deal, players with a plan, and then perhaps one corruption."""

from datetime import datetime, timedelta, timezone
from itertools import islice
from random import Random
from typing import Any

from .corruptions import corrupt
from .melds import (
    FACES,
    JOKERS,
    NATURALS,
    RANKS,
    Cards,
    PlayRules,
    Reading,
    assignments,
    beats_under,
    best,
    strength,
)
from .replay import HAND, Game, replay
from .settle import Settlement, base_of, settle
from .trustee import (
    beating_plays,
    bomb_plays,
    can_beat,
    lowest_single,
    plain_plays,
)

Options = list[tuple[Cards, Reading]]


def random_game(rng: Random, rules: dict[str, Any]) -> dict[str, Any]:
    """Return one game of the log format, whole or with one thing wrong."""
    game = _header(rng, rules)
    game["actions"] = _Players(rng, game, rules).play()
    _add_result(rng, game, rules)
    if rng.random() < 0.5:
        corrupt(rng, game)
    if rng.random() < 0.2:
        game["times"] = sorted(rng.randrange(600_000) for _ in game["actions"])
    return game


# The deal.


def _header(rng: Random, rules: dict[str, Any]) -> dict[str, Any]:
    """Return a game before its first action."""
    seats = rules["play"]["seats"]
    hands = _deal(rng, seats)
    start = datetime(2026, 11, 1, tzinfo=timezone(timedelta(hours=8)))
    game: dict[str, Any] = {
        "v": 1,
        "game": "shuangkou",
        "id": f"r{rng.getrandbits(64):016x}",
        "rules": rules["name"],
        "start": (start + timedelta(seconds=rng.randrange(2_000_000))).isoformat(),
        "seats": [
            {"player": f"u{seat}{rng.randrange(10**6):06}", "balance": _balance(rng, rules)}
            for seat in range(seats)
        ],
    }
    shown = _shown(rng, hands, rules)
    if shown is not None and rng.random() < 0.9:
        game["shown"] = shown
    leaders = [seat for seat, hand in enumerate(hands) if shown in hand]
    if rules["play"]["lead_policy"] == "any" or not leaders:
        leaders = list(range(seats))
    game["first"] = rng.choice(leaders)
    base = base_of({**game, "base": rng.choice([1, 10, 50, 100, 1000])}, rules)
    if rules["scoring"]["base"] == "given" or rng.random() < 0.5:
        game["base"] = rng.randint(1, 1000) if base is None else base
    blank = rng.choice(["", "", "", " "])
    game["hands"] = [blank.join(hand) for hand in hands]
    return game


def _balance(rng: Random, rules: dict[str, Any]) -> int:
    """Return a balance: now and then below the first level, or small where it caps payments."""
    if rng.random() < 0.04:
        return -rng.randrange(1000)
    base = rules["scoring"]["base"]
    lowest = base["levels"][0][0] if isinstance(base, dict) and "levels" in base else 0
    digits = rng.randint(1, 4) if rules["scoring"]["cap_at_balance"] else rng.randint(2, 15)
    return rng.choice([0, *[lowest] * 12]) + int(rng.randrange(10**digits))


def _deal(rng: Random, seats: int) -> list[list[str]]:
    """Deal shuffled cards, or blocks of sorted cards, which makes bombs and chains."""
    naturals = [face for face in NATURALS for _ in range(2)]
    lowest = 8 * rng.randrange(13)  # Runs over A, 2 and 3 should be dealt too.
    deck = naturals[lowest:] + naturals[:lowest] + list(JOKERS) * 2
    size = rng.choice([1, 1, 3, 5, 6, 9, 13, 16])
    blocks = [deck[start : start + size] for start in range(0, len(deck), size)]
    rng.shuffle(blocks)
    cards = [face for block in blocks for face in block]
    if rng.random() < 0.3:
        # Bring the jokers to the front, where they are sure to be in play.
        cards.sort(key=lambda face: face not in JOKERS)
        spread = rng.choice([4, HAND, seats * HAND])
        front = cards[:spread]
        rng.shuffle(front)
        cards[:spread] = front
    for _ in range(rng.choice([0, 0, 5, 20])):
        a, b = rng.randrange(len(cards)), rng.randrange(len(cards))
        cards[a], cards[b] = cards[b], cards[a]
    hands = [cards[seat * HAND : (seat + 1) * HAND] for seat in range(seats)]
    for hand in hands:
        rng.shuffle(hand)
    return hands


def _shown(rng: Random, hands: list[list[str]], rules: dict[str, Any]) -> str | None:
    """Return a face that may be the shown card of this deal (clause 5, point 2)."""
    allowed = []
    for face in FACES:
        holders = [seat for seat, hand in enumerate(hands) if face in hand]
        partners = len(holders) == 1 or (len(holders) == 2 and holders[1] - holders[0] == 2)
        if holders and (len(hands) == 2 or partners or rules["play"]["lead_policy"] == "any"):
            allowed.append(face)
    return rng.choice(allowed) if allowed else None


# The players.


class _Players:
    """Players who get rid of many cards at once, and now and then do something odd."""

    def __init__(self, rng: Random, game: dict[str, Any], rules: dict[str, Any]) -> None:
        """Sit down, each with his own willingness to beat and to bomb."""
        self.rng = rng
        hands = [hand.replace(" ", "") for hand in game["hands"]]
        faces = [[hand[at : at + 2] for at in range(0, len(hand), 2)] for hand in hands]
        self.seats = len(faces)
        self.game = Game(faces, game["first"], rules)
        self.settles = rules["play"]["on_escape"] == "settle"
        self.beats = [rng.uniform(0.3, 0.95) for _ in faces]
        self.bombs = [rng.uniform(0.2, 0.9) for _ in faces]
        self.declares = rng.choice([0.1, 0.5])
        self.events = rng.choice([0.0, 0.03, 0.1])
        self.oddity = rng.choice([0.0, 0.0, 0.05])
        self.flees_after = rng.randrange(40) if self.settles and rng.random() < 0.4 else None
        self.actions: list[str] = []

    def play(self) -> list[str]:
        """Play the game to its end and return the actions."""
        while not self.game.ended():
            if self.flees_after is not None and len(self.actions) >= self.flees_after:
                self._act(f"{self.rng.randrange(self.seats)} !escape")
            elif self.rng.random() < self.events:
                self._act(self._event())
            else:
                self._act(self._turn())
        if self.rng.random() < 0.1:
            self._act(f"{self.rng.randrange(self.seats)} !{self.rng.choice(['return', 'drop'])}")
        return self.actions

    def _act(self, text: str) -> None:
        """Take an action."""
        self.game.act(len(self.actions), text)
        self.actions.append(text)

    def _event(self) -> str:
        """Return an event, mostly of the seat to move."""
        seat = self.rng.choice([self.game.table.turn] * 3 + [self.rng.randrange(self.seats)])
        names = ["timeout"] * 8 + ["trustee", "drop"] + ["return"] * 3
        if self.game.watch.trustee[seat]:
            names = ["return", "return", "timeout"]
        elif not self.settles:
            names.append("escape")
        return f"{seat} !{self.rng.choice(names)}"

    def _turn(self) -> str:
        """Return what the seat to move does."""
        table = self.game.table
        seat, over, play = table.turn, table.over, self.game.play
        hand = table.cards(seat)
        odd = self.rng.random() < self.oddity
        if self.game.watch.expects_star(seat) != odd:
            chosen = system_play(hand, over, play)
            # An odd system now and then plays anything, or passes without need.
            if odd and over is not None and self.rng.random() < 0.5:
                chosen = None
            elif odd:
                chosen = self._choice(seat, hand, over) or chosen
            return self._text(seat, chosen, over, star=True)
        chosen = self._choice(seat, hand, over)
        star = False
        if chosen is None and over is not None and self.rng.random() < 0.4:
            star = not can_beat(hand, over, play)
        return self._text(seat, chosen, over, star)

    def _choice(self, seat: int, hand: Cards, over: Reading | None) -> Cards | None:
        """Return a player's own play, or None for a pass."""
        if over is None:
            return random_lead(self.rng, hand, self.game.play)
        if self.rng.random() > self.beats[seat]:
            return None
        plain, bombs = _options(hand, over, self.game.play)
        if plain:
            plain.sort(key=lambda option: option[1].height)
            return self.rng.choice(plain[:3])[0]
        if bombs and self.rng.random() < self.bombs[seat]:
            return self.rng.choice(bombs)[0]
        return None

    def _text(self, seat: int, chosen: Cards | None, over: Reading | None, star: bool) -> str:
        """Write a play or a pass as an action."""
        mark = "*" if star else ""
        if chosen is None:
            return f"{seat} -{mark}"
        faces = pick_faces(self.rng, self.game.table.hands[seat], chosen)
        declared = ""
        if self.rng.random() < self.declares:
            declared = self._declaration(chosen, over)
        return f"{seat} {''.join(faces)}{declared}{mark}"

    def _declaration(self, chosen: Cards, over: Reading | None) -> str:
        """Return `=ranks` for one of the readings that are legal now; nothing without any."""
        play = self.game.play
        legal = [
            (strength(reading, play), ranks)
            for ranks, reading in assignments(chosen, play)
            if over is None or beats_under(reading, over, play)
        ]
        if not legal or not legal[0][1]:
            return ""
        ranks = list(max(legal)[1] if self.rng.random() < 0.6 else self.rng.choice(legal)[1])
        self.rng.shuffle(ranks)
        return "=" + "".join(RANKS[rank] for rank in ranks)


def _options(hand: Cards, over: Reading, play: PlayRules) -> tuple[Options, Options]:
    """Return what beats the table, plain melds and bombs apart, and not more than plenty."""
    found = _readable(list(islice(beating_plays(hand, over, play), 300)), over, play)
    plain = [option for option in found if not option[1].is_bomb()]
    return plain, [option for option in found if option[1].is_bomb()]


def system_play(hand: Cards, over: Reading | None, play: PlayRules) -> Cards | None:
    """Return a smallest legal play as clause 5.1 has it, None for a pass."""
    if over is None:
        return _low_single(hand)
    if not over.is_bomb():
        plain = _readable(list(plain_plays(hand, over.kind, over.size, play)), over, play)
        plain = [option for option in plain if not option[1].is_bomb()]
        if plain:
            return min(plain, key=lambda option: option[1].height)[0]
    # Without chains first: only chains of no more xiang than the best of these can be smaller.
    bombs = _readable(list(bomb_plays(hand, play, at_most=0)), over, play)
    limit = min((reading.xiang for _, reading in bombs), default=99)
    bombs += _readable(list(bomb_plays(hand, play, over.xiang, limit)), over, play)
    return min(bombs, key=lambda option: strength(option[1], play))[0] if bombs else None


def _readable(plays: list[Cards], over: Reading, play: PlayRules) -> Options:
    """Return the plays that beat the table, with their undeclared readings."""
    pairs = [(cards, best(cards, over, play)) for cards in plays]
    return [(cards, reading) for cards, reading in pairs if reading is not None]


def random_lead(rng: Random, hand: Cards, play: PlayRules) -> Cards:
    """Return a lead that often takes many cards off the hand."""
    shapes = [("single", 1), ("pair", 2), ("triple", 3)]
    shapes += [("straight", size) for size in (12, 9, 8, 7, 6, 5)]
    shapes += [("pair_run", size) for size in (16, 12, 10, 8, 6)]
    shapes += [("triple_run", size) for size in (15, 12, 9)]
    rng.shuffle(shapes)
    bomb = random_bomb(rng, hand, play) if rng.random() < 0.3 else None
    if bomb is not None:
        return bomb
    for kind, size in shapes:
        found_plays = list(plain_plays(hand, kind, size, play))
        natural = [cards for cards in found_plays if cards.wild(play) == 0]
        pool = found_plays if rng.random() < 0.25 else natural
        pool = [cards for cards in pool if best(cards, None, play) is not None]
        if pool:
            return rng.choice(pool)
    return _low_single(hand)


def _low_single(hand: Cards) -> Cards:
    """Return one card of the lowest rank held."""
    low = lowest_single(hand)
    return Cards(tuple(int(rank == low) for rank in RANKS), int(low == "SJ"), int(low == "BJ"))


def random_bomb(rng: Random, hand: Cards, play: PlayRules) -> Cards | None:
    """Return a bomb of the hand, every kind being equally likely; None without any."""
    by_kind: dict[str, list[Cards]] = {}
    for cards in bomb_plays(hand, play):
        reading = best(cards, None, play)
        if reading is not None and reading.is_bomb():
            by_kind.setdefault(reading.kind, []).append(cards)
    return rng.choice(by_kind[rng.choice(sorted(by_kind))]) if by_kind else None


def pick_faces(rng: Random, hand: list[str], cards: Cards) -> list[str]:
    """Return faces of the hand with these ranks, in any order."""
    wanted = {rank: cards.ranks[index] for index, rank in enumerate(RANKS)}
    wanted |= {"SJ": cards.small, "BJ": cards.big}
    faces = []
    for face in rng.sample(hand, len(hand)):
        name = face if face in JOKERS else face[0]
        if wanted[name]:
            wanted[name] -= 1
            faces.append(face)
    return faces


# The recorded result.


def _add_result(rng: Random, game: dict[str, Any], rules: dict[str, Any]) -> None:
    """Record some or all parts of the right result, now and then one of them altered."""
    settlement = settle(game, replay(game, rules), rules)
    result = _whole_result(game, settlement)
    share = rng.choice([1.0, 1.0, 0.7, 0.0])
    result = {name: value for name, value in result.items() if rng.random() < share}
    if result and rng.random() < 0.35:
        for name in rng.sample(sorted(result), rng.choice([1, 1, 2]) if len(result) > 1 else 1):
            result[name] = _altered(rng, name, result[name], rules["play"]["seats"])
    if "base" in game and rules["scoring"]["base"] != "given" and rng.random() < 0.08:
        game["base"] += 1
    if result or rng.random() < 0.5:
        game["result"] = result


def _whole_result(game: dict[str, Any], settlement: Settlement) -> dict[str, Any]:
    """Return the result as a house would record it."""
    names = ("end", "winner", "places", "kou", "xiang", "doubling", "contribution", "delta", "fee")
    result = {name: getattr(settlement, name) for name in names}
    result["balance"] = None
    if settlement.delta is not None:
        result["balance"] = [
            entry["balance"] + won
            for entry, won in zip(game["seats"], settlement.delta, strict=True)
        ]
    return result


def _altered(rng: Random, name: str, value: Any, seats: int) -> Any:
    """Return another value of one part of the result.

    Where the ending has no such part, or there is no base, any value is recorded instead.
    """
    if name == "end":
        return "escape" if value == "out" else "out"
    if name == "winner":
        return (value + rng.randrange(1, seats)) % seats
    if name == "kou":
        return rng.choice(["ping", "dan", "shuang"])
    if name == "places":
        return rng.sample(range(1, seats + 1), seats)
    if name == "doubling":
        return (value or 0) + rng.choice([1, 2])
    if value is None:
        return [rng.randrange(-9, 10) for _ in range(seats)]
    other = list(value)
    at = rng.randrange(seats)
    by = rng.choice([1, 2, 10])
    other[at] += by
    if rng.random() < 0.5:
        # The errors of two seats cancel out in the total.
        other[at - 1] -= by
    return other
