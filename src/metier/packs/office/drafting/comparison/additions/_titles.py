"""Titles with a comma in them that were written only up to it, or from it."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText, find_spans
from metier.packs.office.drafting._asides import asks, begins_with_order, is_spoken, names_look

__all__ = ["find_cut_title", "find_cut_verb"]

_CUE: Final = re.compile(
    r"(?:标题|题目|主题|横幅|标语|艺术字)(?:文字|内容)?(?:(?:为|是|叫|写|用)*:|(?:为|是|叫|写|用)+)|"
    r"\b(?:titled|called|headed|title is)(?:\s*:|\s)\s*|\b(?:title|heading|headline|banner)\s*:\s*",
    re.IGNORECASE,
)
_STOP: Final = re.compile(r"[。;\n\"]|\.(?=\s|$)")
_COMMA: Final = re.compile(r"\s*[,，]\s*")
# A part of the plan that a clause is about.
_OF_PLAN: Final = re.compile(
    r"标题|[表列栏]|数据|内容|要点|条目|[一二两三四五六七八九十几]\s*[行个条项页部]|字|颜色|末尾|开头|文末|分为|包括|包含|"
    r"\b(?:with|columns?|rows?|subtitle|points?|bullets?|data|items?|sections?|at the|by|in|on|for|and|showing)\b",
    re.IGNORECASE,
)
# What is said to the reader behind a title.
_COURTESY: Final = re.compile(
    r"(?:谢谢|多谢|辛苦|麻烦|拜托)(?:你|您|大家|啦|了)*[!！]*|就行|即可|(?:many )?thanks(?: a lot)?!?|"
    r"thank you!?|please|cheers",
    re.IGNORECASE,
)
_CUT_VERB: Final = re.compile(r"[:：]\s*[为是写叫有用要把将]$")


def find_cut_title(text: RequestText, texts: Sequence[str]) -> str:
    """A title and what stands behind its comma, where the plan has but one of the two."""
    written = {_plain(one) for one in texts}
    for cue in _CUE.finditer(text.mask):
        stop = _STOP.search(text.mask, cue.end())
        said = text.raw[cue.end() : stop.start() if stop else len(text.raw)].strip()
        pieces = [one for one in _COMMA.split(said) if one]
        if len(pieces) < 2:
            continue
        first, following = _plain(pieces[0]), pieces[1]
        if any(_plain(one) in written for one in pieces[1:]) and not any(first in one for one in written):
            return said
        if first in written and _goes_on(following, written, is_opened=cue[0].rstrip().endswith(":")):
            return f"{pieces[0]}，{following}" if "，" in said else f"{pieces[0]}, {following}"
    return ""


def find_cut_verb(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A title without the verb that it begins with behind its colon: 标题：为什么是现在."""
    for step in steps:
        title = str(step.get("title") if step.get("op") == "add_slide" else step.get("text") or "").lstrip("# ")
        title = title.splitlines()[0] if title else ""
        for start, end in find_spans(title, text.raw):
            if _CUT_VERB.search(text.raw[:start]):
                return text.raw[start - 1 : end]
    return ""


def _goes_on(clause: str, written: "set[str]", *, is_opened: bool) -> bool:
    """Whether a clause behind a title may be its second half: no order, nothing of the plan, no thanks."""
    bare = _plain(clause)
    if _COURTESY.fullmatch(bare) or any(bare in one for one in written) or re.search(r"[:：\"“「\d、/]", clause):
        return False
    if begins_with_order(clause) or names_look(clause) or _OF_PLAN.search(clause):
        return False
    return is_opened or not (asks(clause) or is_spoken(clause))


def _plain(text: str) -> str:
    return text.strip(" .。!！").casefold()
