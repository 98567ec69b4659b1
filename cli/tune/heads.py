"""What stands before the frames of a tuning: what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cli.output import emit
from cli.query import plain
from cli.words import said

if TYPE_CHECKING:
    from analytics.rules import Ruleset
    from analytics.tuning.whatif import Header
    from analytics.wording import Language


def named(ruleset: Ruleset) -> dict[str, str]:
    """A ruleset by name, version, source and hash."""
    return {
        "name": ruleset.name,
        "version": ruleset.version,
        "source": ruleset.source,
        "hash": ruleset.hash,
    }


def head_of(header: Header) -> dict[str, Any]:
    """A header with values as JSON has them."""
    return {
        "warehouse": header.warehouse,
        "manifest": header.manifest,
        "engine": header.engine,
        "baseline": named(header.baseline),
        "candidate": named(header.candidate),
        "differences": [difference._asdict() for difference in header.differences],
        "where": header.where,
        "since": plain(header.since),
        "until": plain(header.until),
        "day_start": f"{header.day_start:%H:%M}",
        "tz": header.zone,
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
    for line in _lines(header, language):
        emit(line + "\n")


def _lines(header: Header, language: Language) -> Iterator[str]:
    for side in ("baseline", "candidate"):
        ruleset: Ruleset = getattr(header, side)
        yield said(f"tune_{side}", language, at=ruleset.at, hash=ruleset.hash)
    for each in header.differences:
        yield said("tune_differs", language, path=each.path, left=each.left, right=each.right)
    if not header.differences:
        yield said("equal", language)
    names = ("games", "broken", "missing", "compared", "players", "days", "groups")
    counts = {name: getattr(header, name) for name in names}
    name = "tune_replayed" if header.groups is None else "tune_games"
    yield said(name, language, **counts)
    yield said("tune_held", language)
