"""The reading kernel agrees with the explaining path, compiled and uncompiled."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analytics.findings import Finding
from analytics.logs import FAMILIES, GameBatch
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.explaining import Explained, Explainer
from analytics.logs.fast import FastPath
from analytics.rules import Rulebook
from tests.games import fixture_games
from tests.logs.said import said
from tests.logs.strategies import altered, games, lines, mutated, plain_games

both_modes = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Paths:
    """The two paths side by side, on one line at a time."""

    def __init__(self, rulebook: Rulebook) -> None:
        effective = Effective(rulebook, FAMILIES)
        self._columns = Columns(1)
        self._explainer = Explainer(effective, "-", keep_extra=False)
        self._fast = FastPath(effective, keep_extra=False)

    def explain(self, line: bytes) -> GameBatch | Finding | None:
        """What the explaining path makes of a line."""
        found = self._explainer.explain(line, 1, is_ended=True)
        self._fast.learn_unknown(self._explainer.unknown.met)
        if not isinstance(found, Explained):
            return found
        self._columns.append(found.checked, 1, 0)
        return self._batch()

    def scan(self, line: bytes) -> GameBatch | None:
        """What the kernel makes of a line; None where it leaves it alone."""
        data = np.frombuffer(bytearray(line + b"\n"), np.uint8)
        is_utf8 = line.decode("utf-8", "replace").encode() == line
        self._columns.reserve(len(data))
        self._fast.scan(data, 0, 0, 0, self._columns, is_utf8=is_utf8)
        return self._batch()

    def unknown(self) -> dict[str, int]:
        """How often the kernel met each unknown field."""
        return self._fast.unknown_counts()

    def _batch(self) -> GameBatch | None:
        self._columns.family = FAMILIES[0]
        return self._columns.batch(file="-", path=0) if self._columns.n else None


@pytest.fixture
def paths(rulebook: Rulebook, mode: str) -> Paths:
    """Both paths, in either mode."""
    return Paths(rulebook)


@both_modes
@given(plain_games().flatmap(lambda game: st.tuples(st.just(game), lines(game))))
def test_every_plain_line_is_scanned(paths: Paths, pair: tuple[dict[str, Any], bytes]) -> None:
    """Whatever the order of keys, the blanks and the escapes, the columns are the same."""
    game, line = pair
    explained = paths.explain(json.dumps(game).encode())
    assert isinstance(explained, GameBatch)
    scanned = paths.scan(line)
    if b'"hands' in line and b"\\" in line:
        return  # escapes within a list are for the explaining path
    assert scanned is not None
    assert said(scanned) == said(explained)


@both_modes
@given(games().flatmap(lines))
def test_no_good_line_is_scanned_otherwise(paths: Paths, line: bytes) -> None:
    """A line with anything in it is left alone, or gives the same columns."""
    explained = paths.explain(line)
    assert isinstance(explained, GameBatch)
    scanned = paths.scan(line)
    assert scanned is None or said(scanned) == said(explained)


@both_modes
@given(games(), st.data())
def test_nothing_is_scanned_that_cannot_be_explained(
    paths: Paths, game: dict[str, Any], data: st.DataObject
) -> None:
    """Damaged lines never raise, and the kernel takes none that the explaining path refuses."""
    whole = json.dumps(game, ensure_ascii=False).encode()
    paths.explain(whole)
    line = data.draw(mutated(whole))
    explained = paths.explain(line)
    scanned = paths.scan(line)
    if scanned is not None:
        assert isinstance(explained, GameBatch)
        assert said(scanned) == said(explained)


@both_modes
@given(games().flatmap(altered))
def test_nothing_is_scanned_that_says_something_wrong(paths: Paths, game: dict[str, Any]) -> None:
    """A field of another type, out of bounds, missing or unknown never gets past the kernel."""
    line = json.dumps(game).encode()
    explained = paths.explain(line)
    scanned = paths.scan(line)
    if scanned is not None:
        assert isinstance(explained, GameBatch)
        assert said(scanned) == said(explained)


@pytest.mark.parametrize("name", ["x", "seats[].x", "result.x"])
def test_unknown_fields_are_passed_over_and_counted(paths: Paths, name: str) -> None:
    """The second line with an unknown field takes the fast path; one that has it twice does not."""
    game = fixture_games()[1]
    place = {"x": game, "seats[].x": game["seats"][1], "result.x": game["result"]}[name]
    place["x"] = {"deep": [1, 2.5, "\u91d1\n", None, True, {"x": {}}], "e": []}
    line = json.dumps(game).encode()
    explained = paths.explain(line)
    assert isinstance(explained, GameBatch)
    for _ in range(3):
        scanned = paths.scan(line)
        assert scanned is not None
        assert said(scanned) == said(explained)
    assert paths.unknown() == {name: 3}
    assert paths.scan(line.replace(b'"x":', b'"x": 1, "x":')) is None


def test_only_so_many_unknown_fields_are_told_apart(paths: Paths) -> None:
    """What has more names than the kernel can tell apart is explained, and counted there."""
    game = fixture_games()[1] | {f"x{i}": i for i in range(100)}
    line = json.dumps(game).encode()
    assert isinstance(paths.explain(line), GameBatch)
    assert paths.scan(line) is None


@pytest.mark.parametrize("most", [18, 19])
def test_ints_that_might_not_fit_are_left_alone(paths: Paths, most: int) -> None:
    """Eighteen digits always fit into 64 bits; what is longer is explained."""
    game = fixture_games()[1]
    paths.explain(json.dumps(game).encode())
    game["result"]["winner"] = 10 ** (most - 1)
    assert (paths.scan(json.dumps(game).encode()) is None) == (most > 18)


def test_the_fixture_games_are_scanned(paths: Paths) -> None:
    """Real games take the fast path."""
    for game in fixture_games():
        line = json.dumps(game).encode()
        explained = paths.explain(line)
        scanned = paths.scan(line)
        assert isinstance(explained, GameBatch)
        assert scanned is not None
        assert said(scanned) == said(explained)
