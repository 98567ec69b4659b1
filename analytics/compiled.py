"""The one switch by which kernels run compiled or not, and their cache.

A *kernel* is a plain function on ints and flat arrays, marked ``@kernel``. It
is always callable as the Python function that it is. ``run(entry, *args)``
calls an entry kernel either uncompiled or through numba, as the mode says:

- ``PAIPU_COMPILE=never``: always uncompiled;
- ``PAIPU_COMPILE=always``: always compiled;
- ``PAIPU_COMPILE=auto`` (default): uncompiled until ``expect(games)`` announces
  work above the break-even.

Uncompiled, arrays are handed over as memoryviews: their items are Python ints,
so that arithmetic cannot wrap and is as fast as the interpreter allows.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, overload

import numpy as np


class Ints(Protocol):
    """A flat array of ints as kernels see it: an array, or a memoryview of one."""

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Ints: ...
    def __getitem__(self, at: Any, /) -> Any: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


class Rows(Protocol):
    """An array of two dimensions as kernels see it: one row after another."""

    def __getitem__(self, at: int, /) -> Ints: ...
    def __len__(self) -> int: ...


class ModeError(ValueError):
    """``PAIPU_COMPILE`` is none of auto, always, never."""


F = TypeVar("F", bound=Callable[..., Any])

# Below this many games the uncompiled kernels finish before compiled ones are loaded, or,
# the first time, made (`make bench` measures both; docs/decisions/0003-compiled-kernels.md).
BREAK_EVEN_GAMES: Final = 1_000
BREAK_EVEN_GAMES_COLD: Final = 30_000

# Kernels allocate nothing: without reference counts for the arrays that are passed on,
# they run three times as fast.
_OPTIONS: Final = {"_nrt": False, "error_model": "numpy"}

_KEPT_DAYS: Final = 90  # kernels that no run has used for so long are removed
_PACKAGE: Final = Path(__file__).parent
_HAS_KERNELS: Final = re.compile(r"^@(called_|quick_)?kernel$|compiled\.run\(", re.MULTILINE)
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from|import) (analytics[\w.]*)(?: import (\([^)]*\)|[^\n]*))?", re.MULTILINE
)
_WORD: Final = re.compile(r"\w+")

_quick: set[Callable[..., Any]] = set()
_unregistered: list[tuple[Callable[..., Any], dict[str, bool]]] = []
_expected_games = 0
_warm: set[tuple[Path, Callable[..., Any]]] = set()  # entries that were seen in a cache


def kernel(function: F) -> F:
    """Marks a plain function as compilable; returns it unchanged.

    Compiled, it becomes part of whoever calls it: a call costs more than most kernels.
    """
    _unregistered.append((function, {"forceinline": True}))
    return function


def called_kernel(function: F) -> F:
    """Marks a plain function as compilable; compiled, it stays a function that is called.

    For what is long and called in several places: else compiling takes too long.
    """
    _unregistered.append((function, {}))
    return function


def quick_kernel(function: F) -> F:
    """As ``kernel``; as an entry it does so little that numba is not loaded for it alone."""
    _quick.add(function)
    return kernel(function)


def expect(games: int) -> None:
    """Announces work: about ``games`` games will pass through the kernels."""
    global _expected_games
    _expected_games = max(_expected_games, games)


def is_compiled(entry: Callable[..., Any]) -> bool:
    """Whether the next ``run`` of an entry kernel is compiled.

    Each entry is asked for by itself: the cache may hold what one command needs, and
    nothing of what another one does.

    Raises:
        ModeError: ``PAIPU_COMPILE`` is none of auto, always, never.
    """
    mode = os.environ.get("PAIPU_COMPILE", "auto")
    if mode not in ("auto", "always", "never"):
        raise ModeError(f"PAIPU_COMPILE is {mode!r}: auto, always or never is expected")
    if mode != "auto":
        return mode == "always"
    if _expected_games < BREAK_EVEN_GAMES:  # asking whether the cache is warm takes time
        return False
    if _expected_games >= BREAK_EVEN_GAMES_COLD:
        return True
    return _is_warm(entry) and (entry not in _quick or "numba" in sys.modules)


def is_cold() -> bool:
    """Whether kernels are to be compiled, and the cache has none at all."""
    mode = os.environ.get("PAIPU_COMPILE", "auto")
    pays = mode == "always" or (mode == "auto" and _expected_games >= BREAK_EVEN_GAMES_COLD)
    return pays and not any(cache_directory().glob("*/*.nbi"))


def run(entry: Callable[..., Any], *arguments: Any) -> Any:
    """Calls an entry kernel in the mode of the moment.

    Args:
        entry: a function marked ``@kernel``.
        arguments: ints, bools, ``bytes``, numpy arrays of one or two dimensions, and
            named tuples of these.
    """
    if is_compiled(entry):
        return _compile(entry)(*(_as_array(a) for a in arguments))
    return entry(*(_as_view(a) for a in arguments))


def _as_array(argument: Any) -> Any:
    """Bytes become an array of uint8; anything else stays as it is."""
    if isinstance(argument, tuple):
        return type(argument)(*map(_as_array, argument))
    return np.frombuffer(argument, np.uint8) if isinstance(argument, bytes) else argument


def _as_view(argument: Any) -> Any:
    """Arrays become memoryviews; of two dimensions, a list of them, one a row."""
    if isinstance(argument, tuple):
        return type(argument)(*map(_as_view, argument))
    if not isinstance(argument, np.ndarray):
        return argument
    if argument.ndim == 1:
        return argument.data
    return [row.data for row in argument]


@cache
def _compile(entry: Callable[..., Any]) -> Callable[..., Any]:
    directory = _usable_cache()
    is_warm = _is_warm(entry)
    if not is_warm:
        _say_once()
    os.environ.setdefault("NUMBA_OPT", "2")  # a third quicker to compile, equally fast
    with _garbage_left():
        numba: Any = import_module("numba")
        extending: Any = import_module("numba.extending")
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)
        while _unregistered:
            function, option = _unregistered.pop()
            extending.register_jitable(**option, **_OPTIONS)(function)
    compile_entry: Any = numba.njit(cache=directory is not None, nogil=True, **_OPTIONS)
    return _first_apart(compile_entry(entry), entry.__name__, is_warm=is_warm)


def _first_apart(compiled: Callable[..., Any], name: str, *, is_warm: bool) -> Callable[..., Any]:
    """The same; says how long the first call took where it had to compile."""
    is_first = True

    def call(*arguments: Any) -> Any:
        nonlocal is_first
        if not is_first:
            return compiled(*arguments)
        is_first = False
        begun = time.monotonic()
        with _garbage_left():
            answer = compiled(*arguments)
        seconds = time.monotonic() - begun
        if not is_warm and seconds >= 1:
            print(f"paipu: compiled {name} in {seconds:.0f} s", file=sys.stderr)
        return answer

    return call


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Lets what is unreachable lie meanwhile.

    Loading numba and kernels makes many objects that stay; searching them for garbage again
    and again takes a fifth of the time in which some thousand games are verified.
    """
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


