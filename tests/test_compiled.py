"""The switch between compiled and uncompiled kernels, and the cache of kernels."""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from analytics import compiled
from analytics.logs import batch_of
from analytics.logs.hashing import hash_texts
from analytics.logs.scanning import scan_lines
from analytics.rules import load_rulesets
from analytics.shuangkou.replaying import replay_games
from analytics.verify import verify_batch
from tests.games import fixture_games

ROOT = Path(__file__).parents[1]


def _run(code: str, tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs code, from a file since numba keeps nothing of what has none, on a tree's package."""
    script = tree / "ask.py"
    script.write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(script)],
        cwd=tree,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_uncompiled_arrays_become_memoryviews_of_python_ints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Uncompiled kernels see Python ints, so that no sum can wrap."""
    monkeypatch.setenv("PAIPU_COMPILE", "never")
    seen = []

    def entry(flat: object, table: list[object]) -> None:
        seen.append(type(flat[0]))  # type: ignore[index]
        seen.append(type(table[1][0]))  # type: ignore[index]

    compiled.run(entry, np.array([1, 2]), np.array([[1], [2]]))
    assert seen == [int, int]


def test_an_unknown_mode_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped PAIPU_COMPILE is an error, not a guess."""
    monkeypatch.setenv("PAIPU_COMPILE", "sometimes")
    with pytest.raises(ValueError, match="sometimes"):
        compiled.is_compiled(scan_lines)


def test_small_inputs_stay_uncompiled_and_large_ones_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The announced work decides, and only in mode auto."""
    monkeypatch.setenv("PAIPU_COMPILE", "auto")
    monkeypatch.setattr(compiled, "_expected_games", 0)
    compiled.expect(10)
    assert not compiled.is_compiled(scan_lines)
    compiled.expect(10_000_000)
    assert compiled.is_compiled(scan_lines)
    monkeypatch.setenv("PAIPU_COMPILE", "never")
    assert not compiled.is_compiled(scan_lines)


def test_a_cache_of_other_kernels_makes_nothing_compile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Between the two break-evens only those run compiled that are in the cache, for this copy."""
    monkeypatch.setenv("PAIPU_COMPILE", "auto")
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    compiled.expect(2_000)
    logs = str(ROOT / "analytics" / "logs")
    for copy in ("/elsewhere/analytics/logs", logs):
        assert not compiled.is_compiled(scan_lines)
        kept = compiled.cache_directory() / f"logs_{hashlib.sha1(copy.encode()).hexdigest()}"
        kept.mkdir(parents=True)
        (kept / "scanning.scan_lines-80.py311.nbi").touch()
    assert compiled.is_compiled(scan_lines)
    assert not compiled.is_compiled(replay_games)
    assert not compiled.is_cold()


def test_numba_is_not_loaded_for_a_quick_kernel_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """That takes longer than some thousand games; another one may have loaded it."""
    monkeypatch.setenv("PAIPU_COMPILE", "auto")
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiled, "_expected_games", 2_000)
    monkeypatch.setattr(compiled, "_is_warm", lambda entry: True)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert compiled.is_compiled(scan_lines)
    assert not compiled.is_compiled(hash_texts)
    monkeypatch.setitem(sys.modules, "numba", compiled)
    assert compiled.is_compiled(hash_texts)
    monkeypatch.delitem(sys.modules, "numba")
    compiled.expect(compiled.BREAK_EVEN_GAMES_COLD)
    assert compiled.is_compiled(hash_texts)


def test_compiled_and_uncompiled_give_the_same_verdicts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every column of every fixture game is equal in both modes."""
    rulebook = load_rulesets()
    batch = batch_of(fixture_games(), rulebook)
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PAIPU_COMPILE", "never")
    plain = verify_batch(batch, rulebook)
    monkeypatch.setenv("PAIPU_COMPILE", "always")
    fast = verify_batch(batch, rulebook)
    for name in ("games", "seats", "bombs", "findings"):
        assert np.array_equal(getattr(plain.facts, name), getattr(fast.facts, name)), name
    for name in ("games", "seats", "items", "system"):
        assert np.array_equal(getattr(plain.settled, name), getattr(fast.settled, name)), name
    assert np.array_equal(plain.findings, fast.findings)


def test_the_cache_is_named_by_all_that_kernels_are_made_of() -> None:
    """What a module with kernels imports counts, at any remove; what imports it does not."""
    counted = set(compiled._kernel_sources())
    package = ROOT / "analytics"
    assert {package / "shuangkou" / "melds.py", package / "rules" / "row.py"} <= counted
    assert package / "jobs" / "working.py" not in counted
    for path in counted:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("analytics"):
                assert node.level == 0
                assert _files_of(node) <= counted, (path, node.module)


def _files_of(node: ast.ImportFrom) -> set[Path]:
    """The modules that an import names, the outermost door not counted."""
    place = ROOT.joinpath(*str(node.module).split("."))
    named = [place, *(place / name.name for name in node.names)]
    files = {file for p in named for file in (p.with_suffix(".py"), p / "__init__.py")}
    return {file for file in files if file.is_file()} - {ROOT / "analytics" / "__init__.py"}


_XIANG_OF_JOKERS = """
import numpy as np
from analytics import compiled
from analytics.shuangkou import replay  # all kernels
from analytics.compiled import kernel
from analytics.shuangkou.melds import joker_bomb
@kernel
def entry(row, out):
    out[0] = joker_bomb(3, row).xiang
