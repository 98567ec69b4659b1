"""Recorded games: readers, writers and ``GameBatch``, the columns they become."""

from __future__ import annotations

from analytics.logs.batch import ABSENT, GameBatch, Recorded, TextColumn
from analytics.logs.reading import read
from analytics.logs.records import Game, Result, Seat, batch_of, game
from analytics.logs.sources import Source, SourceError, find_sources

__all__ = [
    "ABSENT",
    "Game",
    "GameBatch",
    "Recorded",
    "Result",
    "Seat",
    "Source",
    "SourceError",
    "TextColumn",
    "batch_of",
    "find_sources",
    "game",
    "read",
    
]
