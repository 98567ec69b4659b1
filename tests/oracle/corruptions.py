"""One thing wrong with a game: the ways in which logs are bad, one function each."""

from collections.abc import Callable
from random import Random
from typing import Any

from .melds import FACES, RANKS

GameLog = dict[str, Any]

BAD_ACTIONS = (
    "",
    "0",
    "0 ",
    "x",
    "0  3S",
    "00 3S",
    "01 -",
    "+0 -",
    "-1 -",
    "9 -",
    "7 3S",
    " 0 -",
    "0 - ",
    "0\t-",
    "0 -\n",
    "0 3s",
    "0 10S",
    "0 1S",
    "0 S3",
    "0 3S4",
    "0 3S 3H",
    "0 3S=",
    "0 3S=1",
    "0 3S=SJ",
    "0 3SBJ=3 ",
    "0 3SBJ*=3",
    "0 3SBJ==3",
    "0 =3",
    "0 *",
    "0 --",
    "0 -**",
    "0 -=3",
    "0 -3S",
    "0 pass",
    "0 !",
    "0 !foo",
    "0 !Timeout",
    "0 !timeout*",
    "0 !escape*",
    "0 !return 1",
    "9 !escape",
    "0 ! drop",
    "\u0660 -",
    "0 \uff13S",
)


def corrupt(rng: Random, game: GameLog) -> None:
    """Put one thing wrong; what that makes of the game is for the replay to find out."""
    rng.choice(CORRUPTIONS)(rng, game)


def _cut(hand: str) -> list[str]:
    """Return the faces of a good hand or play."""
    text = hand.replace(" ", "")
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def _plays(game: GameLog) -> list[int]:
    """Return the indices of the plays."""
    return [at for at, text in enumerate(game["actions"]) if text[2] not in "-!"]


def _passes(game: GameLog) -> list[int]:
    """Return the indices of the passes."""
    return [at for at, text in enumerate(game["actions"]) if text[2] == "-"]


def _hand_before(game: GameLog, until: int) -> list[str]:
    """Return what the seat of an action of a good game holds before that action."""
    seat = game["actions"][until][0]
    hand = _cut(game["hands"][int(seat)])
    for at in _plays(game):
        if at < until and game["actions"][at][0] == seat:
            for face in _cut(game["actions"][at][2:].rstrip("*").split("=")[0]):
                hand.remove(face)
    return hand


# The deal.


def _bad_face(rng: Random, game: GameLog) -> None:
    """Spoil a hand, so that it is no list of faces."""
    seat = rng.randrange(len(game["hands"]))
    hand = game["hands"][seat]
    game["hands"][seat] = rng.choice([hand[:-1], hand.lower(), "1S" + hand[2:], "ZZ" + hand[2:]])


def _short_hand(rng: Random, game: GameLog) -> None:
    """Take a card from a hand, or deal one more."""
    seat = rng.randrange(len(game["hands"]))
    faces = _cut(game["hands"][seat])
    game["hands"][seat] = "".join(rng.choice([faces[1:], faces[:-1], [*faces, "3S"]]))


def _wrong_number(rng: Random, game: GameLog) -> None:
    """Log one hand, or one seat, too many or too few."""
    if rng.random() < 0.5:
        game["hands"] = rng.choice([game["hands"][:-1], game["hands"] + game["hands"][:1]])
        return
    # The parts of the result would have another length than the seats.
    game.pop("result", None)
    more = [*game["seats"], {"player": "u-extra", "balance": 1000}]
    game["seats"] = rng.choice([more, game["seats"][:-1]])
    game["first"] = min(game["first"], len(game["seats"]) - 1)


def _third_copy(rng: Random, game: GameLog) -> None:
    """Deal a face three times."""
    seat = rng.randrange(len(game["hands"]))
    faces = _cut(game["hands"][seat])
    face = rng.choice(faces)
    others = [at for at in range(len(faces)) if faces[at] != face]
    for at in rng.sample(others, 2):
        faces[at] = face
    game["hands"][seat] = "".join(faces)


def _other_shown(rng: Random, game: GameLog) -> None:
    """Show another card: not dealt, with other holders, or no card at all."""
    hands = [_cut(hand) for hand in game["hands"]]
    holders = {face: [at for at, hand in enumerate(hands) if face in hand] for face in FACES}
    absent = [face for face in FACES if not holders[face]]
    neighbours = [face for face in FACES if sum(holders[face]) % 2 and len(holders[face]) == 2]
    game["shown"] = rng.choice(
        [
            rng.choice(FACES),
            rng.choice(absent or FACES),
            rng.choice(neighbours or FACES),
            rng.choice(neighbours or ["3s", "XX"]),
        ]
    )


