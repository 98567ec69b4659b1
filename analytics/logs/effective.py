"""What is known of games: their families, and the rulesets that they name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.findings import Code
from analytics.logs.batch import ABSENT
from analytics.logs.flaws import Flaw, shortened
from analytics.rules.rulebook import NoRuleset, Rulebook

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = 2**63 - 1  # later than every moment


class Answer(NamedTuple):
    """What the rulebook says of a name for every start within a span of time.

    Attributes:
        since, until: microseconds, ``since <= start < until``; both ABSENT: this is
            the answer for games without a start.
        rules_ix: the ruleset's place in the rulebook.
        is_given: whether the log has to give the base.
    """

    since: int
    until: int
    rules_ix: int
    is_given: bool


class Effective:
    """Finds rulesets; between two dates of effect the rulebook is asked only once.

    An *epoch* is the time between two dates from which some ruleset is in effect.

    Attributes:
        families: the game words that are known.
        answers: what was asked so far, by name and span.
    """

    def __init__(self, rulebook: Rulebook, families: Collection[str]) -> None:
        self.families = families
        self._rulebook = rulebook
        dates = {rules.effective_from for rules in rulebook.rulesets}
        self._dates = sorted({_micros(date) for date in dates if date is not None})
        self.answers: dict[tuple[str, int], Answer] = {}

    def find(self, name_at: str, start: int | None) -> Answer:
        """The ruleset that a game names.

        Args:
            name_at: ``name`` or ``name@version``.
            start: microseconds since 1970 in UTC; None: not logged.

        Raises:
            Flaw: format.rules: there is no such ruleset, or none at that time.
        """
        return self.in_epoch(name_at, -1 if start is None else bisect_right(self._dates, start))

    def epochs(self, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """int64 ``(n,)``: in which epoch each start is; -1 for one that is ABSENT."""
        epochs = np.searchsorted(np.array(self._dates, np.int64), starts, side="right")
        return np.where(starts == ABSENT, -1, epochs)

    def in_epoch(self, name_at: str, epoch: int) -> Answer:
        """The ruleset that games of an epoch name.

        Args:
            name_at: ``name`` or ``name@version``.
            epoch: how many dates of effect have passed; -1: nobody knows.

        Raises:
            Flaw: format.rules.
        """
        known = self.answers.get((name_at, epoch))
        if known is not None:
            return known
        since, until = self._span(epoch)
        rules_ix = self._ask(name_at, None if epoch < 0 else since)
        is_given = self._rulebook.rulesets[rules_ix].scoring.base == "given"
        answer = Answer(since, until, rules_ix, is_given)
        self.answers[name_at, epoch] = answer
        return answer

    def _ask(self, name_at: str, start: int | None) -> int:
        try:
            return self._rulebook.find(name_at, start)
        except NoRuleset as none:
            recorded = shortened(name_at)
            raise Flaw(Code.FORMAT_RULES, "$.rules", None, recorded, reason=none.reason) from None

    def _span(self, epoch: int) -> tuple[int, int]:
        if epoch < 0:
            return ABSENT, ABSENT
        since = self._dates[epoch - 1] if epoch > 0 else -_LAST
        until = self._dates[epoch] if epoch < len(self._dates) else _LAST
        return since, until


def _micros(date: datetime) -> int:
    return (date - _EPOCH) // timedelta(microseconds=1)
