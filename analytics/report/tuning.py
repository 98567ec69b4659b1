"""Pages of tuning: a what-if, a sensitivity, a search, populations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from analytics.plots import tuning as plots
from analytics.report.page import NOTHING, Page, Section, figure_of, render, table_of, table_of_rows
from analytics.rules import Difference, Ruleset, diff, to_toml, to_toml_value
from analytics.tuning.sensitivity import FIRST, foremost
from analytics.tuning.standing import FIGURES
from analytics.wording import Language, Words

if TYPE_CHECKING:
    import pandas as pd

    from analytics.tuning.in_order import InOrder
    from analytics.tuning.search import Found
    from analytics.tuning.sensing import Sensed
    from analytics.tuning.whatif import WhatIf

_DRIVERS: Final = 3  # that a page names in words


class WhichGames(Protocol):
    """Which games of a warehouse were asked for: ``Asked``, or the header of a what-if."""

    @property
    def where(self) -> str | None: ...
    @property
    def since(self) -> date | None: ...
    @property
    def until(self) -> date | None: ...
    @property
    def day_start(self) -> time: ...
    @property
    def zone(self) -> str: ...


class MadeOf(NamedTuple):
    """What a page was made of, besides its rulesets.

    Attributes:
        warehouse: its folder; None: there is none.
        manifest: hash over its manifest, and so over all that is in it.
        engine: the version of paipu.
        asked: which games of the warehouse; None: there is none.
    """

    warehouse: str | None
    manifest: str | None
    engine: str
    asked: WhichGames | None = None


class _Writer:
    """Says texts of pages in a language, and gives figures their caption."""

    def __init__(self, language: Language, note: str) -> None:
        self.language, self._note = language, note
        self._words = Words(language)

    def said(self, key: str, /, **values: object) -> str:
        return self._words.said(f"page.{key}", **values)

    def held_fixed(self) -> str:
        """That actions are held fixed, and what that means."""
        return self.said("held")

    def figures(self, draw: Any, frame: pd.DataFrame) -> Any:
        return figure_of(draw, frame, self.language, self._note)

    def tornado(self, rows: pd.DataFrame) -> Any:
        """A tornado with all these bars, as high as they need."""
        draw = partial(plots.tornado, most=len(rows))
        return figure_of(draw, rows, self.language, self._note, bars=len(rows))

    def section(
        self, name: str, draw: Any, frame: pd.DataFrame, more: Sequence[str] = ()
    ) -> Section:
        """A section with one figure and the table that it is drawn of."""
        return Section(
            self.said(f"{name}.title"),
            (self.said(f"{name}.text"), *more),
            self.figures(draw, frame),
            (table_of(self.said("behind"), frame),),
        )

    def over_days(self, frame: pd.DataFrame) -> Iterator[Section]:
        """What players hold, and what becomes of it, over days."""
        yield self.section("fan", plots.fan, frame)
        for figure in FIGURES:
            rows = frame[(frame["figure"] == figure) & frame["value"].notna()]
            if len(rows):
                yield self.section(figure, plots.over_days, rows)

    def facts(self, made_of: MadeOf, **more: object) -> tuple[tuple[str, str], ...]:
        """Labels and values of what a page was made of; what is None is left out."""
        origin = made_of._asdict()
        asked = origin.pop("asked")
        values = {**more, **({} if asked is None else self._which(asked)), **origin}
        return tuple(
            (self.said(f"fact.{name}"), f"{value:,}" if isinstance(value, int) else str(value))
            for name, value in values.items()
            if value is not None
        )

    def _which(self, asked: WhichGames) -> dict[str, object]:
        """Which games were asked for, in any case something."""
        narrowed = {"where": asked.where, "since": asked.since, "until": asked.until}
        if all(value is None for value in narrowed.values()):
            narrowed = {"where": self.said("every_game")}
        return {**narrowed, "day_start": f"{asked.day_start:%H:%M}", "zone": asked.zone}

    def ruleset(self, ruleset: Ruleset) -> Section:
        """A ruleset as the file that it would be."""
        lines = [[line] for line in to_toml(ruleset).splitlines() if line]
        rows = table_of_rows(self.said("as_file"), ["toml"], lines)
        title = self.said("ruleset.title", at=ruleset.at)
        return Section(title, (named(ruleset),), (), (rows._replace(is_open=False),))


def hash_of(given: str) -> str:
    """SHA-256 of a file in UTF-8, as ``sha256sum`` prints it."""
    return sha256(given.encode()).hexdigest()


def named(ruleset: Ruleset) -> str:
    """Name, version and hash of a ruleset."""
    return f"{ruleset.at} · {ruleset.hash}"


def whatif_page(found: WhatIf, language: Language, in_order: InOrder | None = None) -> str:
    """A what-if as a page.

    Args:
        found: two tables side by side.
        language: of the page.
        in_order: the same with balances carried forward; None: it was not asked for.
    """
    head = found.header
    note = f"n = {head.compared:,} · {head.baseline.at} → {head.candidate.at}"
    own = _Writer(language, note)
    sections = [
        _differences(head.differences, own),
        *_illegal(found, own),
        own.section("items", plots.items, found.economy),
        _players(found, own),
        own.section("paired", plots.paired, found.paired),
        own.section("tiers", plots.who, found.tiers),
        own.section("levels", plots.who, found.levels),
        _drivers(found.drivers, own),
    ]
    if in_order is not None:
        sections += _in_order(in_order, own)
    sections += [own.ruleset(ruleset) for ruleset in (head.baseline, head.candidate)]
    names = {"baseline": head.baseline.at, "candidate": head.candidate.at}
    page = Page(
        language,
        own.said("whatif.title", **names),
        (own.held_fixed(),),
        own.facts(
            MadeOf(head.warehouse, head.manifest, head.engine, head),
            baseline=named(head.baseline),
            candidate=named(head.candidate),
            unit=head.unit, games=head.games, compared=head.compared, broken=head.broken,
            missing=None if found.illegal is None else head.missing,
            players=head.players, days=head.days, resamples=head.resamples, seed=head.seed,
        ),
        tuple(sections),
    )  # fmt: skip
    return render(page)


def in_order_page(found: InOrder, made_of: MadeOf, language: Language) -> str:
    """Two tables on games in order as a page: where groups of games cannot tell.

    Args:
        found: two tables side by side.
        made_of: where they come from.
        language: of the page.
    """
    own = _Writer(language, f"n = {found.games:,} · {found.baseline.at} → {found.candidate.at}")
    rulesets = (found.baseline, found.candidate)
    page = Page(
        language,
        own.said("whatif.title", baseline=found.baseline.at, candidate=found.candidate.at),
        (own.held_fixed(),),
        own.facts(
            made_of,
            baseline=named(found.baseline),
            candidate=named(found.candidate),
            games=found.games,
            left_out=found.left_out,
        ),
        (
            _differences(diff(*rulesets), own),
            *_in_order(found, own),
            *(own.ruleset(ruleset) for ruleset in rulesets),
        ),
    )
    return render(page)


def _in_order(found: InOrder, own: _Writer) -> Iterator[Section]:
    text = own.said("in_order.text", left_out=f"{found.left_out:,}")
    tables = table_of(own.said("behind"), found.metrics), table_of(own.said("behind"), found.paired)
    figures = own.figures(plots.paired, found.paired)
    yield Section(own.said("in_order.title"), (text,), figures, tables)
    yield own.section("holding", plots.lorenz, found.lorenz)
    yield from own.over_days(found.over_time)


def _players(found: WhatIf, own: _Writer) -> Section:
    """How many players gain and lose, and how unequally."""
    section = own.section("players", plots.lorenz, found.lorenz)
    return section._replace(
        tables=(table_of(own.said("counted"), found.of_players), *section.tables)
    )


def _illegal(found: WhatIf, own: _Writer) -> Iterator[Section]:
    """What the candidate does not allow, where games were replayed by it."""
    if found.illegal is not None:
        text = own.said("illegal.text", missing=f"{found.header.missing:,}")
        tables = (table_of(own.said("behind"), found.illegal),)
        yield Section(own.said("illegal.title"), (text,), (), tables)


def _differences(differences: Sequence[Difference], own: _Writer) -> Section:
    rows = [[each.path, _toml(each.left), _toml(each.right)] for each in differences]
    text = own.said("differences.text" if rows else "differences.none")
    tables = (table_of_rows(own.said("behind"), ["path", "left", "right"], rows),) if rows else ()
    return Section(own.said("differences.title"), (text,), (), tables)


def _toml(value: Any) -> Any:
    """A value as TOML writes it; numbers as they are, None where there is none."""
    return value if value is None or type(value) is int else to_toml_value(value)


def _or_dash(value: Any) -> Any:
    return NOTHING if value is None else value


def _signed(amount: float) -> str:
    """A whole amount with its sign; of nothing there is none."""
    return f"{amount:+,.0f}" if round(amount) else "0"


def _drivers(frame: pd.DataFrame, own: _Writer) -> Section:
    """The largest drivers in words, all of them as a table."""
    first = [
        own.said("drivers.one", path=row.path, left=_or_dash(row.left), right=_or_dash(row.right),
                 effect=_signed(row.moved_effect), system=_signed(row.system_effect))
        for row in frame.head(_DRIVERS).itertuples()
    ]  # fmt: skip
    texts = (own.said("drivers.text"), *first)
    tables = (table_of(own.said("behind"), frame),)
    return Section(own.said("drivers.title"), texts, (), tables)


def sensitivity_page(
    found: Sensed, made_of: MadeOf, language: Language, *, top: int = FIRST
) -> str:
    """A sensitivity as a page: a tornado a metric.

    Args:
        found: what entries do.
        made_of: where it comes from.
        language: of the page.
        top: bars of a tornado at most; 0: all.
    """
    own = _Writer(language, f"n = {found.games:,} · {found.ruleset.at}")
    sections = []
    for metric in found.sensitivity["metric"].unique():
        rows = found.sensitivity[found.sensitivity["metric"] == metric]
        title = own.said("tornado.title", metric=metric)
        tables = (table_of(own.said("behind"), rows)._replace(is_open=False),)
        sections.append(Section(title, (), own.tornado(foremost(rows, top)), tables))
    pairs = table_of(own.said("behind"), found.interactions)
    texts = (own.said("interactions.text"),)
    sections.append(Section(own.said("interactions.title"), texts, (), (pairs,)))
    sections.append(own.ruleset(found.ruleset))
    page = Page(
        language,
        own.said("sensitivity.title", at=found.ruleset.at),
        (own.said("sensitivity.text"), own.held_fixed()),
        own.facts(
            made_of,
            paid_by=named(found.paid_by),
            baseline=named(found.ruleset),
            games=found.games,
            groups=found.groups,
        ),
        tuple(sections),
    )
    return render(page)


def search_page(found: Found, made_of: MadeOf, given: str, language: Language) -> str:
    """A search as a page: the Pareto set, or what is missed, and the goals.

    Args:
        found: by the search.
        made_of: where it comes from.
        given: the file of its goals.
        language: of the page.
    """
    own = _Writer(language, f"{found.goals.name} · {found.baseline.at} · seed {found.goals.seed}")
    if found.rulesets:
        tables = table_of(own.said("tables"), found.tables)
        first = own.section("pareto", partial(plots.pareto, baseline=found.now), found.front)
        sections = [first._replace(tables=(tables, *first.tables))]
    else:
        rows = (table_of(own.said("behind"), found.shortfalls),)
        sections = [Section(own.said("missed.title"), (own.said("missed.text"),), (), rows)]
    sections.append(Section(own.said("goals.title"), (own.said("goals.text"),), given=given))
    sections += [own.ruleset(ruleset) for ruleset in (found.baseline, *found.rulesets)]
    page = Page(
        language,
        own.said("search.title", name=found.goals.name),
        (own.said("search.text", tried=f"{found.tried:,}", feasible=f"{found.feasible:,}"),
         own.held_fixed()),
        own.facts(made_of, goals=hash_of(given), baseline=named(found.baseline),
                  seed=found.goals.seed),
        tuple(sections),
    )  # fmt: skip
    return render(page)


def population_page(
    over_time: pd.DataFrame,
    rulesets: Sequence[Ruleset],
    made_of: MadeOf,
    asked: Mapping[str, object],
    language: Language,
) -> str:
    """Populations under tables as a page.

    Args:
        over_time: of ``standing.over_time``.
        rulesets: the tables.
        made_of: where it comes from.
        asked: what every run was to be: ``games``, ``players``, ``days``, ``runs``, ``seed``.
        language: of the page.
    """
    names = ", ".join(ruleset.at for ruleset in rulesets)
    own = _Writer(language, f"{names} · {asked['runs']} × {asked['games']:,}")
    page = Page(
        language,
        own.said("population.title", names=names),
        (own.said("population.text"),),
        own.facts(made_of, tables=" · ".join(map(named, rulesets)), **asked),
        (*own.over_days(over_time), *(own.ruleset(ruleset) for ruleset in rulesets)),
    )
    return render(page)
