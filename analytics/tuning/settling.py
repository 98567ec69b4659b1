"""Groups settled by a table: each as one game, by the settlement of the game itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.rules import Ruleset, row_of
from analytics.shuangkou import settlement as S
from analytics.shuangkou.facts import Settled
from analytics.tuning.errors import NeedsReplay, NotFromGroups
from analytics.tuning.groups import Groups, thresholds_of

Int64s = npt.NDArray[np.int64]

_CHUNK: Final = 20_000  # groups that are settled at once: some 30 MB of facts


def settle_groups(groups: Groups, ruleset: Ruleset) -> Settled:
    """What a game of each group is worth under a table.

    Returns:
        A row a group, and a row a seat of it, in the order of ``Groups.sat``.

    Raises:
        CannotTune: groups cannot tell what it pays; see ``check``.
    """
    check(groups, ruleset)
    return settle_rows(groups, row_of(ruleset))


def check(groups: Groups, ruleset: Ruleset) -> None:
    """Refuses a table of which groups cannot tell what it pays.

    Raises:
        NeedsReplay: its ``[play]`` is another one.
        NotFromGroups: it caps at balances, or groups were made without something it needs.
    """
    check_rules(groups, ruleset)
    missing = [each for each in thresholds_of(ruleset) if each not in groups.thresholds]
    if missing:
        raise NotFromGroups(
            f"{ruleset.at} has a level from {missing[0]:,} on, which the games were not grouped by."
        )
    if ruleset.scoring.base == "given" and not groups.with_given:
        raise NotFromGroups(f"{ruleset.at} takes the recorded base, which was not grouped by.")


def check_rules(groups: Groups, ruleset: Ruleset) -> None:
    """The same, apart from its base.

    Raises:
        NeedsReplay: its ``[play]`` is another one.
        NotFromGroups: it caps at balances.
    """
    if ruleset.play is not groups.ruleset.play and ruleset.play != groups.ruleset.play:
        raise NeedsReplay(
            f"{ruleset.at} plays by other rules than {groups.ruleset.at} ([play] differs): only "
            "a replay could tell what the games would have been; it needs their logs (--logs)."
        )
    if ruleset.scoring.cap_at_balance:
        raise NotFromGroups(
            f"{ruleset.at} caps at balances: what is paid depends on each balance, and so on the "
            "order of games. Counts of games cannot tell; in `tune whatif` --dynamic settles them "
            "in order."
        )


def settle_rows(groups: Groups, table: Int64s) -> Settled:
    """The same by the row of a ruleset, which is not checked."""
    compiled.expect(len(groups))
    chunks = [_settled(groups.played(rows, table)) for rows in _slices(len(groups))]
    return Settled(*(np.concatenate(columns) for columns in zip(*chunks, strict=True)))


def _settled(played: S.Played) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    games, seats = len(played.given), len(played.balance)
    own = (
        np.zeros((games, S.BOOK_GAME_WIDTH), np.int64),
        np.zeros((seats, S.BOOK_SEAT_WIDTH), np.int64),
        np.zeros((seats, S.ITEMS), np.int64),
        np.zeros((games, S.ITEMS), np.int64),
    )
    compiled.run(S.settle_games, played, S.Books(*own))
    return own


def _slices(count: int) -> Iterator[slice]:
    """Slices of so many rows, at least one."""
    for start in range(0, max(count, 1), _CHUNK):
        yield slice(start, min(start + _CHUNK, count))
