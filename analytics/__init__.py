"""paipu 牌谱: replays recorded games of 双扣 and recomputes their settlements.

The names that a notebook needs; each is imported when it is first asked for, so that
importing one floor does not import the whole house.

>>> from analytics import load_rulesets, read_cards
>>> presets = load_rulesets()
>>> read_cards("5S6S7S8SBJ", None, presets, presets.find("huopin-wealth", None)).meld.size
5
>>> from analytics import nothing
Traceback (most recent call last):
...
ImportError: ...
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from analytics.collect import Collector as Collector
    from analytics.findings import Code as Code
    from analytics.findings import Finding as Finding
    from analytics.jobs import Ways as Ways
    from analytics.jobs import verify_logs as verify_logs
    from analytics.logs import batch_of as batch_of
    from analytics.logs import find_sources as find_sources
    from analytics.logs import game as game
    from analytics.logs import read as read
    from analytics.notebook import Audit as Audit
    from analytics.notebook import audit as audit
    from analytics.notebook import load_logs as load_logs
    from analytics.notebook import show_game as show_game
    from analytics.plots import PLOTS as PLOTS
    from analytics.plots import drawing as drawing
    from analytics.rules import load_rulesets as load_rulesets
    from analytics.shuangkou.formula import work_out as work_out
    from analytics.shuangkou.reading import read_cards as read_cards
    from analytics.shuangkou.story import tell as tell
    from analytics.studies import open_warehouse as open_warehouse
    from analytics.verify import verify_batch as verify_batch
    from analytics.viewing.game_view import view_game as view_game
    from analytics.wording import sentence as sentence

_HOME: Final = {
    "Audit": "analytics.notebook",
    "Code": "analytics.findings",
    "Collector": "analytics.collect",
    "Finding": "analytics.findings",
    "PLOTS": "analytics.plots",
    "Ways": "analytics.jobs",
    "audit": "analytics.notebook",
    "batch_of": "analytics.logs",
    "drawing": "analytics.plots",
    "find_sources": "analytics.logs",
    "game": "analytics.logs",
    "load_logs": "analytics.notebook",
    "load_rulesets": "analytics.rules",
    "open_warehouse": "analytics.studies",
    "read": "analytics.logs",
    "read_cards": "analytics.shuangkou.reading",
    "sentence": "analytics.wording",
    "show_game": "analytics.notebook",
    "tell": "analytics.shuangkou.story",
    "verify_batch": "analytics.verify",
    "verify_logs": "analytics.jobs",
    "view_game": "analytics.viewing.game_view",
    "work_out": "analytics.shuangkou.formula",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'analytics' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_HOME]
