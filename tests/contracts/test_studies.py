"""The page about the studies is what the studies say."""

from __future__ import annotations

from pathlib import Path

from analytics.studies.reference import page

ROOT = Path(__file__).parents[2]


def test_the_page_of_the_studies_is_in_step() -> None:
    """docs/studies.md is what ``analytics.studies.reference`` makes."""
    assert (ROOT / "docs" / "studies.md").read_text("utf-8") == page()
