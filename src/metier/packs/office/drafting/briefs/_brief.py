"""A laid-out message read line by line: what each field, point and row says of the thing that is to be made."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.briefs._clauses import is_assured, read_clause, strip_back
from metier.packs.office.drafting.briefs._layout import BriefField, BriefLine, split_layout
from metier.packs.office.drafting.briefs._rows import BriefRows, find_rows, split_header
from metier.packs.office.drafting.briefs._values import (
    is_bold,
    is_order_said,
    is_remark,
    read_formula,
    read_grid,
    read_levels,
    read_names,
    read_pairs,
    read_rows,
    read_text,
    read_weeks,
)

__all__ = ["Brief", "UnreadLine", "is_laid_out", "read_lines"]

_ART: Final = re.compile(r"(?:用|采用)?艺术字\s*[:：]?\s*(?=[“「《\"])|word ?art:?\s*(?=\")", re.IGNORECASE)
_TOTAL: Final = re.compile(r"有|要|需要|是|加|合计|总计|yes|total|grand total", re.IGNORECASE)
# A key that is not known, with its value.
_KEYED: Final = re.compile(r"[^,，。;；:\"]{1,14}:\s*\S")
_MAX_ITEM: Final = 120
_TEXTS: Final = frozenset({"title", "subtitle", "art", "note", "topic", "value", "label", "text"})
_OF_TEXT: Final = frozenset({"points", "template", "agenda", "outline"})
_OF_PAIRS: Final = _OF_TEXT | {"pairs", "timeline", "chart", "grouped"}
_NAMES: Final = frozenset({"columns", "items", "tasks"})
# A label of a part: 表1, 第二张表, First table, Table B.
_LABEL: Final = re.compile(
    r"表格?\s*[一二三1-3AB]|第\s*[一二三1-3]\s*[张个份](?:表格?)?|(?:the )?(?:first|second|third)(?: table| one)?|"
    r"table (?:[1-3AB]|one|two|three)",
    re.IGNORECASE,
)


class UnreadLine(Exception):  # no error of the program: the line is asked about
    """A line whose meaning is not known."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


@dataclass(slots=True)
class Brief:
    """What a message says, by slots; `clauses` are sentences that the rules read as they stand."""

    order: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    demands: list[str] = field(default_factory=list)  # clauses of fields and points: no talk
    texts: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    count: int | None = None
    width: int | None = None
    levels: int | None = None
    weeks: int | None = None
    is_bold: bool = False
    is_bold_title: bool = False
    formulas: list[str] = field(default_factory=list)
    said_parts: list[tuple[int, str]] = field(default_factory=list)
    parts: "list[Brief]" = field(default_factory=list)

    @property
    def written(self) -> tuple[str, ...]:
        """Names and texts that the plan must have."""
        cells = [cell for row in self.rows for cell in row]
        parts = [one for part in self.parts for one in part.columns]
        names = (*self.columns, *self.header, *self.items, *self.tasks, *self.lines, *cells, *parts)
        return (*names, *(text for slot, text in self.texts.items() if slot not in ("data", "topic")))

    @property
    def kinds(self) -> set[str]:
        """Kinds of things that the order names."""
        said = "，".join([*self.order, *self.clauses, self.texts.get("kind", "")])
        mask = RequestText(said).mask
        quoted = [one.text for one in RequestText(said).quotes]
        return {
            topic.kind
            for topic in list_topics()
            if topic.pattern.search(mask) or any(topic.pattern.search(one) for one in quoted)
        }


def is_laid_out(lines: "Sequence[BriefLine]") -> bool:
    """Whether a message is more than sentences: several fields, marked lines or rows."""
    fields = sum(len(one.fields) for one in lines)
    if len(lines) == 1:
        return fields > 1
    return bool(fields or find_rows(lines)) or sum(one.is_marked for one in lines) > 1 or _opens_lines(lines)


def _opens_lines(lines: "Sequence[BriefLine]") -> bool:
    """Whether a line with a colon is followed by at least two short ones."""
    start = next((at for at, one in enumerate(lines) if one.text.endswith((":", "："))), None)
    return start is not None and len(lines) > start + 2 and all(map(_is_short, lines[start + 1 : start + 3]))


def _is_short(line: BriefLine) -> bool:
    is_name = len(line.text) <= 12 if re.search(r"[\u4e00-\u9fff]", line.text) else len(line.text.split()) <= 4
    return is_name and not re.search(r"[\d,，。;；:：、]", line.text)


