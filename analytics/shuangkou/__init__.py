"""双扣 (Shuangkou): melds, replay, settlement. The doors of this game family.

Whatever lies above knows a family only by these names: ``replay`` and ``settle``
make facts and what they are worth, ``compare`` holds that against what the house
recorded, ``describe`` puts a finding into words' reach.
"""

from __future__ import annotations

from analytics.shuangkou.describing import describe
from analytics.shuangkou.facts import Facts, Settled, compare, replay, settle

__all__ = ["Facts", "Settled", "compare", "describe", "replay", "settle"]
