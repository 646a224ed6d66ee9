"""Looks and talk that were written as the end of a text: 今天放假，用宋体小四."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_lines, list_texts, strip_mark
from metier.packs.office.drafting.comparison.omissions._forms import FORMS

__all__ = ["find_look"]

_LOOK: Final = re.compile(
    r"(?=.{1,16}$).*?(?:宋体|黑体|楷体|仿宋|雅黑|等线|隶书|字[体号]|小[初一二三四五六](?:号|$)|[初一二三四五六七八]号字?$|\d\s*(?:磅|pt|号字?)$|加粗|粗体|"
    r"居中|(?:左|右|两端)对齐|斜体|下划线|[红蓝绿黄橙紫黑]色?字|[红蓝绿黄橙紫]色$|首行缩进|行距|缩进).*|"
    r"(?:(?:and|in|make it|set it in|please|use) )*(?:in )?(?:bold|italics?|underlined|centred|"
    r"centered|cent(?:er|re) it|"
    r"(?:red|blue|green|grey|black)(?: letters| type| text)?|arial|calibri|times new roman|courier|helvetica|font.*|"
    r"\d+ ?(?:pt|points?))(?:\b.{0,24})",
    re.IGNORECASE,
)
# A look that became part of a name: `Place in small type`, `in italics: apples`.
_LOOK_BESIDE: Final = re.compile(
    r"^in (?:italics?|bold|(?:small|large|big|tiny) (?:type|print|letters|text))\s*:|"
    r"(?<=\S)\s+in (?:italics|bold|(?:small|large|big|tiny) (?:type|print|letters|text))$",
    re.IGNORECASE,
)
# What a last item that only says how to write begins with: `in a formal tone`, 用正式的语气.
_HOW: Final = re.compile(r"(?:in|with|written|using|sorted|ordered)\b|[用以按]|语气|措辞|口吻", re.IGNORECASE)
_HOW_KINDS: Final = frozenset({"tone", "length", "language", "order"})
_MIN_LINES: Final = 2
_MAX_HOW: Final = 40
# A sentence about somebody behind the last of several points.
_TALK: Final = re.compile(
    r"(?:(?:because|since|as|so) )?(?:(?:my|our|the) (?:\w+ )?(?:boss|manager|director|client|customer|chief|ceo|head|"
    r"teacher|professor|auditor|team)|i|we|they|he|she) (?:will |would |does |really |only |always )*"
    r"(?:wants?|needs?|checks?|sees?|asks?|asked|reads?|looks?|likes?|waits?|expects?|said|says)\b.*",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"\s*(?:[,，。；;]|\.(?=\s))\s*(?:and\s+)?")


def find_look(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """The last clause of a written text that says how it is to look, or what somebody thinks of it."""
    quotes = {one.text for one in text.quotes}
    written = (one.strip() for one in list_texts(steps) if one.strip() not in quotes)
    if beside := next((found[0].strip(" :") for one in written if (found := _LOOK_BESIDE.search(one))), ""):
        return beside
    if how := _find_how(steps, quotes):
        return how
    for step in steps:
        lines = [strip_mark(one) for one in list_lines(step)]
        if not lines or lines[-1] in quotes:
            continue
        *before, last = (one for one in _CLAUSE.split(lines[-1].rstrip(".。")) if one)
        is_end = bool(before) or len(lines) > 1
        if is_end and not any(last in one for one in quotes):
            is_talk = _TALK.fullmatch(last) is not None and not any(_TALK.search(one) for one in lines[:-1])
            if is_talk or (step.get("op") == "insert_text" and _LOOK.fullmatch(last)):
                return last
    return ""


def _find_how(steps: Sequence[JsonObject], quotes: set[str]) -> str:
    """The last of several items if it only says how they are to be written."""
    for step in steps:
        lines = [strip_mark(one).strip() for one in list_lines(step)]
        last = lines[-1] if len(lines) >= _MIN_LINES else ""
        if not 0 < len(last) <= _MAX_HOW or last in quotes or not _HOW.match(last):
            continue
        if any(form.kind in _HOW_KINDS and form.pattern.search(last) for form in FORMS):
            return last
    return ""
