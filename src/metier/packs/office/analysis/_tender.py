"""Tender × bid: requirements with their marks, the bid's answer to each, and whether it complies."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._dates import find_date
from metier.patterns import read_chinese_number

__all__ = ["BidAnswer", "Deadline", "Requirement", "compare_bid", "find_deadlines", "find_requirements"]

Compliance = Literal["comply", "partial", "missing"]
_REQUIREMENT: Final = re.compile(
    r"^\s*(?P<star>[★▲*＊]?)\s*(?P<label>\d{1,2}(?:[.．]\d{1,2}){0,3}|[（(]\d{1,2}[）)])\s*[、.．)）]?\s*"
    r"(?P<star2>[★▲*＊]?)\s*(?P<text>.{4,})$"
)
_STARRED: Final = re.compile(r"^\s*(?P<star>[★▲])\s*(?P<text>.{4,})$")
_HEADING: Final = re.compile(r"^(?:[一二三四五六七八九十]+、|第[一二三四五六七八九十]+(?:部分|章|节)).{0,20}$")
_LIMIT: Final = re.compile(
    r"(?P<low>不低于|不少于|不小于|不得低于|不得少于|至少|≥|>=|大于等于)|(?P<high>不超过|不高于|不大于|不多于|"
    r"不得超过|不得高于|≤|<=|小于等于)"
)
_QUANTITY: Final = re.compile(
    r"(?P<figure>\d+(?:\.\d+)?|[一二两三四五六七八九十百]{1,4})\s*(?P<scale>[万亿]?)\s*"
    r"(?P<unit>%|％|[A-Za-z]+(?:/[a-z]+)?|个月|平方米|工作日|小时|分钟|[\u4e00-\u9fff])?"
)
_TYPES: Final = re.compile(
    r"投标人|供应商|响应人|须|应当|应|必须|具有|具备|提供|配备|支持|满足|采用|要求|本项目|所投|的|等"
)
_REFUSES: Final = re.compile(r"无法|不能|不支持|暂不|暂无|不具备|不满足|负偏离|未能|不提供")
_MIN_OVERLAP: Final = 0.5
_MIN_OVERLAP_BY_LABEL: Final = 0.25
_DEADLINE: Final = re.compile(r"截止|开标|递交|提交|答疑|踏勘|现场考察|澄清|有效期|公示|签订合同")
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
class BidAnswer:
    """What the bid says to a requirement."""

    requirement: Requirement
    status: Compliance
    piece: TextPiece | None
    reason: Literal["answered", "too_low", "too_high", "refused", "not_found"]


@dataclass(frozen=True, slots=True)
class Deadline:
    """A date of the tender."""

    day: date
    clock: str
    piece: TextPiece


def find_requirements(pieces: Iterable[TextPiece]) -> Iterator[Requirement]:
    """Numbered or starred lines of the tender."""
    for piece in pieces:
        line = piece.line.strip()
        if _HEADING.match(line):
            continue
        match = _REQUIREMENT.match(line) or _STARRED.match(line)
        if match is None or re.match(r"^\d{4}年", line):
            continue
        groups = match.groupdict()
        mark = groups["star"] or groups.get("star2") or ""
        yield Requirement(groups.get("label") or "", groups["text"].strip(), mark in ("★", "*", "＊"), mark, piece)


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


def compare_bid(requirements: Iterable[Requirement], bid: Sequence[TextPiece]) -> tuple[BidAnswer, ...]:
    """The bid's answer to each requirement."""
    lines = [piece for piece in bid if not _HEADING.match(piece.line.strip())][1:] or list(bid)
    return tuple(_answer(requirement, lines) for requirement in requirements)


def _answer(requirement: Requirement, lines: Sequence[TextPiece]) -> BidAnswer:
    piece = _find_response(requirement, lines)
    if piece is None:
        return BidAnswer(requirement, "missing", None, "not_found")
    if _REFUSES.search(piece.line):
        return BidAnswer(requirement, "partial", piece, "refused")
    limit = _LIMIT.search(requirement.text)
    if limit is not None:
        asked = _QUANTITY.search(requirement.text, limit.end())
        offered = _find_offer(requirement, asked, piece.line) if asked else None
        if asked is not None and offered is not None:
            return _compare_numbers(requirement, piece, bool(limit["low"]), _value(asked), offered)
    return BidAnswer(requirement, "comply", piece, "answered")


def _compare_numbers(
    requirement: Requirement, piece: TextPiece, is_floor: bool, asked: Decimal, offered: Decimal
) -> BidAnswer:
    if is_floor and offered < asked:
        return BidAnswer(requirement, "partial", piece, "too_low")
    if not is_floor and offered > asked:
        return BidAnswer(requirement, "partial", piece, "too_high")
    return BidAnswer(requirement, "comply", piece, "answered")


def _find_response(requirement: Requirement, lines: Sequence[TextPiece]) -> TextPiece | None:
    wanted = _pairs(requirement.text)
    if not wanted:
        return None
    best, best_score = None, 0.0
    for piece in lines:
        line = piece.line.strip()
        score = len(wanted & _pairs(line)) / len(wanted)
        same_label = "." in requirement.label and re.match(rf"^[★▲]?\s*{re.escape(requirement.label)}(?!\d)", line)
        needed = _MIN_OVERLAP_BY_LABEL if same_label else _MIN_OVERLAP
        score = score + 1 if same_label and score >= needed else score
        if score >= needed and score > best_score:
            best, best_score = piece, score
    return best


def _pairs(text: str) -> frozenset[str]:
    """Pairs of neighbouring characters of the words that say what is asked for, without numbers and modal words."""
    plain = re.sub(r"^[★▲]?\s*\d+(?:[.．]\d+)*\s*[、.．]?", "", text.strip())
    limit = _LIMIT.search(plain)
    if limit is not None:
        plain = plain[: limit.start()] or plain[limit.end() :]
    found: set[str] = set()
    for part in re.split(r"[\W\d]+", _TYPES.sub(" ", plain)):
        found.update(part[index : index + 2] for index in range(len(part) - 1))
    return frozenset(found)


def _find_offer(requirement: Requirement, asked: re.Match[str], line: str) -> Decimal | None:
    """The number of the answer: the one with the same unit, nearest behind the words of the requirement."""
    plain = re.sub(r"^[★▲]?\s*\d+(?:[.．]\d+)+\s*", "", line.strip())
    limit = _LIMIT.search(requirement.text)
    subject = requirement.text[: limit.start()] if limit else ""
    start = max((plain.find(pair) for pair in _pairs(subject)), default=0)
    unit = (asked["unit"] or "")[:1]
    numbers = [match for match in _QUANTITY.finditer(plain) if (match["unit"] or "")[:1] == unit]
    behind = [match for match in numbers if match.start() >= max(start, 0)]
    chosen = (behind or numbers)[:1]
    return _value(chosen[0]) if chosen else None


def _value(match: re.Match[str]) -> Decimal:
    figure = match["figure"]
    number = Decimal(figure) if figure[0].isdigit() else read_chinese_number(figure)[0]
    return number * {"万": 10_000, "亿": 100_000_000}.get(match["scale"], 1)
