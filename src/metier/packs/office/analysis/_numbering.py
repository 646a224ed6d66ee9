"""Numbering of headings and articles, 一、（一）1.（1）, 第一章, 2.3, (a), (iv): jumps, repeats, levels left out."""

import re
from collections import Counter
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
    ("letter", re.compile(r"^[（(\[]([a-z])[）)\]](?=\s)")),
    ("roman", re.compile(r"^[（(\[]([ivx]{1,5})[）)\]](?=\s)")),
)
_DOTTED: Final = re.compile(
    r"^(\d{1,2}(?:[.．]\d{1,2}){1,3})[.．、]?(?=[\s　]|[“《【（\u4e00-\u9fff])(?!\s*(?:万|元|亿|%|倍|米|级|版))"
)
_ANNEX_LIST: Final = re.compile(r"^附\s*件\s*[：:]\s*(\d{1,2})[.．、](?!\d)")
_ROMAN_DIGITS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_ROMAN: Final[Mapping[str, int]] = MappingProxyType({text: at for at, text in enumerate(_ROMAN_DIGITS, 1)})
_LISTS: Final = ("letter", "roman")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_MIN_DOTTED: Final = 2
# A part without a number of these forms, below which lists begin anew.
_PART: Final = re.compile(
    r"(?:part|appendix|annex|schedule|section|article|附录|附表|附\s*件)\b|第.{1,3}[部编节]", re.IGNORECASE
)
_LEVELS: Final = ("1", "2", "3", "4")
_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "chapter": "第{n}章",
        "article": "第{n}条",
        "1": "{n}、",
        "2": "（{n}）",
        "3": "{n}.",
        "4": "（{n}）",
        "letter": "({n})",
        "roman": "({n})",
        "dotted": "{n}",
    }
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
    """A line that begins with a number of a known form; `above` is the 2 of a dotted 2.3."""

    level: str
    number: int
    label: str
    piece: TextPiece
    above: str = ""


def list_numbered(pieces: Iterable[TextPiece]) -> Iterator[NumberedLine | TextPiece]:
    """Each piece as a numbered line, or as it is."""
    last = ""
    for piece in pieces:
        entry = _read_number(piece, last)
        last = (entry.label if entry.level in _LISTS else last) if isinstance(entry, NumberedLine) else last
        yield entry


def _read_number(piece: TextPiece, last: str) -> NumberedLine | TextPiece:
    line = piece.line.strip()
    if (match := _DOTTED.match(line)) and piece.kind in ("heading", "paragraph"):
        *above, own = re.split(r"[.．]", match[1])
        return NumberedLine("dotted", int(own), match[0], piece, ".".join(above))
    if match := _ANNEX_LIST.match(line):
        return NumberedLine("3", int(match[1]), f"{match[1]}.", piece)
    for level, form in _FORMS:
        if (match := form.match(line)) is None:
            continue
        text = match[1]
        # (i) goes on from (h), and begins a list of its own everywhere else.
        if level == "letter" and text in _ROMAN and ord(text) - 1 != _letter_of(last):
            continue
        if level == "roman" and text not in _ROMAN:
            continue
        return NumberedLine(level, _to_integer(level, text), match[0], piece)
    return piece


def _letter_of(label: str) -> int:
    text = label[1:-1]
    return ord(text) if len(text) == 1 else 0


def _to_integer(level: str, text: str) -> int:
    if level in _LISTS:
        return _ROMAN[text] if level == "roman" else ord(text) - ord("a") + 1
    return int(text) if text.isdigit() else read_chinese_integer(text) or 0


def find_numbering_faults(pieces: Iterable[TextPiece]) -> Iterator[DocumentFinding]:
    """Faults in the order of the document; `values` has label, issue and what was expected."""
    entries = list(list_numbered(pieces))
    levels = Counter(entry.level for entry in entries if isinstance(entry, NumberedLine))
    has_letters, is_dotted = bool(levels["letter"]), levels["dotted"] >= _MIN_DOTTED
    last: dict[str, int] = {}
    for entry in entries:
        if not isinstance(entry, NumberedLine):
            if entry.kind == "heading" or _PART.match(entry.line.strip()):
                _forget(("3", "4", *_LISTS), last)
            continue
        if entry.level == "dotted" and not is_dotted:
            continue
        level = _name_level(entry)
        if (issue := _judge_number(entry, last)) is not None:
            yield _build_fault(issue, entry, last.get(level, 0) + 1)
        elif (parent := _find_missing_parent(entry, last, has_letters=has_letters)) is not None:
            yield _build_fault("missing_parent_level", entry, 1, parent)
        last[level] = entry.number
        _forget_below(entry, last)


def _name_level(entry: NumberedLine) -> str:
    """Numbers of one count: 2.1 and 2.2 are of one, 3.1 begins another; lists below 1. headings and in cells too."""
    if entry.level == "dotted":
        return f"dotted {entry.above}"
    is_own = entry.level == "3" and entry.piece.kind in ("heading", "cell")
    return f"{entry.level} {entry.piece.kind}" if is_own else entry.level


def _judge_number(entry: NumberedLine, last: dict[str, int]) -> str | None:
    before = last.get(_name_level(entry), 0)
    if entry.number == before + 1:
        return None
    if entry.number == before:
        return None if entry.number == 1 and entry.level in _LISTS else "duplicate"
    if entry.number > before:
        return "jump"
    # A list that begins again at 1 below the same heading is a new list.
    return None if entry.number == 1 and entry.level in ("3", "4", *_LISTS) else "non_increasing"


def _find_missing_parent(entry: NumberedLine, last: dict[str, int], *, has_letters: bool) -> str | None:
    """The level above that should have come, only for the first of a list: within 一、（一）1.（1）, and (a) above (i).

    Lines in English follow no norm of Chinese levels, and (i) may be the only form of lists in a document.
    """
    if entry.level == "roman" and entry.number == 1:
        return "letter" if has_letters and "letter" not in last else None
    if not _HAN.search(entry.piece.text):
        return None
    if entry.level not in _LEVELS[1:] or entry.number != 1:
        return None
    place = _LEVELS.index(entry.level)
    above = _LEVELS[place - 1]
    if above in last or not any(level in last for level in _LEVELS[:place]):
        return None
    return above


def _forget_below(entry: NumberedLine, last: dict[str, int]) -> None:
    """A heading starts the numbers below it anew; articles run through all chapters."""
    below = {"letter": ["roman"], "roman": []}.get(entry.level, list(_LISTS))
    if entry.piece.kind == "heading":
        below += ["3", "4"]
    if entry.level in _LEVELS:
        below += _LEVELS[_LEVELS.index(entry.level) + 1 :]
    elif entry.level in ("chapter", "article"):
        below += _LEVELS
    _forget(below, last)


def _forget(levels: Iterable[str], last: dict[str, int]) -> None:
    for name in levels:
        last.pop(name, None)


def _spell_list(level: str, number: int) -> str:
    if level == "roman":
        return next((text for text, at in _ROMAN.items() if at == number), str(number))
    return chr(ord("a") + number - 1)


def _build_fault(issue: str, entry: NumberedLine, number: int, level: str | None = None) -> DocumentFinding:
    level = level or entry.level
    spelled = str(number) if level in ("3", "4") or re.search(r"\d", entry.label) else write_chinese_integer(number)
    if level in ("1", "2"):
        spelled = write_chinese_integer(number)
    if level in _LISTS:
        spelled = _spell_list(level, number)
    if level == "dotted":
        spelled = f"{entry.above}.{number}"
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
