"""Finding one game in logs, by its id or its line; reading stops where it is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import click

from cli.failing import Failure, refused, why_not
from cli.logs import sources_of
from cli.records import place_of
from cli.words import said

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.logs import GameBatch, Source
    from analytics.rules import Rulebook
    from analytics.wording import Language

Found: TypeAlias = "tuple[GameBatch, int]"

_COMPARED: Final = 5_000  # ids that are compared for a suggestion: more would take seconds
_SUGGESTED: Final = 3


class Asked(Protocol):
    """Which game is meant; None: not said."""

    @property
    def id(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def encoding(self) -> str | None: ...
    @property
    def language(self) -> Language: ...


def find_game(logs: Sequence[str], rulebook: Rulebook, asked: Asked) -> Found:
    """The batch and the row of the game that is meant.

    Raises:
        Failure: there is none, or it cannot be read, or several may be meant.
        SourceError: a log that means nothing, or cannot be opened.
    """
    sources = sources_of(logs, asked.language, is_quiet=False)
    if asked.id is None and asked.line is not None and len(sources) > 1:
        raise refused("several_files", count=len(sources))
    search = _Search(asked)
    if asked.id is None and asked.line is None:
        return search.single(_items(sources, rulebook, asked))
    _expect(sources)
    return search.wanted(_items(sources, rulebook, asked))


def _expect(sources: Sequence[Source]) -> None:
    """Large logs are searched by compiled kernels.

    Uncompiled, reading takes a third of the time of verifying, which is what the
    break-even of the kernels was measured for.
    """
    from analytics import compiled
    from analytics.jobs.verifying import estimate_games

    compiled.expect((estimate_games(sources) or 0) // 3)


def _items(
    sources: Sequence[Source], rulebook: Rulebook, asked: Asked
) -> Iterator[GameBatch | Finding]:
    from analytics.logs import read

    for source in sources:
        yield from read(source, rulebook, encoding=asked.encoding)


class _Search:
    """What has been seen on the way to the game."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._unread: Finding | None = None  # the line that was meant, if it cannot be read
        self._games = 0
        self._ids: list[str] = []
        self._line_of_id: int | None = None  # where the game stands, if not in the line asked for
        self._id_in_line: str | None = None  # what stands in that line, if not the game

    def wanted(self, items: Iterator[GameBatch | Finding]) -> Found:
        """The first game with the id, or in the line, or both."""
        for batch in self._batches(items):
            rows = [i for i in range(len(batch)) if self._is_meant(batch.id[i], batch.line[i])]
            if rows:
                self._tell_others(batch, rows[1:])
                return batch, rows[0]
        raise Failure(self._unreadable() or self._unknown())

    def single(self, items: Iterator[GameBatch | Finding]) -> Found:
        """The only game there is."""
        found: Found | None = None
        for batch in self._batches(items):
            found = found or (batch, 0)
            if self._games > 1:
                raise refused("several_games", id=click.format_filename(found[0].id[0]))
        if found is None:
            raise Failure(self._unreadable() or why_not("no_game"))
        return found

    def _batches(self, items: Iterator[GameBatch | Finding]) -> Iterator[GameBatch]:
        """The batches; what could not be read is kept in mind."""
        from analytics.findings import Finding

        for item in items:
            if not isinstance(item, Finding):
                self._games += len(item)
                self._ids += item.id[: _COMPARED - len(self._ids)]
                self._note_halves(item)
                yield item
            elif item.severity.value != "info" and self._is_meant(item.game, item.line):
                self._unread = self._unread or item

    def _note_halves(self, batch: GameBatch) -> None:
        """What only the id or only the line would mean, where both were given."""
        asked = self._asked
        if asked.id is None or asked.line is None:
            return
        for id, line in zip(batch.id, batch.line, strict=True):
            if id == asked.id and self._line_of_id is None:
                self._line_of_id = int(line)
            if line == asked.line and self._id_in_line is None:
                self._id_in_line = id

    def _is_meant(self, id: str | None, line: int | None) -> bool:
        asked = self._asked
        return asked.id in (None, id) and asked.line in (None, line)

    def _unreadable(self) -> str | None:
        from analytics.wording import sentence

        if self._unread is None:
            return None
        return f"{place_of(self._unread)}: {sentence(self._unread, self._asked.language)}"

    def _unknown(self) -> str:
        asked = self._asked
        if asked.id is None:
            return why_not("no_line", line=asked.line)
        if not self._games:
            return why_not("no_id_nor_game", id=asked.id)
        if self._line_of_id is not None:
            texts = [why_not("other_line", id=asked.id, line=self._line_of_id, asked=asked.line)]
        else:
            texts = [why_not("no_id", id=asked.id, count=self._games), *self._near()]
        if self._id_in_line is not None:
            texts.append(why_not("other_game", asked=asked.line, other=self._id_in_line))
        return " ".join(texts)

    def _near(self) -> Iterator[str]:
        """The question whether another id was meant."""
        near = get_close_matches(self._asked.id or "", self._ids, _SUGGESTED)
        if near:
            yield why_not("near", near=why_not("or").join(near))

    def _tell_others(self, batch: GameBatch, rows: Sequence[int]) -> None:
        """Only those that have been read anyhow."""
        if rows:
            lines = ", ".join(str(batch.line[i]) for i in rows)
            click.echo(said("same_id", self._asked.language, lines=lines), err=True)
