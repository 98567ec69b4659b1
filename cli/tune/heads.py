"""What stands before the frames of a tuning: what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cli.output import emit
from cli.query import plain
from cli.words import said

if TYPE_CHECKING:
    from analytics.report.tuning import MadeOf
    from analytics.rules import Ruleset
    from analytics.studies import Asked
    from analytics.tuning.in_order import InOrder
    from analytics.tuning.whatif import Header
    from analytics.wording import Language

_NOTHING: Final = "–"  # a value that is not there


def named(ruleset: Ruleset) -> dict[str, str]:
    """A ruleset by name, version, source and hash."""
    return {
        "name": ruleset.name,
        "version": ruleset.version,
        "source": ruleset.source,
        "hash": ruleset.hash,
    }


def which_games(asked: Asked | Header) -> dict[str, Any]:
    """Which games were asked for, with values as JSON has them."""
    return {
        "where": asked.where,
        "since": plain(asked.since),
        "until": plain(asked.until),
        "day_start": f"{asked.day_start:%H:%M}",
        "tz": asked.zone,
    }


def head_in_order(found: InOrder, asked: Asked) -> dict[str, Any]:
    """What games in order are about, with values as JSON has them."""
    sides = {name: named(getattr(found, name)) for name in ("baseline", "candidate")}
    return {**sides, **which_games(asked), "games": found.games, "left_out": found.left_out}


def head_of_table(ruleset: Ruleset, asked: Asked, games: int, groups: int) -> dict[str, Any]:
    """What one table on games in groups is about, with values as JSON has them."""
    own = {"baseline": named(ruleset), **which_games(asked)}
    return {**own, "games": games, "groups": groups}


def origin_of(made_of: MadeOf) -> dict[str, Any]:
    """What data were made of, as a page says it."""
    names = ("warehouse", "manifest", "engine")
    return {name: getattr(made_of, name) for name in names}


def head_of(header: Header) -> dict[str, Any]:
    """A header with values as JSON has them."""
    return {
        "warehouse": header.warehouse,
        "manifest": header.manifest,
        "engine": header.engine,
        "baseline": named(header.baseline),
        "candidate": named(header.candidate),
        "differences": [difference._asdict() for difference in header.differences],
        **which_games(header),
        "unit": header.unit,
        "games": header.games,
        "broken": header.broken,
        "missing": header.missing,
        "compared": header.compared,
        "days": header.days,
        "groups": header.groups,
        "players": header.players,
        "resamples": header.resamples,
        "seed": header.seed,
    }


def write_head(header: Header, language: Language) -> None:
    """The header in sentences, for people."""
    names = ("games", "broken", "missing", "compared", "players", "days", "groups")
    counts = {name: getattr(header, name) for name in names}
    name = "tune_replayed" if header.groups is None else "tune_games"
    _write_sides(header.baseline, header.candidate, language)
    _write_which(header, language)
    emit(said(name, language, **counts) + "\n")
    emit(said("tune_held", language) + "\n")


def write_head_in_order(found: InOrder, asked: Asked, language: Language) -> None:
    """The head of games in order in sentences."""
    _write_sides(found.baseline, found.candidate, language)
    _write_which(asked, language)
    counts = {"games": found.games, "left_out": found.left_out}
    emit(said("tune_in_order", language, **counts) + "\n")


def write_head_of_table(
    ruleset: Ruleset, asked: Asked, games: int, groups: int, language: Language
) -> None:
    """The head of one table in sentences."""
    emit(said("tune_baseline", language, at=ruleset.at, hash=ruleset.hash) + "\n")
    _write_which(asked, language)
    emit(said("tune_groups", language, games=games, groups=groups) + "\n")


def _write_sides(baseline: Ruleset, candidate: Ruleset, language: Language) -> None:
    """Two rulesets, and what differs."""
    from analytics.rules import diff, to_toml_value

    for name, ruleset in (("tune_baseline", baseline), ("tune_candidate", candidate)):
        emit(said(name, language, at=ruleset.at, hash=ruleset.hash) + "\n")
    differences = list(diff(baseline, candidate))
    for each in differences:
        sides = {
            name: _NOTHING if value is None else to_toml_value(value)
            for name, value in (("left", each.left), ("right", each.right))
        }
        line = said("tune_differs", language, path=each.path, **sides)
        emit(line + "\n")
    if not differences:
        emit(said("equal", language) + "\n")


def _write_which(asked: Asked | Header, language: Language) -> None:
    """Which games were asked for, in any case something."""
    given = {name: getattr(asked, name) for name in ("where", "since", "until")}
    there = {name: value for name, value in given.items() if value is not None}
    for name, value in there.items():
        emit(said(f"tune_{name}", language, value=value) + "\n")
    days = {"day_start": f"{asked.day_start:%H:%M}", "zone": asked.zone}
    emit(said("tune_days" if there else "tune_every", language, **days) + "\n")
