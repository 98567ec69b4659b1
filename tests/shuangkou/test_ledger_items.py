"""The items of the ledger are those of the settlement."""

from __future__ import annotations

from analytics.ledger import ITEM_NAMES
from analytics.shuangkou import settlement as S


def test_the_names_of_items_stand_where_the_settlement_writes_them() -> None:
    """A posting's item is the position of its name, and no position lacks one."""
    assert len(ITEM_NAMES) == S.ITEMS
    for place, name in enumerate(ITEM_NAMES):
        assert getattr(S, name.upper()) == place
