"""Names and sentences on lines of their own become a list of one line."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import asks, names_look

__all__ = ["restate_lines"]

_MARK: Final = re.compile(r"^\s*(?:[-–•*·]\s*|[(（]?\d{1,2}[.、)）]\s*|[①-⑨]\s*|[一二三四五六七八九]、\s*)")
_NO_ITEM: Final = re.compile(
    r"居中|加粗|粗体|标红|[一二两三四五六七八九十\d]+\s*(?:个空?)?(?:行|rows?\b)|\bbold\b", re.IGNORECASE
)
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_NAME_CHARS: Final = 12
_NAME_WORDS: Final = 4


def restate_lines(request: str) -> str:
    """The request with its only run of marked lines, or of short lines behind a colon, in one line."""
    lines = [one.strip() for one in request.splitlines() if one.strip()]
    if len(lines) < 3 or RequestText(request).quotes:
        return request
    marked = [at for at, line in enumerate(lines) if _MARK.match(line)]
    if len(marked) < 2:
        marked = _find_short(lines)
    if len(marked) == len(lines) and asks(_MARK.sub("", lines[0])):
        return _join_brief([_MARK.sub("", one).rstrip("。.;；") for one in lines])
    if len(marked) < 2 or marked != list(range(marked[0], marked[-1] + 1)) or not marked[0]:
        return request
    items = [_MARK.sub("", lines[at]).rstrip(" ,，、;；。.") for at in marked]
    if any(names_look(one) or _NO_ITEM.search(one) for one in items):
        return request
    head = lines[marked[0] - 1].rstrip(" :：")
    is_chinese = any(_CHINESE.search(one) for one in items)
    sign = _choose_sign(items, is_chinese=is_chinese)
    stop = "。" if is_chinese else ". "
    rest = [_begin(one) for one in lines[marked[-1] + 1 :]]
    return stop.join([*lines[: marked[0] - 1], f"{head}{'：' if is_chinese else ': '}{sign.join(items)}", *rest])


def _join_brief(lines: list[str]) -> str:
    """The numbered lines of an order, one clause or sentence each."""
    is_chinese = any(_CHINESE.search(one) for one in lines)
    return "，".join(lines) if is_chinese else ". ".join(_begin(one) for one in lines)


def _find_short(lines: list[str]) -> list[int]:
    """Lines behind one that ends with a colon, as long as they are short and of words only."""
    start = next((at for at, line in enumerate(lines) if line.endswith((":", "："))), None)
    found: list[int] = []
    for at in range(start + 1, len(lines)) if start is not None else ():
        if not _is_name(lines[at]) or re.search(r"[\d,，。;；:：、]", lines[at]):
            break
        found.append(at)
    return found


def _is_name(item: str) -> bool:
    return len(item) <= _NAME_CHARS if _CHINESE.search(item) else len(item.split()) <= _NAME_WORDS


def _choose_sign(items: list[str], *, is_chinese: bool) -> str:
    if all(_is_name(one) and not re.search(r"[,，、:：]", one) for one in items):
        return "、" if is_chinese else ", "
    return "；" if is_chinese else "; "


def _begin(line: str) -> str:
    bare = re.sub(r"^and\s+", "", line)
    return bare[:1].upper() + bare[1:]
