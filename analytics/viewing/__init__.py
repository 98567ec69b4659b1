"""One game as a page: the words for what happened, and HTML that displays itself.

``view_game`` gives a game that a notebook shows when it is the last thing in a cell.
"""

from __future__ import annotations

from analytics.viewing.game_view import GameView, view_game

__all__ = ["GameView", "view_game"]