def _other_first(rng: Random, game: GameLog) -> None:
    """Let another seat lead."""
    game["first"] = (game["first"] + rng.randrange(1, len(game["seats"]))) % len(game["seats"])


# The actions.


def _bad_syntax(rng: Random, game: GameLog) -> None:
    """Put an unreadable action in the place of one, or between two."""
    at = rng.randrange(len(game["actions"]))
    if rng.random() < 0.3:
        game["actions"].append(rng.choice(BAD_ACTIONS))
    elif rng.random() < 0.5:
        game["actions"][at] = rng.choice(BAD_ACTIONS)
    else:
        game["actions"].insert(at, rng.choice(BAD_ACTIONS))


def _not_held(rng: Random, game: GameLog) -> None:
    """Exchange one played card for any other, or play one twice as often."""
    plays = _plays(game)
    if not plays:
        return
    at = rng.choice(plays)
    text = game["actions"][at]
    face = rng.choice([text[2:4], rng.choice(FACES)])
    game["actions"][at] = text[:2] + face + rng.choice([text[2:], text[4:]])


def _wrong_turn(rng: Random, game: GameLog) -> None:
    """Let another seat act, or one act twice."""
    acts = _plays(game) + _passes(game)
    if not acts:
        return
    at = rng.choice(acts)
    text = game["actions"][at]
    if rng.random() < 0.3:
        game["actions"].insert(at, text)
    else:
        seats = [seat for seat in range(len(game["seats"])) if str(seat) != text[0]]
        game["actions"][at] = f"{rng.choice(seats)}{text[1:]}"


def _false_pass(rng: Random, game: GameLog) -> None:
    """Let a seat pass instead of playing."""
    plays = _plays(game)
    if plays:
        at = rng.choice([plays[0], rng.choice(plays)])
        game["actions"][at] = f"{game['actions'][at][0]} -{rng.choice(['', '', '*'])}"


def _other_play(rng: Random, game: GameLog) -> None:
    """Let a seat play any cards that it holds instead."""
    acts = _plays(game) + _passes(game)
    if not acts:
        return
    at = rng.choice(acts)
    hand = _hand_before(game, at)
    faces = rng.sample(hand, min(len(hand), rng.choice([1, 1, 1, 2, 2, 3, 5])))
    if rng.random() < 0.25:
        faces = [face for face in hand if face[0] == faces[0][0]]
    game["actions"][at] = f"{game['actions'][at][0]} {''.join(faces)}"


def _other_declaration(rng: Random, game: GameLog) -> None:
    """Declare any ranks for a play, with wild jokers where there is one, or one rank too many."""
    plays = _plays(game)
    jokers = [at for at in plays if "J" in game["actions"][at][3::2]]
    if not plays:
        return
    at = rng.choice(jokers or plays)
    text = game["actions"][at].rstrip("*").split("=")[0]
    number = rng.choice([text[2:].count("SJ") + text[2:].count("BJ"), 1, 2])
    ranks = "".join(rng.choice(RANKS) for _ in range(max(1, number)))
    game["actions"][at] = f"{text}={ranks}"


def _cut_short(rng: Random, game: GameLog) -> None:
    """Lose the end of the log."""
    game["actions"] = game["actions"][: rng.randrange(len(game["actions"]))]


def _after_end(rng: Random, game: GameLog) -> None:
    """Go on after the end; most events are nothing there."""
    seat = rng.randrange(len(game["seats"]))
    more = ["-", "3S", "-*", "!escape", "!escape", "!timeout", "!return"]
    game["actions"] += [f"{seat} {rng.choice(more)}" for _ in range(rng.choice([1, 1, 2]))]


def _wrong_star(rng: Random, game: GameLog) -> None:
    """Take or give the mark of the system in some places."""
    acts = _plays(game) + _passes(game)
    for at in rng.sample(acts, min(len(acts), rng.choice([1, 3, 10]))):
        text = game["actions"][at]
        game["actions"][at] = text[:-1] if text.endswith("*") else text + "*"


def _stray_event(rng: Random, game: GameLog) -> None:
    """Put one more event anywhere."""
    seat = rng.randrange(len(game["seats"]))
    name = rng.choice(["timeout", "timeout", "trustee", "return", "drop", "escape"])
    game["actions"].insert(rng.randrange(len(game["actions"]) + 1), f"{seat} !{name}")


CORRUPTIONS: tuple[Callable[[Random, GameLog], None], ...] = (
    _bad_face,
    _short_hand,
    _wrong_number,
    _third_copy,
    _other_shown,
    _other_first,
    _bad_syntax,
    _not_held,
    _wrong_turn,
    _false_pass,
    _other_play,
    _other_declaration,
    _cut_short,
    _after_end,
    _wrong_star,
    _stray_event,
)
