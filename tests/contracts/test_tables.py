"""The page about the tables of a warehouse is what the tables say."""

from __future__ import annotations

from pathlib import Path

import duckdb

from analytics.warehouse.families import TABLES
from analytics.warehouse.reference import page
from analytics.warehouse.small import SMALL

ROOT = Path(__file__).parents[2]


def test_the_page_of_the_tables_is_in_step() -> None:
    """docs/tables.md is what ``analytics.warehouse.reference`` makes."""
    assert (ROOT / "docs" / "tables.md").read_text("utf-8") == page()


def test_names_of_tables_and_columns_are_unique_and_plain() -> None:
    """No table is there twice, no column of a table is, and all are lower case words."""
    tables = [*TABLES, *SMALL]
    names = [table.name for table in tables]
    assert len(set(names)) == len(names)
    for table in tables:
        columns = [column.name for column in table.columns]
        assert len(set(columns)) == len(columns)
        assert all(name.replace("_", "").isalpha() and name.islower() for name in columns)


def test_no_name_is_a_reserved_word() -> None:
    """Every table and column can be written without quotes."""
    query = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    reserved = {word for (word,) in duckdb.connect().execute(query).fetchall()}
    assert "table" in reserved
    tables = [*TABLES, *SMALL]
    names = {name for t in tables for name in (t.name, *(column.name for column in t.columns))}
    assert not names & reserved
