"""Settling again: the same facts under corrected rulesets, beside the earlier verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analytics import compiled
from analytics.findings import Code
from analytics.jobs import Ways
from analytics.jobs.verifying import Tell, Teller, call
from analytics.logs.batch import ABSENT
from analytics.rules import NoRuleset, Rulebook
from analytics.verify import judge_batch
from analytics.warehouse.common import FINDINGS, GAMES, POSTINGS, SEATS, VERDICTS
from analytics.warehouse.database import MEMORY, OFFLINE, view_of
from analytics.warehouse.doors import DOORS, FAMILIES, fill_verdict
from analytics.warehouse.families import OF_FAMILY, tables_of
from analytics.warehouse.filling import Filled, Logs, Settling
from analytics.warehouse.knowing import play_hash, with_rulesets
from analytics.warehouse.manifest import Entry, Manifest, Part, Written, path_of, rows_of
from analytics.warehouse.parts import place_layer, read_rows, write_rows
from analytics.warehouse.restoring import batch_of, column
from analytics.warehouse.tables import Layer, Table
from analytics.warehouse.turns import Turn, now, turn

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_COUNTED: Final = ("settled", "unchanged", "unknown", "replayed")
_STAYS: Final = -1  # place of the ruleset of a game that keeps its verdict

# Games whose verdict was replaced, by the rulesets before and after. What a game pays has
# changed if any account of it gets another amount in all.
_CHANGES: Final = """
WITH earlier AS (SELECT game_key, settlement_key, errors FROM old_verdicts),
     later AS (SELECT game_key, settlement_key, errors FROM new_verdicts),
     paid AS (SELECT game_key, account, -sum(amount) AS amount
              FROM old_postings GROUP BY ALL
              UNION ALL
              SELECT game_key, account, sum(amount) AS amount
              FROM new_postings GROUP BY ALL),
     accounts AS (SELECT game_key, account, sum(amount) AS differs FROM paid GROUP BY ALL),
     moved AS (SELECT game_key, sum(abs(differs)) FILTER (account >= 0) AS seats,
                      sum(differs) FILTER (account < 0) AS system
               FROM accounts WHERE differs <> 0 GROUP BY ALL)
SELECT earlier.settlement_key, later.settlement_key, count(*) AS games,
       count(moved.game_key), coalesce(sum(moved.seats), 0), coalesce(sum(moved.system), 0),
       count(*) FILTER (earlier.errors > 0), count(*) FILTER (later.errors > 0)
