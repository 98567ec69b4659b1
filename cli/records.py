"""Findings as records: the same fields in every format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.words import NO_TERMS

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.wording import Language

FIELDS: Final = (
    "file", "line", "game", "action", "seat", "code", "severity",
    "recorded", "recomputed", "params", "message",
)  # fmt: skip


def record_of(
    finding: Finding, language: Language, terms: Mapping[str, str] = NO_TERMS
) -> dict[str, Any]:
    """A finding with plain values and its sentence, in the words of its house."""
    from analytics.wording import sentence

    return {
        "file": finding.file,
        "line": finding.line,
        "game": finding.game,
        "action": finding.action,
        "seat": finding.seat,
        "code": finding.code.text,
        "severity": finding.severity.value,
        "recorded": finding.recorded,
        "recomputed": finding.recomputed,
        "params": dict(finding.params),
        "message": sentence(finding, language, terms),
    }


def place_of(finding: Finding) -> str:
    """Where a finding is, for a message: file and line."""
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"


def is_failing(severity: str, *, is_strict: bool) -> bool:
    """Whether findings of a severity make a run fail."""
    return severity == "error" or (is_strict and severity == "warning")
