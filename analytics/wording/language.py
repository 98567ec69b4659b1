"""Which language a person most likely reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from analytics.wording.catalogue import Language

# The order in which POSIX looks for the language of messages.
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def default_language(environment: Mapping[str, str] | None = None) -> Language:
    """The language of the locale: Chinese where it begins with zh, else English.

    Args:
        environment: environment variables; those of the process where not given.

    >>> default_language({"LANG": "zh_CN.UTF-8"}), default_language({"LANG": "C"})
    ('zh', 'en')
    """
    given = os.environ if environment is None else environment
    locale = next((given[name] for name in _VARIABLES if given.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"
