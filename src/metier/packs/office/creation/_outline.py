"""Text as sections and points: Markdown, numbered lists (一、 1. 1.1), bullets, indented lines, tables."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language
from metier.packs.office.creation._model import NewBlock, NewDocument, NewPoint, NewSection, NewTable
from metier.packs.office.creation._sentences import SENTENCES
from metier.patterns import compile_later

_NUMERAL: Final = "[一二三四五六七八九十百]{1,4}"
_KEYS: Final = (
    ("chapter", compile_later(rf"第\s*(?:{_NUMERAL}|\d{{1,3}})\s*(?:章|部分|篇|页|张)\s*[：:、.]?\s*")),
    ("chapter", compile_later(r"(?:slide|part|chapter|section)\s*\d{1,3}\s*[:.\-]\s*", re.IGNORECASE)),
    ("cn1", compile_later(rf"{_NUMERAL}、\s*")),
    ("cn2", compile_later(rf"[（(]{_NUMERAL}[）)]\s*")),
    ("dec3", compile_later(r"\d{1,3}(?:\.\d{1,3}){2,}\s+")),
    ("dec2", compile_later(r"\d{1,3}\.\d{1,3}\s+")),
    ("dec1", compile_later(r"\d{1,3}(?:[.．](?!\d)|、|\))\s*")),
    ("dec4", compile_later(r"[（(]\d{1,3}[）)]\s*|[①-⑳]\s*")),
    ("bullet", compile_later(r"[-*+•·●▪–—]\s+")),
)
_HEADING: Final = compile_later(r"(#{1,6})\s+(.+?)\s*#*$")
_LABELLED: Final = compile_later(r"([^：:]{1,30})[：:]\s*(\S.*)$")
_PARTS: Final = compile_later(r"\s*[、；;]\s*")
_STRUCTURED: Final = ("h", "chapter", "cn", "dec")
_MAX_HEADING_CHARS: Final = 60
_MIN_PROSE_CHARS: Final = 60
_MIN_CSV_LINES: Final = 3


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its kind: `h2`, `cn1`, `dec1`, `bullet`, `indent`, `plain`."""

    key: str
    text: str
    table: NewTable | None = None


def parse_outline(text: str, language: Language, *, title: str = "") -> NewDocument:
    """Read a text; a document without sections has nothing that could be written."""
    lines = list(_read_lines(text))
    if not title:
        title, lines = _take_title(lines)
    top = _find_top(lines)
    sections = _group(lines, top, title, language) if top else _read_flat(lines, title, language)
    kept = tuple(one for one in sections if one.title or one.blocks)
    first = kept[0].title if kept else ""
    return NewDocument(title or first or SENTENCES.render("content", language), language, kept)


def _read_lines(text: str) -> Iterator[_Line]:
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    at = 0
    while at < len(raw):
        table, used = _read_table(raw[at:])
        if table is not None:
            yield _Line("table", "", table)
            at += used
            continue
        line = raw[at]
        at += 1
        if line.strip() and not re.fullmatch(r"\s*(?:`{3}.*|[-=*_]{3,})\s*", line):
            yield _read_line(line)


def _read_line(line: str) -> _Line:
    bare = line.strip()
    if heading := _HEADING.match(bare):
        return _Line(f"h{len(heading[1])}", heading[2])
    is_indented = line[:1] in " \t\u3000"
    for key, pattern in _KEYS:
        found = pattern.match(bare)
        if found and bare[found.end() :].strip():
            name = f"{key}-in" if is_indented and key in ("bullet", "dec1") else key
            return _Line(name, bare[found.end() :].strip().replace("**", ""))
    return _Line("indent" if is_indented else "plain", bare.replace("**", ""))


def _read_table(lines: Sequence[str]) -> tuple[NewTable | None, int]:
    """A Markdown table, also one without its rule, or three lines and more of values separated by commas or tabs."""
    block = []
    for line in lines:
        if not (line.strip().startswith("|") and line.strip().endswith("|") and len(line.strip()) > 2):
            break
        block.append([cell.strip().replace("**", "") for cell in line.strip().strip("|").split("|")])
    if len(block) >= 2 and all(re.fullmatch(r":?-{2,}:?", cell) for cell in block[1]):
        return _make_table(block[0], block[2:]), len(block)
    if len(block) >= 2 and len(block[0]) >= 2 and len({len(row) for row in block}) == 1:  # written without its rule
        return _make_table(block[0], block[1:]), len(block)
    for mark in ("\t", ","):
        width = lines[0].count(mark) if lines else 0
        count = 0
        while width and count < len(lines) and lines[count].strip() and lines[count].count(mark) == width:
            count += 1
        if count >= _MIN_CSV_LINES:
            rows = [[cell.strip() for cell in row] for row in csv.reader(lines[:count], delimiter=mark)]
            return _make_table(rows[0], rows[1:]), count
    return None, 0


