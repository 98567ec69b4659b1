"""``Columns``: a batch while it is being filled.

Rows come from the reading kernel, which writes into the arrays itself, or one
by one as checked games; in whatever mix, they stay in the order of the log.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.logs import layout
from analytics.logs.batch import ABSENT, LABELS, GameBatch, Recorded, TextColumn
from analytics.logs.checking import ENDS, KOUS, Checked
from analytics.logs.content import contents
from analytics.logs.model import Game, Result, Seat
from analytics.logs.moments import moment_of
from analytics.logs.strings import MaybeStrings, Strings

Int64s = npt.NDArray[np.int64]

# Room for a game to begin with; it grows as needed.
_TEXT_BYTES: Final = 1024  # in every row of text
_TIMES: Final = 128

PARTS: Final = (
    (layout.PLACES, "places"),
    (layout.XIANG, "xiang"),
    (layout.CONTRIBUTION, "contribution"),
    (layout.DELTA, "delta"),
    (layout.FEE, "fee"),
    (layout.AFTER, "balance"),
)
TEXT_FIELDS: Final = ("id", "rules", "shown", *LABELS)


class Columns:
    """Up to ``capacity`` games in arrays of the given ``layout``.

    Attributes:
        n: how many games there are.
        family: the game word of all of them.
        games, seats, text, times: see ``layout``; may be replaced by larger ones.
    """

    def __init__(self, capacity: int, *, keep_extra: bool = False) -> None:
        self.capacity = capacity
        self.n = 0
        self.family = ""
        self.games: Int64s = np.zeros((capacity + 1, layout.GAME), np.int64)
        self.seats: Int64s = np.zeros((capacity * layout.MOST_SEATS + 1, layout.SEAT), np.int64)
        self.text = np.empty((layout.TEXTS, capacity * _TEXT_BYTES), np.uint8)
        self.times: Int64s = np.empty(capacity * _TIMES, np.int64)
        self._keep_extra = keep_extra
        self._extra: dict[int, bytes] = {}

    @property
    def is_full(self) -> bool:
        """Whether the next game needs new columns."""
        k = int(self.games[self.n, layout.SEATS_AT])
        return self.n >= self.capacity or k + layout.MOST_SEATS >= len(self.seats)

    def takes(self, family: str) -> bool:
        """Whether a game of this family can be added: the games of a batch are of one."""
        return not self.n or self.family == family

    def reserve(self, chars: int, seats: int = 0) -> None:
        """Makes room for games of so many bytes of log and so many seats in all."""
        row = self.games[self.n]
        k = int(row[layout.SEATS_AT])
        used = max(int(row[: layout.PLAYER].max()), int(self.seats[k, layout.PLAYER_AT]))
        if used + chars > self.text.shape[1]:
            wider = np.empty((layout.TEXTS, 2 * (used + chars)), np.uint8)
            wider[:, :used] = self.text[:, :used]
            self.text = wider
        if int(row[layout.TIMES_AT]) + chars > len(self.times):
            self.times = _grown(self.times, int(row[layout.TIMES_AT]) + chars)
        if k + seats >= len(self.seats):
            self.seats = _grown(self.seats, k + seats + 1)

    def append(self, checked: Checked, line: int, offset: int, extra: bytes | None = None) -> None:
        """Adds one game of a family that these columns take."""
        game = checked.game
        self.family = game.game
        texts = self._texts_of(game)
        players = [seat.player.encode() for seat in game.seats]
        times = game.times or ()
        chars = max(map(len, (*texts, b"".join(players), times)))
        self.reserve(chars, len(game.seats))
        self._append_texts(game, texts)
        self._append_seats(game.seats, players, game.result)
        row, after = self.games[self.n : self.n + 2]
        at = row[layout.TIMES_AT]
        self.times[at : at + len(times)] = times
        after[layout.TIMES_AT] = at + len(times)
        row[layout.LINE :] = (line, offset, *_values(checked))
        if extra is not None:
            self.keep(extra)
        self.n += 1

    def keep(self, extra: bytes, ago: int = 0) -> None:
        """Keeps the unknown fields of the next game, or of one added so many games ago."""
        self._extra[self.n - ago] = extra

    def _texts_of(self, game: Game) -> list[bytes]:
        """The bytes of each text row of ``games``."""
        texts = [(getattr(game, name) or "").encode() for name in TEXT_FIELDS]
        return [*texts, written(game.hands), written(game.actions)]

    def _append_texts(self, game: Game, texts: list[bytes]) -> None:
        present = 1 << layout.HANDS | 1 << layout.ACTIONS
        game_row, after = self.games[self.n : self.n + 2]
        for row, text in enumerate(texts):
            start = int(game_row[row])
            after[row] = start + len(text)
            self.text[row, start : start + len(text)] = np.frombuffer(text, np.uint8)
        for row, name in enumerate(TEXT_FIELDS):
            present |= (getattr(game, name) is not None) << row
        for row, strings in ((layout.HANDS, game.hands), (layout.ACTIONS, game.actions)):
            present |= (not joins(strings)) << row + layout.LISTED
        game_row[layout.PRESENT] = present

    def _append_seats(
        self, seats: Sequence[Seat], players: list[bytes], result: Result | None
    ) -> None:
        first = int(self.games[self.n, layout.SEATS_AT])
        after = first + len(seats)
        self.games[self.n + 1, layout.SEATS_AT] = after
        self.seats[first:after, layout.BALANCE] = [seat.balance for seat in seats]
        for field, name in PARTS:
            part = None if result is None else getattr(result, name)
            self.seats[first:after, field] = ABSENT if part is None else part
        start = int(self.seats[first, layout.PLAYER_AT])
        for seat, player in enumerate(players, first):
            self.text[layout.PLAYER, start : start + len(player)] = np.frombuffer(player, np.uint8)
            start += len(player)
            self.seats[seat + 1, layout.PLAYER_AT] = start

    def batch(self, *, file: str, path: int) -> GameBatch:
        """The games as a batch; the columns begin anew.

        Args:
            file: path of the source as given.
            path: ordinal of the source.
        """
        n = self.n
        games = self.games[: n + 1]
        content = contents(self.games, self.seats, self.text, self.times, family=self.family, n=n)
        ids = self._strings(layout.ID)
        k = int(games[n, layout.SEATS_AT])
        batch = GameBatch(
            family=self.family,
            file=file,
            game_key=ids.hashes(),
            content=content,
            path=np.full(n, path, np.int32),
            offset=games[:n, layout.OFFSET].copy(),
            line=games[:n, layout.LINE].copy(),
            rules_ix=games[:n, layout.RULES_IX].astype(np.int16),
            id=ids,
            rules=self._strings(layout.RULES),
            start=games[:n, layout.START].copy(),
            start_zone=games[:n, layout.START_ZONE].astype(np.int16),
            end=games[:n, layout.END].copy(),
            end_zone=games[:n, layout.END_ZONE].astype(np.int16),
            first=games[:n, layout.FIRST].copy(),
            base=games[:n, layout.BASE].copy(),
            shown=self._maybe_strings(layout.SHOWN),
            seats_at=games[:, layout.SEATS_AT].copy(),
            player=_strings_of(self.text[layout.PLAYER], self.seats[: k + 1, layout.PLAYER_AT]),
            balance=self.seats[:k, layout.BALANCE].copy(),
            hands=self._text_column(layout.HANDS),
            actions=self._text_column(layout.ACTIONS),
            times=self.times[: games[n, layout.TIMES_AT]].copy(),
            times_at=games[:, layout.TIMES_AT].copy(),
            recorded=self._recorded(k),
            labels=self._labels(),
            extra=self._extra_column(),
        )
        self.n = 0
        self._extra = {}
        return batch

    def _strings(self, row: int) -> Strings:
        return _strings_of(self.text[row], self.games[: self.n + 1, row])

    def _has(self, bit: int) -> npt.NDArray[np.bool_]:
        """bool ``(n,)``: whether this bit of PRESENT is set."""
        has: npt.NDArray[np.bool_] = (self.games[: self.n, layout.PRESENT] >> bit & 1) == 1
        return has

    def _maybe_strings(self, row: int) -> MaybeStrings:
        return MaybeStrings(self._strings(row), ~self._has(row))

    def _labels(self) -> dict[str, MaybeStrings]:
        present = int(np.bitwise_or.reduce(self.games[: self.n, layout.PRESENT], initial=0))
        rows = zip(LABELS, layout.LABEL_ROWS, strict=True)
        return {name: self._maybe_strings(row) for name, row in rows if present >> row & 1}

    def _recorded(self, k: int) -> Recorded:
        games = self.games[: self.n]
        return Recorded(
            end=games[:, layout.RECORDED_END].astype(np.int8),
            winner=games[:, layout.WINNER].copy(),
            kou=games[:, layout.KOU].astype(np.int8),
            doubling=games[:, layout.DOUBLING].copy(),
            **{name: self.seats[:k, field].copy() for field, name in PARTS},
        )

    def _text_column(self, row: int) -> TextColumn:
        strings = self._strings(row)
        listed = self._has(row + layout.LISTED).tolist()
        if not any(listed):
            return TextColumn(strings.buffer, strings.at, joined=True)
        raws = [
            text.encode() if is_list else as_list(split(text))
            for text, is_list in zip(strings, listed, strict=True)
        ]
        at = np.zeros(self.n + 1, np.int64)
        np.cumsum([len(raw) for raw in raws], out=at[1:])
        return TextColumn(b"".join(raws), at, joined=False)

    def _extra_column(self) -> list[bytes | None] | None:
        return [self._extra.get(i) for i in range(self.n)] if self._keep_extra else None


def joins(strings: Sequence[str]) -> bool:
    """Whether the strings can be told apart when they are joined by ``;``.

    >>> joins(["0 3S", "1 -"]), joins([]), joins([""]), joins(["a;b"])
    (True, True, False, False)
    """
    return list(strings) != [""] and not any(";" in string for string in strings)


def split(text: str) -> list[str]:
    """The strings of a text joined by ``;``."""
    return text.split(";") if text else []


def written(strings: Sequence[str]) -> bytes:
    """The strings joined by ``;``, or as a JSON list where that would lose something."""
    return ";".join(strings).encode() if joins(strings) else as_list(strings)


def as_list(strings: Sequence[str]) -> bytes:
    """The strings as a JSON list without blanks."""
    return json.dumps(list(strings), ensure_ascii=False, separators=(",", ":")).encode()


def _grown(array: Any, least: int) -> Any:
    """A copy with at least so many rows, and at least twice as many as before."""
    larger = np.empty((max(least, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def _strings_of(row: npt.NDArray[np.uint8], at: Int64s) -> Strings:
    return Strings(row[: at[-1]].tobytes(), at.copy())


def _values(checked: Checked) -> tuple[int, ...]:
    """The rows of ``games`` from RULES_IX to the last."""
    game = checked.game
    result = game.result or Result()
    return (
        checked.answer.rules_ix,
        *_moment(game.start),
        *_moment(game.end),
        game.first,
        ABSENT if game.base is None else game.base,
        0 if result.end is None else ENDS.index(result.end) + 1,
        ABSENT if result.winner is None else result.winner,
        -1 if result.kou is None else KOUS.index(result.kou),
        ABSENT if result.doubling is None else result.doubling,
    )


def _moment(text: str | None) -> tuple[int, int]:
    moment = None if text is None else moment_of(text)
    return (ABSENT, 0) if moment is None else moment
