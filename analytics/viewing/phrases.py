"""What a page says of a game that is told: its actions, its settlement, its verdict.

Lines of text on a terminal and pages in HTML say the same; how it is laid out is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from analytics.findings import Finding, Severity
from analytics.shuangkou.formula import Formula
from analytics.shuangkou.story import Head, Note, Step, Story
from analytics.shuangkou.terms import Line
from analytics.viewing.words import PageWords
from analytics.wording import sentence
from analytics.wording.values import cell

_AMOUNTS: Final = frozenset(
    ("base", "contribution", "delta", "fee", "balance", "system")
)  # of these the difference is told


def is_error(finding: Finding) -> bool:
    """Whether a finding makes the game count as wrong."""
    return finding.severity is Severity.ERROR


def facts_of(head: Head, words: PageWords) -> dict[str, str]:
    """What is known of a game before its first action, by the name of a column."""
    ruleset = head.ruleset
    rules = {"name": ruleset.at, "hash": ruleset.hash, "unit": ruleset.scoring.unit}
    card = "-" if head.shown is None else words.card(head.shown)
    texts = {
        "rules": words.said("ruleset", **rules),
        "file": f"{cell(head.file)}:{head.line}",
        "room": head.room,
        "start": head.start,
        "shown": words.said("leads", card=card, seat=head.first),
    }
    return {name: cell(text) for name, text in texts.items() if text}


def action_text(step: Step, words: PageWords) -> str:
    """Cards, or what was done instead; as logged where it cannot be read."""
    star = "*" if step.by_system else ""
    if step.what is None:
        return cell(step.text)
    if step.what == "play":
        return words.cards(step.faces) + (f"={step.named}" if step.named else "") + star
    if step.what == "pass":
        return words.word("action.pass") + star
    return words.word(f"event.{step.what}")


def over_text(step: Step, words: PageWords) -> str:
    """What lay on the table, and of which seat; "" where nothing did."""
    over = step.over if step.what in ("play", "pass") else None
    return "" if over is None else f"{words.read_as(over.meld)} ({over.seat})"


def note_text(note: Note, words: PageWords) -> str:
    """What happened with an action."""
    if note.word is not None:
        return words.said(f"note.{note.what}", word=words.word(f"end.{note.word}"))
    key = "out_place" if note.what == "out" and note.number is not None else note.what
    return words.said(f"note.{key}", seat=note.seat, number=note.number)


def finding_text(finding: Finding, words: PageWords) -> str:
    """The sentence of a finding."""
    return words.plain(sentence(finding, words.words.language, words.words.terms))


def is_unjudged(steps: Sequence[Step]) -> bool:
    """Whether no action was judged, since the deal or the lead is wrong already."""
    return bool(steps) and not steps[0].is_done and not steps[0].findings


# The settlement


def term_text(line: Line, words: PageWords) -> str:
    """The name of a term, with its letter, and its seat."""
    is_lettered = line.item != "kou" or line.used  # four seats have no a
    name = words.word(f"show.item.{line.item}" if is_lettered else "column.kou")
    return name if line.seat is None else words.said("of_seat", term=name, seat=line.seat)


def how_text(line: Line, words: PageWords) -> str:
    """How a term comes about: the law, the numbers, the reasons, the rows of tables."""
    law = " = ".join(words.why(why) for why in line.why if why.key.startswith("law"))
    reasons = "; ".join(words.why(why) for why in line.why if not why.key.startswith("law"))
    rows = ", ".join(words.used(used) for used in line.used)
    is_plain = line.expression == words.value(line.value) and reasons  # says nothing
    formula = " = ".join(filter(None, (law, "" if is_plain else words.plain(line.expression))))
    text = ": ".join(filter(None, (formula, reasons)))
    return " ".join(filter(None, (text, f"[{rows}]" if rows else "")))


def value_text(line: Line, value: int | str | None, words: PageWords) -> str:
    """A value of a term."""
    if value is None:
        return "-"
    if line.item in ("end", "kou"):
        return words.word(f"{line.item}.{value}")
    if line.item == "winner":
        return words.word("account.seat").format(seat=int(value))
    return words.value(value)


def recorded_text(line: Line, words: PageWords) -> str:
    """What was recorded of a term, with how much more it is; "" for nothing."""
    if line.recorded is None:
        return ""
    text = value_text(line, line.recorded, words)
    if line.agrees is not False or line.item not in _AMOUNTS:
        return text
    more = int(line.recorded) - int(line.value or 0)
    return f"{text} ({'+' if more > 0 else ''}{words.value(more)})"


# What it comes to


def verdict_text(story: Story, formula: Formula | None, words: PageWords) -> str:
    """One sentence: whether the game is right, and if not, what is wrong first."""
    errors = sum(map(is_error, story.findings))
    if not errors:
        lines = formula.lines if formula else ()
        is_recorded = any(line.agrees for line in lines if line.item != "base")
        return words.said("right" if is_recorded else "nothing")
    if formula is None:
        return words.said("broken", count=errors)
    if not formula.differing:
        return words.said("unpayable", count=errors)
    first = formula.differing[0]
    return words.said(
        "wrong",
        count=errors,
        term=term_text(first, words),
        recorded=value_text(first, first.recorded, words),
        recomputed=value_text(first, first.value, words),
    )