def _make_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> NewTable:
    width = len(heads)
    body = tuple(tuple(_read_cell(row[at] if at < len(row) else "") for at in range(width)) for row in rows)
    return NewTable("", tuple(heads), body)


def _read_cell(text: str) -> JsonValue:
    """A number if it is one without doubt: no leading zero, at most fifteen digits, no unit."""
    plain = text.replace(",", "")
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})", plain):
        return int(plain)
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,11})\.\d{1,9}", plain):
        return float(plain)
    return text


def _take_title(lines: list[_Line]) -> tuple[str, list[_Line]]:
    """The first line if it is the only one of the highest heading, or a short plain line above structured ones."""
    if not lines:
        return "", lines
    first, rest = lines[0], lines[1:]
    keys = {line.key for line in rest}
    is_only = first.key.startswith("h") and first.key not in keys and not any(_is_above(key, first.key) for key in keys)
    is_plain = first.key == "plain" and len(first.text) <= _MAX_HEADING_CHARS and bool(rest)
    is_plain = is_plain and rest[0].key.startswith(_STRUCTURED) and not first.text.endswith(("。", ".", "：", ":"))
    if (is_only and rest) or is_plain:
        return first.text, rest
    return "", lines


def _is_above(key: str, other: str) -> bool:
    return key.startswith("h") and key < other


def _find_top(lines: Sequence[_Line]) -> str:
    """Key of the lines that begin sections; empty if the lines are a flat list."""
    keys = [line.key for line in lines]
    headings = sorted({key for key in keys if key.startswith("h")})
    if headings:
        return headings[0]
    numbered = [key for key in dict.fromkeys(keys) if key.startswith(("chapter", "cn", "dec")) and "-in" not in key]
    if numbered and len(set(keys)) > 1:
        return numbered[0]
    if "plain" in keys and any(key.startswith(("bullet", "indent", "dec1-in", "table")) for key in keys):
        return "plain"
    if "bullet" in keys and any(key in ("bullet-in", "indent") for key in keys):
        return "bullet"
    return ""


def _group(lines: Sequence[_Line], top: str, title: str, language: Language) -> list[NewSection]:
    sections: list[tuple[str, list[NewBlock]]] = []
    for line in lines:
        is_heading = line.key == top and line.table is None and (top != "plain" or not _is_prose(line.text))
        if is_heading or not sections:
            sections.append((line.text if is_heading else title or SENTENCES.render("content", language), []))
            if is_heading:
                continue
        sections[-1][1].append(_make_block(line))
    return [_split_label(name, blocks) for name, blocks in sections]


def _split_label(name: str, blocks: list[NewBlock]) -> NewSection:
    """`背景：市场下滑；成本上升` without points of its own becomes a section with two points."""
    found = _LABELLED.match(name) if not blocks else None
    if found is None:
        return (
            NewSection(name[:_MAX_HEADING_CHARS], tuple(blocks))
            if len(name) <= _MAX_HEADING_CHARS
            else NewSection(f"{name[: _MAX_HEADING_CHARS - 1]}…", (NewPoint(name, is_prose=True), *blocks))
        )
    parts = [part.rstrip("。.") for part in _PARTS.split(found[2]) if part.strip()]
    return NewSection(found[1].strip(), tuple(NewPoint(part) for part in parts))


def _read_flat(lines: Sequence[_Line], title: str, language: Language) -> list[NewSection]:
    """Items of one level: each with a label is a section, the others are the points of one."""
    if len(lines) > 1 and all(line.table is None and _LABELLED.match(line.text) for line in lines):
        return [_split_label(line.text, []) for line in lines]
    if not lines:
        return []
    return [NewSection(title or SENTENCES.render("content", language), tuple(_make_block(line) for line in lines))]


def _make_block(line: _Line) -> NewBlock:
    return line.table or NewPoint(line.text, is_prose=line.key == "plain" and _is_prose(line.text))


def _is_prose(text: str) -> bool:
    return len(text) >= _MIN_PROSE_CHARS or text.endswith(("。", ". ", "."))
