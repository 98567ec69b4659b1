"""Which ruleset a game names, asked of the rulebook once per name and epoch."""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

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

    Attributes:
        answers: what was asked so far, by name and span.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        dates = {rules.effective_from for rules in rulebook.rulesets}
        self._epochs = sorted({_micros(date) for date in dates if date is not None})
        self.answers: dict[tuple[str, int], Answer] = {}

    def find(self, name_at: str, start: int | None) -> Answer:
        """The ruleset that a game names.

        Args:
            name_at: ``name`` or ``name@version``.
            start: microseconds since 1970 in UTC; None: not logged.

        Raises:
            Flaw: format.rules: there is no such ruleset, or none at that time.
        """
        epoch = -1 if start is None else bisect_right(self._epochs, start)
        known = self.answers.get((name_at, epoch))
        if known is not None:
            return known
        answer = self._ask(name_at, start, epoch)
        self.answers[name_at, epoch] = answer
        return answer

    def _ask(self, name_at: str, start: int | None, epoch: int) -> Answer:
        try:
            rules_ix = self._rulebook.find(name_at, start)
        except NoRuleset as none:
            recorded = shortened(name_at)
            raise Flaw(
                Code.FORMAT_RULES, "$.rules", None, recorded, reason=none.reason
            ) from None
        is_given = self._rulebook.rulesets[rules_ix].scoring.base == "given"
        return Answer(*self._span(epoch), rules_ix, is_given)

    def _span(self, epoch: int) -> tuple[int, int]:
        if epoch < 0:
            return ABSENT, ABSENT
        since = self._epochs[epoch - 1] if epoch > 0 else -_LAST
        until = self._epochs[epoch] if epoch < len(self._epochs) else _LAST
        return since, until


def _micros(date: datetime) -> int:
    return (date - _EPOCH) // timedelta(microseconds=1)
