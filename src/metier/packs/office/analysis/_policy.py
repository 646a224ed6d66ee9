"""Official documents by GB/T 9704-2012: page, numbering, spelling; and headings of any document in order."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import CHINESE
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import DocumentFinding, PageMeasures, Proposal, Reading, body_pieces
from metier.packs.office.analysis._numbering import NumberedLine, find_numbering_faults, list_numbered
from metier.packs.office.analysis._policy_texts import find_text_faults
from metier.packs.office.analysis._terms import find_wrong_terms
from metier.packs.office.analysis._wording import bilingual
from metier.packs.office.analysis.formats import (
    ParagraphRole,
    cut_annexes,
    dress_roles,
    find_half_width,
    list_roles,
    propose_like_sample,
    renumber,
    tell_left,
)
from metier.patterns import write_chinese_integer

__all__ = [
    "check_page",
    "find_label_forms",
    "find_level_forms",
    "load_looks",
    "load_measures",
    "propose_format",
    "propose_policy_format",
]

_NORM: Final = BilingualText("GB/T 9704-2012", "GB/T 9704-2012")
_HAN: Final = "[一二三四五六七八九十百]{1,4}"
# A number as it is written wrongly, and the norm's form of it.
_LABEL_FORMS: Final = (
    (re.compile(rf"({_HAN})[.．]"), "{n}、"),
    (re.compile(rf"\(({_HAN})[)）]"), "（{n}）"),
    (re.compile(rf"（({_HAN})\)"), "（{n}）"),
    (re.compile(r"(\d{1,2})(?:、|．(?!\d))"), "{n}."),
    (re.compile(r"\((\d{1,2})[)）]"), "（{n}）"),
    (re.compile(r"（(\d{1,2})\)"), "（{n}）"),
    (re.compile(r"([⑴-⒇])"), "（{n}）"),
)
_WORDS: Final = Sentences(
    {
        "page_size": (
            "The page is {found} mm; the norm is {expected} mm.",
            "纸张为 {found} mm，标准为 {expected} mm。",
        ),
        "page_margins": (
            "The text area is {found} mm; the norm is {expected} mm (top 37, left 28).",
            "版心为 {found} mm，标准为 {expected} mm（天头 37、订口 28）。",
        ),
        "page_grid": (
            "The grid is {found}; the norm is {expected} (lines × characters).",
            "文档网格为 {found}，标准为 {expected}（行 × 字）。",
        ),
        "level_form": (
            "“{label}” is not a first level of the norm; “{expected}” is.",
            "“{label}”不符合层次序数要求，应为“{expected}”。",
        ),
        "label_form": (
            "“{label}” is not written as the norm writes this level; “{expected}” is.",
            "“{label}”不是标准的层次序数写法，应为“{expected}”。",
        ),
        "summary": (
            "“{name}” was compared with GB/T 9704-2012: page, text area, grid, levels of numbering, its own number and "
            "date, closing words, references, spelling, punctuation: {count} findings. The plan sets the page, fonts "
            "and paragraphs of the title, addressee, headings, body, signature and date, "
            "page numbers, spelling, punctuation and forms of numbers; jumps in numbers are commented, not "
            "changed.",
            "按 GB/T 9704-2012 检查“{name}”：纸张、版心、每面行数和字数、层次序数一、（一）1.（1）、"
            "发文字号、日期、结语、条款引用、用字、标点；发现 "
            "{count} 处。"
            "方案将设置页面、标题、主送、各级标题、正文、落款和日期的字体与段落、页码，并改正用字、标点和序号写法；"
            "跳号、重号只加批注，不擅自改动。",
        ),
        "fonts": (
            " Fonts are named as the norm names them; a preview without them shows a substitute.",
            "字体按标准写名；预览机器没有这些字体时会用替代字体显示。",
        ),
        "no_page": (
            " The page measures could not be read and were not compared.", "页面尺寸未能读取，没有比对。"
        ),
        "format_summary": (
            "Headings and numbering of “{name}” were checked: {count} findings. The plan gives headings of one "
            "level one "
            "look.",
            "检查“{name}”的标题层次和序号，发现 {count} 处。方案将统一各级标题的样式。",
        ),
        "no_headings": (
            "“{name}” has no headings by style, so there is nothing to give one look; its numbering was checked: "
            "{count} findings.",
            "“{name}”没有用标题样式的段落，没有可统一的标题；序号已检查，发现 {count} 处。",
        ),
        "ask_format": (
            "Which format shall change? For example: body text in 12 pt, line spacing 1.5, or the layout of an "
            "official document (GB/T 9704).",
            "要改哪一项格式？例如：正文改为小四、行距 1.5 倍，或按公文格式（GB/T 9704）排版。",
        ),
        "findings": ("Findings", "格式检查"),
        "where": ("Place", "位置"),
        "found": ("Finding", "问题"),
        "line": ("Source line", "原文"),
        "page": ("page", "页面"),
        "set_page": ("Page as in GB/T 9704", "按 GB/T 9704 设置页面"),
        "set_headings": ("One look for each level of headings", "统一各级标题"),
        "set_numbers": ("Page numbers", "设置页码"),
    }
)  # fmt: skip


@cache
def load_measures() -> Mapping[str, Any]:
    """Measures of the norm, from `gbt9704.toml`."""
    text = files("metier.packs.office.analysis").joinpath("gbt9704.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def load_looks() -> Mapping[ParagraphRole, JsonObject]:
    """Look of each role of a document's paragraphs by the norm, as fields of `apply_paragraph_style`."""
    measures = load_measures()
    looks: Mapping[ParagraphRole, JsonObject] = measures["looks"]
    return {role: {**measures["common"], **look} for role, look in looks.items()}


