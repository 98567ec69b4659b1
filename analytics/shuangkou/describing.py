"""From a finding in columns to a ``Finding`` that names its values.

Source: log format, section Findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.cards import write_faces
from analytics.findings import (
    F_ACTION,
    F_CODE,
    F_DETAIL,
    F_GAME,
    F_RECOMPUTED,
    F_RECORDED,
    F_SEAT,
    Code,
    Finding,
)
from analytics.logs.batch import END_NAMES, GameBatch
from analytics.rules import Rulebook
from analytics.rules import row as R
from analytics.shuangkou import deal
from analytics.shuangkou import desk as D
from analytics.shuangkou.facts import Facts
from analytics.shuangkou.melds import KIND_NAMES, Meld
from analytics.shuangkou.reading import meld_json
from analytics.shuangkou.replaying import UNDER_TRUSTEE

_SIZES: Final = {deal.SEATS: "seats", deal.HANDS: "hands", deal.CARDS: "cards"}
_WORDS: Final[Mapping[Code, tuple[str | None, ...]]] = {
    Code.SETTLE_END: END_NAMES,
    Code.SETTLE_KOU: R.KOU_NAMES,
}
_ACTION_IS_RECORDED: Final = frozenset(
    (
        Code.PLAY_SYNTAX, Code.PLAY_AFTER_END, Code.PLAY_PASS, Code.PLAY_HELD, Code.PLAY_MELD,
        Code.PLAY_DECLARED, Code.PLAY_BEAT, Code.AUTO_PASS, Code.AUTO_PLAY, Code.AUTO_TIMEOUT,
    )
)  # fmt: skip


def describe(
    batch: GameBatch, row: npt.NDArray[np.int64], facts: Facts, rulebook: Rulebook
) -> Finding:
    """A finding with its place, its values and what its sentence needs.

    Args:
        batch: the batch that the finding is about.
        row: int64 ``(FINDING_WIDTH,)``.
        facts: what the replay of the batch found.
        rulebook: what ``batch.rules_ix`` refers to.
    """
    code, game = Code(int(row[F_CODE])), int(row[F_GAME])
    recorded, recomputed = _values(code, row, batch)
    return Finding(
        code=code,
        file=batch.file,
        line=int(batch.line[game]),
        game=batch.id[game],
        action=_or_none(row[F_ACTION]),
        seat=_or_none(row[F_SEAT]),
        recorded=recorded,
        recomputed=recomputed,
        params=_params(code, row, batch, facts, rulebook),
        ruleset=rulebook.rulesets[batch.rules_ix[game]].at,
    )


def _or_none(value: np.int64) -> int | None:
    return int(value) if value >= 0 else None


def _unpacked(detail: int) -> dict[str, object] | None:
    """The meld that ``replaying.pack`` packed, as JSON has it; None for a pass."""
    kind, size, top, xiang, groups = (detail >> bits & 255 for bits in range(0, 40, 8))
    return meld_json(Meld(kind, size, top - 1, xiang, groups, 0))


def _values(
    code: Code, row: npt.NDArray[np.int64], batch: GameBatch
) -> tuple[int | str | None, int | str | None]:
    """Recorded and recomputed, as text where the column holds a word or an action."""
    game, recorded, recomputed = int(row[F_GAME]), int(row[F_RECORDED]), int(row[F_RECOMPUTED])
    if code in _WORDS:
        return _WORDS[code][recorded], _WORDS[code][recomputed]
    if code is Code.AUTO_PLAY:
        return _action(batch, row), _smallest(row)
    if code in _ACTION_IS_RECORDED:
        return _action(batch, row), None
    if code in (Code.DEAL_SHOWN, Code.DEAL_PARTNER):
        return batch.shown[game], None
    if code is Code.DEAL_FACE:
        return _bad_text(batch, row), None
    if code is Code.PLAY_UNFINISHED:
        return None, None
    return recorded, None if code is Code.BASE_LEVEL else recomputed


def _smallest(row: npt.NDArray[np.int64]) -> str:
    """The kind of the smallest play, or a pass."""
    return KIND_NAMES[int(row[F_DETAIL]) & 255] or "pass"


def _action(batch: GameBatch, row: npt.NDArray[np.int64]) -> str:
    return batch.actions.strings(int(row[F_GAME]))[int(row[F_ACTION])]


def _bad_text(batch: GameBatch, row: npt.NDArray[np.int64]) -> str | None:
    """The hand, or the shown card, that is no face."""
    game, seat = int(row[F_GAME]), int(row[F_SEAT])
    return batch.shown[game] if seat < 0 else batch.hands.strings(game)[seat]


def _params(
    code: Code,
    row: npt.NDArray[np.int64],
    batch: GameBatch,
    facts: Facts,
    rulebook: Rulebook,
) -> dict[str, Any]:
    """What the sentence of a finding needs besides its values."""
    game, detail = int(row[F_GAME]), int(row[F_DETAIL])
    match code:
        case Code.DEAL_FACE:
            return {"where": "shown" if detail == deal.SHOWN else "hand"}
        case Code.DEAL_SIZE:
            return {"what": _SIZES[detail]}
        case Code.DEAL_COPIES | Code.PLAY_HELD:
            return {"face": write_faces([detail])}
        case Code.DEAL_PARTNER:
            holders = [int(row[F_RECORDED]), int(row[F_RECOMPUTED])]
            return {"face": batch.shown[game], "holders": holders}
        case Code.PLAY_LEAD:
            return {"face": batch.shown[game]}
        case Code.PLAY_MELD:
            return {"rules": rulebook.rulesets[batch.rules_ix[game]].name}
        case Code.PLAY_BEAT:
            return {"table": _unpacked(detail)}
        case Code.AUTO_PLAY:
            return {"smallest": _unpacked(detail)}
        case Code.PLAY_UNFINISHED:
            left = facts.seats[batch.seats_at[game] : batch.seats_at[game + 1], D.S_LEFT]
            return {"cards_left": left.tolist()}
        case Code.AUTO_TIMEOUT:
            return {"reason": "trustee" if detail == UNDER_TRUSTEE else "timeout"}
        case Code.BASE_LEVEL:
            return {"lowest": detail}
        case _:
            return {}
