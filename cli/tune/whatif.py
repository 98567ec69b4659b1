"""``paipu tune whatif``: what the same games would have paid under another table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.asking import CHOOSING, choosing_options
from cli.failing import refused
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    memory_option,
    rules_dir_option,
    ruleset_names,
    warehouse_option,
)
from cli.tune.frames import dated, part_option, shown, write_frames
from cli.tune.heads import head_in_order, head_of, write_head, write_head_in_order
from cli.tune.pages import made_of, page_option, write_page

if TYPE_CHECKING:
    import pandas as pd

    from analytics.report.tuning import MadeOf
    from analytics.rules import Ruleset
    from analytics.studies import Asked, Studied
    from analytics.tuning.in_order import InOrder
    from analytics.tuning.whatif import WhatIf
    from analytics.wording import Language

PARTS: Final = ("economy", "of_players", "lorenz", "paired", "tiers", "levels", "drivers")
IN_ORDER: Final = ("in_order", "in_order_paired", "in_order_lorenz", "over_time")
ILLEGAL: Final = "illegal"
_CURVES: Final = ("lorenz", "in_order_lorenz")
_OF_GROUPS: Final = ("resamples", "seed", "logs")  # games in order have none of them
MOST_RESAMPLES: Final = 100_000
MOST_SEED: Final = 2**63 - 1


rules_option = click.option(
    "--rules",
    metavar="NAME",
    help="The ruleset of the games, with or without version, where they have several.",
)
_resamples = click.option(
    "--resamples",
    type=click.IntRange(2, MOST_RESAMPLES),
    default=1_000,
    show_default=True,
    help="How many times players are drawn for intervals.",
)
_seed = click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=1,
    show_default=True,
    help="Of all chance: the same seed draws the same players.",
)


@click.command(
    epilog=examples(
        ("paipu tune whatif --against new.toml --warehouse wh/", "a new table of yours"),
        (
            "paipu tune whatif --against huopin-wealth@2 --rules-dir houses/ -w wh/ --part tiers",
            "who gains and who loses by a version that is not in effect yet",
        ),
        (
            "paipu tune whatif --against new.toml --where \"room = 'gold'\" -w wh/ --format json",
            "in one room, as JSON",
        ),
        (
            "paipu tune whatif --against new.toml -w wh/ --dynamic -o whatif.html",
            "with balances that follow, as a page",
        ),
    )
)
@warehouse_option
@click.option(
    "--against",
    metavar="RULES",
    required=True,
    shell_complete=ruleset_names,
    help="The other table: a file, or the name of a ruleset.",
)
@rules_option
@rules_dir_option
@choosing_options
@_resamples
@_seed
@click.option(
    "--logs",
    metavar="LOG",
    multiple=True,
    type=click.Path(),
    help="Where the games are recorded, for a table with another [play]; may be repeated.",
)
@click.option(
    "--dynamic",
    "is_dynamic",
    is_flag=True,
    help="Also settle games in order with balances carried forward, so that levels, caps and "
    "bankruptcies follow the table. Games of other rulesets with the same unit are settled as "
    "they were, and not told of.",
)
@part_option((*PARTS, *IN_ORDER, ILLEGAL))
@page_option
@format_option("table", "json", "jsonl", "csv")
@memory_option
@lang_option
@debug_option
def whatif(
    *,
    warehouse: str,
    against: str,
    rules_dirs: Sequence[str],
    logs: Sequence[str],
    is_dynamic: bool,
    page: Path | None,
    part: str | None,
    form: str,
    memory: str,
    language: Language,
    **asked: Any,
) -> None:
    """Compare what games paid with what they would have paid under another table.

    What players did is held fixed: under another table they might have played otherwise. Sums
    are exact; intervals of 95 % are made by drawing players anew, each with all his games.

    Exit status: 0 it was compared; 2 it could not be; 130 interrupted.
    \f

    The parts: `economy`, what the studies of the economy say, on both sides; `of_players`, how
    many of them gain and lose in all, and how unequally; `lorenz`, which share the poorest of
    those have; `paired`, what a seat gets more in a game; `tiers`, who gains and loses, by how
    often players win, from 1, who win least often, to 4; `levels`, the same by the balance
    before the game; `drivers`, which changes of the table make the difference.
    [Tuning](../tune.md) tells all columns.

    With `--dynamic`: `in_order`, what moves and what becomes of players where balances follow
    the table; `in_order_paired`, what a seat gets more in a game; `in_order_lorenz`, which
    share the poorest hold in the end; `over_time`, how each day ended. Games of other rulesets
    whose amounts are in the same unit are settled as they were, and not told of. Of a table
    that caps at balances only these parts can be told. They have no intervals.

    Games of several rulesets are not mixed: `--rules` or `--where` choose. A table that caps at
    balances needs the order of games. A table with another `[play]` needs a replay: with
    `--logs` the games that were chosen are replayed from these logs; `illegal` lists by finding
    code what the table does not allow, and the other games are compared.

    `--format json` prints `{"schema": 1, "warehouse", "manifest", "engine", "baseline": {"name",
    "version", "source", "hash"}, "candidate", "differences": [{"path", "left", "right",
    "needs_replay"}], "where", "since", "until", "day_start", "tz", "unit", "games", "broken",
    "missing", "compared", "days", "groups", "players", "resamples", "seed", "economy":
    [{column: value}], "of_players", "lorenz", "paired", "tiers", "levels", "drivers"}`, with
    `--dynamic` also `"in_order"`, `"in_order_paired"`, `"in_order_lorenz"` and `"over_time"`,
    and after a replay `"illegal"`. Of a table that caps at balances it has `"baseline"`,
    `"candidate"`, which games, `"games"`, `"left_out"` and the parts of `--dynamic`. JSON Lines
    say of which `part` each line is.
    """
    from analytics.logs import find_sources
    from analytics.studies import open_warehouse
    from cli.rulesets import ruleset_of

    candidate = ruleset_of(against, rules_dirs)
    asked["logs"] = find_sources(logs)
    with open_warehouse(warehouse, memory=memory) as opened:
        in_order = None
        if is_dynamic or part in IN_ORDER:
            in_order = _in_order(opened, candidate, asked)
        which = opened.asked(**{name: asked[name] for name in CHOOSING})
        found = _of_groups(opened, candidate, asked, in_order)
        frames = shown(frames_of(found, in_order), form, part=part, first=PARTS[0])
        if page is not None:
            write_page(page, _page(made_of(opened, which), found, in_order, language))
    if form == "table":
        frames = readable(frames)
    if form == "table" and part is None:
        _write_head(found, in_order, which, language)
    write_frames(frames, _head(found, in_order, which), form, language)


def readable(frames: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The same frames, of curves as many points as one reads."""
    from analytics.tuning.wealth import tenths

    return {name: tenths(frame) if name in _CURVES else frame for name, frame in frames.items()}


