"""``GameView``: a game that displays itself."""

from __future__ import annotations

from dataclasses import dataclass

from analytics.logs import GameBatch
from analytics.rules import Rulebook
from analytics.shuangkou.formula import Formula, work_out
from analytics.shuangkou.story import Story, mask, tell
from analytics.viewing import phrases
from analytics.viewing.html import game_html
from analytics.viewing.words import PageWords
from analytics.wording import Language, Words, default_language


@dataclass(frozen=True, slots=True, repr=False)
class GameView:
    """A game, with a slider through its actions where HTML can be shown.

    Attributes:
        story: the game told action by action.
        formula: its settlement worked out; None where the replay broke.
        language: of all texts.
    """

    story: Story
    formula: Formula | None
    language: Language

    def masked(self) -> GameView:
        """The same without names of players and rooms, to hand on."""
        return GameView(mask(self.story), self.formula, self.language)

    def __repr__(self) -> str:
        words = self._words
        title = words.said("game", id=self.story.head.id)
        return f"{title}: {phrases.verdict_text(self.story, self.formula, words)}"

    def _repr_html_(self) -> str:
        return game_html(self.story, self.formula, self._words)

    @property
    def _words(self) -> PageWords:
        return PageWords(Words(self.language, self.story.head.ruleset.terms))


def view_game(
    batch: GameBatch, i: int, rulebook: Rulebook, *, language: Language | None = None
) -> GameView:
    """Game ``i`` of a batch as a view.

    Args:
        batch: games of this family.
        i: row of the game.
        rulebook: what ``batch.rules_ix`` refers to.
        language: of its texts; None: that of the locale.

    Raises:
        IndexError: the batch has no such game.

    >>> from analytics.logs import batch_of
    >>> from analytics.rules import load_rulesets
    >>> rulebook = load_rulesets()
    >>> view_game(batch_of([], rulebook), 0, rulebook)
    Traceback (most recent call last):
    ...
    IndexError: game 0 of 0
    """
    story, formula = tell(batch, i, rulebook), work_out(batch, i, rulebook)
    return GameView(story, formula, language or default_language())
