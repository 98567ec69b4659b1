"""One game as a piece of HTML that stands by itself: a slider goes through its actions.

It needs no network. Where scripts are not run, everything is shown at once. The template
engine escapes all texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from analytics.cards import write_faces
from analytics.findings import Finding
from analytics.shuangkou.formula import Formula
from analytics.shuangkou.story import Sitting, Step, Story
from analytics.shuangkou.terms import Line
from analytics.viewing import phrases
from analytics.viewing.hands import Dealt, dealt_cards
from analytics.viewing.words import PageWords

_RED: Final = "HD"  # hearts and diamonds


class Card(NamedTuple):
    """A card in a hand: ``gone`` is the position of the slider from which on it is played."""

    text: str
    is_red: bool
    gone: int | None


class Hand(NamedTuple):
    """A row of the table of hands; ``logged`` stands where cards cannot be read."""

    seat: int
    player: str
    balance: str
    team: str
    cards: tuple[Card, ...]
    logged: str


class Remark(NamedTuple):
    """A line below an action: what happened, or what is wrong."""

    text: str
    style: str


class Action(NamedTuple):
    """An action with what it led to."""

    number: int
    seat: str
    what: str
    read_as: str
    over: str
    left: tuple[int, ...]
    xiang: tuple[int, ...]
    style: str
    remarks: tuple[Remark, ...]


class Term(NamedTuple):
    """A line of the settlement; ``agrees`` is None where there is nothing to compare."""

    agrees: bool | None
    name: str
    clause: str
    how: str
    recomputed: str
    recorded: str


def game_html(story: Story, formula: Formula | None, words: PageWords) -> str:
    """A game as HTML.

    Guarantees:
        The same game and language give the same text. Nothing is fetched from anywhere.

    Args:
        story: of the game.
        formula: its settlement; None where the replay broke.
        words: of the language.
    """
    return _template().render(
        title=words.said("game", id=story.head.id),
        facts=[
            (words.word(f"column.{k}"), v) for k, v in phrases.facts_of(story.head, words).items()
        ],
        hands=list(_hands(story, words)),
        has_teams=any(sitting.team is not None for sitting in story.head.sittings),
        actions=[_action(step, words) for step in story.steps],
        is_unjudged=phrases.is_unjudged(story.steps),
        terms=[_term(line, words) for line in (formula.lines if formula else ())],
        findings=[(f.code.text, _style(f), phrases.finding_text(f, words)) for f in story.findings],
        verdict=phrases.verdict_text(story, formula, words),
        is_right=not any(map(phrases.is_error, story.findings)),
        begin=_begin(story),
        word=words.word,
        said=words.said,
    )


@cache
def _template() -> Template:
    loader = PackageLoader("analytics.viewing", ".")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("game.html")


def _begin(story: Story) -> int:
    """Where the slider stands first: at the first action that is wrong, else at the deal."""
    wrong = (step.action + 1 for step in story.steps if any(map(phrases.is_error, step.findings)))
    return next(wrong, 0)


def _hands(story: Story, words: PageWords) -> Iterator[Hand]:
    for sitting, cards in zip(story.head.sittings, dealt_cards(story), strict=True):
        yield _hand(sitting, cards, words)


def _hand(sitting: Sitting, cards: Sequence[Dealt] | None, words: PageWords) -> Hand:
    return Hand(
        seat=sitting.seat,
        player=words.value(sitting.player),
        balance=words.value(sitting.balance),
        team="" if sitting.team is None else f"{sitting.team}+{sitting.team + 2}",
        cards=tuple(_card(card, words) for card in cards or ()),
        logged=words.value(sitting.hand) if cards is None else "",
    )


def _card(card: Dealt, words: PageWords) -> Card:
    gone = None if card.gone is None else card.gone + 1
    return Card(words.cards([card.face]), write_faces([card.face])[1] in _RED, gone)


def _action(step: Step, words: PageWords) -> Action:
    is_wrong = any(map(phrases.is_error, step.findings))
    return Action(
        number=step.action,
        seat="" if step.seat is None else str(step.seat),
        what=phrases.action_text(step, words),
        read_as="" if step.meld is None else words.read_as(step.meld),
        over=phrases.over_text(step, words),
        left=step.left or (),
        xiang=step.xiang or (),
        style="bad" if is_wrong else "" if step.is_done else "faint",
        remarks=tuple(_remarks(step, words, is_wrong=is_wrong)),
    )


def _remarks(step: Step, words: PageWords, *, is_wrong: bool) -> Iterator[Remark]:
    for note in step.notes:
        yield Remark(phrases.note_text(note, words), "faint")
    for finding in step.findings:
        text = f"{finding.code.text}: {phrases.finding_text(finding, words)}"
        yield Remark(text, _style(finding))
    if is_wrong:
        yield Remark(words.said("stops", action=step.action), "bad")


def _term(line: Line, words: PageWords) -> Term:
    return Term(
        agrees=line.agrees,
        name=phrases.term_text(line, words),
        clause=line.clause,
        how=phrases.how_text(line, words),
        recomputed=phrases.value_text(line, line.value, words),
        recorded=phrases.recorded_text(line, words),
    )


def _style(finding: Finding) -> str:
    return "bad" if phrases.is_error(finding) else "odd"
