"""A laid-out message read line by line: its order, fields, points and rows of data."""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting.briefs._clauses import read_clause, strip_back
from metier.packs.office.drafting.briefs._fields import (
    NAMES,
    OF_TEXT,
    TEXTS,
    cut_tail,
    resolve_role,
    set_names,
    set_value,
    strip_art,
    take_qualifier,
)
from metier.packs.office.drafting.briefs._layout import BriefField, BriefLine, split_layout
from metier.packs.office.drafting.briefs._slots import LaidOut, UnreadLine
from metier.packs.office.drafting.briefs._values import is_remark
from metier.packs.office.drafting.rows import RowBlock, find_rows, split_header

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["read_lines"]

# A key that is not known, with its value.
_KEYED: Final = re.compile(r"[^,，。;；:\"]{1,14}:\s*\S")
# What it is and what it says in one line.
_BANNER: Final = re.compile(
    r"([^,，。:：]{0,8}(?:横幅|标语|banner))\s*[:：]\s*([^,，。;；:：“”\"]{2,60})", re.IGNORECASE
)
_MAX_ITEM: Final = 120
_OF_PAIRS: Final = OF_TEXT | {"pairs", "timeline", "chart", "grouped"}
_OF_WORDS: Final = (_OF_PAIRS - {"template"}) | {"budget", "quotation", "gantt", "banner", "kpi", "heading"}
# A label of a part: 表1, 第二张表, First table, Table B.
_LABEL: Final = re.compile(
    r"表格?\s*[一二三1-3AB]的?|第\s*[一二三1-3]\s*[张个份](?:表格?)?的?|(?:the )?(?:first|second|"
    r"third)(?: table| one)?|"
    r"table (?:[1-3AB]|one|two|three)",
    re.IGNORECASE,
)


def _is_laid_out(lines: "Sequence[BriefLine]") -> bool:
    """Whether a message is more than sentences: several fields, marked lines or rows."""
    fields = sum(len(one.fields) for one in lines)
    if len(lines) == 1:
        return fields > 1
    return bool(fields or _find_blocks(lines)) or sum(one.is_marked for one in lines) > 1 or _opens_lines(lines)


def _find_blocks(lines: "Sequence[BriefLine]") -> list[RowBlock]:
    """Rows of data among lines; one with a known field is no row."""
    return find_rows([one.text for one in lines], [at for at, one in enumerate(lines) if one.fields])


def _opens_lines(lines: "Sequence[BriefLine]") -> bool:
    """Whether a line with a colon is followed by at least two short ones."""
    start = next((at for at, one in enumerate(lines) if one.text.endswith((":", "："))), None)
    return start is not None and len(lines) > start + 2 and all(map(_is_short, lines[start + 1 : start + 3]))


def _is_short(line: BriefLine) -> bool:
    is_name = len(line.text) <= 12 if re.search(r"[\u4e00-\u9fff]", line.text) else len(line.text.split()) <= 4
    return is_name and not re.search(r"[\d,，。;；:：、]", line.text)


def read_lines(request: str) -> LaidOut | None:
    """The slots of a message; None if it is not laid out. Raise `UnreadLine` with a line that cannot be read."""
    lines = split_layout(request)
    if not _is_laid_out(lines):
        return None
    reader = _LineReader(lines, {one.start: one for one in _find_blocks(lines)})
    return reader.read()


