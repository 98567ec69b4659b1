"""Recorded games and lines of logs, good and bad, for hypothesis."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

RULES = ("huopin-points", "huopin-wealth", "jiule", "baibian", "tongcheng@1")
LABELS = ("room", "table", "round", "deal", "arm", "client")

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plain_texts = st.text(st.sampled_from("abz019 -*!金币场é;"), max_size=8)
plain_actions = st.text(st.sampled_from("0123SHCDBJ=*- !"), min_size=1, max_size=9)
amounts = st.integers(-(10**18), 10**18)
offsets = st.sampled_from(("Z", "+08:00", "-03:30", "+00:00", "z"))


@st.composite
def moments(draw: st.DrawFn) -> str:
    """Times as RFC 3339 allows them."""
    year, month, day_of_month = (draw(st.integers(1, most)) for most in (9999, 12, 28))
    day = f"{year:04}-{month:02}-{day_of_month:02}"
    clock = ":".join(f"{draw(st.integers(0, 59)) % most:02}" for most in (24, 60, 60))
    fraction = draw(st.sampled_from(("", ".5", ".123456", ".000001", ".9999999")))
    return f"{day}{draw(st.sampled_from('Tt'))}{clock}{fraction}{draw(offsets)}"


@st.composite
def results(draw: st.DrawFn, seats: int) -> dict[str, Any]:
    """What a house may have recorded."""
    per_seat = st.lists(amounts, min_size=seats, max_size=seats)
    parts = {
        "end": st.sampled_from(("out", "escape")),
        "winner": amounts,
        "places": per_seat,
        "kou": st.sampled_from(("ping", "dan", "shuang")),
        "xiang": per_seat,
        "doubling": amounts,
        "contribution": per_seat,
        "delta": per_seat,
        "fee": per_seat,
        "balance": per_seat,
    }
    optional = {name: st.none() | part for name, part in parts.items()}
    return draw(st.fixed_dictionaries({}, optional=optional))


@st.composite
def games(draw: st.DrawFn, *, text: st.SearchStrategy[str] = texts) -> dict[str, Any]:
    """Good games; ``text`` is what strings may be made of."""
    seats = draw(st.integers(1, 5))
    actions = draw(st.lists(plain_actions | text, max_size=6))
    steps = draw(st.lists(st.integers(0, 10**6), min_size=len(actions), max_size=len(actions)))
    label = st.none() | text
    needed: dict[str, st.SearchStrategy[Any]] = {
        "v": st.just(1),
        "game": st.just("shuangkou"),
        "id": text.filter(bool),
        "rules": st.sampled_from(RULES),
        "seats": st.lists(
            st.fixed_dictionaries({"player": text, "balance": st.integers(-(10**15), 10**15)}),
            min_size=seats,
            max_size=seats,
        ),
        "first": st.integers(0, seats - 1),
        "base": st.integers(1, 10**9),
        "hands": st.lists(text, max_size=4),
        "actions": st.just(actions),
    }
    optional = {
        "start": moments(),
        "end": st.none() | moments(),
        "shown": st.none() | text,
        "times": st.none() | st.just([sum(steps[: i + 1]) for i in range(len(steps))]),
        "result": st.none() | results(seats),
        **dict.fromkeys(LABELS, label),
    }
    return draw(st.fixed_dictionaries(needed, optional=optional))


def plain_games() -> st.SearchStrategy[dict[str, Any]]:
    """Good games that need no explanation: nothing in them has to be escaped."""
    return games(text=plain_texts).filter(_joins).filter(_is_short)


def _joins(game: dict[str, Any]) -> bool:
    lists = (game["hands"], game["actions"])
    return not any(strings == [""] or ";" in "".join(strings) for strings in lists)


def _is_short(game: dict[str, Any]) -> bool:
    """Whether no amount has more than eighteen digits."""
    return "1000000000000000000" not in json.dumps(game)


@st.composite
def altered(draw: st.DrawFn, game: dict[str, Any]) -> dict[str, Any]:
    """The game with one value anywhere in it replaced, taken away or added."""
    places: list[Any] = [game, *game["seats"], game["hands"], game["actions"], game["seats"]]
    places += [place for place in (game.get("result"), game.get("times")) if place]
    place = draw(st.sampled_from([each for each in places if each] or [game]))
    value = draw(values)
    if isinstance(place, list):
        place[draw(st.integers(0, len(place) - 1))] = value
    elif draw(st.booleans()):
        place[draw(st.sampled_from(sorted(place)))] = value
    elif draw(st.booleans()):
        del place[draw(st.sampled_from(sorted(place)))]
    else:
        place[draw(st.sampled_from(NAMES))] = value
    return game


NAMES = ("v", "end", "balance", "player", "nick", "winner", "times", "first", "base", "fee", "")
values = st.sampled_from(
    (None, True, 0, 1, -1, 2, 1.0, 1e300, "", "x", "out", "ping", [], {}, [1], [None], ["a"])
) | st.sampled_from(
    (10**9 + 1, 10**15 + 1, -(10**15) - 1, 10**18, 10**18 + 1, 2**63, 10**30, [2, 1])
)


@st.composite
def lines(draw: st.DrawFn, game: dict[str, Any]) -> bytes:
    """One of the many lines that write a game."""
    order = draw(st.permutations(list(game)))
    separators = draw(st.sampled_from(((",", ":"), (", ", ": "), (" ,\t", " : "))))
    is_ascii = draw(st.booleans())
    text = json.dumps(
        {name: game[name] for name in order}, ensure_ascii=is_ascii, separators=separators
    )
    return (
        draw(st.sampled_from(("", " ", "\t"))).encode()
        + text.encode()
        + draw(st.sampled_from((b"", b" ", b"\r")))
    )


@st.composite
def mutated(draw: st.DrawFn, line: bytes) -> bytes:
    """The line with a few bytes changed, and no newline in it."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line)))
        until = min(len(line), at + draw(st.integers(0, 4)))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=3))
        line = line[:at] + piece.replace(b"\n", b" ") + line[until:]
    return line


PIECES = (
    *(b"", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"1.0", b"-0", b"01"),
    *(b"1e5", b"NaN", b"Infinity", b'"id":"x",', b'"v":1,', b'"x":{"y":[1,2,{}]},', b"\\u0041"),
    *(b"\\ud800", b"\\ud83d\\ude00", b"\xff", b"\x00", b";", b"9" * 20, b"-", b'"seats":[],'),
    *(
        b'"result":{},',
        b'"times":[],',
        b'"end":null,',
        "金".encode(),
        "金".encode("gbk"),
        b"[" * 70,
    ),
)
