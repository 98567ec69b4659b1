"""Recorded games: readers, writers and ``GameBatch``, the columns they become."""

from __future__ import annotations

from analytics.logs.batch import ABSENT, GameBatch, Recorded, TextColumn
from analytics.logs.checking import FAMILIES
from analytics.logs.files import SourceError
from analytics.logs.reading import is_parquet, is_plain, read, read_range
from analytics.logs.records import Game, Result, Seat, batch_of, game
from analytics.logs.sources import LOG_ENDINGS, Found, Source, find_sources, search
from analytics.logs.writing import write_jsonl, write_parquet

__all__ = [
    "ABSENT",
    "FAMILIES",
    "LOG_ENDINGS",
    "Found",
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
    "is_parquet",
    "is_plain",
    "read",
    "read_range",
    "search",
    "write_jsonl",
    "write_parquet",
]