FROM earlier JOIN later USING (game_key) LEFT JOIN moved USING (game_key)
WHERE earlier.settlement_key <> later.settlement_key
GROUP BY ALL ORDER BY ALL
"""


@dataclass(frozen=True, slots=True)
class Change:
    """Games that were settled by one ruleset and are now by another.

    Attributes:
        ruleset: name@version, now.
        hash: of its settings, now.
        previous: name@version, before.
        previous_hash: of its settings, before.
        games: how many.
        changed: of these, how many pay otherwise.
        moved: by how much, all seats together, each difference counted as positive.
        system: how much more the system gets.
        mismatched_before, mismatched: games with a finding of severity error, but for
            ``format.duplicate``.
    """

    ruleset: str
    hash: str
    previous: str
    previous_hash: str
    games: int
    changed: int
    moved: int
    system: int
    mismatched_before: int
    mismatched: int


@dataclass(frozen=True, slots=True)
class Resettled:
    """What settling again came to.

    Attributes:
        changes: one for each pair of rulesets.
        unchanged: games whose ruleset and version of paipu are what they were.
        unknown: games whose ruleset is not there; they keep their verdict.
        replayed: games whose ``[play]`` differs; they keep their verdict, as only a
            replay could judge them: unload and load their logs.
    """

    changes: tuple[Change, ...]
    unchanged: int
    unknown: int
    replayed: int


class _Task(NamedTuple):
    """A part that is to be settled again.

    Attributes:
        part: as it stands.
        name: of a folder in the staging folder.
        folder: of the warehouse.
        rulebook: the rulesets.
        plays: per settlement key, the hash of the ``[play]`` that facts were made by.
        expected: games of the whole run.
    """

    part: Part
    name: str
    folder: Path
    staging: Path
    rulebook: Rulebook
    plays: Mapping[int, str]
    expected: int


class _Outcome(NamedTuple):
    """What became of a part.

    Attributes:
        rows: of the new verdict by table; empty: nothing is new.
        earlier: of what it replaces, by table; None: of all games of the part.
        used: places of the rulesets by which games were settled.
        counts: games settled, unchanged, unknown, to be replayed.
    """

    rows: dict[str, int]
    earlier: dict[str, int] | None
    used: frozenset[int]
    counts: tuple[int, int, int, int]


def resettle(
    folder: Path,
    rulebook: Rulebook,
    *,
    ways: Ways | None = None,
    on_progress: Tell | None = None,
) -> Resettled:
    """Settles the games of a warehouse by the rulesets that they name, as these are now.

    Guarantees: no log is read; the earlier verdicts stay, in the views ``earlier_*``; all
    or nothing.

    Args:
        folder: of the warehouse.
        rulebook: the rulesets.
        ways: ``jobs`` and ``cluster`` count.
        on_progress: is told now and then how far it is.

    Raises:
        WarehouseError: there is no warehouse.
        BrokenProcessPool: a process died.
    """
    with turn(folder) as mine:
        run = _Run(mine, rulebook, ways or Ways(), on_progress)
        return run.finish()


class _Run:
    """One settling, from the parts to the manifest."""

    def __init__(
        self, mine: Turn, rulebook: Rulebook, ways: Ways, on_progress: Tell | None
    ) -> None:
        self._mine, self._rulebook = mine, rulebook
        self._ways = replace(ways, jobs=ways.jobs or 1)
        self._expected = sum(part.games for part in mine.manifest.parts)
        self._teller = Teller(on_progress, self._expected)
        compiled.expect(self._expected)

    def finish(self) -> Resettled:
        """Settles, lets the new verdicts count, and compares them with the earlier ones."""
        self._mine.staging.mkdir(exist_ok=True)
        tasks = [self._task(nth, p) for nth, p in enumerate(self._mine.manifest.parts) if p.games]
        counts = np.zeros(len(_COUNTED), np.int64)
        used: set[int] = set()
        new: dict[int, Part] = {}  # by the identity of the part as it was
        with closing(call(_settle_part, tasks, self._ways)) as done:
            for task, outcome in zip(tasks, done, strict=True):
                self._teller.add(task.part.games, 0, task.part.folder)
                counts += outcome.counts
                if outcome.rows:
                    used |= outcome.used
                    new[id(task.part)] = self._with_verdict(task, outcome)
        if new:
            self._commit(new, used, int(counts[0]))
        _, unchanged, unknown, replayed = counts.tolist()
        parts = list(new.values())
        changes = _changes(self._mine.folder, self._mine.manifest, parts) if parts else ()
        return Resettled(changes, unchanged, unknown, replayed)

    def _task(self, nth: int, part: Part) -> _Task:
        manifest = self._mine.manifest
        plays = {
            (rules.ruleset, rules.ruleset_hash): rules.play_hash for rules in manifest.rulesets
        }
        return _Task(
            part=part,
            name=f"resettled-{nth}",
            folder=self._mine.folder.resolve(),
            staging=self._mine.staging.resolve(),
            rulebook=self._rulebook,
            plays={
                each.settlement_key: plays[each.ruleset, each.ruleset_hash]
                for each in manifest.settlements
            },
            expected=self._expected,
        )

    def _with_verdict(self, task: _Task, outcome: _Outcome) -> Part:
        """The part with the new verdict; of the one before stays what was replaced."""
        part, staging = task.part, self._mine.staging
        before = part.verdicts
        if outcome.earlier is not None:
            before = (*before[:-1], self._place(part, staging / _earlier(task), outcome.earlier))
        new = self._place(part, staging / task.name, outcome.rows)
        return msgspec.structs.replace(part, verdicts=(*before, new))

    def _place(self, part: Part, layer: Path, rows: Mapping[str, int]) -> Written:
        return place_layer(self._mine.folder, layer, part.folder, rows)

    def _commit(self, new: Mapping[int, Part], used: set[int], games: int) -> None:
        manifest = with_rulesets(self._mine.manifest, self._rulebook, used)
        parts = tuple(new.get(id(part), part) for part in manifest.parts)
        rows = sum(map(rows_of, parts)) - sum(map(rows_of, manifest.parts))
        what = ", ".join(self._rulebook.rulesets[place].at for place in sorted(used))
        after = msgspec.structs.replace(manifest, parts=parts)
        self._mine.commit(after, Entry(now(), "resettle", what, games, rows))


def _earlier(task: _Task) -> str:
    """Name of a folder in the staging folder for the verdicts that are replaced."""
    return f"{task.name}-earlier"


def _settle_part(task: _Task) -> _Outcome:
    """Settles the games of a part, and writes a new verdict where anything is new."""
    compiled.expect(task.expected)
    part = task.part
    games = _read(task, GAMES, part.facts)
    old_keys = _keys_of(_read(task, VERDICTS, part.verdicts[-1]), column(games, "game_key"))
    settling = Settling.by(task.rulebook)
    rules_ix, counts = _rulesets_of(games, old_keys, settling, task)
    settled, unchanged, unknown, replayed = counts
    if not settled:
        return _Outcome({}, None, frozenset(), (0, unchanged, unknown, replayed))
    stays = rules_ix == _STAYS
    filled = _settled(task, games, rules_ix, settling)
    keys = games["game_key"]
    rows = _write(task, task.name, filled, keys.filter(pa.array(stays)))
    changed = keys.filter(pa.array(~stays))
    earlier = _write(task, _earlier(task), (), changed) if stays.any() else None
    used = frozenset(np.unique(rules_ix[~stays]).tolist())
    return _Outcome(rows, earlier, used, (settled, unchanged, unknown, replayed))


def _keys_of(verdicts: Any, games: Int64s) -> Int64s:
    """int64 ``(n,)``: by what each game was settled; verdicts may be in another order."""
    found = column(verdicts, "game_key")
    order = np.argsort(found)
    keys: Int64s = column(verdicts, "settlement_key")[order]
    return keys[np.searchsorted(found, games, sorter=order)]


def _read(task: _Task, table: Table, written: Written) -> Any:
    if table.name not in written.rows:
        return table.schema.empty_table()
    return read_rows([task.folder / path_of(table.name, task.part.folder, written.name)], table)


def _rulesets_of(
    games: Any, old_keys: Int64s, settling: Settling, task: _Task
) -> tuple[npt.NDArray[np.int16], tuple[int, int, int, int]]:
    """The ruleset by which each game is settled, or ``_STAYS``, and how many of each kind."""
    plays = [play_hash(ruleset) for ruleset in task.rulebook.rulesets]
    new_keys = settling.keys.tolist()
    found: list[int] = []
    counts = dict.fromkeys(_COUNTED, 0)
    starts = column(games, "started").tolist()
    for rules, start, old in zip(
        games["rules"].to_pylist(), starts, old_keys.tolist(), strict=True
    ):
        place = _find(task.rulebook, rules, None if start == ABSENT else start)
        kind = "settled"
        if place == _STAYS:
            kind = "unknown"
        elif new_keys[place] == old:
            kind, place = "unchanged", _STAYS
        elif plays[place] != task.plays[old]:
            kind, place = "replayed", _STAYS
        counts[kind] += 1
        found.append(place)
    settled, unchanged, unknown, replayed = counts.values()
    return np.array(found, np.int16), (settled, unchanged, unknown, replayed)


def _find(rulebook: Rulebook, rules: str, start: int | None) -> int:
    try:
        return rulebook.find(rules, start)
    except NoRuleset:
        return _STAYS


def _settled(
    task: _Task, games: Any, rules_ix: npt.NDArray[np.int16], settling: Settling
) -> list[Filled]:
    """The rows of the new verdicts, of every family."""
    part = task.part
    rows = {GAMES.name: games, SEATS.name: _read(task, SEATS, part.facts)}
    errors = _early_errors(_read(task, FINDINGS, part.facts), column(games, "game_key"))
    families = games["family"].to_pylist()
    filled: list[Filled] = []
    for family in dict.fromkeys(families):
        chosen = (np.array(families) == family) & (rules_ix != _STAYS)
        keys = games["game_key"].filter(pa.array(chosen))
        own = {
            t.name: _read(task, t, part.facts) for t in OF_FAMILY[family] if t.layer is Layer.FACTS
        }
        of_family = {name: _of(each, keys) for name, each in {**rows, **own}.items()}
        facts, recorded = DOORS[family].restore(of_family)
        batch = batch_of(of_family, family, recorded, rules_ix[chosen])
        verdict = judge_batch(batch, facts, task.rulebook, FAMILIES)
        out = DOORS[family].outcomes(batch, facts, verdict.settled)
        logs = _logs(of_family[GAMES.name])
        filled += fill_verdict(verdict, out, errors[chosen], settling, logs)
    return filled


def _of(rows: Any, keys: Any) -> Any:
    """The rows of some games, in their order."""
    if len(rows) == len(keys):
        return rows
    return rows.filter(pc.is_in(rows["game_key"], value_set=keys.combine_chunks()))


def _logs(games: Any) -> Logs:
    encoded = games["file_key"].combine_chunks().dictionary_encode()
    return Logs(encoded.dictionary.to_pylist(), encoded.indices.to_numpy(), column(games, "line"))


def _early_errors(findings: Any, keys: Int64s) -> Int64s:
    """int64 ``(n,)``: errors of each game that do not depend on scoring."""
    is_one = pc.and_(pc.equal(findings["severity"], "error"), pc.is_valid(findings["game_key"]))
    is_own = pc.and_(is_one, pc.not_equal(findings["code"], Code.FORMAT_DUPLICATE.text))
    found = column(findings.filter(is_own), "game_key")
    order = np.argsort(keys)
    place = order[np.searchsorted(keys, found, sorter=order)] if len(found) else found
    return np.bincount(place, minlength=len(keys)).astype(np.int64)


def _write(task: _Task, name: str, filled: Sequence[Filled], stays: Any) -> dict[str, int]:
    """Writes a layer: new rows, and the earlier ones of games that stay as they are."""
    layer = task.staging / name
    layer.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    for table in tables_of(Layer.VERDICT, Layer.BOTH):
        new = [each.rows.cast(table.schema) for each in filled if each.table is table]
        old = _read(task, table, task.part.verdicts[-1])
        rows = pa.concat_tables(
            [*new, old.filter(pc.is_in(old["game_key"], value_set=stays.combine_chunks()))]
        )
        if len(rows):
            write_rows(layer / f"{table.name}.parquet", table, rows)
            counts[table.name] = len(rows)
    return counts


def _changes(folder: Path, manifest: Manifest, new: Sequence[Part]) -> tuple[Change, ...]:
    """What differs between the new verdicts of parts and those that they replace."""
    by_key = {each.settlement_key: each for each in manifest.settlements}
    with duckdb.connect(config={**OFFLINE, "memory_limit": MEMORY}) as database:
        for table in (VERDICTS, POSTINGS):
            ages = {
                "old": [(part, part.verdicts[-2]) for part in new],
                "new": [(part, part.verdicts[-1]) for part in new],
            }
            for age, layers in ages.items():
                files = [
                    str(folder / path_of(table.name, part.folder, written.name))
                    for part, written in layers
                    if table.name in written.rows
                ]
                database.execute(view_of(f"{age}_{table.name}", table.columns, files))
        rows = database.execute(_CHANGES).fetchall()
    return tuple(
        Change(
            by_key[now_key].ruleset, by_key[now_key].ruleset_hash,
            by_key[old_key].ruleset, by_key[old_key].ruleset_hash, *numbers,
        )
        for old_key, now_key, *numbers in rows
    )  # fmt: skip
