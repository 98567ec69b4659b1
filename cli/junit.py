"""Findings as JUnit XML, which CI systems show as failed tests.

A file is a test suite; in it a game with findings is a test case, and all its other
games together are one more. The bytes are ASCII whatever the stream's encoding is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from cli.output import Record, emit
from cli.records import is_failing
from cli.tables import cell

_SUITES: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="paipu verify">\n'


def write(
    records: Iterable[Record],
    games: Mapping[str, int],
    *,
    hidden: Callable[[], Mapping[str, int]],
    is_strict: bool,
) -> None:
    """Writes the document, a file at a time.

    Args:
        records: findings, those of a file together, files in the order of ``games``.
        games: number of games per file.
        hidden: how many findings are not among the records, by severity; asked at the end.
        is_strict: whether warnings are failures.
    """
    _emit(_SUITES)
    for file, cases in _by_file(records, games):
        _write_suite(file, games.get(file, 0), cases, is_strict=is_strict)
    count = sum(n for severity, n in hidden().items() if is_failing(severity, is_strict=is_strict))
    if count:
        _write_hidden(count)
    _emit("</testsuites>\n")


def _by_file(
    records: Iterable[Record], games: Mapping[str, int]
) -> Iterator[tuple[str, list[Record]]]:
    """Every file, also those without findings."""
    files = iter(games)
    for file, group in groupby(records, lambda record: record["file"]):
        for other in files:
            if other == file:
                break
            yield other, []
        yield file, list(group)
    yield from ((file, []) for file in files)


def _write_suite(file: str, games: int, records: list[Record], *, is_strict: bool) -> None:
    cases = [list(group) for _, group in groupby(records, _case_of)]
    failures = sum(any(_fails(r, is_strict=is_strict) for r in case) for case in cases)
    named = sum(_is_read(case[0]) for case in cases)
    others = games > named
    _emit(
        f'<testsuite name={_attribute(file)} tests="{len(cases) + others}" '
        f'failures="{failures}" errors="0" skipped="0">\n'
    )
    for case in cases:
        _write_case(file, case, is_strict=is_strict)
    if others:
        name = f"other games: {games - named}"
        _emit(f"<testcase classname={_attribute(file)} name={_attribute(name)}/>\n")
    _emit("</testsuite>\n")


def _is_read(record: Record) -> bool:
    """Whether the line of a finding is a game that counts: one that could be read."""
    code: str = record["code"]
    return not code.startswith("format.")


def _case_of(record: Record) -> tuple[Any, Any]:
    return record["line"], record["game"]


def _write_case(file: str, records: list[Record], *, is_strict: bool) -> None:
    first = records[0]
    place = "the file" if first["line"] is None else f"line {first['line']}"
    name = place if first["game"] is None else f"{first['game']} ({place})"
    _emit(f"<testcase classname={_attribute(file)} name={_attribute(name)}>\n")
    failing = [record for record in records if _fails(record, is_strict=is_strict)]
    if failing:
        head = f"{failing[0]['code']}: {failing[0]['message']}"
        codes = " ".join(dict.fromkeys(record["code"] for record in failing))
        _emit(f"<failure message={_attribute(head)} type={_attribute(codes)}>")
        _emit(escape("\n".join(map(_line, failing))) + "</failure>\n")
    others = [record for record in records if not _fails(record, is_strict=is_strict)]
    if others:
        _emit(f"<system-out>{escape(chr(10).join(map(_line, others)))}</system-out>\n")
    _emit("</testcase>\n")


def _write_hidden(count: int) -> None:
    """What is not shown must not look like success."""
    text = f"{count} more findings are not shown (--max-findings)"
    _emit(
        '<testsuite name="findings not shown" tests="1" failures="1" errors="0" skipped="0">\n'
        f'<testcase classname="findings" name="not shown"><failure message="{text}" '
        'type="hidden"/></testcase>\n</testsuite>\n'
    )


def _fails(record: Record, *, is_strict: bool) -> bool:
    return is_failing(record["severity"], is_strict=is_strict)


def _line(record: Record) -> str:
    parts = chain(
        (f"{name} {record[name]}" for name in ("action", "seat") if record[name] is not None),
        (f"{record['severity']} {record['code']}: {record['message']}",),
    )
    return cell(", ".join(parts))


def _attribute(text: str) -> str:
    return quoteattr(cell(text))


def _emit(text: str) -> None:
    emit(text.encode("ascii", "xmlcharrefreplace").decode())