def _in_order(opened: Studied, candidate: Ruleset, asked: dict[str, Any]) -> InOrder:
    """Games in order under both tables.

    Raises:
        Failure: they would have to be replayed first.
    """
    from analytics.tuning.errors import NeedsReplay
    from analytics.tuning.in_order import compare_in_order

    chosen = {name: value for name, value in asked.items() if name not in _OF_GROUPS}
    try:
        return compare_in_order(opened, candidate, **chosen)
    except NeedsReplay as problem:
        if not asked["logs"]:
            raise
        raise refused("replay_in_order", at=candidate.at) from problem


def _of_groups(
    opened: Studied, candidate: Ruleset, asked: dict[str, Any], in_order: InOrder | None
) -> WhatIf | None:
    """The what-if; None where groups of games cannot tell, and games in order have told."""
    from analytics.tuning.errors import NotFromGroups
    from analytics.tuning.whatif import what_if

    try:
        return what_if(opened, candidate, **asked)
    except NotFromGroups:
        if in_order is None:
            raise
        return None


def _page(
    origin: MadeOf, found: WhatIf | None, in_order: InOrder | None, language: Language
) -> str:
    from analytics.report.tuning import in_order_page, whatif_page

    if found is not None:
        return whatif_page(found, language, in_order)
    assert in_order is not None
    return in_order_page(in_order, origin, language)


def _head(found: WhatIf | None, in_order: InOrder | None, which: Asked) -> dict[str, Any]:
    if found is not None:
        return head_of(found.header)
    assert in_order is not None
    return head_in_order(in_order, which)


def _write_head(
    found: WhatIf | None, in_order: InOrder | None, which: Asked, language: Language
) -> None:
    if found is not None:
        return write_head(found.header, language)
    assert in_order is not None
    return write_head_in_order(in_order, which, language)


def frames_of(found: WhatIf | None, in_order: InOrder | None = None) -> dict[str, Any]:
    """The frames of a what-if by the names of their parts."""
    frames = {name: getattr(found, name) for name in PARTS} if found is not None else {}
    if found is not None and found.illegal is not None:
        frames = {ILLEGAL: found.illegal, **frames}
    if in_order is None:
        return frames
    own = (in_order.metrics, in_order.paired, in_order.lorenz, dated(in_order.over_time))
    return {**frames, **dict(zip(IN_ORDER, own, strict=True))}
