"""Cells of tables as text."""

import re
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language
from metier.packs.office.creation._sentences import SENTENCES

_MAX_CHARS: Final = 120
_MAX_DIGITS: Final = 4
_MAX_EXACT: Final = 1e15
_MIN_GROUPED: Final = 10_000  # a year has no separator
_IDENTIFIER: Final = re.compile(
    r"编号|编码|代码|号码?$|电话|邮编|年份?$|\b(?:id|no|number|code|year|phone|zip|key)\b", re.IGNORECASE
)


def render_cell(value: JsonValue, language: Language, head: str = "") -> str:
    """A value as a person writes it: thousands apart, no trailing digits of floating point, a dash for nothing.

    Numbers under a head that names an identifier stay as they are.
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return SENTENCES.render("yes" if value else "no", language)
    if isinstance(value, int | float):
        return _render_number(value, groups=abs(value) >= _MIN_GROUPED and not _IDENTIFIER.search(head))
    text = " ".join(str(value).split())
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"


def _render_number(value: float, *, groups: bool) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < _MAX_EXACT):
        return f"{int(value):,}" if groups else str(int(value))
    text = f"{round(value, _MAX_DIGITS):.12g}"
    whole, point, digits = text.partition(".")
    return f"{int(whole):,}{point}{digits}" if groups and whole.lstrip("-").isdigit() else text


def is_number(value: JsonValue) -> bool:
    """Whether a cell is a number, which stands on the right."""
    return isinstance(value, int | float) and not isinstance(value, bool)
