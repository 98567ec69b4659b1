"""Single games as records, out of a batch and into one; for people and tests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import msgspec

from analytics.logs.batch import ABSENT, END_NAMES, LABELS, GameBatch
from analytics.logs.checking import FAMILIES, KOUS, check
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.extras import unknown_part
from analytics.logs.model import Game, Result, Seat
from analytics.logs.moments import moment_text
from analytics.rules.rulebook import Rulebook

__all__ = ["Game", "Result", "Seat", "batch_of", "game"]

_SINGLE: Final = ("winner", "doubling")
_PER_SEAT: Final = ("places", "xiang", "contribution", "delta", "fee", "balance")


def game(batch: GameBatch, i: int) -> Game:
    """Game ``i`` of a batch as a record.

    Guarantees:
        ``batch_of([game(batch, i)], rulebook)`` has the same columns and ``content``.

    Raises:
        IndexError: the batch has no such game.
    """
    if not 0 <= i < len(batch):
        raise IndexError(f"game {i} of {len(batch)}")
    first, after = int(batch.seats_at[i]), int(batch.seats_at[i + 1])
    labels = {name: column[i] for name, column in batch.labels.items()}
    return Game(
        v=1,
        game=batch.family,
        id=batch.id[i],
        rules=batch.rules[i],
        start=_moment(batch.start[i], batch.start_zone[i]),
        end=_moment(batch.end[i], batch.end_zone[i]),
        seats=tuple([Seat(batch.player[k], int(batch.balance[k])) for k in range(first, after)]),
        shown=batch.shown[i],
        first=int(batch.first[i]),
        base=_present(batch.base[i]),
        hands=tuple(batch.hands.strings(i)),
        actions=tuple(batch.actions.strings(i)),
        times=_times(batch, i),
        result=_result(batch, i),
        **{name: labels.get(name) for name in LABELS},
    )


def batch_of(
    games: Iterable[Game | Mapping[str, Any]],
    rulebook: Rulebook,
    *,
    families: Collection[str] = FAMILIES,
    keep_extra: bool = False,
) -> GameBatch:
    """A batch of these games, checked as lines of a log are.

    Args:
        games: records, or dicts as JSON has them; all of one family.
        rulebook: finds the rulesets that they name.
        families: the game words that are known.
        keep_extra: whether fields that the format does not know go to ``extra``.

    Raises:
        ValueError: the first thing that is wrong with the first game that is wrong.
    """
    effective = Effective(rulebook, families)
    listed = list(games)
    columns = Columns(max(1, len(listed)), keep_extra=keep_extra)
    for line, each in enumerate(listed, 1):
        fields: Any = each if isinstance(each, Mapping) else msgspec.to_builtins(each)
        checked = check(fields, effective)
        if not columns.takes(checked.game.game):
            raise ValueError(f"game {line}: {checked.game.game} after {columns.family}")
        columns.append(checked, line, line - 1, _extra(fields, keep_extra=keep_extra))
    columns.family = columns.family or next(iter(families))  # no game: any will do
    return columns.batch(file="-", path=0)


def _extra(fields: Mapping[str, Any], *, keep_extra: bool) -> bytes | None:
    if not keep_extra:
        return None
    unknown = unknown_part(fields)
    return msgspec.json.encode(unknown) if unknown else None


def _present(value: Any) -> int | None:
    return None if value == ABSENT else int(value)


def _moment(micros: Any, zone: Any) -> str | None:
    return None if micros == ABSENT else moment_text(int(micros), int(zone))


def _times(batch: GameBatch, i: int) -> tuple[int, ...] | None:
    times = batch.times[batch.times_at[i] : batch.times_at[i + 1]]
    return tuple(times.tolist()) if len(times) else None


def _result(batch: GameBatch, i: int) -> Result | None:
    recorded = batch.recorded
    seats = slice(batch.seats_at[i], batch.seats_at[i + 1])
    kou = int(recorded.kou[i])
    parts: dict[str, Any] = {name: _present(getattr(recorded, name)[i]) for name in _SINGLE}
    for name in _PER_SEAT:
        values = getattr(recorded, name)[seats]
        parts[name] = None if values[0] == ABSENT else tuple(values.tolist())
    parts["end"] = END_NAMES[recorded.end[i]]
    parts["kou"] = None if kou < 0 else KOUS[kou]
    return None if all(part is None for part in parts.values()) else Result(**parts)
