"""The typed model of a ruleset: ``Play``, ``Xiang``, ``Scoring``, ``Ruleset``.

This is the one place that holds the name, type, allowed values, unit, default
and clause of every setting: an attribute's type says what may stand there, the
``Setting`` beside it the rest. Reading, lint, writing and the reference page
(docs/ruleset.md) are all derived from it.

An attribute is None where the setting does not apply (``Setting.when``), and
``xiang_cap`` where there is no cap. Source: rules clause 11.
"""

# Without "from __future__ import annotations": the annotations are read at run time.

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_args

MAX_BALANCE: Final = 10**15  # clause 12: |balance|
MAX_BASE: Final = 10**9  # clause 12: base and level bases
MAX_TIMES: Final = 10**4  # clause 12: table entries, kou, places, escape_times
MAX_FEE: Final = 10**12  # clause 12
MAX_HAND: Final = 27  # clause 2: cards dealt to a seat
MAX_CHAIN: Final = 6  # clause 2: seven ranks of four are 28 cards, more than a hand

Joker: TypeAlias = Literal["big", "small"]
Section: TypeAlias = Literal["play", "xiang", "scoring"]
SECTIONS: Final[tuple[Section, ...]] = ("play", "xiang", "scoring")

# Clauses 1 and 3: what a house may call otherwise ([terms]).
TERMS: Final = (
    *("xiang", "kou", "ping", "dan", "shuang", "base", "doubling", "contribution"),
    *("fee", "shown", "trustee", "jiefeng", "escape"),
    *("single", "pair", "triple", "straight", "pair_run", "triple_run"),
    *("bomb", "chain", "three_jokers", "four_jokers"),
)


class _Required:
    """The default of a setting that every ruleset has to give."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = _Required()


class Setting(NamedTuple):
    """What the type of a setting leaves open.

    Attributes:
        clause: of the rules.
        meaning: one phrase, begun in lower case.
        shape: how the value is written; "" where the type says it.
        unit: of the numbers in it; "" for none.
        least, most: bounds of the number, or of each number in a table; None: none.
        default: the value where a ruleset does not give it; REQUIRED: it must.
        when: applies only where all these settings have these values.
    """

    clause: str
    meaning: str
    shape: str = ""
    unit: str = ""
    least: int | None = None
    most: int | None = None
    default: Any = REQUIRED
    when: tuple[tuple[str, Any], ...] = ()


class Row(NamedTuple):
    """One row of a multiplier table (clause 8).

    Attributes:
        xiang: 1 to 31.
        times: the multiplier; holds up to the next row.
    """

    xiang: int
    times: int


Table: TypeAlias = tuple[Row, ...]  # ascending by xiang


class Level(NamedTuple):
    """One level of a base by balance (clause 8.1).

    Attributes:
        required: the balance from which it holds, in the room's unit.
        base: the stake, in the room's unit.
    """

    required: int
    base: int


class Fixed(NamedTuple):
    """A base that is the same in every game; ``amount`` in the room's unit (clause 8)."""

    amount: int


class Levels(NamedTuple):
    """A base by the lowest level at the table; ``rows`` ascending (clause 8.1)."""

    rows: tuple[Level, ...]


Base: TypeAlias = Literal["given"] | Fixed | Levels


class Kou(NamedTuple):
    """扣 multipliers a, two seats (clauses 6 and 8)."""

    ping: int
    dan: int
    shuang: int


class KouCards(NamedTuple):
    """From how many cards left a loss is ``dan`` and ``shuang`` (clause 6)."""

    dan: int
    shuang: int


Four: TypeAlias = tuple[int, int, int, int]


class Places(NamedTuple):
    """Multiples of the base for places 1, 2, 3, 4, by kou (clause 8.2)."""

    shuang: Four
    dan: Four
    ping: Four