def check_page(page: PageMeasures) -> Iterator[DocumentFinding]:
    """Page size, text area and grid against the norm."""
    norm = load_measures()["page"]
    slack = norm["tolerance_mm"]
    width, height = page.width_mm - page.left_mm - page.right_mm, page.height_mm - page.top_mm - page.bottom_mm
    if abs(page.width_mm - norm["width_mm"]) > slack or abs(page.height_mm - norm["height_mm"]) > slack:
        found, expected = f"{page.width_mm:.0f} × {page.height_mm:.0f}", f"{norm['width_mm']} × {norm['height_mm']}"
        yield _build_finding("page_size", found, expected)
    pairs = ((width, "text_width_mm"), (height, "text_height_mm"), (page.top_mm, "top_mm"), (page.left_mm, "left_mm"))
    if any(abs(found - norm[name]) > slack for found, name in pairs):
        expected = f"{norm['text_width_mm']} × {norm['text_height_mm']}"
        yield _build_finding("page_margins", f"{width:.0f} × {height:.0f}", expected)
    wanted = (norm["lines_per_page"], norm["chars_per_line"])
    if (page.lines_per_page, page.chars_per_line) != wanted:
        found = f"{page.lines_per_page or '–'} × {page.chars_per_line or '–'}"
        yield _build_finding("page_grid", found, f"{wanted[0]} × {wanted[1]}")


