"""What somebody asks in a notebook: logs verified, stored, and single games that show themselves.

Each function takes paths as the command line does, and shows how far it is while it
works, if it runs in a notebook.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from analytics.collect import MAX_FINDINGS, Collector
from analytics.findings import Finding
from analytics.jobs import Ways, verify_logs
from analytics.logs import GameBatch, Source, find_sources, read
from analytics.progress_bar import bar
from analytics.reconcile import Summary
from analytics.rules import Rulebook, load_rulesets
from analytics.viewing.game_view import GameView, view_game
from analytics.warehouse.loading import Loaded, load
from analytics.wording import Language, default_language, sentence

if TYPE_CHECKING:
    import pandas as pd

Logs: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"

# The columns of ``Audit.findings``: text, or whole numbers that may be missing.
FINDING_TYPES: Final[Mapping[str, str]] = {
    "file": "str", "line": "Int64", "game": "str", "action": "Int64", "seat": "Int64",
    "code": "str", "severity": "str", "recorded": "str", "recomputed": "str",
    "difference": "Int64", "message": "str",
}  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """What the verification of logs came to.

    Attributes:
        summary: counts, exact.
        findings: a row a finding, in order of file, line, action, seat and code, with the
            columns of ``FINDING_TYPES``. ``difference`` is how much more was recorded than
            the rules give; missing where that is no amount. Of each code and ruleset at
            most so many are there as were asked for.
    """

    summary: Summary
    findings: pd.DataFrame

    def __repr__(self) -> str:
        names = ("games", "verified", "mismatched", "unreadable", "duplicates")
        return ", ".join(f"{name} {getattr(self.summary, name):,}" for name in names)

    @property
    def by_code(self) -> pd.Series:
        """How many findings there are of each code, exactly."""
        import pandas as pd

        counts = dict(self.summary.by_code)
        return pd.Series(counts, dtype="int64", name="findings").rename_axis("code")


def audit(
    logs: Logs,
    rulebook: Rulebook | None = None,
    *,
    most: int = MAX_FINDINGS,
    ways: Ways | None = None,
    language: Language | None = None,
) -> Audit:
    """Verifies logs, as ``paipu verify`` does.

    Args:
        logs: a file, a folder, a glob, or several of them.
        rulebook: the rulesets that games may name; None: the presets.
        most: findings of a code and ruleset that are kept.
        ways: how; by default in this process.
        language: of the sentences; None: that of the locale.

    Raises:
        SourceError: a log means nothing, or cannot be opened.
    """
    rulebook = rulebook or load_rulesets()
    with Collector(rulebook, most) as collector, bar() as tell:
        reconciler = verify_logs(_sources(logs), collector, ways=ways, on_progress=tell)
        summary = reconciler.finish()
        findings = list(reconciler.findings())
    return Audit(summary, _frame(findings, rulebook, language or default_language()))


def load_logs(
    logs: Logs,
    folder: str | os.PathLike[str],
    rulebook: Rulebook | None = None,
    *,
    ways: Ways | None = None,
) -> Loaded:
    """Verifies logs and stores them in a warehouse, as ``paipu load`` does.

    Args:
        logs: a file, a folder, a glob, or several of them.
        folder: of the warehouse, which is made if there is none.
        rulebook: the rulesets that games may name; None: the presets.
        ways: how; by default in this process.

    Raises:
        SourceError: a log means nothing, or cannot be opened.
        WarehouseError: the warehouse cannot be written.
    """
    with bar() as tell:
        return load(
            _sources(logs), Path(folder), rulebook or load_rulesets(), ways=ways, on_progress=tell
        )


def show_game(
    logs: Logs, id: str, rulebook: Rulebook | None = None, *, language: Language | None = None
) -> GameView:
    """The first game with an id, as a view that displays itself.

    Args:
        logs: a file, a folder, a glob, or several of them; reading stops at the game.
        id: of the game.
        rulebook: the rulesets that games may name; None: the presets.
        language: of its texts; None: that of the locale.

    Raises:
        LookupError: no game has the id; says which ids are near.
        SourceError: a log means nothing, or cannot be opened.
    """
    rulebook = rulebook or load_rulesets()
    ids: list[str] = []
    for batch in _batches(logs, rulebook):
        if id in batch.id:
            return view_game(batch, list(batch.id).index(id), rulebook, language=language)
        ids += batch.id[: _COMPARED - len(ids)]
    near = " or ".join(get_close_matches(id, ids))
    hint = f"; is {near} meant?" if near else "."
    raise LookupError(f"there is no game {id!r}{hint}")


_COMPARED: Final = 5_000  # ids that are compared for a suggestion: more would take seconds


def _batches(logs: Logs, rulebook: Rulebook) -> Iterator[GameBatch]:
    for source in _sources(logs):
        for item in read(source, rulebook):
            if isinstance(item, GameBatch):
                yield item


def _sources(logs: Logs) -> list[Source]:
    paths = [logs] if isinstance(logs, str | os.PathLike) else logs
    return find_sources([os.fspath(path) for path in paths])


def _frame(findings: Iterable[Finding], rulebook: Rulebook, language: Language) -> pd.DataFrame:
    import pandas as pd

    terms = {ruleset.at: ruleset.terms for ruleset in rulebook.rulesets}
    rows = [
        {
            "file": each.file,
            "line": each.line,
            "game": each.game,
            "action": each.action,
            "seat": each.seat,
            "code": each.code.text,
            "severity": each.severity.value,
            "recorded": _text(each.recorded),
            "recomputed": _text(each.recomputed),
            "difference": _difference(each),
            "message": sentence(each, language, terms.get(each.ruleset or "", {})),
        }
        for each in findings
    ]
    return pd.DataFrame(rows, columns=list(FINDING_TYPES)).astype(dict(FINDING_TYPES))


def _text(value: int | str | None) -> str | None:
    return None if value is None else str(value)


def _difference(finding: Finding) -> int | None:
    recorded, recomputed = finding.recorded, finding.recomputed
    if isinstance(recorded, int) and isinstance(recomputed, int):
        return recorded - recomputed
    return None
