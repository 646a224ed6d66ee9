"""Cells of tables as text."""

from typing import Final

from metier.json_values import JsonValue
from metier.language import Language
from metier.packs.office.creation._sentences import SENTENCES

_MAX_CHARS: Final = 120
_MAX_DIGITS: Final = 4


def render_cell(value: JsonValue, language: Language) -> str:
    """A value as a person writes it: no trailing digits of floating point, a dash for nothing."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return SENTENCES.render("yes" if value else "no", language)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{round(value, _MAX_DIGITS):.12g}"
    text = " ".join(str(value).split())
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"


def is_number(value: JsonValue) -> bool:
    """Whether a cell is a number, which stands on the right."""
    return isinstance(value, int | float) and not isinstance(value, bool)