out = np.zeros(1, np.int64)
compiled.run(entry, np.zeros(200, np.int64), out)
print(out[0])
"""


_IS_WARM = """
import numpy as np
from analytics import compiled
from analytics.logs.moments import read_moments
chars, ints = np.zeros(1, np.uint8), np.zeros(1, np.int64)
print(compiled._is_warm(read_moments))
compiled.run(read_moments, chars, ints, 0, ints, np.zeros(1, np.int16), np.zeros(1, np.int8))
print(compiled._is_warm(read_moments))
"""


def test_compiled_kernels_are_found_in_the_cache(tmp_path: Path) -> None:
    """numba names its files as they are looked for."""
    cache = str(tmp_path / "cache")
    done = _run(_IS_WARM, tmp_path, PAIPU_COMPILE="always", PAIPU_CACHE_DIR=cache)
    assert done.stdout.split() == ["False", "True"]


def test_compiling_says_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    """Once for a kernel, and nothing of what takes no time."""
    moments = iter([0.0, 41.4, 100.0, 100.2, 200.0, 290.0])
    with patch("analytics.compiled.time.monotonic", lambda: next(moments)):
        slow = compiled._first_apart(lambda number: number + 1, "slow", is_warm=False)
        assert [slow(1), slow(2)] == [2, 3]
        assert compiled._first_apart(str, "quick", is_warm=False)(1) == "1"
        assert compiled._first_apart(str, "loaded", is_warm=True)(1) == "1"
    assert capsys.readouterr().err == "paipu: compiled slow in 41 s\n"


def test_kernels_that_nobody_uses_any_more_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every version has its own; those that ran lately, and what is no cache, stay."""
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    folder = compiled.cache_directory().parent
    for name, days in (("kernels-old", 91), ("kernels-late", 89), ("other", 200)):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").touch()
        then = time.time() - days * 86_400
        os.utime(folder / name, (then, then))
    os.utime(folder, (0, 0))
    assert compiled._usable_cache() == compiled.cache_directory()
    left = sorted(path.name for path in folder.iterdir())
    assert left == sorted([compiled.cache_directory().name, "kernels-late", "other"])


def test_editing_a_kernel_changes_the_verdict_of_the_next_run(tmp_path: Path) -> None:
    """The cache never answers with a rule that has since been changed."""
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "analytics", tree / "analytics")
    options = {"PAIPU_COMPILE": "always", "PAIPU_CACHE_DIR": str(tmp_path / "cache")}
    assert _run(_XIANG_OF_JOKERS, tree, **options).stdout.strip() == "6"
    melds = tree / "analytics" / "shuangkou" / "melds.py"
    text = melds.read_text(encoding="utf-8")
    changed = text.replace("THREE_JOKERS_XIANG: Final = 6", "THREE_JOKERS_XIANG: Final = 5")
    assert changed != text
    melds.write_text(changed, encoding="utf-8")
    assert _run(_XIANG_OF_JOKERS, tree, **options).stdout.strip() == "5"


def test_kernels_compile_where_nothing_can_be_written(tmp_path: Path) -> None:
    """Without a usable cache, kernels are compiled in memory, and that is said once."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    blocked.chmod(stat.S_IRUSR)
    done = _run(_XIANG_OF_JOKERS, tmp_path, PAIPU_COMPILE="always", PAIPU_CACHE_DIR=str(blocked))
    assert done.stdout.strip() == "6"
    assert done.stderr.count("compiled anew each time") == 1


def test_the_cache_directory_needs_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where HOME is not set, the directory still has a name."""
    for name in ("HOME", "XDG_CACHE_HOME", "PAIPU_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert compiled.cache_directory().name.startswith("kernels-")
