"""Several frames on standard output: one after another, or one that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.failing import refused
from cli.options import Decorator
from cli.output import Listing, as_json, emit, shortened, write_object, write_records
from cli.words import said

if TYPE_CHECKING:
    import pandas as pd

    from analytics.wording import Language


def part_option(names: Sequence[str]) -> Decorator[Any]:
    """``--part``, one of these names."""
    return click.option(
        "--part",
        type=click.Choice(tuple(names)),
        help=f"Only this part; --format csv has only one, by default {names[0]}.  [default: all]",
    )


def shown(
    frames: Mapping[str, pd.DataFrame], form: str, *, part: str | None, first: str
) -> dict[str, pd.DataFrame]:
    """The frames that are asked for.

    Args:
        frames: by the name of their part, in order.
        form: "table", "json", "jsonl" or "csv".
        part: the only one that is wanted; None: all, and of CSV the first.
        first: that part.

    Raises:
        Failure: the part is not there.
    """
    only = first if part is None and form == "csv" else part
    if only is None:
        return dict(frames)
    if only not in frames:
        raise refused("no_part", part=only, there=", ".join(frames))
    return {only: frames[only]}


def write_frames(
    frames: Mapping[str, pd.DataFrame], head: Mapping[str, Any], form: str, language: Language
) -> None:
    """Writes frames: a document, lines that say of which part they are, or tables.

    Args:
        frames: by the name of their part, in order; for CSV only one.
        head: what stands before them in a JSON document.
        form: "table", "json", "jsonl" or "csv".
        language: of headings.
    """
    if form == "json":
        write_object({**head, **{name: list(_records(frame)) for name, frame in frames.items()}})
    elif form == "jsonl":
        for name, frame in frames.items():
            for record in _records(frame):
                emit(as_json({"part": name, **record}) + "\n")
    elif form == "csv":
        [(name, frame)] = frames.items()
        _write_table(frame, name, form, language)
    else:
        for name, frame in frames.items():
            emit(f"\n{said(f'part_{name}', language)}\n\n")
            _write_table(frame, name, form, language)


def dated(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame whose column ``day`` is a text, as JSON and CSV have days."""
    return frame.assign(day=frame["day"].dt.strftime("%Y-%m-%d"))


def _write_table(frame: pd.DataFrame, name: str, form: str, language: Language) -> None:
    listing = Listing(name, tuple(map(str, frame.columns)), shortened(form))
    write_records(_records(frame), listing, form, language, is_plain=True)


def _records(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Rows with values as JSON has them."""
    for values in frame.astype(object).itertuples(index=False, name=None):
        yield {str(name): _plain(value) for name, value in zip(frame.columns, values, strict=True)}


def _plain(value: Any) -> Any:
    import numpy as np
    import pandas as pd

    if pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value
