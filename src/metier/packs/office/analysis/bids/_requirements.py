"""Requirements of a tender with their marks, and the dates and periods of its procedure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._dates import find_date
from metier.packs.office.analysis.bids._quantities import find_quantities
from metier.packs.office.analysis.bids._rows import find_rows

__all__ = ["Deadline", "Period", "Requirement", "find_deadlines", "find_periods", "find_requirements", "is_heading"]

_REQUIREMENT: Final = re.compile(
    r"^\s*(?P<star>[★▲*＊]?)\s*(?P<label>\d{1,2}(?:[.．]\d{1,2}){0,3}|[（(]\d{1,2}[）)])\s*[、.．)）]?\s*"
    r"(?P<star2>[★▲*＊]?)\s*(?P<text>.{4,})$"
)
_STARRED: Final = re.compile(r"^\s*(?P<star>[★▲])\s*(?P<text>.{4,})$")
_HEADING: Final = re.compile(r"^(?:[一二三四五六七八九十]+、|第[一二三四五六七八九十]+(?:部分|章|节)).{0,20}$")
_DEADLINE: Final = re.compile(
    r"截止|开标|递交|提交|答疑|踏勘|现场考察|澄清|有效期|公示|签订合同|保证金|到账|报名|获取(?:招标|采购|磋商)?文件|发售"
)
# What the one who asks says of the procedure: when and how bids come, what a mark means, what it has to spend.
_PROCEDURE: Final = re.compile(
    r"截止时间|开标|递交(?:地点|时间|方式)|标[注有记].{0,6}[★▲“]|[★▲].{0,12}(?:为|属于|指).{0,16}(?:要求|条款)"
    r"|(?:无效|废)(?:投标|标)(?:处理)?"
    r"|(?:采购|项目)?预算|最高限价|控制价|(?:免收|不收取|不要求|无需)[^，。；]{0,6}保证金|投标文件[^。；]{0,12}(?:签字|盖章|密封|装订|份)"
    r"|^付款|(?:采购人|甲方)[^。；]{0,16}(?:付款|支付|有权)|扣款|修正"
    r"|\b(?:closing date|deadline|(?:tenders?|bids?|offers?|quotations?) (?:shall|must|are to|will) "
    r"(?:reach|be (?:submitted|signed|"
    r"received|opened|delivered))|(?:items?|requirements?) marked|(?:estimated )?ceiling|budget|rejected|rejection"
    r"|no (?:tender|bid) (?:security|bond)|(?:tenderers|bidders) (?:shall|must) complete)\b"
    r"|\d{1,2}:\d{2}\s*(?:local time|hours|am|pm)",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"^[A-Z][A-Za-z]+(?:\s+[A-Za-z]+){0,5}$|^[\u4e00-\u9fff]{2,8}$")
# What every bid must hold to, numbered or not: how long it stands, and what is deposited.
_TERMS: Final = re.compile(r"投标有效期|响应有效期|报价有效期|保证金|bid validity|bid bond", re.IGNORECASE)
_REJECTS: Final = ("★", "*", "＊")
_CLOCK: Final = re.compile(
    r"(?:上午|下午)?\s*(?P<hour>\d{1,2})\s*(?:[:：]\s*(?P<minute>\d{2})|[时点](?:\s*(?P<minute2>\d{1,2})\s*分?)?)"
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a tender; one that is starred must be met or the bid is rejected."""

    label: str
    text: str
    is_starred: bool
    mark: str
    piece: TextPiece


@dataclass(frozen=True, slots=True)
class Deadline:
    """A date of the tender."""

    day: date
    clock: str
    piece: TextPiece


@dataclass(frozen=True, slots=True)
class Period:
    """A period of the tender that counts from another day, such as how long a bid stands: its line and its words."""

    words: str
    piece: TextPiece


def is_heading(line: str) -> bool:
    """A line that only opens a part of the document."""
    return _HEADING.match(line) is not None


def is_procedure(text: str) -> bool:
    """Whether a numbered line only tells how the tender goes, or is the title of what follows."""
    return bool(_PROCEDURE.search(text) or _TITLE.match(text.strip()))


def find_requirements(pieces: Iterable[TextPiece]) -> Iterator[Requirement]:
    """Numbered or starred lines and rows of the tender, and lines on how long a bid stands or what is deposited."""
    texts = tuple(pieces)
    rows = find_rows(texts)
    for piece in texts:
        row = rows.get(piece.address)
        if row is not None:
            if row.piece is piece:
                yield Requirement(row.label, row.text, row.mark in _REJECTS, row.mark, piece)
            continue
        line = piece.line.strip()
        if is_heading(line):
            continue
        match = _REQUIREMENT.match(line) or _STARRED.match(line)
        if match is None or re.match(r"^\d{4}年", line):
            if _TERMS.search(line) and find_quantities(line):
                yield Requirement("", line, False, "", piece)
            continue
        groups = match.groupdict()
        mark = groups["star"] or groups.get("star2") or ""
        yield Requirement(groups.get("label") or "", groups["text"].strip(), mark in _REJECTS, mark, piece)


def find_deadlines(pieces: Iterable[TextPiece], today: date) -> Iterator[Deadline]:
    """Lines that name a date of the procedure."""
    for piece in pieces:
        line = piece.line.strip()
        if not _DEADLINE.search(line):
            continue
        found = find_date(line, today)
        if found is not None and re.search(r"\d{1,2}\s*[月/.-]", found[1]):
            clock = _CLOCK.search(line, line.find(found[1]) + len(found[1]))
            minutes = (clock["minute"] or clock["minute2"] or "00") if clock else ""
            yield Deadline(found[0], f"{int(clock['hour']):02d}:{int(minutes):02d}" if clock else "", piece)


def find_periods(pieces: Iterable[TextPiece]) -> Iterator[Period]:
    """Lines that say how long a bid stands or when a deposit is due, without a date: the period as it is said."""
    for piece in pieces:
        line = piece.line.strip()
        if not _TERMS.search(line) or is_heading(line):
            continue
        spans = [one for one in find_quantities(line) if one.dimension in ("time", "months", "workdays")]
        if spans:
            yield Period(line[spans[0].start : spans[0].end].strip(), piece)
