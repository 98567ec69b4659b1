"""Where things are, and how paipu runs as a process: for the tests of the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from click.testing import Result

ROOT: Final = Path(__file__).parents[2]
CASES: Final = ROOT / "tests" / "cases"

Game = dict[str, Any]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
Invoke = Callable[..., Result]
WriteLog = Callable[..., str]

COMMAND: Final = (sys.executable, "-m", "cli")


def environment(**changes: str) -> dict[str, str]:
    """The environment of a process that runs the checkout, in English."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    return {**kept, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", **changes}
