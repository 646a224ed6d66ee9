"""Words of a question that only say what the results are of: the place, machine or file that is settled already."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from metier.patterns import compile_later
from metier.questions._results import Results

_MIN_CHARS: Final = 2
_CJK: Final = compile_later("[\u4e00-\u9fff]")
_PART: Final = compile_later("[\u4e00-\u9fff0-9]")
_WORD: Final = compile_later(r"[A-Za-z][a-z]{3,}")
_BEFORE: Final = r"(?:\b(?:in|of|at|for|from|around|near)\s+)?(?:\bthe\s+)?\b"
_BEHIND: Final = r"\b(?:'s)?(?:\s+(?:district|area|city))?"


def drop_labels(text: str, labels: Iterable[str], results: Results) -> str:
    """The text without words that name what the results are of; words that tables or their rows have stay."""
    shown = "\n".join(_list_shown(results)).casefold()
    for label in labels:
        text = _drop_chinese(text, label, shown)
        for word in _WORD.findall(label):
            if word.casefold() not in shown:
                text = re.sub(f"{_BEFORE}{word}{_BEHIND}", "", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def _list_shown(results: Results) -> Iterator[str]:
    for table in results.tables:
        yield table.title
        yield from (column.title for column in table.columns)
        yield from (str(row[0]) for row in table.rows if row)


def _drop_chinese(text: str, label: str, shown: str) -> str:
    """Cut the longest runs of the text that stand in the label, with a 的 or 里 behind them."""
    left, at = "", 0
    while at < len(text):
        end = at
        while end < len(text) and _PART.match(text[end]) and text[at : end + 1] in label:
            end += 1
        run = text[at:end]
        if len(run) >= _MIN_CHARS and _CJK.search(run) and run.casefold() not in shown:
            at = end + (text[end : end + 1] in ("的", "里", "内"))
        else:
            left, at = left + text[at], at + 1
    return left
