"""What a user installs: the wheel holds the packages, their data, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_wheel_holds_code_and_data(tmp_path: Path) -> None:
    """Every tracked file of both packages is in the wheel, presets and wordings too."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("paipu-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "analytics", "cli"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    expected = set(tracked.stdout.split())
    assert "analytics/rules/presets/jiule.toml" in expected
    assert expected <= names
    others = {name for name in names - expected if ".dist-info/" not in name}
    assert not {name for name in others if not name.startswith(("analytics/", "cli/"))}
