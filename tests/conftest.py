"""What holds for all tests."""

from __future__ import annotations

import pytest

from analytics import compiled


@pytest.fixture(autouse=True)
def expect_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that one test announces does not make kernels compile in the next one."""
    monkeypatch.setattr(compiled, "_expected_games", 0)
