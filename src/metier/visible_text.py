"""Text as people see it: hidden characters are written out, a cell of a table runs no formula and stays one cell."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from metier.patterns import compile_later

__all__ = ["defuse_formula", "visible_text", "write_markdown_cell", "write_markdown_table"]

_MAYBE_INVISIBLE: Final = compile_later(r"[^\n\x20-\x7e\u3001-\u3029\u3040-\u3098\u309b-\u312f\u3400-\u9fff]")
_PLAIN_BLANKS: Final = frozenset("\n\t \u3000")
# By their category letters and marks: fillers of Korean, vowels of Khmer, an empty Braille pattern, selectors.
_WITHOUT_SHAPE: Final = compile_later(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

_MARKDOWN_CELL: Final = str.maketrans({"|": "\\|", "\n": " ", "\r": " "})
_FORMULA: Final = compile_later(r"[=@\t\r]|[+-](?![\d.,\s]*(?:%|$))")


def defuse_formula(text: str) -> str:
    """The text for a cell of a CSV file: an apostrophe keeps a spreadsheet program from running it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def write_markdown_table(heads: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; a bar or a line break in a heading or a cell does not end it."""
    titles = [write_markdown_cell(one) for one in heads]
    lines = [f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(write_markdown_cell, row))} |" for row in rows)])


def write_markdown_cell(value: object) -> str:
    """A value for a cell of a table in Markdown; a dash if there is none."""
    return str("–" if value is None else value).translate(_MARKDOWN_CELL)


def visible_text(text: str) -> str:
    """The text with controls, zero-width and bidi characters, odd blanks and blank letters as `<U+200B>`."""
    return _MAYBE_INVISIBLE.sub(lambda found: found[0] if _is_visible(found[0]) else f"<U+{ord(found[0]):04X}>", text)


def _is_visible(char: str) -> bool:
    kind = unicodedata.category(char)
    return char in _PLAIN_BLANKS or (kind[0] not in "CZ" and not _WITHOUT_SHAPE.match(char))
