"""A game that is shown, as text: deal, plays, settlement, findings, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from analytics.shuangkou.story import held_after
from analytics.viewing import phrases
from analytics.viewing.phrases import is_error
from analytics.viewing.words import PageWords
from cli.layout import Column, Span, Spans, Table, lines_of
from cli.tables import cell

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.shuangkou.formula import Formula
    from analytics.shuangkou.story import Sitting, Step, Story
    from analytics.shuangkou.terms import Line

_HEAD: Final = "bold"
_GOOD: Final = "green"
_BAD: Final = "bold red"
_ODD: Final = "yellow"
_FAINT: Final = "dim"
_EMPTY: Final[Spans] = (Span(""),)


class Page:
    """One game as lines of text.

    Args:
        story: of the game.
        formula: its settlement; None where the replay broke.
        words: of the language.
        width: columns of the page.
    """

    def __init__(self, story: Story, formula: Formula | None, words: PageWords, width: int) -> None:
        self._story = story
        self._formula = formula
        self._words = words
        self._width = width

    def whole(self) -> Iterator[Spans]:
        """The game from the deal to the verdict."""
        yield from self._deal()
        yield from self._plays(self._story)
        if self._formula is not None:
            yield from self._settlement(self._formula)
        yield from self._findings(self._story)
        yield _EMPTY
        yield from self._verdict()

    def until(self, action: int) -> Iterator[Spans]:
        """The game up to an action, and the hands then."""
        shown = self._story.until(action)
        yield from self._deal()
        yield from self._plays(shown)
        yield from self._held(action)
        yield from self._findings(shown)
        yield _EMPTY
        counts = {"shown": len(shown.findings), "count": len(self._story.findings)}
        last = len(self._story.steps) - 1
        yield (Span(self._words.said("partly", action=action, last=last, **counts), _FAINT),)

    def _title(self, name: str, **values: object) -> Iterator[Spans]:
        yield _EMPTY
        yield (Span(self._words.said(name, **values), _HEAD),)

    def _table(self, columns: Sequence[Column], rows: Sequence[Spans | Span]) -> Iterator[Spans]:
        return lines_of(Table(columns, rows), self._width)

    # The deal

    def _deal(self) -> Iterator[Spans]:
        is_bad = any(map(is_error, self._story.findings))
        mark = self._mark(is_good=not is_bad)
        title = self._words.said("game", id=self._story.head.id)
        yield (mark, Span(f" {title}", _HEAD))
        yield from self._facts()
        yield from self._title("deal")
        four = any(sitting.team is not None for sitting in self._story.head.sittings)
        names = ("seat", "player", "balance", *(("team",) if four else ()), "hand")
        columns = [
            Column(self._words.word(f"column.{name}"), name == "balance", name == "hand")
            for name in names
        ]
        rows = [self._sitting(sitting) for sitting in self._story.head.sittings]
        yield from self._table(columns, rows)

    def _facts(self) -> Iterator[Spans]:
        words = self._words
        columns = (Column(""), Column("", wraps=True))
        rows = [
            (Span(words.word(f"column.{name}"), _FAINT), Span(text))
            for name, text in phrases.facts_of(self._story.head, words).items()
        ]
        yield from list(self._table(columns, rows))[1:]  # no headings

    def _sitting(self, sitting: Sitting) -> Spans:
        words = self._words
        hand = cell(sitting.hand) if sitting.faces is None else words.cards(sitting.faces)
        team = () if sitting.team is None else (Span(f"{sitting.team}+{sitting.team + 2}"),)
        balance = Span(words.value(sitting.balance))
        return (Span(str(sitting.seat)), Span(cell(sitting.player)), balance, *team, Span(hand))

    # The plays

    def _plays(self, story: Story) -> Iterator[Spans]:
        yield from self._title("plays")
        if not story.steps:
            return
        has_times = story.steps[0].time is not None
        rows = [row for step in story.steps for row in self._step_rows(step, has_times=has_times)]
        yield from self._table(self._play_columns(has_times=has_times), [*self._broken(), *rows])
        if any(step.by_system or step.named for step in story.steps):
            yield (Span("  "), Span(self._words.said("legend"), _FAINT))

    def _play_columns(self, *, has_times: bool) -> list[Column]:
        said, word = self._words.said, self._words.word
        return [
            Column(said("column.number"), is_right=True),
            *([Column(said("column.ms"), is_right=True)] if has_times else []),
            Column(word("column.seat")),
            Column(word("column.cards"), wraps=True),
            Column(said("column.read_as"), wraps=True),
            Column(said("column.over"), wraps=True),
            Column(said("column.left")),
            Column(word("column.xiang")),
            Column(said("column.next")),
        ]

    def _broken(self) -> Iterator[Span]:
        """Said before the plays, where no action was judged."""
        if phrases.is_unjudged(self._story.steps):
            yield Span(self._words.said("not_replayed"), _BAD)

    def _step_rows(self, step: Step, *, has_times: bool) -> Iterator[Spans | Span]:
        is_wrong = any(map(is_error, step.findings))
        style = _BAD if is_wrong else "" if step.is_done else _FAINT
        yield tuple(Span(text, style) for text in self._step_cells(step, has_times=has_times))
        for note in step.notes:
            margin = "" if note.what == "round_end" else "    "
            yield Span(f"{margin}{phrases.note_text(note, self._words)}", _FAINT)
        for finding in step.findings:
            yield Span(f"    {self._finding(finding)}", _BAD if is_error(finding) else _ODD)
        if is_wrong:
            yield Span(f"    {self._words.said('stops', action=step.action)}", _BAD)

    def _step_cells(self, step: Step, *, has_times: bool) -> Iterator[str]:
        words = self._words
        yield str(step.action)
        if has_times:
            yield "" if step.time is None else words.value(step.time)
        yield "" if step.seat is None else str(step.seat)
        yield phrases.action_text(step, words)
        yield "" if step.meld is None else words.read_as(step.meld)
        yield phrases.over_text(step, words)
        yield _per_seat(step.left, digits=2)
        yield _per_seat(step.xiang, digits=1)
        yield "" if step.turn is None else str(step.turn)

    def _held(self, action: int) -> Iterator[Spans]:
        yield from self._title("held", action=action)
        words = self._words
        names = (("seat", False), ("cards", False))
        columns = [Column(words.word(f"column.{name}"), wraps=name == "cards") for name, _ in names]
        hands = held_after(self._story, action)
        rows: list[Spans] = []
        for seat, faces in enumerate(hands):
            text = cell(None) if faces is None else words.cards(faces)
            count = "" if faces is None else words.said("cards", count=len(faces))
            rows.append((Span(str(seat)), Span(count), Span(text)))
        columns.insert(1, Column(words.said("column.left"), is_right=True))
        yield from self._table(columns, rows)

    # The settlement

    def _settlement(self, formula: Formula) -> Iterator[Spans]:
        yield from self._title("settlement")
        words = self._words
        columns = [
            Column(""),
            Column(words.said("column.term"), wraps=True),
            Column(words.said("column.clause")),
            Column(words.said("column.how"), wraps=True),
            Column(words.word("column.recomputed"), is_right=True),
            Column(words.word("column.recorded"), is_right=True),
        ]
        yield from self._table(columns, [self._line(line) for line in formula.lines])

    def _line(self, line: Line) -> Spans:
        style = _BAD if line.agrees is False else ""
        return (
            Span("") if line.agrees is None else self._mark(is_good=line.agrees),
            Span(phrases.term_text(line, self._words), style),
            Span(line.clause, _FAINT),
            Span(phrases.how_text(line, self._words)),
            Span(phrases.value_text(line, line.value, self._words), style),
            Span(phrases.recorded_text(line, self._words), style),
        )

    def _mark(self, *, is_good: bool) -> Span:
        sign, style = ("✓", _GOOD) if is_good else ("✗", _BAD)
        return Span(self._words.plain(sign), style)

    # What it comes to

    def _findings(self, story: Story) -> Iterator[Spans]:
        if not story.findings:
            return
        yield from self._title("findings")
        rows = [
            (
                Span(self._words.word(f"severity.{finding.severity.value}")),
                Span("" if finding.action is None else f"#{finding.action}"),
                Span(finding.code.text, _BAD if is_error(finding) else _ODD),
                Span(phrases.finding_text(finding, self._words)),
            )
            for finding in story.findings
        ]
        names = ("severity", "action", "code", "message")
        columns = [Column(self._words.word(f"column.{n}"), wraps=n == "message") for n in names]
        yield from self._table(columns, rows)

    def _finding(self, finding: Finding) -> str:
        return f"{finding.code.text}: {phrases.finding_text(finding, self._words)}"

    def _verdict(self) -> Iterator[Spans]:
        errors = sum(map(is_error, self._story.findings))
        mark = self._mark(is_good=not errors)
        text = phrases.verdict_text(self._story, self._formula, self._words)
        yield (mark, Span(f" {text}", _BAD if errors else _GOOD))


def _per_seat(values: Sequence[int] | None, digits: int) -> str:
    return "" if values is None else " ".join(f"{value:{digits}}" for value in values)
