"""What a study is: a question, named SQL steps, and a frame whose columns are documented."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from analytics.studies.asking import Asked
from analytics.warehouse.tables import Column


class Step(NamedTuple):
    """A named query; later steps read it by its name, as they read tables.

    Attributes:
        name: never that of a table of the warehouse.
        sql: one SELECT.
    """

    name: str
    sql: str


# Columns whose values have an order of their own.
_ORDERED: Final = {"kou": "list_position(['ping', 'dan', 'shuang'], kou)"}

Steps: TypeAlias = Callable[[Asked], Sequence[Step]]
Finish: TypeAlias = Callable[[Any, Asked], Any]


def as_it_is(frame: Any, _: Asked) -> Any:
    """What most studies do with what SQL gave."""
    return frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A question that is asked of a warehouse.

    Attributes:
        name: of the study, ``subject`` or ``subject.part``.
        question: what it answers, one sentence for people.
        rows: what a row of its frame is.
        own: columns that it can be grouped by besides those of games.
        by: columns that it is grouped by where nothing else is asked for.
        always: columns that it is always grouped by, after those that are asked for.
        columns: what its frame has after the columns that it is grouped by.
        steps: the queries; the last one gives the frame, with all these columns by name.
        order: expressions of SQL that order rows within what was asked for; none: ``always``.
        is_whole: whether it looks at all games at once, so that it cannot be grouped.
        finish: frame to frame, for what SQL cannot do; it keeps columns and types.
    """

    name: str
    question: str
    rows: str
    columns: tuple[Column, ...]
    steps: Steps
    own: tuple[Column, ...] = ()
    by: tuple[str, ...] = ()
    always: tuple[Column, ...] = ()
    order: tuple[str, ...] = ()
    is_whole: bool = False
    finish: Finish = as_it_is


def query_of(study: Study, asked: Asked) -> str:
    """The steps of a study as one query.

    Guarantees: columns have their declared types and order; rows are in order.
    """
    steps = list(study.steps(asked))
    chain = ",\n".join(f"{step.name} AS (\n{step.sql.strip()}\n)" for step in steps)
    shown = ", ".join(f"{c.name}::{c.type} AS {c.name}" for c in frame_columns(study, asked))
    names = (*asked.by, *study.order) if study.order else asked.groups
    order = ", ".join(_ORDERED.get(name, name) for name in names)
    ordered = f"\nORDER BY {order}" if order else ""
    return f"WITH RECURSIVE {chain}\nSELECT {shown}\nFROM {steps[-1].name}{ordered}"


def frame_columns(study: Study, asked: Asked) -> tuple[Column, ...]:
    """All columns of a frame, in order."""
    groups = {column.name: column for column in (*asked.of_games, *study.own, *study.always)}
    return (*(groups[name] for name in asked.groups), *study.columns)
