"""``Rulebook``: the rulesets of a run, as records and as the integer rows that kernels read.

Source: rules clauses 8 and 11; ``analytics.rules.row`` has the layout.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.rules import row as R
from analytics.rules.model import Fixed, Levels, Places, Play, Ruleset, Scoring, Table, Xiang

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_ALWAYS: Final = -(2**63)  # before every start, in microseconds


class NoRuleset(KeyError):
    """No ruleset answers to a name at a time.

    Attributes:
        reason: "unknown name", "unknown version", "none in effect at start" or
            "several versions and no start".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Timeline(NamedTuple):
    """The versions of one name, ascending by the microsecond from which they hold."""

    starts: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """Rulesets by their place, ``rules_ix``.

    Attributes:
        rulesets: sorted by name, then by the time from which they are in effect.
        rows: int64 ``(len(rulesets), row.WIDTH)``; read-only.
    """

    rulesets: tuple[Ruleset, ...]
    rows: npt.NDArray[np.int64]
    _exact: dict[str, int] = field(init=False, repr=False)
    _timelines: dict[str, _Timeline] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.rows.setflags(write=False)
        object.__setattr__(self, "_timelines", _timelines(self.rulesets))
        object.__setattr__(self, "_exact", _exact(self.rulesets, self._timelines))

    def __reduce__(self) -> tuple[type[Rulebook], tuple[tuple[Ruleset, ...], Any]]:
        """Made anew in another process: an array that travels forgets that it is read-only.

        To a compiled kernel that would be another type, to be compiled once more.
        """
        return Rulebook, (self.rulesets, self.rows)

    @classmethod
    def of(cls, rulesets: Iterable[Ruleset]) -> Rulebook:
        """The rulebook of some rulesets, in any order."""
        ordered = tuple(sorted(rulesets, key=lambda r: (r.name, _start(r), r.version)))
        rows = np.zeros((len(ordered), R.WIDTH), np.int64)
        for row, ruleset in zip(rows, ordered, strict=True):
            row[:] = row_of(ruleset)
        return cls(ordered, rows)

    def find(self, name_at: str, start_us: int | None) -> int:
        """The place of the ruleset that a game is played by.

        ``name@version`` is that version. A bare name is the version with the latest
        ``effective_from`` that is not after the start; without a start the only one.

        Args:
            name_at: ``name`` or ``name@version``, as logged.
            start_us: start of the game in microseconds since 1970 in UTC; None: not logged.

        Raises:
            NoRuleset: with the reason.

        >>> from analytics.rules import load_rulesets
        >>> book = load_rulesets()
        >>> book.find("jiule", None), book.find("jiule@1", 0)
        (4, 4)
        >>> book.find("jiule@2", 0)
        Traceback (most recent call last):
        ...
        analytics.rules.rulebook.NoRuleset: 'unknown version'
        """
        place = self._exact.get(name_at)
        return self._find_by_time(name_at, start_us) if place is None else place

    def _find_by_time(self, name_at: str, start_us: int | None) -> int:
        timeline = self._timelines.get(name_at)
        if timeline is None:
            known = name_at.partition("@")[0] in self._timelines
            raise NoRuleset("unknown version" if known else "unknown name")
        if start_us is None:
            if len(timeline.places) > 1:
                raise NoRuleset("several versions and no start")
            return timeline.places[0]
        begun = bisect_right(timeline.starts, start_us)
        if not begun:
            raise NoRuleset("none in effect at start")
        return timeline.places[begun - 1]

    def terms(self, at: str | None) -> Mapping[str, str]:
        """What the house of a ruleset calls otherwise, by term.

        Args:
            at: ``name@version``; nothing is called otherwise where it is None.

        >>> from analytics.rules import load_rulesets
        >>> load_rulesets().terms("jiule@9")
        Traceback (most recent call last):
        ...
        KeyError: 'jiule@9'
        """
        return {} if at is None else self.rulesets[self._exact[at]].terms


def _start(ruleset: Ruleset) -> int:
    """From when a ruleset is in effect, in microseconds since 1970 in UTC."""
    if ruleset.effective_from is None:
        return _ALWAYS
    return (ruleset.effective_from - _EPOCH) // timedelta(microseconds=1)


def _timelines(rulesets: Iterable[Ruleset]) -> dict[str, _Timeline]:
    found: dict[str, list[tuple[int, int]]] = {}
    for place, ruleset in enumerate(rulesets):
        found.setdefault(ruleset.name, []).append((_start(ruleset), place))
    return {
        name: _Timeline(*(tuple(column) for column in zip(*sorted(versions), strict=True)))
        for name, versions in found.items()
    }


def _exact(rulesets: Iterable[Ruleset], timelines: dict[str, _Timeline]) -> dict[str, int]:
    """What needs no time: ``name@version``, and names whose only version always holds."""
    always = {
        name: timeline.places[0]
        for name, timeline in timelines.items()
        if timeline.starts == (_ALWAYS,)
    }
    return {**{r.at: place for place, r in enumerate(rulesets)}, **always}


