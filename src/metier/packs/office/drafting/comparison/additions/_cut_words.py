"""Texts of a plan that begin or end inside of a Chinese word: 班时间 of 写上班时间, 海分公司 of 写上海分公司."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import rjieba

from metier.packs.office._counts import PERIODS
from metier.packs.office._request_text import CHINESE, find_spans

__all__ = ["find_cut_word"]

_CACHED_TEXTS: Final = 64
_WRITES: Final = re.compile(r"[写填列放加标注]$")  # 上 of 写上 belongs to the verb, and so does not to what is written

_PERIOD: Final = re.compile(PERIODS, re.IGNORECASE)  # 第1周 of 第1周到第6周, where 周到 would be a word


def find_cut_word(request: str, texts: Sequence[str]) -> str:
    """The first word of a request that a text has only a part of wherever it stands; empty if there is none."""
    for text in dict.fromkeys(one for one in texts if not _PERIOD.fullmatch(one)):
        cut = [_find_cut(request, start, end) for start, end in find_spans(text, request)]
        if cut and all(cut):
            return cut[0]
    return ""


def _find_cut(request: str, start: int, end: int) -> str:
    """The word that goes on over an edge of a stretch and leaves one character of it inside, a word of its own."""
    words = _list_words(request)
    if request[start : start + 1] == "上" and _WRITES.search(request[:start]) and (start, start + 1) in words:
        return request[start - 1 : end]
    inner = _list_words(request[start:end])
    if request[start - 1 : start] == "上" and _WRITES.search(request[: start - 1]):
        breaks = {start + last for _, last in inner}
        longer = (request[a:b] for a, b in words if a == start - 1 and b > start and (b in breaks or b > end))
        if whole := next(longer, ""):
            return whole  # 写上半年销量: 上半年, or 写上? Not so 写上房号, where 上房 would cut 房号
    edges = ((start, inner[0]), (end, inner[-1])) if inner else ()
    for at, (first, last) in edges:
        if last - first == 1 and (whole := next((request[a:b] for a, b in words if a < at < b), "")):
            return whole if CHINESE.fullmatch(request, at - 1, at) and CHINESE.match(request, at) else ""
    return ""


@lru_cache(_CACHED_TEXTS)
def _list_words(text: str) -> tuple[tuple[int, int], ...]:
    """Where the words of a text begin and end."""
    found, at = [], 0
    for word in rjieba.cut(text, hmm=False):
        found.append((at, at + len(word)))
        at += len(word)
    return tuple(found)
