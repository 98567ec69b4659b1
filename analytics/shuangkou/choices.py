"""Judging choices: what the system played or passed, and what a player declined.

Replay does not need to know whether a hand could have done otherwise, so it only notes
the turns in question; they are judged here, afterwards. That keeps the search through a
hand out of the replay, which a compiler would else work through at every level of it.
Source: rules clause 5.1.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import RANKS
from analytics.compiled import Ints, kernel
from analytics.findings import Code
from analytics.shuangkou import desk as D
from analytics.shuangkou.desk import Logs, Sheets
from analytics.shuangkou.melds import NO_KIND
from analytics.shuangkou.sheets import add_finding, meld_at, pack
from analytics.shuangkou.trustee import is_smallest, smallest_play

_AUTO_PASS: Final = int(Code.AUTO_PASS)
_AUTO_PLAY: Final = int(Code.AUTO_PLAY)


@kernel
def judge_choices(logs: Logs, desk: Ints, sheets: Sheets) -> None:
    """Judges every choice that the replay noted, and forgets them (entry kernel)."""
    scratch = desk[D.SCRATCH : D.CHARS]
    for choice in range(desk[D.CHOICES_WRITTEN]):
        at = choice * D.CHOICE_WIDTH
        noted = sheets.choices[at : at + D.CHOICE_WIDTH]
        row = logs.rules[logs.rules_ix[noted[D.C_GAME]]]
        hand = noted[D.C_HAND : D.C_HAND + RANKS]
        over, played = meld_at(noted, D.C_OVER), meld_at(noted, D.C_PLAYED)
        smallest = smallest_play(hand, over, played, row, scratch)
        if played.kind == NO_KIND:
            if smallest.kind != NO_KIND:
                _judge_pass(noted, logs, desk, sheets)
        elif not is_smallest(played, smallest):
            _note(noted, _AUTO_PLAY, pack(smallest), desk, sheets.findings)
    desk[D.CHOICES_WRITTEN] = 0


@kernel
def _judge_pass(noted: Ints, logs: Logs, desk: Ints, sheets: Sheets) -> None:
    """Something beats: the system may not pass, a player declines to."""
    if noted[D.C_STARRED] != 0:
        _note(noted, _AUTO_PASS, 0, desk, sheets.findings)
    else:
        seat = logs.seats_at[noted[D.C_GAME]] + noted[D.C_SEAT]
        sheets.seats[seat][D.S_DECLINED] += 1


@kernel
def _note(noted: Ints, code: int, detail: int, desk: Ints, findings: Ints) -> None:
    """Writes down a finding on the action that was noted."""
    game, action, seat = noted[D.C_GAME], noted[D.C_ACTION], noted[D.C_SEAT]
    add_finding(desk, findings, game, code, action, seat, seat, 0, detail)
