"""What the tests of tuning share: a warehouse with the valid samples, and groups of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from analytics.logs import find_sources
from analytics.rules import Ruleset, load_rulesets
from analytics.studies import Studied, open_warehouse
from analytics.tuning.groups import Groups, group_games
from analytics.warehouse.loading import load

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "valid"
HOUSES = ("huopin-points", "huopin-wealth", "jiule", "baibian", "baibian-zerosum", "tongcheng")


@cache
def preset(name: str) -> Ruleset:
    """A preset by its name."""
    return next(ruleset for ruleset in load_rulesets().rulesets if ruleset.name == name)


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the valid samples; nobody may write to it."""
    folder = tmp_path_factory.mktemp("tuning") / "valid"
    load(find_sources([str(SAMPLES)]), folder, load_rulesets())
    return folder


@pytest.fixture(scope="session")
def studied(warehouse: Path) -> Iterator[Studied]:
    """The same, open."""
    with open_warehouse(warehouse, memory="500MB", threads=2) as opened:
        yield opened


@pytest.fixture(scope="session")
def wealth(studied: Studied) -> Groups:
    """The games of huopin-wealth in groups, with their players."""
    return group_games(studied, rules="huopin-wealth", with_players=True)


@pytest.fixture(scope="session")
def baibian(studied: Studied) -> Groups:
    """The games of baibian in groups, with their players."""
    return group_games(studied, rules="baibian", with_players=True)
