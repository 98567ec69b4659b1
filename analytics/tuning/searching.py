"""A search on the games of a warehouse, and the files that come of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from analytics.rules import Ruleset, to_child_toml, to_toml
from analytics.studies import Asked, Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.economy import evaluate_in_order
from analytics.tuning.goals import Goals
from analytics.tuning.groups import group_games
from analytics.tuning.metrics import METRICS, Class
from analytics.tuning.ordered import order_games
from analytics.tuning.players import PlayerEvaluator
from analytics.tuning.search import Evaluate, Found, Tell, search
from analytics.warehouse.database import quoted

PAGE: Final = "search.html"  # the page of a search, in its folder
_WROTE: Final = re.compile(r"^<!-- wrote ([0-9a-f]{64}) ([^/\\\s]+) -->$", re.MULTILINE)


def search_games(
    warehouse: Studied, goals: Goals, *, tell: Tell | None = None, **chosen: Any
) -> Found:
    """Looks for tables by which games of a warehouse would have met goals.

    Args:
        warehouse: open.
        goals: what may change, what must hold, what is wanted.
        tell: is told how many tables were tried.
        chosen: which games: ``where``, ``since``, ``until``, ``day_start``, ``zone``.

    Raises:
        CannotTune: games are of several rulesets, or have not what goals would vary.
        WarehouseError: games cannot be chosen so.
    """
    with_players = needs(goals, Class.B)
    groups = group_games(warehouse, rules=goals.rules, with_players=with_players, **chosen)
    baseline = groups.ruleset
    evaluator = Evaluator(groups, baseline)
    slower: dict[Class, Evaluate] = {}
    if with_players:
        slower[Class.B] = PlayerEvaluator(groups, evaluator).evaluate
    if needs(goals, Class.C):
        asked = in_unit(warehouse.asked(**chosen), baseline.scoring.unit)
        slower[Class.C] = evaluate_in_order(order_games(warehouse, asked), baseline)
    return search(goals, baseline, evaluator.evaluate, days=groups.days, slower=slower, tell=tell)


def needs(goals: Goals, kind: Class) -> bool:
    """Whether goals name a metric of a class."""
    return any(METRICS[name].kind is kind for name in metrics_of(goals) if name in METRICS)


def metrics_of(goals: Goals) -> tuple[str, ...]:
    """The metrics that goals are about, each once, in their order."""
    required, wanted = (own.metric for own in goals.require), (own.metric for own in goals.want)
    return tuple(dict.fromkeys((*wanted, *required)))


def in_unit(asked: Asked, unit: str) -> Asked:
    r"""The same games, of these only those whose amounts are in a unit.

    >>> asked = Asked(where="seats = 2 OR seats = 4", zone="UTC", home="UTC")
    >>> in_unit(asked, "points").where
    "unit = 'points' AND (\nseats = 2 OR seats = 4\n)"
    """
    own = f"unit = {quoted(unit)}"  # an expression may end in a comment: so the line ends, too
    where = own if asked.where is None else f"{own} AND (\n{asked.where}\n)"
    return replace(asked, where=where)


def files_of(folder: Path, name: str) -> list[Path]:
    """What is named as a search of a name names its files: rulesets and pages, in order."""
    there = folder.iterdir() if folder.is_dir() else ()
    return sorted(file for file in there if is_named_by(file, name) or file.name == PAGE)


def is_named_by(file: Path, name: str) -> bool:
    """Whether a file is named as a ruleset of a search of a name, or as its what-if."""
    return re.fullmatch(rf"{re.escape(name)}-\d+\.(toml|html)", file.name) is not None


def write_rulesets(
    found: Found, folder: Path, parents: Iterable[Ruleset]
) -> Iterator[tuple[str, Path]]:
    """Writes the rulesets that were found, a file each: their names and files.

    Args:
        found: by a search.
        folder: is there.
        parents: rulesets that are there wherever the files are read. Where the baseline
            is among them, files extend it; else each says everything.
    """
    is_there = any(p.at == found.baseline.at and p.hash == found.baseline.hash for p in parents)
    for ruleset in found.rulesets:
        file = folder / f"{ruleset.name}.toml"
        text = to_child_toml(ruleset, found.baseline) if is_there else to_toml(ruleset)
        file.write_text(text, "utf-8", newline="\n")
        yield ruleset.name, file


def publish(made: Path, folder: Path, name: str) -> None:
    """Moves what a search has made to its folder, and then removes what is of an earlier one.

    Guarantees: removed is only what an earlier search of that name wrote and nobody has
    changed since; the page of a search lists its files with their SHA-256.

    Args:
        made: a folder on the same disk with rulesets, pages and the page of the search.
        folder: that of the search.
        name: of the search.
    """
    earlier = _written(folder, name)
    page = made / PAGE
    own = [file for file in sorted(made.iterdir()) if file != page]
    with page.open("a", encoding="utf-8", newline="\n") as out:
        out.writelines(f"<!-- wrote {_digest(file)} {file.name} -->\n" for file in own)
    for file in (*own, page):
        file.replace(folder / file.name)
    for file in set(earlier) - {folder / file.name for file in own}:
        file.unlink()


def _written(folder: Path, name: str) -> list[Path]:
    """What a search of a name wrote to a folder, as it wrote it."""
    page = folder / PAGE
    listed = _WROTE.findall(page.read_text("utf-8")) if page.is_file() else []
    files = [(folder / file, digest) for digest, file in listed]
    return [f for f, own in files if is_named_by(f, name) and f.is_file() and _digest(f) == own]


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