@dataclass(slots=True)
class _LineReader:
    lines: "Sequence[BriefLine]"
    blocks: dict[int, RowBlock]
    brief: LaidOut = field(default_factory=LaidOut)
    at: int = 0
    open: str = ""  # role of the field whose value is on the next lines; "points" behind an order with a colon
    open_line: str = ""
    is_asking: bool = False  # numbered lines below a field such as 要求 are clauses, no items

    def read(self) -> LaidOut:
        while self.at < len(self.lines):
            if self.at in self.blocks:
                self._take_rows(self.blocks[self.at])
            elif end := self._find_items():
                self._take_items(end)
            else:
                self._take_line(self.lines[self.at])
                self.at += 1
        if self.open not in ("", "points"):
            raise UnreadLine(self.open_line)
        return self.brief

    def _take_rows(self, block: RowBlock) -> None:
        if (
            block.is_weak
            and self.brief.kinds & OF_TEXT
            and all(self.lines[at].is_marked for at in range(block.start, block.end))
        ):
            self._take_items(block.end)
            return
        if not block.is_sure and self.brief.kinds & _OF_WORDS:
            raise UnreadLine(self.lines[block.start].raw)
        if self.brief.rows or self.open not in ("", "points", "data", "columns", "items", "nodes"):
            raise UnreadLine(self.lines[block.start].raw)
        header, rows = split_header(block.rows)
        if any(map(is_remark, header)):
            raise UnreadLine(self.lines[block.start].raw)
        if header and self.brief.columns and header != self.brief.columns:
            raise UnreadLine(self.lines[block.start].raw)
        if self.brief.header and len(self.brief.header) != len(rows[0]):
            raise UnreadLine(self.lines[block.start].raw)
        self.brief.header, self.brief.rows = header or self.brief.header, rows
        self.at, self.open = block.end, ""

    def _find_items(self) -> int:
        """The end of a run of lines that are items, not parts of the brief; 0 if there is none here."""
        end = self.at
        while end < len(self.lines) and self.lines[end].is_marked and end not in self.blocks:
            end += 1
        run = self.lines[self.at : end]
        if run and self.is_asking:
            return 0
        if len(run) > 1:
            is_parts = any(one.fields or read_clause(one.text) is not None for one in run) or self._goes_on()
            return 0 if (is_parts and self.open not in ("items", "tasks", "columns")) or self.at == 0 else end
        end = self.at
        while (
            end < len(self.lines)
            and not self.lines[end].fields
            and _KEYED.match(RequestText(self.lines[end].text).mask)
        ):
            end += 1
        if end - self.at > 1 and self.at and (self.brief.kinds & _OF_PAIRS or self.open in NAMES):
            return end
        if not self.open:
            return 0
        end = self.at
        while end < len(self.lines) and not self.lines[end].fields and end not in self.blocks:
            if not _is_short(self.lines[end]):
                break
            end += 1
        return end if end - self.at > 1 else 0

    def _goes_on(self) -> bool:
        """Whether the point before this line has a field of its own, so that this one is no item of a list."""
        before = self.lines[self.at - 1] if self.at else None
        return before is not None and before.is_marked and bool(before.fields) and self.open not in NAMES

    def _take_items(self, end: int) -> None:
        items = tuple(one.text.rstrip(" ,，、;；。.") for one in self.lines[self.at : end])
        role = self.open if self.open in NAMES else "items"
        if bad := next((one for one in self.lines[self.at : end] if not _is_item(one.text)), None):
            raise UnreadLine(bad.raw)
        if role != "items" and any(map(is_remark, items)):
            raise UnreadLine(next(one.raw for one in self.lines[self.at : end] if is_remark(one.text)))
        self._set_names(role, items, self.lines[self.at].raw)
        self.at, self.open = end, ""

    def _take_line(self, line: BriefLine) -> None:
        if self.open not in ("", "points"):
            raise UnreadLine(self.open_line)
        part = self._choose_part(line)
        if not self.at and not line.fields and (said := _BANNER.fullmatch(line.text)) and self.lines[1:]:
            self.brief.order, self.brief.texts["text"] = [said[1]], said[2]
            return
        if not line.fields:
            if self.at and _KEYED.match(RequestText(line.text).mask):
                raise UnreadLine(line.raw)
            self._take_words(line.text, line)
            return
        if line.lead and part is self.brief and not _opens_field(line):
            self._take_words(line.lead, line)
        for one in line.fields:
            self._take_field(part, one, line)

    def _choose_part(self, line: BriefLine) -> LaidOut:
        """The part of a message of two tables to which a line with its label belongs."""
        label = _LABEL.fullmatch(line.lead.strip(" ,，:：-–—")) if line.fields else None
        if label is None:
            return self.brief
        self.brief.parts.append(LaidOut())
        return self.brief.parts[-1]

    def _take_words(self, text: str, line: BriefLine) -> None:
        """Words that are no field: the order, clauses that say one of the slots, or a line that opens the next ones."""
        bare = text.rstrip(" :：")
        opens = bare != text.rstrip() or self.at + 1 in self.blocks
        words = strip_back(bare)
        if words and line.is_marked:
            self.brief.demands.append(words)
        if words:
            self._take_clauses(words)
        self.open = "points" if opens else ""

    def _take_clauses(self, words: str) -> None:
        kept = []
        pieces = _split_clauses(words)
        for at, piece in enumerate(pieces):
            said = read_clause(piece)
            is_alone = said is not None and (at > 0 or bool(self.brief.order))
            if is_alone and said is not None and self._set_said(*said, piece):
                continue
            kept.append(piece)
        if kept:
            target = self.brief.order if not self.brief.order else self.brief.clauses
            target.append("".join(kept).strip(" ,，;；。."))

    def _set_said(self, slot: str, value: int | str, piece: str) -> bool:
        """Set a slot that a clause says; whether it was free."""
        if slot == "rows" and self.brief.count is None:
            self.brief.count = int(value)
        elif slot == "parts":
            self.brief.said_parts.append((int(value), piece.strip(" ,，;；。.")))
        elif slot == "formula":
            self.brief.formulas.append(str(value))
        elif slot == "grid" and self.brief.count is None and self.brief.width is None:
            self.brief.count, self.brief.width = (int(one) for one in str(value).split("x"))
        elif slot == "bold":
            self.brief.is_bold = True
        elif slot != "nothing":
            return False
        return True

    def _take_field(self, part: LaidOut, one: BriefField, line: BriefLine) -> None:
        role = resolve_role(one, self.brief.kinds)
        take_qualifier(part, one, role)
        if not one.value:
            if role not in {"data", "notes", "lines", *NAMES} or one is not line.fields[-1]:
                raise UnreadLine(one.line)
            self.open, self.open_line = ("" if role == "notes" else role), one.line
            self.is_asking = role == "notes"
            return
        self.open = ""
        if role == "notes":
            self.brief.demands.append(one.value)
            self._take_clauses(one.value)
            return
        if role == "art":
            one = replace(one, value=strip_art(one.value))
        value, tail = cut_tail(role, strip_back(one.value) if role in TEXTS else one.value)
        if not set_value(part, role, value, one):
            raise UnreadLine(one.line)
        if tail:
            self.brief.demands.append(tail)
            self._take_tail(part, tail, line)

    def _take_tail(self, part: LaidOut, tail: str, line: BriefLine) -> None:
        """Take the clauses behind a value; those of one of two tables may only say its rows."""
        if part is self.brief:
            self._take_clauses(tail)
            return
        said = read_clause(tail)
        if said is None or said[0] != "rows" or part.count is not None:
            raise UnreadLine(line.raw)
        part.count = int(said[1])

    def _set_names(self, role: str, names: tuple[str, ...], line: str) -> None:
        if not set_names(self.brief, role, names):
            raise UnreadLine(line)


def _opens_field(line: BriefLine) -> bool:
    """Whether the words before a field only lead to it: 各设 小标题：…."""
    return re.fullmatch(r"(?:各|分别|每节)?(?:设|列|有)|(?:with|its|the)", line.lead, re.IGNORECASE) is not None


def _is_item(text: str) -> bool:
    return len(text) <= _MAX_ITEM and not names_look(text) and read_clause(text) is None


def _split_clauses(words: str) -> list[str]:
    """Clauses of a sentence with the signs behind them."""
    mask = RequestText(words).mask
    ends = [one.end() for one in re.finditer(r"[,，;；。]\s*|\.\s+(?=[A-Z])", mask)]
    return [words[a:b] for a, b in zip([0, *ends], [*ends, len(words)], strict=True) if words[a:b]]
