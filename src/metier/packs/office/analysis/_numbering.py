"""Numbering of headings and articles, 一、（一）1.（1）, 第一章, 第一条: jumps, repeats, levels left out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.language import Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis._wording import bilingual
from metier.patterns import read_chinese_integer, write_chinese_integer

__all__ = ["NumberedLine", "find_numbering_faults", "list_numbered"]

_CHINESE: Final = "[一二三四五六七八九十百]{1,4}"
# Level, pattern, how the number is written again.
_FORMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("chapter", re.compile(rf"^第\s*({_CHINESE}|\d{{1,3}})\s*章")),
    ("article", re.compile(rf"^第\s*({_CHINESE}|\d{{1,3}})\s*条")),
    ("1", re.compile(rf"^({_CHINESE})、")),
    ("2", re.compile(rf"^[（(]({_CHINESE})[）)]")),
    ("3", re.compile(r"^(\d{1,3})(?:[.．](?!\d)|、)")),
    ("4", re.compile(r"^[（(](\d{1,3})[）)]")),
)
_LEVELS: Final = ("1", "2", "3", "4")
_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {"chapter": "第{n}章", "article": "第{n}条", "1": "{n}、", "2": "（{n}）", "3": "{n}.", "4": "（{n}）"}
)
_WORDS: Final = Sentences(
    {
        "jump": ("“{label}” skips a number; “{expected}” is expected.", "“{label}”序号跳号，应为“{expected}”。"),
        "duplicate": ("“{label}” is used twice; “{expected}” is expected.", "“{label}”序号重复，应为“{expected}”。"),
        "non_increasing": (
            "“{label}” goes back; “{expected}” is expected.",
            "“{label}”序号倒退，应为“{expected}”。",
        ),
        "missing_parent_level": (
            "“{label}” stands without the level above it, such as “{expected}”.",
            "“{label}”缺少上一级序号（如“{expected}”）。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line that begins with a number of a known form."""

    level: str
    number: int
    label: str
    piece: TextPiece


def list_numbered(pieces: Iterable[TextPiece]) -> Iterator[NumberedLine | TextPiece]:
    """Each piece as a numbered line, or as it is."""
    for piece in pieces:
        line = piece.line.strip()
        for level, form in _FORMS:
            if match := form.match(line):
                text = match[1]
                number = int(text) if text.isdigit() else read_chinese_integer(text) or 0
                yield NumberedLine(level, number, match[0], piece)
                break
        else:
            yield piece


def find_numbering_faults(pieces: Iterable[TextPiece]) -> Iterator[DocumentFinding]:
    """Faults in the order of the document; `values` has label, issue and what was expected."""
    last: dict[str, int] = {}
    for entry in list_numbered(pieces):
        if not isinstance(entry, NumberedLine):
            continue
        if (issue := _judge_number(entry, last)) is not None:
            yield _build_fault(issue, entry, last.get(entry.level, 0) + 1)
        elif (parent := _find_missing_parent(entry, last)) is not None:
            yield _build_fault("missing_parent_level", entry, 1, parent)
        last[entry.level] = entry.number
        _forget_below(entry.level, last)


def _judge_number(entry: NumberedLine, last: dict[str, int]) -> str | None:
    before = last.get(entry.level, 0)
    if entry.number == before + 1:
        return None
    if entry.number == before:
        return "duplicate"
    if entry.number > before:
        return "jump"
    # A list that begins again at 1 below the same heading is a new list.
    return None if entry.number == 1 and entry.level in ("3", "4") else "non_increasing"


def _find_missing_parent(entry: NumberedLine, last: dict[str, int]) -> str | None:
    """The level above that should have come; only within 一、（一）1.（1）, and only for the first of a list."""
    if entry.level not in _LEVELS[1:] or entry.number != 1:
        return None
    place = _LEVELS.index(entry.level)
    above = _LEVELS[place - 1]
    if above in last or not any(level in last for level in _LEVELS[:place]):
        return None
    return above


def _forget_below(level: str, last: dict[str, int]) -> None:
    """A heading starts the numbers below it anew; articles run through all chapters."""
    below = _LEVELS[_LEVELS.index(level) + 1 :] if level in _LEVELS else _LEVELS
    for name in below:
        last.pop(name, None)


def _build_fault(issue: str, entry: NumberedLine, number: int, level: str | None = None) -> DocumentFinding:
    level = level or entry.level
    spelled = str(number) if level in ("3", "4") or re.search(r"\d", entry.label) else write_chinese_integer(number)
    if level in ("1", "2"):
        spelled = write_chinese_integer(number)
    expected = _LABELS[level].format(n=spelled)
    return DocumentFinding(
        issue,
        entry.piece.address,
        entry.piece.line.strip(),
        bilingual(_WORDS, issue, label=entry.label, expected=expected),
        "medium",
        "" if entry.piece.number else entry.label,
        values={"label": entry.label, "expected": expected},
    )