def read_lines(request: str) -> Brief | None:
    """The slots of a message; None if it is not laid out. Raise `UnreadLine` with a line that cannot be read."""
    lines = split_layout(request)
    if not is_laid_out(lines):
        return None
    reader = _Reader(lines, {one.start: one for one in find_rows(lines)})
    return reader.read()


@dataclass(slots=True)
class _Reader:
    lines: "Sequence[BriefLine]"
    blocks: dict[int, BriefRows]
    brief: Brief = field(default_factory=Brief)
    at: int = 0
    open: str = ""  # role of the field whose value is on the next lines; "points" behind an order with a colon
    open_line: str = ""

    def read(self) -> Brief:
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

    def _take_rows(self, block: BriefRows) -> None:
        if (
            block.is_weak
            and self.brief.kinds & _OF_TEXT
            and all(self.lines[at].is_marked for at in range(block.start, block.end))
        ):
            self._take_items(block.end)
            return
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
        if len(run) > 1:
            is_parts = any(one.fields or read_clause(one.text) is not None for one in run)
            return 0 if (is_parts and self.open not in ("items", "tasks", "columns")) or self.at == 0 else end
        end = self.at
        while (
            end < len(self.lines)
            and not self.lines[end].fields
            and _KEYED.match(RequestText(self.lines[end].text).mask)
        ):
            end += 1
        if end - self.at > 1 and self.at and (self.brief.kinds & _OF_PAIRS or self.open in _NAMES):
            return end
        if not self.open:
            return 0
        end = self.at
        while end < len(self.lines) and not self.lines[end].fields and end not in self.blocks:
            if not _is_short(self.lines[end]):
                break
            end += 1
        return end if end - self.at > 1 else 0

    def _take_items(self, end: int) -> None:
        items = tuple(one.text.rstrip(" ,，、;；。.") for one in self.lines[self.at : end])
        role = self.open if self.open in _NAMES else "items"
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
        if not line.fields:
            if self.at and _KEYED.match(RequestText(line.text).mask):
                raise UnreadLine(line.raw)
            self._take_words(line.text, line)
            return
        if line.lead and part is self.brief and not _opens_field(line):
            self._take_words(line.lead, line)
        for one in line.fields:
            self._take_field(part, one, line)

    def _choose_part(self, line: BriefLine) -> Brief:
        """The part of a message of two tables to which a line with its label belongs."""
        label = _LABEL.fullmatch(line.lead.strip(" ,，:：-–—")) if line.fields else None
        if label is None:
            return self.brief
        self.brief.parts.append(Brief())
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

    def _take_field(self, part: Brief, one: BriefField, line: BriefLine) -> None:
        role = self._resolve_role(one)
        self._take_qualifier(part, one, role)
        if not one.value:
            if role not in {"data", "notes", "lines", *_NAMES} or one is not line.fields[-1]:
                raise UnreadLine(one.line)
            self.open, self.open_line = ("" if role == "notes" else role), one.line
            return
        self.open = ""
        if role == "notes":
            self.brief.demands.append(one.value)
            self._take_clauses(one.value)
            return
        if role == "art":
            one = replace(one, value=_ART.sub("", one.value, count=1))
        value, tail = _cut_tail(role, strip_back(one.value) if role in _TEXTS else one.value)
        if not _set_value(part, role, value, one):
            raise UnreadLine(one.line)
        if tail:
            self.brief.demands.append(tail)
            self._take_clauses(tail)

    def _resolve_role(self, one: BriefField) -> str:
        kinds = self.brief.kinds
        is_text = bool(kinds & _OF_TEXT)
        match one.role:
            case "names":
                return "items" if is_text else "columns"
            case "columns" if is_text and "table" not in kinds:
                return "items"
            case "header" if read_names(one.value):
                return "columns"
            case "content":
                return "text" if kinds & {"banner"} else "items"
            case "note" if not kinds & {"chart", "picture"}:
                raise UnreadLine(one.line)
            case "title" if "kpi" in kinds and "title" not in one.key.lower() and "标题" not in one.key:
                return "label"
            case "data" if "kpi" in kinds:
                return "value"
            case "title" if _ART.match(one.value):
                return "art"
            case "art" | "title" if "艺术字" in one.qualifier or "word art" in one.qualifier.lower():
                return "art"
            case "format" if any(names_look(one.value) or is_assured(one.value, {kind}) for kind in kinds):
                return "notes"
        return one.role

    def _take_qualifier(self, part: Brief, one: BriefField, role: str) -> None:
        said = one.qualifier
        if not said or is_order_said(said) or re.fullmatch(r"艺术字|word ?art", said, re.IGNORECASE):
            return
        if role == "difference":  # its unit
            return
        if is_bold(said) and role in ("title", "columns"):
            part.is_bold_title, part.is_bold = part.is_bold_title or role == "title", part.is_bold or role == "columns"
            return
        if role == "data" and len(names := read_names(said)) > 1:
            part.header = names
            return
        fits = {
            "value": r"用?大字号?(?:显示)?|(?:in )?large (?:type|font|letters)",
            "tasks": r"每项(?:任务)?[一1]行|各[一1]行|(?:one|1) row each",
            "items": r"编号(?:列表)?|带编号|numbered(?: list)?|逐条",
        }
        if role not in fits or not re.fullmatch(fits[role], said, re.IGNORECASE):
            raise UnreadLine(one.line)

    def _set_names(self, role: str, names: tuple[str, ...], line: str) -> None:
        if not _set_names(self.brief, role, names):
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


