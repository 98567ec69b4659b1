"""When each card that was dealt leaves the hand: what a viewer with a slider needs."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from analytics.shuangkou.story import Sitting, Step, Story


class Dealt(NamedTuple):
    """A card that was dealt.

    Attributes:
        face: 0 to 53.
        gone: the action that plays it; None: it is never played, as far as the replay went.
    """

    face: int
    gone: int | None


def dealt_cards(story: Story) -> tuple[tuple[Dealt, ...] | None, ...]:
    """The cards of each seat, sorted by rank; None for a hand that has none.

    Of two equal cards the first one is played first. Source: rules clause 2.
    """
    return tuple(_of_seat(sitting, story.steps) for sitting in story.head.sittings)


def _of_seat(sitting: Sitting, steps: tuple[Step, ...]) -> tuple[Dealt, ...] | None:
    if sitting.faces is None:
        return None
    played: dict[int, deque[int]] = {}
    for step in steps:
        if step.is_done and step.meld is not None and step.seat == sitting.seat:
            for face in step.faces:
                played.setdefault(face, deque()).append(step.action)
    return tuple(
        Dealt(face, played[face].popleft() if played.get(face) else None) for face in sitting.faces
    )