def row_of(ruleset: Ruleset) -> npt.NDArray[np.int64]:
    """The int64 row of a ruleset, ``(row.WIDTH,)``; 0 where a setting does not apply."""
    row = np.zeros(R.WIDTH, np.int64)
    _fill_play(row, ruleset.play)
    _fill_xiang(row, ruleset.xiang)
    _fill_kou(row, ruleset.scoring)
    _fill_base(row, ruleset.scoring)
    _fill_rest(row, ruleset.scoring)
    return row


def _fill_play(row: npt.NDArray[np.int64], play: Play) -> None:
    row[R.SEATS] = play.seats
    row[R.WILD_SMALL] = "small" in play.wild
    row[R.WILD_BIG] = "big" in play.wild
    row[R.MIXED_JOKER_PAIR] = {"none": 0, "small": 13, "big": 14}[play.mixed_joker_pair]
    row[R.CHAIN_MIN] = play.chain_min
    row[R.CHAIN_IRREGULAR] = play.chain_irregular
    row[R.CHAIN_CYCLIC] = play.chain_two == "cyclic"
    row[R.MOST_GROUPS] = play.bomb_order == "most-groups"
    row[R.IRREGULAR_EQUAL] = bool(play.irregular_equal)
    row[R.FOUR_JOKERS_HIGHEST] = play.four_jokers == "highest"
    row[R.LEAD_SHOWN] = play.lead_policy == "shown"
    row[R.TRUSTEE_SMALLEST] = play.trustee_policy == "smallest"
    row[R.ESCAPE_SETTLES] = play.on_escape == "settle"


def _fill_xiang(row: npt.NDArray[np.int64], xiang: Xiang) -> None:
    row[R.LINKED] = xiang.linked
    row[R.LINKED_BONUS] = xiang.linked_bonus or 0
    row[R.UNLINKED] = xiang.unlinked
    row[R.UNLINKED_INDEPENDENT] = xiang.unlinked_count == "independent"
    row[R.XIANG_CAP] = xiang.xiang_cap or 0


def _fill_kou(row: npt.NDArray[np.int64], scoring: Scoring) -> None:
    if scoring.kou_cards is not None:
        row[R.KOU_DAN_CARDS] = scoring.kou_cards.dan
        row[R.KOU_SHUANG_CARDS] = scoring.kou_cards.shuang
    if scoring.kou is not None:
        for kou, name in enumerate(R.KOU_NAMES):
            row[R.KOU_TIMES + kou] = getattr(scoring.kou, name)
    if scoring.places is not None:
        _fill_places(row, scoring.places)


def _fill_places(row: npt.NDArray[np.int64], places: Places) -> None:
    for kou, name in enumerate(R.KOU_NAMES):
        row[R.PLACES + 4 * kou : R.PLACES + 4 * kou + 4] = getattr(places, name)


def _fill_base(row: npt.NDArray[np.int64], scoring: Scoring) -> None:
    if isinstance(scoring.base, Fixed):
        row[R.BASE_KIND] = R.BASE_FIXED
        row[R.BASE_FIXED_AT] = scoring.base.amount
    elif isinstance(scoring.base, Levels):
        levels = scoring.base.rows
        row[R.BASE_KIND] = R.BASE_LEVELS
        row[R.LEVELS] = len(levels)
        row[R.LEVEL_FROM : R.LEVEL_FROM + len(levels)] = [level.required for level in levels]
        row[R.LEVEL_BASE : R.LEVEL_BASE + len(levels)] = [level.base for level in levels]
    else:
        row[R.BASE_KIND] = R.BASE_GIVEN


def _fill_rest(row: npt.NDArray[np.int64], scoring: Scoring) -> None:
    row[R.CONTRIBUTION_EACH] = scoring.contribution_mode == "each"
    row[R.DOUBLING_FIRST] = scoring.doubling_scope == "first"
    row[R.FEE] = scoring.fee
    row[R.CAP_AT_BALANCE] = scoring.cap_at_balance
    row[R.ESCAPE_TIMES] = scoring.escape_times or 0
    parts = {"points": R.PARTS_POINTS, "wealth": R.PARTS_WEALTH}
    row[R.ESCAPE_PARTS] = parts.get(scoring.escape_parts or "", R.PARTS_NONE)
    row[R.SHARE] = scoring.share or 0
    row[R.DOUBLING : R.DOUBLING + R.MAX_XIANG] = dense(scoring.doubling, below=1)
    row[R.CONTRIBUTION : R.CONTRIBUTION + R.MAX_XIANG] = dense(scoring.contribution, below=0)


def dense(table: Table, below: int) -> list[int]:
    """A table as one multiplier for each xiang 0..31 (clause 8).

    Args:
        table: ascending rows; each holds up to the next, the last one for ever.
        below: the multiplier below the first row.

    >>> from analytics.rules.model import Row
    >>> dense((Row(2, 5), Row(4, 7)), below=1)[:6]
    [1, 1, 5, 5, 7, 7]
    """
    values = [below] * R.MAX_XIANG
    for xiang, times in table:
        values[xiang:] = [times] * (R.MAX_XIANG - xiang)
    return values
