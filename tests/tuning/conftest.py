"""What the tests of tuning share: the valid samples in a warehouse, open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.studies import Studied, open_warehouse
from analytics.warehouse.loading import load

VALID = Path(__file__).parents[2] / "sample_logs" / "valid"


@pytest.fixture(scope="session")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studied]:
    """A warehouse with the valid samples, open."""
    folder = tmp_path_factory.mktemp("tuning") / "valid"
    load(find_sources([str(VALID)]), folder, load_rulesets())
    with open_warehouse(folder, memory="500MB", threads=2) as warehouse:
        yield warehouse
