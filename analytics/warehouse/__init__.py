"""The warehouse: facts, verdicts, postings and findings of many logs, under DuckDB."""

from __future__ import annotations

from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.reading import Warehouse, open_warehouse

__all__ = ["Warehouse", "WarehouseError", "open_warehouse"]
