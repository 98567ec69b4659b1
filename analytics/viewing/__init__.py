"""One game as a page: the words for what happened, and HTML that displays itself.

``game_view.view_game`` gives a game that a notebook shows when it is the last thing in a
cell. ``phrases`` and ``words`` serve pages of text as well, so nothing is imported here
that only HTML needs.
"""
