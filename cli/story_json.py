"""A game that is shown, as JSON has it: the same content as its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cli.output import Listing, write_records
from cli.records import record_of

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.shuangkou.formula import Formula
    from analytics.shuangkou.story import Head, Note, OnTable, Sitting, Step, Story
    from analytics.shuangkou.terms import Line
    from analytics.wording import Language


STEPS: Final = Listing(
    "steps",
    (
        "action", "seat", "text", "what", "cards", "meld", "declared", "by_system", "time", "done",
        "table", "cards_left", "xiang", "next", "notes", "findings",
    ),
)  # fmt: skip


def write(
    story: Story, formula: Formula | None, until: int | None, form: str, language: Language
) -> None:
    """Writes the game up to an action, or (None) as a whole with its settlement.

    Args:
        story: of the game.
        formula: its settlement; None where the replay broke.
        until: index of an action.
        form: "json": all of it; "jsonl" or "csv": its steps.
        language: of the sentences of findings.
    """
    shown = story if until is None else story.until(until)
    record = partial(record_of, language=language, terms=story.head.ruleset.terms)
    rest = {
        "held": _held(story, until),
        "settlement": None if formula is None else _formula(formula),
        "findings": [record(finding) for finding in shown.findings],
    }
    steps = (_step(step, record) for step in shown.steps)
    head = {"game": _head(story.head)}
    write_records(steps, STEPS, form, language, head=head, tail=lambda: rest)


def _head(head: Head) -> dict[str, Any]:
    ruleset = head.ruleset
    return {
        "id": head.id,
        "file": head.file,
        "line": head.line,
        "rules": head.rules,
        "ruleset": {"name": ruleset.name, "version": ruleset.version, "hash": ruleset.hash},
        "unit": ruleset.scoring.unit,
        "room": head.room,
        "start": head.start,
        "end": head.end,
        "shown": head.shown,
        "first": head.first,
        "seats": [_sitting(sitting) for sitting in head.sittings],
    }


def _sitting(sitting: Sitting) -> dict[str, Any]:
    return {
        "seat": sitting.seat,
        "player": sitting.player,
        "balance": sitting.balance,
        "team": sitting.team,
        "hand": sitting.hand if sitting.faces is None else _cards(sitting.faces),
    }


def _step(step: Step, record: Callable[[Finding], dict[str, Any]]) -> dict[str, Any]:
    return {
        "action": step.action,
        "seat": step.seat,
        "text": step.text,
        "what": step.what,
        "cards": _cards(step.faces) or None,
        "meld": _meld(step.meld),
        "declared": step.named or None,
        "by_system": step.by_system,
        "time": step.time,
        "done": step.is_done,
        "table": _on_table(step.over),
        "cards_left": step.left,
        "xiang": step.xiang,
        "next": step.turn,
        "notes": [_note(note) for note in step.notes],
        "findings": [record(finding) for finding in step.findings],
    }


def _meld(meld: Any) -> Mapping[str, Any] | None:
    from analytics.shuangkou.reading import meld_json

    return None if meld is None else meld_json(meld)


def _on_table(over: OnTable | None) -> dict[str, Any] | None:
    return None if over is None else {"seat": over.seat, "meld": _meld(over.meld)}


def _note(note: Note) -> dict[str, Any]:
    return {name: value for name, value in note._asdict().items() if value is not None}


def _held(story: Story, until: int | None) -> list[str | None] | None:
    """The hands after an action, where the game is shown up to one."""
    from analytics.shuangkou.story import held_after

    if until is None:
        return None
    return [None if faces is None else _cards(faces) for faces in held_after(story, until)]


def _cards(faces: tuple[int, ...]) -> str:
    from analytics.cards import write_faces

    return write_faces(faces)


def _formula(formula: Formula) -> dict[str, Any]:
    wrong = [{"item": line.item, "seat": line.seat} for line in formula.differing]
    return {
        "unit": formula.unit,
        "first_wrong": wrong[0] if wrong else None,
        "lines": [_line(line) for line in formula.lines],
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "item": line.item,
        "seat": line.seat,
        "clause": line.clause,
        "rows": [used._asdict() for used in line.used],
        "why": [{"key": why.key, **why.values} for why in line.why],
        "expression": line.expression or None,
        "recomputed": line.value,
        "recorded": line.recorded,
        "agrees": line.agrees,
    }
