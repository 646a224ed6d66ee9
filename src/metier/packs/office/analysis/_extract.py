"""How each part of a document begins, and its figures: extracted, not written."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from metier.language import Language, Sentences, cut_at_sentence
from metier.packs.office.analysis._actions import table_json
from metier.packs.office.analysis._model import Proposal, Reading
from metier.packs.office.analysis._outline import OutlineSection, build_outline

if TYPE_CHECKING:
    from metier.json_values import JsonObject
    from metier.packs.office._pieces import TextPiece

__all__ = ["list_figures", "propose_extract"]

_MAX_LINES: Final = 12
_MAX_FIGURES: Final = 30
_MAX_CHARS: Final = 160
_FIGURE: Final = re.compile(
    r"(?:\d{4}年)?\d{1,2}月\d{1,2}日(?:\d{1,2}[时点](?:\d{1,2}分)?)?|\d{4}-\d{2}-\d{2}|\d{4}年"
    r"|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?"
    r"|(?:人民币|[¥￥$€£])?\s?\d[\d,]*(?:\.\d+)?\s?(?:%|％|亿|万|千|百)?(?:美元|欧元|元|天|日|个月|年|小时|分钟|页|台|人|次)?"
    r"(?:\s?(?:million|billion|thousand|percent|per cent|euros?|dollars?|pounds?"
    r"|days?|weeks?|months?|years?|hours?|people))*",
)
_NUMBER_ONLY: Final = re.compile(r"\s*\d{1,2}\s*")
_NUMBERING: Final = re.compile(r"^\s*[★☆]?\s*(?:\d+(?:\.\d+)*[.、)）\s]|第.{1,4}[条章节款]|[（(]\d+[)）])")
_WORDS: Final = Sentences(
    {
        "extracted": (
            "Extracted from “{name}”, not written: how each part begins ({count} of {total}).",
            "以下摘自“{name}”，是原文摘录，不是改写的总结：各部分的开头（{total} 处中的 {count} 处）。",
        ),
        "figures_found": (
            "Extracted from “{name}”: {count} amounts, dates and other figures, each with its line.",
            "以下摘自“{name}”：{count} 处金额、日期和其他数字，每处附原文。",
        ),
        "no_figures": ("“{name}” holds no figures.", "“{name}”里没有数字。"),
        "line": ("- **{title}**: {text}", "- **{title}**：{text}"),
        "plain": ("- {text}", "- {text}"),
        "figures": ("Figures", "数字"),
        "figure": ("Figure", "数字"),
        "text": ("Line", "原文"),
        "where": ("Place", "位置"),
    }
)


def propose_extract(
    reading: Reading, pieces: Sequence["TextPiece"], language: Language, *, only_figures: bool = False
) -> Proposal:
    """How each part begins, or each paragraph where there are no parts, and the figures."""
    found = _find_figures(pieces)
    table = _make_table(found, language)
    if only_figures:
        code = "figures_found" if found else "no_figures"
        return Proposal(
            "doc-analyzer", "wps", _WORDS.render(code, language, name=reading.name, count=len(found)), (), table
        )
    _, sections = build_outline(pieces)
    lines = [_write_section(one, language) for one in sections]
    if len(sections) <= 1 or any(_is_sentence(one.title) for one in sections):
        paragraphs = [one for one in pieces if one.kind != "cell"]
        lines = [_WORDS.render("plain", language, text=_cut(one.line.strip())) for one in paragraphs]
    shown = lines[:_MAX_LINES]
    head = _WORDS.render("extracted", language, name=reading.name, count=len(shown), total=len(lines))
    return Proposal("doc-analyzer", "wps", "\n".join((head, *shown)), (), table)


def list_figures(pieces: Sequence["TextPiece"], language: Language) -> tuple["JsonObject", ...]:
    """Table of the figures, each with its line; no table where there are none."""
    return _make_table(_find_figures(pieces), language)


def _is_sentence(title: str) -> bool:
    """Whether what stands for a heading is a sentence: a numbered paragraph, not the title of what follows."""
    number = _NUMBERING.match(title)
    return title[number.end() if number else 0 :].rstrip().endswith(("。", ".", "；", ";"))


def _write_section(section: OutlineSection, language: Language) -> str:
    if not section.lines:
        return _WORDS.render("plain", language, text=_cut(section.title))
    return _WORDS.render("line", language, title=section.title, text=_cut(section.lines[0]))


def _cut(line: str) -> str:
    """The first sentences of a line, as many as are read at a glance."""
    return line if len(line) <= _MAX_CHARS else cut_at_sentence(line, lambda one: len(one) <= _MAX_CHARS)


def _find_figures(pieces: Sequence["TextPiece"]) -> list[tuple[str, "TextPiece"]]:
    found: list[tuple[str, TextPiece]] = []
    for piece in pieces:
        number = _NUMBERING.match(piece.line)
        line = piece.line[number.end() :] if number else piece.line
        found += [(hit[0].strip(), piece) for hit in _FIGURE.finditer(line) if not _NUMBER_ONLY.fullmatch(hit[0])]
    return found[:_MAX_FIGURES]


def _make_table(found: Sequence[tuple[str, "TextPiece"]], language: Language) -> tuple["JsonObject", ...]:
    columns = [_WORDS.render(code, language) for code in ("figure", "text", "where")]
    rows = [[figure, piece.line.strip(), piece.address] for figure, piece in found]
    return (table_json(_WORDS.render("figures", language), columns, rows),) if rows else ()