_TWO: Final = (("seats", 2),)
_FOUR: Final = (("seats", 4),)
_SETTLES: Final = (("seats", 2), ("on_escape", "settle"))
_ROOM: Final = "room's unit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What is legal, ``[play]``: a change here needs a replay."""

    seats: Annotated[Literal[2, 4], Setting("5", "how many play; four play two against two")]
    wild: Annotated[
        tuple[Joker, ...],
        Setting(
            "3.1",
            "财神: the jokers that stand for any rank beside a natural card",
            shape='list of `"big"`, `"small"`; may be empty',
        ),
    ]
    mixed_joker_pair: Annotated[
        Literal["big", "small", "none"],
        Setting("3.2", "rank of 大王 + 小王 as a pair; none: it is no pair"),
    ]
    chain_min: Annotated[
        int, Setting("4", "fewest ranks of a chain (连炸)", unit="ranks", least=2, most=MAX_CHAIN)
    ]
    chain_irregular: Annotated[bool, Setting("4", "whether a chain's groups may differ in size")]
    chain_two: Annotated[
        Literal["no", "cyclic"],
        Setting("4", "whether a 2 may stand in a chain; cyclic: next to A and next to 3"),
    ]
    bomb_order: Annotated[
        Literal["fewest-cards", "most-groups"],
        Setting("4", "of bombs of one xiang, fewer cards win, or chains by their groups"),
    ]
    irregular_equal: Annotated[
        bool | None,
        Setting(
            "4",
            "whether two irregular chains with the same X and Y are equal",
            when=(("bomb_order", "fewest-cards"),),
        ),
    ]
    four_jokers: Annotated[
        Literal["highest", "lowest"], Setting("4", "where 天王炸弹 stands among all 7相")
    ]
    lead_policy: Annotated[
        Literal["shown", "any"],
        Setting(
            "5.2",
            "明牌: its holder leads; any: neither leader nor partner is checked",
            default="shown",
        ),
    ]
    trustee_policy: Annotated[
        Literal["smallest", "any"],
        Setting("5.1", "托管 plays the smallest legal play; any: not checked", default="smallest"),
    ]
    on_escape: Annotated[
        Literal["settle", "trustee"],
        Setting("5.1", "逃跑 ends the game at once (two seats only), or 托管 plays on"),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Xiang:
    """How a seat's bombs add up to its effective xiang, ``[xiang]``; never needs a replay."""

    linked: Annotated[
        bool,
        Setting("7", "两个连X相: two equal bombs of adjacent ranks count more", default=False),
    ]
    linked_bonus: Annotated[
        int | None,
        Setting(
            "7",
            "how much more",
            unit="xiang",
            least=1,
            most=MAX_TIMES,
            default=1,
            when=(("linked", True),),
        ),
    ]
    unlinked: Annotated[
        bool,
        Setting("7", "不相连炸弹: several 4相 or 5相, not adjacent, count more", default=False),
    ]
    unlinked_count: Annotated[
        Literal["independent", "all"] | None,
        Setting(
            "7",
            "which of them count: the largest pairwise non-adjacent set, or every one",
            default="independent",
            when=(("unlinked", True),),
        ),
    ]
    xiang_cap: Annotated[
        int | None,
        Setting(
            "4",
            "the most that scoring sees; `none` takes a parent's cap away",
            shape='1 to 10,000, or `"none"`',
            unit="xiang",
            least=1,
            most=MAX_TIMES,
            default=None,
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """What is paid, ``[scoring]``; never needs a replay."""

    unit: Annotated[
        str,
        Setting(
            "8",
            "what amounts are counted in",
            shape="text",
        ),
    ]
    base: Annotated[
        Base,
        Setting(
            "8.1",
            "对局分: the stake X; given: the log says it for each game",
            shape='`"given"`, `{ fixed = X }` or `{ levels = [[balance, X], ...] }` of 1 to 32 '
            "levels, balances from -10^15 to 10^15, X",
            unit=_ROOM,
            least=1,
            most=MAX_BASE,
        ),
    ]
    kou_cards: Annotated[
        KouCards | None,
        Setting(
            "6",
            "from how many cards left the loser is dan and shuang",
            shape="`{ dan, shuang }`,",
            unit="cards",
            least=1,
            most=MAX_HAND,
            when=_TWO,
        ),
    ]
    kou: Annotated[
        Kou | None,
        Setting(
            "8",
            "multiplier a by kou",
            shape="`{ ping, dan, shuang }`,",
            unit="times",
            least=-MAX_TIMES,
            most=MAX_TIMES,
            when=_TWO,
        ),
    ]
    places: Annotated[
        Places | None,
        Setting(
            "8.2",
            "what places 1 to 4 get, by kou",
            shape="`{ shuang, dan, ping }`, each a list of four,",
            unit="multiples of the base",
            least=-MAX_TIMES,
            most=MAX_TIMES,
            when=_FOUR,
        ),
    ]
    doubling: Annotated[
        Table,
        Setting(
            "8",
            "翻倍: multiplier b by effective xiang; 1 below the first row",
            shape="`{ 5 = 2, ... }` or `{}`, xiang 1 to 31, times",
            unit="times",
            least=-MAX_TIMES,
            most=MAX_TIMES,
        ),
    ]
    contribution: Annotated[
        Table,
        Setting(
            "8",
            "贡献分: c by xiang, owed whoever wins; 0 below the first row",
            shape="`{ 6 = 2, ... }` or `{}`, xiang 1 to 31, times",
            unit="multiples of the base",
            least=-MAX_TIMES,
            most=MAX_TIMES,
            default=(),
        ),
    ]
    contribution_mode: Annotated[
        Literal["max", "each"],
        Setting("8.3", "max: owed once, by the effective xiang; each: for every bomb, by its own"),
    ]
    doubling_scope: Annotated[
        Literal["team", "first"] | None,
        Setting(
            "8.3",
            "whose xiang doubles: the best of the team, or the first out's",
            when=_FOUR,
        ),
    ]
    fee: Annotated[
        int,
        Setting("8.3", "桌费, taken from every seat", unit=_ROOM, least=0, most=MAX_FEE, default=0),
    ]
    cap_at_balance: Annotated[
        bool, Setting("8.3", "whether no seat pays more than its balance", default=False)
    ]
    escape_times: Annotated[
        int | None,
        Setting(
            "9",
            "what the fleer pays in any case",
            unit="multiples of the base",
            least=0,
            most=MAX_TIMES,
            when=_SETTLES,
        ),
    ]
    escape_parts: Annotated[
        Literal["points", "wealth", "none"] | None,
        Setting("9", "how the other's bombs add to the penalty; none: not at all", when=_SETTLES),
    ]
    share: Annotated[
        int | None,
        Setting(
            "9",
            "what of the penalty goes to the other; the rest to the system",
            unit="percent",
            least=0,
            most=100,
            when=_SETTLES,
        ),
    ]


class Spec(NamedTuple):
    """One setting, as the model declares it.

    Attributes:
        section: "play", "xiang" or "scoring".
        key: unique among all sections.
        type: of the value, without None.
        setting: the rest.
    """

    section: Section
    key: str
    type: Any
    setting: Setting


@cache
def specs() -> Mapping[str, Spec]:
    """Every setting by its key, in the order of the model.

    >>> specs()["chain_min"].setting.least
    2
    >>> specs()["chain_max"]
    Traceback (most recent call last):
    ...
    KeyError: 'chain_max'
    """
    found = {}
    for section, record in zip(SECTIONS, (Play, Xiang, Scoring), strict=True):
        for each in fields(record):
            annotated, setting = get_args(each.type)
            found[each.name] = Spec(section, each.name, _without_none(annotated), setting)
    return found


def _without_none(annotated: Any) -> Any:
    parts = [part for part in get_args(annotated) if part is not type(None)]
    return parts[0] if len(parts) < len(get_args(annotated)) and len(parts) == 1 else annotated


def applies(spec: Spec, settings: Mapping[str, Any]) -> bool | None:
    """Whether a setting applies beside these others; None: a governing one is not known.

    >>> applies(specs()["kou"], {"seats": 4}), applies(specs()["kou"], {})
    (False, None)
    """
    governed = [
        settings[key] == value if key in settings else None for key, value in spec.setting.when
    ]
    if False in governed:
        return False
    return None if None in governed else True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One version of one house's rules.

    Attributes:
        name: letters, digits, ``-``, ``_`` and ``.``; what a log's ``rules`` names.
        version: the same characters; what follows the ``@``.
        effective_from: from when it is in effect, with offset; None: from the
            beginning of time.
        title: what people call it, by language ("en", "zh").
        terms: house words by term, a key of ``TERMS``.
        play, xiang, scoring: the settings.
        source: the file it was read from; ``preset:NAME`` for a preset; "" for none.
        hash: 16 hex digits over all settings that apply: the same whatever the
            file, its comments, its order of keys, name, version, title and terms.
    """

    name: str
    version: str
    effective_from: datetime | None = None
    title: Mapping[str, str] = field(default_factory=dict, hash=False)
    terms: Mapping[str, str] = field(default_factory=dict, hash=False)
    play: Play
    xiang: Xiang
    scoring: Scoring
    source: str = field(default="", compare=False)
    hash: str = field(init=False)

    def __post_init__(self) -> None:
        text = json.dumps({s: plain(getattr(self, s)) for s in SECTIONS}, sort_keys=True)
        digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        object.__setattr__(self, "hash", digest)

    @property
    def at(self) -> str:
        """``name@version``."""
        return f"{self.name}@{self.version}"


def plain(section: Play | Xiang | Scoring) -> dict[str, Any]:
    """A section as TOML holds it: dicts, lists, ints, text and booleans, no None."""
    return dict(_plain_items(section))


def _plain_items(section: Play | Xiang | Scoring) -> Iterator[tuple[str, Any]]:
    for each in fields(section):
        value = getattr(section, each.name)
        if value is not None:
            is_table = specs()[each.name].type == Table
            yield each.name, {str(x): t for x, t in value} if is_table else _plain_value(value)


def _plain_value(value: Any) -> Any:
    if isinstance(value, Fixed):
        return {"fixed": value.amount}
    if isinstance(value, Levels):
        return {"levels": [list(level) for level in value.rows]}
    if isinstance(value, Kou | KouCards):
        return value._asdict()
    if isinstance(value, Places):
        return {kou: list(row) for kou, row in value._asdict().items()}
    return list(value) if isinstance(value, tuple) else value
