"""The language is taken from the locale."""

from __future__ import annotations

import pytest

from analytics.wording import default_language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "ZH"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LC_ALL": "C", "LANG": "zh_CN.GBK"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"}, "zh"),
        ({"LC_MESSAGES": "en_US", "LANG": "zh_CN"}, "en"),
        ({"LC_CTYPE": "zh_CN"}, "en"),
    ],
)
def test_the_first_variable_that_is_set_decides(environment: dict[str, str], language: str) -> None:
    """LC_ALL goes before LC_MESSAGES, that before LANG; empty is not set."""
    assert default_language(environment) == language


def test_the_process_is_asked_when_nothing_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an argument the variables of the process are read."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert default_language() == "zh"