@cache
def _say_once() -> None:
    words = "compiling the card kernels, once for this version; that may take some minutes ..."
    print(f"paipu: {words}", file=sys.stderr)


def cache_directory() -> Path:
    """Where compiled kernels are kept: named by a hash of every kernel source.

    numba's own cache does not notice a change in a kernel that another module
    calls, which would mean a stale rule. So the name carries ``kernel_hash``.
    """
    base = os.environ.get("PAIPU_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base else Path(os.path.expanduser("~")) / ".cache"
    return root / "paipu" / f"kernels-{kernel_hash()}"


@cache
def source_hash() -> str:
    """Sixteen hex digits over all sources of the package: what a result was made by."""
    return _hash_of(sorted(_PACKAGE.rglob("*.py")))


@cache
def kernel_hash() -> str:
    """Sixteen hex digits over what kernels are made of, numba's version and the processor.

    That is every module with a kernel and all that these import, since a kernel takes
    constants from modules that have none. It is found in the sources, not among the
    modules that are loaded: these differ between processes.
    """
    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = "no numba"
    return _hash_of(_kernel_sources(), f"{numba} {sys.version} {_processor()}")


def _hash_of(paths: Iterable[Path], more: str = "") -> str:
    digest = hashlib.blake2b(more.encode(), digest_size=8)
    for path in paths:
        digest.update(str(path.relative_to(_PACKAGE)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _kernel_sources() -> list[Path]:
    """The modules with kernels and all modules that they import, at any remove."""
    texts = {path: path.read_text("utf-8") for path in _PACKAGE.rglob("*.py")}
    waiting = [path for path, text in texts.items() if _HAS_KERNELS.search(text)]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(texts[path])
    return sorted(found)


def _imported(text: str) -> Iterator[Path]:
    """The files of this package that a source imports; its outermost door not counted."""
    for module, names in _IMPORT.findall(text):
        package = _PACKAGE.joinpath(*module.split(".")[1:])
        places = [package, *(package / name for name in _WORD.findall(names))]
        files = [place.with_suffix(".py") for place in places]
        files += [place / "__init__.py" for place in places if place != _PACKAGE]
        yield from (file for file in files if file.is_file())


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            return "".join(sorted({x for x in lines if x.startswith(("model name", "flags"))}))
    except OSError:
        import platform

        return platform.processor()


def _is_warm(entry: Callable[..., Any]) -> bool:
    """Whether the cache has an entry kernel, made from this very file.

    numba files it under the folder of its source, so another copy of paipu has its own.
    """
    directory = cache_directory()
    if (directory, entry) in _warm:  # looking takes longer than most kernels
        return True
    source = Path(os.path.abspath(entry.__code__.co_filename))
    folder = f"{source.parent.name}_{hashlib.sha1(str(source.parent).encode()).hexdigest()}"
    name = f"{source.stem}.{entry.__qualname__}-*.nbi"
    if any((directory / folder).glob(name)):
        _warm.add((directory, entry))
    return (directory, entry) in _warm


def _usable_cache() -> Path | None:
    """The cache directory, or None (said once) where nothing can be written."""
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        os.utime(directory)
        with tempfile.TemporaryFile(dir=directory):
            _remove_unused(directory.parent)
            return directory
    except OSError as problem:
        print(f"paipu: kernels are compiled anew each time ({problem})", file=sys.stderr)
        return None


def _remove_unused(caches: Path) -> None:
    """Removes the kernels of versions that were not used for long."""
    oldest = time.time() - _KEPT_DAYS * 86_400
    for folder in caches.glob("kernels-*"):
        with suppress(OSError):  # another run may do the same
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)
