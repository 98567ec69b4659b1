"""How many strings there are in joined texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics import compiled
from analytics.logs.columns import split
from analytics.logs.counting import count_strings


@pytest.mark.parametrize("mode_", ["never", "always"])
@settings(deadline=None)
@given(texts=st.lists(st.text(";ab", max_size=70), max_size=8))
def test_strings_are_counted_as_they_are_split(mode_: str, texts: list[str]) -> None:
    """None in an empty text, compiled and not."""
    at = np.cumsum([0, *map(len, texts)])
    counts = np.zeros(len(texts), np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", mode_)
        compiled.run(count_strings, "".join(texts).encode(), at, counts)
    assert counts.tolist() == [len(split(text)) for text in texts]
