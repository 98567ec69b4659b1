"""Fonts: which one draws hanzi, if any does."""

from __future__ import annotations

from functools import cache
from typing import Final

# In the order of preference: simplified shapes first.
FAMILIES: Final = (
    "Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", "Source Han Sans CN", "PingFang SC",
    "Microsoft YaHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Noto Sans CJK JP",
)  # fmt: skip
_HANZI: Final = "\u2e80"  # where the scripts begin that the usual font cannot draw


@cache
def hanzi_family() -> str | None:
    """The family that draws hanzi: an installed one, or that of ``paipu[cjk]``; else None."""
    from matplotlib import font_manager

    names = {font.name for font in font_manager.fontManager.ttflist}
    found = next((family for family in FAMILIES if family in names), None)
    return found or _of_extra()


def _of_extra() -> str | None:
    from matplotlib import font_manager

    try:
        from pylopdf_fonts_zh_cn import sans_path
    except ImportError:
        return None
    font_manager.fontManager.addfont(str(sans_path()))
    return font_manager.FontProperties(fname=str(sans_path())).get_name()


def drawable(text: str, family: str | None) -> str:
    r"""A text that can be drawn: hanzi as escapes where no font has them.

    >>> drawable("room 财", None), drawable("room 财", "Noto Sans SC")
    ('room \\u8d22', 'room 财')
    """
    if family is not None:
        return text
    return "".join(c if c < _HANZI else c.encode("unicode_escape").decode() for c in text)
