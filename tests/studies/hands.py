"""Hands for the studies of honesty, shuffled by numpy, and the frames that SQL would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analytics.cards import COPIES, FACES, HAND_SIZE
from analytics.studies.dealing_models import counted
from analytics.studies.deals import FOUND

DECK = np.repeat(np.arange(FACES), COPIES)


def shuffled(games: int, seats: int, seed: int) -> Any:
    """int64 ``(games, seats, 27)``: hands of shuffled decks."""
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(DECK, (games, 1)), axis=1)
    return decks[:, : seats * HAND_SIZE].reshape(games, seats, HAND_SIZE)


def counts_of(games: int, seats: int, seed: int) -> dict[str, Any]:
    """All measures of so many shuffled games, ten thousand at a time."""
    sizes = [min(10_000, games - at) for at in range(0, games, 10_000)]
    parts = [counted(shuffled(n, seats, seed * 1_000 + nth)) for nth, n in enumerate(sizes)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def favoured(games: int, seats: int, seed: int, seat: int, excess: float) -> dict[str, Any]:
    """The same where a seat gets more natural bombs: now and then the better of two deals."""
    one, two = counts_of(games, seats, seed), counts_of(games, seats, seed + 500)
    gain = np.maximum(two["bombs"][:, seat] - one["bombs"][:, seat], 0)
    share = excess * one["bombs"][:, seat].mean() / gain.mean()
    rng = np.random.default_rng(seed)
    takes = (gain > 0) & (rng.uniform(size=games) < share)
    return {name: np.where(takes[:, None], two[name], one[name]) for name in one}


def frame_of(counts: dict[str, Any], deal: Any = "uniform", **groups: Any) -> pd.DataFrame:
    """What the steps of ``deals`` give for these games: a row a measure and seat, and for all."""
    rows = []
    for name, values in counts.items():
        games, seats = values.shape
        sums = {**dict(enumerate(values.sum(0).tolist())), None: int(values.sum())}
        rows += [
            {**groups, "deal": deal, "seats": seats, "measure": name, "seat": seat,
             "games": games, "leads": 0, "opposite": 0, "observed": observed}
            for seat, observed in sums.items()
        ]  # fmt: skip
    frame = pd.DataFrame(rows)
    frame["seat"] = frame["seat"].astype("Int8")
    return frame.assign(**dict.fromkeys(FOUND))
