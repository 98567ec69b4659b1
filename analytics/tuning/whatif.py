"""What if: the games of a warehouse under their own table and under another one.

What players did is held fixed. Under another table they might have played otherwise: held
bombs back or thrown them in, sat elsewhere, left. A what-if says what the table does, not
what players would do about it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from typing import TYPE_CHECKING, Any, NamedTuple

from analytics.logs import Source
from analytics.rules import Difference, Ruleset, diff
from analytics.studies import Asked, Studied
from analytics.tuning.baseline import Baseline, baseline_of
from analytics.tuning.candidates import Evaluator
from analytics.tuning.comparing import compare_frames
from analytics.tuning.drivers import drivers_frame, no_drivers
from analytics.tuning.errors import CannotTune
from analytics.tuning.groups import Groups, group_asked, thresholds_of
from analytics.tuning.measuring import accounts_of
from analytics.tuning.pairing import Pair
from analytics.tuning.replaying import replay_pair
from analytics.tuning.resampling import RESAMPLES, SEED, check_draws
from analytics.tuning.settling import settle_groups
from analytics.tuning.units import check_unit
from analytics.warehouse.filling import engine
from analytics.warehouse.manifest import MANIFEST

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Header:
    """What a what-if is about, and what it was made of.

    Attributes:
        warehouse: its folder.
        manifest: 16 hex digits over its manifest, and so over all that is in it.
        engine: the version of paipu.
        baseline, candidate: the rulesets.
        differences: between them.
        where, since, until, day_start, zone: which games, as asked.
        unit: of amounts.
        games: how many there are.
        broken: of these, how many did not end, and so are not settled.
        missing: of these, how many are in no log, where games were replayed.
        compared: of these, how many both tables settle.
        days: on how many days they began.
        groups: into how many groups they fall; None: each was settled by itself.
        players: who sat in them.
        resamples, seed: of the intervals.
    """

    warehouse: str
    manifest: str
    engine: str
    baseline: Ruleset
    candidate: Ruleset
    differences: tuple[Difference, ...]
    where: str | None
    since: date | None
    until: date | None
    day_start: time
    zone: str
    unit: str
    games: int
    broken: int
    missing: int
    compared: int
    days: int
    groups: int | None
    players: int
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class WhatIf:
    """Two tables side by side on the same games.

    Attributes:
        header: what it is about.
        economy: what the studies of the economy say, ``comparing.ECONOMY_COLUMNS``.
        of_players: the metrics of class (b), ``wealth.PLAYER_COLUMNS``.
        lorenz: of what players gained and lost in all, ``wealth.LORENZ_COLUMNS``.
        paired: of a seat in a game, what it gets more, ``comparing.PAIRED_COLUMNS``.
        tiers: who gains and loses, by how often players win; ``comparing.WHO_COLUMNS``.
        levels: the same by the balance before the game, ``from_balance``.
        drivers: which changes make the difference; ``drivers.DRIVER_COLUMNS``.
        illegal: games that the candidate does not allow, ``replaying.ILLEGAL_COLUMNS``;
            they are not compared. None: ``[play]`` is the same.
    """

    header: Header
    economy: pd.DataFrame
    of_players: pd.DataFrame
    lorenz: pd.DataFrame
    paired: pd.DataFrame
    tiers: pd.DataFrame
    levels: pd.DataFrame
    drivers: pd.DataFrame
    illegal: pd.DataFrame | None = None


def what_if(
    warehouse: Studied,
    candidate: Ruleset,
    *,
    rules: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    logs: Sequence[Source] = (),
    **chosen: Any,
) -> WhatIf:
    """What the games of a warehouse would have paid under another table.

    Guarantees: sums are exact; of a table against itself every difference is zero; the
    same warehouse, table and seed give the same.

    Args:
        warehouse: open.
        candidate: the other table.
        rules: the ruleset of the games; see ``groups.group_games``.
        resamples: how many times players are drawn for intervals.
        seed: of these draws.
        logs: that hold the games; they are read only where ``[play]`` differs.
        chosen: ``where``, ``since``, ``until``, ``day_start`` and ``zone``, as a study takes
            them.

    Raises:
        WarehouseError: games cannot be chosen so.
        CannotTune: the table cannot be compared on what the warehouse has, or no intervals
            can be drawn so.
    """
    check_draws(resamples, seed)
    asked = warehouse.asked(**chosen)
    baseline = baseline_of(warehouse, asked, rules)
    check_unit(baseline.ruleset, candidate)
    drawn = _Drawn(resamples, seed)
    if logs and candidate.play != baseline.ruleset.play:
        return _by_replay(warehouse, asked, baseline, candidate, logs, drawn)
    groups = group_asked(
        warehouse,
        asked,
        baseline,
        thresholds=thresholds_of(candidate),
        with_given=candidate.scoring.base == "given",
        with_players=True,
    )
    pair = pair_of(groups, candidate)
    header = _header(warehouse, asked, baseline, candidate, pair, drawn)
    evaluator = Evaluator(groups, groups.ruleset)
    return WhatIf(
        header=replace(header, games=groups.games + groups.broken, groups=len(groups)),
        **compare_frames(pair, resamples=resamples, seed=seed),
        drivers=drivers_frame(evaluator, groups.ruleset, candidate),
    )


class _Drawn(NamedTuple):
    """How intervals are drawn."""

    resamples: int
    seed: int


def _by_replay(
    warehouse: Studied,
    asked: Asked,
    baseline: Baseline,
    candidate: Ruleset,
    logs: Sequence[Source],
    drawn: _Drawn,
) -> WhatIf:
    """The same from logs, of games that both rulesets allow."""
    thresholds = thresholds_of(baseline.ruleset, candidate)
    replayed = replay_pair(warehouse, asked, baseline.ruleset, candidate, logs, thresholds)
    header = _header(warehouse, asked, baseline, candidate, replayed.pair, drawn)
    return WhatIf(
        header=replace(header, games=replayed.games, broken=replayed.broken,
                       missing=replayed.missing),
        **compare_frames(replayed.pair, resamples=drawn.resamples, seed=drawn.seed),
        drivers=no_drivers(),
        illegal=replayed.illegal,
    )  # fmt: skip


def pair_of(groups: Groups, candidate: Ruleset) -> Pair:
    """Groups settled by their own table and by another one.

    Raises:
        CannotTune: groups cannot tell what it pays, or it is not known who sat in them.
    """
    if groups.seatings is None:
        raise CannotTune("it is not known who sat in these groups.")
    one, other = (
        accounts_of(groups, settle_groups(groups, each)) for each in (groups.ruleset, candidate)
    )
    return Pair(one, other, groups.seatings, groups.thresholds)


def _header(
    warehouse: Studied,
    asked: Asked,
    baseline: Baseline,
    candidate: Ruleset,
    pair: Pair,
    drawn: _Drawn,
) -> Header:
    own = baseline.ruleset
    return Header(
        warehouse=str(warehouse.folder),
        manifest=manifest_hash(warehouse),
        engine=engine(),
        baseline=own,
        candidate=candidate,
        differences=tuple(diff(own, candidate)),
        where=asked.where,
        since=asked.since,
        until=asked.until,
        day_start=asked.day_start,
        zone=asked.zone,
        unit=own.scoring.unit,
        games=0,
        broken=baseline.broken,
        missing=0,
        compared=int(pair.compared.sum()),
        days=baseline.days,
        groups=None,
        players=len(pair.seatings.players),
        resamples=drawn.resamples,
        seed=drawn.seed,
    )


def manifest_hash(warehouse: Studied) -> str:
    """16 hex digits over the manifest of a warehouse: the same where all its parts are."""
    return hashlib.blake2b((warehouse.folder / MANIFEST).read_bytes(), digest_size=8).hexdigest()