def _cut_tail(role: str, value: str) -> tuple[str, str]:
    """A value and the clauses behind it, where it is short by its kind."""
    mask = RequestText(value).mask
    if role == "items" and read_pairs(value):
        return value, ""
    if role in _TEXTS and mask.startswith('"'):
        end = mask.find('"', 1) + 1
        is_apart = re.match(r"\s*(?:$|[,，;；。(])", mask[end:]) is not None
        return (value[:end], value[end:].strip(" ,，;；。")) if is_apart else (value, "")
    if role in _NAMES:
        cut = re.search(r"[;；。]" if not re.search(r"[、|/]", mask) else r"[,，;；。]", mask)
        head = value[: cut.start()] if cut else value
        return (head, value[cut.end() :].strip()) if cut and read_names(head) else (value, "")
    if role == "rows" and read_rows(value) is None:
        cut = re.search(r"[;；。]|[,，]\s*(?=[放位在])", mask)
        return (value[: cut.start()], value[cut.end() :].strip()) if cut else (value, "")
    if role in ("notes", "rows", "header", "weeks", "week_columns", "depth", "line", "size", "difference") or (
        role in _TEXTS and read_text(value)
    ):
        return value, ""
    cut = re.search(r"[,，。;；]\s*", mask)
    return (value[: cut.start()], value[cut.end() :]) if cut else (value, "")


def _set_names(part: Brief, role: str, names: tuple[str, ...]) -> bool:
    if not names or getattr(part, role):
        return False
    setattr(part, role, names)
    return True


def _set_value(part: Brief, role: str, value: str, one: BriefField) -> bool:
    """Set the slot of a field; whether its value could be read and the slot was free."""
    if role == "items" and (pairs := read_pairs(value)):
        is_free, part.rows = not part.rows, pairs
        return is_free
    if role in _NAMES:
        names = read_names(value)
        return not (role != "items" and any(map(is_remark, names))) and _set_names(part, role, names)
    if role in _TEXTS:
        is_free, part.texts[role] = role not in part.texts, read_text(value)
        return is_free and bool(part.texts[role])
    if role == "line":
        part.lines.append(read_text(value, is_sentence=True))
        return bool(part.lines[-1])
    if role in ("rows", "column_count", "depth", "weeks"):
        return _set_count(part, role, value)
    if role == "header" and is_bold(value):
        part.is_bold = True
        return True
    if role == "first_column":
        return re.fullmatch(r"任务(?:名称)?|tasks?(?: name)?", value, re.IGNORECASE) is not None
    if role == "week_columns":
        return _set_count(part, "weeks", value)
    if role in ("kind", "place"):
        part.clauses.append(value if role == "kind" else f"{one.key}{value}")
        return True
    if role == "unit":
        part.clauses.append(f"{one.key}为{value}")
        return one.key == "单位" and "chart" in part.kinds
    if role == "total":
        part.clauses.append("最后一行为合计" if re.search(r"[\u4e00-\u9fff]", one.line) else "with a total row")
        return _TOTAL.fullmatch(value.strip(' “”"「」。.')) is not None
    if role == "difference" and (said := read_formula(value)):
        part.formulas.append(said)
        return True
    return _set_other(part, role, value)


def _set_count(part: Brief, role: str, value: str) -> bool:
    slot, read = {
        "rows": ("count", read_rows),
        "column_count": ("width", read_rows),
        "depth": ("levels", read_levels),
        "weeks": ("weeks", read_weeks),
    }[role]
    is_free = getattr(part, slot) is None
    setattr(part, slot, read(value))
    return is_free and getattr(part, slot) is not None


def _set_other(part: Brief, role: str, value: str) -> bool:
    if role == "size" and (grid := read_grid(value)):
        part.count, part.width = grid
        return True
    if role == "data":
        part.texts["data"] = value
        return True
    return False
