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
# A process that was started in the background by a shell without job control ignores
# interrupts, and so do its children unless they say otherwise.
INTERRUPTIBLE: Final = (
    sys.executable,
    "-c",
    "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('cli', run_name='__main__', alter_sys=True)",
)


def environment(**changes: str) -> dict[str, str]:
    """The environment of a process that runs the checkout, in English."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    return {**kept, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", **changes}
