"""What the command line says by itself, in English and Chinese.

Findings, codes and most headings have their words in ``analytics.wording``; here is
only what nobody else needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from analytics.wording import Language

_HEADINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "seats": {"en": "seats", "zh": "座位数"},
    "unit": {"en": "unit", "zh": "单位"},
    "source": {"en": "source", "zh": "来源"},
    "declared": {"en": "jokers as", "zh": "财神作"},
    "counts": {"en": "counts", "zh": "采用"},
    "path": {"en": "log", "zh": "日志"},
    "status": {"en": "status", "zh": "状态"},
    "added": {"en": "added", "zh": "新增"},
    "copies": {"en": "copies", "zh": "重复"},
    "conflicts": {"en": "conflicts", "zh": "冲突"},
    "collisions": {"en": "collisions", "zh": "键冲突"},
    "file_key": {"en": "file key", "zh": "文件键"},
    "rows": {"en": "rows", "zh": "行数"},
    "bytes": {"en": "bytes", "zh": "字节"},
}

_SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "more": {
        "en": "Not shown for --max-findings: {count:,}.",
        "zh": "因 --max-findings 未列出：{count:,}。",
    },
    "verified": {
        "en": "games {games:,}, verified {verified:,}, mismatched {mismatched:,}, "
        "unreadable {unreadable:,}, duplicates {duplicates:,}, {seconds} s",
        "zh": "牌局数 {games:,}，核对一致 {verified:,}，不一致 {mismatched:,}，"
        "无法读取 {unreadable:,}，重复 {duplicates:,}，用时 {seconds} 秒",
    },
    "loaded": {
        "en": "games {games:,}, added {added:,}, copies {copies:,}, conflicts {conflicts:,}, "
        "mismatched {mismatched:,}, unreadable {unreadable:,}, {seconds} s",
        "zh": "牌局数 {games:,}，新增 {added:,}，重复 {copies:,}，冲突 {conflicts:,}，"
        "不一致 {mismatched:,}，无法读取 {unreadable:,}，用时 {seconds} 秒",
    },
    "more_rows": {
        "en": "There are more rows than --max-rows {count:,}.",
        "zh": "行数超过 --max-rows {count:,}，其余未列出。",
    },
    "settled": {
        "en": "games {games:,}, ok {ok:,}, bad {bad:,}, {seconds} s",
        "zh": "牌局数 {games:,}，正常 {ok:,}，有误 {bad:,}，用时 {seconds} 秒",
    },
    "converted": {
        "en": "games {games:,} to {output}, lines left out {bad:,}, {seconds} s",
        "zh": "牌局数 {games:,}，写入 {output}，略去行数 {bad:,}，用时 {seconds} 秒",
    },
    "progress": {
        "en": "games {games:,}, {rate:,}/s, findings {findings:,}{left}",
        "zh": "牌局数 {games:,}，每秒 {rate:,}，问题 {findings:,}{left}",
    },
    "simulating": {
        "en": "games {games:,}, {rate:,}/s{left}",
        "zh": "牌局数 {games:,}，每秒 {rate:,}{left}",
    },
    "simulated": {
        "en": "games {games:,} to {output}, {seconds} s",
        "zh": "牌局数 {games:,}，写入 {output}，用时 {seconds} 秒",
    },
    "left": {"en": ", {left} left", "zh": "，剩余 {left}"},
    "yes": {"en": "yes", "zh": "是"},
    "no": {"en": "no", "zh": "否"},
    "equal": {
        "en": "No setting, title or term differs.",
        "zh": "设置、标题和用语都没有不同。",
    },
    "checked": {
        "en": "files {files:,}, errors {errors:,}, warnings {warnings:,}",
        "zh": "文件 {files:,}，错误 {errors:,}，警告 {warnings:,}",
    },
}


def heading(name: str, language: Language) -> str:
    """The heading of a column."""
    from analytics.wording import word

    if name in _HEADINGS:
        return _HEADINGS[name][language]
    return word(f"column.{name}", language)


def said(name: str, language: Language, **values: Any) -> str:
    """A sentence with its values."""
    return _SENTENCES[name][language].format(**values)
