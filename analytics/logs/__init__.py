"""Recorded games: readers, writers and ``GameBatch``, the columns they become."""

from __future__ import annotations

from analytics.logs.batch import ABSENT, GameBatch, Recorded, TextColumn
from analytics.logs.reading import is_plain, read, read_range
from analytics.logs.records import Game, Result, Seat, batch_of, game
from analytics.logs.sources import Source, SourceError, find_sources
from analytics.logs.writing import write_jsonl, write_parquet

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
    "is_plain",
    "read",
    "read_range",
    "write_jsonl",
    "write_parquet",
]