def find_level_forms(pieces: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """Levels that begin with 1、 and （1） where the norm begins with 一、 and （一）; the right label is known."""
    lines = [entry for entry in list_numbered(pieces) if isinstance(entry, NumberedLine)]
    if not all(CHINESE.search(entry.piece.text) for entry in lines):
        return
    if any(entry.level not in ("3", "4") for entry in lines) or not any(entry.level == "3" for entry in lines):
        return
    for entry in lines:
        number = write_chinese_integer(entry.number)
        expected = f"{number}、" if entry.level == "3" else f"（{number}）"
        message = bilingual(_WORDS, "level_form", label=entry.label, expected=expected)
        line = entry.piece.line.strip()
        quote = "" if entry.piece.number else entry.label
        yield DocumentFinding(
            "level_form", entry.piece.address, line, message, "low", quote, None, expected if quote else None, _NORM
        )


def find_label_forms(pieces: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """Levels whose number is written in another way than the norm does: 一. 1、 (一) (1) ⑴."""
    for piece in (one for one in pieces if one.kind in ("heading", "paragraph")):
        line = piece.line.strip()
        if not CHINESE.search(piece.text):
            continue
        for form, written in _LABEL_FORMS:
            if (match := form.match(line)) is None:
                continue
            expected = written.format(n=unicodedata.normalize("NFKC", match[1]).strip("()"))
            message = bilingual(_WORDS, "label_form", label=match[0], expected=expected)
            quote = "" if piece.number else match[0]
            replacement = expected if quote else None
            yield DocumentFinding("label_form", piece.address, line, message, "low", quote, None, replacement, _NORM)
            break


def _build_finding(rule: str, found: str, expected: str) -> DocumentFinding:
    message = bilingual(_WORDS, rule, found=found, expected=expected)
    return DocumentFinding(rule, "", "", message, "medium", source=_NORM, values={"found": found, "expected": expected})


def _table(findings: Sequence[DocumentFinding], language: Language) -> tuple[JsonObject, ...]:
    columns = [_WORDS.render(code, language) for code in ("where", "found", "line")]
    page = _WORDS.render("page", language)
    rows = [[finding.address or page, finding.message.text(language), finding.line] for finding in findings]
    return (table_json(_WORDS.render("findings", language), columns, rows),) if rows else ()


def propose_policy_format(reading: Reading, *, language: Language) -> Proposal:
    """The document in the norm's form: page, headings, page numbers, spelling; faults in numbering as comments."""
    pieces = list(body_pieces(reading))
    page = tuple(check_page(reading.page)) if reading.page else ()
    own, annex = cut_annexes(reading.pieces)
    forms = tuple(find_level_forms(own)) or tuple(find_label_forms(pieces))
    faults = (*find_numbering_faults(pieces), *find_text_faults(pieces))
    text = (*faults, *forms, *find_wrong_terms(pieces), *find_half_width(pieces))
    roles = list_roles(renumber(own, forms))
    measures, actions = load_measures(), PlanActions(language)
    numbers = measures["page_numbers"]
    steps: list[JsonObject] = []
    if page or reading.page is None:
        steps.append(actions.operation("set_page_setup", _WORDS.render("set_page", language), preset="gbt9704"))
    steps += [
        *dress_roles(roles, load_looks(), actions, language, reading.looks),
        actions.operation(
            "set_page_numbers",
            _WORDS.render("set_numbers", language),
            format="dashes",
            alignment="outside",
            font=numbers["font"],
            size=numbers["size"],
        ),
        *actions.marks(text),
    ]
    findings = (*page, *text)
    summary = _WORDS.render("summary", language, name=reading.name, count=len(findings))
    summary += tell_left(reading.pieces, {role: roles[role] for role in roles if role in load_looks()}, annex, language)
    summary += _WORDS.render("fonts", language) + ("" if reading.page else _WORDS.render("no_page", language))
    return Proposal(
        "policy-format",
        "wps",
        summary,
        tuple(steps),
        _table(findings, language),
        tuple(finding.to_json(language) for finding in findings),
    )


def propose_format(reading: Reading, *, language: Language) -> Proposal:
    """One look for the headings of each level, or the formatting of a sample; faults in numbering are told."""
    if reading.sample is not None:
        return propose_like_sample(reading, reading.sample, language=language)
    findings = tuple(find_numbering_faults(body_pieces(reading)))
    actions = PlanActions(language)
    if not any(piece.kind == "heading" for piece in reading.pieces):
        summary = _WORDS.render("no_headings", language, name=reading.name, count=len(findings))
        told = tuple(finding.to_json(language) for finding in findings)
        question = _WORDS.render("ask_format", language)
        return Proposal("doc-formatter", "wps", summary, (), _table(findings, language), told, question)
    levels = [{"level": level, "size": size, "bold": True} for level, size in ((1, 16), (2, 15), (3, 14), (4, 12))]
    inside = actions.operation(
        "normalize_headings", _WORDS.render("set_headings", language), apply_to_selection=False, levels=levels
    )
    return Proposal(
        "doc-formatter",
        "wps",
        _WORDS.render("format_summary", language, name=reading.name, count=len(findings)),
        # No block: the headings stand all over the document, and each change is to be seen at its place.
        (inside,),
        _table(findings, language),
        tuple(finding.to_json(language) for finding in findings),
    )
