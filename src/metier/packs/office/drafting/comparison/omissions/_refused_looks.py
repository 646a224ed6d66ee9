"""Looks that a request refuses, or gives to words of the document, and that its plan gives to new ones."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._plan_texts import list_texts

__all__ = ["find_refused_look"]

_NOT_ZH: Final = r"(?:不要|不用|不需要|不必|无需|不加|不带|别|勿|不)(?:再|给我|加|带|标|用|写|上|显示|自动)*"
_NOT_EN: Final = r"\b(?:no|not|without|don['’]?t(?: use| add| put)?|do not(?: use| add| put)?|un)[ -]?(?:any |be |in )?"
_NUMBERS: Final = re.compile(
    rf"{_NOT_ZH}(?:编号|序号|标号)(?![重相])|{_NOT_EN}(?:number(?:s|ed|ing)?)\b(?! of)", re.IGNORECASE
)
_BOLD: Final = re.compile(rf"{_NOT_ZH}(?:加粗|粗体|加黑)|{_NOT_EN}bold(?:ed)?\b", re.IGNORECASE)
# All of it is to be bold, where only the heading is.
_ALL_BOLD: Final = re.compile(
    r"(?:[一二两三四五六七八九十\d几][行句段](?:文字|话|正文)?|正文|文字|内容|\"|全部|全都)(?:都|也|要|全|请|"
    r"一样)+(?:加粗|粗体)|"
    r"\b(?:all|both|everything)\b[^,.;]{0,12}\bbold\b|\b(?:lines?|text|sentences?)\b (?:also |too )?(?:in |"
    r"are |should be )?bold\b",
    re.IGNORECASE,
)
# A heading that is there already is made bold.
_CHANGES: Final = re.compile(
    rf"把(?:大|小)?标题\s*{QUOTED}(?:请|都|要|设为|设成|改为|改成|变成|变|做)*(?:加粗|粗体)|"
    rf"\bmake the (?:heading|title|line) {QUOTED} bold\b",
    re.IGNORECASE,
)
_WANTS_BOLD: Final = re.compile(r"加粗|粗体|\bbold\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^(?:#+ (?:[一二三四五六七八九十]+、|\d)|\d+\. )")


def find_refused_look(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """Words that refuse numbers or bold type that the plan has, want it of more, or of a heading that is there."""
    lines = [line for one in list_texts(steps) for line in one.splitlines()]
    is_numbered = any(_NUMBERED.match(str(line)) for one in steps for line in str(one.get("text", "")).splitlines())
    has_bold_heading = any(one.get("op") == "set_text_style" and one.get("bold") for one in steps)
    forms = [_NUMBERS] if is_numbered else []
    forms += [_BOLD, _ALL_BOLD, _CHANGES] if has_bold_heading else []
    for form in forms:
        for found in form.finditer(text.mask):
            if form is _BOLD and _WANTS_BOLD.search(_BOLD.sub(" ", text.mask)):
                continue  # one line in bold type, another one not
            said = text.raw[found.start() : found.end()]
            if not any(said in line for line in lines):
                return said
    return ""
